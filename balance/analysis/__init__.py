"""From tallies to results: every number with its interval, and sentences about what to beware of."""

from balance.analysis.results import results
from balance.analysis.tables import tables

__all__ = ["results", "tables"]
