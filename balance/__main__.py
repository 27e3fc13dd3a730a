"""`python -m balance`, and the command `balance`."""

import signal
import sys
from functools import partial
from types import FrameType

_LATER = 0.02
"""Seconds after which the end is tried again."""


def main() -> None:
    """Run the command line; a signal ends it at once and without a trace, also while it is being loaded."""
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        signal.signal(number, partial(_leave, code))
    from balance.cli import main as command_line

    command_line()


def _leave(code: int, _number: int, frame: FrameType | None) -> None:
    """Leave; a little later where the compiler has called back, as it swallows what is raised there."""
    if _is_called_back(frame) and hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, partial(_leave, code))
        signal.setitimer(signal.ITIMER_REAL, _LATER)
        return
    sys.exit(code)


def _is_called_back(frame: FrameType | None) -> bool:
    while frame is not None:
        if "llvmlite" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


if __name__ == "__main__":
    main()
