"""A contestant that is a lab.py, in a process of its own in the sandbox."""

import contextlib
import itertools
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from api import ConnectFourBoard
from boards.excerpts import rows_of
from grader.grading.source import is_unwritten, read_lab, what_ails
from grader.ladder.contestant import LEAST_BUDGET, LIMITS, KeptOut, Limits, Loses
from grader.ladder.game import How, Move
from grader.protocol.answer import Ending, Raised
from grader.protocol.plain import Garbled, is_number
from grader.protocol.replies import Reply
from grader.protocol.text import show
from grader.sandbox.sandbox import Sandbox
from grader.verdicts.sentences import (
    place_of,
    sentence_for_ending,
    sentence_for_exception,
    sentence_for_import,
)

SEARCH = "progressive_deepening"
MOST_WORTH = 1_000_000
# The functions that a submission must have written before it may play.
NEEDED = (
    "is_game_over_connectfour",
    "next_boards_connectfour",
    "endgame_score_connectfour",
    "endgame_score_connectfour_faster",
    "heuristic_connectfour",
    "minimax_search_alphabeta",
    SEARCH,
)
_HOW: dict[Ending, How] = {Ending.CPU_TIME_UP: "CPU", Ending.STALLED: "stall"}


class Submission:
    """A contestant that plays with the functions of one lab.py.  `close` ends its
    processes.

    If `fork` is False, every game gets a child of its own, as on Windows.  The
    environment variable GRADER_AROUND applies to these children as to all other
    children of the grader.  The thread that first calls `enter` or `move` must live
    longer than the submission, because on Linux the child ends with the thread that
    starts the child.
    """

    def __init__(
        self,
        lab: Path,
        name: str = "lab.py",
        fork: bool = True,
        limits: Limits = LIMITS,
    ) -> None:
        self.name = name
        self._lab = lab
        self._limits = limits
        self._sandbox = Sandbox(lab, fork, plays=True)
        self._game = _GameOf(0, limits.cpu)

    def enter(self) -> None:
        """Import lab.py, and have it search once, to see whether it can play.

        Raises KeptOut if lab.py cannot be imported, or if a function that it needs is
        not written.  Raises Refusal if the file is not a lab.py, and OSError if the
        file cannot be read.
        """
        source = read_lab(self._lab)
        for name in NEEDED:
            if is_unwritten(source, [name]):
                raise KeptOut(f"{name} is not written yet.")
        loaded = self._sandbox.load()
        if not loaded.imported:
            raise KeptOut(sentence_for_import(loaded, what_ails(source)))
        self.begin(0)
        try:
            raised = self._search(ConnectFourBoard(), LEAST_BUDGET).raised
        except Loses:
            return  # this lab.py will lose its games, and each game will say why
        finally:
            self.end()
        if raised and raised.is_missing:
            raise KeptOut(sentence_for_exception(raised)[1])

    def begin(self, seed: int) -> None:
        """Begin a game.  The process of the game starts later, with the first move."""
        self._game = _GameOf(seed, self._limits.cpu)

    def move(self, board: ConnectFourBoard, budget: int) -> Move:
        """Search, and return the first move of the best path that the search found.

        That is the path of the last result that the search reported before its budget
        was spent.  Raises Loses if there is no such result, if the move is not legal,
        or if lab.py raises an exception, takes too long or ends its process.
        """
        search = self._search(board, budget)
        if search.raised:
            _, sentence = sentence_for_exception(search.raised, (SEARCH,))
            raise Loses("exception", sentence)
        if not search.results:
            raise Loses("no result", search.without_result)
        last = search.results[-1]
        worth = None
        if is_number(last.score):
            within = max(-MOST_WORTH, min(MOST_WORTH, last.score))
            worth = round(within, 2) + 0.0  # adding 0.0 turns -0.0 into 0.0
        return Move(
            _column(board, last.after),
            worth,
            search.evaluations,
            len(search.results),
            off_the_books=not last.is_counted,
        )

    def end(self) -> None:
        """End the process of the game."""
        if not self._sandbox.plays:
            return
        if not self._game.waits:
            self._sandbox.close()
            return
        self._sandbox.take_turn({"run": self._game.run, "over": True})
        with contextlib.suppress(Loses):  # the game is over, so nobody loses it now
            self._wait((), 0)

    def close(self) -> None:
        """End all processes."""
        self._sandbox.close()

    def _search(self, board: ConnectFourBoard, budget: int) -> "_Search":
        """Have lab.py search from this board, and return what the search has done.

        Raises Loses if the player has lost the game in this turn.
        """
        game = self._game
        if game.seconds <= 0:
            raise Loses("CPU", f"{self._too_slow()}.")
        game.turn += 1
        game.waits = False
        loaded = self._sandbox.take_turn(
            {
                "run": game.run,
                "over": False,
                "number": game.turn,
                "seed": game.seed,
                "board": board.board_array,
                "budget": budget,
                "seconds": game.seconds,
                "after_spent": self._limits.after_spent,
            }
        )
        if not loaded.imported:
            raise Loses("process ended", sentence_for_import(loaded))
        replies = self._wait(("spent", "moved"), game.seconds)
        results = [
            reply
            for reply in replies
            if reply.what == "result" and reply.turn == game.turn
        ]
        last = replies[-1]
        if last.what == "spent":
            self._let_return(last)
            without = (
                f"It spent {last.evaluations} evaluations before its first result."
            )
            return _Search(results, last.evaluations, without)
        self._stop(last)
        without = f"{SEARCH} never called set_value, and returned {last.returned}."
        return _Search(results, last.evaluations, without, last.raised)

    def _let_return(self, spent: Reply) -> None:
        """Wait for the search to return after it has spent its budget.

        If the search does not return in time, end the process of the game.
        """
        seconds = self._limits.after_spent
        try:
            self._stop(self._wait(("moved",), seconds)[-1])
        except Loses:
            self._game.seconds -= spent.cpu + seconds
            if self._sandbox.plays:
                self._sandbox.close()

    def _stop(self, moved: Reply) -> None:
        """Pause the process of the game until the next turn.

        Subtract the CPU time of this turn from the time that is left in the game.
        """
        self._sandbox.start().pause()
        self._game.waits = True
        self._game.seconds -= max(0.0, moved.cpu)

    def _wait(self, last: tuple[str, ...], seconds: float) -> list[Reply]:
        """Wait for a reply whose `what` is in `last`.  Return all replies of the game
        up to this one.

        In the meantime, the player may use `seconds` of CPU.  Raises Loses if no such
        reply comes.
        """
        replies, answer = self._sandbox.wait(
            self._sandbox.start(),
            self._game.run,
            last,
            seconds,
            seconds + self._limits.idle,
        )
        if answer.ending is Ending.ANSWERED:
            return replies
        how = _HOW.get(answer.ending, "process ended")
        where = place_of(answer.frames)
        if how == "CPU":
            raise Loses(how, f"{self._too_slow()}{where}.")
        if how == "stall":
            raise Loses(how, f"It sleeps or waits in its turn{where}.")
        raise Loses(how, sentence_for_ending(answer)[1])

    def _too_slow(self) -> str:
        return f"It has used up its {self._limits.cpu:g} seconds of CPU in this game"


@dataclass
class _GameOf:
    """What a submission knows of the game that it plays."""

    # The seed for everything that the player does at random in this game.
    seed: int
    # How many seconds of CPU the player may still use in this game.
    seconds: float
    # How many turns the player has begun.
    turn: int = 0
    # True if the process of the game is waiting for its next turn.
    waits: bool = False
    # The name of the game in the replies of the child.  Student code cannot guess the
    # name.
    run: str = field(default_factory=lambda: os.urandom(16).hex())


@dataclass(frozen=True)
class _Search:
    """What the search of one turn has done."""

    # The results that the search reported, in their order.
    results: list[Reply]
    evaluations: int
    # If there are no results, a sentence that says why.  Otherwise this sentence is not
    # used.
    without_result: str
    raised: Raised | None = None


def _column(board: ConnectFourBoard, after: Any) -> int:
    """Return the column of the move that leads from this board to the position `after`.

    lab.py has sent `after`.  Raises Loses if no legal move leads there.
    """
    what = "Its path has no first move."
    if after is not None:
        what = f"The state after the first move of its path holds {_in_words(after)}."
    if isinstance(after, dict) and isinstance(after.get("$board"), list):
        rows = after["$board"][: board.num_rows]
        columns = range(board.num_cols)
        for column in itertools.filterfalse(board.is_column_full, columns):
            if rows_of(board.add_piece(column)) == rows:
                return column
        what = "The first move of its path leads to a board that no legal move gives."
    raise Loses("illegal move", what)


def _in_words(value: Any) -> str:
    """Return a text that shows a value which lab.py has sent."""
    try:
        return show(value)
    except Garbled:
        return "something else"
