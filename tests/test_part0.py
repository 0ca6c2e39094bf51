"""Part 0: strong solutions.  A test is a case; the cases stand in
boards/cases/0a-zeroby.yaml and its neighbours.
"""


def test_part0(case, grade):
    """Your game, your table of values, and the lines that `make run` prints."""
    grade(case)
