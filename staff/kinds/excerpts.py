"""Writes the excerpts of Connect Four that case files hold.  Never ships.

An excerpt says for some boards which moves are legal, or how the game has ended.
boards/excerpts.py has the format.  This module asks the model solution for these facts.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from api import ConnectFourBoard
from boards.built import board_of
from boards.excerpts import name_of_excerpt, rows_of
from boards.reading import Drawing
from boards.refusal import Refusal
from grader.bank.points import read_points
from staff.strict.kind import AskAll

MOST_BOARDS = 2_000
AT_ONCE = 200  # how many boards the model is asked about in one request


def write_excerpt(drawing: Drawing, plies: int, ask: AskAll) -> str:
    """Return the text of the excerpt that begins at a board and is this many plies
    deep.

    `ask` lets the model solution answer calls of a function.  Raises Refusal if too
    many boards are below the first one, or if the model solution fails.
    """
    words = []
    layer = [board_of(drawing)]
    seen = set(layer)
    for ply in range(plies + 1):
        if len(seen) > MOST_BOARDS:
            below = name_of_excerpt(drawing["board"])
            raise Refusal(
                f"more than {MOST_BOARDS:,} boards lie below {below}, too many to be "
                "kept as data; take a board with fewer empty squares"
            )
        words_of_layer = []
        for start in range(0, len(layer), AT_ONCE):
            words_of_layer += _words_for(layer[start : start + AT_ONCE], ask)
        words += words_of_layer
        if ply < plies:
            layer = _next_layer(layer, words_of_layer, seen)
    return " ".join(words)


def _next_layer(
    layer: Sequence[ConnectFourBoard],
    words: Sequence[str],
    seen: set[ConnectFourBoard],
) -> list[ConnectFourBoard]:
    """Return all boards to which one move leads from the boards of a layer.

    `words` has the word of the excerpt for each board in the layer.  Each new board is
    returned once, and is added to `seen`.  Boards that are in `seen` already are left
    out.
    """
    below = []
    for board, word in zip(layer, words, strict=True):
        columns = "" if "/" in word else word  # nobody moves in a finished game
        for column in columns:
            after = board.add_piece(int(column))
            if after not in seen:
                seen.add(after)
                below.append(after)
    return below


def _words_for(boards: list[ConnectFourBoard], ask: AskAll) -> list[str]:
    """Return the word of the excerpt for each board.

    The word has the columns of the moves, as in `0123456`.  If the game is over on the
    board, the word has two scores instead: first the score with the maximizer to move,
    and then the score with the minimizer to move.
    """
    inputs = [
        {"board": rows_of(board), "players": list(board.players)} for board in boards
    ]
    successors = ask(_rule("moves"), inputs)
    words = []
    for board, after in zip(boards, successors, strict=True):
        words.append("".join(map(str, columns_of(board, after))))
    finished = [given for given, word in zip(inputs, words, strict=True) if not word]
    if not finished:
        return words
    flagged = []
    for given in finished:
        flagged.append({**given, "maximizer": True})
        flagged.append({**given, "maximizer": False})
    scores = iter(ask(_rule("score"), flagged))
    return [word or f"{next(scores)}/{next(scores)}" for word in words]


def _rule(returns: str) -> str:
    """Return the name of a graded function on boards.

    It is the function that has this value of `returns` in points.yaml.  Raises
    LookupError if there is none.
    """
    for part in read_points():
        for function in part.graded.values():
            if (function.kind, function.returns) == ("board", returns):
                return function.name
    raise LookupError(returns)


def columns_of(
    before: ConnectFourBoard, after: Sequence[Mapping[str, Any]]
) -> list[int]:
    """Return the columns of the moves that lead from one board to other boards.

    `after` has the other boards as plain data, in the form in which a child sends them.
    """
    heights = [before.get_column_height(column) for column in range(7)]
    open_columns = [column for column in range(7) if heights[column] < 6]
    columns = []
    for board in after:
        rows = board["$board"]
        filled = (c for c in open_columns if rows[5 - heights[c]][c] != ".")
        columns.append(next(filled))
    return columns
