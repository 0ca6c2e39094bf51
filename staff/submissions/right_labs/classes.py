"""A right lab in classes.  Behind each search stands an object with its settings, its counter and
a method for each kind of node; a line of play is a linked list of dataclasses, turned into a tuple
of states at the end.  It is unlike the model in that nothing is returned but lines, that solve
drives coroutines which ask for the values they need, and that wins on a board are remembered in a
cache over all calls.  No state of the kit is subclassed.
"""

from dataclasses import dataclass, field
from functools import cache
from time import monotonic
from typing import Any

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


@dataclass(frozen=True)
class Removal:
    """A move: so many items, or whatever is left."""

    items: int

    def applied_to(self, left):
        return left - self.items if self.items < left else 0


class ZeroBy(Game):
    def __init__(self, n, removals):
        self.first = n
        self.moves = frozenset(Removal(items) for items in removals)

    def start(self):
        return self.first

    def get_moves(self, position):
        return self.moves

    def do_move(self, position, move):
        return move.applied_to(position)

    def terminal_value(self, position):
        return None if position else Value.LOSE


class Solver:
    """Each position is a coroutine: it yields the successors that it has to know, and the driver
    wakes it up when their values stand in the table."""

    def __init__(self, game):
        self.game = game
        self.table = {}

    def settle(self, position):
        value = self.game.terminal_value(position)
        if value is None:
            value = Value.LOSE
            for move in self.game.get_moves(position):
                after = self.game.do_move(position, move)
                if after not in self.table:
                    yield after
                if self.table[after] is Value.LOSE:
                    value = Value.WIN
                elif self.table[after] is Value.TIE and value is Value.LOSE:
                    value = Value.TIE
        self.table[position] = value

    def run(self):
        tasks = [self.settle(self.game.start())]
        while tasks:
            wanted = next(tasks[-1], self)
            if wanted is self:
                tasks.pop()
            else:
                tasks.append(self.settle(wanted))
        return self.table


def solve(game):
    return Solver(game).run()


# --- part 1 ---------------------------------------------------------------------------------------


@cache
def _is_won(board):
    """Boards never change, so the answer may be remembered."""
    return any(len(chain) >= 4 for chain in board.get_all_chains())


@dataclass
class BoardView:
    """A board in the eyes of whoever is the maximizer."""

    board: ConnectFourBoard
    maximizer_to_move: bool

    def end_score(self, size):
        if not _is_won(self.board):
            return 0
        return -size if self.maximizer_to_move else size

    def chain_points(self, current_player):
        return sum(len(chain) ** 3 for chain in self.board.get_all_chains(current_player))

    def estimate(self):
        maximizer = self.chain_points(self.maximizer_to_move)
        minimizer = self.chain_points(not self.maximizer_to_move)
        if maximizer == minimizer:
            return 0.0
        return 999.0 * (maximizer - minimizer) / (maximizer + minimizer)


def is_game_over_connectfour(board):
    return _is_won(board) or not any(not board.is_column_full(column) for column in range(7))


def next_boards_connectfour(board):
    if is_game_over_connectfour(board):
        return ()
    open_columns = filter(lambda column: not board.is_column_full(column), range(board.num_cols))
    return tuple(map(board.add_piece, open_columns))


def endgame_score_connectfour(board, is_current_player_maximizer):
    return BoardView(board, is_current_player_maximizer).end_score(1000)


def endgame_score_connectfour_faster(board, is_current_player_maximizer):
    return BoardView(board, is_current_player_maximizer).end_score(2000.0 - board.count_pieces())


def heuristic_connectfour(board, is_current_player_maximizer):
    return BoardView(board, is_current_player_maximizer).estimate()


def _state(board):
    return AbstractGameState(
        snapshot=board,
        is_game_over_fn=is_game_over_connectfour,
        generate_next_states_fn=next_boards_connectfour,
        endgame_score_fn=endgame_score_connectfour_faster,
    )


state_starting_connectfour = _state(ConnectFourBoard())
state_NEARLY_OVER = _state(NEARLY_OVER)
state_UHOH = _state(BOARD_UHOH)

# --- part 2 ---------------------------------------------------------------------------------------


@dataclass
class Line:
    """A line of play: a state, the rest of the line, and the score of its leaf."""

    state: Any
    score: float
    rest: Any = None

    def after(self, state):
        return Line(state, self.score, self)

    def states(self):
        found, line = [], self
        while line is not None:
            found.append(line.state)
            line = line.rest
        return tuple(found)


@dataclass
class Window:
    """The scores of which the two players are sure."""

    alpha: float = -INF
    beta: float = INF

    def copy(self):
        return Window(self.alpha, self.beta)

    def tighten(self, score, maximize):
        if maximize:
            self.alpha = max(self.alpha, score)
        else:
            self.beta = min(self.beta, score)

    @property
    def empty(self):
        return self.alpha >= self.beta


@dataclass
class Cooperation:
    """Both players want the highest score."""

    evaluations: int = 0

    def best(self, state):
        if state.is_game_over():
            self.evaluations += 1
            return Line(state, state.get_endgame_score())
        best = None
        for child in state.generate_next_states():
            line = self.best(child)
            if best is None or line.score > best.score:
                best = line
        return best.after(state)

    def run(self, state):
        line = self.best(state)
        return line.states(), line.score, self.evaluations


@dataclass
class Minimax:
    """Two players against each other, down to a limit; with a window, alpha-beta."""

    heuristic_fn: Any = always_zero
    depth_limit: float = INF
    prunes: bool = False
    evaluations: int = 0
    limit_was_met: bool = field(default=False, init=False)

    def best(self, state, depth, maximize, window):
        if state.is_game_over():
            return self.finished(state, maximize)
        if depth >= self.depth_limit:
            return self.estimated(state, maximize)
        return self.inner(state, depth, maximize, window)

    def finished(self, state, maximize):
        self.evaluations += 1
        return Line(state, state.get_endgame_score(maximize))

    def estimated(self, state, maximize):
        self.evaluations += 1
        self.limit_was_met = True
        return Line(state, self.heuristic_fn(state.get_snapshot(), maximize))

    def inner(self, state, depth, maximize, window):
        best = None
        for child in state.generate_next_states():
            line = self.best(child, depth + 1, not maximize, window.copy())
            if best is None or self.prefers(line, best, maximize):
                best = line
            window.tighten(best.score, maximize)
            if self.prunes and window.empty:
                break
        return best.after(state)

    def prefers(self, line, best, maximize):
        return line.score > best.score if maximize else line.score < best.score

    def run(self, state, maximize, window=None):
        line = self.best(state, 0, maximize, window or Window())
        return line.states(), line.score, self.evaluations


def dfs_maximizing(state):
    return Cooperation().run(state)


def minimax_endgame_search(state, maximize=True):
    return Minimax().run(state, maximize)


def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    return Minimax(heuristic_fn, depth_limit).run(state, maximize)


def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    return Minimax(heuristic_fn, depth_limit, prunes=True).run(state, maximize, Window(alpha, beta))


def progressive_deepening(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True, time_limit=INF):
    deadline = monotonic() + time_limit
    anytime_value = AnytimeValue()
    depth = 0
    while depth < depth_limit and monotonic() < deadline:
        depth += 1
        search = Minimax(heuristic_fn, depth, prunes=True)
        anytime_value.set_value(search.run(state, maximize))
        if depth_limit == INF and not search.limit_was_met:
            break
    return anytime_value


# --- part 4 ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Edge:
    """A move, and the estimate of the state that it leads to."""

    move: Any
    estimate: Any

    def better_for(self, side, other):
        return self.estimate > other.estimate if side is Player.MAXIE else self.estimate < other.estimate


class MinimaxPlayer(Player):
    """The tree is built first, level by level in memory, and read afterwards."""

    def __init__(self, game, depth, estimate=None):
        super().__init__(game=game)
        if not depth >= 1:
            raise ValueError("depth")
        self._settings = {"depth": depth, "estimator": estimate or game.estimate}

    def next_move(self, state):
        return self._best_edge(self._settings["depth"], state).move

    def search(self, depth, state):
        best = self._best_edge(depth, state)
        return best.move, best.estimate

    def evaluate(self, depth, state):
        match self.game.status(state):
            case Over(outcome):
                return Definitely(outcome)
        return self._best_edge(depth, state).estimate if depth else self._settings["estimator"](state)

    def _best_edge(self, depth, state):
        best = None
        for move in self.game.moves(state):
            edge = Edge(move, self.evaluate(depth - 1, self.game.make_move(state, move)))
            if best is None or edge.better_for(self.game.player(state), best):
                best = edge
        return best


# --- part 3 ---------------------------------------------------------------------------------------

ANSWER_1, ANSWER_2, ANSWER_3, ANSWER_4 = "4", "1", "4", "5"

NAME = "Classes"
COLLABORATORS = ""
HOW_MANY_HOURS_THIS_LAB_TOOK = 12
WHAT_I_FOUND_INTERESTING = "Lines of play are objects."
WHAT_I_FOUND_BORING = "Functions."
SUGGESTIONS = None


def try_it():
    pretty_print_dfs_type(minimax_endgame_search(state_NEARLY_OVER))


if __name__ == "__main__":
    try_it()
