"""Players for every two-player game: human, random, searching and perfect players.

A SearchPlayer uses your own search of part 2.  A PerfectPlayer uses your own `solve`.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from api.adapters import WON, PlayedState, game_estimate, two_player_state
from api.game import Game, Value
from api.outcomes import Over, Winner
from api.results import INF, AnytimeValue
from api.two_player import Player, TwoPlayerGame


class Quit(SystemExit):
    """Raised when a human player leaves the game.

    If no code catches this exception, the program ends without a traceback.
    """


class HumanPlayer(Player):
    """A person at the terminal.

    `read` shows a question and returns a line of input.  `write` shows a line.  If the
    answer is not a legal move, the player lists the legal moves and asks again.  At the
    end of the input, the player raises Quit.

    >>> from api import Nim
    >>> answers = iter(["ten", "3"])
    >>> human = HumanPlayer(Nim(4), read=lambda question: next(answers))
    >>> human.next_move(Nim(4).start())
    o o o o   (4 left)
    'ten' is not a legal move here; the legal moves are: 1, 2, 3
    3
    """

    def __init__(
        self,
        game: TwoPlayerGame,
        read: Callable[[str], str] = input,
        write: Callable[[str], None] = print,
    ) -> None:
        super().__init__(game)
        self.read = read
        self.write = write

    def next_move(self, state: Any) -> Any:
        self.write(self.game.state_to_string(state))
        name = self.game.player_to_string(self.game.player(state))
        while True:
            try:
                text = self.read(f"{name}, your move: ")
            except EOFError:
                self.write("")
                raise Quit(0) from None
            move = self.game.parse_move(state, text)
            if move is not None:
                return move
            possible = ", ".join(map(self.game.move_to_string, self.game.moves(state)))
            self.write(
                f"{text.strip()[:30]!r} is not a legal move here; "
                f"the legal moves are: {possible}"
            )


class RandomPlayer(Player):
    """Chooses each move at random.  The same seed gives the same moves.

    >>> from api import Nim
    >>> RandomPlayer(Nim(), seed=1).next_move(Nim().start()) in (1, 2, 3)
    True
    """

    def __init__(self, game: TwoPlayerGame, seed: int | None = None) -> None:
        import random  # Importing it above would slow down every process that forks.

        super().__init__(game)
        self._chooser = random.Random(seed)

    def next_move(self, state: Any) -> Any:
        return self._chooser.choice(list(self.game.moves(state)))


class Thought(NamedTuple):
    """The result of one search by a SearchPlayer."""

    moves: list[Any]  # the moves that the search expects; the player makes the first
    score: float  # the score that these moves lead to, from Maxie's point of view
    depth: float  # the depth limit of the search
    evaluations: int  # the number of static evaluations


class SearchPlayer(Player):
    """Plays the move that a search of part 2 finds.

    `search` is your minimax_search, minimax_search_alphabeta or progressive_deepening.
    The heuristic is the game's own estimate.

    The player searches to depth 1, 2, … until it reaches `depth`, runs out of `seconds`
    or is sure how the game ends.  If a search sees a sure loss, the player plays the
    move that the previous, shallower search found, to hold out longer.  The search to
    depth 1 has no time limit.

    `clock` returns the time in seconds.  The player calls `tell` with the result of
    each search.  `thought` is the result that the player's last move came from.

    >>> from api import Nim
    >>> def looks_nowhere(state, heuristic_fn, depth_limit, maximize):
    ...     return [state, state.generate_next_states()[-1]], 0, 1
    >>> SearchPlayer(Nim(), looks_nowhere, depth=4).next_move(Nim().start())
    3
    """

    thought: Thought | None = None

    def __init__(
        self,
        game: TwoPlayerGame,
        search: Callable[..., Any],
        depth: float = INF,
        seconds: float = INF,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[Thought], object] = lambda thought: None,
    ) -> None:
        super().__init__(game)
        self.search = search
        self.depth = depth
        self.seconds = seconds
        self.clock = clock
        self.tell = tell

    def next_move(self, state: Any) -> Any:
        deadline = self.clock() + self.seconds
        sure_loss = -WON if self.game.player(state) is Player.MAXIE else WON
        self.thought, ended_early = self._think(state, 1, INF)
        while ended_early and abs(self.thought.score) < WON:
            if self.thought.depth >= self.depth:
                break
            try:
                deeper, ended_early = self._think(
                    state, self.thought.depth + 1, deadline
                )
            except _TimeIsUp:
                break
            if deeper.score == sure_loss:
                break
            self.thought = deeper
        return self.thought.moves[0]

    def _think(self, state: Any, depth: float, deadline: float) -> tuple[Thought, bool]:
        """The result of one search, and whether the depth limit cut it short.

        The depth limit cuts a search short if a state at the limit is still in play.
        """
        ended_early = False

        def check_time() -> None:
            if self.clock() >= deadline:
                raise _TimeIsUp

        def heuristic(snapshot: PlayedState, *flags: Any, **named_flags: Any) -> float:
            nonlocal ended_early
            ended_early = True
            check_time()
            return game_estimate(snapshot)

        root = two_player_state(self.game, state, before_moves=check_time)
        maximize = self.game.player(state) is Player.MAXIE
        result = self.search(
            root, heuristic_fn=heuristic, depth_limit=depth, maximize=maximize
        )
        if isinstance(result, AnytimeValue):
            result = result.get_value()
        path, score, evaluations = result
        if len(path) < 2:
            raise ValueError("the search returned a path without a first move")
        moves = [step.get_snapshot().move for step in path[1:]]
        thought = Thought(moves, score, depth, evaluations)
        self.tell(thought)
        return thought, ended_early


class _TimeIsUp(Exception):
    """Aborts the current search, so that the player uses the previous result."""


class PerfectPlayer(Player):
    """Plays a small game perfectly, using the table that your `solve` returns.

    If several moves are equally good, the player takes the earliest.

    >>> from api import Nim
    >>> def knows_three_values(game):
    ...     after_1, after_2, after_3 = [
    ...         game.do_move(game.start(), move) for move in (1, 2, 3)
    ...     ]
    ...     return {after_1: Value.WIN, after_2: Value.WIN, after_3: Value.LOSE}
    >>> PerfectPlayer(Nim(4), knows_three_values).next_move(Nim(4).start())
    3
    """

    def __init__(
        self, game: TwoPlayerGame, solve: Callable[[Game], dict[Any, Value]]
    ) -> None:
        super().__init__(game)
        self.solve = solve
        self._values: dict[Any, Value] = {}

    def next_move(self, state: Any) -> Any:
        moves = self.game.moves(state)
        successors = [self.game.make_move(state, move) for move in moves]
        if not all(successor in self._values for successor in successors):
            self._values |= self.solve(_Solvable(self.game, state))
        ranks = [_BEST_FIRST.index(self._values[successor]) for successor in successors]
        return moves[ranks.index(min(ranks))]


# A position that is lost for the other player is the best to move to.
_BEST_FIRST = (Value.LOSE, Value.TIE, Value.WIN)


class _Solvable(Game):
    """A two-player game that begins at a given state, as a `Game` for `solve`."""

    def __init__(self, game: TwoPlayerGame, state: Any) -> None:
        self.game = game
        self.state = state

    def start(self) -> Any:
        return self.state

    def get_moves(self, position: Any) -> Sequence[Any]:
        return self.game.moves(position)

    def do_move(self, position: Any, move: Any) -> Any:
        return self.game.make_move(position, move)

    def terminal_value(self, position: Any) -> Value | None:
        status = self.game.status(position)
        if not isinstance(status, Over):
            return None
        if not isinstance(status.outcome, Winner):
            return Value.TIE
        if status.outcome.player is self.game.player(position):
            return Value.WIN
        return Value.LOSE
