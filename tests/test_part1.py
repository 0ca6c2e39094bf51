"""Part 1: Connect Four.  The cases stand in boards/cases/1a-game-over.yaml and its neighbours."""


def test_is_game_over_connectfour(case, grade):
    """A chain of four or more, or a full board, ends the game; nothing else does."""
    grade(case)


def test_next_boards_connectfour(case, grade):
    """One board for each open column, from left to right; none when the game is over."""
    grade(case)


def test_endgame_score_connectfour(case, grade):
    """1000, -1000 or 0, in the maximizer's view."""
    grade(case)


def test_endgame_score_connectfour_faster(case, grade):
    """A win is worth more the sooner it comes."""
    grade(case)


def test_heuristic_connectfour(case, grade):
    """A clearly better board has a better estimate."""
    grade(case)
