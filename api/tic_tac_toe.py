"""TicTacToe: a small game to solve and to search; TwoPlayerTicTacToe: to play.

A position is nine characters, row by row: `X` and `O` for pieces, `.` for an empty
square.  X moves first.  A move is the number of a square:

    0 1 2
    3 4 5
    6 7 8
"""

from api.adapters import status_of
from api.game import Game, Value
from api.outcomes import Guess, Side, Status
from api.two_player import Player, TwoPlayerGame

_ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
# The rows, the columns and the two diagonals.
LINES = (*_ROWS, *zip(*_ROWS, strict=True), (0, 4, 8), (2, 4, 6))

_PLACES = (
    "top left corner", "top edge", "top right corner",
    "left edge", "middle", "right edge",
    "bottom left corner", "bottom edge", "bottom right corner",
)  # fmt: skip


class TicTacToe(Game):
    """Tic-tac-toe as a `Game`.  Three in a row win.

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
        """The position with the mover's piece on a square.

        Raises ValueError if the square is taken.
        """
        if position[move] != ".":
            raise ValueError(f"square {move} of {position} is taken")
        return position[:move] + self.to_move(position) + position[move + 1 :]

    def terminal_value(self, position: str) -> Value | None:
        """The value of a finished game, for the player who would move next.

        LOSE if the other player has three in a row, TIE if the board is full, and None
        while the game is in play.
        """
        rival = "X" if self.to_move(position) == "O" else "O"
        for a, b, c in LINES:
            if position[a] == position[b] == position[c] == rival:
                return Value.LOSE
        if "." in position:
            return None
        return Value.TIE

    def to_move(self, position: str) -> str:
        """Whose turn it is: "X" if both players have equally many pieces, else "O"."""
        return "X" if position.count("X") == position.count("O") else "O"

    def describe_move(self, position: str, move: int) -> str:
        """The move that led to `position`, in words."""
        return f"Put {position[move]} in the {_PLACES[move]}."

    def draw(self, position: str) -> str:
        """The position as three lines of text."""
        return "\n".join(" ".join(position[row : row + 3]) for row in (0, 3, 6))


class TwoPlayerTicTacToe(TicTacToe, TwoPlayerGame):
    """Tic-tac-toe as a two-player game, in which Maxie is X and Minnie is O.

    States and moves are those of TicTacToe.  The estimate is a guess: the number of
    lines without an O, minus the number of lines without an X.

    >>> game = TwoPlayerTicTacToe()
    >>> game.estimate(game.make_move(game.start(), 4))
    Guess(score=4)
    >>> game.status("XXXOO....")
    Over(outcome=Winner(Player.MAXIE))
    """

    def moves(self, state: str) -> list[int]:
        return self.get_moves(state)

    def make_move(self, state: str, move: int) -> str:
        return self.do_move(state, move)

    def state_to_string(self, state: str) -> str:
        return self.draw(state)

    def status(self, state: str) -> Status:
        return status_of(self.terminal_value(state), self.player(state))

    def player(self, state: str) -> Side:
        return Player.MAXIE if self.to_move(state) == "X" else Player.MINNIE

    def estimate(self, state: str) -> Guess:
        lines = [(state[a], state[b], state[c]) for a, b, c in LINES]
        open_to_maxie = sum("O" not in line for line in lines)
        open_to_minnie = sum("X" not in line for line in lines)
        return Guess(open_to_maxie - open_to_minnie)

    def player_to_string(self, player: Side) -> str:
        return f"{player} ({'X' if player is Player.MAXIE else 'O'})"
