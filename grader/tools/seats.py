"""Who plays: a player of any game by one word, on the functions of a student's lab.py.

human  random:7  minimax:3  alphabeta:4  deepening:2s  perfect
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from api import ConnectFourBoard, Nim, Player, TwoPlayerGame
from api.adapters import score_of
from api.outcomes import Estimate
from api.players import HumanPlayer, PerfectPlayer, RandomPlayer, SearchPlayer, Thought
from grader.refusal import Refusal
from grader.tools.student import CannotPlay, Lab, LabFailed, NotWritten

PLAYER_WORDS = "human, random, random:7, minimax:3, alphabeta:4, deepening:2s, perfect"
FUNCTIONS = {
    "minimax": "MinimaxPlayer",
    "alphabeta": "minimax_search_alphabeta",
    "deepening": "progressive_deepening",
    "perfect": "solve",
}
_DEPTH, _SECONDS = "[1-9][0-9]?", r"(?=.*[1-9])[0-9]{1,3}(\.[0-9]+)?s"
_LIMITS = {"random": "[0-9]{1,9}", "minimax": _DEPTH, "alphabeta": _DEPTH, "deepening": f"{_DEPTH}|{_SECONDS}"}
_USUAL = {"minimax": "3", "alphabeta": "4", "deepening": "2s"}


class BadWord(CannotPlay, Refusal):
    """A game or a player that there is not; the text says what there is to choose from."""


@dataclass(frozen=True)
class Seat:
    """Who plays one side: `word` as a person would type it, and the function of lab.py that it calls.

    `note` is a sentence where somebody else plays than was named.
    """

    word: str
    player: Player
    function: str = ""
    note: str = ""

    @property
    def is_human(self) -> bool:
        """Whether a person makes the moves."""
        return isinstance(self.player, HumanPlayer)


def make_seat(lab: Lab, game: TwoPlayerGame, word: str) -> Seat:
    """Who plays the game by this word.  Raises BadWord and LabFailed.

    In place of a player whose function is not written yet, one plays at random.

    >>> from pathlib import Path
    >>> make_seat(Lab(Path("lab.py")), Nim(), "random:7").word
    'random:7'
    """
    name, colon, limit = word.partition(":")
    if name not in ("human", "random", *FUNCTIONS) or (colon and not re.fullmatch(_LIMITS.get(name, "-"), limit)):
        raise BadWord(f"there is no player {word[:40]!r}; choose from {PLAYER_WORDS}")
    if name == "perfect" and isinstance(game.start(), ConnectFourBoard):
        raise BadWord("perfect needs a game that can be solved, and connect_four is too large; try alphabeta:4")
    if name == "human":
        return Seat(word, HumanPlayer(game))
    if name == "random":
        seed = limit or str(random.randrange(10_000))
        return Seat(f"random:{seed}", RandomPlayer(game, int(seed)))
    limit = limit or _USUAL.get(name, "")
    try:
        function = lab.get(FUNCTIONS[name])
        _check_that_it_is_written(lab, name, function)
    except NotWritten as missing:
        seat = make_seat(lab, game, "random")
        return Seat(seat.word, seat.player, note=f"{missing}: a random player plays in place of {word}.")
    with lab.running(FUNCTIONS[name]):
        player = _make_player(name, game, function, limit)
    return Seat(f"{name}:{limit}" if limit else name, player, FUNCTIONS[name])


def _check_that_it_is_written(lab: Lab, name: str, function: Any) -> None:
    """Raise NotWritten where a move in the smallest game needs something that is not written."""
    game = Nim(1)
    try:
        with lab.running(FUNCTIONS[name]):
            _make_player(name, game, function, "1").next_move(game.start())
    except NotWritten:
        raise
    except LabFailed:
        pass  # what else goes wrong shows in the game itself


def _make_player(name: str, game: TwoPlayerGame, function: Any, limit: str) -> Player:
    if name == "minimax":
        return _Minimax(game, function, int(limit))
    if name == "perfect":
        return PerfectPlayer(game, function)
    if limit.endswith("s"):
        return SearchPlayer(game, function, seconds=float(limit[:-1]))
    return SearchPlayer(game, function, depth=int(limit))


class _Minimax(Player):
    """The student's MinimaxPlayer, with what it thinks of its move."""

    thought: Thought | None = None

    def __init__(self, game: TwoPlayerGame, make: Callable[..., Any], depth: int) -> None:
        super().__init__(game)
        self.depth, self.evaluations = depth, 0
        self.player = make(game, depth, self._estimate)

    def next_move(self, state: Any) -> Any:
        self.evaluations = 0
        move, estimate = self.player.search(self.depth, state)
        self.thought = Thought([move], score_of(estimate), self.depth, self.evaluations)
        return move

    def _estimate(self, state: Any) -> Estimate:
        self.evaluations += 1
        return self.game.estimate(state)
