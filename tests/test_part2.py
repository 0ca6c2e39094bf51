"""Part 2: searches.  The cases stand in boards/cases/2a-dfs.yaml and its neighbours."""


def test_dfs_maximizing(case, grade):
    """The best leaf of all, found together."""
    grade(case)


def test_minimax_endgame_search(case, grade):
    """Minimax to the end of the game."""
    grade(case)


def test_minimax_search(case, grade):
    """Minimax down to a depth limit, with a heuristic there."""
    grade(case)


def test_minimax_search_alphabeta(case, grade):
    """The same results, with fewer evaluations."""
    grade(case)


def test_progressive_deepening(case, grade):
    """One result for each depth."""
    grade(case)
