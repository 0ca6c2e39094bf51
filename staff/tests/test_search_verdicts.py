"""What searches and players earn, and what is said of a wrong answer: credit, counts, shapes, paths and rows."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from boards.cases import Bank, Call, Case, read_points
from grader.grading.judge import judge
from grader.grading.session import Session
from grader.judging.verdict import Verdict
from grader.protocol.answer import Answer, Ending
from staff.misconceptions import public_cases
from staff.wrong_labs import build, load_wrong_labs, with_body

WRONG_LABS = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}
GRADED = {name: function for part in read_points() for name, function in part.graded.items()}
TREE = {"tree": "root\n  A\n    3\n    12\n  B\n    2\n    8\n", "negates": False}
SEEN = {"watched": True, "evaluated": 4, "repeated": 0, "unattributed": 0, "alike": 0, "order": []}
QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)
MINIMAX = {"path": [0, 0], "score": 3, "evaluations": 4}
ALPHA_BETA, EXPECTED = "minimax_search_alphabeta", {"path": [0, 0], "score": 3, "evaluations": 3, "unpruned": 4}


def case_of(function: str, expect: dict[str, Any], **inputs: Any) -> Case:
    call = Call("", inputs or {"state": TREE, "arguments": {}}, expect)
    return Case("x/y", 2, GRADED[function], "says", (call,))


def entry(path: Any = (0, 0), score: Any = 3, evaluations: Any = 4) -> dict[str, Any]:
    """A result as the child sends it; a path that is a text is that problem."""
    way = {"indices": [], "problem": path} if isinstance(path, str) else {"indices": list(path)}
    return {"path": way, "score": score, "evaluations": evaluations}


def result(path: Any = (0, 0), score: Any = 3, evaluations: Any = 4, **record: Any) -> dict[str, Any]:
    evaluated = evaluations if type(evaluations) is int else 4
    return {"result": entry(path, score, evaluations), "record": {**SEEN, "evaluated": evaluated, **record}}


def judged(function: str, expect: dict[str, Any], outcome: dict[str, Any], **inputs: Any) -> Verdict:
    return judge(case_of(function, expect, **inputs), Answer(Ending.ANSWERED, [outcome]))


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
        (result(path="none"), 0),
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


# What is reported, and what was seen: evaluations of different places, of the same again, and of unknown ones.
# Expected are 3, and plain minimax makes 4.
COUNTS = """
3     3 0 0 | 1    | it prunes
3     2 0 0 | 1/4  | it saw fewer than it says
3     0 0 0 | 0    | it asks the rules behind the recorder's back
3     0 0 3 | 1    | what cannot be attributed costs nothing if the count is right
3     0 0 4 | 1    | the same
3     3 3 0 | 1    | it evaluates again, which costs nothing
6     3 3 0 | 1/4  | it prunes, and counts each evaluation twice
2     2 0 0 | 1/4  | it prunes too much, and was lucky
2     0 0 2 | 1/4  | the same
7     3 0 0 | 1/4  | it counts the nodes
4     3 0 0 | 1/4  | it counts what it leaves out
0     3 0 0 | 1/4  | it does not count
None  3 0 0 | 1/4  | the same
None  0 0 3 | 1/4  | the same
4     4 0 0 | 0    | it prunes nothing, and says so
5     4 0 0 | 0    | it prunes nothing, and says something else
3     4 0 0 | 0    | it prunes nothing, and says the right thing
None  4 0 0 | 0    | the same
8     4 4 0 | 0    | the same
3     4 0 1 | 0    | nor does an evaluation of nothing hide it
5     4 0 1 | 0    | the same
5     2 0 2 | 0    | the same
None  0 0 4 | 0    | the same
5     0 0 0 | 0    | it asks the rules behind the recorder's back
0     0 0 0 | 0    | the same
None  0 0 0 | 0    | the same
5     1 0 1 | 0    | fewer were seen than it needs
4     0 0 1 | 0    | the same
"""


@pytest.mark.parametrize("row", COUNTS.strip().splitlines())
def test_credit_of_alpha_beta(row: str) -> None:
    numbers, share, _ = row.split("|")
    reported, evaluated, again, stray = (None if word == "None" else int(word) for word in numbers.split())
    outcome = result(evaluations=reported, evaluated=evaluated, repeated=again, unattributed=stray)
    assert judged(ALPHA_BETA, EXPECTED, outcome).credit == Fraction(share)


@pytest.mark.parametrize(("evaluations", "share"), [(3, 1), (5, QUARTER), (4, 0)])
def test_a_search_that_cannot_be_watched_is_believed(evaluations: int, share: Fraction) -> None:
    outcome = result(evaluations=evaluations, evaluated=0, watched=False)
    assert judged(ALPHA_BETA, EXPECTED, outcome).credit == share


def test_where_there_is_nothing_to_cut_plain_minimax_is_right() -> None:
    assert judged(ALPHA_BETA, {**EXPECTED, "evaluations": 4}, result()).credit == 1


@pytest.mark.parametrize(("score", "share"), [(5, 1), (4, 1), (-100, 1), (6, 0)])
def test_a_value_outside_the_window_is_judged_by_its_side(score: int, share: int) -> None:
    expect = {"at_most": 5, "evaluations": 4, "unpruned": 6}
    assert judged(ALPHA_BETA, expect, result(path="none", score=score)).credit == share


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
    assert judged("progressive_deepening", expect, {"history": history, "record": SEEN}).credit == share


# --- players ------------------------------------------------------------------------------------------

SURE, GUESS, DRAW = ({"$estimate": each} for each in ({"sure": "MAXIE"}, {"guess": 3}, {"sure": "DRAW"}))
NIM = {"game": "nim", "position": 6, "player": "MAXIE", "depth": 2, "made_for": 2, "estimator": None}
WON, UNSURE, EVEN = ({"move": 1, "estimate": each} for each in ({"sure": "MAXIE"}, {"guess": 3}, {"guess": 0}))


@pytest.mark.parametrize(
    ("call", "expect", "value", "message"),
    [
        ("search", WON, [1, SURE], ""),
        ("search", UNSURE, [1, {"$estimate": {"guess": 3.0}}], ""),
        ("evaluate", {"estimate": {"guess": 3}}, GUESS, ""),
        ("next_move", {"move": 1}, 1, ""),
        ("search", WON, [1, SURE, 7], "search returns (move, estimate)."),
        ("search", WON, None, "search returns (move, estimate)."),
        ("search", WON, [SURE, 1], "search returns (move, estimate)."),
        ("search", WON, [2, SURE], "Another move was chosen."),
        ("search", WON, [True, SURE], "True is none of the moves here."),
        ("search", WON, ["1", SURE], "'1' is none of the moves here."),
        ("search", WON, [None, SURE], "No move was chosen: where the move should be, there is None."),
        ("search", WON, [1, GUESS], "The estimate is wrong."),
        ("search", WON, [1, "MAXIE"], "It is 'MAXIE'; an estimate is Definitely(outcome) or Guess(score)."),
        ("search", UNSURE, [1, {"$estimate": {"guess": True}}], "The estimate is wrong."),
        ("search", EVEN, [1, DRAW], "The estimate is wrong."),
        ("search", {**WON, "estimate": {"sure": "DRAW"}}, [1, {"$estimate": {"guess": 0}}], "The estimate is wrong."),
        ("evaluate", {"estimate": {"guess": 3}}, 3, "It is 3; an estimate is Definitely(outcome) or Guess(score)."),
        ("next_move", {"move": 1}, [1, SURE], "It returned a move and an estimate, not the move alone."),
        ("next_move", {"move": 1}, None, "No move was chosen: where the move should be, there is None."),
        ("next_move", {"move": 1}, 7, "7 is none of the moves here."),
    ],
)
def test_what_a_player_answers(call: str, expect: dict[str, Any], value: Any, message: str) -> None:
    """In however many estimates, whose number is shown and never judged."""
    for taken in (9, 700):
        outcome = {"value": value, "estimates": taken}
        verdict = judged("MinimaxPlayer", {**expect, "estimates": 9}, outcome, **NIM, call=call)
        assert verdict.passed is (message == "")
        assert verdict.message.endswith(message)
        count = ("calls of estimate (never judged)", "9", str(taken))
        assert verdict.passed or verdict.rows[-1:] in ((count,), ())


@pytest.mark.parametrize(("refused", "share"), [(True, 1), (False, 0)])
def test_credit_of_a_refusal(refused: bool, share: int) -> None:
    inputs = {**NIM, "made_for": 0, "call": "new"}
    assert judged("MinimaxPlayer", {"refused": True}, {"refused": refused}, **inputs).credit == share


def test_a_call_after_others_is_drawn_with_them() -> None:
    earlier = [{"call": "next_move", "player": "MINNIE", "position": 7}, {**NIM, "call": "search", "depth": 1}]
    inputs = {**NIM, "call": "next_move", "before": earlier, "another": {"made_for": 3, "estimator": "odd_is_lost"}}
    verdict = judged("MinimaxPlayer", {"move": 1, "estimates": 9}, {"value": 2, "estimates": 9}, **inputs)
    assert verdict.picture.splitlines()[:5] == [
        "player = MinimaxPlayer(Nim(), 2)",
        "another = MinimaxPlayer(Nim(), 3, estimate=odd_is_lost)",
        "another.next_move(state)",
        "player.next_move(NimState(pieces=7, player=Player.MINNIE))",
        "player.search(1, state)",
    ]


# --- what is said of a wrong path or score --------------------------------------------------------------

Judged = Callable[[str, str], Verdict]
NO_WAY = "The path should be a list of states that leads down from the given one, child by child."
FOREIGN = 'from api import parse_tree, tree_state\nreturn [tree_state(parse_tree("x = 1"))], 5, 4'
TREE_FIRST = "state.generate_next_states()[0].generate_next_states()\nstate.generate_next_states()[1]\n"


@pytest.fixture
def graded(tmp_path: Path, bank: Bank) -> Judged:
    """The verdict on a case of a lab.py with this text."""

    def graded(text: str, name: str) -> Verdict:
        lab = tmp_path / "lab.py"
        lab.write_text(text, encoding="utf-8")
        with Session(lab, bank) as session:
            return session.verdict(next(case for case in bank.cases if case.id == name))

    return graded


@pytest.mark.parametrize(
    ("body", "row", "said"),
    [
        ("return [state, state.generate_next_states()[0].generate_next_states()[1]], 5, 4", "root, 5", NO_WAY),
        ("return [state, state], 5, 4", "root, root", NO_WAY),
        ("return [state.generate_next_states()[1]], 5, 4", "B", NO_WAY),
        (FOREIGN, "another state", NO_WAY),
        ("return [state, 7], 5, 4", "root, an int, …", NO_WAY),
        ("return iter([state]), 5, 4", "a list_iterator", NO_WAY),
        ("return None, 5, 4", "None", NO_WAY),
        ("return [], 5, 4", "no states", NO_WAY),
        ("return [state], 9, 4", "root",
         "The score is right, but the path is not."),
        ("return [state], 7, 4", "root",
         "Path and score are wrong."),
        ("return [state, *(c := state.generate_next_states()[1:]), c[0].generate_next_states()[1]], 7, 4",
         "root, B, 9", "The path is right, but the score is not."),
    ],
)  # fmt: skip
def test_a_wrong_path_is_shown_by_its_nodes(body: str, row: str, said: str, graded: Judged, model: str) -> None:
    verdict = graded(with_body("dfs_maximizing", TREE_FIRST + body, model), "dfs/two-by-two")
    assert ("path", "root, B, 9", row) in verdict.rows
    assert verdict.message == said


def test_a_path_in_a_game_is_shown_by_its_moves(graded: Judged, model: str) -> None:
    verdict = graded(with_body("dfs_maximizing", "return [state], 0, 1", model), "dfs/connect-four")
    (expected, yours) = next((expected, yours) for what, expected, yours in verdict.rows if what == "path")
    assert expected.startswith("given state, column ") and yours == "given state"


def test_a_wrong_result_in_a_history_is_told_with_its_depth(graded: Judged, model: str) -> None:
    text = build(WRONG_LABS["progressive-changes-players"], model)
    said = "At depth 2: path and score are wrong."
    assert graded(text, "progressive/two-by-two").message == said


def test_only_a_path_that_is_judged_is_called_right(graded: Judged, model: str) -> None:
    late = build(WRONG_LABS["alphabeta-cuts-one-leaf-late"], model)
    assert graded(late, "alphabeta/outside-the-window").message.startswith("The score is right, but there")
    assert graded(late, "alphabeta/given-window").message.startswith("Path and score are right, but there")


# --- fingerprints: what two labs with the same mistake have in common ---------------------------------------


def test_two_paths_that_begin_with_the_leaf_are_not_the_same_mistake(graded: Judged, model: str) -> None:
    backwards = graded(model.replace("[state, *path]", "[*path, state]", 1), "dfs/two-by-two")
    leaf_alone = graded(model.replace("[state, *path]", "path", 1), "dfs/two-by-two")
    assert backwards.message == leaf_alone.message == NO_WAY
    assert backwards.fingerprint != leaf_alone.fingerprint


SCORES_AGAIN = """
count = 0
def score(end):
    nonlocal count
    count += 1
    return end.get_endgame_score()
def best(place):
    if place.is_game_over():
        return [place]
    below = map(best, place.generate_next_states())
    return [place] + max(below, key=lambda way: score(way[-1]))
path = best(state)
return path, score(path[-1]), count
"""


def test_a_count_that_comes_to_the_same_number_is_not_the_same_mistake(bank: Bank, model: str, tmp_path: Path) -> None:
    """One counts inner nodes; the other scores a leaf again at each node above it."""
    again = with_body("dfs_maximizing", SCORES_AGAIN, model)
    for text, names in (
        (build(WRONG_LABS["dfs-counts-inner-nodes"], model), ["counts inner nodes as static evaluations"]),
        (again, []),
    ):
        (tmp_path / "lab.py").write_text(text, encoding="utf-8")
        with Session(tmp_path / "lab.py", bank) as session:
            known = session.sheet_of(public_cases(bank, "dfs_maximizing")).diagnoses.get("dfs_maximizing")
        assert [each.name for each in known.names] == names if known else not names
