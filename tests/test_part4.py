"""Part 4: a player for every game.  A test is a case; the cases stand in
boards/cases/4-player.yaml.
"""


def test_part4(case, grade):
    """The best move as far as your player sees, and what it leads to."""
    grade(case)
