"""A right lab that never stops talking and takes its time.  It prints when it is imported and in
every function, to both streams; it asks the same thing several times, copies states (the root of
a search even deeply), gives its results as named tuples with lists, tuples and generators turned
into lists inside, and passes the flag by keyword.  It is unlike the model in that wins are found
square by square with get_piece, that solve asks for the moves of a position again and again, and
that some answers to the questions are numbers.
"""

import copy
import sys
from collections import namedtuple
from itertools import count

from api import (
    INF,
    IN_PLAY,
    AbstractGameState,
    AnytimeValue,
    ConnectFourBoard,
    Definitely,
    Game,
    Over,
    Player,
    Value,
    always_zero,
    is_class_instance,
    pretty_print_dfs_type,
)
from boards import BOARD_UHOH, NEARLY_OVER

print("Hello! This is my lab.")
print("And this is my lab on stderr.", file=sys.stderr)
print('{"score": 0}')  # looks like an answer of a program, and is none
print(NEARLY_OVER)

Result = namedtuple("Result", "path score evaluations")

# --- part 0 ---------------------------------------------------------------------------------------


class ZeroBy(Game):
    def __init__(self, n, removals):
        print("a game of zero-by:", n, removals)
        self.n = n
        self.removals = removals

    def start(self):
        print("start?", self.n)
        return self.n

    def get_moves(self, position):
        print("moves?", position)
        moves = []
        for removal in self.removals:
            moves.append(removal if removal <= position else position)
        return moves  # repeats and all

    def do_move(self, position, move):
        for _ in range(3):
            result = position - move
        return result

    def terminal_value(self, position):
        return (lambda left: Value.LOSE if left == 0 else None)(position)


def solve(game):
    """Look at the top of the stack until all its successors are known."""
    print("solving", game, file=sys.stderr)
    values = {}
    stack = [game.start()]
    while stack:
        position = stack[-1]
        if game.terminal_value(position) is not None:
            values[position] = game.terminal_value(position)
            stack.pop()
            continue
        successors = [game.do_move(position, move) for move in list(game.get_moves(position))]
        unknown = [successor for successor in successors if successor not in values]
        if unknown:
            stack += unknown
            continue
        named = [values[successor].name for successor in successors]
        values[position] = Value["WIN" if "LOSE" in named else "TIE" if "TIE" in named else "LOSE"]
        print("settled", position)
        stack.pop()
    print("solved:", len(values), "positions", file=sys.stderr)
    return values


# --- part 1 ---------------------------------------------------------------------------------------


def _piece(board, col, row):
    """The piece, or 0 off the board."""
    try:
        return board.get_piece(col, row)
    except IndexError:
        return 0


def _run(board, col, row, right, down):
    """How many equal pieces follow one another from a square in one direction."""
    piece = _piece(board, col, row)
    for length in count(1):
        if _piece(board, col + length * right, row + length * down) != piece:
            return length


def _four_in_a_row(board):
    """The piece that has four in a row, or None."""
    for col in range(7):
        for row in range(6):
            if board.get_piece(col, row) != 0:
                for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    if _run(board, col, row, right, down) >= 4:
                        return board.get_piece(col, row)
    return None


def is_game_over_connectfour(board):
    print("over?")
    full = all(board.get_piece(col, row) != 0 for col in range(7) for row in range(6))
    return full or _four_in_a_row(board) is not None


def next_boards_connectfour(board):
    print("next?", board, sep="\n")
    if is_game_over_connectfour(board) or is_game_over_connectfour(board.copy()):
        return ()
    return tuple(board.copy().add_piece(col) for col in range(7) if board.get_piece(col=col, row=0) == 0)


def endgame_score_connectfour(board, is_current_player_maximizer):
    print("end score for", board.get_current_player_name(), file=sys.stderr)
    winner = _four_in_a_row(board)
    if winner is None:
        return 0.0
    current_player_won = board.get_player_name(winner) == board.get_current_player_name()
    return 1000.0 if current_player_won == is_current_player_maximizer else -1000.0


def endgame_score_connectfour_faster(board, is_current_player_maximizer):
    print("faster!")
    empty_squares = sum(board.get_piece(col, row) == 0 for col in range(7) for row in range(6))
    return endgame_score_connectfour(board, is_current_player_maximizer) * 1.5**empty_squares


def heuristic_connectfour(board, is_current_player_maximizer):
    """Runs of two and three, counted from each of their squares, and single pieces a little."""
    print("a guess for")
    print(board)
    points = {1: 0, 2: 0}
    for col in range(7):
        for row in range(6):
            piece = board.get_piece(col, row)
            if piece:
                points[piece] += 1
                for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    points[piece] += (0, 4, 20, 20)[min(_run(board, col, row, right, down), 4) - 1]
    to_move = 1 if board.count_pieces() % 2 == 0 else 2
    difference = points[to_move] - points[3 - to_move]
    estimate = 999 * difference / (1 + points[1] + points[2])
    return estimate if is_current_player_maximizer else -estimate


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


def _score(state, flag):
    """Ask twice to be sure; that is still one static evaluation."""
    first = state.get_endgame_score(is_current_player_maximizer=flag)
    second = state.copy().get_endgame_score(is_current_player_maximizer=flag)
    assert first == second
    print("scored", first, file=sys.stderr)
    return first


def _children(state):
    """Return the children of a state, after asking for them once just to count them."""
    print(len(state.generate_next_states()), "children")
    return tuple(child.copy() for child in state.generate_next_states())


def _finished(state):
    return state.is_game_over() and state.is_game_over() and state.copy().is_game_over()


def _as_list(path):
    """A path is kept as nested pairs (state, rest)."""

    def states(pair):
        while pair:
            yield pair[0]
            pair = pair[1]

    return list(states(path))


def dfs_maximizing(state):
    print("dfs from", state)
    state = copy.deepcopy(state)

    def best(state):
        if _finished(state):
            return (state, None), _score(state, True), 1
        found = tuple(best(child) for child in _children(state))
        winner = found[0]
        for other in found[1:]:
            if other[1] > winner[1]:
                winner = other
        return (state, winner[0]), winner[1], sum(result[2] for result in found)

    path, score, evaluations = best(state)
    return Result(_as_list(path), score, evaluations)


def minimax_endgame_search(state, maximize=True):
    print("minimax to the end from", state)
    return minimax_search(copy.deepcopy(state), always_zero, INF, maximize)


def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    print("minimax from", state, "to depth", depth_limit, file=sys.stderr)

    def value(state, depth, flag):
        if _finished(state):
            return (state, None), _score(state, flag), 1
        if depth >= depth_limit:
            guess = heuristic_fn(state.get_snapshot(), maximize=flag)
            print("guessed", guess)
            return (state, None), heuristic_fn(state.snapshot, maximize=flag), 1
        found = [value(child, depth + 1, not flag) for child in _children(state)]
        wanted = max(result[1] for result in found) if flag else min(result[1] for result in found)
        chosen = next(result for result in found if result[1] == wanted)
        return (state, chosen[0]), wanted, sum(result[2] for result in found)

    path, score, evaluations = value(copy.deepcopy(state), 0, maximize)
    return Result(_as_list(path), score, evaluations)


def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    print("alpha-beta from", state, "with", alpha, beta)

    def value(state, alpha, beta, depth, flag):
        print(" " * depth, "alpha", alpha, "beta", beta)
        if _finished(state):
            return (state, None), _score(state, flag), 1
        if depth >= depth_limit:
            return (state, None), heuristic_fn(state.get_snapshot(), maximize=flag), 1
        results = []
        for child in _children(state):
            results.append(value(child, alpha, beta, depth + 1, not flag))
            scores = [score for _, score, _ in results]
            if flag:
                alpha = max([alpha] + scores)
            else:
                beta = min([beta] + scores)
            if not alpha < beta:
                print("cut!")
                break
        place = scores.index(max(scores) if flag else min(scores))
        return (state, results[place][0]), scores[place], sum(result[2] for result in results)

    path, score, evaluations = value(copy.deepcopy(state), alpha, beta, 0, maximize)
    return Result(_as_list(path), score, evaluations)


def progressive_deepening(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True, time_limit=INF):
    anytime_value = AnytimeValue()
    assert is_class_instance(anytime_value, "AnytimeValue")
    for depth in count(1):
        if depth > depth_limit:
            return anytime_value
        print("deeper!", depth)
        result = minimax_search_alphabeta(state, heuristic_fn=heuristic_fn, depth_limit=depth, maximize=maximize)
        pretty_print_dfs_type(result)
        anytime_value.set_value(list(result))


# --- part 4 ---------------------------------------------------------------------------------------

Choice = namedtuple("Choice", "move estimate")


class MinimaxPlayer(Player):
    """Remembers every state and depth in a dict, and says so; asks for the moves again and again."""

    def __init__(self, game, depth, estimate=None):
        print("a new player of", game, "for", depth)
        if depth < 1:
            print("but not like that", file=sys.stderr)
            raise ValueError(depth)
        super().__init__(game)
        self.seen, self.depth, self.guess = {}, depth, estimate

    def next_move(self, state):
        print(self.game.state_to_string(state))
        return self.search(depth=self.depth, state=state).move

    def search(self, depth, state):
        best = 0
        for index in range(len(self.game.moves(state))):
            sign = 1 if self.game.player(state) is Player.MAXIE else -1
            old, new = self._after(depth, state, best), self._after(depth, state, index)
            if (old < new) if sign > 0 else (old > new):
                best = index
        print("best:", self.game.move_to_string(self.game.moves(state)[best]))
        return Choice(copy.deepcopy(self.game.moves(state)[best]), self._after(depth, state, best))

    def _after(self, depth, state, index):
        return self.evaluate(depth - 1, self.game.make_move(state, self.game.moves(state)[index]))

    def evaluate(self, depth, state):
        if (depth, state) not in self.seen:
            if self.game.status(state) is not IN_PLAY and isinstance(self.game.status(state), Over):
                self.seen[depth, state] = Definitely(self.game.status(state).outcome)
            elif depth > 0:
                self.seen[depth, state] = self.search(depth, state).estimate
            else:
                self.seen[depth, state] = (self.guess or self.game.estimate)(state)
        return self.seen[depth, state]


# --- part 3 ---------------------------------------------------------------------------------------

ANSWER_1 = 4
ANSWER_2 = "1"
ANSWER_3 = 4
ANSWER_4 = 5

NAME = "Noisy"
COLLABORATORS = "Everybody who could hear me"
HOW_MANY_HOURS_THIS_LAB_TOOK = 40
WHAT_I_FOUND_INTERESTING = "print"
WHAT_I_FOUND_BORING = "Silence."
SUGGESTIONS = "LOUDER"


def try_it():
    pretty_print_dfs_type(minimax_endgame_search(state_NEARLY_OVER))


if __name__ == "__main__":
    try_it()

print("Goodbye!")
