"""Pure statistics: integer counts in, estimates out; no game and no table is known here.

Every result depends on merged integer counts alone, never on the order in which games were finished:
sums are Python integers, each quotient is rounded once.
"""
