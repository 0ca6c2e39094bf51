"""Part 1: Connect Four.  Each test is a graded case.

boards/cases/ holds the cases, in files whose names begin with 1.
"""


def test_part1(case, grade):
    """What your functions say of a board."""
    grade(case)
