"""A player for every two-player game: a class with next_move, search and evaluate."""
