"""What a search did, step by step in words, beside the reference."""

import re
from pathlib import Path

import pytest

from boards.cases import Bank, Case
from grader.kinds.kind import kind_of
from grader.kinds.playback import SCORED, Playback, Step, in_step
from grader.tools.trace import played
from staff.tests.conftest import KIT
from staff.wrong_labs import with_body

SEARCH = "minimax_search_alphabeta"


@pytest.fixture
def lab(tmp_path: Path, model: str) -> Path:
    """A lab.py whose alpha-beta does not cut off where alpha and beta are equal."""
    file = tmp_path / "lab.py"
    file.write_text(model.replace("if alpha >= beta:", "if alpha > beta:"), encoding="utf-8")
    return file


def case_of(bank: Bank, name: str) -> Case:
    return next(case for case in bank.cases if case.id == name)


def words(playback: Playback) -> list[str]:
    """What is said of each step of the student's search."""
    return [step.words for step in next(iter(playback.sides.values()))]


def test_both_searches_go_in_step_until_one_does_more(bank: Bank, lab: Path) -> None:
    playback, at = played(case_of(bank, "alphabeta/equal-bounds"), lab)
    assert at == 0 and len(playback.sides) == 2
    assert [node.label for node in playback.nodes] == ["root", "A", "B", "C", *"35359276"]
    yours, reference = [[step.words for step in steps] for steps in playback.sides.values()]
    assert yours[:13] == reference[:13]
    assert yours[9] == "At B, MIN to move: called with alpha = 3, maximize = False."
    assert yours[13] == "At the 5 below B: called with alpha = 3, beta = 3, maximize = True."
    assert reference[13].endswith(
        "it returns the score 3 by way of 3, evaluations 1. 2 branches were not searched: 5, 9."
    )
    assert playback.rows[:20] == [*((n, n) for n in range(14)), *((n, 13) for n in range(14, 20))]
    assert playback.rows[20] == (20, 14)
    assert playback.mark and playback.mark[0] == 2 and playback.mark[1].startswith("At B, MIN to move")


def test_in_step() -> None:
    def steps(*nodes: int) -> list[Step]:
        return [Step(SCORED, node, "") for node in nodes]

    assert list(in_step(steps(1, 2, 3), steps(1, 3, 4))) == [(0, 0), (1, 1), (2, 1), (3, 2), (3, 3)]
    assert list(in_step(steps(), steps(1))) == [(0, 0), (0, 1)]
    assert list(in_step(steps(2, 1), steps(1, 2)))[-1] == (2, 2)


def test_a_second_call_comes_after_the_first(bank: Bank, lab: Path, model: str) -> None:
    counted = f"{model}\nsound, calls = {SEARCH}, [0]\n\ndef {SEARCH}(state, *given, **named):\n    calls[0] += 1\n"
    lab.write_text(f"{counted}    return sound(state, *given, **named)[:2] + (calls[0],)\n", encoding="utf-8")
    case = case_of(bank, "alphabeta/equal-bounds")
    counts = [int(re.findall(r"evaluations (\d+)", words(played(case, lab, at)[0])[-1])[0]) for at in (0, 1)]
    assert counts[0] < counts[1]


@pytest.mark.parametrize(("layout", "cells"), [("board", 42), ("tic_tac_toe", 9), ("nim", 0)])
def test_games_have_pictures_and_moves(layout: str, cells: int, bank: Bank) -> None:
    searches = [case for case in bank.of("minimax_search") if kind_of(case.graded).plays_back(case.calls[0])]
    case = next(case for case in searches if layout in case.calls[0].inputs["state"])
    playback, _ = played(case, KIT / "lab.py", 0)
    assert {len(node.cells) for node in playback.nodes} == {cells}
    for node in playback.nodes[1:]:
        before = playback.nodes[node.parent].cells
        assert sum(old != new for old, new in zip(before, node.cells, strict=True)) == min(cells, 1)


def test_a_history_is_returned_and_no_score(bank: Bank) -> None:
    assert words(played(case_of(bank, "progressive/two-by-two"), KIT / "lab.py")[0])[-2:] == [
        "At root, MAX to move: it returns the score 3 by way of A, evaluations 3.",
        "At root, MAX to move: it returns.",
    ]


SOME = """
if state.is_game_over():
    return [state], state.get_endgame_score(), 1
found = [dfs_maximizing(child) for child in state.generate_next_states()KEPT]
path, score, _ = max(found, key=lambda one: one[1]) if found else ([], 0, 0)
return [state, *path], score, len(found)
"""
STACK = """
best, waiting = None, [[state]]
while waiting:
    path = waiting.pop()
    if path[-1].is_game_over():
        score = path[-1].get_endgame_score()
        best = max(best or (score, []), (score, path), key=lambda found: found[0])
    else:
        waiting += [[*path, child] for child in path[-1].generate_next_states()[::-1]]
return best[1], best[0], 4
"""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (SOME.replace("KEPT", "[1:]"), "evaluations 1. 1 branch was not searched: A."),
        (SOME.replace("KEPT", "[2:]"), "evaluations 0. 2 branches were not searched: A, B."),
        (SOME.replace("KEPT", ""), "evaluations 2."),
        (STACK, "evaluations 4."),
        ("state.generate_next_states()", "it returns something else than a path, a score and a count."),
    ],
)
def test_how_a_search_ends_is_told(body: str, told: str, bank: Bank, lab: Path, model: str) -> None:
    lab.write_text(with_body("dfs_maximizing", body.strip(), model), encoding="utf-8")
    assert words(played(case_of(bank, "dfs/two-by-two"), lab)[0])[-1].endswith(told)


def test_the_threads_of_an_import_are_there(bank: Bank, lab: Path, model: str) -> None:
    """As they are in a grade."""
    pooled = """
from concurrent.futures import ThreadPoolExecutor
pool, sound = ThreadPoolExecutor(8), dfs_maximizing
pool.submit(print).result()


def dfs_maximizing(state):
    return pool.submit(sound, state).result()
"""
    lab.write_text(model + pooled, encoding="utf-8")
    assert "evaluations 4." in words(played(case_of(bank, "dfs/two-by-two"), lab)[0])[-1]
