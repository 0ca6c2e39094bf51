"""The kind of `MinimaxPlayer`, a class that the student writes.  Its players can play
every two-player game.
"""
