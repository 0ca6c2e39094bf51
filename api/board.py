"""ConnectFourBoard: a Connect Four position that never changes.

    piece            1 or 2; 0 is an empty square.  Whoever plays the 1s moves first
    row              0 (top) to 5 (bottom)
    column           0 (left) to 6 (right)
    current player   the player whose turn it is

A board holds one integer for the pieces (chains.py explains it), the names of the two
players and the column of the last move.
"""

from collections.abc import Iterable, Sequence

from api.chains import BOARD, COLUMNS, SECOND, list_chains


class ConnectFourBoard:
    """A position of Connect Four: six rows, seven columns, two players.

    `board_array` holds six rows of seven numbers, the top row first.  Without an array,
    the board is empty.  The number of pieces says whose turn it is: if it is even, the
    player who plays the 1s is to move, and if it is odd, the one who plays the 2s.

    `players` names the two players: first the one who plays the 1s.  If you know
    only who is to move, pass that player's name as `whose_turn`.

    Boards are immutable: `add_piece` returns a new board.  Two boards are equal if
    their pieces and their players are equal.  A board can be a key of a dict.

    Raises ValueError if a piece floats, or if one player has too many pieces.  The
    message says where.

    >>> board = ConnectFourBoard().add_piece(3).add_piece(3)
    >>> print(board)
    _ _ _ _ _ _ _
    _ _ _ _ _ _ _
    _ _ _ _ _ _ _
    _ _ _ _ _ _ _
    _ _ _ 2 _ _ _
    _ _ _ 1 _ _ _
    >>> board.prev_move_string()
    "Put Player Two's piece in column 3."
    """

    __slots__ = ("_last_column", "_names", "_pieces")

    num_rows = 6
    num_cols = 7

    def __init__(
        self,
        board_array: Sequence[Sequence[int]] | None = None,
        players: Iterable[str] = ("Player One", "Player Two"),
        whose_turn: str | None = None,
    ) -> None:
        self._pieces = 0 if board_array is None else _read(board_array)
        self._names = _in_order_of_pieces(
            tuple(players), whose_turn, self._second_is_to_move()
        )
        self._last_column: int | None = None

    # --- the pieces ---------------------------------------------------------------

    @property
    def board_array(self) -> list[list[int]]:
        """The board as a new list of rows, the top row first.

        >>> ConnectFourBoard().add_piece(6).board_array[5]
        [0, 0, 0, 0, 0, 0, 1]
        """
        return [[self._at(col, row) for col in range(7)] for row in range(6)]

    def get_piece(self, col: int, row: int) -> int:
        """The piece in this column and row: 0, 1 or 2.

        Raises IndexError if the board has no such square.

        >>> ConnectFourBoard().add_piece(2).get_piece(2, 5)
        1
        """
        if not (0 <= col < 7 and 0 <= row < 6):
            raise IndexError(
                f"no square in column {col}, row {row}: columns are 0 to 6, rows 0 to 5"
            )
        return self._at(col, row)

    def count_pieces(self, current_player: bool | None = None) -> int:
        """The number of pieces on the board, 0 to 42.

        With `True`, count only the current player's pieces; with `False`, only the
        other player's.  Anything but True, False or None raises TypeError.

        >>> board = ConnectFourBoard().add_piece(0)
        >>> board.count_pieces(), board.count_pieces(True), board.count_pieces(False)
        (1, 0, 1)
        """
        return self._pieces_of(current_player).bit_count()

    def get_all_chains(self, current_player: bool | None = None) -> list[list[int]]:
        """The chains on the board, each as a list with one number for each piece.

        A chain is a maximal unbroken line of one player's pieces: horizontal, vertical
        or diagonal.  A piece belongs to every chain that runs through it.

        Lone pieces come first: they have no equal piece on the eight squares around
        them.  Then come the horizontal chains (top row first), the vertical chains
        (left to right) and the chains on the two diagonals.

        With `True`, list only the current player's chains; with `False`, only the other
        player's.  Anything but True, False or None raises TypeError.  Each call returns
        new lists.

        >>> board = ConnectFourBoard().add_piece(0).add_piece(3).add_piece(1)
        >>> board.get_all_chains()
        [[2], [1, 1]]
        >>> board.get_all_chains(current_player=True)
        [[2]]
        """
        return list_chains(self._pieces_of(current_player))

    # --- the columns --------------------------------------------------------------

    def get_column_height(self, col_number: int) -> int:
        """The number of pieces in a column, 0 to 6.

        Raises IndexError if there is no such column.

        >>> ConnectFourBoard().add_piece(4).get_column_height(4)
        1
        """
        if not 0 <= col_number < 7:
            raise IndexError(f"no column {col_number}: columns are 0 to 6")
        return (self._pieces & _COLUMNS[col_number]).bit_count()

    def is_column_full(self, col_number: int) -> bool:
        """Whether a column holds six pieces.

        Raises IndexError if there is no such column.

        >>> ConnectFourBoard().is_column_full(0)
        False
        """
        return self.get_column_height(col_number) == 6

    def add_piece(self, col_number: int) -> "ConnectFourBoard":
        """A new board with the current player's piece dropped into a column.

        On the new board it is the other player's turn.  Raises IndexError if the column
        is full or does not exist.

        >>> board = ConnectFourBoard(players=("Ada", "Bob"))
        >>> board.add_piece(0).get_current_player_name()
        'Bob'
        """
        if not 0 <= col_number < 7:
            raise IndexError(f"no column {col_number}: columns are 0 to 6")
        pieces = self._pieces
        height = (pieces & _COLUMNS[col_number]).bit_count()
        if height == 6:
            raise IndexError(f"column {col_number} is full")
        board = _new(ConnectFourBoard)
        bit = 1 << 8 * (5 - height) + col_number
        if pieces.bit_count() & 1:
            bit <<= SECOND
        board._pieces = pieces | bit
        board._names = self._names
        board._last_column = col_number
        return board

    # --- the players --------------------------------------------------------------

    @property
    def players(self) -> list[str]:
        """Both names, the current player's first.

        >>> ConnectFourBoard(players=("Ada", "Bob")).add_piece(0).players
        ['Bob', 'Ada']
        """
        return [self.get_current_player_name(), self.get_other_player_name()]

    def get_player_name(self, n: int) -> str:
        """The name of the player who plays the pieces `n`, which is 1 or 2.

        Raises ValueError for any other number.

        >>> ConnectFourBoard(players=("Ada", "Bob")).get_player_name(2)
        'Bob'
        """
        if n not in (1, 2):
            raise ValueError(f"there is a player 1 and a player 2, not {n!r}")
        return self._names[n - 1]

    def get_current_player_name(self) -> str:
        """The name of the player whose turn it is.

        >>> ConnectFourBoard().get_current_player_name()
        'Player One'
        """
        return self._names[self._second_is_to_move()]

    def get_other_player_name(self) -> str:
        """The name of the player whose turn it is not.

        >>> ConnectFourBoard().get_other_player_name()
        'Player Two'
        """
        return self._names[1 - self._second_is_to_move()]

    def prev_move_string(self) -> str:
        """The last move in words; "" on a board that `add_piece` did not make.

        >>> ConnectFourBoard().add_piece(4).prev_move_string()
        "Put Player One's piece in column 4."
        """
        if self._last_column is None:
            return ""
        mover = self.get_other_player_name()
        return f"Put {mover}'s piece in column {self._last_column}."

    describe_previous_move = prev_move_string  # the name that game states use

    # --- the board as a value -----------------------------------------------------

    def copy(self) -> "ConnectFourBoard":
        """An equal board.  Boards never change, so you rarely need a copy.

        >>> ConnectFourBoard().copy() == ConnectFourBoard()
        True
        """
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConnectFourBoard):
            return NotImplemented
        return (self._pieces, self._names) == (other._pieces, other._names)

    def __hash__(self) -> int:
        return hash((self._pieces, self._names))

    def __str__(self) -> str:
        return "\n".join(
            " ".join("_12"[piece] for piece in row) for row in self.board_array
        )

    def __repr__(self) -> str:
        mover = self.get_current_player_name()
        return f"<ConnectFourBoard, pieces: {self.count_pieces()}, {mover} to move>"

    # --- inside -------------------------------------------------------------------

    def _at(self, col: int, row: int) -> int:
        square = 8 * row + col
        return (self._pieces >> square & 1) + 2 * (self._pieces >> square + SECOND & 1)

    def _second_is_to_move(self) -> int:
        """1 if the player who plays the 2s is to move, else 0."""
        return self._pieces.bit_count() & 1

    def _pieces_of(self, current_player: bool | None) -> int:
        """The pieces of the current player, of the other player, or of both."""
        if current_player is None:
            return self._pieces
        if current_player is not True and current_player is not False:
            raise TypeError(
                f"current_player is True, False or None, not {current_player!r}"
            )
        if current_player == self._second_is_to_move():
            return self._pieces & BOARD << SECOND
        return self._pieces & BOARD


_COLUMNS = tuple(column | column << SECOND for column in COLUMNS)  # of both players
_new = object.__new__


def _in_order_of_pieces(
    names: tuple[str, ...], whose_turn: str | None, mover: int
) -> tuple[str, str]:
    """The names of the players: first the one who plays the 1s."""
    if len(names) != 2:
        raise ValueError(f"a board has two players, not {len(names)}: {names!r}")
    if whose_turn is None or names[mover] == whose_turn:
        return names[0], names[1]
    if whose_turn not in names:
        raise ValueError(
            f"whose_turn is {whose_turn!r}, "
            f"but the players are {names[0]!r} and {names[1]!r}"
        )
    return names[1], names[0]


def _read(array: Sequence[Sequence[int]]) -> int:
    """The pieces of an array of rows, as the integer that chains.py explains.

    Raises ValueError for another shape, a floating piece or too many of one player.
    """
    if len(array) != 6:
        raise ValueError(f"a board has 6 rows, not {len(array)}")
    pieces = {0: 0, 1: 0, 2: 0}
    for row, numbers in enumerate(array):
        if len(numbers) != 7:
            raise ValueError(f"row {row} has {len(numbers)} squares; a row has 7")
        for col, piece in enumerate(numbers):
            if type(piece) is not int or piece not in pieces:
                raise ValueError(
                    f"row {row}, column {col} holds {piece!r}; a square holds 0, 1 or 2"
                )
            if piece and row < 5 and array[row + 1][col : col + 1] in ([0], (0,)):
                raise ValueError(
                    f"the piece in row {row}, column {col} floats: "
                    "the square below it is empty"
                )
            pieces[piece] |= 1 << 8 * row + col
    ones = pieces[1].bit_count()
    twos = pieces[2].bit_count()
    if ones - twos not in (0, 1):
        raise ValueError(
            f"{ones} pieces 1 and {twos} pieces 2: players alternate and 1 begins"
        )
    return pieces[1] | pieces[2] << SECOND
