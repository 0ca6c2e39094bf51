"""Who plays: a player of any game by one word, on the functions of a student's lab.py.

human  random:7  minimax:3  alphabeta:4  deepening:2s  perfect
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from api import INF, AbstractGameState, AnytimeValue, ConnectFourBoard, Nim, Player, TwoPlayerGame
from api.adapters import score_of
from api.players import HumanPlayer, PerfectPlayer, RandomPlayer, SearchPlayer, Thought
from grader.calls.encode import encode
from grader.calls.requests import Requests
from grader.protocol.plain import is_number
from grader.protocol.words import returned
from grader.refusal import Refusal
from grader.tools.student import CannotPlay, Lab, LabFailed, NotWritten

PLAYER_WORDS = "human, random, random:7, minimax:3, alphabeta:4, deepening:2s, perfect"


class BadWord(CannotPlay, Refusal):
    """A game or a player that there is not; the text says what there is to choose from."""


@dataclass(frozen=True)
class Seat:
    """Who plays one side: `word` as a person would type it, and the function of lab.py that is asked."""

    word: str
    player: Player
    function: str = ""
    notes: tuple[str, ...] = ()

    @property
    def is_human(self) -> bool:
        """Whether somebody has to be asked for the move."""
        return isinstance(self.player, HumanPlayer)


def make_seat(lab: Lab, game: TwoPlayerGame, word: str) -> Seat:
    """Who plays the game by this word.  Raises BadWord and LabFailed.

    A player whose function is not written yet plays at random.

    >>> from pathlib import Path
    >>> make_seat(Lab(Path("lab.py")), Nim(), "random:7").word
    'random:7'
    """
    name, _, limit = word.partition(":")
    if name not in _KINDS:
        raise BadWord(f"there is no player {word[:40]!r}; choose from {PLAYER_WORDS}")
    kind = _KINDS[name]
    if limit and not re.fullmatch(kind.limits, limit):
        raise BadWord(f"{word[:40]!r} is no player: {name} goes like this: {kind.example}")
    if name == "perfect" and isinstance(game.start(), ConnectFourBoard):
        raise BadWord("perfect needs a game that can be solved, and connect_four is too large; try alphabeta:4")
    limit = limit or kind.limit or (str(random.randrange(10_000)) if name == "random" else "")
    try:
        player = _sit_down(lab, kind, game, limit)
    except NotWritten as missing:
        seat = make_seat(lab, game, "random")
        return Seat(seat.word, seat.player, notes=(f"{missing}: a random player plays in place of {word}.",))
    return Seat(f"{name}:{limit}" if limit else name, player, kind.function)


def _sit_down(lab: Lab, kind: "_Kind", game: TwoPlayerGame, limit: str) -> Player:
    """The player; NotWritten where one of its kind needs a function for Nim with one piece that is not written.

    What goes wrong otherwise shows at the table, in the game that is wanted.
    """
    function = lab.get(kind.function) if kind.function else None
    with lab.running(kind.function):
        if function is not None:
            on_trial = kind.make(Nim(1), function, "1", kind.function)
            try:
                with lab.running(kind.function):
                    on_trial.next_move(Nim(1).start())
            except LabFailed as failed:
                if isinstance(failed, NotWritten):
                    raise
        return kind.make(game, function, limit, kind.function)


class _Searcher(SearchPlayer):
    """Plays by a search of part 2; complains of a result that is none."""

    def __init__(self, game: TwoPlayerGame, search: Callable[..., Any], limit: str, name: str) -> None:
        def look_at(root: AbstractGameState, **arguments: Any) -> Any:
            result = search(root, **arguments)
            if isinstance(result, AnytimeValue):
                result = result.get_value()
            if not _is_result(result):
                wanted = "a path with a move, a score and a count are wanted"
                raise LabFailed(f"{name} {returned(encode(result))}; {wanted}")
            return result

        in_seconds = limit.endswith("s")
        super().__init__(game, look_at, INF if in_seconds else int(limit), float(limit[:-1]) if in_seconds else INF)


def _is_result(result: Any) -> bool:
    """Whether a search's result is a path with a move, a score and a count."""
    if not isinstance(result, (tuple, list)) or len(result) != 3 or not isinstance(result[0], (tuple, list)):
        return False
    path, score, evaluations = result
    steps = all(isinstance(step, AbstractGameState) for step in path)
    return len(path) > 1 and steps and is_number(score) and is_number(evaluations)


class _Minimax(Player):
    """The student's MinimaxPlayer, with what it thinks of its move."""

    thought: Thought | None = None

    def __init__(self, game: TwoPlayerGame, make: Callable[..., Any], depth: str, _: str) -> None:
        super().__init__(game)
        self.depth, self.requests = int(depth), Requests()
        self.player = make(game, self.depth, self.requests.watch_estimator("", game.estimate))

    def next_move(self, state: Any) -> Any:
        self.requests.begin(None)
        move, estimate = self.player.search(self.depth, state)
        self.thought = Thought([move], score_of(estimate), self.depth, self.requests.estimates)
        return move


@dataclass(frozen=True)
class _Kind:
    """A kind of player: what may follow its name, as a pattern, and what does where nothing is typed;
    the function of lab.py that it needs; how it is made of a game, that function, what follows, and
    the function's name."""

    example: str
    make: Callable[[TwoPlayerGame, Any, str, str], Player]
    limits: str = ""
    limit: str = ""
    function: str = ""


_DEPTH, _SECONDS = "[1-9][0-9]?", r"(?=.*[1-9])[0-9]{1,3}(\.[0-9]+)?s"
_RANDOM = "random, or random:7 with a seed"
_DEEPENING = "deepening:2s with seconds, or deepening:4 with a depth"
_KINDS = {
    "human": _Kind("human", lambda game, *_: HumanPlayer(game)),
    "random": _Kind(_RANDOM, lambda game, _, seed, __: RandomPlayer(game, int(seed)), "[0-9]{1,9}"),
    "minimax": _Kind("minimax:3 with a depth", _Minimax, _DEPTH, "3", "MinimaxPlayer"),
    "alphabeta": _Kind("alphabeta:4 with a depth", _Searcher, _DEPTH, "4", "minimax_search_alphabeta"),
    "deepening": _Kind(_DEEPENING, _Searcher, f"{_DEPTH}|{_SECONDS}", "2s", "progressive_deepening"),
    "perfect": _Kind("perfect", lambda game, solve, *_: PerfectPlayer(game, solve), function="solve"),
}
