"""Part 1: Connect Four.  A test is a case; the cases stand in
boards/cases/1a-game-over.yaml and its neighbours.
"""


def test_part1(case, grade):
    """What your functions say of a board."""
    grade(case)
