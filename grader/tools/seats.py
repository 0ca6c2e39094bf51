"""The players that are programs, each by its word: random:7, minimax:3, alphabeta:4,
deepening:2s, perfect.

All but random use a function of lab.py.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from api import (
    ConnectFourBoard,
    PerfectPlayer,
    Player,
    RandomPlayer,
    SearchPlayer,
    TwoPlayerGame,
)
from api.players import Thought
from grader.refusal import Refusal, like
from grader.tools.student import Lab

PLAYER_WORDS = "human, random, random:7, minimax:3, alphabeta:4, deepening:2s, perfect"
FUNCTIONS = {
    "minimax": "MinimaxPlayer",
    "alphabeta": "minimax_search_alphabeta",
    "deepening": "progressive_deepening",
    "perfect": "solve",
}
_DEPTH, _SECONDS = "[1-9][0-9]?", r"(?=.*[1-9])[0-9]{1,3}(\.[0-9]+)?s"
_LIMITS = {  # what may stand behind the colon; a word that is not here takes none
    "random": "[0-9]{1,9}",
    "minimax": _DEPTH,
    "alphabeta": _DEPTH,
    "deepening": f"{_DEPTH}|{_SECONDS}",
}
Tell = Callable[[Thought], object]
# The limit of a word that names none.
_USUAL = {"minimax": "3", "alphabeta": "4", "deepening": "2s", "perfect": ""}


@dataclass(frozen=True)
class Seat:
    """Who plays one side of a game."""

    word: str  # human, or the word of a program with its limit
    player: Player
    function: str = "lab.py"  # the function of lab.py that the player calls
    who: str = ""  # the player in words; empty for a human


def make_seat(
    lab: Lab, game: TwoPlayerGame, word: str, tell: Tell = lambda thought: None
) -> Seat:
    """A program that plays this game; `tell` is called with the result of each search.

    Raises Refusal if there is no such player, and LabFailed.

    >>> from api import Nim
    >>> from pathlib import Path
    >>> make_seat(Lab(Path("lab.py")), Nim(), "random:7").word
    'random:7'
    """
    name, colon, limit = word.partition(":")
    there_is_no = f"there is no player {word[:40]!r}"
    choose = f"choose from {PLAYER_WORDS}"
    if name not in ("random", *FUNCTIONS):
        names = ("human", "random", *FUNCTIONS)
        raise Refusal(f"{there_is_no}{like(name, names, choose)}")
    if colon and not re.fullmatch(_LIMITS.get(name, "-"), limit):
        raise Refusal(f"{there_is_no}; {choose}")
    if name == "perfect" and isinstance(game.start(), ConnectFourBoard):
        raise Refusal(
            "perfect needs a game that can be solved, and connect_four is too large; "
            "try alphabeta:4"
        )
    if name == "random":
        seed = limit or str(random.randrange(10_000))
        word = f"random:{seed}"
        return Seat(word, RandomPlayer(game, int(seed)), who=word)
    limit = limit or _USUAL[name]
    function = lab.get(FUNCTIONS[name])
    with lab.running(FUNCTIONS[name]):
        player = _make_player(name, game, function, limit, tell)
    word = f"{name}:{limit}".rstrip(":")
    return Seat(word, player, FUNCTIONS[name], f"your {FUNCTIONS[name]} ({word})")


def _make_player(
    name: str, game: TwoPlayerGame, function: Callable[..., Any], limit: str, tell: Tell
) -> Player:
    if name == "minimax":
        return cast(Player, function(game, int(limit)))
    if name == "perfect":
        return PerfectPlayer(game, function)
    if limit.endswith("s"):
        return SearchPlayer(game, function, seconds=float(limit[:-1]), tell=tell)
    return SearchPlayer(game, function, depth=int(limit), tell=tell)
