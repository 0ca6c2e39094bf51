"""Knows the games that students can play: what people type to choose a game, and the
rules of the game.

Connect Four uses part 1 of lab.py, and zero_by uses the class ZeroBy.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from api import (
    GAMES,
    ConnectFourBoard,
    Nim,
    TwoPlayerConnectFour,
    TwoPlayerGame,
    as_two_player_game,
)
from grader.protocol.text import plural
from grader.refusal import Refusal, like
from grader.tools.student import Lab

GAME_WORDS = "connect_four, tic_tac_toe, nim, nim:25, very_dumb_nim, zero_by:25:1:3:4"
GAME_NAMES = ("connect_four", "tic_tac_toe", "nim", "very_dumb_nim", "zero_by")
NAMES = ("Maxie", "Minnie")
RULES = (
    "is_game_over_connectfour",
    "next_boards_connectfour",
    "endgame_score_connectfour",
    "heuristic_connectfour",
)
EMPTY = ConnectFourBoard(players=NAMES)


@dataclass(frozen=True)
class About:
    """What a tool says about a game."""

    rules: str  # sentences
    move: str  # says what a person types for a move
    # The names of Maxie's pieces and of Minnie's pieces.  Empty if both players use the
    # same pieces.
    pieces: tuple[str, str] = ("", "")


CONNECT_FOUR = About(
    "Connect Four: drop a piece into a column. Whoever first has four in a row wins: "
    "horizontally, vertically or diagonally. Your part 1 says which moves are legal "
    "and when the game is over.",
    "a column (0 to 6)",
    ("piece 1", "piece 2"),
)
TIC_TAC_TOE = About(
    "Tic-tac-toe: put a piece on an empty square. "
    "Whoever first has three in a row wins.",
    "a square (0 is top left, 8 is bottom right)",
    ("X", "O"),
)
NIM = "Nim with {}: take 1, 2 or 3 on each turn. Whoever takes the last piece loses."
ZERO_BY = (
    "zero_by with {}: take {} on each turn. If a removal is larger than what is left, "
    "you may take all that is left. Whoever takes the last item wins. Your ZeroBy says "
    "which moves are legal."
)


def make_game(lab: Lab, word: str, board: ConnectFourBoard = EMPTY) -> TwoPlayerGame:
    """Make the game that `word` names.  Connect Four begins with `board`.

    Raises Refusal if there is no such game, and CannotPlay if lab.py fails.

    >>> from pathlib import Path
    >>> make_game(Lab(Path("lab.py")), "nim:25").start().pieces
    25
    """
    name, *rest = word.split(":")
    choose = f"choose from {GAME_WORDS}"
    if name not in GAME_NAMES:
        near = like(name, GAME_NAMES, choose)
        raise Refusal(f"there is no game {word[:40]!r}{near}")
    if not all(re.fullmatch("[1-9][0-9]{0,6}", number) for number in rest):
        raise Refusal(
            f"the numbers after {name!r} must be positive whole numbers of at most "
            "seven digits, as in nim:25 or zero_by:25:1:3:4"
        )
    numbers = [int(number) for number in rest]
    match name, numbers:
        case "connect_four", []:
            is_over, next_boards, score, heuristic = map(lab.get, RULES)
            return TwoPlayerConnectFour(is_over, next_boards, score, heuristic, board)
        case ("tic_tac_toe", []) | ("nim" | "very_dumb_nim", [] | [_]):
            return GAMES[name](*numbers)
        case "zero_by", [pieces, _, *_]:
            make = lab.get("ZeroBy")
            with lab.running("ZeroBy"):
                game = as_two_player_game(make(pieces, tuple(numbers[1:])))
                # This call is made to see whether ZeroBy is written.  If it is not, the
                # tool should fail now, and not in the middle of the game.
                game.status(game.start())
            return game
    raise Refusal(f"there is no game {word[:40]!r}; {choose}")


def about(word: str) -> About:
    """Return what a tool says about the game that `word` names.

    make_game must be able to make a game from `word`.

    >>> about("nim:1").rules
    'Nim with 1 piece: take 1, 2 or 3 on each turn. Whoever takes the last piece loses.'
    >>> about("zero_by:9:4:1:4").rules[:45]
    'zero_by with 9 items: take 1 or 4 on each tur'
    """
    name, *numbers = word.split(":")
    if name == "connect_four":
        return CONNECT_FOUR
    if name == "tic_tac_toe":
        return TIC_TAC_TOE
    if name == "zero_by":
        items, *removals = map(int, numbers)
        return About(
            ZERO_BY.format(plural(items, "item"), _either(removals)),
            "a move in the form that your ZeroBy uses",
        )
    pieces = int(numbers[0]) if numbers else Nim().pieces
    return About(NIM.format(plural(pieces, "piece")), "a number to take (1, 2 or 3)")


def _either(numbers: Iterable[int]) -> str:
    """Return the numbers as a choice in words.  The numbers come in increasing order,
    and each comes once.  There must be at least one number.

    >>> _either([4, 1, 3, 1]), _either([5])
    ('1, 3 or 4', '5')
    """
    *others, last = map(str, sorted(set(numbers)))
    return f"{', '.join(others)} or {last}" if others else last
