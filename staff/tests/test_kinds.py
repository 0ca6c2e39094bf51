"""The kinds of functions but for searches and players: what an answer earns, what is
said of it, and forged replies.
"""

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from grader.bank.cases import Call, Case
from grader.grading.judge import judge
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, Ending
from grader.protocol.digests import as_output
from grader.protocol.replies import answered
from staff.tests.support.tables import GRADED, TABLES, case_of, rows_of

BOARD = {"board": ["11.22.."], "players": ["A", "B"]}

HEURISTIC = GRADED["heuristic_connectfour"]


def verdict_on(case: Case, outcome: dict[str, Any]) -> Verdict:
    return judge(case, Answer(Ending.ANSWERED, [outcome]))


def table(**names: Any) -> dict[str, Any]:
    return {
        "value": {
            "$dict": [[position, {"$value": name}] for position, name in names.items()]
        }
    }


def graph(start: Any = 2, leads_to: Any = None, ends: Any = None) -> dict[str, Any]:
    leads_to = {2: [0, 1], 1: [0]} if leads_to is None else leads_to
    ends = {0: {"$value": "LOSE"}} if ends is None else ends
    tables = {
        "leads_to": {"$dict": [*map(list, leads_to.items())]},
        "ends": {"$dict": [*map(list, ends.items())]},
    }
    return {"start": start, **tables}


def printed(text: str, status: int = 0, complaint: str = "") -> dict[str, Any]:
    return {**as_output(text), "status": status, "complaint": complaint}


def sent(answer: dict[str, Any]) -> dict[str, Any]:
    """What the worker sends, of a row that may say it in short."""
    if "table" in answer:
        return table(**answer["table"])
    if "graph" in answer:
        return graph(**answer["graph"])
    if "printed" in answer:
        return printed(**answer["printed"])
    return dict(answer.get("sent") or {"value": answer["value"]})


ROWS = rows_of(TABLES / "answers.yaml")
CASES = {
    row["id"]: case_of(row["function"], row["expect"], **row["inputs"]) for row in ROWS
}
SENT = [
    (CASES[row["id"]], answer, sent(answer))
    for row in ROWS
    for answer in row["answers"]
]


@pytest.mark.parametrize(("case", "row", "outcome"), SENT)
def test_what_an_answer_earns_and_what_is_said(
    case: Case, row: dict[str, Any], outcome: dict[str, Any]
) -> None:
    verdict, says = verdict_on(case, outcome), row.get("says", "")
    assert verdict.passed == (verdict.credit == 1) == row.get("earns", not says)
    assert says in " ".join(
        [verdict.message, *(cells[2] for cells in verdict.rows[:1])]
    )
    assert bool(verdict.message) == bool(says)


def test_no_answer_is_not_started() -> None:
    assert verdict_on(CASES["ANSWER"], {"value": ""}).status is Status.NOT_STARTED


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((3, 2, 1), ""),
        (
            (3, 3, 1),
            "`better` should score higher than `worse`, but both score the same.",
        ),
        ((2, 3, 1), "`better` should score higher than `worse`."),
        ((3, 1, 2), "`worse` should score higher than `worst`."),
    ],
)
def test_scores_come_in_an_order(scores: tuple[int, ...], said: str) -> None:
    names = ("better", "worse", "worst")
    calls = tuple(Call(HEURISTIC, name, BOARD, {"between": [0, 9]}) for name in names)
    case = Case("x/y", 1, HEURISTIC, "says", calls, order=names)
    verdict = judge(
        case, Answer(Ending.ANSWERED, [{"value": score} for score in scores])
    )
    assert verdict.message == said
    assert verdict.beside is None or [row[0] for row in verdict.rows] == [
        names[verdict.beside],
        names[verdict.call],
    ]


def test_a_negative_zero_is_the_same_score_as_zero() -> None:
    """A known mistake that is 0 on every board is known in either form."""
    calls = tuple(
        Call(HEURISTIC, name, BOARD, {"between": [-9, 9]})
        for name in ("better", "worse")
    )
    case = Case("x/y", 1, HEURISTIC, "says", calls, order=("better", "worse"))
    pairs = ((0, 0), (0.0, -0.0), (-0.0, 0.0))
    verdicts = [
        judge(case, Answer(Ending.ANSWERED, [{"value": score} for score in pair]))
        for pair in pairs
    ]
    assert len({verdict.fingerprint for verdict in verdicts}) == 1
    assert not any(
        "-0" in yours for verdict in verdicts for _, _, yours in verdict.rows
    )


@pytest.mark.parametrize(
    ("one", "other", "passes"),
    [(3, -3, True), (1e9 + 0.1, -1e9, True), (3, -2, False), (3, 3, False)],
)
def test_opposite_scores_are_each_others_negative(
    one: float, other: float, passes: bool
) -> None:
    calls = tuple(
        Call(HEURISTIC, name, BOARD, {"between": [-1e12, 1e12]})
        for name in ("one", "other")
    )
    case = Case("x/y", 1, HEURISTIC, "says", calls, opposite=("one", "other"))
    assert (
        judge(case, Answer(Ending.ANSWERED, [{"value": one}, {"value": other}])).passed
        == passes
    )


ODD_THINGS: list[Any] = [
    *(
        None,
        True,
        -1,
        10**300,
        0.5,
        float("inf"),
        "",
        "odd",
        [],
        [[]],
        [3],
        ["a", "b"],
        {},
    ),
    *(
        {"$other": []},
        {"$dict": 3},
        {"$dict": [3]},
        {"$dict": [[[], 3]]},
        {"$value": {}},
        {"$board": 3},
    ),
    *(
        {"$estimate": []},
        {"$estimate": {"guess": {}}},
        {"$estimate": {"guess": float("inf")}},
    ),
    *(
        {"indices": 7},
        {"indices": [[]]},
        {"problem": []},
        {"problem": "type", "type": {}},
        {"evaluated": -1},
    ),
]


def tampered(reply: Any, odd: Any) -> Iterator[Any]:
    """The reply with something odd in each of its places in turn."""
    if isinstance(reply, dict | list):
        for key in list(reply) if isinstance(reply, dict) else range(len(reply)):
            for inner in (odd, *tampered(reply[key], odd)):
                changed = copy.copy(reply)
                changed[key] = inner
                yield changed


TREE = {
    "state": {
        "tree": "root\n  A\n    3\n    12\n  B\n    2\n    8\n",
        "negates": False,
    },
    "arguments": {},
}
NIM = {
    "game": "nim",
    "position": 6,
    "player": "MAXIE",
    "depth": 2,
    "made_for": 2,
    "estimator": None,
}
FOUND = {"path": [0, 0], "score": 3, "evaluations": 4}
GUESSED = {"move": 1, "estimate": {"guess": 3}, "estimates": 9}
RESULT = {"path": {"indices": [0, 0]}, "score": 3, "evaluations": 4}
RECORD = {
    "watched": True,
    "evaluated": 4,
    "repeated": 0,
    "unattributed": 0,
    "alike": 0,
    "order": [],
}
RIGHT = [
    (case, outcome)
    for case, row, outcome in SENT
    if row.get("earns", "says" not in row)
]
RIGHT += [
    (case_of("minimax_search", FOUND, **TREE), {"result": RESULT, "record": RECORD}),
    (
        case_of("minimax_search_alphabeta", {**FOUND, "unpruned": 4}, **TREE),
        {"result": RESULT, "record": RECORD},
    ),
    (
        case_of("progressive_deepening", {"history": [FOUND]}, **TREE),
        {"history": [RESULT], "record": RECORD},
    ),
    (
        case_of("MinimaxPlayer", GUESSED, **NIM, call="search"),
        {"value": [1, {"$estimate": {"guess": 3}}], "estimates": 9},
    ),
    (
        case_of(
            "MinimaxPlayer", {"refused": True}, **{**NIM, "made_for": 0}, call="new"
        ),
        {"refused": True},
    ),
]


MAY_DIFFER = [CASES[name] for name in ("AT_LEAST", "BETWEEN")]


@pytest.mark.parametrize(("case", "right"), RIGHT)
def test_no_forged_reply_confuses_the_judge(case: Case, right: dict[str, Any]) -> None:
    """What the worker would not send is refused, or judged as wrong."""
    for changed in itertools.chain.from_iterable(
        tampered(right, odd) for odd in ODD_THINGS
    ):
        verdict = verdict_on(case, changed)
        assert verdict.status not in (Status.UNGRADED, Status.TIME_OUT, Status.WAITS)
        may_differ = case in MAY_DIFFER or what_counts(case, changed) == what_counts(
            case, right
        )
        assert not verdict.passed or may_differ, changed


def what_counts(case: Case, reply: dict[str, Any]) -> dict[str, Any]:
    """What decides of a reply."""
    decides = {
        "make_run": ("text", "status")
        if case is CASES["RUN"]
        else ("lines", "digest", "status")
    }.get(case.function)
    return {
        key: fact
        for key, fact in reply.items()
        if key in (decides or {*reply} - {"record", "estimates"})
    }


def test_every_kind_tells_wrong_answers_apart_and_right_ones_not() -> None:
    """By fingerprints, which misconceptions are known by."""
    case = CASES["SOLVE"]
    kind = kind_of(case.graded)
    one, same, other = (
        kind.fingerprint(case.calls[0], kind.read(table(**names)))
        for names in (
            {"top": "WIN", "end": "LOSE"},
            {"end": "LOSE", "top": "WIN"},
            {"top": "TIE", "end": "LOSE"},
        )
    )
    assert one == same != other
    case = CASES["BETWEEN"]
    kind = kind_of(case.graded)
    sides = [kind.fingerprint(case.calls[0], score) for score in (5, 4.9, -4, 7)]
    assert sides == ["out of range", "too high, 1", "too low, -1", "out of range"]


def test_what_is_missing_is_named() -> None:
    sentence = "lab.py has no solve any more."
    raised = {
        "type": "NotWritten",
        "bases": ["NotWritten", "NotImplementedError"],
        "text": sentence,
        "frames": [],
    }
    verdict = judge(CASES["SOLVE"], answered([{"raised": raised}], 1))
    assert (verdict.status, verdict.message) == (Status.NOT_STARTED, sentence)
