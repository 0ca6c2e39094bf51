"""What make trace plays: the call of a case, after those before it (test_playback.py says what it shows of one)."""

import re
from pathlib import Path

import pytest

from boards.cases import Bank, Case
from grader.kinds.playback import Playback
from grader.tools.trace import played

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


def test_a_second_call_comes_after_the_first(bank: Bank, lab: Path, model: str) -> None:
    counted = f"{model}\nsound, calls = {SEARCH}, [0]\n\ndef {SEARCH}(state, *given, **named):\n    calls[0] += 1\n"
    lab.write_text(f"{counted}    return sound(state, *given, **named)[:2] + (calls[0],)\n", encoding="utf-8")
    case = case_of(bank, "alphabeta/equal-bounds")
    counts = [int(re.findall(r"evaluations (\d+)", words(played(case, lab, at)[0])[-1])[0]) for at in (0, 1)]
    assert counts[0] < counts[1]


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
