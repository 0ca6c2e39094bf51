"""In the child: has lab.py make the moves of one game of Connect Four, and counts
evaluations.

A turn is a line of JSON: the board, and what the player may use.  The replies to a turn
carry the number of the turn:

    result   the search has called set_value: the position after the first move of its
             path, the score, and the evaluations that were counted so far
    spent    the search has asked for one evaluation more than its budget
    moved    the search is over: the type of what it returned, or what it raised

Only calls of two functions are counted: the heuristic that the search is given, and
get_endgame_score.  Both stay the same objects during the whole game, so lab.py may use
the states of one turn in the next turn.  Between two turns, nothing may be evaluated.
"""

import contextlib
import functools
import time
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from api import AbstractGameState, AnytimeValue, ConnectFourBoard
from grader.child.encode import describe_type, encode
from grader.child.importing import forget_prints
from grader.child.isolation import limit_cpu, limit_cpu_for_good
from grader.child.raised import safely_described
from grader.child.written import function_of

Send = Callable[..., None]
FUNCTIONS = (
    "is_game_over_connectfour",
    "next_boards_connectfour",
    "endgame_score_connectfour_faster",
    "heuristic_connectfour",
    "progressive_deepening",
)
_NUMBERS = (int, float)
_cpu = time.process_time  # a lab.py may replace the function in `time`


class Spent(BaseException):
    """Raised by every evaluation for which the player has no budget left."""


class Evaluations:
    """Counts the static evaluations of one game, turn by turn."""

    def __init__(self, tell_spent: Callable[[], None]) -> None:
        self.count = 0
        self._most = 0
        self._tell_spent = tell_spent
        self._has_told = True
        # The absolute value of each score that a counted evaluation has returned.
        self._sizes = set[float]()

    def begin_turn(self, budget: int) -> None:
        """Count the evaluations of a new turn from 0.  In this turn, `budget`
        evaluations are allowed.
        """
        self.count = 0
        self._has_told = False
        self._most = budget

    def end_turn(self) -> None:
        """Allow no evaluation until the next turn."""
        self._has_told = True
        self._most = 0

    def counted(self, evaluate: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does what `evaluate` does, and counts how often it is
        called.

        If the budget of the turn is used up, that function raises Spent instead.
        """

        def evaluate_and_count(*args: Any, **kwargs: Any) -> Any:
            if self.count >= self._most:
                self._refuse()
            self.count += 1
            score = evaluate(*args, **kwargs)
            if type(score) in _NUMBERS:
                self._sizes.add(abs(score))
            return score

        return evaluate_and_count

    def has_returned(self, score: object) -> bool:
        """Whether a counted evaluation of this game has returned this score or its
        negative.

        The negative counts too, because some searches negate scores.
        """
        return type(score) in _NUMBERS and abs(score) in self._sizes  # type: ignore[arg-type]

    def _refuse(self) -> None:
        if not self._has_told:
            self._has_told = True
            self._tell_spent()
        raise Spent


def play_turns(
    lab: ModuleType, turns: Iterable[dict[str, Any]], send: Send, prints: int
) -> None:
    """Let lab.py make a move in each turn, until the game is over."""
    player = _Player(lab, send, prints)
    for turn in turns:
        if turn["over"]:
            return
        player.take(turn)


class _Player:
    """Plays one game with the functions of lab.py."""

    def __init__(self, lab: ModuleType, send: Send, prints: int) -> None:
        self._lab = lab
        self._send = send
        self._prints = prints
        self._turn: dict[str, Any] = {}
        self._began = 0.0
        self._evaluations = Evaluations(self._tell_spent)
        # The counting version of a function is the same object in every turn, because
        # lab.py may use this object as a key.
        self._counted = functools.cache(self._evaluations.counted)
        self._watch_results()

    def take(self, turn: dict[str, Any]) -> None:
        """Have lab.py search from the board of this turn.

        Send each result of the search, and how the search ended.
        """
        if not self._turn:
            import random  # The import takes long, and only a game needs it.

            random.seed(turn["seed"])
            limit_cpu_for_good(turn["seconds"])
        self._turn = turn
        forget_prints(self._prints)
        limit_cpu(turn["seconds"], self._prints)
        self._began = _cpu()
        self._evaluations.begin_turn(turn["budget"])
        outcome = self._search(ConnectFourBoard(turn["board"]))
        self._evaluations.end_turn()
        self._reply("moved", **outcome)

    def _search(self, board: ConnectFourBoard) -> dict[str, Any]:
        """Have lab.py search from this board.

        Return the type of what the search returned, or the exception that the search
        raised.  The dict is empty if the search was stopped because its budget was used
        up.
        """
        try:
            is_over, next_boards, endgame_score, heuristic, deepen = (
                function_of(self._lab, name) for name in FUNCTIONS
            )
            state = AbstractGameState(
                board, is_over, next_boards, self._counted(endgame_score)
            )
            empty_squares = board.num_rows * board.num_cols - board.count_pieces()
            returned = deepen(
                state,
                self._counted(heuristic),
                depth_limit=empty_squares,
                maximize=True,
            )
            return {"returned": describe_type(returned)}
        except Spent:
            return {}
        except BaseException as error:
            return {"raised": vars(safely_described(error, str(self._lab.__file__)))}

    def _watch_results(self) -> None:
        """From now on, send each result with which a search calls set_value."""
        set_value = AnytimeValue.set_value

        def set_and_tell(anytime: AnytimeValue, val: Any) -> None:
            set_value(anytime, val)
            self._tell_result(val)

        AnytimeValue.set_value = set_and_tell  # type: ignore[method-assign, assignment]

    def _tell_result(self, result: Any) -> None:
        path, score, _ = result
        after = None
        # lab.py may call set_value with anything in place of a path, and with anything
        # in place of the states in the path.
        with contextlib.suppress(Exception):
            after = encode(path[1].get_snapshot())
        self._reply(
            "result",
            after=after,
            score=encode(score),
            is_counted=self._evaluations.has_returned(score),
        )

    def _tell_spent(self) -> None:
        self._reply("spent")
        limit_cpu(self._turn["after_spent"], self._prints)

    def _reply(self, what: str, **facts: Any) -> None:
        self._send(
            what=what,
            run=self._turn["run"],
            turn=self._turn["number"],
            evaluations=self._evaluations.count,
            cpu=_cpu() - self._began,
            **facts,
        )
