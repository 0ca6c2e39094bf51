"""What searches and players earn, and what is said of their wrong answers."""

from fractions import Fraction
from typing import Any

import pytest

from api import INF
from grader.bank.cases import Bank
from grader.grading.judge import judge
from grader.grading.session import Session
from grader.protocol.answer import Answer, Ending
from grader.verdicts.verdict import Verdict
from staff.tests.conftest import Submit, case_named
from staff.tests.support.tables import case_of, table_of

MINIMAX_TREE = {
    "state": {
        "tree": "root\n  A\n    3\n    12\n  B\n    2\n    8\n",
        "negates": False,
    },
    "arguments": {},
}
SEEN = {
    "watched": True,
    "evaluated": 4,
    "repeated": 0,
    "unattributed": 0,
    "alike": 0,
    "order": [],
}
QUARTER = Fraction(1, 4)
HALF = Fraction(1, 2)
MINIMAX = {"path": [0, 0], "score": 3, "evaluations": 4}
ALPHA_BETA = "minimax_search_alphabeta"
PRUNED = {"path": [0, 0], "score": 3, "evaluations": 3, "unpruned": 4}
OUTSIDE_THE_WINDOW = {"at_most": 5, "evaluations": 4, "unpruned": 6}
STATES = [{"$other": "an AbstractGameState"}] * 2  # as the child sends a list of them


def entry(path: Any = (0, 0), score: Any = 3, evaluations: Any = 4) -> dict[str, Any]:
    """A result as the child sends it; a text in place of the path names its problem."""
    sent: dict[str, Any] = {"indices": list(path)}
    if isinstance(path, str):
        sent = {"indices": [], "problem": path}
    return {"path": sent, "score": score, "evaluations": evaluations}


def result(
    path: Any = (0, 0), score: Any = 3, evaluations: Any = 4, **record: Any
) -> dict[str, Any]:
    """An outcome of a search, of which as many evaluations were seen as it reports,
    unless `record` says otherwise.
    """
    seen = dict(SEEN)
    if type(evaluations) is int:
        seen["evaluated"] = evaluations
    return {"result": entry(path, score, evaluations), "record": seen | record}


def judged(
    function: str, expect: dict[str, Any], outcome: dict[str, Any], **inputs: Any
) -> Verdict:
    """The verdict on a case with one call, which is a search of the small tree if there
    are no inputs.
    """
    case = case_of(function, expect, **(inputs or MINIMAX_TREE))
    return judge(case, Answer(Ending.ANSWERED, [outcome]))


# --- searches ------------------------------------------------------------------------

SEARCHED: dict[str, tuple[dict[str, Any], Fraction | int]] = {
    "as expected": (result(), 1),
    "a whole score as a float": (result(score=3.0), 1),
    "a whole count as a float": (result(evaluations=4.0), 1),
    "counts too much": (result(evaluations=5), HALF),
    "counts more than was seen": (result(evaluated=3), HALF),
    "one was of an unknown place": (result(evaluated=3, unattributed=1), 1),
    "one was repeated": (result(evaluated=3, repeated=1), 1),
    "one was saved by a table": (result(evaluated=3, alike=1), 1),
    "a table saved too few": (result(evaluated=2, alike=1), HALF),
    "counts nothing": (result(evaluations=None), HALF),
    "another score": (result(score=2), 0),
    "another path": (result(path=(0, 1)), 0),
    "a path that ends early": (result(path=(0,)), 0),
    "an empty path": (result(path="empty"), 0),
    "no path": (result(path="none"), 0),
    "a bool as score": (result(score=True), 0),
    "an object as score": (result(score={"$other": "a Number"}), 0),
    "a score that is no number": (result(score=float("nan")), 0),
    "something else than a result": ({"result": {"other": None}, "record": SEEN}, 0),
    "two things and not three": ({"result": {"length": 2}, "record": SEEN}, 0),
    "a history": ({"history": []}, 0),
}


@pytest.mark.parametrize(("outcome", "share"), SEARCHED.values(), ids=SEARCHED)
def test_credit_of_a_search(outcome: dict[str, Any], share: Fraction) -> None:
    assert judged("minimax_search", MINIMAX, outcome).credit == share


def test_infinity_is_shown_as_lab_py_writes_it() -> None:
    verdict = judged("minimax_search", MINIMAX, result(score=-INF))
    assert ("score", "3", "-INF") in verdict.rows


def count_in(word: str) -> int | None:
    """A count of the table: a number, or None."""
    return None if word == "None" else int(word)


@pytest.mark.parametrize("row", table_of("counts"))
def test_credit_of_alpha_beta(row: dict[str, str]) -> None:
    counts, share, _ = row["counts"].split("|")
    reported, evaluated, repeated, unattributed = map(count_in, counts.split())
    outcome = result(
        evaluations=reported,
        evaluated=evaluated,
        repeated=repeated,
        unattributed=unattributed,
    )
    assert judged(ALPHA_BETA, PRUNED, outcome).credit == Fraction(share)


@pytest.mark.parametrize(("evaluations", "share"), [(3, 1), (5, QUARTER), (4, 0)])
def test_a_search_that_cannot_be_watched_is_believed(
    evaluations: int, share: Fraction
) -> None:
    outcome = result(evaluations=evaluations, evaluated=0, watched=False)
    assert judged(ALPHA_BETA, PRUNED, outcome).credit == share


def test_where_there_is_nothing_to_cut_plain_minimax_is_right() -> None:
    assert judged(ALPHA_BETA, {**PRUNED, "evaluations": 4}, result()).credit == 1


@pytest.mark.parametrize(("score", "share"), [(5, 1), (4, 1), (-100, 1), (6, 0)])
def test_a_value_outside_the_window_is_judged_by_its_side(
    score: int, share: int
) -> None:
    outcome = result(path="type", score=score)
    assert judged(ALPHA_BETA, OUTSIDE_THE_WINDOW, outcome).credit == share


@pytest.mark.parametrize(
    ("expect", "outcome", "order"),
    [
        (MINIMAX | {"score": 7}, result((0,), 4, 7), "path, evaluations, score"),
        (MINIMAX, result("type", STATES, 4), "score, path, evaluations"),
        (MINIMAX, result("type", 3, STATES), "evaluations, score, path"),
        (MINIMAX, result("type", 9, STATES), "a number, a number, path"),
    ],
)
def test_parts_in_another_order_are_told(
    expect: dict[str, Any], outcome: dict[str, Any], order: str
) -> None:
    message = judged(ALPHA_BETA, {**expect, "unpruned": 9}, outcome).message
    assert message.startswith("It returned (")
    assert f"({order})" in message


@pytest.mark.parametrize(
    ("expect", "outcome"),
    [
        (PRUNED, result(score=3, evaluations=3)),  # the score might be the count
        (MINIMAX, result(path=(0, 1))),  # only the path is wrong
        (OUTSIDE_THE_WINDOW, result(score=4, evaluations=None)),
    ],
)
def test_no_order_is_told_that_is_not_certain(
    expect: dict[str, Any], outcome: dict[str, Any]
) -> None:
    message = judged(ALPHA_BETA, {**expect, "unpruned": 9}, outcome).message
    assert not message.startswith("It returned (")


@pytest.mark.parametrize(
    ("history", "share"),
    [
        ([entry([0], 1, 2), entry([0, 0], 3, 4)], 1),
        ([entry([0], 1, 2), entry([0, 0], 3, 5)], HALF),
        ([entry([0], 1, 2)], 0),
        ([entry([0, 0], 3, 4), entry([0], 1, 2)], 0),
        ([], 0),
    ],
)
def test_credit_of_a_history(history: list[dict[str, Any]], share: Fraction) -> None:
    expect = {"history": [{"path": [0], "score": 1, "evaluations": 2}, MINIMAX]}
    outcome = {"history": history, "record": SEEN}
    assert judged("progressive_deepening", expect, outcome).credit == share


# --- players ------------------------------------------------------------------------

NIM = {
    "game": "nim",
    "position": 6,
    "player": "MAXIE",
    "depth": 2,
    "made_for": 2,
    "estimator": None,
}


def answered(row: dict[str, Any], estimates: int) -> Verdict:
    """The verdict on a row of the table, if 9 calls to estimate are expected."""
    expect = {**row["expect"], "estimates": 9}
    outcome = {"value": row["value"], "estimates": estimates}
    return judged("MinimaxPlayer", expect, outcome, **NIM, call=row["call"])


@pytest.mark.parametrize("row", table_of("players"))
def test_what_a_player_answers(row: dict[str, Any]) -> None:
    verdict = answered(row, estimates=9)
    assert verdict.passed is (row["says"] == "")
    assert verdict.message.endswith(row["says"])


@pytest.mark.parametrize("row", table_of("players"))
def test_the_number_of_estimates_costs_nothing(row: dict[str, Any]) -> None:
    as_expected = answered(row, estimates=9)
    too_many = answered(row, estimates=700)
    assert too_many.passed == as_expected.passed
    assert too_many.message == as_expected.message


@pytest.mark.parametrize("row", table_of("players"))
def test_rows_about_an_answer_show_the_number_of_estimates(row: dict[str, Any]) -> None:
    as_expected = answered(row, estimates=9)
    too_many = answered(row, estimates=700)
    rows = [*as_expected.rows]
    if rows:
        rows.append(("calls to estimate (no points)", "9", "700"))
    assert [*too_many.rows] == rows


@pytest.mark.parametrize(("refused", "share"), [(True, 1), (False, 0)])
def test_credit_of_a_refusal(refused: bool, share: int) -> None:
    inputs = {**NIM, "made_for": 0, "call": "new"}
    verdict = judged("MinimaxPlayer", {"refused": True}, {"value": refused}, **inputs)
    assert verdict.credit == share


BEFORE = [
    {"call": "next_move", "player": "MINNIE", "position": 7},
    {**NIM, "call": "search", "depth": 1},
]
ANOTHER = {"made_for": 3, "estimator": "odd_is_lost"}


def test_a_call_after_others_is_drawn_with_them() -> None:
    inputs = {**NIM, "call": "next_move", "before": BEFORE, "another": ANOTHER}
    expect = {"move": 1, "estimates": 9}
    outcome = {"value": 2, "estimates": 9}
    verdict = judged("MinimaxPlayer", expect, outcome, **inputs)
    assert verdict.picture.splitlines()[:5] == [
        "player = MinimaxPlayer(Nim(), 2)",
        "another = MinimaxPlayer(Nim(), 3, estimate=odd_is_lost)",
        "another.next_move(state)",
        "player.next_move(NimState(pieces=7, player=Player.MINNIE))",
        "player.search(1, state)",
    ]


def test_two_paths_that_begin_with_the_leaf_are_not_the_same_mistake(
    bank: Bank, model: str, submit: Submit
) -> None:
    """They differ in their fingerprints, though the same is said of both."""
    case = case_named("dfs/two-by-two", bank)

    def verdict_if_the_path_is(path: str) -> Verdict:
        lab = submit(model.replace("[state, *path]", path, 1))
        with Session(lab, bank) as session:
            return session.verdict(case)

    backwards = verdict_if_the_path_is("[*path, state]")
    leaf_alone = verdict_if_the_path_is("path")
    assert backwards.message == leaf_alone.message
    assert backwards.fingerprint != leaf_alone.fingerprint
