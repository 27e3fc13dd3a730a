"""What numba would work out over and over while it compiles a game, worked out once.

A game reaches hundreds of small kernels, and numba looks at each operation in each of them as if it were the first of
its kind. The answers are the same each time; they are kept here while one game is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any

from numba.core import event, types
from numba.core.base import BaseContext
from numba.core.compiler_lock import global_compiler_lock
from numba.core.types.functions import BaseFunction


@contextmanager
def answers_kept() -> Iterator[None]:
    """Compile without four of numba's habits, which took a quarter of the time.

    For each operation it tries dozens of signatures, and words an error for each that does not fit: here the type of
    an operation on the same types is found once. It describes all arguments before each step, down to the hundred
    fields of the state: here a record is told by how many it has. At each access to an array it looks for extensions
    that might know how to wrap it: there are none. And each kernel times all that is done below it.
    """
    usual_type: Any = BaseFunction.get_call_type
    usual_function: Any = BaseContext.get_function
    known: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Mapping[str, Any]) -> Any:
        key = self, context, args, tuple(kws.items())
        if key not in known:
            known[key] = usual_type(self, context, args, kws)
        return known[key]

    def get_function(self: Any, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        return usual_function(self, fn, sig, _firstcall and fn != "__array__")

    with (
        global_compiler_lock,
        _replaced(BaseFunction, "get_call_type", get_call_type),
        _replaced(BaseContext, "get_function", get_function),
        _replaced(event, "install_timer", lambda _kind, _callback: nullcontext()),
        _replaced(types.Record, "__repr__", lambda record: f"Record of {len(record.fields)} fields"),
    ):
        yield


@contextmanager
def _replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    usual = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, usual)
