"""How kernels below the top one are compiled: as parts of one program, not as programs of their own.

Numba optimizes each jitted function by itself, emits machine code and a Python wrapper for it, and then does the
same again for every caller. A game's loop reaches a hundred small kernels, so that work dominated the time to
compile. Here a kernel called by another is only lowered; the top function links and optimizes all of it once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from llvmlite.binding import Linkage
from numba.core import cgutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.itanium_mangler import mangle
from numba.core.typed_passes import NativeLowering
from numba.np import arrayobj


class PartLibrary(JITCodeLibrary):
    """The code of one kernel as it was lowered: not optimized, not linked, no machine code."""

    def add_llvm_module(self, ll_module: Any) -> None:
        """Keep the module as it is."""
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        """Nothing to do before the top function links all parts."""
        self._raise_if_finalized()
        self._finalized = True


class TopLibrary(JITCodeLibrary):
    """The code of the function that Python calls, linked with every part it reaches, each once."""

    def finalize(self) -> None:
        """Gather the parts, then link, optimize and compile as numba does."""
        reached = dict.fromkeys(self._linking_libraries)
        waiting = list(reached)
        while waiting:
            for library in waiting.pop()._linking_libraries:
                if library not in reached:
                    reached[library] = None
                    waiting.append(library)
        self._linking_libraries = list(reached)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Nobody else calls the parts: so the optimizer sees that they never fail, and fits them to their callers."""
        for function in self._final_module.functions:
            if function.linkage is Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


def _own_library(state: Any, kind: Any) -> None:
    state.library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    state.library.enable_object_caching()


def _plain_index(context: Any, builder: Any, kind: Any, index: Any, _size: Any) -> Any:
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


@dataclass(frozen=True)
class _Place:
    """Where a kernel stands, in the form in which numba hands it to errors."""

    filename: str
    line: int
    name: str

    def _raw_function_name(self) -> str:
        return self.name


@contextmanager
def _lean_code(state: Any) -> Iterator[None]:
    """Lower without what kernels never need: long symbols, and array indices that count from the end.

    Python lets index -1 mean the last element, which costs three instructions at each access. In kernels an index
    is never negative (house rule); the bounds-checked build refuses one that is, and names the kernel.
    """
    place = _Place(state.func_id.filename, state.func_id.firstlineno, state.func_id.func.__name__)

    def refuse(context: Any, builder: Any, index: Any, size: Any, _axis: Any = None) -> None:
        """As numba does, which compares twice and does not say where."""
        with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", index, size)):
            context.call_conv.return_user_exc(builder, IndexError, ("an index out of bounds",), place)

    usual, usual_check = arrayobj.fix_integer_index, cgutils.do_boundscheck
    arrayobj.fix_integer_index, cgutils.do_boundscheck = _plain_index, refuse
    try:
        with _short_names(state.targetctx):
            yield
    finally:
        arrayobj.fix_integer_index, cgutils.do_boundscheck = usual, usual_check


@contextmanager
def _short_names(context: Any) -> Iterator[None]:
    """Leave the argument types out of symbols: a record's type spells out every field, thousands of letters each time.

    The qualified name (which ends in the cache key) and numba's own counter keep symbols apart.
    """
    context.mangler = lambda name, _types, *, abi_tags=(), uid=None: mangle(
        name, (), abi_tags=abi_tags, uid=uid
    )
    try:
        yield
    finally:
        del context.mangler


@register_pass(mutates_CFG=True, analysis_only=False)
class TopLowering(NativeLowering):
    """Lower the function that Python calls, and with it all it reaches."""

    _name = "top_lowering"

    def run_pass(self, state: Any) -> bool:
        """As numba does, with short symbols and all parts in one program."""
        _own_library(state, TopLibrary)
        with _lean_code(state):
            return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """Lower a kernel so that other kernels can call it; it has no entry for Python."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower `state`'s function into a PartLibrary and make it known to its callers."""
        _own_library(state, PartLibrary)
        flags = state.flags.copy()
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        flags.noalias = True  # no kernel is handed the same memory under two names (house rule)
        state.flags = flags
        with _lean_code(state):
            super().run_pass(state)
        lowered = state["cr"]
        entry: Any = [].append  # stands for the entry point: a builtin that equals no other tells kernels apart
        state.targetctx.insert_user_function(entry, lowered.fndesc, [state.library])
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=entry, env=lowered.env)
        return True


_NOT_NEEDED = frozenset(
    (
        "WithLifting",
        "InlineClosureLikes",
        "RewriteDynamicRaises",
        "MakeFunctionToJitFunction",
        "InlineInlinables",
        "InlineOverloads",
        "FindLiterallyCalls",
        "LiteralPropagationSubPipelinePass",
        "LiteralUnroll",
        "AnnotateTypes",
        "NopythonRewrites",
        "DumpParforDiagnostics",
    )
)
"""Steps of numba's pipeline for what kernels do not have (closures, `with`, dynamic raises, literals, whole arrays), or
for what nobody asks: a listing of types. Without them a game compiles in a tenth less time."""


class _Compiler(CompilerBase):
    """Numba's own pipeline with another lowering in the place of its own."""

    lowering: Any

    def define_pipelines(self) -> list[Any]:
        """The one pipeline."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [
            (self.lowering if step is NativeLowering else step, text)
            for step, text in manager.passes
            if step.__name__ not in _NOT_NEEDED
        ]
        manager._finalized = False
        manager._ENFORCING = False  # each step keeps what it found in order itself; checking that takes time
        manager.finalize()
        return [manager]


class TopCompiler(_Compiler):
    """For the function that Python calls."""

    lowering = TopLowering


class PartCompiler(_Compiler):
    """For the kernels it reaches."""

    lowering = PartLowering
