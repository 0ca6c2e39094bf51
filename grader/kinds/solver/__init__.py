"""The kind of `solve`, a function from a game to the value of each position."""
