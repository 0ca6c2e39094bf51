"""A table: a game and two players by name, on the functions of a student's lab.py.

    table = lay_table(lab, "nim:25", "human", "minimax:3")
    table.game, table.seats[Player.MINNIE].player

Connect Four is played by the student's part 1, and zero_by by the student's class.
"""

import re
from dataclasses import dataclass
from typing import Any

from api import GAMES, ConnectFourBoard, Referee, TwoPlayerConnectFour, TwoPlayerGame, as_two_player_game
from api.outcomes import Side
from grader.tools.position import Position
from grader.tools.seats import BadWord, Seat, make_seat
from grader.tools.student import Lab, LabFailed

GAME_WORDS = "connect_four, tic_tac_toe, nim, nim:25, very_dumb_nim, zero_by:25:1:3:4"
NAMES = ("Maxie", "Minnie")
RULES = ("is_game_over_connectfour", "next_boards_connectfour", "endgame_score_connectfour", "heuristic_connectfour")
EMPTY = ConnectFourBoard(players=NAMES)
WAITS = "Connect Four is played by your part 1, and waits for it: {}. Meanwhile there are other games, such as nim."


@dataclass
class Table:
    """A game, and a seat for each side."""

    lab: Lab
    game: TwoPlayerGame
    seats: dict[Side, Seat]

    def start(self) -> Position:
        """Where the game begins."""
        return Position(self.game, self.game.start())

    def move(self, position: Position) -> Any:
        """The move of a program whose turn it is.  Raises LabFailed."""
        referee = Referee(self.seats[Side.MAXIE].player, self.seats[Side.MINNIE].player)
        with self.lab.running(self.seats[position.turn].function):
            return referee.next_move(position.state)


def lay_table(lab: Lab, game: str, maxie: str, minnie: str) -> Table:
    """A game and two players.  Raises BadWord, and LabFailed where the lab has nothing to play with."""
    made = make_game(lab, game)
    return Table(lab, made, {Side.MAXIE: make_seat(lab, made, maxie), Side.MINNIE: make_seat(lab, made, minnie)})


def make_game(lab: Lab, word: str, board: ConnectFourBoard = EMPTY) -> TwoPlayerGame:
    """The game of this name; `board` is for Connect Four.  Raises BadWord and LabFailed.

    >>> from pathlib import Path
    >>> make_game(Lab(Path("lab.py")), "nim:25").start().pieces
    25
    """
    name, *rest = word.split(":")
    if not all(re.fullmatch("[1-9][0-9]{0,6}", number) for number in rest):
        examples = "positive whole numbers of at most seven digits, as in nim:25 or zero_by:25:1:3:4"
        raise BadWord(f"what follows {name!r} are {examples}")
    numbers = [int(number) for number in rest]
    match name, numbers:
        case "connect_four", []:
            return _connect_four(lab, board)
        case ("tic_tac_toe", []) | ("nim" | "very_dumb_nim", [] | [_]):
            return GAMES[name](*numbers)
        case "zero_by", [pieces, _, *_]:
            make = lab.get("ZeroBy")
            with lab.running("ZeroBy"):
                game = as_two_player_game(make(pieces, tuple(numbers[1:])))
                _try_rules(game)
            return game
    raise BadWord(f"there is no game {word[:40]!r}; choose from {GAME_WORDS}")


def _connect_four(lab: Lab, board: ConnectFourBoard) -> TwoPlayerGame:
    """Connect Four from a board.  Raises LabFailed where a rule is missing or fails; the text says which."""
    lab.get("__doc__")  # of a lab.py that cannot be imported, for which no other game is better
    try:
        with lab.running():
            is_over, next_boards, score, heuristic = map(lab.get, RULES)
            game = TwoPlayerConnectFour(is_over, next_boards, score, heuristic, board)
            _try_rules(game)
    except LabFailed as failed:
        raise LabFailed(WAITS.format(str(failed).rstrip("."))) from None
    return game


def _try_rules(game: TwoPlayerGame) -> None:
    """Ask for what every game asks first, so that rules which are not written are named before it begins."""
    position = Position(game, game.start())
    if not position.over:
        game.moves(position.state)
