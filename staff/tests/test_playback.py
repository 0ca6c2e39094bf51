"""A search played back: its nodes, its steps in words, and the place that is marked."""

import operator
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.bank.cases import Bank, Case
from grader.kinds.kind import kind_of
from grader.kinds.playback import CALLED, Playback, Step
from grader.kinds.search.nodes import Nodes
from grader.protocol.plain import Garbled
from staff.tests.conftest import case_named
from staff.tests.support.tracing import run
from staff.wrong_labs import WrongLab, build, load_wrong_labs, with_body

WRONG_LABS = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}
SEARCHED = {
    "dfs_maximizing": "dfs/earlier-of-equals",
    "minimax_endgame_search": "minimax-endgame/two-by-two",
    "minimax_search": "minimax/earlier-of-equals",
    "minimax_search_alphabeta": "alphabeta/equal-bounds",
    "progressive_deepening": "progressive/two-by-two",
}


def playbacks(lab: str, case: Case, most: int = 2_000) -> list[Playback]:
    """The calls of a case played back, of a lab given as text, where they can be."""
    kind = kind_of(case.graded)
    outcomes = run(lab, case, most).outcomes
    calls = zip(case.calls, outcomes, strict=True)
    played = [kind.playback(call, kind.read(outcome)) for call, outcome in calls]
    return [playback for playback in played if playback is not None]


def played(lab: str, name: str, bank: Bank, most: int = 2_000) -> Playback:
    """The first call of a case played back, of a lab given as text."""
    return playbacks(lab, case_named(name, bank), most)[0]


def words(playback: Playback, side: str = "yours") -> list[str]:
    """The steps of one of the two searches, in words."""
    return [step.words for step in playback.sides[side]]


def last_step_when_marked(playback: Playback) -> Iterator[Step]:
    """The last step of each search at the moment that is marked."""
    data = playback.as_data()
    moment = data["rows"][data["marked"]]
    for steps, done in zip(playback.sides.values(), moment, strict=True):
        if done:
            yield steps[done - 1]


YOURS = """
At root, MAX to move: called with maximize = True.
At A, MIN to move: called with maximize = False.
At the 3 below A: called with maximize = True.
At the 3 below A: scored 3 using get_endgame_score (flag: True).
At the 3 below A: it returns the score 3 and a count of 1.
At the 5 below A: called with beta = 3, maximize = True.
At the 5 below A: scored 5 using get_endgame_score (flag: True).
At the 5 below A: it returns the score 5 and a count of 1.
At A, MIN to move: it returns the score 3 and a count of 2.
At B, MIN to move: called with alpha = 3, maximize = False.
At the 2 below B: called with alpha = 3, maximize = True.
At the 2 below B: scored 2 using get_endgame_score (flag: True).
At the 2 below B: it returns the score 2 and a count of 1.
At the 9 below B: called with alpha = 3, beta = 2, maximize = True.
At the 9 below B: scored 9 using get_endgame_score (flag: True).
At the 9 below B: it returns the score 9 and a count of 1.
At B, MIN to move: it returns the score 2 and a count of 2.
At root, MAX to move: it returns the score 3 and a count of 4.
"""


YOURS_ALONE = 13  # from this step on
EXPECTED_END = [
    "At B, MIN to move: it returns the score 2 and a count of 1.",
    "At root, MAX to move: it returns the score 3 and a count of 3.",
]


@pytest.fixture(scope="module")
def never_cuts(bank: Bank, model: str) -> Playback:
    """An alpha-beta that never cuts off, on a tree with four leaves."""
    lab = build(WRONG_LABS["alphabeta-never-cuts"], model)
    return played(lab, "alphabeta/two-by-two", bank)


def test_the_nodes_have_their_labels_and_movers(never_cuts: Playback) -> None:
    labels = [node.label for node in never_cuts.nodes]
    assert labels == ["root", "A", "B", "3", "5", "2", "9"]
    movers = [node.mover for node in never_cuts.nodes]
    assert movers == ["MAX", "MIN", "MIN", "", "", "", ""]


def test_each_step_is_said_in_words(never_cuts: Playback) -> None:
    yours = YOURS.strip().splitlines()
    assert words(never_cuts) == yours
    expected = [*yours[:YOURS_ALONE], *EXPECTED_END]
    assert words(never_cuts, "expected") == expected


def test_the_steps_show_the_window(never_cuts: Playback) -> None:
    assert never_cuts.sides["yours"][YOURS_ALONE].shown == "3 … 2"
    above = [step.above for step in never_cuts.sides["expected"] if step.above]
    assert above[:2] == ["-INF … 3", "3 … INF"]


def test_a_search_goes_in_step_with_the_reference_until_it_does_more(
    never_cuts: Playback,
) -> None:
    """At the end both return from the root at once."""
    assert never_cuts.in_common == YOURS_ALONE
    assert never_cuts.rows[-4:] == [(15, 14), (16, 14), (17, 14), (18, 15)]


def test_the_first_step_that_the_reference_does_not_make_is_marked(
    never_cuts: Playback,
) -> None:
    assert never_cuts.as_data()["marked"] == YOURS_ALONE + 1
    assert never_cuts.mark == (
        2, "At B, MIN to move: your search goes on to the 9 below B with alpha = 3, beta = 2; "
        "the reference cuts off: alpha = 3, beta = 2."
    )  # fmt: skip


MANY_WRONG = [
    wrong_lab for wrong_lab in WRONG_LABS.values() if wrong_lab.function in SEARCHED
][::9]


@pytest.mark.parametrize("wrong_lab", MANY_WRONG, ids=lambda wrong_lab: wrong_lab.id)
def test_the_picture_shows_the_place_that_is_marked(
    wrong_lab: WrongLab, bank: Bank, model: str
) -> None:
    """At the marked moment one of the two searches stands at the node of the mark."""
    case = case_named(SEARCHED[wrong_lab.function], bank)
    for playback in playbacks(build(wrong_lab, model), case):
        if playback.mark:
            node, _ = playback.mark
            steps = last_step_when_marked(playback)
            assert node in [step.node for step in steps]


@pytest.mark.parametrize("score", ["0", "-INF"])
def test_a_wrong_cut_off_is_shown_where_it_returns(
    score: str, bank: Bank, model: str
) -> None:
    lab = model.replace(
        "            break\n    return best_path",
        f"            return [state], {score}, evaluations\n    return best_path",
    )
    lab = lab.replace(
        "evaluations += count\n",
        "evaluations += count\n        if score is None: continue\n",
        1,
    )
    playback = played(lab, "alphabeta/minimizer-first", bank)
    assert playback.mark is not None
    _, said = playback.mark
    assert said.startswith("At B, MAX to move: your search returns ")
    yours, *_ = last_step_when_marked(playback)
    assert yours.words.startswith("At B, MAX to move: it returns")


def test_nothing_is_marked_in_a_search_that_is_right(bank: Bank, model: str) -> None:
    playback = played(model, "alphabeta/two-by-two", bank)
    assert playback.mark is None
    assert words(playback) == words(playback, "expected")


@pytest.mark.parametrize(
    ("name", "layout", "cells", "changed_by_a_move"),
    [
        ("minimax/tic-tac-toe", "squares", 9, 1),
        ("dfs/connect-four", "columns", 42, 1),
        ("minimax/nim", "", 0, 0),
    ],
)
def test_games_have_pictures_and_moves(
    name: str, layout: str, cells: int, changed_by_a_move: int, bank: Bank, model: str
) -> None:
    playback = played(model, name, bank)
    assert playback.layout == layout
    assert {len(node.cells) for node in playback.nodes} == {cells}
    for node in playback.nodes[1:]:
        before = playback.nodes[node.parent].cells
        changes = sum(map(operator.ne, before, node.cells))
        assert changes == changed_by_a_move


def test_a_history_is_returned_and_no_score(bank: Bank, model: str) -> None:
    assert words(played(model, "progressive/two-by-two", bank))[-2:] == [
        "At root, MAX to move: it returns the score 3 and a count of 3.",
        "At root, MAX to move: it returns.",
    ]


@pytest.mark.parametrize(
    ("body", "most", "last"),
    [
        ("(child, *_) = state.generate_next_states()\nreturn [state, child, child], 3, 1", 100,
         "At root: it returns the score 3 with a path that does not lead down and a count of 1."),
        ("state.generate_next_states()\nraise KeyError('<b>')", 100, "At root: it raises KeyError."),
        ("return None", 100, "At root: it returns something other than path, score and count."),
        ("while True:\n    state.generate_next_states()", 50, "It goes on like this for more than 50 events."),
    ],
)  # fmt: skip
def test_what_does_not_end_well_is_played_back_until_then(
    body: str, most: int, last: str, bank: Bank, model: str
) -> None:
    lab = with_body("dfs_maximizing", body, model)
    steps = words(played(lab, "dfs/two-by-two", bank, most=most))
    assert steps[0] == "At root: called." and steps[-1].endswith(last)


def test_a_search_that_may_not_be_watched_is_not_played_back(bank: Bank) -> None:
    calls = [call for case in bank.cases for call in case.calls]
    unwatched = [call for call in calls if call.inputs.get("watched") is False]
    assert unwatched
    assert [call for call in unwatched if kind_of(call.function).plays_back(call)] == []


def test_without_reference_traces_there_is_ones_own_search_alone(
    bank: Bank, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a release that tells less than everything."""
    monkeypatch.setattr("grader.kinds.kind.REFERENCE_TRACES", tmp_path)
    lab = build(WRONG_LABS["alphabeta-never-cuts"], model)
    playback = played(lab, "alphabeta/two-by-two", bank)
    assert list(playback.sides) == ["yours"]
    assert playback.mark is None
    assert playback.rows[-1] == (18,)


# --- what lab.py may forge -----------------------------------------------------------


def test_a_place_of_any_length_is_looked_for(bank: Bank) -> None:
    nodes = Nodes(case_named("dfs/two-by-two", bank).calls[0])
    assert nodes.number((1, 0)) > nodes.number((1,)) > nodes.number(()) == 0
    with pytest.raises(Garbled):
        nodes.number((0,) * 5_000)


def test_a_return_without_a_call_is_left_out(bank: Bank, model: str) -> None:
    case = case_named("dfs/two-by-two", bank)
    kind = kind_of(case.graded)
    outcome = run(model, case).outcomes[0]
    outcome["trace"]["events"] += [["return", {}]] * 3
    playback = kind.playback(case.calls[0], kind.read(outcome))
    assert playback is not None
    assert words(playback) == words(played(model, case.id, bank))


# --- two searches side by side -------------------------------------------------------


def steps(letters: str) -> list[Step]:
    """A search that calls nodes, each named by a letter."""
    return [Step(CALLED, ord(letter), letter) for letter in letters]


@pytest.mark.parametrize(
    ("yours", "expected", "moments"),
    [
        ("abc", "abc", [(0, 0), (1, 1), (2, 2), (3, 3)]),
        ("abxyzc", "abc", [(2, 2), (3, 3), (4, 3), (5, 3), (6, 3)]),
        ("abxcd", "abycd", [(2, 2), (3, 3), (4, 4), (5, 5)]),
        ("abxyzcd", "abycd", [(2, 2), (3, 3), (4, 3), (5, 3), (6, 4), (7, 5)]),
        ("abcd", "abxycd", [(2, 2), (3, 3), (3, 4), (3, 5), (4, 6)]),
        ("ab", "abcd", [(2, 2), (2, 3), (2, 4)]),
        ("", "ab", [(0, 0), (0, 1), (0, 2)]),
        ("apqb", "arsb", [(1, 1), (2, 2), (3, 2), (3, 3), (4, 4)]),
    ],
)
def test_after_the_first_difference_a_search_waits_for_the_other_one_at_a_node(
    yours: str, expected: str, moments: list[tuple[int, int]]
) -> None:
    playback = Playback([], {"yours": steps(yours), "expected": steps(expected)})
    assert playback.rows[-len(moments) :] == moments


def test_one_search_alone_goes_step_by_step() -> None:
    playback = Playback([], {"yours": steps("abc")})
    assert playback.rows == [(0,), (1,), (2,), (3,)]
