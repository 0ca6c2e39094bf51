"""The kind of `solve`, which takes a game and returns the value of each position."""
