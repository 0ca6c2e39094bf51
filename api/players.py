"""Players for every two-player game: a human, a random player, one who searches, one
who plays perfectly.

You give the last two your own functions: a search of part 2, and `solve`.
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
    """Raised when a human leaves the game.  If nobody catches it, the program ends
    without a traceback.
    """


class HumanPlayer(Player):
    """A person at the terminal.  `read` asks for a line, `write` shows one.

    If the answer is not a possible move, the player lists the possible ones and asks
    again.  At the end of the input it raises Quit.

    >>> from api import Nim
    >>> answers = iter(["ten", "3"])
    >>> HumanPlayer(Nim(4), read=lambda question: next(answers)).next_move(Nim(4).start())
    o o o o   (4 left)
    'ten' is not a possible move here; these are: 1, 2, 3
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
        while True:
            try:
                text = self.read(
                    f"{self.game.player_to_string(self.game.player(state))}, your move: "
                )
            except EOFError:
                self.write("")
                raise Quit(0) from None
            move = self.game.parse_move(state, text)
            if move is not None:
                return move
            possible = ", ".join(map(self.game.move_to_string, self.game.moves(state)))
            self.write(
                f"{text.strip()[:30]!r} is not a possible move here; these are: {possible}"
            )


class RandomPlayer(Player):
    """Moves at random.  The same seed gives the same moves.

    >>> from api import Nim
    >>> RandomPlayer(Nim(), seed=1).next_move(Nim().start()) in (1, 2, 3)
    True
    """

    def __init__(self, game: TwoPlayerGame, seed: int | None = None) -> None:
        import random  # only here: once it is imported, it slows down every process that forks

        super().__init__(game)
        self._chooser = random.Random(seed)

    def next_move(self, state: Any) -> Any:
        return self._chooser.choice(list(self.game.moves(state)))


class Thought(NamedTuple):
    """What a search found: the moves that it expects (the first is the one to play),
    their score in Maxie's view, the depth of the search, and the number of its static
    evaluations.
    """

    moves: list[Any]
    score: float
    depth: float
    evaluations: int


class SearchPlayer(Player):
    """Plays the move that a search of part 2 finds, with the game's own estimate as the
    heuristic.

    `search` is minimax_search, minimax_search_alphabeta or progressive_deepening.  The
    player searches to depth 1, 2, … until it reaches `depth`, until `seconds` have
    passed, or until it sees a sure win.  If it sees a sure loss, it plays the move of
    the search before, to hold out longer.  The search to depth 1 always ends.  `clock`
    gives the time in seconds, and `tell` gets what each search finds.  `thought` is
    what the player found before its last move.

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
        self.search, self.depth, self.seconds, self.clock, self.tell = (
            search,
            depth,
            seconds,
            clock,
            tell,
        )

    def next_move(self, state: Any) -> Any:
        deadline = self.clock() + self.seconds
        self.thought, ended_early = self._think(state, 1, INF)
        while (
            ended_early
            and abs(self.thought.score) < WON
            and self.thought.depth < self.depth
        ):
            try:
                deeper, ended_early = self._think(
                    state, self.thought.depth + 1, deadline
                )
            except _TimeIsUp:
                break
            if deeper.score == (
                -WON if self.game.player(state) is Player.MAXIE else WON
            ):
                break
            self.thought = deeper
        return self.thought.moves[0]

    def _think(self, state: Any, depth: float, deadline: float) -> tuple[Thought, bool]:
        """What one search finds, and whether the depth limit ended it anywhere before
        the game did.
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
        thought = Thought(
            [step.get_snapshot().move for step in path[1:]], score, depth, evaluations
        )
        self.tell(thought)
        return thought, ended_early


class _TimeIsUp(Exception):
    """Ends the current search; the one before it decides."""


class PerfectPlayer(Player):
    """Plays perfectly, by the values that your own `solve` finds; for small games.

    Of equally good moves it plays the first.

    >>> from api import Nim
    >>> def knows_two_values(game):
    ...     return {game.do_move(game.start(), move): Value.LOSE if move == 3 else Value.WIN for move in (1, 2, 3)}
    >>> PerfectPlayer(Nim(4), knows_two_values).next_move(Nim(4).start())
    3
    """

    def __init__(
        self, game: TwoPlayerGame, solve: Callable[[Game], dict[Any, Value]]
    ) -> None:
        super().__init__(game)
        self.solve = solve
        self._values: dict[Any, Value] = {}

    def next_move(self, state: Any) -> Any:
        after = {
            index: self.game.make_move(state, move)
            for index, move in enumerate(self.game.moves(state))
        }
        if not all(successor in self._values for successor in after.values()):
            self._values |= self.solve(_Solvable(self.game, state))
        best = min(
            after, key=lambda index: _FOR_THE_OTHER.index(self._values[after[index]])
        )
        return self.game.moves(state)[best]


_FOR_THE_OTHER = (Value.LOSE, Value.TIE, Value.WIN)


class _Solvable(Game):
    """A two-player game, from one of its states on, in the form that `solve` takes."""

    def __init__(self, game: TwoPlayerGame, state: Any) -> None:
        self.game, self.state = game, state

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
        return (
            Value.WIN
            if status.outcome.player is self.game.player(position)
            else Value.LOSE
        )
