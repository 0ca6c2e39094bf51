"""Who plays: a player of any game by one word, on the functions of a student's lab.py.

human  random:7  minimax:3  alphabeta:4  deepening:2s  perfect
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from api import (
    INF,
    AbstractGameState,
    AnytimeValue,
    ConnectFourBoard,
    HumanPlayer,
    Nim,
    PerfectPlayer,
    Player,
    RandomPlayer,
    SearchPlayer,
    TwoPlayerGame,
)
from api.adapters import score_of
from api.players import Thought
from grader.child.encode import encode
from grader.pipe.words import is_number, returned
from grader.tools.student import Lab, LabFailed, NotWritten

PLAYER_WORDS = "human, random, random:7, minimax:3, alphabeta:4, deepening:2s, perfect"


class BadWord(ValueError):
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
    name, _, number = word.partition(":")
    if name not in _MAKERS:
        raise BadWord(f"there is no player {word[:40]!r}; choose from {PLAYER_WORDS}")
    if number and not re.fullmatch(_NUMBERS.get(name, ""), number):
        raise BadWord(f"{word[:40]!r} is no player: {name} goes like this: {_EXAMPLES[name]}")
    try:
        return _MAKERS[name](lab, game, number)
    except NotWritten as missing:
        seat = make_seat(lab, game, "random")
        return Seat(seat.word, seat.player, notes=(f"{missing}: a random player plays in place of {word}.",))


def _human(lab: Lab, game: TwoPlayerGame, number: str) -> Seat:
    return Seat("human", HumanPlayer(game))


def _random(lab: Lab, game: TwoPlayerGame, seed: str) -> Seat:
    seed = seed or str(random.randrange(10_000))
    return Seat(f"random:{seed}", RandomPlayer(game, int(seed)))


def _minimax(lab: Lab, game: TwoPlayerGame, depth: str) -> Seat:
    make = lab.get("MinimaxPlayer")
    with lab.running("MinimaxPlayer"):
        _try_out(lab, "MinimaxPlayer", _MinimaxSeat(Nim(1), make, 1))
        return Seat(f"minimax:{depth or 3}", _MinimaxSeat(game, make, int(depth or 3)), "MinimaxPlayer")


def _alphabeta(lab: Lab, game: TwoPlayerGame, depth: str) -> Seat:
    search = _searching(lab, "minimax_search_alphabeta")
    return Seat(f"alphabeta:{depth or 4}", SearchPlayer(game, search, int(depth or 4)), "minimax_search_alphabeta")


def _deepening(lab: Lab, game: TwoPlayerGame, limit: str) -> Seat:
    search = _searching(lab, "progressive_deepening")
    limit = limit or "2s"
    seconds = float(limit[:-1]) if limit.endswith("s") else INF
    player = SearchPlayer(game, search, INF if seconds < INF else int(limit), seconds)
    return Seat(f"deepening:{limit}", player, "progressive_deepening")


def _perfect(lab: Lab, game: TwoPlayerGame, number: str) -> Seat:
    if isinstance(game.start(), ConnectFourBoard):
        raise BadWord("perfect needs a game that can be solved, and connect_four is too large; try alphabeta:4")
    solve = lab.get("solve")
    _try_out(lab, "solve", PerfectPlayer(Nim(1), solve))
    return Seat("perfect", PerfectPlayer(game, solve), "solve")


_MAKERS: dict[str, Callable[[Lab, TwoPlayerGame, str], Seat]] = {
    "human": _human,
    "random": _random,
    "minimax": _minimax,
    "alphabeta": _alphabeta,
    "deepening": _deepening,
    "perfect": _perfect,
}
_DEPTH = "[1-9][0-9]?"
_NUMBERS = {
    "random": "[0-9]{1,9}",
    "minimax": _DEPTH,
    "alphabeta": _DEPTH,
    "deepening": rf"{_DEPTH}|(?=.*[1-9])[0-9]{{1,3}}(\.[0-9]+)?s",
}
_EXAMPLES = {
    "human": "human",
    "random": "random, or random:7 with a seed",
    "minimax": "minimax:3 with a depth",
    "alphabeta": "alphabeta:4 with a depth",
    "deepening": "deepening:2s with seconds, or deepening:4 with a depth",
    "perfect": "perfect",
}


def _searching(lab: Lab, name: str) -> Callable[..., Any]:
    """A search of part 2, ready to play, that complains of a result that is none."""
    search = lab.get(name)

    def look_at(root: AbstractGameState, **arguments: Any) -> Any:
        result = search(root, **arguments)
        if isinstance(result, AnytimeValue):
            result = result.get_value()
        if not _is_result(result):
            raise LabFailed(f"{name} {returned(encode(result))}; a path with a move, a score and a count are wanted")
        return result

    _try_out(lab, name, SearchPlayer(Nim(1), look_at, 1))
    return look_at


def _try_out(lab: Lab, function: str, player: Player) -> None:
    """Raise NotWritten where a player of Nim with one piece needs a function that is not written.

    What goes wrong otherwise shows at the table, in the game that is wanted.
    """
    try:
        with lab.running(function):
            player.next_move(player.game.start())
    except NotWritten:
        raise
    except LabFailed:
        pass


def _is_result(result: Any) -> bool:
    """Whether a search's result is a path with a move, a score and a count."""
    if not isinstance(result, (tuple, list)) or len(result) != 3 or not isinstance(result[0], (tuple, list)):
        return False
    path, score, evaluations = result
    steps = all(isinstance(step, AbstractGameState) for step in path)
    return len(path) > 1 and steps and is_number(score) and is_number(evaluations)


class _MinimaxSeat(Player):
    """The student's MinimaxPlayer, with what it thinks of its move."""

    thought: Thought | None = None

    def __init__(self, game: TwoPlayerGame, make: Callable[..., Any], depth: int) -> None:
        super().__init__(game)
        self.depth = depth
        self.estimates = 0

        def counted(state: Any) -> Any:
            self.estimates += 1
            return game.estimate(state)

        self.player = make(game, depth, counted)

    def next_move(self, state: Any) -> Any:
        self.estimates = 0
        move, estimate = self.player.search(self.depth, state)
        self.thought = Thought([move], score_of(estimate), self.depth, self.estimates)
        return move
