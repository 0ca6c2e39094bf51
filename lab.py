"""Games and adversarial search: your file.

Fill in the functions and answers below, part by part; everything else is given.  `make test` grades this file.
`.venv/bin/python lab.py` runs the lines in `try_it()`.  There is a survey at the end.

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
# solution of a game is a table with the value of every position that can be reached from the start.
# A value is a Value (api/game.py): Value.WIN, Value.TIE or Value.LOSE.
# ================================================================================================


class ZeroBy(Game):
    """Two players take turns removing items from a heap.  The player who takes the last item wins.

    `n` is the number of items at the beginning.  `removals` lists how many items a move may take: it
    is a tuple of positive whole numbers, in any order; duplicates are allowed.  For example,
    ZeroBy(10, (1, 2)) begins with 10 items, and each move takes 1 or 2 of them.

    A position is the number of items left, a whole number.

    If a removal is larger than the number of items left, the player may take all that are left: with
    2 items left and removals (1, 3, 4), a move leaves 1 item or none.
    """

    def __init__(self, n, removals):
        self.n = n
        self.removals = removals

    def start(self):
        """Return the first position: the number of items at the beginning."""
        # BEGIN SOLUTION
        return self.n
        # END SOLUTION

    def get_moves(self, position):
        """Return a collection of the moves from a position where the game is not over.

        You choose what a move looks like: only your own do_move receives it.
        """
        # BEGIN SOLUTION
        return {min(removal, position) for removal in self.removals}
        # END SOLUTION

    def do_move(self, position, move):
        """Return the next position: the number of items left after one of your moves."""
        # BEGIN SOLUTION
        return position - move
        # END SOLUTION

    def terminal_value(self, position):
        """Return the value of a finished game, for the player who would move next.

        While the game is in play, return None.
        """
        # BEGIN SOLUTION
        return Value.LOSE if position == 0 else None
        # END SOLUTION


def solve(game):
    """Return the strong solution of a game: a dict from positions to their values.

    `game` is any Game (api/game.py), not only ZeroBy.  The keys of the dict are all positions that
    can be reached from the start, including the start, and no others.  A value is from the
    point of view of the player whose turn it is there.

    Games are finite and never repeat a position, but the same position may be reached in many ways.
    A game may be one long chain of 100,000 moves.  Python's recursion limit is far smaller.
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
# Here you write the rules of Connect Four that a search needs: when a game is over, which boards
# come next, and what a board is worth.  These methods of a board (api/board.py) help:
#
#     board.get_all_chains()            both players' chains, each a list with one number per piece
#     board.get_all_chains(True)        only the chains of the player to move; with False, only
#                                       those of the other player
#     board.count_pieces()              the number of pieces; with True, only those of the player to
#                                       move; with False, only those of the other player
#     board.is_column_full(col_number)  whether a column is full; the columns are 0 to
#                                       board.num_cols - 1
#     board.add_piece(col_number)       a new board: `board` after the player to move has played there
#
# Every score is from the maximizer's point of view: a score above 0 is good for the maximizer, and a
# score below 0 is good for the minimizer.  `is_current_player_maximizer` (the flag) says whether the
# player to move is the maximizer.
# ================================================================================================


def is_game_over_connectfour(board):
    """Return True if a chain has four or more pieces, or if the board is full; else False."""
    # BEGIN SOLUTION
    for chain in board.get_all_chains():
        if len(chain) >= 4:
            return True
    return board.count_pieces() == board.num_rows * board.num_cols
    # END SOLUTION


def next_boards_connectfour(board):
    """Return a list of the boards that the player to move can reach in one move.

    The boards come in the order of their columns, column 0 first.  Full columns are skipped.  If the
    game is over, return an empty list.  Each board keeps the names of the players; boards
    from add_piece already do.
    """
    # BEGIN SOLUTION
    if is_game_over_connectfour(board):
        return []
    return [board.add_piece(column) for column in range(board.num_cols) if not board.is_column_full(column)]
    # END SOLUTION


def endgame_score_connectfour(board, is_current_player_maximizer):
    """Return the score of a finished game.

    The score is 1000 if the maximizer has won, -1000 if the minimizer has won, and 0 for a tie.  The
    flag says whether the player who *would* move next is the maximizer.  It was the other player who
    made the last move.
    """
    # BEGIN SOLUTION
    if not any(len(chain) >= 4 for chain in board.get_all_chains()):
        return 0
    return -1000 if is_current_player_maximizer else 1000
    # END SOLUTION


def endgame_score_connectfour_faster(board, is_current_player_maximizer):
    """Return the score of a finished game; a win counts for more the sooner it comes.

    A win for the maximizer scores 1000 or more, and one for the minimizer -1000 or less.  A tie
    scores strictly in between.  The fewer pieces there are on the board, the further the score of a
    win is from 0.
    """
    # BEGIN SOLUTION
    score = endgame_score_connectfour(board, is_current_player_maximizer)
    squares_left = board.num_rows * board.num_cols - board.count_pieces()
    return score + squares_left if score > 0 else score - squares_left if score < 0 else 0
    # END SOLUTION


def heuristic_connectfour(board, is_current_player_maximizer):
    """Return an estimate of how good an unfinished game looks for the maximizer.

    The estimate is a number strictly between -1000 and 1000, since 1000 and -1000 already mean a
    win.  With the flag flipped, the same board has the opposite estimate: -5 instead of 5.  The number
    and the length of both players' chains say a lot about a board.
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
    """Return a Connect Four board as a state for a search, built from your functions above."""
    return AbstractGameState(
        snapshot=board,
        is_game_over_fn=is_game_over_connectfour,
        generate_next_states_fn=next_boards_connectfour,
        endgame_score_fn=endgame_score_connectfour_faster,
    )


state_starting_connectfour = connect_four_state(ConnectFourBoard())
state_NEARLY_OVER = connect_four_state(NEARLY_OVER)  # six empty squares
state_UHOH = connect_four_state(BOARD_UHOH)  # a shallow search misses the threat

# END PART 1
# BEGIN PART 2
# ================================================================================================
# Part 2: searches
#
# Each search but the last returns a tuple (path, score, evaluations):
#
#     path         the list of states from the given state to the one that gave the score, including
#                  both
#     score        the score of that last state, from the maximizer's point of view
#     evaluations  the number of static evaluations: count one for each state that you score, with
#                  get_endgame_score or with the heuristic; nodes that you do not score do not count
#
# If several branches are equally good, take the earliest.  A state (api/state.py) has these methods:
#
#     state.is_game_over()           whether the state is a leaf
#     state.get_endgame_score(flag)  the score of a leaf, from the maximizer's point of view
#     state.generate_next_states()   the states after one move, as a list in the order of the moves
#     state.get_snapshot()           the position, such as a board; heuristics take it
#
# The flag says whether the player to move is the maximizer.  It has two names: `maximize` in your
# searches, and `is_current_player_maximizer` in get_endgame_score.
#
# The examples search the small tree below.  `.venv/bin/python -m doctest lab.py` runs them and
# prints those that fail.
#
#     MAX root ~ 4           the number after ~ is the estimate that tree_estimate returns
#      |- MIN A ~ 1
#      |   |- 3
#      |   `- 5
#      `- MIN B ~ 8
#          |- 2
#          `- 9
# ================================================================================================


def dfs_maximizing(state):
    """Return the best result for two players who work together: (path, score, evaluations).

    Both players want the highest score.  Search every path to its end, and score every leaf with
    state.get_endgame_score(), without an argument.

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
    """Return the result of minimax to the end of the game: (path, score, evaluations).

    `maximize` says whether the player to move in `state` is the maximizer.  The players take turns:
    the maximizer chooses the child with the highest score, and the minimizer the one with the
    lowest.  At each leaf, pass get_endgame_score the flag, which says whether the maximizer would be
    to move there.
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
    """Return the result of minimax down to a depth limit: (path, score, evaluations).

    The given state has depth 0, its children have depth 1, and so on.  Score a finished game with
    get_endgame_score, at any depth.  Score any other state at the limit with
    heuristic_fn(state.get_snapshot(), maximize); here `maximize` says whether the maximizer is to
    move in that state.

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
    """Return (path, score, evaluations) as minimax_search does, usually with fewer evaluations.

    alpha is the score that the maximizer is already sure of, and beta the score that the minimizer
    is already sure of.  Pass both to every child, and leave a node as soon as alpha >= beta.  The
    path that you return from such a node does not matter.
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
    """Return an AnytimeValue with the results of alpha-beta to depth 1, 2, ... up to depth_limit.

    Start every search with a full window (alpha=-INF, beta=INF), and pass each result to the
    AnytimeValue's set_value (api/results.py).  In the graded cases depth_limit is a whole number.

    Optional (no points): stop after time_limit seconds.  If depth_limit is INF, also stop after a
    search that never called the heuristic, because a deeper search would find the same result.
    Then the function ends by itself on a small game.
    (Iterative deepening, Russell and Norvig, third edition, figure 3.18, but with alpha-beta.)

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
# BEGIN QUESTIONS
# Questions 1 to 3 are about a binary game tree of depth three, with eight leaves: think of every
# tree of that shape.  An answer is the number of a choice, as a string: '1', '2', '3', '4' or '5'.
#
# Question 1.  You run minimax to the end of the game, without a heuristic and without alpha-beta.
# In which case is it certain to leave out at least one of the eight leaves?
#
#     1  When the values of the leaves strictly decrease in depth-first order, and MAX moves first.
#     2  When the values of the leaves are random.
#     3  Always: whoever moves first and whatever the values, it leaves out at least one leaf.
#     4  Never: whoever moves first and whatever the values, it looks at every leaf.
#     5  None of these.
#
# Question 2.  The same, for minimax to the end of the game WITH alpha-beta.  The choices are those
# of question 1.
#
# Question 3.  Alpha-beta (with depth_limit=INF and heuristic_fn=always_zero) has just searched such
# a tree without cutting off a single leaf.  Which change has a good chance of causing
# cut-offs on that tree?
#
#     1  Swap the two children of the root.
#     2  At each of the seven inner nodes, put the two children in a random order.
#     3  Use a better heuristic_fn than always_zero.
#     4  Either 1 or 2.
#     5  Any of 1, 2 and 3.
#
# Question 4 is about any game tree.  Eve knows your alpha-beta code, which searches to the end of
# the game, and she knows the static value of every node.  Before you search, she may reorder the
# children of any node (she may not move a node to another parent, nor change anything once you have
# begun), and she wants you to cut off as little as possible.  She will also read whatever change
# you make, and may reorder again.  Which change still gives you the best hope of cut-offs?
#
#     1  Draw a random number n, run alpha-beta n times, and average the results.
#     2  Use heuristic_fn=always_zero, so that every node looks the same.
#     3  Use a heuristic_fn that returns random whole numbers.
#     4  Set depth_limit to 1 or 2, so that the search leans on heuristics rather than endgame scores.
#     5  Look at the children of each node in a random order.
# END QUESTIONS
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
# A game defines its own rules, so your player can play Nim, tic-tac-toe and Connect Four alike:
#
#     game.moves(state)              the legal moves, in order, at least one; call it only while the
#                                    game is in play
#     game.make_move(state, move)    the state after one of these moves
#     game.player(state)             whose turn it is: Player.MINNIE or Player.MAXIE
#     game.status(state)             IN_PLAY, or Over(outcome); its .outcome is Winner(player) or DRAW
#     game.estimate(state)           Guess(score) or Definitely(outcome); call it only while the game
#                                    is in play
#
# You can compare estimates with < and >, so max and min work too.  A sure win for Maxie is above
# every guess, and a sure win for Minnie is below every guess.
# ================================================================================================


class MinimaxPlayer(Player):
    """A player that looks `depth` moves ahead.

    It assumes that both players make their best moves, as far as it can see.

    Two methods call each other.  `search` chooses the best move in a state: it calls `evaluate` on
    every state that a move leads to.  For a finished game, `evaluate` returns Definitely(outcome).
    At depth 0 it asks the estimator.  Otherwise it calls `search`.
    """

    def __init__(self, game, depth, estimate=None):
        """Make a player of `game` that looks `depth` moves ahead.

        `estimate` is the player's own estimator, a function that takes a state and returns its
        estimate.  If it is None, the player uses game.estimate.  Raise ValueError for a depth below
        1.  super().__init__ takes the game and stores it as self.game.
        """
        # BEGIN SOLUTION
        if depth < 1:
            raise ValueError(f"a player looks 1 move ahead or more, not {depth}")
        super().__init__(game)
        self.depth = depth
        self.estimate = game.estimate if estimate is None else estimate
        # END SOLUTION

    def next_move(self, state):
        """Return the best move in a state in play, as far as this player can see."""
        # BEGIN SOLUTION
        move, _ = self.search(self.depth, state)
        return move
        # END SOLUTION

    def search(self, depth, state):
        """Return a tuple: the best move for the player whose turn it is, and its estimate.

        The state is in play.  `depth` is 1 or more: the search looks that many moves ahead, including
        this move.  Maxie picks the move with the highest estimate, and Minnie the move with the
        lowest.  If several moves are equally good, both pick the earliest.

        >>> [MinimaxPlayer(VeryDumbNim(4), 1).search(depth, VeryDumbNim(4).start()) for depth in (1, 2)]
        [(1, Guess(score=0)), (3, Definitely(outcome=Winner(Player.MAXIE)))]
        """
        # BEGIN SOLUTION
        edges = [(move, self.evaluate(depth - 1, self.game.make_move(state, move))) for move in self.game.moves(state)]
        choose = max if self.game.player(state) is Player.MAXIE else min
        return choose(edges, key=lambda edge: edge[1])
        # END SOLUTION

    def evaluate(self, depth, state):
        """Return an estimate of a state, looking `depth` more moves ahead (0 or more).

        A finished game has the estimate Definitely(outcome), at any depth.  At depth 0, any other
        state has the estimate that the estimator returns.  At a greater depth, it has the estimate of its best move.
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
# Survey: it is worth no points, but we read every answer.
# ================================================================================================

NAME = None  # your name, as a string
COLLABORATORS = None  # who worked with you, as a string; '' if you worked alone
HOW_MANY_HOURS_THIS_LAB_TOOK = None  # a number or a string
WHAT_I_FOUND_INTERESTING = None  # a string
WHAT_I_FOUND_BORING = None  # a string
SUGGESTIONS = None  # a string, if you have any
# BEGIN PART 1
# BEGIN PART 2
LEAGUE_NAME = None  # a string, if your search is to play in the league; everybody sees it
# END PART 2
# END PART 1
# BEGIN SOLUTION
NAME = "The model solution"
COLLABORATORS = ""
HOW_MANY_HOURS_THIS_LAB_TOOK = 0
WHAT_I_FOUND_INTERESTING = "Everything."
WHAT_I_FOUND_BORING = "Nothing."

# END SOLUTION


def try_it():
    """Uncomment any line of code here and run `.venv/bin/python lab.py`."""
    print(NEARLY_OVER)
    # BEGIN PART 1
    # BEGIN PART 2
    # pretty_print_dfs_type(dfs_maximizing(state_NEARLY_OVER))
    # pretty_print_dfs_type(minimax_endgame_search(state_NEARLY_OVER))
    # pretty_print_dfs_type(minimax_search(state_starting_connectfour, heuristic_connectfour, depth_limit=2))
    # How deep must a search look from state_UHOH to see what is coming?
    # pretty_print_dfs_type(minimax_search(state_UHOH, heuristic_connectfour, depth_limit=1))
    # pretty_print_dfs_type(minimax_search(state_UHOH, heuristic_connectfour, depth_limit=3))
    # pretty_print_dfs_type(minimax_search_alphabeta(state_UHOH, heuristic_fn=heuristic_connectfour, depth_limit=4))
    # progressive_deepening(state_UHOH, heuristic_connectfour, depth_limit=4).pretty_print()
    # END PART 2
    # END PART 1
    # BEGIN PART 4
    # Play Nim against your own player: uncomment both lines.
    # from api import HumanPlayer, Referee
    # Referee(maxie=HumanPlayer(Nim()), minnie=MinimaxPlayer(Nim(), depth=3)).go()
    # END PART 4


if __name__ == "__main__":
    try_it()
