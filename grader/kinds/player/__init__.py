"""The kind of a class of players, which can play every two-player game."""
