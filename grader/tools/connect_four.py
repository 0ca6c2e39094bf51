"""Connect Four for the tools, by the student's part 1: without it there is no game."""

from collections.abc import Callable
from typing import Any

from api import ConnectFourBoard, TwoPlayerConnectFour, TwoPlayerGame, always_zero
from boards.points import read_points
from grader.pipe.plain import is_number
from grader.tools.student import Lab, LabFailed

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


def connect_four(lab: Lab, board: ConnectFourBoard | None = None) -> tuple[TwoPlayerGame, list[str]]:
    """Connect Four from a board, or from an empty one; and a sentence where it has no heuristic.

    Raises LabFailed where a rule is missing or wrong; the text says which.
    """
    if not is_in_the_course():
        raise LabFailed(LEFT_OUT)
    try:
        is_over, next_boards, score = (_working(lab, name) for name in RULES)
    except LabFailed as failed:
        raise LabFailed(WAITS.format(str(failed).rstrip("."))) from None
    try:
        heuristic, notes = _working(lab, HEURISTIC), []
    except LabFailed as failed:
        heuristic, notes = always_zero, [f"{failed}: every board that is not over counts 0."]
    return TwoPlayerConnectFour(is_over, next_boards, score, heuristic, board or EMPTY), notes


def is_in_the_course() -> bool:
    """Whether students write the rules: a course may leave part 1 out."""
    return any(RULES[0] in part.functions for part in read_points())


def _working(lab: Lab, name: str) -> Any:
    """A function of part 1 that passes a quick look.  Raises LabFailed for another."""
    function = lab.get(name)
    with lab.running(name):
        right = _IS_RIGHT[name](function)
    if not right:
        raise LabFailed(f"{name} is wrong on an empty board or on a won one (make test says more)")
    return function
