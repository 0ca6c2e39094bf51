"""What searches and players earn, and what is said of their wrong answers."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.bank.cases import Bank
from grader.grading.judge import judge
from grader.grading.session import Session
from grader.protocol.answer import Answer, Ending
from grader.verdicts.verdict import Verdict
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
    way: dict[str, Any] = {"indices": list(path)}
    if isinstance(path, str):
        way = {"indices": [], "problem": path}
    return {"path": way, "score": score, "evaluations": evaluations}


def result(
    path: Any = (0, 0), score: Any = 3, evaluations: Any = 4, **record: Any
) -> dict[str, Any]:
    """An outcome of a search; `record` is what was seen, besides what it reports."""
    evaluated = evaluations if type(evaluations) is int else 4
    return {
        "result": entry(path, score, evaluations),
        "record": {**SEEN, "evaluated": evaluated, **record},
    }


def judged(
    function: str, expect: dict[str, Any], outcome: dict[str, Any], **inputs: Any
) -> Verdict:
    case = case_of(function, expect, **(inputs or MINIMAX_TREE))
    return judge(case, Answer(Ending.ANSWERED, [outcome]))


@pytest.mark.parametrize(
    ("outcome", "share"),
    [
        (result(), 1),
        (result(score=3.0), 1),
        (result(evaluations=4.0), 1),
        (result(evaluations=5), HALF),
        (result(evaluations=4, evaluated=3), HALF),
        (result(evaluations=4, evaluated=3, unattributed=1), 1),
        (result(evaluations=4, evaluated=3, repeated=1), 1),
        (result(evaluations=4, evaluated=3, alike=1), 1),
        (result(evaluations=4, evaluated=2, alike=1), HALF),
        (result(evaluations=None), HALF),
        (result(score=2), 0),
        (result(path=(0, 1)), 0),
        (result(path=(0,)), 0),
        (result(path="empty"), 0),
        (result(path="type"), 0),
        (result(score=True), 0),
        (result(score={"$other": "a Number"}), 0),
        (result(score=float("nan")), 0),
        ({"result": {"other": None}, "record": SEEN}, 0),
        ({"result": {"length": 2}, "record": SEEN}, 0),
        ({"history": []}, 0),
    ],
)
def test_credit_of_a_search(outcome: dict[str, Any], share: Fraction) -> None:
    assert judged("minimax_search", MINIMAX, outcome).credit == share


@pytest.mark.parametrize("row", table_of("counts"))
def test_credit_of_alpha_beta(row: dict[str, str]) -> None:
    numbers, share, _ = row["counts"].split("|")
    reported, evaluated, repeated, unattributed = map(yaml.safe_load, numbers.split())
    outcome = result(
        evaluations=None if reported == "None" else reported,
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
        (PRUNED, result(score=3, evaluations=3), ""),
        (MINIMAX, result("type", STATES, 4), "score, path, evaluations"),
        (MINIMAX, result("type", 3, STATES), "evaluations, score, path"),
        (MINIMAX, result("type", 9, STATES), "a number, a number, path"),
        (OUTSIDE_THE_WINDOW, result(score=4, evaluations=None), ""),
    ],
)  # fmt: skip
def test_parts_in_another_order_are_told_if_that_is_certain(
    expect: dict[str, Any], outcome: dict[str, Any], order: str
) -> None:
    message = judged(ALPHA_BETA, {**expect, "unpruned": 9}, outcome).message
    assert message.startswith("It returned (") is (order != "")
    assert f"({order})" in message or not order


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


@pytest.mark.parametrize("row", table_of("players"))
def test_what_a_player_answers(row: dict[str, Any]) -> None:
    """No point depends on the number of estimates; a wrong answer shows it."""
    expect = {**row["expect"], "estimates": 9}
    inputs = {**NIM, "call": row["call"]}
    count = ("calls of estimate (no points)", "9", "700")
    as_expected = {"value": row["value"], "estimates": 9}
    verdict = judged("MinimaxPlayer", expect, as_expected, **inputs)
    assert verdict.passed is (row["says"] == "")
    assert verdict.message.endswith(row["says"])
    another = judged(
        "MinimaxPlayer", expect, as_expected | {"estimates": 700}, **inputs
    )
    assert another.message == verdict.message
    assert another.rows == (*verdict.rows, *([count] if verdict.rows else []))


@pytest.mark.parametrize(("refused", "share"), [(True, 1), (False, 0)])
def test_credit_of_a_refusal(refused: bool, share: int) -> None:
    inputs = {**NIM, "made_for": 0, "call": "new"}
    verdict = judged("MinimaxPlayer", {"refused": True}, {"value": refused}, **inputs)
    assert verdict.credit == share


def test_a_call_after_others_is_drawn_with_them() -> None:
    earlier = [
        {"call": "next_move", "player": "MINNIE", "position": 7},
        {**NIM, "call": "search", "depth": 1},
    ]
    inputs = {
        **NIM,
        "call": "next_move",
        "before": earlier,
        "another": {"made_for": 3, "estimator": "odd_is_lost"},
    }
    verdict = judged(
        "MinimaxPlayer",
        {"move": 1, "estimates": 9},
        {"value": 2, "estimates": 9},
        **inputs,
    )
    assert verdict.picture.splitlines()[:5] == [
        "player = MinimaxPlayer(Nim(), 2)",
        "another = MinimaxPlayer(Nim(), 3, estimate=odd_is_lost)",
        "another.next_move(state)",
        "player.next_move(NimState(pieces=7, player=Player.MINNIE))",
        "player.search(1, state)",
    ]


def test_two_paths_that_begin_with_the_leaf_are_not_the_same_mistake(
    bank: Bank, model: str, tmp_path: Path
) -> None:
    """They differ in their fingerprints, though the same is said of both."""
    case = next(case for case in bank.cases if case.id == "dfs/two-by-two")
    verdicts = []
    for way in ("[*path, state]", "path"):
        (tmp_path / "lab.py").write_text(
            model.replace("[state, *path]", way, 1), encoding="utf-8"
        )
        with Session(tmp_path / "lab.py", bank) as session:
            verdicts.append(session.verdict(case))
    backwards, leaf_alone = verdicts
    assert backwards.message == leaf_alone.message
    assert backwards.fingerprint != leaf_alone.fingerprint
