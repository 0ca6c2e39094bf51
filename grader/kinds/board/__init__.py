"""Functions on Connect Four boards; `returns` says what one gives.

over     whether the game is over, True or False
moves    the boards after each possible move
score    one exact score
bounds   a score that lies on the right side of a bound, or between two; several can be compared
"""
