"""Compiled code on disk: one file for each function and tuple of argument types, named by all it depends on.

A file is written whole under a temporary name and moved into place, and begins with a digest of the rest. So
two processes that compile at once cannot harm each other, and a damaged file is noticed and compiled anew.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

_DIGEST_BYTES = 32
_HOW_CODE_IS_MADE = [Path(__file__).with_name(name) for name in ("frontend.py", "kernels.py", "lowering.py")]
_SWITCHES = ("BOUNDSCHECK", "OPT", "SLP_VECTORIZE", "LOOP_VECTORIZE", "DEBUGINFO_DEFAULT", "INTEL_SVML")


class CacheWarning(UserWarning):
    """The cache of compiled code cannot be used, or part of it was damaged; results are not affected."""


def cache_key(fingerprint: str, code: str, types: tuple[Any, ...], *, checked: bool = False) -> str:
    """Everything the machine code depends on, as 32 hex digits; `checked` code looks at every index."""
    codegen = cpu_target.target_context.codegen()
    parts = [fingerprint, code, str(types), str(codegen.magic_tuple()), f"checked={checked}"]
    parts += [platform.python_version(), numba.__version__, llvmlite.__version__]
    parts += [source.read_text("utf-8") for source in _HOW_CODE_IS_MADE]
    parts += [f"{name}={getattr(numba.config, name, None)}" for name in _SWITCHES]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _candidates() -> Iterator[Path]:
    import platformdirs

    for variable in ("BALANCE_CACHE_DIR", "NUMBA_CACHE_DIR"):
        if os.environ.get(variable):
            yield Path(os.environ[variable])
    with suppress(RuntimeError):  # no home directory can be determined
        yield Path(platformdirs.user_cache_dir("balance", appauthor=False))
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    yield Path(tempfile.gettempdir()) / f"balance-{user}"


@cache
def cache_folder() -> Path | None:
    """The first folder that can be written to; None, with one warning, when there is none."""
    refused = []
    for root in _candidates():
        folder = root / "compiled"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            refused.append(f"{root} ({error.strerror})")
            continue
        if refused:
            warnings.warn(
                f"Compiled code cannot be kept in {', '.join(refused)}; using {root}.",
                CacheWarning,
                stacklevel=2,
            )
        return folder
    warnings.warn(
        f"Compiled code cannot be kept ({', '.join(refused)}); it is compiled anew each time.",
        CacheWarning,
        stacklevel=2,
    )
    return None


def cached_file(name: str, key: str) -> Path | None:
    """Where the code compiled for this key is kept; None when nothing can be kept."""
    folder = cache_folder()
    return folder / f"{name}-{key}.bin" if folder else None


class CompiledCache(_Cache):
    """The cache of one dispatcher, in the form that numba asks for."""

    def __init__(self, name: str, key: str) -> None:
        self._path = cached_file(name, key)

    @property
    def cache_path(self) -> str:
        """The folder that holds the file; '' when nothing is kept."""
        return str(self._path.parent) if self._path else ""

    def enable(self) -> None:
        """Numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Forget the compiled code."""
        if self._path:
            self._path.unlink(missing_ok=True)

    def load_overload(self, _sig: Any, target_context: Any) -> Any:
        """The compiled function, or None when it is not there or damaged."""
        payload = self._read()
        if payload is None:
            return None
        # All that finished code needs; to prepare for lowering as well would take half a second.
        rtsys.initialize(target_context)
        rebuild: Any = CompileResult._rebuild
        return rebuild(target_context, *payload)

    def save_overload(self, _sig: Any, data: Any) -> None:
        """Keep the compiled function; a full disk is a warning."""
        if self._path is None or data.library.has_dynamic_globals:
            return
        body = pickle.dumps(data._reduce(), protocol=pickle.HIGHEST_PROTOCOL)
        try:
            _write_whole(self._path, hashlib.sha256(body).digest() + body)
        except OSError as error:
            warnings.warn(
                f"Compiled code cannot be kept in {self._path}: {error.strerror}.", CacheWarning, stacklevel=2
            )

    def _read(self) -> Any:
        if self._path is None:
            return None
        try:
            content = self._path.read_bytes()
        except OSError:
            return None
        if not _is_whole(content):
            warnings.warn(
                f"The file {self._path} was damaged; it is compiled anew.", CacheWarning, stacklevel=2
            )
            return None
        return pickle.loads(content[_DIGEST_BYTES:])


def damaged(path: Path) -> bool:
    """Whether a file of the cache is not as it was written."""
    try:
        return not _is_whole(path.read_bytes())
    except OSError:
        return True


def _is_whole(content: bytes) -> bool:
    return hashlib.sha256(content[_DIGEST_BYTES:]).digest() == content[:_DIGEST_BYTES]


def _write_whole(path: Path, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
