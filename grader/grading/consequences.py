"""One mistake costs once: what a failing case is worth when the mistake is in another function that it calls.

A case that has failed runs once more with the other functions of its part watched.  Where one of
them is wrong, and its asked answers are known for just the calls of this case (boards/earlier.py),
they stand in its place: if the case calls it and comes out right now, the function is right, and has
its points.  Where nothing is known that could stand in, the case *waits* for the function that it
calls.  In both, the mistake is looked for in one place only.
"""

import dataclasses
from collections.abc import Callable, Collection, Mapping
from typing import Any

from api import ConnectFourBoard
from boards.cases import Call, Case
from boards.earlier import EARLIER
from boards.excerpts import Excerpt, name_of_excerpt, read_excerpt, rows_of
from boards.named import BoardDrawing
from grader.grading.judge import judge
from grader.judging.status import Status
from grader.judging.verdict import Verdict
from grader.pipe.answer import Answer, Ending

Watch = Mapping[str, Any]


def trace_back(
    case: Case,
    verdict: Verdict | None,
    others: Collection[str],
    run: Callable[[Watch], Answer],
    is_wrong: Callable[[str], bool],
) -> Verdict:
    """The verdict on a case that has failed, once it is known whose mistake it is.

    `others` are the functions that the case may call, `run` runs it with these watched, and
    `is_wrong` says whether a function has a mistake of its own.  The verdict is None for a case that
    was not run, because a function hangs that it may call.
    """
    standing_in = {name for name in can_be_stood_in(case) if name in others and is_wrong(name)}
    hangs = verdict is not None and verdict.status is Status.TIME_OUT and not standing_in
    if verdict and hangs and verdict.inside in ("", case.function):
        return verdict

    def watched(tripping: Collection[str] = ()) -> Answer:
        answers = answers_for(case, standing_in)
        return run({"functions": sorted(others), "answers": answers, "tripping": sorted(tripping)})

    def stopped_at_a_wrong_one() -> Answer:
        """A run that is stopped where it enters a wrong function: a process that has ended tells nothing."""
        tripping = set(others) - standing_in
        while True:
            answer = watched(tripping)
            innocent = {name for name in tripping & _seen(answer, "called") if not is_wrong(name)}
            if not innocent:
                return answer
            tripping -= innocent

    answer = stopped_at_a_wrong_one() if hangs else watched()
    again = verdict if verdict and hangs else judge(case, answer)
    if answer.ending is not Ending.ANSWERED and not hangs:
        answer = stopped_at_a_wrong_one()
    called, unknown = _seen(answer, "called"), _seen(answer, "unknown")
    guilty = {name for name in others if name in called and is_wrong(name)}
    beyond = (guilty - standing_in) | (guilty & unknown)
    if again.passed and guilty & standing_in:
        replaced = _listed(guilty & standing_in, others)
        return dataclasses.replace(again, message=f"Right, with the asked answers in place of {replaced}.")
    if beyond and not again.passed:
        return _waits(again, [name for name in others if name in beyond])
    return again if guilty or verdict is None else verdict


def can_be_stood_in(case: Case) -> tuple[str, ...]:
    """The functions whose asked answers are known for the calls of this case."""
    return () if case.advice else EARLIER.get(case.function, ())


def answers_for(case: Case, functions: Collection[str]) -> dict[str, list[Any]]:
    """For each of these functions, what it should answer in each call of the case."""
    return {name: [_ANSWERS[name](call) for call in case.calls] for name in sorted(functions)}


def _waits(verdict: Verdict, functions: list[str]) -> Verdict:
    message = f"Waits for {_listed(functions, functions)}, which it calls and which is not right yet."
    return dataclasses.replace(verdict, status=Status.WAITS, message=message, rows=())


def _listed(functions: Collection[str], order: Collection[str]) -> str:
    return " and ".join(name for name in order if name in functions)


def _seen(answer: Answer, key: str) -> set[str]:
    """What the spies report, over all calls; the student's process says so, and may say nothing."""
    reports = [outcome.get(key) for outcome in answer.outcomes]
    return {name for names in reports if isinstance(names, list) for name in names if isinstance(name, str)}


def _excerpt(call: Call) -> Excerpt:
    return read_excerpt(BoardDrawing(tuple(call.inputs["board"]), tuple(call.inputs["players"])).board(), call.excerpt)


def _by_board(facts: Mapping[ConnectFourBoard, Any]) -> list[list[Any]]:
    return [[name_of_excerpt(rows_of(board)), fact] for board, fact in facts.items()]


def _over(call: Call) -> list[list[Any]]:
    excerpt = _excerpt(call)
    return _by_board(dict.fromkeys(excerpt.columns, False) | dict.fromkeys(excerpt.scores, True))


def _columns(call: Call) -> list[list[Any]]:
    excerpt = _excerpt(call)
    return _by_board({**excerpt.columns, **dict.fromkeys(excerpt.scores, ())})


def _scores(call: Call) -> list[list[Any]]:
    return _by_board(_excerpt(call).scores)


def _results(call: Call) -> dict[str, Any]:
    arguments = call.inputs["arguments"]
    return {
        "state": call.inputs["state"],
        "heuristic": arguments.get("heuristic", "always_zero"),
        "maximize": arguments.get("maximize", True),
        "results": [[entry["path"], entry["score"], entry["evaluations"]] for entry in call.expect["history"]],
    }


_ANSWERS: dict[str, Callable[[Call], Any]] = {
    "is_game_over_connectfour": _over,
    "next_boards_connectfour": _columns,
    "endgame_score_connectfour": _scores,
    "minimax_search_alphabeta": _results,
}
