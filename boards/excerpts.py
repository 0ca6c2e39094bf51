"""Excerpts of Connect Four as data: what its rules say of a board and of those below
it.

A search of part 2 that is graded on a Connect Four ending plays on an excerpt, and so
needs nobody's rules; and where a function of part 1 is wrong, an excerpt answers in its
place when a later one that calls it is looked at (grader/grading/carried_forward.py).
`make expectations` writes them, under `excerpts:`, above the cases of a file: a word
for each board, breadth first, each board once.

    05           the game goes on, and a piece may go into column 0 or 5
    -1000/1000   the game is over: its score if the maximizer were to move, and if the minimizer were

Where the words end, nothing more is known.
"""

import functools
import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from api import AbstractGameState, ConnectFourBoard

_WORD = re.compile(r"[0-6]{1,7}|(-?\d+)/(-?\d+)")

Scores = tuple[int, int]


@dataclass(frozen=True)
class Excerpt:
    """What is known of some boards: where a piece may go, or, of finished games, the
    two scores.

    >>> excerpt = read_excerpt(ConnectFourBoard([[0] * 7] * 6), "3 5")
    >>> list(excerpt.columns.values())
    [(3,), (5,)]
    """

    columns: Mapping[ConnectFourBoard, Sequence[int]]
    scores: Mapping[ConnectFourBoard, Scores]

    def state(self, board: ConnectFourBoard) -> AbstractGameState:
        """One of its boards as a state for a search, with the rules that the excerpt
        knows.
        """

        def is_game_over(board: ConnectFourBoard) -> bool:
            return board in self.scores

        def next_boards(board: ConnectFourBoard) -> list[ConnectFourBoard]:
            return [board.add_piece(column) for column in self.columns[board]]

        def endgame_score(
            board: ConnectFourBoard, is_current_player_maximizer: bool
        ) -> int:
            return self.scores[board][0 if is_current_player_maximizer else 1]

        return AbstractGameState(board, is_game_over, next_boards, endgame_score)


@functools.cache
def read_excerpt(board: ConnectFourBoard, text: str) -> Excerpt:
    """The excerpt that a text holds of the boards from this one on.

    ValueError, with the word, where it holds none.
    """
    columns: dict[ConnectFourBoard, tuple[int, ...]] = {}
    scores: dict[ConnectFourBoard, Scores] = {}
    waiting, seen = deque([board]), {board}
    for word in text.split():
        match = _WORD.fullmatch(word)
        if not match or not waiting:
            raise ValueError(
                f"{word!r} is one word too many"
                if match
                else f"{word!r} is neither columns nor scores"
            )
        here = waiting.popleft()
        if match[1]:
            scores[here] = int(match[1]), int(match[2])
            continue
        columns[here] = tuple(map(int, word))
        for after in map(here.add_piece, columns[here]):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return Excerpt(columns, scores)


def name_of_excerpt(rows: Sequence[str]) -> str:
    """The key under which the excerpt from a board on stands, which is the board drawn
    in one line.

    >>> name_of_excerpt(["...2...", "..21.1."])
    '...2.../..21.1.'
    """
    return "/".join(rows)


def rows_of(board: ConnectFourBoard) -> list[str]:
    """A board as its six rows, drawn as in boards.yaml.

    >>> rows_of(ConnectFourBoard().add_piece(3))[-1]
    '...1...'
    """
    return ["".join(".12"[piece] for piece in row) for row in board.board_array]
