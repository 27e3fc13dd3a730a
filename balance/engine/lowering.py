"""How kernels below the top one are compiled: as parts of one program, not as programs of their own.

Numba optimizes each jitted function by itself, emits machine code and a Python wrapper for it, and then does the
same again for every caller. A game's loop reaches a hundred small kernels, so that work dominated the time to
compile. Here a kernel called by another is only lowered; the top function links and optimizes all of it once.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one kernel and of what it calls, linked but neither optimized nor turned into machine code."""

    def finalize(self) -> None:
        """Link the libraries that this one uses."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):  # type: ignore[misc]
    """Lower a kernel so that other kernels can call it; it has no entry for Python."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower `state`'s function into a PartLibrary and make it known to its callers."""
        codegen = state.targetctx.codegen()
        state.library = PartLibrary(codegen, state.func_id.func_qualname)
        state.library.enable_object_caching()
        flags = state.flags.copy()
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        flags.noalias = True  # no kernel is handed the same memory under two names (house rule)
        state.flags = flags
        super().run_pass(state)
        lowered = state["cr"]
        entry = [].append  # stands for the entry point, a builtin that equals no other: callers tell kernels apart by it
        state.targetctx.insert_user_function(entry, lowered.fndesc, [state.library])
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=entry, env=lowered.env)
        return True


class PartCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's own pipeline with PartLowering in the place of its lowering."""

    def define_pipelines(self) -> list[Any]:
        """The one pipeline."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [(PartLowering if step is NativeLowering else step, text) for step, text in manager.passes]
        manager._finalized = False
        manager.finalize()
        return [manager]
