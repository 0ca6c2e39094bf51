"""What an answer earns, what is said of it, and that no forged reply confuses a kind.

Searches and players have tests of their own.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Sent:
    """An answer of the table: what the child sends, and what comes of it."""

    case: Case
    outcome: dict[str, Any]
    says: str  # words about the answer; empty if nothing is said
    is_right: bool  # whether it earns all points


SENT = [
    Sent(
        CASES[row["id"]],
        sent(answer),
        says=answer.get("says", ""),
        is_right=answer.get("earns", "says" not in answer),
    )
    for row in ROWS
    for answer in row["answers"]
]
sent_answers = pytest.mark.parametrize(
    "answer", SENT, ids=lambda answer: f"{answer.case.function}: {answer.says[:40]}"
)


@sent_answers
def test_what_an_answer_earns(answer: Sent) -> None:
    verdict = verdict_on(answer.case, answer.outcome)
    assert verdict.passed == answer.is_right
    assert (verdict.credit == 1) == answer.is_right


@sent_answers
def test_what_is_said_of_an_answer(answer: Sent) -> None:
    """It is said in the message or in the first row."""
    verdict = verdict_on(answer.case, answer.outcome)
    yours = [cells[2] for cells in verdict.rows[:1]]
    assert answer.says in " ".join([verdict.message, *yours])
    assert bool(verdict.message) == bool(answer.says)


def test_no_answer_is_not_started() -> None:
    assert verdict_on(CASES["ANSWER"], {"value": ""}).status is Status.NOT_STARTED


NAMES = ("better", "worse", "worst")
TOO_LOW = "`better` should score higher than `worse`"


@pytest.mark.parametrize(
    ("scores", "said", "compared"),
    [
        ((3, 2, 1), "", []),
        ((3, 3, 1), f"{TOO_LOW}, but both score the same.", ["better", "worse"]),
        ((2, 3, 1), f"{TOO_LOW}.", ["better", "worse"]),
        ((3, 1, 2), "`worse` should score higher than `worst`.", ["worse", "worst"]),
    ],
)
def test_scores_come_in_an_order(
    scores: tuple[int, ...], said: str, compared: list[str]
) -> None:
    verdict = verdict_on_scores(case_of_scores(NAMES, order=NAMES), *scores)
    assert verdict.message == said
    assert [name for name, _, _ in verdict.rows] == compared


def test_a_negative_zero_is_the_same_score_as_zero() -> None:
    """A known mistake that is 0 on every board is known in either form."""
    case = case_of_scores(NAMES[:2], order=NAMES[:2])
    pairs = ((0, 0), (0.0, -0.0), (-0.0, 0.0))
    verdicts = [verdict_on_scores(case, *pair) for pair in pairs]
    assert len({verdict.fingerprint for verdict in verdicts}) == 1
    shown = [yours for verdict in verdicts for _, _, yours in verdict.rows]
    assert shown
    assert not any("-0" in yours for yours in shown)


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


# --- forged replies -----------------------------------------------------------------

ODD_THINGS: list[Any] = [
    None, True, -1, 10**300, 0.5, float("inf"), "", "odd", [], [[]], [3], ["a", "b"], {},
    {"$other": []}, {"$dict": 3}, {"$dict": [3]}, {"$dict": [[[], 3]]}, {"$value": {}}, {"$board": 3},
    {"$estimate": []}, {"$estimate": {"guess": {}}}, {"$estimate": {"guess": float("inf")}},
    {"indices": 7}, {"indices": [[]]}, {"problem": []}, {"problem": "type", "type": {}}, {"evaluated": -1},
]  # fmt: skip
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
RESULT_EXPECTED = {"path": [0, 0], "score": 3, "evaluations": 4}
RESULT = {"path": {"indices": [0, 0]}, "score": 3, "evaluations": 4}
RECORD = {
    "watched": True,
    "evaluated": 4,
    "repeated": 0,
    "unattributed": 0,
    "alike": 0,
    "order": [],
}
ESTIMATE = {"guess": 3}
Reply = dict[str, Any]
RIGHT_REPLIES: list[tuple[Case, Reply]] = [
    *((answer.case, answer.outcome) for answer in SENT if answer.is_right),
    (
        case_of("minimax_search", RESULT_EXPECTED, **TREE),
        {"result": RESULT, "record": RECORD},
    ),
    (
        case_of("minimax_search_alphabeta", RESULT_EXPECTED | {"unpruned": 4}, **TREE),
        {"result": RESULT, "record": RECORD},
    ),
    (
        case_of("progressive_deepening", {"history": [RESULT_EXPECTED]}, **TREE),
        {"history": [RESULT], "record": RECORD},
    ),
    (
        case_of(
            "MinimaxPlayer",
            {"move": 1, "estimate": ESTIMATE, "estimates": 9},
            **NIM,
            call="search",
        ),
        {"value": [1, {"$estimate": ESTIMATE}], "estimates": 9},
    ),
    (
        case_of(
            "MinimaxPlayer", {"refused": True}, **NIM | {"made_for": 0}, call="new"
        ),
        {"value": True},
    ),
]
MAY_DIFFER = [CASES["AT_LEAST"], CASES["BETWEEN"]]  # several scores are right
ABOUT_OTHERS = {Status.UNGRADED, Status.TIME_OUT, Status.WAITS}


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


def forged_from(reply: Reply) -> list[Reply]:
    """Replies that the child would not send, each made of a right one."""
    return [forged for odd in ODD_THINGS for forged in tampered(reply, odd)]


def what_counts(case: Case, reply: Reply) -> Reply:
    """The parts of a reply that decide what it earns."""
    decides = set(reply) - {"record", "estimates"}
    if case is CASES["RUN"]:
        decides = {"text", "status"}
    elif case.function == "make_run":
        decides = {"lines", "digest", "status"}
    return {key: part for key, part in reply.items() if key in decides}


@pytest.mark.parametrize(("case", "right"), RIGHT_REPLIES)
def test_no_forged_reply_confuses_the_judge(case: Case, right: Reply) -> None:
    """A forged reply is judged, and none that differs in what counts is right."""
    for forged in forged_from(right):
        verdict = verdict_on(case, forged)
        assert verdict.status not in ABOUT_OTHERS, forged
        if verdict.passed and case not in MAY_DIFFER:
            assert what_counts(case, forged) == what_counts(case, right)


# --- fingerprints -------------------------------------------------------------------


def fingerprint(case: Case, outcome: dict[str, Any]) -> str:
    kind = kind_of(case.graded)
    return kind.fingerprint(case.calls[0], kind.read(outcome))


def test_fingerprints_tell_wrong_tables_apart() -> None:
    wins = fingerprint(CASES["SOLVE"], table(top="WIN", end="LOSE"))
    wins_in_another_order = fingerprint(CASES["SOLVE"], table(end="LOSE", top="WIN"))
    ties = fingerprint(CASES["SOLVE"], table(top="TIE", end="LOSE"))
    assert wins == wins_in_another_order
    assert wins != ties


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
    assert verdict.status is Status.NOT_STARTED
    assert verdict.message == sentence
