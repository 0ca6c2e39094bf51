"""Sensible heuristics for Connect Four, each built differently, and all of them right.

A case about `heuristic_connectfour` is fair only if all of these pass it.  Each one looks at the
board with the eyes of the player to move; `_seen_by_the_maximizer` turns that into the maximizer's
view and squeezes it into the open interval from -1000 to 1000.

    window    four squares in a line; open to a player while the rival has no piece in it
    threat    an empty square on which a player's piece would make a four
    own       the pieces, chains, windows of the player to move
    rival     those of the other player
"""

from collections.abc import Callable, Iterator

from api import ConnectFourBoard

Heuristic = Callable[[ConnectFourBoard, bool], float]


def _seen_by_the_maximizer(advantage: Callable[[ConnectFourBoard], float], unit: float) -> Heuristic:
    """A heuristic out of the advantage of the player to move; `unit` is worth half of 1000."""

    def heuristic(board: ConnectFourBoard, is_current_player_maximizer: bool) -> float:
        value = advantage(board)
        score = 1000 * value / (abs(value) + unit)
        return score if is_current_player_maximizer else -score

    heuristic.__name__ = advantage.__name__
    heuristic.__doc__ = advantage.__doc__
    return heuristic


def squared_chain_lengths(board: ConnectFourBoard) -> float:
    """The lengths of all chains, squared and added up, minus the rival's."""
    return sum(n * n for n in _lengths(board, True)) - sum(n * n for n in _lengths(board, False))


def powers_of_ten(board: ConnectFourBoard) -> float:
    """1 for a lone piece, 10 for a chain of two, 100 for a chain of three, minus the rival's."""
    return sum(10 ** (n - 1) for n in _lengths(board, True)) - sum(10 ** (n - 1) for n in _lengths(board, False))


def pieces_in_chains(board: ConnectFourBoard) -> float:
    """The lengths of all chains of two or more, added up, minus the rival's."""
    return sum(n for n in _lengths(board, True) if n > 1) - sum(n for n in _lengths(board, False) if n > 1)


def number_of_chains(board: ConnectFourBoard) -> float:
    """The number of chains of two or more, minus the rival's.  It does not ask how long they are."""
    return sum(n > 1 for n in _lengths(board, True)) - sum(n > 1 for n in _lengths(board, False))


def chains_of_three(board: ConnectFourBoard) -> float:
    """The number of chains of three, minus the rival's."""
    return _lengths(board, True).count(3) - _lengths(board, False).count(3)


def longest_chain_then_count(board: ConnectFourBoard) -> float:
    """Who has the longest chain, and, of equally long ones, who has more chains that long."""
    own, rival = _lengths(board, True), _lengths(board, False)
    longest, rivals_longest = max(own, default=0), max(rival, default=0)
    return 100 * (longest - rivals_longest) + own.count(longest) - rival.count(rivals_longest)


def share_of_chains(board: ConnectFourBoard) -> float:
    """What part of all the chain length on the board belongs to the player to move, cubed."""
    own = sum(n**3 for n in _lengths(board, True))
    rival = sum(n**3 for n in _lengths(board, False))
    return (own - rival) / (own + rival) if own or rival else 0.0


def windows_alone(board: ConnectFourBoard) -> float:
    """The rows of four squares that the player can still fill, minus the rival's."""
    own, rival = _own_piece(board), 3 - _own_piece(board)
    return float(sum(_can_fill(board, own)) - sum(_can_fill(board, rival)))


def _can_fill(board: ConnectFourBoard, piece: int) -> list[bool]:
    """For each row of four squares, whether it holds no piece of the other player's."""
    starts = [(col, row, right, down) for col in range(7) for row in range(6) for right, down in _DIRECTIONS]
    rows = [[(col + n * right, row + n * down) for n in range(4)] for col, row, right, down in starts]
    inside = [squares for squares in rows if all(0 <= col < 7 and 0 <= row < 6 for col, row in squares)]
    return [all(board.get_piece(col, row) in (0, piece) for col, row in squares) for squares in inside]


_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def open_windows(board: ConnectFourBoard) -> float:
    """Open windows by the pieces in them, 1, 4 or 16 points each, minus the rival's."""
    points = {1: 1, 2: 4, 3: 16}
    return sum(points.get(own, 0) for own, rival in _windows(board) if not rival) - sum(
        points.get(rival, 0) for own, rival in _windows(board) if not own
    )


def open_threes_and_chains(board: ConnectFourBoard) -> float:
    """20 points for each open window with three pieces, 1 for each chain, minus the rival's."""
    windows = list(_windows(board))
    threes = windows.count((3, 0)) - windows.count((0, 3))
    return 20 * threes + number_of_chains(board)


def open_twos_and_threes(board: ConnectFourBoard) -> float:
    """The number of open windows with two or three pieces, minus the rival's."""
    windows = list(_windows(board))
    return windows.count((2, 0)) + windows.count((3, 0)) - windows.count((0, 2)) - windows.count((0, 3))


def threats_on_playable_squares(board: ConnectFourBoard) -> float:
    """Who wins at the next move: the mover with a threat, or the rival with two.  Then chains."""
    own, rival = _winning_columns(board, own=True), _winning_columns(board, own=False)
    if own:
        return 1000 + len(own) - len(rival)
    if len(rival) > 1:
        return -1000 - len(rival)
    return squared_chain_lengths(board) / 10 - len(rival)


def chains_and_centre(board: ConnectFourBoard) -> float:
    """Squared chains of two or more, and half a point for each piece in the three middle columns."""
    chains = sum(n * n for n in _lengths(board, True) if n > 1) - sum(n * n for n in _lengths(board, False) if n > 1)
    own = _own_piece(board)
    middle = [board.get_piece(col, row) for col in (2, 3, 4) for row in range(board.num_rows)]
    return chains + (middle.count(own) - middle.count(3 - own)) / 2


def chains_with_the_move(board: ConnectFourBoard) -> float:
    """Squared chain lengths, and a small bonus for the player who is to move."""
    return squared_chain_lengths(board) + 1.5


def _lengths(board: ConnectFourBoard, own: bool) -> list[int]:
    return [len(chain) for chain in board.get_all_chains(current_player=own)]


def _own_piece(board: ConnectFourBoard) -> int:
    return 1 + board.count_pieces() % 2


def _windows(board: ConnectFourBoard) -> Iterator[tuple[int, int]]:
    """For each of the 69 windows: how many pieces of one's own and of the rival stand in it."""
    mine = _own_piece(board)
    for row in range(board.num_rows):
        for col in range(board.num_cols):
            for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if col + 3 * right < board.num_cols and 0 <= row + 3 * down < board.num_rows:
                    pieces = [board.get_piece(col + right * step, row + down * step) for step in range(4)]
                    yield pieces.count(mine), pieces.count(3 - mine)


def _winning_columns(board: ConnectFourBoard, own: bool) -> list[int]:
    """The columns in which a player's next piece would make a four."""
    piece = _own_piece(board) if own else 3 - _own_piece(board)
    columns = [column for column in range(board.num_cols) if not board.is_column_full(column)]
    return [column for column in columns if _makes_four(board, column, piece)]


def _makes_four(board: ConnectFourBoard, col: int, piece: int) -> bool:
    row = board.num_rows - 1 - board.get_column_height(col)
    return any(
        1 + _run(board, col, row, right, down, piece) + _run(board, col, row, -right, -down, piece) >= 4
        for right, down in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def _run(board: ConnectFourBoard, col: int, row: int, right: int, down: int, piece: int) -> int:
    """How many equal pieces stand in a row beside a square, in one direction."""
    length = 0
    while True:
        col, row = col + right, row + down
        if not (0 <= col < board.num_cols and 0 <= row < board.num_rows) or board.get_piece(col, row) != piece:
            return length
        length += 1


HEURISTICS: tuple[Heuristic, ...] = (
    _seen_by_the_maximizer(squared_chain_lengths, 50),
    _seen_by_the_maximizer(powers_of_ten, 500),
    _seen_by_the_maximizer(pieces_in_chains, 20),
    _seen_by_the_maximizer(number_of_chains, 5),
    _seen_by_the_maximizer(chains_of_three, 3),
    _seen_by_the_maximizer(longest_chain_then_count, 100),
    _seen_by_the_maximizer(share_of_chains, 1),
    _seen_by_the_maximizer(open_windows, 50),
    _seen_by_the_maximizer(windows_alone, 5),
    _seen_by_the_maximizer(open_threes_and_chains, 50),
    _seen_by_the_maximizer(open_twos_and_threes, 5),
    _seen_by_the_maximizer(threats_on_playable_squares, 200),
    _seen_by_the_maximizer(chains_and_centre, 50),
    _seen_by_the_maximizer(chains_with_the_move, 50),
)
