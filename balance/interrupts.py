"""Signals that end a command; also while the compiler has called back, which swallows whatever is raised there."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType

CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
"""With which code a command ends that a signal has stopped."""
_LATER = 0.02
"""Seconds after which a signal is tried again."""

Handler = Callable[[int, FrameType | None], object]


def put_off(handler: Handler, frame: FrameType | None) -> bool:
    """Whether a signal came at such a moment; then it comes again a little later, and should be left alone now."""
    if not (_is_called_back(frame) and hasattr(signal, "setitimer")):
        return False
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, _LATER)
    return True


def _is_called_back(frame: FrameType | None) -> bool:
    while frame is not None:
        if "llvmlite" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False
