"""A solver: a function from a game to the value of each position, and one to the number of moves to its end."""
