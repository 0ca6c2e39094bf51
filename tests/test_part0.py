"""Part 0: strong solutions.  Each test is a graded case.

boards/cases/ holds the cases, in files whose names begin with 0.
"""


def test_part0(case, grade):
    """Your game, your table of values, and the lines that `make run` prints."""
    grade(case)
