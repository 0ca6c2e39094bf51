"""Part 4: a player for every game.  Each test is a graded case.

boards/cases/ holds the cases, in files whose names begin with 4.
"""


def test_part4(case, grade):
    """The moves and estimates of your player, and the depths that it refuses."""
    grade(case)
