"""Games and players by name, on the functions of a student's lab.py.

    table = lay_table(lab, "nim:25", "human", "minimax:3")
    table.game, table.seats[Player.MINNIE].player, table.notes

What the student did not write yet, the kit stands in for, and a note says so.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from api import ConnectFourBoard, Nim, Referee, TwoPlayerGame, TwoPlayerTicTacToe, VeryDumbNim, as_two_player_game
from api.outcomes import Side
from grader.tools.connect_four import connect_four
from grader.tools.seats import BadWord, Seat, make_seat
from grader.tools.student import Lab

GAME_WORDS = "connect_four, tic_tac_toe, nim, nim:25, very_dumb_nim, zero_by:25:1:3:4"


@dataclass
class Table:
    """A game, a seat for each side, and a sentence for each thing that the kit stands in for."""

    game: TwoPlayerGame
    seats: dict[Side, Seat]
    notes: list[str]

    @cached_property
    def referee(self) -> Referee:
        """Who asks both for their moves."""
        return Referee(self.seats[Side.MAXIE].player, self.seats[Side.MINNIE].player)


def lay_table(lab: Lab, game: str, maxie: str, minnie: str) -> Table:
    """A game and two players.  Raises BadWord, and LabFailed where the lab has nothing to play with."""
    made, notes = make_game(lab, game)
    seats = {Side.MAXIE: make_seat(lab, made, maxie), Side.MINNIE: make_seat(lab, made, minnie)}
    return Table(made, seats, [*notes, *dict.fromkeys(note for seat in seats.values() for note in seat.notes)])


def make_game(lab: Lab, word: str, board: ConnectFourBoard | None = None) -> tuple[TwoPlayerGame, list[str]]:
    """The game of this name, and notes.  Raises BadWord and LabFailed.  `board` is for Connect Four.

    >>> from pathlib import Path
    >>> make_game(Lab(Path("lab.py")), "nim:25")[0].start().pieces
    25
    """
    name, *rest = word.split(":")
    if not all(re.fullmatch("[1-9][0-9]{0,6}", number) for number in rest):
        raise BadWord(f"what follows {name!r} are positive whole numbers, as in nim:25 or zero_by:25:1:3:4")
    numbers = [int(number) for number in rest]
    if name == "connect_four" and not numbers:
        return connect_four(lab, board)
    if name == "tic_tac_toe" and not numbers:
        return TwoPlayerTicTacToe(), []
    if name in ("nim", "very_dumb_nim") and len(numbers) < 2:
        return (Nim if name == "nim" else VeryDumbNim)(*numbers), []
    if name == "zero_by" and len(numbers) > 1:
        make = lab.get("ZeroBy")
        with lab.running("ZeroBy"):
            game = as_two_player_game(make(numbers[0], tuple(numbers[1:])))
            game.moves(game.start()), game.status(game.start())
        return game, []
    raise BadWord(f"there is no game {word[:40]!r}; choose from {GAME_WORDS}")
