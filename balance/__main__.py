"""`python -m balance`, and the command `balance`."""

import signal
import sys
from functools import partial
from types import FrameType

from balance.interrupts import CODES, put_off


def main() -> None:
    """Run the command line; a signal ends it at once and without a trace, also while it is being loaded."""
    for number, code in CODES.items():
        signal.signal(number, partial(_leave, code))
    from balance.cli import main as command_line

    command_line()


def _leave(code: int, _number: int, frame: FrameType | None) -> None:
    if not put_off(partial(_leave, code), frame):
        sys.exit(code)


if __name__ == "__main__":
    main()
