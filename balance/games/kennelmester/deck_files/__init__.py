"""A deck of Kennelmester from the files that a designer keeps in a spreadsheet, and back to words about it.

The files, their columns and what is allowed there are those of the contract's section 5.1.
"""

from balance.games.kennelmester.deck_files.reading import check_deck, deck_note, placeholder_deck, read_deck

__all__ = ["check_deck", "deck_note", "placeholder_deck", "read_deck"]
