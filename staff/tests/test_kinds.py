"""What an answer earns, what is said of it, and that no forged reply confuses a kind.

Searches and players have tests of their own.
"""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from grader.bank.cases import Call, Case
from grader.grading.judge import judge
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, Ending
from grader.protocol.digests import as_output
from grader.protocol.replies import answered
from grader.verdicts.verdict import Status, Verdict
from staff.tests.support.tables import GRADED, TABLES, case_of, rows_of

BOARD = {"board": ["11.22.."], "players": ["A", "B"]}
HEURISTIC = GRADED["heuristic_connectfour"]


def verdict_on(case: Case, *outcomes: dict[str, Any]) -> Verdict:
    return judge(case, Answer(Ending.ANSWERED, list(outcomes)))


def verdict_on_scores(case: Case, *scores: float) -> Verdict:
    return verdict_on(case, *({"value": score} for score in scores))


def case_of_scores(
    names: tuple[str, ...],
    order: tuple[str, ...] = (),
    opposite: tuple[str, ...] = (),
) -> Case:
    """A case with a call for each name, in which any score is right by itself."""
    expect = {"at_least": -(10**500)}
    calls = tuple(Call(HEURISTIC, name, BOARD, expect) for name in names)
    return Case("x/y", 1, HEURISTIC, "says", calls, order=order, opposite=opposite)


def table(**names: str) -> dict[str, Any]:
    """A table of values as the child sends it."""
    entries = [[position, {"$value": name}] for position, name in names.items()]
    return {"value": {"$dict": entries}}


def graph(start: Any = 2, leads_to: Any = None, ends: Any = None) -> dict[str, Any]:
    """The graph of a zero-by game as the child sends it."""
    if leads_to is None:
        leads_to = {2: [0, 1], 1: [0]}
    if ends is None:
        ends = {0: {"$value": "LOSE"}}
    return {
        "start": start,
        "leads_to": {"$dict": [*map(list, leads_to.items())]},
        "ends": {"$dict": [*map(list, ends.items())]},
    }


def printed(text: str, status: int = 0, complaint: str = "") -> dict[str, Any]:
    """The output of a command as the child sends it."""
    return {**as_output(text), "status": status, "complaint": complaint}


def sent(answer: dict[str, Any]) -> dict[str, Any]:
    """What the child sends, from a row that may give it in a short form."""
    if "table" in answer:
        return table(**answer["table"])
    if "graph" in answer:
        return graph(**answer["graph"])
    if "printed" in answer:
        return printed(**answer["printed"])
    if "sent" in answer:
        return dict(answer["sent"])
    return {"value": answer["value"]}


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
    says = row.get("says", "")
    verdict = verdict_on(case, outcome)
    assert verdict.passed == (verdict.credit == 1) == row.get("earns", not says)
    yours = [cells[2] for cells in verdict.rows[:1]]
    assert says in " ".join([verdict.message, *yours])
    assert bool(verdict.message) == bool(says)


def test_no_answer_is_not_started() -> None:
    assert verdict_on(CASES["ANSWER"], {"value": ""}).status is Status.NOT_STARTED


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((3, 2, 1), ""),
        ((3, 3, 1), "`better` should score higher than `worse`, but both score the same."),
        ((2, 3, 1), "`better` should score higher than `worse`."),
        ((3, 1, 2), "`worse` should score higher than `worst`."),
    ],
)  # fmt: skip
def test_scores_come_in_an_order(scores: tuple[int, ...], said: str) -> None:
    names = ("better", "worse", "worst")
    verdict = verdict_on_scores(case_of_scores(names, order=names), *scores)
    assert verdict.message == said
    if verdict.beside is not None:
        compared = [names[verdict.beside], names[verdict.call]]
        assert [row[0] for row in verdict.rows] == compared


def test_a_negative_zero_is_the_same_score_as_zero() -> None:
    """A known mistake that is 0 on every board is known in either form."""
    names = ("better", "worse")
    case = case_of_scores(names, order=names)
    pairs = ((0, 0), (0.0, -0.0), (-0.0, 0.0))
    verdicts = [verdict_on_scores(case, *pair) for pair in pairs]
    assert len({verdict.fingerprint for verdict in verdicts}) == 1
    for verdict in verdicts:
        assert not any("-0" in yours for _, _, yours in verdict.rows)


@pytest.mark.parametrize(
    ("score", "opposite", "passes"),
    [
        (3, -3, True),
        (1e9 + 0.1, -1e9, True),
        (3, -2, False),
        (3, 3, False),
        (0.0, -0.0, True),
        (float("inf"), -1e9, False),
        (10**400, -(10**400), True),
        (10**400, -(10**399), False),
        (10**400, -1e9, False),
    ],
    ids=lambda value: str(value)[:9],
)
def test_opposite_scores_are_each_others_negative(
    score: float, opposite: float, passes: bool
) -> None:
    names = ("score", "opposite")
    case = case_of_scores(names, opposite=names)
    assert verdict_on_scores(case, score, opposite).passed == passes


ODD_THINGS: list[Any] = [
    None, True, -1, 10**300, 0.5, float("inf"), "", "odd", [], [[]], [3], ["a", "b"], {},
    {"$other": []}, {"$dict": 3}, {"$dict": [3]}, {"$dict": [[[], 3]]}, {"$value": {}}, {"$board": 3},
    {"$estimate": []}, {"$estimate": {"guess": {}}}, {"$estimate": {"guess": float("inf")}},
    {"indices": 7}, {"indices": [[]]}, {"problem": []}, {"problem": "type", "type": {}}, {"evaluated": -1},
]  # fmt: skip


def tampered(reply: Any, odd: Any) -> Iterator[Any]:
    """The reply with something odd in each of its places in turn."""
    keys: Any = []
    if isinstance(reply, dict):
        keys = list(reply)
    elif isinstance(reply, list):
        keys = range(len(reply))
    for key in keys:
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
EXPECTED = {"path": [0, 0], "score": 3, "evaluations": 4}
EXPECTED_OF_PLAYER = {"move": 1, "estimate": {"guess": 3}, "estimates": 9}
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
    (
        case_of("minimax_search", EXPECTED, **TREE),
        {"result": RESULT, "record": RECORD},
    ),
    (
        case_of("minimax_search_alphabeta", {**EXPECTED, "unpruned": 4}, **TREE),
        {"result": RESULT, "record": RECORD},
    ),
    (
        case_of("progressive_deepening", {"history": [EXPECTED]}, **TREE),
        {"history": [RESULT], "record": RECORD},
    ),
    (
        case_of("MinimaxPlayer", EXPECTED_OF_PLAYER, **NIM, call="search"),
        {"value": [1, {"$estimate": {"guess": 3}}], "estimates": 9},
    ),
    (
        case_of(
            "MinimaxPlayer", {"refused": True}, **NIM | {"made_for": 0}, call="new"
        ),
        {"value": True},
    ),
]
MAY_DIFFER = [CASES["AT_LEAST"], CASES["BETWEEN"]]  # several scores are right


@pytest.mark.parametrize(("case", "right"), RIGHT)
def test_no_forged_reply_confuses_the_judge(case: Case, right: dict[str, Any]) -> None:
    """A reply that the child would not send is refused, or judged as wrong."""
    for odd in ODD_THINGS:
        for changed in tampered(right, odd):
            verdict = verdict_on(case, changed)
            assert verdict.status not in (
                Status.UNGRADED,
                Status.TIME_OUT,
                Status.WAITS,
            )
            if verdict.passed and case not in MAY_DIFFER:
                assert what_counts(case, changed) == what_counts(case, right)


def what_counts(case: Case, reply: dict[str, Any]) -> dict[str, Any]:
    """The parts of a reply that decide what it earns."""
    decides = set(reply) - {"record", "estimates"}
    if case is CASES["RUN"]:
        decides = {"text", "status"}
    elif case.function == "make_run":
        decides = {"lines", "digest", "status"}
    return {key: part for key, part in reply.items() if key in decides}


def fingerprint(case: Case, outcome: dict[str, Any]) -> str:
    kind = kind_of(case.graded)
    return kind.fingerprint(case.calls[0], kind.read(outcome))


def test_fingerprints_tell_wrong_tables_apart() -> None:
    first = fingerprint(CASES["SOLVE"], table(top="WIN", end="LOSE"))
    same = fingerprint(CASES["SOLVE"], table(end="LOSE", top="WIN"))
    other = fingerprint(CASES["SOLVE"], table(top="TIE", end="LOSE"))
    assert first == same != other


@pytest.mark.parametrize(
    ("score", "side"),
    [(5, "out of range"), (4.9, "too high, 1"), (-4, "too low, -1"), (7, "out of range")],
)  # fmt: skip
def test_the_fingerprint_of_a_score_is_on_which_side_of_its_bounds_it_is(
    score: float, side: str
) -> None:
    assert fingerprint(CASES["BETWEEN"], {"value": score}) == side


def test_what_is_missing_is_named() -> None:
    sentence = "lab.py has no solve any more."
    raised = {
        "type": "NotWritten",
        "bases": ["NotWritten", "NotImplementedError"],
        "is_missing": True,
        "text": sentence,
        "frames": [],
    }
    verdict = judge(CASES["SOLVE"], answered([{"raised": raised}], 1))
    assert (verdict.status, verdict.message) == (Status.NOT_STARTED, sentence)
