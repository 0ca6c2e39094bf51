"""`make expectations`: writes what the model says, keeps comments, never touches what was done by hand."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from boards.cases import Bank
from boards.inputs import InputReader
from boards.reading import BadFile
from grader.sandbox import open_sandbox
from staff.expectations import MODEL, Model, fill_in
from staff.shapes import Shape, check_shapes
from staff.tests.conftest import KIT
from staff.tests.masters import copy_master

CASES = """\
# A comment at the top.
part: 2
function: minimax_search
cases:
  - id: new   # a comment behind
    says: 'Quoted: as it was.'
    state: {tree: FOUR_BY_FOUR}
    arguments: {depth_limit: INF}
"""


@pytest.fixture
def model():
    sandbox = open_sandbox(MODEL)
    yield Model(sandbox)
    sandbox.close()


def test_a_new_case_is_filled_in(tmp_path: Path, model: Model) -> None:
    file = tmp_path / "2z-new.yaml"
    file.write_text(CASES, encoding="utf-8")
    differences = fill_in(file, InputReader(), model, write=True)
    assert len(differences) == 1
    assert "new: {'path': [1, 0], 'score': 4, 'evaluations': 16}" in differences[0]
    assert file.read_text(encoding="utf-8") == f"{CASES}    expect: {{path: [1, 0], score: 4, evaluations: 16}}\n"
    assert fill_in(file, InputReader(), model, write=True) == []


def test_a_wrong_expectation_is_corrected(tmp_path: Path, model: Model) -> None:
    file = tmp_path / "2z-new.yaml"
    file.write_text(f"{CASES}    expect: {{path: [1, 0], score: 5, evaluations: 16}}\n", encoding="utf-8")
    assert len(fill_in(file, InputReader(), model, write=False)) == 1
    assert "score: 5" in file.read_text(encoding="utf-8")
    assert len(fill_in(file, InputReader(), model, write=True)) == 1
    assert "score: 4" in file.read_text(encoding="utf-8")


def test_what_was_computed_by_hand_stays(tmp_path: Path, model: Model) -> None:
    file = tmp_path / "2z-new.yaml"
    text = f"{CASES}    expect: {{path: [1, 0], score: 5, evaluations: 16, by_hand: true}}\n"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(
        BadFile, match=r"computed by hand, but the model contradicts it: .*score wanted 5, the model says 4"
    ):
        fill_in(file, InputReader(), model, write=True)
    assert file.read_text(encoding="utf-8") == text
    file.write_text(text.replace("score: 5", "score: 4"), encoding="utf-8")
    assert fill_in(file, InputReader(), model, write=True) == []


def test_every_expectation_can_be_made_again(tmp_path: Path, model: Model) -> None:
    """Of every stored case, without its expectation, the tool writes the same file again."""
    import re

    for file in sorted((KIT / "boards" / "cases").glob("*.yaml")):
        if "questions" in file.name:
            continue
        copy = tmp_path / file.name
        shutil.copy(file, copy)
        assert fill_in(copy, InputReader(), model, write=True) == []
        before = copy.read_text(encoding="utf-8")
        copy.write_text(re.sub(r"(evaluations|score): -?\d+", r"\1: 77777", before), encoding="utf-8")
        fill_in(copy, InputReader(), model, write=True)
        assert copy.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("says: 'Quoted: as it was.'", "say: 'Quoted: as it was.'"),
        ("arguments: {depth_limit: INF}", "arguments: {depth_limit: INF}\n    by_hand: true\n    expect: {score: 1}"),
        ("id: new", "id: two-by-two"),
    ],
)
def test_nothing_is_written_where_anything_is_wrong(old: str, new: str, tmp_path: Path) -> None:
    master = copy_master(tmp_path / "master")
    text = CASES.replace(old, new)
    file = master / "boards" / "cases" / "2c-minimax.yaml"
    before = file.read_text("utf-8")
    cases = before + text.partition("cases:\n")[2]
    file.write_text(cases, "utf-8")
    words = [sys.executable, "-m", "grader", "expectations"]
    done = subprocess.run(words, cwd=master, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("boards/cases/2c-minimax.yaml:")
    assert file.read_text("utf-8") == cases


def shape(case: str, answers: str, function: str = "is_game_over_connectfour") -> Shape:
    """A case with an answer a letter, y or n."""
    return Shape(Path("1a-game-over.yaml"), 7, case, function, tuple(answer == "y" for answer in answers))


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        ([shape("one", "yyy")], "one: every answer is yes"),
        ([shape("one", "yn"), shape("two", "nny")], "two: 3 calls, where one has 2: the number tells"),
        ([shape("one", "yn"), shape("two", "ny"), shape("three", "yn")], "three: yes and no come in the same order"),
    ],
)
def test_the_shape_of_a_case_does_not_tell_its_answers(shapes: list[Shape], words: str) -> None:
    with pytest.raises(BadFile, match=f"^1a-game-over.yaml:7: {words}"):
        check_shapes(shapes)


def test_cases_of_other_functions_may_have_the_same_shape() -> None:
    check_shapes([shape("one", "yn"), shape("two", "nyy", "MinimaxPlayer"), shape("three", "ny")])


def test_who_counts_calls_is_right_in_one_case_at_most(bank: Bank) -> None:
    """Whatever the answer to each (number of calls, index of the call)."""
    cases = [case for case in bank.cases if case.function == "is_game_over_connectfour"]
    answers = [tuple(call.expect["value"] for call in case.calls) for case in cases]
    assert len(cases) >= 8
    assert len({len(given) for given in answers}) == 1
    assert len(set(answers)) == len(answers)


def test_a_case_that_its_shape_tells_is_not_written(tmp_path: Path) -> None:
    master = copy_master(tmp_path / "master")
    file = master / "boards" / "cases" / "1a-game-over.yaml"
    cases = f"{file.read_text('utf-8')}  - id: new\n    says: New.\n    board: BOARD_UHOH\n"
    file.write_text(cases, "utf-8")
    words = [sys.executable, "-m", "grader", "expectations"]
    done = subprocess.run(words, cwd=master, capture_output=True, text=True)
    assert done.returncode == 2
    assert "new: every answer is no, which is right without looking" in done.stderr
    assert file.read_text("utf-8") == cases
