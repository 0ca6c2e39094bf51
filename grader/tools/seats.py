"""Makes players from the words that people type for them, such as `minimax:3`.

The players that this module makes are programs.  All of them call a function of lab.py,
except `random` and the rungs, which are the kit's own players.
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
from grader.ladder.contestant import BUDGET
from grader.ladder.rungs import RUNGS, Rung
from grader.refusal import Refusal, like
from grader.tools.student import Lab

PLAYER_WORDS = (
    "human, random, random:7, minimax:3, alphabeta:4, deepening:2s, perfect, rung:5"
)
FUNCTIONS = {
    "minimax": "MinimaxPlayer",
    "alphabeta": "minimax_search_alphabeta",
    "deepening": "progressive_deepening",
    "perfect": "solve",
}
PROGRAMS = ("random", "rung", *FUNCTIONS)
_DEPTH, _SECONDS = "[1-9][0-9]?", r"(?=.*[1-9])[0-9]{1,3}(\.[0-9]+)?s"
# A colon and a limit, such as a depth, may follow the word for a player.  For each word
# that may have a limit, this table has the form of the limit, as a regular expression.
_LIMITS = {
    "random": "[0-9]{1,9}",
    "rung": f"[{RUNGS[0]}-{RUNGS[-1]}]",
    "minimax": _DEPTH,
    "alphabeta": _DEPTH,
    "deepening": f"{_DEPTH}|{_SECONDS}",
}
Tell = Callable[[Thought], object]
# The limit of a player if none is typed.  A random player is not in this table, because
# it gets a new seed each time.
_USUAL = {
    "minimax": "3",
    "alphabeta": "4",
    "deepening": "2s",
    "perfect": "",
    "rung": "3",
}


@dataclass(frozen=True)
class Seat:
    """One side of a game, and the player who plays it."""

    word: str  # human, or the word of a program with its limit
    player: Player
    function: str = "lab.py"  # the function of lab.py that the player calls
    who: str = ""  # the player in words; empty for a human


class RungPlayer(Player):
    """A player of Connect Four that makes the moves of a rung of the ladder."""

    def __init__(self, game: TwoPlayerGame, rung: Rung) -> None:
        super().__init__(game)
        self._rung = rung

    def next_move(self, state: ConnectFourBoard) -> int:
        return self._rung.move(state, BUDGET).column


def make_seat(
    lab: Lab, game: TwoPlayerGame, word: str, tell: Tell = lambda thought: None
) -> Seat:
    """Make the program that `word` names, as a player of this game.

    If the program is `alphabeta` or `deepening`, it calls `tell` with the result of
    each search.  Raises Refusal if there is no such player for this game, and
    CannotPlay if lab.py fails.

    >>> from api import Nim
    >>> from pathlib import Path
    >>> make_seat(Lab(Path("lab.py")), Nim(), "random:7").word
    'random:7'
    """
    name, colon, limit = word.partition(":")
    there_is_no = f"there is no player {word[:40]!r}"
    choose = f"choose from {PLAYER_WORDS}"
    if name not in PROGRAMS:
        raise Refusal(f"{there_is_no}{like(name, ('human', *PROGRAMS), choose)}")
    if colon and not re.fullmatch(_LIMITS.get(name, "-"), limit):
        raise Refusal(f"{there_is_no}; {choose}")
    is_connect_four = isinstance(game.start(), ConnectFourBoard)
    if name == "rung" and not is_connect_four:
        raise Refusal("the rungs of the ladder play only connect_four")
    if name == "perfect" and is_connect_four:
        raise Refusal(
            "perfect needs a game that can be solved, and connect_four is too large; "
            "try alphabeta:4"
        )
    chance = random.randrange(10_000)
    limit = limit or _USUAL.get(name, str(chance))
    word = f"{name}:{limit}".rstrip(":")
    if name == "random":
        return Seat(word, RandomPlayer(game, int(limit)), who=word)
    if name == "rung":
        rung = RungPlayer(game, Rung(int(limit), chance))
        return Seat(word, rung, who=f"the ladder's rung {limit}")
    function = lab.get(FUNCTIONS[name])
    with lab.running(FUNCTIONS[name]):
        player = _make_player(name, game, function, limit, tell)
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
