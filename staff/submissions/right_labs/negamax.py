"""A right lab in negamax form.  Inside, every score is in the view of the player to move (the
score times a colour, +1 or -1) and each ply negates; outside, and for the functions that score a
position, the colour is turned into the flag, so that trees whose scores ignore the flag come out
right as well.  It is unlike the model in that one routine serves both players, and that solve
sorts the positions with graphlib.  It takes a depth_limit that is finite, and no notice of time.
"""

from graphlib import TopologicalSorter

from api import (
    DRAW,
    INF,
    AbstractGameState,
    AnytimeValue,
    ConnectFourBoard,
    Definitely,
    Game,
    Guess,
    Over,
    Player,
    Value,
    Winner,
    always_zero,
    pretty_print_dfs_type,
)
from boards import BOARD_UHOH, NEARLY_OVER

# --- part 0 ---------------------------------------------------------------------------------------


class ZeroBy(Game):
    """A move is the position that it leads to."""

    def __init__(self, n, removals):
        self.n = n
        self.removals = removals

    def start(self):
        return self.n

    def get_moves(self, position):
        return tuple(0 if removal > position else position - removal for removal in self.removals)

    def do_move(self, position, move):
        return move

    def terminal_value(self, position):
        if position == 0:
            return Value.LOSE


_WORTH = {Value.WIN: 1, Value.TIE: 0, Value.LOSE: -1}
_VALUE = {1: Value.WIN, 0: Value.TIE, -1: Value.LOSE}


def solve(game):
    """List the positions, sort them so that successors come first, negamax along that order."""
    successors = {}
    worth = {}
    found = [game.start()]
    while found:
        position = found.pop()
        if position in successors:
            continue
        end = game.terminal_value(position)
        if end is None:
            successors[position] = {game.do_move(position, move) for move in game.get_moves(position)}
            found.extend(successors[position])
        else:
            successors[position] = set()
            worth[position] = _WORTH[end]
    for position in TopologicalSorter(successors).static_order():
        if position not in worth:
            worth[position] = max(-worth[after] for after in successors[position])
    return {position: _VALUE[number] for position, number in worth.items()}


# --- part 1 ---------------------------------------------------------------------------------------


def _has_four(board):
    return any(len(chain) >= 4 for chain in board.get_all_chains())


def is_game_over_connectfour(board):
    return _has_four(board) or board.count_pieces() >= 42


def next_boards_connectfour(board):
    return [
        board.add_piece(col_number)
        for col_number in range(7)
        if not is_game_over_connectfour(board) and board.get_column_height(col_number) < 6
    ]


def endgame_score_connectfour(board, is_current_player_maximizer):
    """The player to move has lost, if anyone has: -1000 in that player's view."""
    colour = 1 if is_current_player_maximizer else -1
    return colour * -1000 * _has_four(board)


def endgame_score_connectfour_faster(board, is_current_player_maximizer):
    colour = 1 if is_current_player_maximizer else -1
    return colour * -(1042 - board.count_pieces()) * _has_four(board)


def heuristic_connectfour(board, is_current_player_maximizer):
    """Points for chains of three and of two, and for lone pieces."""

    def points(current):
        chains = [len(chain) for chain in board.get_all_chains(current_player=current)]
        return 30 * chains.count(3) + 5 * chains.count(2) + chains.count(1)

    difference = points(True) - points(False)
    colour = 1 if is_current_player_maximizer else -1
    return colour * max(-999, min(999, difference))


state_starting_connectfour = AbstractGameState(
    ConnectFourBoard(), is_game_over_connectfour, next_boards_connectfour, endgame_score_connectfour_faster
)
state_NEARLY_OVER = AbstractGameState(
    NEARLY_OVER, is_game_over_connectfour, next_boards_connectfour, endgame_score_connectfour_faster
)
state_UHOH = AbstractGameState(
    BOARD_UHOH, is_game_over_connectfour, next_boards_connectfour, endgame_score_connectfour_faster
)

# --- part 2 ---------------------------------------------------------------------------------------


def dfs_maximizing(state):
    """max() keeps the first of equals."""
    if state.is_game_over():
        return [state], state.get_endgame_score(), 1
    results = [dfs_maximizing(child) for child in state.generate_next_states()]
    path, score, _ = max(results, key=lambda result: result[1])
    return [state] + path, score, sum(evaluations for _, _, evaluations in results)


def minimax_endgame_search(state, maximize=True):
    return minimax_search(state, maximize=maximize)


def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    """A full negamax: no cut-off."""
    colour = 1 if maximize else -1
    value, path, evaluations = _negamax(state, colour, depth_limit, heuristic_fn)
    return path, colour * value, evaluations


def _negamax(state, colour, depth, heuristic_fn):
    """Return (value for the player to move, path, evaluations)."""
    if state.is_game_over():
        return colour * state.get_endgame_score(colour == 1), [state], 1
    if depth == 0:
        return colour * heuristic_fn(state.get_snapshot(), colour == 1), [state], 1
    best, line, evaluations = -INF, [], 0
    for child in state.generate_next_states():
        value, path, count = _negamax(child, -colour, depth - 1, heuristic_fn)
        evaluations += count
        if -value > best:
            best, line = -value, path
    return best, [state] + line, evaluations


def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    """The window is turned over along with the scores."""
    if maximize:
        value, path, evaluations = _negamax_window(state, 1, alpha, beta, depth_limit, heuristic_fn)
        return path, value, evaluations
    value, path, evaluations = _negamax_window(state, -1, -beta, -alpha, depth_limit, heuristic_fn)
    return path, -value, evaluations


def _negamax_window(state, colour, alpha, beta, depth, heuristic_fn):
    """Return (value for the player to move, path, evaluations); fail-soft."""
    if state.is_game_over():
        return colour * state.get_endgame_score(colour == 1), [state], 1
    if depth == 0:
        return colour * heuristic_fn(state.get_snapshot(), colour == 1), [state], 1
    best, line, evaluations = -INF, [], 0
    for child in state.generate_next_states():
        value, path, count = _negamax_window(child, -colour, -beta, -alpha, depth - 1, heuristic_fn)
        evaluations += count
        if -value > best:
            best, line = -value, path
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, [state] + line, evaluations


def progressive_deepening(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True, time_limit=INF):
    anytime_value = AnytimeValue()
    for depth in range(1, depth_limit + 1):
        anytime_value.set_value(minimax_search_alphabeta(state, -INF, INF, heuristic_fn, depth, maximize))
    return anytime_value


# --- part 4 ---------------------------------------------------------------------------------------


def _flipped(estimate):
    """The same estimate as the other player sees it."""
    if isinstance(estimate, Guess):
        return Guess(-estimate.score)
    return estimate if estimate.outcome is DRAW else Definitely(Winner(estimate.outcome.player.other))


class MinimaxPlayer(Player):
    """Inside, every estimate is in the view of the player to move: that player is always Maxie."""

    def __init__(self, game, depth, estimate=None):
        if depth <= 0:
            raise ValueError("too shallow")
        super().__init__(game)
        self.depth = depth
        self.estimator = estimate or game.estimate

    def next_move(self, state):
        return self.search(self.depth, state)[0]

    def search(self, depth, state):
        move, estimate = self._search(depth, state)
        return move, self._for_maxie(state, estimate)

    def evaluate(self, depth, state):
        return self._for_maxie(state, self._evaluate(depth, state))

    def _for_maxie(self, state, estimate):
        return estimate if self.game.player(state) is self.MAXIE else _flipped(estimate)

    def _search(self, depth, state):
        best_move, best = None, None
        for move in self.game.moves(state):
            estimate = _flipped(self._evaluate(depth - 1, self.game.make_move(state, move)))
            if best is None or best < estimate:
                best_move, best = move, estimate
        return best_move, best

    def _evaluate(self, depth, state):
        status = self.game.status(state)
        if isinstance(status, Over):
            return self._for_maxie(state, Definitely(status.outcome))
        if depth:
            return self._search(depth, state)[1]
        return self._for_maxie(state, self.estimator(state))


# --- part 3 ---------------------------------------------------------------------------------------

ANSWER_1 = "4"
ANSWER_2 = "1"
ANSWER_3 = "4"
ANSWER_4 = "5"

NAME = "Negamax"
COLLABORATORS = "My left hand"
HOW_MANY_HOURS_THIS_LAB_TOOK = "6.5"
WHAT_I_FOUND_INTERESTING = "One player is enough."
WHAT_I_FOUND_BORING = "Signs."
SUGGESTIONS = "More games."


def try_it():
    pretty_print_dfs_type(minimax_endgame_search(state_NEARLY_OVER))


if __name__ == "__main__":
    try_it()
