"""Part 4: a player for every game.  The cases stand in boards/cases/4-player.yaml."""


def test_MinimaxPlayer(case, grade):
    """The best move as far as the player sees, and what it leads to."""
    grade(case)
