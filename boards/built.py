"""Builds boards, states and games from the plain data of a call.

The grader builds them to draw them.  The process that runs a student's code builds them
to make the call.
"""

from api import (
    AbstractGameState,
    ConnectFourBoard,
    Game,
    Nim,
    TicTacToe,
    as_game_state,
    two_player_state,
)
from api.trees import parse_tree, tree_state
from boards.excerpts import read_excerpt
from boards.graph_games import GraphGame, Staircase
from boards.reading import Facts

_PIECES = {".": 0, "1": 1, "2": 2}


def board_of(data: Facts) -> ConnectFourBoard:
    """A Connect Four board, from at most six rows of `.`, `1` and `2`, top row first.

    Rows that are missing on top are empty.  Raises ValueError if a piece floats, or
    if one player has too many pieces.  The message names the row and, for a square, the
    column.

    >>> players = ["Ann", "Bob"]
    >>> board = board_of({"board": ["...1..."], "players": players})
    >>> board.get_current_player_name()
    'Bob'
    >>> board_of({"board": ["1."], "players": players})
    Traceback (most recent call last):
    ValueError: row 5 has 2 squares; a row has 7
    """
    rows = ["......."] * (6 - len(data["board"])) + list(data["board"])
    for row in rows:
        strange = set(row) - set(_PIECES)
        if strange:
            raise ValueError(
                f"{min(strange)!r} stands in the row {row}; a square is `.`, `1` or `2`"
            )
    array = [[_PIECES[square] for square in row] for row in rows]
    return ConnectFourBoard(array, data["players"])


def state_of(data: Facts) -> AbstractGameState:
    """A state that is equal to the one that a call passes to a search.

    >>> state_of({"nim": 4}).is_game_over()
    False
    """
    if "tree" in data:
        return tree_state(parse_tree(data["tree"], data["negates"]))
    if "tic_tac_toe" in data:
        return as_game_state(TicTacToe(), data["tic_tac_toe"])
    if "nim" in data:
        return two_player_state(Nim(data["nim"]))
    board = board_of(data)
    return read_excerpt(board, data["excerpt"]).state(board)


def game_of(data: Facts) -> Game:
    """The game that a call passes to `solve`.

    >>> game_of({"chain": 3}).start()
    3
    """
    if "graph" in data:
        return GraphGame(
            data["graph"], data.get("moves", "list"), data.get("positions", "names")
        )
    if "chain" in data:
        return Staircase(data["chain"], jumps=False)
    if "staircase" in data:
        return Staircase(data["staircase"])
    return TicTacToe()
