"""Part 2: searches.  Each test is a graded case.

boards/cases/ holds the cases, in files whose names begin with 2.
"""


def test_part2(case, grade):
    """The path, the score and the number of evaluations of your searches."""
    grade(case)
