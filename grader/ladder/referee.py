"""The referee: plays a game between two contestants on a board of its own."""

from collections.abc import Callable

from grader.ladder.bits import has_four, position_of
from grader.ladder.contestant import BUDGET, Contestant, Loses
from grader.ladder.game import Game, Move
from grader.ladder.openings import opening_board


def play(
    first: Contestant,
    second: Contestant,
    opening: int,
    budget: int = BUDGET,
    tell: Callable[[int], object] = lambda moves: None,
) -> Game:
    """Play a game that begins with this opening, and return the game.

    The contestant `first` makes the first move after the opening.  Before each move,
    this function calls `tell` with the number of moves since the opening.
    """
    contestants = (first, second)
    board = opening_board(opening)
    moves: list[Move] = []
    try:
        for side, contestant in enumerate(contestants):
            # In each opening, each of the two sides has a seed of its own.  The seed is
            # the same on every machine.
            contestant.begin(2 * opening + side)
        while True:
            side = len(moves) % 2
            tell(len(moves))
            try:
                move = contestants[side].move(board, budget)
            except Loses as loses:
                return Game(
                    opening, budget, tuple(moves), loses.how, 1 - side, loses.detail
                )
            board = board.add_piece(move.column)
            moves.append(move)
            _, movers_pieces = position_of(board)
            if has_four(movers_pieces):
                return Game(opening, budget, tuple(moves), "four in a line", side)
            if board.count_pieces() == board.num_rows * board.num_cols:
                return Game(opening, budget, tuple(moves), "full board", None)
    finally:
        for contestant in contestants:
            contestant.end()
