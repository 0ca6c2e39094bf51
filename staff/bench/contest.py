"""Measures the ladder: a move and a game of the model solution, and the upper rungs.

A move and a game are compared with the same search outside of the ladder.  The rungs
are the kit's own players, and the upper ones are the strongest.  The row of a rung
compares no times.  It says how many points of 100 the rung scores against the rung
below, over all openings, and how many the rung below scores.  These games are the same
on every machine.  The tests of the kit check the lower rungs.
"""

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import lab
from api import AbstractGameState
from grader.kit import KIT
from grader.ladder.contestant import BUDGET
from grader.ladder.openings import OPENINGS, opening_board
from grader.ladder.referee import play
from grader.ladder.rungs import Rung
from grader.ladder.submission import Submission
from staff.bench.figures import Figure, Side
from staff.bench.timing import machine_seconds, timed

# The seeds are the first decimals of the number e, in two pieces.  This shows that
# nobody has picked seeds that give a nice result.
SEEDS = (7182818284, 5904523536)
UPPER_RUNGS = (5, 6, 7)
LEAST_POINTS = 65
TIMES_THE_SEARCH_ALONE = 1.5
MOVES = 10
OPENING = 7


class _Spent(BaseException):
    """Raised to leave a search that has made all its evaluations."""


def figures() -> list[Figure]:
    """Return the rows for a move, a game, and the upper rungs."""
    what = f"a move, {BUDGET:,} evaluations"
    alone = Side("the search alone", timed(_search_alone, BUDGET, MOVES))
    rows = [
        Figure(what, Side("", _seconds_of_a_move), alone, TIMES_THE_SEARCH_ALONE),
        Figure("a game with itself", Side("", _seconds_of_a_game), alone),
    ]
    for rung in UPPER_RUNGS:
        for seed in SEEDS:
            rows.append(_rung_beside_the_one_below(rung, seed))
    return rows


def _rung_beside_the_one_below(rung: int, seed: int) -> Figure:
    """Return a row that compares the points of two rungs that play each other.

    The higher rung must score at least LEAST_POINTS of 100 points.
    """
    return Figure(
        f"rung {rung - 1}, seed {seed}",
        Side("", lambda: 100 - _points(rung, seed)),
        Side(f"rung {rung}", lambda: _points(rung, seed)),
        at_most=(100 - LEAST_POINTS) / LEAST_POINTS,
        repeats=1,
        unit="points",
    )


@functools.cache
def _points(number: int, seed: int) -> float:
    """Return how many points of 100 a rung scores against the rung below."""
    higher = Rung(number, seed)
    lower = Rung(number - 1, seed)
    points = 0.0
    for opening in range(1, OPENINGS + 1):
        points += play(higher, lower, opening).points(0)
        points += play(lower, higher, opening).points(1)
    return 100 * points / (2 * OPENINGS)


def _search_alone() -> int:
    """Run the search of the model in this process, and return how many evaluations it
    makes.  The search ends after BUDGET evaluations.
    """
    count = 0

    def counted(evaluate: Callable[..., Any]) -> Callable[..., Any]:
        def evaluate_and_count(*args: Any) -> Any:
            nonlocal count
            if count >= BUDGET:
                raise _Spent
            count += 1
            return evaluate(*args)

        return evaluate_and_count

    state = AbstractGameState(
        opening_board(OPENING),
        lab.is_game_over_connectfour,
        lab.next_boards_connectfour,
        counted(lab.endgame_score_connectfour_faster),
    )
    with contextlib.suppress(_Spent):
        lab.progressive_deepening(state, counted(lab.heuristic_connectfour), 42)
    return count


def _seconds_of_a_move() -> float:
    """Return the CPU seconds of a move of the model in the sandbox, on average."""
    with contextlib.closing(Submission(KIT / "lab.py")) as player:
        player.enter()
        player.begin(0)
        before = machine_seconds()
        for _ in range(MOVES):
            player.move(opening_board(OPENING), BUDGET)
        used = machine_seconds() - before
        player.end()
    return used / MOVES


def _seconds_of_a_game() -> float:
    """Return the CPU seconds of a game that the model plays against itself."""
    with (
        contextlib.closing(Submission(KIT / "lab.py")) as first,
        contextlib.closing(Submission(KIT / "lab.py")) as second,
    ):
        first.enter()
        second.enter()
        before = machine_seconds()
        play(first, second, OPENING)
        return machine_seconds() - before
