"""A search played back: its nodes, its steps in words, and the place that is marked."""

import operator
from pathlib import Path

import pytest

from grader.bank.cases import Bank, Case
from grader.kinds.kind import kind_of
from grader.kinds.playback import CALLED, Playback, Step
from grader.kinds.search.nodes import Nodes
from grader.protocol.plain import Garbled
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


def case_of(name: str, bank: Bank) -> Case:
    return next(case for case in bank.cases if case.id == name)


def played(lab: str, name: str, bank: Bank, at: int = 0, most: int = 2_000) -> Playback:
    """A call of a case played back, of a lab given as text."""
    case = case_of(name, bank)
    kind = kind_of(case.graded)
    answer = kind.read(run(lab, case, most).outcomes[at])
    playback = kind.playback(case.calls[at], answer)
    assert playback is not None
    return playback


def words(playback: Playback, side: str = "yours") -> list[str]:
    return [step.words for step in playback.sides[side]]


YOURS = """
At root, MAX to move: called with maximize = True.
At A, MIN to move: called with maximize = False.
At the 3 below A: called with maximize = True.
At the 3 below A: scored 3 by get_endgame_score with flag True.
At the 3 below A: it returns the score 3 and a count of 1.
At the 5 below A: called with beta = 3, maximize = True.
At the 5 below A: scored 5 by get_endgame_score with flag True.
At the 5 below A: it returns the score 5 and a count of 1.
At A, MIN to move: it returns the score 3 and a count of 2.
At B, MIN to move: called with alpha = 3, maximize = False.
At the 2 below B: called with alpha = 3, maximize = True.
At the 2 below B: scored 2 by get_endgame_score with flag True.
At the 2 below B: it returns the score 2 and a count of 1.
At the 9 below B: called with alpha = 3, beta = 2, maximize = True.
At the 9 below B: scored 9 by get_endgame_score with flag True.
At the 9 below B: it returns the score 9 and a count of 1.
At B, MIN to move: it returns the score 2 and a count of 2.
At root, MAX to move: it returns the score 3 and a count of 4.
"""


def test_a_search_goes_in_step_with_the_reference_until_it_does_more(
    bank: Bank, model: str
) -> None:
    playback = played(
        build(WRONG_LABS["alphabeta-never-cuts"], model), "alphabeta/two-by-two", bank
    )
    assert [node.label for node in playback.nodes] == ["root", *"AB3529"]
    assert [node.mover for node in playback.nodes] == ["MAX", "MIN", "MIN", *4 * [""]]
    assert words(playback) == YOURS.strip().splitlines()
    expected = words(playback, "expected")
    assert expected[:13] == words(playback)[:13]
    assert expected[13:] == [
        "At B, MIN to move: it returns the score 2 and a count of 1.",
        "At root, MAX to move: it returns the score 3 and a count of 3.",
    ]
    assert playback.sides["yours"][13].shown == "3 … 2"
    assert [step.above for step in playback.sides["expected"] if step.above][:2] == [
        "-INF … 3",
        "3 … INF",
    ]
    assert playback.mark == (
        2, "At B, MIN to move: your search goes on to the 9 below B with alpha = 3, beta = 2; "
        "the reference cuts off: alpha = 3, beta = 2."
    )  # fmt: skip
    # Both return from the root at once.
    assert playback.rows[-4:] == [(15, 14), (16, 14), (17, 14), (18, 15)]
    assert playback.in_common == 13 and playback.as_data()["marked"] == 14


MANY_WRONG = [
    wrong_lab for wrong_lab in WRONG_LABS.values() if wrong_lab.function in SEARCHED
][::9]


@pytest.mark.parametrize("wrong_lab", MANY_WRONG, ids=lambda wrong_lab: wrong_lab.id)
def test_the_picture_shows_the_place_that_is_marked(
    wrong_lab: WrongLab, bank: Bank, model: str
) -> None:
    """At the marked moment one of the two searches stands at the node of the mark."""
    case = case_of(SEARCHED[wrong_lab.function], bank)
    lab = build(wrong_lab, model)
    kind = kind_of(case.graded)
    for at, outcome in enumerate(run(lab, case).outcomes):
        playback = kind.playback(case.calls[at], kind.read(outcome))
        if playback is None or not playback.mark:
            continue
        data = playback.as_data()
        moment = data["rows"][data["marked"]]
        sides = zip(moment, playback.sides.values(), strict=True)
        shown = {steps[done - 1].node for done, steps in sides if done}
        assert playback.mark[0] in shown


@pytest.mark.parametrize(
    ("cut_off", "place"),
    [
        ("return [state], 0, evaluations", "B, MAX to move"),
        ("return [state], -INF, evaluations", "B, MAX to move"),
    ],
)
def test_a_wrong_cut_off_is_shown_where_it_returns(
    cut_off: str, place: str, bank: Bank, model: str
) -> None:
    lab = model.replace(
        "            break\n    return best_path",
        f"            {cut_off}\n    return best_path",
    )
    lab = lab.replace(
        "evaluations += count\n",
        "evaluations += count\n        if score is None: continue\n",
        1,
    )
    playback = played(lab, "alphabeta/minimizer-first", bank)
    assert playback.mark is not None
    assert playback.mark[1].startswith(f"At {place}: your search returns ")
    done, _ = playback.rows[playback.as_data()["marked"]]
    step = playback.sides["yours"][done - 1]
    assert step.words.startswith(f"At {place}: it returns")


def test_nothing_is_marked_in_a_search_that_is_right(bank: Bank, model: str) -> None:
    playback = played(model, "alphabeta/two-by-two", bank)
    assert playback.mark is None and words(playback) == words(playback, "expected")


@pytest.mark.parametrize(
    ("name", "layout", "cells"),
    [
        ("minimax/tic-tac-toe", "squares", 9),
        ("dfs/connect-four", "columns", 42),
        ("minimax/nim", "", 0),
    ],
)
def test_games_have_pictures_and_moves(
    name: str, layout: str, cells: int, bank: Bank, model: str
) -> None:
    playback = played(model, name, bank)
    assert playback.layout == layout
    assert {len(node.cells) for node in playback.nodes} == {cells}
    for node in playback.nodes[1:]:
        before = playback.nodes[node.parent].cells
        changes = sum(map(operator.ne, before, node.cells))
        assert changes == (1 if cells else 0)


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
    for call in unwatched:
        assert not kind_of(call.function).plays_back(call)


def test_without_reference_traces_there_is_ones_own_search_alone(
    bank: Bank, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a release that tells less than everything."""
    monkeypatch.setattr("grader.kinds.kind.REFERENCE_TRACES", tmp_path)
    playback = played(
        build(WRONG_LABS["alphabeta-never-cuts"], model), "alphabeta/two-by-two", bank
    )
    assert list(playback.sides) == ["yours"] and playback.mark is None
    assert playback.rows[-1] == (18,)


def test_a_place_of_any_length_is_looked_for(bank: Bank) -> None:
    """As lab.py may forge one."""
    case = case_of("dfs/two-by-two", bank)
    nodes = Nodes(case.calls[0])
    assert nodes.number((1, 0)) > nodes.number((1,)) > nodes.number(()) == 0
    with pytest.raises(Garbled):
        nodes.number((0,) * 5_000)


def test_a_return_without_a_call_is_left_out(bank: Bank, model: str) -> None:
    """lab.py may have forged the events of its trace."""
    case = case_of("dfs/two-by-two", bank)
    kind = kind_of(case.graded)
    outcome = run(model, case).outcomes[0]
    steps = len(words(played(model, case.id, bank)))
    outcome["trace"]["events"] += [["return", {}]] * 3
    playback = kind.playback(case.calls[0], kind.read(outcome))
    assert playback is not None and len(words(playback)) == steps


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
    assert Playback([], {"yours": steps(yours)}).rows == [
        (done,) for done in range(len(yours) + 1)
    ]
