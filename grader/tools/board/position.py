"""Position: a game with the moves made so far, as plain data for the page, by the rules of the game."""

import copy
from typing import Any

from api import DRAW, ConnectFourBoard, Nim, Over, TwoPlayerGame
from api.games import GAMES
from api.tic_tac_toe import LINES
from boards.named import BoardDrawing, read_boards
from grader.pipe.words import harmless
from grader.tools.connect_four import NAMES, longest_lines

CONNECT_FOUR = "connect_four"
_LAYOUTS = {CONNECT_FOUR: ("columns", 7), "tic_tac_toe": ("squares", 3)}


class BadRequest(ValueError):
    """Raised where a page asks for what there is not; the text is one line for a person."""


class Position:
    """A game, of this name, after these moves, each as a person types it.  Raises BadRequest.

    >>> position = Position("nim", Nim(), ["3", "1"])
    >>> position.state.pieces, position.expected(["2", "no move"])
    (11, {'words': ['take 2'], 'ghosts': [{'cell': 9, 'piece': '.', 'ply': 1}, {'cell': 10, 'piece': '.', 'ply': 1}]})
    """

    def __init__(self, name: str, game: TwoPlayerGame, moves: list[str]) -> None:
        self.name, self.game = name, game
        self.state = self.before = game.start()
        self._last: Any = None
        for text in moves:
            move = self.parsed(text)
            if move is None:
                words = ", ".join(self._moves().values())
                raise BadRequest(
                    f"{harmless(text, 40)!r} is not possible here; these are: {words or 'none, it is over'}"
                )
            self.before, self.state, self._last = self.state, game.make_move(self.state, move), move

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        return isinstance(self.game.status(self.state), Over)

    def parsed(self, text: Any) -> Any | None:
        """The move that can be made now and is typed like this; None for any other text."""
        typed = isinstance(text, str) and text in self._moves()
        return self.game.parse_move(self.state, text) if typed else None

    def shown(self) -> dict[str, Any]:
        """All that the page shows of it.  Cells go row by row from the top, and `.` is an empty one."""
        status, mover = self.game.status(self.state), self.game.player(self.before)
        return {
            **look(self.name, _cells(self.game, self.state)),
            "moves": self._moves(),
            "turn": str(self.game.player(self.state)),
            "last": [cell for cell, _ in self._changes(self.before, self.state)],
            "said": "" if self._last is None else f"{mover}: {self._words(self._last)}.",
            "over": self.game.outcome_to_string(status.outcome) if isinstance(status, Over) else "",
            "lit": self._lit() if isinstance(status, Over) and status.outcome is not DRAW else [],
        }

    def expected(self, line: list[str]) -> dict[str, Any]:
        """The moves that a search expects, in words and as changes of cells, up to one that is not possible."""
        ahead, words, ghosts = copy.copy(self), [], []
        for ply, text in enumerate(line, start=1):
            move = ahead.parsed(text)
            if move is None:
                break
            ahead.before, ahead.state = ahead.state, self.game.make_move(ahead.state, move)
            words.append(self._words(move))
            ghosts += [
                {"cell": cell, "piece": piece, "ply": ply} for cell, piece in self._changes(ahead.before, ahead.state)
            ]
        return {"words": words, "ghosts": ghosts}

    def _moves(self) -> dict[str, str]:
        """The possible moves, as they are typed, and in words."""
        return {} if self.is_over else {str(move): self._words(move) for move in self.game.moves(self.state)}

    def _words(self, move: int) -> str:
        if self.name == CONNECT_FOUR:
            return f"column {move}"
        return f"row {move // 3 + 1}, column {move % 3 + 1}" if self.name == "tic_tac_toe" else f"take {move}"

    def _changes(self, before: Any, after: Any) -> list[tuple[int, str]]:
        """The cells that a move has changed, and what is there now."""
        pairs = zip(_cells(self.game, before), _cells(self.game, after), strict=True)
        return [(cell, new) for cell, (old, new) in enumerate(pairs) if old != new]

    def _lit(self) -> list[int]:
        """The cells that have won."""
        if isinstance(self.state, ConnectFourBoard):
            return [7 * row + column for column, row in longest_lines(self.state)]
        lines = LINES if self.name == "tic_tac_toe" else ()
        return [cell for line in lines if {self.state[c] for c in line} in ({"X"}, {"O"}) for cell in line]


def _cells(game: TwoPlayerGame | None, state: Any) -> str:
    if isinstance(state, ConnectFourBoard):
        return "".join(".12"[piece] for row in state.board_array for piece in row)
    return ("o" * state.pieces).ljust(game.pieces, ".") if isinstance(game, Nim) else str(state)


def look(name: str, cells: str) -> dict[str, Any]:
    """What a game looks like on the page."""
    layout, columns = _LAYOUTS.get(name, ("row", 15))
    return {"layout": layout, "columns": columns, "cells": cells}


def waiting(board: ConnectFourBoard, why: str) -> dict[str, Any]:
    """All that the page shows of a board of Connect Four that cannot be played yet."""
    nothing = {"moves": {}, "last": [], "lit": [], "said": "", "over": ""}
    return {**look(CONNECT_FOUR, _cells(None, board)), **nothing, "turn": NAMES[0], "waits": why}


def read_request(body: dict[str, Any]) -> tuple[str, ConnectFourBoard | None, list[str]]:
    """Game, board and moves of a request; the board is for Connect Four.  Raises BadRequest.

    >>> read_request({"game": "nim", "board": "", "moves": ["3"]})
    ('nim', None, ['3'])
    """
    name, drawn, moves = (body.get(key) for key in ("game", "board", "moves"))
    if not (isinstance(moves, list) and all(isinstance(text, str) for text in (name, drawn, *moves))):
        raise BadRequest("a game, a board and the moves are texts")
    if name not in (CONNECT_FOUR, *GAMES):
        raise BadRequest(f"there is no game {harmless(name, 40)!r}; choose from connect_four, {', '.join(GAMES)}")
    return str(name), read_drawing(str(drawn)) if name == CONNECT_FOUR else None, moves


def read_drawing(text: str) -> ConnectFourBoard:
    """The board that a name or a drawing means, also as `print(board)` draws it.  Raises BadRequest.

    >>> read_drawing("_ _ 1 2 _ _ _\\n0 1 2 3 4 5 6") == read_drawing("..12...")
    True
    """
    lines = [line.replace(" ", "").replace("_", ".") for line in text.splitlines()]
    rows = tuple(line for line in lines if line not in ("", "0123456"))
    try:
        if text.isidentifier() and text.strip("_12"):
            rows = read_boards()[text].rows
        return BoardDrawing(rows, NAMES).board()
    except KeyError:
        raise BadRequest(f"no board is named {harmless(text, 40)!r}; boards/boards.yaml names them") from None
    except ValueError as error:
        raise BadRequest(harmless(error)) from None
