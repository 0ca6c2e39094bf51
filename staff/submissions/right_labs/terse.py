"""A right lab in as few lines as its author could bear.  It is unlike the model in that most of its
functions are lambdas, that one routine with a window serves every search of two players (a window
that nobody looks at is plain minimax), and that wins are found with regular expressions over the
printed board.
"""

import re
from itertools import count, takewhile

from api import (
    INF,
    IN_PLAY,
    AbstractGameState,
    AnytimeValue,
    ConnectFourBoard,
    Definitely,
    Game,
    Player,
    Value,
    always_zero,
    pretty_print_dfs_type,
)
from boards import BOARD_UHOH, NEARLY_OVER

# --- part 0 ---------------------------------------------------------------------------------------


class ZeroBy(Game):
    """A position is what is left; a move is a set of one number, for no reason."""

    def __init__(self, n, removals):
        self.start = lambda: n
        self.get_moves = lambda position: map(frozenset, {(min(r, position),) for r in removals})
        self.do_move = lambda position, move: position - sum(move)
        self.terminal_value = lambda position: {True: Value.LOSE}.get(position == 0)


def solve(game):
    """Each position goes on the stack twice: first to be opened, and later, after its successors, to be valued."""
    values, stack = {}, [(game.start(), False)]
    while stack:
        position, opened = stack.pop()
        if position in values:
            continue
        after = [game.do_move(position, move) for move in game.get_moves(position)] if opened else []
        results = {values[successor] for successor in after}
        if opened:
            values[position] = Value.WIN if Value.LOSE in results else Value.TIE if Value.TIE in results else Value.LOSE
        elif end := game.terminal_value(position):
            values[position] = end
        else:
            stack.append((position, True))
            stack.extend((game.do_move(position, move), False) for move in game.get_moves(position))
    return values


# --- part 1 ---------------------------------------------------------------------------------------

# With an empty line below each row, a row takes 15 characters, and neighbours in it are 2 apart.
_FOURS = [re.compile(rf"([12])(?:.{{{gap - 1}}}\1){{3}}", re.DOTALL) for gap in (2, 15, 13, 17)]
_has_four = lambda board: any(four.search(str(board).replace("\n", "\n\n")) for four in _FOURS)
_empty = lambda board: str(board).count("_")
_turn = lambda score, flag: score if flag else -score

is_game_over_connectfour = lambda board: _has_four(board) or _empty(board) == 0
next_boards_connectfour = lambda board: [
    board.add_piece(c) for c in range(7) if not (board.is_column_full(c) or is_game_over_connectfour(board))
]
endgame_score_connectfour = lambda board, is_current_player_maximizer: (
    _turn(-1000, is_current_player_maximizer) if _has_four(board) else 0
)
endgame_score_connectfour_faster = lambda board, is_current_player_maximizer: (
    endgame_score_connectfour(board, is_current_player_maximizer) * 43 / board.count_pieces()
)
heuristic_connectfour = lambda board, is_current_player_maximizer: _turn(
    sum(len(c) ** 2.5 for c in board.get_all_chains(True)) - sum(len(c) ** 2.5 for c in board.get_all_chains(False)),
    is_current_player_maximizer,
)

state_starting_connectfour, state_NEARLY_OVER, state_UHOH = (
    AbstractGameState(board, is_game_over_connectfour, next_boards_connectfour, endgame_score_connectfour_faster)
    for board in (ConnectFourBoard(), NEARLY_OVER, BOARD_UHOH)
)

# --- part 2 ---------------------------------------------------------------------------------------


def _search(state, alpha, beta, estimate, depth, maximize, prunes=True):
    if state.is_game_over() or not depth:
        flag = maximize
        known = state.is_game_over()
        return [state], state.get_endgame_score(flag) if known else estimate(state.get_snapshot(), flag), 1
    found = []
    for child in state.generate_next_states():
        found.append(_search(child, alpha, beta, estimate, depth - 1, not maximize, prunes))
        alpha, beta = (max(alpha, found[-1][1]), beta) if maximize else (alpha, min(beta, found[-1][1]))
        if prunes and alpha >= beta:
            break
    path, score, _ = (max if maximize else min)(found, key=lambda result: result[1])
    return [state, *path], score, sum(evaluations for *_, evaluations in found)


def dfs_maximizing(state):
    if state.is_game_over():
        return [state], state.get_endgame_score(), 1
    found = list(map(dfs_maximizing, state.generate_next_states()))
    path, score, _ = max(found, key=lambda result: result[1])
    return [state, *path], score, sum(evaluations for *_, evaluations in found)


minimax_endgame_search = lambda state, maximize=True: minimax_search(state, maximize=maximize)
minimax_search = lambda state, heuristic_fn=always_zero, depth_limit=INF, maximize=True: _search(
    state, -INF, INF, heuristic_fn, depth_limit, maximize, prunes=False
)
minimax_search_alphabeta = (
    lambda state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True: _search(
        state, alpha, beta, heuristic_fn, depth_limit, maximize
    )
)


def progressive_deepening(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True, time_limit=INF):
    anytime_value = AnytimeValue()
    for depth in takewhile(lambda depth: depth <= depth_limit, count(1)):
        anytime_value.set_value(_search(state, -INF, INF, heuristic_fn, depth, maximize))
    return anytime_value


# --- part 4 ---------------------------------------------------------------------------------------


class MinimaxPlayer(Player):
    def __init__(self, game, depth, estimate=None):
        if depth < 1:
            raise ValueError
        self.game = game
        estimate = estimate or game.estimate
        choose = lambda s: max if game.player(s) is Player.MAXIE else min
        self.next_move = lambda s: self.search(depth, s)[0]
        self.search = lambda d, s: choose(s)(
            ((m, self.evaluate(d - 1, game.make_move(s, m))) for m in game.moves(s)), key=lambda edge: edge[1]
        )
        self.evaluate = lambda d, s: (
            (self.search(d, s)[1] if d else estimate(s))
            if (status := game.status(s)) is IN_PLAY
            else Definitely(status.outcome)
        )


# --- part 3 ---------------------------------------------------------------------------------------

ANSWER_1, ANSWER_2, ANSWER_3, ANSWER_4 = "4145"
NAME = "Terse"
COLLABORATORS = ""
HOW_MANY_HOURS_THIS_LAB_TOOK = 3
WHAT_I_FOUND_INTERESTING = "lambda"
WHAT_I_FOUND_BORING = "def"
SUGGESTIONS = None

try_it = lambda: pretty_print_dfs_type(minimax_endgame_search(state_NEARLY_OVER))

if __name__ == "__main__":
    try_it()
