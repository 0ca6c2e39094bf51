"""A right lab that trusts recursion.  It is unlike the model in that solve recurses down to the
last position under a raised recursion limit (from Python 3.11 on a call of a Python function takes
no room on the C stack), that max_value and min_value call one another in the manner of the
textbooks, that the heuristic looks at every window of four squares, and that progressive deepening
brings an alpha-beta of its own.  ZeroBy makes its moves one at a time, in a generator.
"""

import sys
import time

from api import (
    INF,
    AbstractGameState,
    AnytimeValue,
    ConnectFourBoard,
    Definitely,
    Game,
    Over,
    Player,
    Value,
    always_zero,
    pretty_print_dfs_type,
)
from boards import BOARD_UHOH, NEARLY_OVER

# --- part 0 ---------------------------------------------------------------------------------------


class ZeroBy(Game):
    def __init__(self, n, removals):
        super().__init__()
        self.n = n
        self.removals = removals

    def start(self):
        return self.n

    def get_moves(self, position):
        taken_all = False
        for removal in self.removals:
            if removal < position:
                yield removal
            elif not taken_all:
                taken_all = True
                yield position

    def do_move(self, position, move):
        return position - move

    def terminal_value(self, position):
        if position == 0:
            return Value.LOSE
        return None


_memo = {}


def solve(game):
    """The memo is emptied before each game, since the next game may use the same positions."""
    _memo.clear()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000_000)
    try:
        _value(game, game.start())
    finally:
        sys.setrecursionlimit(limit)
    return dict(_memo)


def _value(game, position):
    if position in _memo:
        return _memo[position]
    value = game.terminal_value(position)
    if value is None:
        value = Value.LOSE
        for move in game.get_moves(position):
            theirs = _value(game, game.do_move(position, move))
            if theirs is Value.LOSE:
                value = Value.WIN
            if theirs is Value.TIE and value is Value.LOSE:
                value = Value.TIE
    _memo[position] = value
    return value


# --- part 1 ---------------------------------------------------------------------------------------

WINDOWS = [
    [(col + i * right, row + i * down) for i in range(4)]
    for col in range(7)
    for row in range(6)
    for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1))
    if 0 <= col + 3 * right < 7 and row + 3 * down < 6
]


def is_game_over_connectfour(board):
    lengths = [len(chain) for chain in board.get_all_chains()]
    won = bool(lengths) and max(lengths) >= 4
    return won or board.count_pieces() == 42


def next_boards_connectfour(board):
    def drop(column):
        if column == board.num_cols:
            return []
        rest = drop(column + 1)
        return rest if board.is_column_full(column) else [board.add_piece(column)] + rest

    return [] if is_game_over_connectfour(board) else drop(0)


def endgame_score_connectfour(board, is_current_player_maximizer):
    for chain in board.get_all_chains(current_player=False):
        if len(chain) >= 4:
            return -1000 if is_current_player_maximizer else +1000
    for chain in board.get_all_chains(current_player=True):
        if len(chain) >= 4:
            return +1000 if is_current_player_maximizer else -1000
    return 0


def endgame_score_connectfour_faster(board, is_current_player_maximizer):
    moves_of_winner = board.count_pieces(current_player=False)
    return endgame_score_connectfour(board, is_current_player_maximizer) * (22 - moves_of_winner)


def heuristic_connectfour(board, is_current_player_maximizer):
    """Each window that only one player stands in counts 1, 6 or 36, for 1, 2 or 3 pieces."""
    array = board.board_array
    mine = 1 if board.count_pieces(True) == board.count_pieces(False) else 2
    if not is_current_player_maximizer:
        mine = 3 - mine
    total = 0
    for window in WINDOWS:
        pieces = [array[row][col] for col, row in window if array[row][col]]
        if pieces and len(set(pieces)) == 1 and len(pieces) < 4:
            worth = 6 ** (len(pieces) - 1)
            total += worth if pieces[0] == mine else -worth
    return total / 5


_RULES = {
    "is_game_over_fn": is_game_over_connectfour,
    "generate_next_states_fn": next_boards_connectfour,
    "endgame_score_fn": endgame_score_connectfour_faster,
}
state_starting_connectfour = AbstractGameState(snapshot=ConnectFourBoard(), **_RULES)
state_NEARLY_OVER = AbstractGameState(snapshot=NEARLY_OVER, **_RULES)
state_UHOH = AbstractGameState(snapshot=BOARD_UHOH, **_RULES)

# --- part 2 ---------------------------------------------------------------------------------------


def dfs_maximizing(state, path=()):
    path = path + (state,)
    if state.is_game_over():
        return list(path), state.get_endgame_score(), 1
    best, evaluations = None, 0
    for child in state.generate_next_states():
        found = dfs_maximizing(child, path)
        evaluations += found[2]
        if best is None or found[1] > best[1]:
            best = found
    return best[0], best[1], evaluations


def minimax_endgame_search(state, maximize=True):
    return max_value(state, None, INF) if maximize else min_value(state, None, INF)


def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    if maximize:
        return max_value(state, heuristic_fn, depth_limit)
    return min_value(state, heuristic_fn, depth_limit)


def max_value(state, heuristic_fn, plies):
    """MAX is to move."""
    if state.is_game_over():
        return [state], state.get_endgame_score(True), 1
    if plies == 0:
        return [state], heuristic_fn(state.get_snapshot(), True), 1
    v, best, evaluations = -INF, [], 0
    for child in state.generate_next_states():
        path, score, count = min_value(child, heuristic_fn, plies - 1)
        evaluations += count
        if score > v:
            v, best = score, path
    return [state] + best, v, evaluations


def min_value(state, heuristic_fn, plies):
    """MIN is to move."""
    if state.is_game_over():
        return [state], state.get_endgame_score(False), 1
    if plies == 0:
        return [state], heuristic_fn(state.get_snapshot(), False), 1
    v, best, evaluations = INF, [], 0
    for child in state.generate_next_states():
        path, score, count = max_value(child, heuristic_fn, plies - 1)
        evaluations += count
        if score < v:
            v, best = score, path
    return [state] + best, v, evaluations


def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    value = max_value_window if maximize else min_value_window
    return value(state, alpha, beta, heuristic_fn, depth_limit)


def max_value_window(state, alpha, beta, heuristic_fn, plies):
    """MAX is to move; fail-soft."""
    if state.is_game_over():
        return [state], state.get_endgame_score(True), 1
    if plies == 0:
        return [state], heuristic_fn(state.get_snapshot(), True), 1
    v, best, evaluations = -INF, [], 0
    for child in state.generate_next_states():
        path, score, count = min_value_window(child, alpha, beta, heuristic_fn, plies - 1)
        evaluations += count
        if score > v:
            v, best = score, path
        if v >= beta:
            break
        alpha = max(alpha, v)
    return [state] + best, v, evaluations


def min_value_window(state, alpha, beta, heuristic_fn, plies):
    """MIN is to move; fail-soft."""
    if state.is_game_over():
        return [state], state.get_endgame_score(False), 1
    if plies == 0:
        return [state], heuristic_fn(state.get_snapshot(), False), 1
    v, best, evaluations = INF, [], 0
    for child in state.generate_next_states():
        path, score, count = max_value_window(child, alpha, beta, heuristic_fn, plies - 1)
        evaluations += count
        if score < v:
            v, best = score, path
        if v <= alpha:
            break
        beta = min(beta, v)
    return [state] + best, v, evaluations


def progressive_deepening(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True, time_limit=INF):
    """An alpha-beta of this function's own hands the path down, counts, and notes whether it met the limit."""
    stop = time.monotonic() + time_limit
    anytime_value = AnytimeValue()
    depth = 0
    while depth < depth_limit and time.monotonic() <= stop:
        depth += 1
        counts = {"evaluations": 0, "at limit": 0}

        def search(path, low, high, flag):
            here = path[-1]
            if here.is_game_over():
                counts["evaluations"] += 1
                return here.get_endgame_score(flag), path
            if len(path) == depth + 1:
                counts["evaluations"] += 1
                counts["at limit"] += 1
                return heuristic_fn(here.get_snapshot(), flag), path
            best = None
            for child in here.generate_next_states():
                found = search(path + [child], low, high, not flag)
                if best is None or (found[0] > best[0] and flag) or (found[0] < best[0] and not flag):
                    best = found
                low, high = (max(low, best[0]), high) if flag else (low, min(high, best[0]))
                if low >= high:
                    break
            return best

        score, path = search([state], -INF, INF, maximize)
        anytime_value.set_value((path, score, counts["evaluations"]))
        if depth_limit == INF and counts["at limit"] == 0:
            break
    return anytime_value


# --- part 4 ---------------------------------------------------------------------------------------


class MinimaxPlayer(Player):
    """Two mutually recursive methods for Maxie and Minnie, and a third that knows when to stop."""

    def __init__(self, game, depth, estimate=None):
        if depth < 1:
            raise ValueError("depth must be positive")
        super().__init__(game)
        self.depth, self.estimate = depth, estimate or game.estimate

    def next_move(self, state):
        return self.search(self.depth, state)[0]

    def search(self, depth, state):
        if self.game.player(state) is Player.MAXIE:
            return self.for_maxie(depth, state, list(self.game.moves(state)))
        return self.for_minnie(depth, state, list(self.game.moves(state)))

    def for_maxie(self, depth, state, moves):
        first = moves[0], self.evaluate(depth - 1, self.game.make_move(state, moves[0]))
        if len(moves) == 1:
            return first
        rest = self.for_maxie(depth, state, moves[1:])
        return first if rest[1] <= first[1] else rest

    def for_minnie(self, depth, state, moves):
        first = moves[0], self.evaluate(depth - 1, self.game.make_move(state, moves[0]))
        if len(moves) == 1:
            return first
        rest = self.for_minnie(depth, state, moves[1:])
        return first if first[1] <= rest[1] else rest

    def evaluate(self, depth, state):
        status = self.game.status(state)
        if isinstance(status, Over):
            return Definitely(outcome=status.outcome)
        return self.search(depth, state)[1] if depth != 0 else self.estimate(state)


# --- part 3 ---------------------------------------------------------------------------------------

ANSWER_1 = "4"
ANSWER_2 = "1"
ANSWER_3 = "4"
ANSWER_4 = "5"

NAME = "Recursion"
COLLABORATORS = "Recursion"
HOW_MANY_HOURS_THIS_LAB_TOOK = "see HOW_MANY_HOURS_THIS_LAB_TOOK"
WHAT_I_FOUND_INTERESTING = "max_value calls min_value."
WHAT_I_FOUND_BORING = "min_value calls max_value."
SUGGESTIONS = None


def try_it():
    pretty_print_dfs_type(minimax_endgame_search(state_NEARLY_OVER))


if __name__ == "__main__":
    try_it()
