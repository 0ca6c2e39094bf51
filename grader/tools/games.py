"""Games by a word each.  Connect Four runs on the part 1 of a lab.py, and zero_by on its class."""

import re

from api import GAMES, ConnectFourBoard, TwoPlayerConnectFour, TwoPlayerGame, as_two_player_game
from grader.refusal import Refusal
from grader.tools.student import CannotPlay, Lab

GAME_WORDS = "connect_four, tic_tac_toe, nim, nim:25, very_dumb_nim, zero_by:25:1:3:4"
MOVES = {"connect_four": "a column (0 to 6)", "tic_tac_toe": "a square (0 is top left, 8 is bottom right)"}
NAMES = ("Maxie", "Minnie")
RULES = ("is_game_over_connectfour", "next_boards_connectfour", "endgame_score_connectfour", "heuristic_connectfour")
EMPTY = ConnectFourBoard(players=NAMES)


class BadWord(CannotPlay, Refusal):
    """There is no such game or player; the text lists those that there are."""


def make_game(lab: Lab, word: str, board: ConnectFourBoard = EMPTY) -> TwoPlayerGame:
    """The game with this name; `board` is for Connect Four.  Raises BadWord and LabFailed.

    >>> from pathlib import Path
    >>> make_game(Lab(Path("lab.py")), "nim:25").start().pieces
    25
    """
    name, *rest = word.split(":")
    if not all(re.fullmatch("[1-9][0-9]{0,6}", number) for number in rest):
        examples = "positive whole numbers of at most seven digits, as in nim:25 or zero_by:25:1:3:4"
        raise BadWord(f"the numbers after {name!r} must be {examples}")
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
                game.status(game.start())  # which names a class that is not written yet
            return game
    raise BadWord(f"there is no game {word[:40]!r}; choose from {GAME_WORDS}")
