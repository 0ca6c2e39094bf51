"""Part 4: a player for every game.  Each test is a graded case.

boards/cases/ holds the cases, in files whose names begin with 4.
"""


def test_part4(case, grade):
    """The best move as far ahead as your player looks, and what the move leads to."""
    grade(case)
