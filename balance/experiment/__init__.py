"""Experiments: what is to be played, as a file, a command line or a game's own default says."""
