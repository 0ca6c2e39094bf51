"""In the child: sees which graded functions another one calls, and answers in their place.

Only a case that has failed is run like this, a second time.  The functions are found where lab.py
keeps them, under their names; one that is called by another way is not seen.  A stand-in answers just
what is known for this case, and leaves every other call to the student's own function.
"""

import contextlib
import functools
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from api import INF, AbstractGameState, ConnectFourBoard, always_zero, move_sequence
from boards.excerpts import name_of_excerpt, rows_of
from boards.heuristics import HEURISTICS
from grader.calls import build_state

MOST_COMPARED = 300


class Unknown(Exception):
    """Raised by a stand-in that was asked something else than what it knows."""


class Tripped(BaseException):
    """Raised in the place of a function that would end the process."""


class Spies:
    """Watches functions of lab.py while a call is made.

    `watch` is what Request.watch holds, or None: nobody is watched then.  `report` says which
    functions were called, and which were asked something that their stand-ins do not know.  The
    `tripping` ones are called, and go no further.
    """

    def __init__(self, lab: ModuleType, watch: dict[str, Any] | None) -> None:
        self._lab, self._watch = lab, watch
        self._called: set[str] = set()
        self._unknown: set[str] = set()

    def report(self) -> dict[str, list[str]]:
        """What was seen, for the outcome of a call; nothing where nobody was watched."""
        return {} if self._watch is None else {"called": sorted(self._called), "unknown": sorted(self._unknown)}

    @contextlib.contextmanager
    def in_place(self, call: int) -> Iterator[None]:
        """Put the spies in the place of the functions, for one call of the case."""
        watch = self._watch or {"functions": ()}
        own: dict[str, Any] = {name: getattr(self._lab, name, None) for name in watch["functions"]}
        own = {
            name: function for name, function in own.items() if callable(function) and not isinstance(function, type)
        }
        for name, function in own.items():
            answers = watch["answers"].get(name)
            setattr(self._lab, name, self._spy(name, function, answers and STAND_INS[name](answers[call])))
        try:
            yield
        finally:
            for name, function in own.items():
                setattr(self._lab, name, function)

    def _spy(self, name: str, function: Callable[..., Any], stand_in: Callable[..., Any] | None) -> Callable[..., Any]:
        @functools.wraps(function)
        def spy(*words: Any, **named: Any) -> Any:
            self._called.add(name)
            if self._watch and name in self._watch["tripping"]:
                raise Tripped(name)
            if stand_in is not None:
                try:
                    return stand_in(*words, **named)
                except Exception:
                    self._unknown.add(name)
            return function(*words, **named)

        return spy


def _rule(known: list[list[Any]], answer: Callable[..., Any]) -> Callable[..., Any]:
    """A rule of Connect Four, known for some boards; `answer` makes the answer of what is known."""
    by_rows = dict(known)

    def stand_in(board: ConnectFourBoard, *flags: Any, **named_flags: Any) -> Any:
        rows = name_of_excerpt(rows_of(board))
        if rows not in by_rows:
            raise Unknown
        return answer(board, by_rows[rows], *flags, **named_flags)

    return stand_in


def _score(board: ConnectFourBoard, scores: list[int], is_current_player_maximizer: bool) -> int:
    return scores[0 if is_current_player_maximizer else 1]


def _alphabeta(known: dict[str, Any]) -> Callable[..., Any]:
    """Alpha-beta from the root of the case with a full window, known for some depths."""
    root, heuristic = build_state(known["state"]), HEURISTICS[known["heuristic"]]

    def stand_in(
        state: AbstractGameState,
        alpha: float = -INF,
        beta: float = INF,
        heuristic_fn: Callable[..., float] = always_zero,
        depth_limit: float = INF,
        maximize: bool = True,
    ) -> Any:
        full = alpha == -INF and beta == INF and maximize is known["maximize"]
        if not full or depth_limit not in range(1, len(known["results"]) + 1) or state != root:
            raise Unknown
        _compare(heuristic_fn, heuristic, state, int(depth_limit), maximize)
        path, score, evaluations = known["results"][int(depth_limit) - 1]
        return move_sequence(state, path), score, evaluations

    return stand_in


def _compare(
    given: Callable[..., float], wanted: Callable[..., float], state: AbstractGameState, depth: int, maximize: bool
) -> None:
    """Raise Unknown where a heuristic is not the wanted one in a state that a search to this depth estimates."""
    layer = [state]
    for _ in range(depth):
        layer = [child for parent in layer for child in parent.generate_next_states()][:MOST_COMPARED]
        maximize = not maximize
    for here in layer:
        if not here.is_game_over() and given(here.snapshot, maximize) != wanted(here.snapshot, maximize):
            raise Unknown


STAND_INS: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "is_game_over_connectfour": lambda known: _rule(known, lambda board, is_over: is_over),
    "next_boards_connectfour": lambda known: _rule(known, lambda board, columns: [*map(board.add_piece, columns)]),
    "endgame_score_connectfour": lambda known: _rule(known, _score),
    "minimax_search_alphabeta": _alphabeta,
}
