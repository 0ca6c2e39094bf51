"""What the page shows: a position as plain data, by the rules of its game."""

from typing import Any

from api import DRAW, ConnectFourBoard, TwoPlayerGame
from boards.built import board_of
from boards.reading import read_boards
from grader.protocol.words import harmless
from grader.tools.position import Position
from grader.tools.student import CannotPlay
from grader.tools.table import NAMES


class BadRequest(CannotPlay):
    """Raised where a page asks for what there is not; the text is one line for a person."""


def reached(game: TwoPlayerGame, moves: list[str]) -> Position:
    """The position after these moves, each as a person types it.  Raises BadRequest.

    >>> from api import Nim
    >>> reached(Nim(), ["3", "1"]).state.pieces
    11
    """
    position = Position(game, game.start())
    for text in moves:
        there_are = possible(position)
        if text not in there_are:
            words = ", ".join(map(position.look.words, there_are.values())) or "none, it is over"
            raise BadRequest(f"{harmless(text, 40)!r} is not possible here; these are: {words}")
        position = position.after(there_are[text])
    return position


def possible(position: Position) -> dict[str, Any]:
    """The possible moves, as they are typed."""
    return {} if position.over else {str(move): move for move in position.game.moves(position.state)}


def shown(position: Position) -> dict[str, Any]:
    """All that the page shows of a position."""
    over, before = position.over, position.before
    return {
        **position.look._asdict(),
        "moves": {text: position.look.words(move) for text, move in possible(position).items()},
        "turn": str(position.turn),
        "last": [cell for cell, _ in position.changes],
        "said": f"{before.turn}: {position.look.words(position.move)}." if before else "",
        "over": position.game.outcome_to_string(over.outcome) if over else "",
        "lit": list(position.look.longest_lines()) if over and over.outcome is not DRAW else [],
    }


def shown_waiting(board: ConnectFourBoard, why: str) -> dict[str, Any]:
    """The same of a board of Connect Four that cannot be played yet."""
    look = Position(TwoPlayerGame(), board).look._asdict()
    return {**look, "moves": {}, "turn": NAMES[0], "last": [], "said": "", "over": "", "lit": [], "waits": why}


def expected(position: Position, line: list[str]) -> dict[str, Any]:
    """The moves that a search expects, in words and as changes of cells, up to one that is not possible.

    >>> from api import Nim
    >>> expected(reached(Nim(), ["3", "1"]), ["2", "no move"])
    {'words': ['take 2'], 'ghosts': [{'cell': 9, 'piece': '.', 'ply': 1}, {'cell': 10, 'piece': '.', 'ply': 1}]}
    """
    words, ghosts = [], []
    for ply, text in enumerate(line, start=1):
        there_are = possible(position)
        if text not in there_are:
            break
        words.append(position.look.words(there_are[text]))
        position = position.after(there_are[text])
        ghosts += [{"cell": cell, "piece": piece, "ply": ply} for cell, piece in position.changes]
    return {"words": words, "ghosts": ghosts}


def read_drawing(text: str) -> ConnectFourBoard:
    """The board that a name or a drawing means, also as `print(board)` draws it.  Raises BadRequest.

    >>> read_drawing("_ _ 1 2 _ _ _\\n0 1 2 3 4 5 6") == read_drawing("..12...")
    True
    """
    lines = [line.replace(" ", "").replace("_", ".") for line in text.splitlines()]
    rows = tuple(line for line in lines if line not in ("", "0123456"))
    named = read_boards().get(text.strip())
    try:
        return board_of({"board": named["board"] if named else rows, "players": NAMES})
    except ValueError as error:
        raise BadRequest(harmless(error)) from None
