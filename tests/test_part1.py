"""Part 1: Connect Four.  Each test is a graded case.

boards/cases/ holds the cases, in files whose names begin with 1.
"""


def test_part1(case, grade):
    """The results of your functions for Connect Four boards."""
    grade(case)
