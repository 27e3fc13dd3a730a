"""Tells board-game designers whether a rule change helps or hurts."""

__version__ = "0.1.0"
