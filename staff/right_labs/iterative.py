"""A right lab without any recursion.  It is unlike the model in that every search keeps its own
list of open nodes: dfs_maximizing walks a stack of whole paths, minimax writes the tree into one
list and scores it from the back to the front, alpha-beta keeps a stack of frames.  A move of
ZeroBy is a removal as it stands in S, and do_move sees to it that nothing falls below zero.
"""

import math
import time

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
    """The smallest removals first; the first one that takes everything is the last move listed."""

    def __init__(self, n, removals):
        self.n = n
        self.removals = removals

    def start(self):
        return self.n

    def get_moves(self, position):
        moves = []
        for removal in sorted(set(self.removals)):
            moves.append(removal)
            if removal >= position:
                break
        return moves

    def do_move(self, position, move):
        return max(position - move, 0)

    def terminal_value(self, position):
        if position > 0:
            return None
        return Value.LOSE


def solve(game):
    """Depth first; the stack holds the positions on the way down, each with its moves left."""
    start = game.start()
    values = {}
    if game.terminal_value(start) is not None:
        return {start: game.terminal_value(start)}
    stack = [(start, iter(game.get_moves(start)))]
    while stack:
        position, moves = stack[-1]
        for move in moves:
            after = game.do_move(position, move)
            if after in values:
                continue
            end = game.terminal_value(after)
            if end is None:
                stack.append((after, iter(game.get_moves(after))))
                break
            values[after] = end
        else:
            stack.pop()
            results = [values[game.do_move(position, move)] for move in game.get_moves(position)]
            if Value.LOSE in results:
                values[position] = Value.WIN
            elif Value.TIE in results:
                values[position] = Value.TIE
            else:
                values[position] = Value.LOSE
    return values


# --- part 1 ---------------------------------------------------------------------------------------


def _longest(board, current_player=None):
    """The length of the longest chain, 0 without one."""
    return max((len(chain) for chain in board.get_all_chains(current_player)), default=0)


def is_game_over_connectfour(board):
    if _longest(board) > 3:
        return True
    return all(board.is_column_full(column) for column in range(board.num_cols))


def next_boards_connectfour(board):
    boards = []
    if not is_game_over_connectfour(board):
        for column in range(board.num_cols):
            try:
                boards.append(board.add_piece(column))
            except IndexError:  # a full column
                pass
    return boards


def endgame_score_connectfour(board, is_current_player_maximizer):
    if _longest(board, current_player=False) >= 4:
        return -1000 if is_current_player_maximizer else 1000
    return 0


def endgame_score_connectfour_faster(board, is_current_player_maximizer):
    if _longest(board, current_player=False) >= 4:
        size = 1000 + 10 * (42 - board.count_pieces())
        return -size if is_current_player_maximizer else size
    return 0


def heuristic_connectfour(board, is_current_player_maximizer):
    """A chain weighs five times as much as one that is a piece shorter."""
    weight = 0
    for chain in board.get_all_chains(True):
        weight += 5 ** (len(chain) - 1)
    for chain in board.get_all_chains(False):
        weight -= 5 ** (len(chain) - 1)
    estimate = 999 * math.tanh(weight / 100)
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
    """A stack of paths, the leftmost on top: leaves come up from left to right."""
    paths = [[state]]
    best_path, best_score, evaluations = None, -INF, 0
    while paths:
        path = paths.pop()
        if path[-1].is_game_over():
            score = path[-1].get_endgame_score()
            evaluations += 1
            if score > best_score:
                best_path, best_score = path, score
        else:
            for child in reversed(path[-1].generate_next_states()):
                paths.append(path + [child])
    return best_path, best_score, evaluations


def minimax_endgame_search(state, maximize=True):
    return minimax_search(state, always_zero, INF, maximize)


class _Node:
    """A node of the written-out tree."""

    def __init__(self, state, parent, depth, maximize):
        self.state = state
        self.parent = parent
        self.depth = depth
        self.maximize = maximize
        self.score = None
        self.choice = None


def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    """Write out the tree ply by ply, then back up the scores from its end.  Later siblings come
    first on the way back, so an equal score of an earlier one takes over."""
    evaluations = 0
    nodes = [_Node(state, None, 0, maximize)]
    for node in nodes:  # the list grows while it is walked
        if node.state.is_game_over():
            node.score = node.state.get_endgame_score(node.maximize)
            evaluations += 1
        elif node.depth >= depth_limit:
            node.score = heuristic_fn(node.state.get_snapshot(), node.maximize)
            evaluations += 1
        else:
            for child in node.state.generate_next_states():
                nodes.append(_Node(child, node, node.depth + 1, not node.maximize))
    for node in reversed(nodes[1:]):
        above = node.parent
        if (
            above.choice is None
            or (above.maximize and node.score >= above.score)
            or (not above.maximize and node.score <= above.score)
        ):
            above.choice, above.score = node, node.score
    path = []
    node = nodes[0]
    while node is not None:
        path.append(node.state)
        node = node.choice
    return path, nodes[0].score, evaluations


class _Frame:
    """A node on the stack of alpha-beta."""

    def __init__(self, state, alpha, beta, depth, maximize):
        self.state = state
        self.alpha = alpha
        self.beta = beta
        self.depth = depth
        self.maximize = maximize
        self.path = [state]
        self.score = None
        self.children = None


def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    evaluations = 0
    stack = [_Frame(state, alpha, beta, depth_limit, maximize)]
    while True:
        frame = stack[-1]
        if frame.children is None:  # just arrived
            if frame.state.is_game_over():
                frame.score = frame.state.get_endgame_score(frame.maximize)
                evaluations += 1
                frame.children = iter(())
            elif frame.depth == 0:
                frame.score = heuristic_fn(frame.state.get_snapshot(), frame.maximize)
                evaluations += 1
                frame.children = iter(())
            else:
                frame.children = iter(frame.state.generate_next_states())
        child = next(frame.children, None)
        if child is not None:
            stack.append(_Frame(child, frame.alpha, frame.beta, frame.depth - 1, not frame.maximize))
            continue
        stack.pop()
        if not stack:
            return frame.path, frame.score, evaluations
        above = stack[-1]
        if above.maximize:
            if above.score is None or frame.score > above.score:
                above.score, above.path = frame.score, [above.state] + frame.path
            above.alpha = max(above.alpha, above.score)
        else:
            if above.score is None or frame.score < above.score:
                above.score, above.path = frame.score, [above.state] + frame.path
            above.beta = min(above.beta, above.score)
        if above.alpha >= above.beta:
            above.children = iter(())


def progressive_deepening(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True, time_limit=INF):
    """The clock is looked at between two searches."""
    begin = time.monotonic()
    anytime_value = AnytimeValue()
    depth = 1
    while depth <= depth_limit and time.monotonic() - begin <= time_limit:
        asked = []

        def listening(snapshot, flag):
            asked.append(snapshot)
            return heuristic_fn(snapshot, flag)

        anytime_value.set_value(
            minimax_search_alphabeta(state, heuristic_fn=listening, depth_limit=depth, maximize=maximize)
        )
        if depth_limit == INF and not asked:
            break
        depth += 1
    return anytime_value


# --- part 4 ---------------------------------------------------------------------------------------


class MinimaxPlayer(Player):
    """The whole tree in one list, parents first; the values go up from the back to the front."""

    def __init__(self, game, depth, estimate=None):
        if depth < 1:
            raise ValueError("a player sees at least one move ahead")
        Player.__init__(self, game)
        self.depth = depth
        self.own_estimate = estimate

    def next_move(self, state):
        move, _ = self.search(self.depth, state)
        return move

    def search(self, depth, state):
        nodes = self._nodes(depth, state)
        return [nodes[0]["move"], nodes[0]["value"]]

    def evaluate(self, depth, state):
        return self._nodes(depth, state)[0]["value"]

    def _nodes(self, depth, state):
        estimate = self.own_estimate or self.game.estimate
        nodes = [{"state": state, "depth": depth, "up": None, "by": None, "value": None, "move": None}]
        for index, node in enumerate(nodes):  # grows while it is walked
            status = self.game.status(node["state"])
            if status != IN_PLAY:
                node["value"] = Definitely(status.outcome)
            elif node["depth"] == 0:
                node["value"] = estimate(node["state"])
            else:
                for move in self.game.moves(node["state"]):
                    after = self.game.make_move(node["state"], move)
                    below = {"state": after, "depth": node["depth"] - 1, "up": index, "by": move}
                    nodes.append({**below, "value": None, "move": None})
        for node in reversed(nodes):
            if node["up"] is None:
                continue
            above = nodes[node["up"]]
            maxie = self.game.player(above["state"]) is Player.MAXIE
            # From the back, so that an earlier move also wins where it is only as good.
            if above["value"] is None or (above["value"] <= node["value"] if maxie else node["value"] <= above["value"]):
                above["value"], above["move"] = node["value"], node["by"]
        return nodes


# --- part 3 ---------------------------------------------------------------------------------------

ANSWER_1 = "4"
ANSWER_2 = "1"
ANSWER_3 = "4"
ANSWER_4 = "5"

NAME = "Iterative"
COLLABORATORS = ""
HOW_MANY_HOURS_THIS_LAB_TOOK = 9
WHAT_I_FOUND_INTERESTING = "A stack of frames is a recursion that one can look at."
WHAT_I_FOUND_BORING = "Nothing."
SUGGESTIONS = None


def try_it():
    pretty_print_dfs_type(minimax_endgame_search(state_NEARLY_OVER))


if __name__ == "__main__":
    try_it()
