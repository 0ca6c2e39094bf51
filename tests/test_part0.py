"""Part 0: strong solutions.  The cases stand in boards/cases/0a-zeroby.yaml and 0b-solve.yaml."""


def test_ZeroBy(case, grade):
    """Your game leads through the right positions, and ends where it should."""
    grade(case)


def test_solve(case, grade):
    """Your table has every position that can be reached, with its value."""
    grade(case)
