"""TicTacToe: a small game, ready to be solved and searched.

A position is nine characters, row by row: `X` and `O` for pieces, `.` for an empty square.  X
moves first.  A move is the number of a square:

    0 1 2
    3 4 5
    6 7 8
"""

from api.game import Game, Value

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

_PLACES = (
    "top left corner",
    "top edge",
    "top right corner",
    "left edge",
    "middle",
    "right edge",
    "bottom left corner",
    "bottom edge",
    "bottom right corner",
)


class TicTacToe(Game):
    """Three in a row wins.

    >>> game = TicTacToe()
    >>> game.do_move(game.start(), 4)
    '....X....'
    >>> list(game.get_moves("XOXOXO..."))
    [6, 7, 8]
    >>> game.terminal_value("XXXOO....").name
    'LOSE'
    """

    def start(self) -> str:
        return "." * 9

    def get_moves(self, position: str) -> list[int]:
        return [square for square, piece in enumerate(position) if piece == "."]

    def do_move(self, position: str, move: int) -> str:
        """The position with the mover's piece on a square; ValueError where that is taken."""
        if position[move] != ".":
            raise ValueError(f"square {move} of {position} is taken")
        return position[:move] + self.to_move(position) + position[move + 1 :]

    def terminal_value(self, position: str) -> Value | None:
        """LOSE once the other player has three in a row, TIE on a full board, else None."""
        rival = "X" if self.to_move(position) == "O" else "O"
        if any(position[a] == position[b] == position[c] == rival for a, b, c in LINES):
            return Value.LOSE
        return None if "." in position else Value.TIE

    def to_move(self, position: str) -> str:
        """Whose turn it is: X while both have the same number of pieces."""
        return "X" if position.count("X") == position.count("O") else "O"

    def describe_move(self, position: str, move: int) -> str:
        """The move that led to `position`, in words."""
        return f"Put {position[move]} in the {_PLACES[move]}."

    def draw(self, position: str) -> str:
        """The position as three lines."""
        return "\n".join(" ".join(position[row : row + 3]) for row in (0, 3, 6))
