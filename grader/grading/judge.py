"""The one judge: a case and its answer go in, a verdict comes out.

`make test`, the workflow, the bundles and the batch all call `judge`.  It reads plain data only,
and whatever that data holds, it gives a verdict.
"""

from collections.abc import Callable
from typing import Any

from boards.cases import Call, Case
from boards.inputs import SEARCHES
from grader.drawing import draw_call
from grader.judges import connect_four, player, search, solutions
from grader.judging.sentences import sentence_for_ending, sentence_for_exception
from grader.judging.status import Status
from grader.judging.verdict import FULL, NOTHING, RIGHT, Finding, Verdict
from grader.pipe.answer import Answer, Ending
from grader.pipe.words import Garbled

JUDGES: dict[str, Callable[[Call, dict[str, Any]], Finding]] = {
    "ZeroBy": solutions.judge_zero_by,
    "solve": solutions.judge_solve,
    "make_run": solutions.judge_make_run,
    "is_game_over_connectfour": connect_four.judge_predicate,
    "next_boards_connectfour": connect_four.judge_next_boards,
    "endgame_score_connectfour": connect_four.judge_score,
    "endgame_score_connectfour_faster": connect_four.judge_bounds,
    "heuristic_connectfour": connect_four.judge_bounds,
    **dict.fromkeys(SEARCHES, search.judge_search),
    "progressive_deepening": search.judge_progressive,
    "MinimaxPlayer": player.judge_player,
    **{f"ANSWER_{number}": solutions.judge_answer for number in (1, 2, 3, 4)},
}


def judge(case: Case, answer: Answer) -> Verdict:
    """The verdict on a case.

    The calls of a case stand or fall together: the worst decides, and the first of the worst is
    the one that is explained.
    """
    try:
        return _judge_outcomes(case, answer) if answer.ending is Ending.ANSWERED else _judge_ending(case, answer)
    except Garbled:
        return _judge_ending(case, Answer(Ending.GARBLED, printed=answer.printed, seconds=answer.seconds))


def _judge_ending(case: Case, answer: Answer) -> Verdict:
    status, message = sentence_for_ending(answer, case.seconds)
    at = min(len(answer.outcomes), len(case.calls) - 1)
    return _verdict(case, answer, status, Finding(NOTHING, message), at)


def _judge_outcomes(case: Case, answer: Answer) -> Verdict:
    worst, at, last = RIGHT, 0, len(answer.outcomes) - 1
    if answer.missing:
        missing = Finding(NOTHING, f"lab.py has no {case.function} any more.")
        return _verdict(case, answer, Status.NOT_STARTED, missing, last)
    if answer.raised:
        status, message = sentence_for_exception(answer.raised, case.function, _is_shallow(case.calls[last]))
        return _verdict(case, answer, status, Finding(NOTHING, message), last)
    for index, (call, outcome) in enumerate(zip(case.calls, answer.outcomes, strict=False)):
        finding = JUDGES[case.function](call, outcome)
        if finding.credit < worst.credit or not index:
            worst, at = finding, index
    if len(answer.outcomes) != len(case.calls):
        raise Garbled
    if worst.credit == FULL and (case.order or case.opposite):
        at, worst = connect_four.judge_relations(case, answer.outcomes)
    status = Status.PASS if worst.credit == FULL else Status.PARTIAL if worst.credit else Status.FAIL
    if worst.message == solutions.NO_ANSWER:
        status = Status.NOT_STARTED
    return _verdict(case, answer, status, worst, at)


def _is_shallow(call: Call) -> bool:
    """Whether no sound answer to a call comes near Python's limit on recursion."""
    game = call.inputs.get("game")
    return not (isinstance(game, dict) and {"staircase", "chain"} & game.keys())


def _verdict(case: Case, answer: Answer, status: Status, finding: Finding, call: int = 0) -> Verdict:
    return Verdict(
        case=case.id,
        status=status,
        credit=finding.credit,
        message=finding.message,
        rows=finding.rows,
        call=call,
        picture="" if status is Status.PASS else _picture(case, answer, call),
        printed=answer.printed,
        inside=_inside(answer),
        seconds=answer.seconds,
    )


def _inside(answer: Answer) -> str:
    """The function of lab.py that the code was in when it went no further; empty where none is known."""
    if answer.where:
        return answer.where[1]
    return answer.raised.inside if answer.raised else ""


def _picture(case: Case, answer: Answer, call: int) -> str:
    return draw_call(case, call, answer.outcomes[call] if call < len(answer.outcomes) else {})
