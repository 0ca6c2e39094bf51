"""A table: a game and two players by name, on the functions of a student's lab.py.

    table = lay_table(lab, "nim:25", "human", "minimax:3")
    table.game, table.seats[Player.MINNIE].player, table.notes

What the student did not write yet, the kit stands in for, and a note says so; but no rule of Connect Four, which is
played by the student's part 1.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from api import GAMES, ConnectFourBoard, Referee, TwoPlayerConnectFour, TwoPlayerGame, always_zero, as_two_player_game
from api.outcomes import Side
from boards.cases import read_points
from grader.protocol.plain import is_number
from grader.tools.position import Position
from grader.tools.seats import BadWord, Seat, make_seat
from grader.tools.student import Lab, LabFailed

GAME_WORDS = "connect_four, tic_tac_toe, nim, nim:25, very_dumb_nim, zero_by:25:1:3:4"
NAMES = ("Maxie", "Minnie")
EMPTY = ConnectFourBoard(players=NAMES)
WON = ConnectFourBoard([[0] * 7] * 4 + [[2, 2, 2, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0]], players=NAMES)
WAITS = "Connect Four is played by your part 1, and waits for it: {}. Meanwhile there are other games, such as nim."
LEFT_OUT = "Connect Four is played by part 1, which this course leaves out. There are other games, such as nim."

_IS_RIGHT: dict[str, Callable[[Any], bool]] = {
    "is_game_over_connectfour": lambda function: function(EMPTY) is False and function(WON) is True,
    "next_boards_connectfour": lambda function: len({after.board_array[5].index(1) for after in function(EMPTY)}) == 7,
    "endgame_score_connectfour": lambda function: function(WON, False) > 0 > function(WON, True),
    "heuristic_connectfour": lambda function: is_number(function(EMPTY, True)),
}
*RULES, HEURISTIC = _IS_RIGHT


@dataclass
class Table:
    """A game, a seat for each side, and a sentence for each thing that the kit stands in for."""

    lab: Lab
    game: TwoPlayerGame
    seats: dict[Side, Seat]
    notes: list[str]

    @cached_property
    def referee(self) -> Referee:
        """Who asks both for their moves."""
        return Referee(self.seats[Side.MAXIE].player, self.seats[Side.MINNIE].player)

    def start(self) -> Position:
        """Where the game begins."""
        return Position(self.game, self.game.start())

    def move(self, position: Position) -> Any:
        """The move of a program whose turn it is.  Raises LabFailed."""
        with self.lab.running(self.seats[position.turn].function):
            return self.referee.next_move(position.state)


def lay_table(lab: Lab, game: str, maxie: str, minnie: str) -> Table:
    """A game and two players.  Raises BadWord, and LabFailed where the lab has nothing to play with."""
    made, notes = make_game(lab, game)
    seats = {Side.MAXIE: make_seat(lab, made, maxie), Side.MINNIE: make_seat(lab, made, minnie)}
    return Table(lab, made, seats, [*notes, *dict.fromkeys(note for seat in seats.values() for note in seat.notes)])


def make_game(lab: Lab, word: str, board: ConnectFourBoard = EMPTY) -> tuple[TwoPlayerGame, list[str]]:
    """The game of this name, and notes.  Raises BadWord and LabFailed.  `board` is for Connect Four.

    >>> from pathlib import Path
    >>> make_game(Lab(Path("lab.py")), "nim:25")[0].start().pieces
    25
    """
    name, *rest = word.split(":")
    if not all(re.fullmatch("[1-9][0-9]{0,6}", number) for number in rest):
        wanted = "positive whole numbers of at most seven digits, as in nim:25 or zero_by:25:1:3:4"
        raise BadWord(f"what follows {name!r} are {wanted}")
    numbers = [int(number) for number in rest]
    match name, numbers:
        case "connect_four", []:
            return _connect_four(lab, board)
        case ("tic_tac_toe", []) | ("nim" | "very_dumb_nim", [] | [_]):
            return GAMES[name](*numbers), []
        case "zero_by", [pieces, _, *_]:
            make = lab.get("ZeroBy")
            with lab.running("ZeroBy"):
                game = as_two_player_game(make(pieces, tuple(numbers[1:])))
                game.moves(game.start()), game.status(game.start())
            return game, []
    raise BadWord(f"there is no game {word[:40]!r}; choose from {GAME_WORDS}")


def is_in_the_course() -> bool:
    """Whether students write the rules of Connect Four: a course may leave part 1 out."""
    return any(RULES[0] in part.functions for part in read_points())


def _connect_four(lab: Lab, board: ConnectFourBoard) -> tuple[TwoPlayerGame, list[str]]:
    """Connect Four from a board, and a sentence where it has no heuristic.

    Raises LabFailed where a rule is missing, or wrong at a quick look; the text says which.
    """
    if not is_in_the_course():
        raise LabFailed(LEFT_OUT)
    lab.get("__doc__")  # of a lab.py that cannot be imported, for which no other game is better
    functions, notes = [], []
    for name, is_right in _IS_RIGHT.items():
        try:
            functions.append(lab.get(name))
            with lab.running(name):
                if not is_right(functions[-1]):
                    raise LabFailed(f"{name} is wrong on an empty board or on a won one (make test says more)")
        except LabFailed as failed:
            if name != HEURISTIC:
                raise LabFailed(WAITS.format(str(failed).rstrip("."))) from None
            functions[3:] = [always_zero]
            notes.append(f"{failed}: every board that is not over counts 0.")
    is_over, next_boards, score, heuristic = functions
    return TwoPlayerConnectFour(is_over, next_boards, score, heuristic, board), notes
