"""Writes the excerpts of Connect Four that cases carry (boards/excerpts.py), as the
model solution plays it.

Never ships.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from api import ConnectFourBoard
from boards.built import board_of
from boards.excerpts import name_of_excerpt, rows_of
from boards.reading import Drawing
from grader.bank.points import read_points
from staff.strict.kind import AskAll

MOST_BOARDS, AT_ONCE = 2_000, 200


def write_excerpt(drawing: Drawing, plies: int, ask: AskAll) -> str:
    """The excerpt from a board on, so many plies deep; `ask` has the model answer calls
    of a function.

    Raises ValueError if too many boards lie below it.
    """
    words = []
    layer, seen = [board_of(drawing)], {board_of(drawing)}
    for ply in range(plies + 1):
        if len(seen) > MOST_BOARDS:
            below = name_of_excerpt(drawing["board"])
            raise ValueError(
                f"more than {MOST_BOARDS:,} boards lie below {below}, too many to be kept as "
                "data; take a board with fewer empty squares"
            )
        known = [
            word
            for start in range(0, len(layer), AT_ONCE)
            for word in _words_for(layer[start : start + AT_ONCE], ask)
        ]
        words += known
        after = (
            board.add_piece(int(column))
            for board, word in zip(layer, known, strict=True)
            if "/" not in word and ply < plies
            for column in word
        )
        layer = [board for board in after if board not in seen and not seen.add(board)]  # type: ignore[func-returns-value]
    return " ".join(words)


def _words_for(boards: list[ConnectFourBoard], ask: AskAll) -> list[str]:
    """A word for each board: the columns of its moves, or the scores of a finished
    game.
    """
    if not boards:
        return []
    inputs = [
        {"board": rows_of(board), "players": list(board.players)} for board in boards
    ]
    successors = ask(_rule("moves"), inputs)
    words = [
        "".join(map(str, columns_of(board, after)))
        for board, after in zip(boards, successors, strict=True)
    ]
    over = [given for given, word in zip(inputs, words, strict=True) if not word]
    flagged = [{**given, "maximizer": flag} for given in over for flag in (True, False)]
    scores = iter(ask(_rule("score"), flagged) if flagged else [])
    return [word or f"{next(scores)}/{next(scores)}" for word in words]


def _rule(returns: str) -> str:
    """The name of the function on boards that returns this."""
    functions = (
        function for part in read_points() for function in part.graded.values()
    )
    return next(
        one.name for one in functions if (one.kind, one.returns) == ("board", returns)
    )


def columns_of(
    before: ConnectFourBoard, after: Sequence[Mapping[str, Any]]
) -> list[int]:
    """The columns of the moves that lead from a board to others, given as the child
    encodes them.
    """
    heights = [before.get_column_height(column) for column in range(7)]
    open_columns = [column for column in range(7) if heights[column] < 6]
    return [
        next(c for c in open_columns if board["$board"][5 - heights[c]][c] != ".")
        for board in after
    ]
