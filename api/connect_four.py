"""TwoPlayerConnectFour: Connect Four as a two-player game, using your part 1."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from api.board import ConnectFourBoard
from api.outcomes import IN_PLAY, Estimate, Guess, Side, Status, over
from api.results import always_zero
from api.state import name_of
from api.two_player import BrokenRules, Player, TwoPlayerGame

_EMPTY = ConnectFourBoard(players=("Maxie", "Minnie"))


@dataclass(eq=False, repr=False)
class TwoPlayerConnectFour(TwoPlayerGame):
    """Connect Four, played with your functions from part 1 as its rules.

    A state is a board, and a move is the number of a column.  Maxie owns piece 1.

    If next_boards returns no boards, or a scoring function no number, the methods raise
    BrokenRules.  The message names the function.

    >>> game = TwoPlayerConnectFour(
    ...     is_game_over=lambda board: board.count_pieces() == 1,
    ...     next_boards=lambda board: [board.add_piece(3)],
    ...     endgame_score=lambda board, maximize: -1000 if maximize else 1000,
    ... )
    >>> game.moves(game.start()), game.status(game.make_move(game.start(), 3))
    ([3], Over(outcome=Winner(Player.MAXIE)))
    """

    is_game_over: Callable[[ConnectFourBoard], bool]
    next_boards: Callable[[ConnectFourBoard], Sequence[ConnectFourBoard]]
    endgame_score: Callable[[ConnectFourBoard, bool], float]
    heuristic: Callable[[ConnectFourBoard, bool], float] = always_zero
    board: ConnectFourBoard = _EMPTY  # where the game begins

    def start(self) -> ConnectFourBoard:
        return self.board

    def moves(self, state: ConnectFourBoard) -> list[int]:
        """The column of the new piece in each of the next boards, in their order."""
        boards = self.next_boards(state)
        if not isinstance(boards, Sequence) or not boards:
            raise BrokenRules(
                f"{name_of(self.next_boards)} returned {boards!r}, "
                f"but {name_of(self.is_game_over)} says that the game goes on"
            )
        return [self._new_piece(state, after) for after in boards]

    def make_move(self, state: ConnectFourBoard, move: int) -> ConnectFourBoard:
        return state.add_piece(move)

    def status(self, state: ConnectFourBoard) -> Status:
        if not self.is_game_over(state):
            return IN_PLAY
        return over(self._number(self.endgame_score, state))

    def player(self, state: ConnectFourBoard) -> Side:
        return Player.MINNIE if state.count_pieces() % 2 else Player.MAXIE

    def estimate(self, state: ConnectFourBoard) -> Estimate:
        return Guess(self._number(self.heuristic, state))

    def state_to_string(self, state: ConnectFourBoard) -> str:
        return f"{state}\n{' '.join(map(str, range(state.num_cols)))}"

    def _new_piece(self, before: ConnectFourBoard, after: Any) -> int:
        """The column in which the board `after` has one more piece than `before`."""
        if isinstance(after, ConnectFourBoard):
            for column in range(before.num_cols):
                if after.get_column_height(column) > before.get_column_height(column):
                    return column
        raise BrokenRules(
            f"{name_of(self.next_boards)} returned {after!r}, "
            "which is not a board with one new piece"
        )

    def _number(
        self,
        function: Callable[[ConnectFourBoard, bool], Any],
        board: ConnectFourBoard,
    ) -> float:
        """The score that one of the student's functions returns for a board."""
        score: float = function(board, self.player(board) is Player.MAXIE)
        is_number = isinstance(score, (int, float)) and not isinstance(score, bool)
        if not is_number or score != score:
            raise BrokenRules(
                f"{name_of(function)} returned {score!r}, which is not a number"
            )
        return score
