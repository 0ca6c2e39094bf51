"""Connect Four for the tools: by the student's part 1 where that works, else by the kit's rules."""

from collections.abc import Callable
from typing import Any

from api import ConnectFourBoard, TwoPlayerConnectFour, TwoPlayerGame, always_zero
from api.chains import EAST, SOUTH, SOUTH_EAST, SOUTH_WEST
from grader.show import is_number
from grader.tools.student import Lab, LabFailed

RULES = ("is_game_over", "next_boards", "endgame_score")
NAMES = ("Maxie", "Minnie")
EMPTY = ConnectFourBoard(players=NAMES)
WON = ConnectFourBoard([[0] * 7] * 4 + [[2, 2, 2, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0]], players=NAMES)

_RIGHT: dict[str, Callable[[Any], bool]] = {
    "is_game_over_connectfour": lambda function: function(EMPTY) is False and function(WON) is True,
    "next_boards_connectfour": lambda function: len({after.board_array[5].index(1) for after in function(EMPTY)}) == 7,
    "endgame_score_connectfour": lambda function: function(WON, False) > 0 > function(WON, True),
    "heuristic_connectfour": lambda function: is_number(function(EMPTY, True)),
}


def connect_four(lab: Lab, board: ConnectFourBoard | None = None) -> tuple[TwoPlayerGame, list[str]]:
    """Connect Four from a board, or from an empty one; and a sentence for what the kit stands in for."""
    try:
        is_over, next_boards, score = (_working(lab, f"{name}_connectfour") for name in RULES)
    except LabFailed as failed:
        return KitConnectFour(_heuristic(lab)[0], board), [f"{failed}: the kit's own rules are used."]
    heuristic, notes = _heuristic(lab)
    return TwoPlayerConnectFour(is_over, next_boards, score, heuristic, board or EMPTY), notes


def _working(lab: Lab, name: str) -> Any:
    """A function of part 1 that passes a quick look.  Raises LabFailed for another."""
    function = lab.get(name)
    with lab.running(name):
        right = _RIGHT[name](function)
    if not right:
        raise LabFailed(f"{name} is wrong on an empty board or on a won one (make test says more)")
    return function


def winning_squares(board: ConnectFourBoard) -> set[tuple[int, int]]:
    """The squares, as (column, row), of every chain of four or more.

    >>> sorted(winning_squares(WON))
    [(0, 5), (1, 5), (2, 5), (3, 5)]
    """
    rows = board.board_array
    lit = 0
    for piece in (1, 2):
        own = sum(1 << 8 * row + column for row in range(6) for column in range(7) if rows[row][column] == piece)
        for step in (EAST, SOUTH, SOUTH_WEST, SOUTH_EAST):
            pairs = own & own >> step
            fours = pairs & pairs >> 2 * step
            lit |= fours | fours << step | fours << 2 * step | fours << 3 * step
    return {(column, row) for row in range(6) for column in range(7) if lit >> 8 * row + column & 1}


class KitConnectFour(TwoPlayerConnectFour):
    """Connect Four by the kit's own rules, for a student who did not write part 1 yet.

    >>> game = KitConnectFour(always_zero, WON)
    >>> game.status(game.start())
    Over(outcome=Winner(Player.MAXIE))
    """

    def __init__(self, heuristic: Callable[[ConnectFourBoard, bool], float], board: ConnectFourBoard | None) -> None:
        super().__init__(_is_over, _next_boards, _end_score, heuristic, board or EMPTY)


def _is_over(board: ConnectFourBoard) -> bool:
    return board.count_pieces() == 42 or bool(winning_squares(board))


def _next_boards(board: ConnectFourBoard) -> list[ConnectFourBoard]:
    return [board.add_piece(column) for column, piece in enumerate(board.board_array[0]) if not piece]


def _end_score(board: ConnectFourBoard, is_current_player_maximizer: bool) -> int:
    return 0 if not winning_squares(board) else -1 if is_current_player_maximizer else 1


def _heuristic(lab: Lab) -> tuple[Callable[[ConnectFourBoard, bool], float], list[str]]:
    try:
        return _working(lab, "heuristic_connectfour"), []
    except LabFailed as failed:
        return always_zero, [f"{failed}: every board that is not over counts 0."]
