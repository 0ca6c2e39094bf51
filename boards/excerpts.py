"""Excerpts: the rules of Connect Four for some boards, as data.

An excerpt begins at one board, and covers boards that the game can lead to from there.
Two parts of the grader use excerpts:

- A search of part 2 that is graded on a Connect Four ending searches an excerpt, so
  that part 2 does not depend on the student's part 1.
- If a function of part 1 is wrong, an excerpt gives the results of that function while
  the grader judges another function that calls it
  (grader/grading/carried_forward.py).

`make expectations` writes excerpts under `excerpts:`, above the cases of a file.  An
excerpt has one word for each board.  The boards come in breadth-first order, each once:

    05           the game is not over, and the next piece may go into column 0 or 5
    -1000/1000   the game is over; the two endgame scores are for the maximizer to move
                 and for the minimizer to move

An excerpt says nothing about the boards for which it has no word.
"""

import functools
import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from api import AbstractGameState, ConnectFourBoard

_WORD = re.compile(r"[0-6]{1,7}|(-?\d+)/(-?\d+)")

Scores = tuple[int, int]
"""The endgame scores of a board: with the maximizer, and with the minimizer to move."""


@dataclass(frozen=True)
class Excerpt:
    """The rules of Connect Four for some boards.

    >>> excerpt = read_excerpt(ConnectFourBoard(), "3 5")
    >>> list(excerpt.columns.values())
    [(3,), (5,)]
    """

    # The columns into which the next piece may go, for each board in play.
    columns: Mapping[ConnectFourBoard, Sequence[int]]
    scores: Mapping[ConnectFourBoard, Scores]  # for each board whose game is over

    def state(self, board: ConnectFourBoard) -> AbstractGameState:
        """A board of the excerpt as a state for a search.  The excerpt is its rules."""

        def is_game_over(board: ConnectFourBoard) -> bool:
            return board in self.scores

        def next_boards(board: ConnectFourBoard) -> list[ConnectFourBoard]:
            return [board.add_piece(column) for column in self.columns[board]]

        def endgame_score(
            board: ConnectFourBoard, is_current_player_maximizer: bool
        ) -> int:
            with_maximizer, with_minimizer = self.scores[board]
            return with_maximizer if is_current_player_maximizer else with_minimizer

        return AbstractGameState(board, is_game_over, next_boards, endgame_score)


@functools.cache
def read_excerpt(board: ConnectFourBoard, text: str) -> Excerpt:
    """The excerpt that begins at `board`, from its text.

    Raises ValueError if the text is not an excerpt.  The message names the wrong word.
    """
    columns: dict[ConnectFourBoard, tuple[int, ...]] = {}
    scores: dict[ConnectFourBoard, Scores] = {}
    waiting = deque([board])
    seen = {board}
    for word in text.split():
        match = _WORD.fullmatch(word)
        if not match:
            raise ValueError(f"{word!r} is neither columns nor scores")
        if not waiting:
            raise ValueError(f"{word!r} is one word too many")
        here = waiting.popleft()
        if match[1]:
            scores[here] = int(match[1]), int(match[2])
            continue
        columns[here] = tuple(map(int, word))
        for column in columns[here]:
            after = here.add_piece(column)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return Excerpt(columns, scores)


def name_of_excerpt(rows: Sequence[str]) -> str:
    """The key of the excerpt that begins at a board: the board, drawn in one line.

    >>> name_of_excerpt(["...2...", "..21.1."])
    '...2.../..21.1.'
    """
    return "/".join(rows)


def rows_of(board: ConnectFourBoard) -> list[str]:
    """The six rows of a board, drawn as in boards.yaml.

    >>> rows_of(ConnectFourBoard().add_piece(3))[-1]
    '...1...'
    """
    return ["".join(".12"[piece] for piece in row) for row in board.board_array]
