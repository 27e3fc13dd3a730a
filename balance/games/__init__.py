"""The games that come with the tool; each is found through its entry point, as a plug-in is."""
