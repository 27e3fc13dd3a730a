"""Kernels and how they are compiled: the only file that knows the compiler's switches.

A kernel is a module-level function marked `@kernel`. It stays plain Python, so it can be called, debugged and
covered as such. `compiled(fn, bind)` and `interpreted(fn, bind)` both copy the function and every kernel it can
reach, with other values in the place of some globals, and either compile the copies or leave them as they are.
`bind` lists pairs (what stands there, what shall stand there); the first is told by identity, never by name.
Everything bound is static: the compiler sees direct calls.

Why no `njit(cache=True)`: that cache looks at one file only, so it runs stale code when a rule in another file
is edited. Here the identity of a compiled function is an exact recursive fingerprint.
"""

from __future__ import annotations

import ast
import builtins
import dis
import gc
import hashlib
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast, overload

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
Bindings = Sequence[tuple[Any, Any]]
_MARK = "__balance_kernel__"
_CONSTANTS = (bool, int, str, np.generic, np.ndarray, np.dtype)
_BUILTINS = ("abs", "bool", "divmod", "int", "len", "max", "min", "range")
"""What kernels may use of Python's own: `print`, say, would need Python itself while the loop runs without it."""


class KernelError(TypeError):
    """A kernel uses something that cannot be identified, so its compiled form could go stale unseen."""


@overload
def kernel(fn: F) -> F: ...
@overload
def kernel(*, inline: bool) -> Callable[[F], F]: ...
def kernel(fn: Any = None, *, inline: bool = False) -> Any:
    """Mark a function as a kernel. `inline` asks the compiler to inline it at every call (measure before use)."""

    def mark(fn: F) -> F:
        setattr(fn, _MARK, {"inline": inline})
        return fn

    return mark if fn is None else mark(fn)


def is_kernel(value: object) -> bool:
    """Whether `value` is marked `@kernel`."""
    return hasattr(value, _MARK)


@cache
def global_names(code: CodeType) -> tuple[str, ...]:
    """The global names a function reads, in order of first use."""
    return tuple(
        dict.fromkeys(step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL")
    )


def reached(kernels: Iterable[Any]) -> Iterator[Any]:
    """These kernels, and all that they call."""
    waiting, seen = list(kernels), set[Any]()
    while waiting:
        fn = waiting.pop(0)
        if fn not in seen and hasattr(fn, "__code__"):
            seen.add(fn)
            yield fn
            called = [fn.__globals__.get(name) for name in global_names(fn.__code__)]
            waiting += [value for value in called if is_kernel(value)]


def _lookup(fn: FunctionType, name: str, bound: dict[int, Any]) -> Any:
    if name in fn.__globals__:
        value = fn.__globals__[name]
        return bound.get(id(value), value)
    if hasattr(builtins, name):
        return getattr(builtins, name)
    raise KernelError(f"{fn.__module__}.{fn.__name__} uses the name {name}, which is not defined.")


def _check(fn: Any, name: str, value: Any) -> None:
    """Refuse what has no identity that a fingerprint can hold."""
    where = f"{fn.__module__}.{fn.__name__}"
    if isinstance(value, ModuleType) and value is not np:
        raise KernelError(f"{where} reaches into the module {name}; import the kernel itself by name.")
    if getattr(value, "__module__", None) == "builtins" and name not in _BUILTINS:
        raise KernelError(f"{where} uses {name}; of Python's own a kernel may use {', '.join(_BUILTINS)}.")
    known = is_kernel(value) or isinstance(value, (*_CONSTANTS, ModuleType)) or _named(value)
    if not known:
        raise KernelError(
            f"{where} uses {name}, a {type(value).__name__}: neither a kernel nor an integer constant."
        )


def _named(value: Any) -> bool:
    """Builtins and numpy's own types: their name is their identity."""
    return getattr(value, "__module__", None) in ("builtins", "numpy") and not isinstance(value, FunctionType)


def _code(fn: Any) -> CodeType:
    if not isinstance(fn, FunctionType) or _is_lambda(fn) or fn.__closure__:
        what = "a lambda" if _is_lambda(fn) else "a closure or no function at all"
        raise KernelError(f"{fn!r} is {what}, not a plain module-level function.")
    if any(isinstance(constant, CodeType) for constant in fn.__code__.co_consts):
        raise KernelError(f"{fn.__module__}.{fn.__name__} contains a nested function or comprehension.")
    if fn.__defaults__ or fn.__kwdefaults__:
        raise KernelError(
            f"{fn.__module__}.{fn.__name__} has default arguments; kernels are always given all."
        )
    return fn.__code__


def _is_lambda(fn: Any) -> bool:
    return isinstance(fn, FunctionType) and fn.__code__.co_name == "<lambda>"


def jit_is_off() -> bool:
    """Whether NUMBA_DISABLE_JIT asks for plain Python."""
    from numba import config

    return bool(getattr(config, "DISABLE_JIT", 0))


def _by_identity(bind: Bindings) -> dict[int, Any]:
    return {id(placeholder): value for placeholder, value in bind}


def interpreted(fn: F, bind: Bindings = (), *, free: bool = False) -> F:
    """A copy of `fn`, and of all it reaches, in plain Python.

    `free` admits what no fingerprint can hold (a tracer's function, say): nothing is compiled or cached here.
    """
    copy: Any = _copy(fn, _by_identity(bind), {}, lambda new, _old: new, free)
    return _wrapping_integers(copy)  # type: ignore[no-any-return]


def _wrapping_integers(fn: Any) -> Any:
    """Unsigned arithmetic wraps round by design; numpy warns of it only outside compiled code."""

    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return fn(*arguments)

    call.__name__, call.__doc__ = fn.__name__, fn.__doc__
    return call


def key_of(
    fn: Callable[..., Any], types: tuple[Any, ...], bind: Bindings = (), *, checked: bool = False
) -> str:
    """Everything that the machine code of `fn` depends on, as 32 hex digits."""
    from balance.engine.cache import cache_key

    return cache_key(fingerprint(fn, bind), code_digest(fn, bind), types, checked=checked)


def compiled(
    fn: F, name: str, types: tuple[Any, ...], bind: Bindings = (), key: str = "", *, checked: bool = False
) -> F:
    """`fn` compiled for one tuple of argument types, from the cache when this very code is in it.

    `name` is for people: it stands in front of the cache file's name. `key` is that of `key_of`, if known already.
    `checked` code raises IndexError for an index out of bounds; other code reads or writes whatever lies there.
    """
    import numba

    from balance.engine.cache import CompiledCache
    from balance.engine.frontend import answers_kept
    from balance.engine.lowering import PartCompiler, TopCompiler

    if jit_is_off():
        return interpreted(fn, bind)

    key = key or key_of(fn, types, bind, checked=checked)

    def compile_copy(new: FunctionType, old: Any) -> Any:
        new.__qualname__ = f"{old.__name__}_{key}"  # the symbol: equal names mean equal code
        options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "pipeline_class": TopCompiler}
        if checked:
            options["boundscheck"] = True
        if old is not fn:  # a part: it is handed its memory and counts no references to it
            options |= {"forceinline": getattr(old, _MARK)["inline"], "pipeline_class": PartCompiler}
            options["_nrt"] = False
        return _blind_to_literals(numba.njit(**options)(new))

    dispatcher: Any = _copy(fn, _by_identity(bind), {}, compile_copy)
    dispatcher._cache = CompiledCache(name, key)
    with _no_collection(), answers_kept():
        dispatcher.compile(types)
    dispatcher.disable_compile()
    return dispatcher  # type: ignore[no-any-return]


def _blind_to_literals(dispatcher: Any) -> Any:
    """A kernel called with 0, with 1 and with a variable is compiled once, not once for each."""
    from numba import types

    usual, unliteral = dispatcher.get_call_template, cast(Any, types.unliteral)

    def get_call_template(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        return usual(tuple(map(unliteral, args)), kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher


@contextmanager
def _no_collection() -> Iterator[None]:
    """The compiler makes millions of objects and hardly any garbage: looking for it takes a twentieth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def is_cached(name: str, key: str) -> bool:
    """Whether `compiled` would find its result in the cache."""
    from balance.engine.cache import cached_file

    path = cached_file(name, key)
    return path is not None and path.exists()


def _copy(
    fn: Any,
    bound: dict[int, Any],
    done: dict[int, Any],
    finish: Callable[[FunctionType, Any], Any],
    free: bool = False,
) -> Any:
    if id(fn) in done:
        return done[id(fn)]
    space = {}
    for name in global_names(_code(fn)):
        value = _lookup(fn, name, bound)
        if not free:
            _check(fn, name, value)
        space[name] = _copy(value, bound, done, finish, free) if is_kernel(value) else value
    new = FunctionType(
        fn.__code__, {**space, "__builtins__": builtins, "__name__": fn.__module__}, fn.__name__
    )
    new.__module__, new.__doc__ = fn.__module__, fn.__doc__
    done[id(fn)] = finish(new, fn)
    return done[id(fn)]


def fingerprint(fn: Callable[..., Any], bind: Bindings = ()) -> str:
    """What `fn` does, as 32 hex digits: its source and that of all it reaches, and every constant they read.

    Comments, docstrings and layout do not count. The same on every machine.
    """
    return _digest(fn, _by_identity(bind), _source)


def code_digest(fn: Callable[..., Any], bind: Bindings = ()) -> str:
    """The code as it was loaded (a file may have been edited since), as 32 hex digits."""
    return _digest(fn, _by_identity(bind), _loaded)


def _digest(fn: Callable[..., Any], bound: dict[int, Any], text: Callable[[Any], str]) -> str:
    total = hashlib.sha256()
    for key, value in sorted(_identities(fn, bound, text).items()):
        total.update(f"{key}\0{value}\0".encode())
    return total.hexdigest()[:32]


def _identities(fn: Any, bound: dict[int, Any], text: Callable[[Any], str]) -> dict[str, str]:
    """Identity of every kernel reached (`module.name`) and of every constant read (`module.name:constant`)."""
    found: dict[str, str] = {}
    seen: dict[str, Any] = {}
    waiting = [fn]
    while waiting:
        current = waiting.pop()
        key = f"{current.__module__}.{current.__qualname__}"
        if seen.setdefault(key, current) is not current:
            raise KernelError(f"There are two kernels {key}; their names must tell them apart.")
        if key in found:
            continue
        code = _code(current)
        found[key] = text(current)
        for name in global_names(code):
            value = _lookup(current, name, bound)
            _check(current, name, value)
            if is_kernel(value):
                waiting.append(value)
                found[f"{key}:{name}"] = f"{value.__module__}.{value.__qualname__}"
            else:
                found[f"{key}:{name}"] = _constant(value)
    return found


def _constant(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}{value.shape}{hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    if isinstance(value, _CONSTANTS):
        return f"{type(value).__name__} {value!r}"
    return getattr(value, "__qualname__", None) or str(value.__name__)


@cache
def _source(fn: Any) -> str:
    tree = ast.parse(textwrap.dedent(inspect.getsource(fn)))
    body = tree.body[0]
    assert isinstance(body, ast.FunctionDef)
    if ast.get_docstring(body) is not None:
        body.body = body.body[1:] or [ast.Pass()]
    return ast.unparse(body)


def _loaded(fn: Any) -> str:
    code = fn.__code__
    constants = [constant for constant in code.co_consts if constant != fn.__doc__]
    return f"{code.co_code.hex()} {constants!r} {code.co_names!r} {code.co_varnames!r}"
