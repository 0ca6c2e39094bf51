"""How far a player's move overshoots its time limit, on the clock on the wall."""

import time

import lab
from api import SearchPlayer, TwoPlayerConnectFour
from staff.bench.figures import Figure, Side

LIMIT, SHORT_LIMIT = 0.5, 0.05


def figures(quick: bool) -> list[Figure]:
    """The first move of Connect Four with a time limit, against the limit itself."""
    limit = SHORT_LIMIT if quick else LIMIT
    return [Figure(f"a move limited to {limit} s", _move(limit), Side("the limit", lambda: limit))]


def _move(limit: float) -> Side:
    game = TwoPlayerConnectFour(
        lab.is_game_over_connectfour,
        lab.next_boards_connectfour,
        lab.endgame_score_connectfour,
        lab.heuristic_connectfour,
    )
    player = SearchPlayer(game, lab.minimax_search_alphabeta, seconds=limit)

    def seconds() -> float:
        before = time.monotonic()
        player.next_move(game.start())
        return time.monotonic() - before

    return Side("a player on alpha-beta", seconds)
