"""The kind of `ZeroBy`, a class of games that the student writes.  The grader plays
these games.
"""
