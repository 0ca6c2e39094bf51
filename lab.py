"""Games and adversarial search: your file.

Fill in the functions below, part by part; everything else is given.  `make test` tells you what is
right, what is wrong and why.  `.venv/bin/python lab.py` runs the lines in `try_it()`.  A survey is at
the end.

Only this file is handed in.  It may import the standard library, api, boards and yaml.
"""

# BEGIN SOLUTION
import time
from contextlib import suppress

# END SOLUTION
from api import (
    DRAW, IN_PLAY, INF, AbstractGameState, AnytimeValue, ConnectFourBoard, Definitely, Game, Guess, Nim, Over, Player,
    Value, VeryDumbNim, Winner, always_zero, pretty_print_dfs_type, tree_estimate, tree_state,
)  # fmt: skip
from boards import BOARD_UHOH, NEARLY_OVER, TWO_BY_TWO

# BEGIN PART 0
# ================================================================================================
# Part 0: strong solutions
#
# The value of a position is the best result that the player whose turn it is can force.  A strong
# solution of a game is a table of the values of all its positions.
# ================================================================================================


class ZeroBy(Game):
    """Two players take turns with a heap of items; the player who takes the last item wins.

    `removals` says how many items a move may take: a tuple of positive whole numbers, in any order.
    A number may occur twice.

    ZeroBy(10, (1, 2)) begins with 10 items, and a move takes 1 or 2 of them.  A position is the
    number of items left, a whole number.

    A player whose removal is larger than what is left may take everything that is left: with 2
    items left and removals (1, 3, 4), a move leaves 1 item or none.
    """

    def __init__(self, n, removals):
        self.n = n
        self.removals = removals

    def start(self):
        """The number of items at the beginning."""
        # BEGIN SOLUTION
        return self.n
        # END SOLUTION

    def get_moves(self, position):
        """The moves from a position in which the game is not over, in a form of your choice."""
        # BEGIN SOLUTION
        return {min(removal, position) for removal in self.removals}
        # END SOLUTION

    def do_move(self, position, move):
        """The number of items left after one of your moves."""
        # BEGIN SOLUTION
        return position - move
        # END SOLUTION

    def terminal_value(self, position):
        """What a finished game is worth to the player whose turn it would be; None in play."""
        # BEGIN SOLUTION
        return Value.LOSE if position == 0 else None
        # END SOLUTION


def solve(game):
    """The strong solution of a game: a dict from every position that can be reached from the
    start to its Value (WIN, TIE or LOSE, for the player whose turn it is).

    The game is finite and has no cycles.  It may have a hundred thousand positions, one below the
    other; Python gives up on a recursion long before that.
    """
    # BEGIN SOLUTION
    values = {}
    successors = {}
    unsettled = [game.start()]
    while unsettled:
        position = unsettled[-1]
        if position in values:
            unsettled.pop()
        elif position in successors:
            values[position] = _best_for_mover([values[after] for after in successors.pop(position)])
            unsettled.pop()
        elif (value := game.terminal_value(position)) is not None:
            values[position] = value
            unsettled.pop()
        else:
            after = [game.do_move(position, move) for move in game.get_moves(position)]
            successors[position] = after
            unsettled += after
    return values
    # END SOLUTION


# BEGIN SOLUTION
_WIN, _TIE, _LOSE = Value  # a name of its own is found sooner


def _best_for_mover(values_after):
    """What a position is worth, from what its successors are worth to the other player."""
    if _LOSE in values_after:
        return _WIN
    return _TIE if _TIE in values_after else _LOSE


# END SOLUTION
# END PART 0
# BEGIN PART 1
# ================================================================================================
# Part 1: Connect Four
#
# Here you teach a search what Connect Four is: when a game is over, which boards come next, and
# what a board is worth.  These methods of a board (api/board.py) help:
#
#     board.get_all_chains()            its chains, a list each; True gives those of the player to
#                                       move, False the other player's
#     board.count_pieces()              how many pieces lie on it; True and False as above
#     board.is_column_full(col_number)  is there no room?  Columns are 0 to board.num_cols - 1
#     board.add_piece(col_number)       a new board, with a piece of the player to move
#
# Every score is in the maximizer's view: above 0 is good for the maximizer.
# ================================================================================================


def is_game_over_connectfour(board):
    """True if there is a chain of four or more, or if the board is full; else False."""
    # BEGIN SOLUTION
    for chain in board.get_all_chains():
        if len(chain) >= 4:
            return True
    return board.count_pieces() == board.num_rows * board.num_cols
    # END SOLUTION


def next_boards_connectfour(board):
    """The boards that one move of the current player can lead to, columns in increasing order.

    Each board keeps the names of the players, as one from add_piece does.  Nobody can move in a full
    column, nor in a finished game: then return an empty list.
    """
    # BEGIN SOLUTION
    if is_game_over_connectfour(board):
        return []
    return [board.add_piece(column) for column in range(board.num_cols) if not board.is_column_full(column)]
    # END SOLUTION


def endgame_score_connectfour(board, is_current_player_maximizer):
    """The score of a finished game: 1000 if the maximizer has won, -1000 if the minimizer has,
    0 for a tie.

    Mind whose turn it is: the player who is *not* to move now made the last move.
    """
    # BEGIN SOLUTION
    if not any(len(chain) >= 4 for chain in board.get_all_chains()):
        return 0
    return -1000 if is_current_player_maximizer else 1000
    # END SOLUTION


def endgame_score_connectfour_faster(board, is_current_player_maximizer):
    """Like endgame_score_connectfour, but a player's win is worth more the sooner it comes.

    A won game scores 1000 or more, or -1000 or less; a tie scores strictly in between.
    """
    # BEGIN SOLUTION
    score = endgame_score_connectfour(board, is_current_player_maximizer)
    squares_left = board.num_rows * board.num_cols - board.count_pieces()
    return score + squares_left if score > 0 else score - squares_left if score < 0 else 0
    # END SOLUTION


def heuristic_connectfour(board, is_current_player_maximizer):
    """An estimate of how good an unfinished game looks for the maximizer.

    The estimate lies strictly between -1000 and 1000.  The same board, with the other player as
    the maximizer, has the opposite estimate.  The number and the length of the chains of both
    players tell a lot about a board.
    """
    # BEGIN SOLUTION
    own = sum(_CHAIN_WORTH[len(chain)] for chain in board.get_all_chains(current_player=True))
    rival = sum(_CHAIN_WORTH[len(chain)] for chain in board.get_all_chains(current_player=False))
    estimate = 900 * (own - rival) / (own + rival + 10)
    return estimate if is_current_player_maximizer else -estimate
    # END SOLUTION


# BEGIN SOLUTION
_CHAIN_WORTH = {1: 1, 2: 4, 3: 20}


# END SOLUTION
def connect_four_state(board):
    """A Connect Four board as a state for a search, by your functions above."""
    return AbstractGameState(
        snapshot=board,
        is_game_over_fn=is_game_over_connectfour,
        generate_next_states_fn=next_boards_connectfour,
        endgame_score_fn=endgame_score_connectfour_faster,
    )


state_starting_connectfour = connect_four_state(ConnectFourBoard())
state_NEARLY_OVER = connect_four_state(NEARLY_OVER)  # little is left to play
state_UHOH = connect_four_state(BOARD_UHOH)  # a short look does not see what is coming

# END PART 1
# BEGIN PART 2
# ================================================================================================
# Part 2: searches
#
# Each search returns a tuple (path, score, evaluations):
#
#     path         the states from the given one to the one that was scored, both included
#     score        the score of that last state, in the maximizer's view
#     evaluations  the number of static evaluations: one for each state that you score, by
#                  get_endgame_score or by the heuristic; recursing into children counts nothing
#
# Of equally good branches the earlier one wins.  A state (api/state.py) has these methods:
#
#     state.is_game_over()           is it a leaf?
#     state.get_endgame_score(flag)  the score of a leaf
#     state.generate_next_states()   the states after one move, in order
#     state.get_snapshot()           the position, which heuristics judge
#
# The flag `maximize` says whether the player to move is the maximizer.  It has a second name,
# `is_current_player_maximizer`.
#
# The examples search the small tree below.  `.venv/bin/python -m doctest lab.py` runs them,
# and prints those that fail.
#
#     MAX root ~ 4           the number after ~ is what tree_estimate says about an inner node
#      |- MIN A ~ 1
#      |   |- 3
#      |   `- 5
#      `- MIN B ~ 8
#          |- 2
#          `- 9
# ================================================================================================


def dfs_maximizing(state):
    """Both players work together for the highest score: search every path to its end, and return
    the best as (path, score, evaluations).

    Score every leaf by state.get_endgame_score() with its default argument.

    >>> pretty_print_dfs_type(dfs_maximizing(tree_state(TWO_BY_TWO)))
    Moves:
      1. Went to B.
      2. Went to 9.
    Leads to:
      9
    Score: 9
    Static evaluations: 4
    """
    # BEGIN SOLUTION
    if state.is_game_over():
        return [state], state.get_endgame_score(), 1
    results = [dfs_maximizing(child) for child in state.generate_next_states()]
    path, score, _ = max(results, key=lambda result: result[1])
    return [state, *path], score, sum(count for _, _, count in results)
    # END SOLUTION


def minimax_endgame_search(state, maximize=True):
    """Minimax to the end of the game: (path, score, evaluations).

    `maximize` says whether the player to move in `state` is the maximizer.  At each leaf, tell
    get_endgame_score whether the maximizer would be to move there.
    (Russell and Norvig, third edition, figure 5.3; there the result is a move.)

    >>> path, score, evaluations = minimax_endgame_search(tree_state(TWO_BY_TWO))
    >>> [state.snapshot.name for state in path], score, evaluations
    (['root', 'A', '3'], 3, 4)
    >>> path, score, evaluations = minimax_endgame_search(tree_state(TWO_BY_TWO), maximize=False)
    >>> [state.snapshot.name for state in path], score, evaluations
    (['root', 'A', '5'], 5, 4)
    """
    # BEGIN SOLUTION
    return minimax_search(state, maximize=maximize)
    # END SOLUTION


def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    """Minimax down to a depth limit: (path, score, evaluations).

    The given state has depth 0.  Score a finished game by get_endgame_score, at any depth.  Score
    any other state at the limit by heuristic_fn(state.get_snapshot(), maximize); here `maximize`
    says whether the maximizer is to move in that state.

    >>> path, score, evaluations = minimax_search(tree_state(TWO_BY_TWO), tree_estimate, depth_limit=1)
    >>> [state.snapshot.name for state in path], score, evaluations
    (['root', 'B'], 8, 2)
    """
    # BEGIN SOLUTION
    if state.is_game_over():
        return [state], state.get_endgame_score(maximize), 1
    if depth_limit <= 0:
        return [state], heuristic_fn(state.get_snapshot(), maximize), 1
    children = state.generate_next_states()
    results = [minimax_search(child, heuristic_fn, depth_limit - 1, not maximize) for child in children]
    choose = max if maximize else min
    path, score, _ = choose(results, key=lambda result: result[1])
    return [state, *path], score, sum(count for _, _, count in results)
    # END SOLUTION


def minimax_search_alphabeta(state, alpha=-INF, beta=INF, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
    """The result of minimax_search, with fewer evaluations: (path, score, evaluations).

    alpha is what the maximizer is already sure of, beta what the minimizer is.  Pass both down,
    and leave a node as soon as alpha >= beta.  Such a node is not on the best path, and the path
    that it returns does not matter.
    (Russell and Norvig, third edition, figure 5.7; there the result is a move.)

    >>> path, score, evaluations = minimax_search_alphabeta(tree_state(TWO_BY_TWO))
    >>> [state.snapshot.name for state in path], score, evaluations
    (['root', 'A', '3'], 3, 3)
    """
    # BEGIN SOLUTION
    if state.is_game_over():
        return [state], state.get_endgame_score(maximize), 1
    if depth_limit <= 0:
        return [state], heuristic_fn(state.get_snapshot(), maximize), 1
    best_path, best_score, evaluations = None, None, 0
    for child in state.generate_next_states():
        path, score, count = minimax_search_alphabeta(child, alpha, beta, heuristic_fn, depth_limit - 1, not maximize)
        evaluations += count
        if best_score is None or (score > best_score if maximize else score < best_score):
            best_path, best_score = [state, *path], score
        if maximize:
            alpha = max(alpha, best_score)
        else:
            beta = min(beta, best_score)
        if alpha >= beta:
            break
    return best_path, best_score, evaluations
    # END SOLUTION


def progressive_deepening(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True, time_limit=INF):
    """Alpha-beta to depth 1, then 2, and so on up to depth_limit, as an AnytimeValue.

    Start every search with a full window, and give its result to anytime_value.set_value.  In the
    graded cases depth_limit is a whole number.

    More, without points: stop after time_limit seconds, and stop after a search that had no state to
    estimate, so that depth_limit=INF ends on a small game.
    (Iterative deepening, Russell and Norvig, third edition, figure 3.18, with alpha-beta in it.)

    >>> anytime_value = progressive_deepening(tree_state(TWO_BY_TWO), tree_estimate, depth_limit=2)
    >>> [(score, evaluations) for path, score, evaluations in anytime_value.history]
    [(8, 2), (3, 3)]
    """
    # BEGIN SOLUTION
    anytime_value = AnytimeValue()
    deadline = time.monotonic() + time_limit
    depth = estimated_at = 0  # where nothing in play is estimated at a depth, the tree ends above it

    def estimate(snapshot, to_maximize):
        nonlocal estimated_at
        estimated_at = depth
        if depth > 1 and time.monotonic() > deadline:
            raise _OutOfTime
        return heuristic_fn(snapshot, to_maximize)

    with suppress(_OutOfTime):
        while depth < depth_limit and (depth_limit < INF or estimated_at == depth):
            depth += 1
            result = minimax_search_alphabeta(state, heuristic_fn=estimate, depth_limit=depth, maximize=maximize)
            anytime_value.set_value(result)
    return anytime_value
    # END SOLUTION


# BEGIN SOLUTION
class _OutOfTime(Exception):
    """Leaves a search whose result will not be used."""


# END SOLUTION
# END PART 2
# BEGIN PART 3
# ================================================================================================
# Part 3: questions
#
# Questions 1 to 3 are about a binary game tree of depth three, with eight leaves: think of every
# tree of that shape.  An answer is the number of a choice, as a string: '1', '2', '3', '4' or '5'.
#
# Question 1.  You run minimax to the end of the game, without a heuristic and without alpha-beta.
# In which case can you be sure that you need NOT look at all eight leaves?
#
#     1  When the leaves, in the order of a depth-first walk, get ever lower, and MAX is to move.
#     2  When the values of the leaves are random.
#     3  Always: whoever is to move and whatever the values, you can leave out at least one leaf.
#     4  Never: whoever is to move and whatever the values, you have to look at every leaf.
#     5  None of these.
#
# Question 2.  The same, for minimax to the end of the game WITH alpha-beta.  The choices are those
# of question 1.
#
# Question 3.  Alpha-beta (with depth_limit=INF and heuristic_fn=always_zero) has just searched such
# a tree without cutting off a single leaf.  Which change has a good chance of cutting off more on
# that tree?
#
#     1  Swap the two children of the root.
#     2  At each of the seven inner nodes, put the two children in a random order.
#     3  Use a better heuristic_fn than always_zero.
#     4  Both 1 and 2.
#     5  All of 1, 2 and 3.
#
# Question 4 is about any game tree.  Eve knows your alpha-beta code and the static value of every
# node.  Before you search, she may reorder the children of any nodes (she may not move a node to
# another parent, nor change anything once you have begun), and she wants you to cut off as little
# as possible.  She will also read whatever change you make, and may reorder again.  Which change
# gives you the best hope of cut-offs all the same?
#
#     1  Draw a random number n, run alpha-beta n times, and average the results.
#     2  Use heuristic_fn=always_zero, so that every node looks the same.
#     3  Use a heuristic_fn that returns random whole numbers.
#     4  Set depth_limit to 1 or 2, so that the search leans on heuristics rather than end scores.
#     5  Look at the children of each node in a random order.
# ================================================================================================

ANSWER_1 = None
ANSWER_2 = None
ANSWER_3 = None
ANSWER_4 = None

# BEGIN SOLUTION
ANSWER_1 = "4"
ANSWER_2 = "1"
ANSWER_3 = "4"
ANSWER_4 = "5"

# END SOLUTION
# END PART 3
# BEGIN PART 4
# ================================================================================================
# Part 4: a player for every game
#
# In a two-player game (api/two_player.py) Maxie wants the highest estimate and Minnie the lowest.
# A game tells its own rules, so the player here plays Nim, tic-tac-toe and Connect Four alike:
#
#     game.moves(state)              the moves of the player whose turn it is, at least one
#     game.make_move(state, move)    the state after one of them
#     game.player(state)             whose turn it is: Player.MINNIE or Player.MAXIE
#     game.status(state)             IN_PLAY, or Over(outcome) with .outcome
#     game.estimate(state)           Guess(score), or Definitely(outcome); not for a game that is over
#
# Estimates can be compared with < and >, and so with max and min.  A sure win for Maxie is above
# every guess, and a sure win for Minnie below.
# ================================================================================================


class MinimaxPlayer(Player):
    """Looks `depth` moves ahead, and assumes that both players play their best as far as it sees.

    Two methods call each other.  `search` finds the best move of a state: it lets `evaluate` judge
    every state that a move leads to.  `evaluate` returns a sure estimate of a state that is over, and
    asks for an estimate at depth 0.  Otherwise it calls `search`.
    """

    def __init__(self, game, depth, estimate=None):
        """A player of a game.  `estimate` is the player's own estimator, a function from a
        state to its estimate; if it is None, the player uses game.estimate.

        Raises ValueError for a depth below 1.  super().__init__ takes the game, and keeps it as
        self.game.
        """
        # BEGIN SOLUTION
        if depth < 1:
            raise ValueError(f"a player looks 1 move ahead or more, not {depth}")
        super().__init__(game)
        self.depth = depth
        self.estimate = game.estimate if estimate is None else estimate
        # END SOLUTION

    def next_move(self, state):
        """The best move of a state in play, as far as this player looks ahead."""
        # BEGIN SOLUTION
        move, _ = self.search(self.depth, state)
        return move
        # END SOLUTION

    def search(self, depth, state):
        """The best move of the player whose turn it is, and its estimate, as a tuple.

        The state is in play, and `depth` is 1 or more: the search looks that many moves ahead, this
        one included.  Maxie takes the move to the highest estimate, Minnie the one to the lowest.
        Of equally good moves, both take the earlier one.

        >>> [MinimaxPlayer(VeryDumbNim(4), 1).search(depth, VeryDumbNim(4).start()) for depth in (1, 2)]
        [(1, Guess(score=0)), (3, Definitely(outcome=Winner(Player.MAXIE)))]
        """
        # BEGIN SOLUTION
        edges = [(move, self.evaluate(depth - 1, self.game.make_move(state, move))) for move in self.game.moves(state)]
        choose = max if self.game.player(state) is Player.MAXIE else min
        return choose(edges, key=lambda edge: edge[1])
        # END SOLUTION

    def evaluate(self, depth, state):
        """What a state is worth if you look `depth` more moves ahead, 0 or more: an estimate.

        A game that is over is worth Definitely(outcome), at any depth.  At depth 0, any other state is
        worth its estimate; at a higher depth, it is worth what its best move leads to.
        """
        # BEGIN SOLUTION
        status = self.game.status(state)
        if isinstance(status, Over):
            return Definitely(status.outcome)
        if depth == 0:
            return self.estimate(state)
        _, estimate = self.search(depth, state)
        return estimate
        # END SOLUTION


# END PART 4
# ================================================================================================
# Survey: no points, and we read every one.
# ================================================================================================

NAME = None  # your name, a string
COLLABORATORS = None  # who worked with you, a string; '' if you worked alone
HOW_MANY_HOURS_THIS_LAB_TOOK = None  # a number or a string
WHAT_I_FOUND_INTERESTING = None  # a string
WHAT_I_FOUND_BORING = None  # a string
SUGGESTIONS = None  # a string, if you have any
LEAGUE_NAME = None  # a string, if your player is to take part in the league; everybody sees it
# BEGIN SOLUTION
NAME = "The model solution"
COLLABORATORS = ""
HOW_MANY_HOURS_THIS_LAB_TOOK = 0
WHAT_I_FOUND_INTERESTING = "Everything."
WHAT_I_FOUND_BORING = "Nothing."

# END SOLUTION


def try_it():
    """Uncomment a line, and run `.venv/bin/python lab.py`."""
    print(NEARLY_OVER)
    # BEGIN PART 1
    # BEGIN PART 2
    # pretty_print_dfs_type(dfs_maximizing(state_NEARLY_OVER))
    # pretty_print_dfs_type(minimax_endgame_search(state_NEARLY_OVER))
    # pretty_print_dfs_type(minimax_search(state_starting_connectfour, heuristic_connectfour, depth_limit=2))
    # How far must a search look ahead on this board to see what is coming?
    # pretty_print_dfs_type(minimax_search(state_UHOH, heuristic_connectfour, depth_limit=1))
    # pretty_print_dfs_type(minimax_search(state_UHOH, heuristic_connectfour, depth_limit=3))
    # pretty_print_dfs_type(minimax_search_alphabeta(state_UHOH, heuristic_fn=heuristic_connectfour, depth_limit=4))
    # progressive_deepening(state_UHOH, heuristic_connectfour, depth_limit=4).pretty_print()
    # END PART 2
    # END PART 1
    # BEGIN PART 4
    # Play Nim against your own player (from api import HumanPlayer, Referee):
    # Referee(maxie=HumanPlayer(Nim()), minnie=MinimaxPlayer(Nim(), depth=3)).go()
    # END PART 4


if __name__ == "__main__":
    try_it()
