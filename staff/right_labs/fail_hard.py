"""A right lab with a fail-hard alpha-beta: no score that leaves a node lies outside its window, and
where none lies inside there is no path either.  It is unlike the model in that solve works
backwards from the finished positions and counts down the moves of those before them, that wins
are read off the rows of the board, and that minimax hands the path down instead of up.
"""

import time
from collections import defaultdict, deque

from api import (
    DRAW,
    INF,
    IN_PLAY,
    AbstractGameState,
    AnytimeValue,
    ConnectFourBoard,
    Definitely,
    Game,
    Guess,
    Player,
    Value,
    Winner,
    always_zero,
    pretty_print_dfs_type,
)
from boards import BOARD_UHOH, NEARLY_OVER

# --- part 0 ---------------------------------------------------------------------------------------


class ZeroBy(Game):
    """A move is a whole number: the removals that are small enough, and the rest if one is not."""

    def __init__(self, n, removals):
        self.n, self.removals = n, tuple(removals)

    def start(self):
        return self.n

    def get_moves(self, position):
        moves = {removal for removal in self.removals if removal <= position}
        if any(removal > position for removal in self.removals):
            moves.add(position)
        return moves

    def do_move(self, position, move):
        assert 0 < move <= position
        return position - move

    def terminal_value(self, position):
        return {0: Value.LOSE}.get(position)


def solve(game):
    """Retrograde: a position is settled by its first lost successor, or by the last of them."""
    values = {}
    before = defaultdict(list)
    moves_left = {}
    to_visit = deque([game.start()])
    known = {game.start()}
    settled = deque()
    while to_visit:
        position = to_visit.popleft()
        end = game.terminal_value(position)
        if end is not None:
            values[position] = end
            settled.append(position)
            continue
        moves_left[position] = 0
        for move in game.get_moves(position):
            after = game.do_move(position, move)
            moves_left[position] += 1
            before[after].append(position)
            if after not in known:
                known.add(after)
                to_visit.append(after)
    can_tie = set()
    while settled:
        after = settled.popleft()
        for position in before[after]:
            moves_left[position] -= 1
            if position in values:
                continue
            if values[after] is Value.TIE:
                can_tie.add(position)
            if values[after] is Value.LOSE:
                values[position] = Value.WIN
            elif moves_left[position] == 0:
                values[position] = Value.TIE if position in can_tie else Value.LOSE
            else:
                continue
            settled.append(position)
    return values


# --- part 1 ---------------------------------------------------------------------------------------


def _lines(board):
    """Every row, column and diagonal, as a list of pieces."""
    rows = board.board_array
    columns = [[row[col] for row in rows] for col in range(7)]
    rising = [[rows[row][total - row] for row in range(6) if 0 <= total - row < 7] for total in range(12)]
    falling = [[rows[row][row + shift] for row in range(6) if 0 <= row + shift < 7] for shift in range(-5, 7)]
    return rows + columns + rising + falling


def _winner(board):
    """The piece that has four in a row, or 0."""
    for line in _lines(board):
        length, last = 0, 0
        for piece in line:
            length = length + 1 if piece == last else 1
            last = piece
            if piece and length == 4:
                return piece
    return 0


def _piece_to_move(board):
    return 1 if board.count_pieces() % 2 == 0 else 2


def is_game_over_connectfour(board):
    return _winner(board) != 0 or 0 not in board.board_array[0]


def next_boards_connectfour(board):
    if is_game_over_connectfour(board):
        return []
    return [board.add_piece(col) for col, top in enumerate(board.board_array[0]) if top == 0]


def endgame_score_connectfour(board, is_current_player_maximizer):
    winner = _winner(board)
    if winner == 0:
        return 0
    maximizer = _piece_to_move(board)
    if not is_current_player_maximizer:
        maximizer = 3 - maximizer
    return 1000 if winner == maximizer else -1000


def endgame_score_connectfour_faster(board, is_current_player_maximizer):
    """One more for each empty square, away from 0."""
    empty = sum(row.count(0) for row in board.board_array)
    return endgame_score_connectfour(board, is_current_player_maximizer) * (1 + empty)


def heuristic_connectfour(board, is_current_player_maximizer):
    """Each four squares in a line that only one player has pieces on: the cube of their number."""
    own = _piece_to_move(board)
    points = 0
    for line in _lines(board):
        for i in range(len(line) - 3):
            window = line[i : i + 4]
            ones, twos = window.count(1), window.count(2)
            if twos == 0:
                points += ones**3
            elif ones == 0:
                points -= twos**3
    if own == 2:
        points = -points
    estimate = 1000 * points / (1000 + abs(points))
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


def dfs_maximizing(state):
    leaves = []

    def walk(state, path):
        if state.is_game_over():
            leaves.append((state.get_endgame_score(), path))
        for child in state.generate_next_states():
            walk(child, path + [child])

    walk(state, [state])
    highest = max(score for score, _ in leaves)
    for score, path in leaves:
        if score == highest:
            return path, score, len(leaves)


def minimax_endgame_search(state, maximize=True):
    evaluations = 0

    def value(path, maximize):
        nonlocal evaluations
        if path[-1].is_game_over():
            evaluations += 1
            return path, path[-1].get_endgame_score(maximize)
        found = [value([*path, child], not maximize) for child in path[-1].generate_next_states()]
        choose = max if maximize else min
        return choose(found, key=lambda pair: pair[1])

    path, score = value([state], maximize)
    return path, score, evaluations


def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    evaluations = 0

    def value(path, maximize):
        nonlocal evaluations
        here = path[-1]
        if here.is_game_over():
            evaluations += 1
            return path, here.get_endgame_score(maximize)
        if len(path) > depth_limit:
            evaluations += 1
            return path, heuristic_fn(here.get_snapshot(), maximize)
        found = [value([*path, child], not maximize) for child in here.generate_next_states()]
        choose = max if maximize else min
        return choose(found, key=lambda pair: pair[1])

    path, score = value([state], maximize)
    return path, score, evaluations


def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    """Fail-hard: the score is clamped to the window; a path is there only for a score inside."""
    if state.is_game_over():
        score = state.get_endgame_score(maximize)
        return [state], min(max(score, alpha), beta), 1
    if depth_limit == 0:
        score = heuristic_fn(state.get_snapshot(), maximize)
        return [state], min(max(score, alpha), beta), 1
    best, evaluations = None, 0
    for child in state.generate_next_states():
        path, score, count = minimax_search_alphabeta(child, alpha, beta, heuristic_fn, depth_limit - 1, not maximize)
        evaluations += count
        if maximize and score > alpha:
            alpha, best = score, path
        if not maximize and score < beta:
            beta, best = score, path
        if alpha >= beta:
            break
    bound = alpha if maximize else beta
    return None if best is None else [state] + best, bound, evaluations


class _Timeout(Exception):
    pass


def progressive_deepening(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True, time_limit=INF):
    """Without a depth limit, it ends with the first search that the limit has not stopped anywhere."""
    begin = time.monotonic()
    anytime_value = AnytimeValue()
    limit_met = True

    def guarded(snapshot, flag):
        nonlocal limit_met
        limit_met = True
        if time.monotonic() - begin > time_limit:
            raise _Timeout
        return heuristic_fn(snapshot, flag)

    depth = 1
    try:
        while depth <= depth_limit and (limit_met or depth_limit < INF):
            limit_met = False
            anytime_value.set_value(
                minimax_search_alphabeta(state=state, heuristic_fn=guarded, depth_limit=depth, maximize=maximize)
            )
            depth += 1
    except _Timeout:
        pass
    return anytime_value


# --- part 4 ---------------------------------------------------------------------------------------

WORST, BEST = Definitely(Winner(Player.MINNIE)), Definitely(Winner(Player.MAXIE))


class MinimaxPlayer(Player):
    """With alpha-beta below the root; a branch that cannot be strictly better is left."""

    def __init__(self, game, depth, estimate=None):
        if depth < 1:
            raise ValueError(f"depth {depth}")
        self.game = game
        self.depth = depth
        self._estimate = estimate

    def next_move(self, state):
        return self.search(self.depth, state)[0]

    def search(self, depth, state):
        return self._search(depth, state, None, None)

    def evaluate(self, depth, state):
        return self._evaluate(depth, state, None, None)

    def _search(self, depth, state, low, high):
        """low is what Maxie has already, high what Minnie has; None for nothing."""
        maxie = self.game.player(state) == Player.MAXIE
        best = None
        for move in self.game.moves(state):
            estimate = self._evaluate(depth - 1, self.game.make_move(state, move), low, high)
            if best is None or (best[1] < estimate if maxie else estimate < best[1]):
                best = (move, estimate)
            if maxie:
                low = best[1] if low is None or low < best[1] else low
            else:
                high = best[1] if high is None or best[1] < high else high
            if low is not None and high is not None and high <= low:
                break
        return best

    def _evaluate(self, depth, state, low, high):
        status = self.game.status(state)
        if status is not IN_PLAY:
            return {DRAW: Definitely(DRAW), Winner(Player.MAXIE): BEST, Winner(Player.MINNIE): WORST}[status.outcome]
        if depth > 0:
            return self._search(depth, state, low, high)[1]
        found = (self.game.estimate if self._estimate is None else self._estimate)(state)
        return Guess(found.score) if isinstance(found, Guess) else found


# --- part 3 ---------------------------------------------------------------------------------------

ANSWER_1 = "4"
ANSWER_2 = "1"
ANSWER_3 = "4"
ANSWER_4 = "5"

NAME = "Fail-hard"
COLLABORATORS = ""
HOW_MANY_HOURS_THIS_LAB_TOOK = 7.25
WHAT_I_FOUND_INTERESTING = "Working backwards."
WHAT_I_FOUND_BORING = "Clamping."
SUGGESTIONS = ""


def try_it():
    pretty_print_dfs_type(minimax_endgame_search(state_NEARLY_OVER))


if __name__ == "__main__":
    try_it()
