"""How many standard errors an interval takes on each side for a confidence level."""

from __future__ import annotations

from scipy import special


def check_confidence(confidence: float) -> None:
    """A level lies between 0 and 1; ValueError otherwise."""
    if not 0 < confidence < 1:
        raise ValueError(f"A confidence level lies between 0 and 1, not at {confidence}.")


def normal_critical(confidence: float) -> float:
    """The normal quantile of a two-sided interval: 1.96 at 95 %."""
    check_confidence(confidence)
    return float(-special.ndtri((1 - confidence) / 2))


def t_critical(confidence: float, n: int) -> float:
    """Student's quantile of a two-sided interval from `n` observations."""
    check_confidence(confidence)
    return float(-special.stdtrit(n - 1, (1 - confidence) / 2))
