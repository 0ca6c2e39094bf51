"""A solver: a function from a game to the value of each of its positions."""
