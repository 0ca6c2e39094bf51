"""The kind of `ZeroBy`, a class that the student writes.  The grader plays its
games.
"""
