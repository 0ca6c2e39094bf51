"""make tests-of: how many wrong labs the students' own cases catch, and which expectations are wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.kit import MY_CASES
from staff.tests.conftest import KIT
from staff.tests.test_own_cases import CASE
from staff.tests_of import Worth, WrongLabs, table, worth_of
from staff.wrong_labs import load_wrong_labs

ENDGAME = CASE.replace("minimax_search", "minimax_endgame_search")
OF_ENDGAME = sum(wrong_lab.function == "minimax_endgame_search" for wrong_lab in load_wrong_labs())


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> WrongLabs:
    return WrongLabs(tmp_path_factory.mktemp("wrong"))


def submit(folder: Path, text: str) -> Path:
    """A submission with these cases."""
    folder.mkdir()
    (folder / MY_CASES).write_text(text, encoding="utf-8")
    return folder


def test_good_cases_catch_wrong_labs(tmp_path: Path, bank: Bank, wrong: WrongLabs) -> None:
    for_the_minimizer = ENDGAME.replace("two", "min").replace("  expect", "  arguments: {maximize: false}\n  expect")
    right = for_the_minimizer.replace("[1], score: 5", "[0], score: 3")
    one, two = (worth_of(submit(tmp_path / f"{n}", ENDGAME + right * n), bank, wrong) for n in (0, 1))
    assert (one.cases, two.cases, one.concerned, two.remarks) == (1, 2, OF_ENDGAME, ())
    assert 0 < len(one.caught) < len(two.caught) <= OF_ENDGAME
    assert one.caught < two.caught


def test_a_wrong_expectation_is_named_and_catches_nothing(tmp_path: Path, bank: Bank, wrong: WrongLabs) -> None:
    worth = worth_of(submit(tmp_path / "bob", ENDGAME.replace("score: 5", "score: 6")), bank, wrong)
    assert (worth.cases, worth.caught, worth.concerned) == (1, frozenset(), OF_ENDGAME)
    assert worth.remarks == ("my_cases/two-leaves is wrong, or asks for too much: score 6 (the model: 5)",)


def test_one_wrong_expectation_does_not_make_up_for_another(tmp_path: Path, bank: Bank, wrong: WrongLabs) -> None:
    text = """
- function: minimax_search_alphabeta
  id: one
  says: One search.
  state: {tree: TWO_BY_TWO}
  arguments: {maximize: true}
  expect: {path: [0, 0], score: 3, evaluations: 4}
- function: progressive_deepening
  id: all
  says: The search to each depth.
  state: {tree: TWO_BY_TWO}
  arguments: {heuristic: tree_estimate, depth_limit: 2, maximize: true}
  expect: {history: [{path: [1], score: 8, evaluations: 2}, {path: [0, 0], score: 3, evaluations: 4}]}
"""
    worth = worth_of(submit(tmp_path / "carl", text), bank, wrong)
    assert worth.caught == frozenset()
    said = "is wrong, or asks for too much: evaluations 4 (the model: 3)"
    assert worth.remarks == (f"my_cases/one {said}", f"my_cases/all {said}")


def test_what_asks_for_more_than_the_handout_is_named(tmp_path: Path, bank: Bank, wrong: WrongLabs) -> None:
    text = """
- function: heuristic_connectfour
  id: taste
  says: My own estimate of a board.
  board: NEARLY_OVER
  maximizer: true
  expect: {between: [LOW, HIGH]}
"""
    said: list[str] = []
    for low, high in ((-999, 0), (0, 999)):
        taste = text.replace("LOW", str(low)).replace("HIGH", str(high))
        said += worth_of(submit(tmp_path / str(high), taste), bank, wrong).remarks
    assert said and all("asks for too much" in remark for remark in said)


@pytest.mark.parametrize("text", ["- [", "x: 1", "- &a [*a]", "\0", "[" * 10_000, "- function: solve"])
def test_a_bad_file_is_a_line(tmp_path: Path, bank: Bank, wrong: WrongLabs, text: str) -> None:
    worth = worth_of(submit(tmp_path / "eve", text), bank, wrong)
    assert (worth.cases, worth.caught) == (0, frozenset()) and len(worth.remarks) == 1
    assert worth.remarks[0].startswith(f"{MY_CASES}:1: ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name here")
def test_no_file_no_pipe_and_no_link(tmp_path: Path, bank: Bank, wrong: WrongLabs) -> None:
    os.mkfifo(tmp_path / MY_CASES)
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / MY_CASES).symlink_to(KIT / "staff" / "course.yaml")
    (tmp_path / "none").mkdir()
    for folder in (tmp_path, tmp_path / "link", tmp_path / "none"):
        assert worth_of(folder, bank, wrong).remarks == (f"there is no {MY_CASES}",)


def test_the_table() -> None:
    found = [Worth("ada", 2, frozenset("abc"), 9), Worth("\x1b[31meve" * 9, remarks=("my_cases.yaml:1: not YAML",))]
    assert "\n".join(table([worth.name for worth in found], found, 201)) == (
        "submission                cases  wrong labs caught: of their functions, of all\n"
        "ada                           2        3 of 9      3 of 201\n"
        "\\x1b[31meve\\x1b[31meve\\…      0        0 of 0      0 of 201\n"
        "    my_cases.yaml:1: not YAML"
    )


def test_it_can_be_typed(tmp_path: Path) -> None:
    submit(tmp_path / "eve", "- [")
    words = [sys.executable, "-m", "grader", "tests-of"]
    done = subprocess.run([*words, f"SUBMISSIONS={tmp_path}"], cwd=KIT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "ada_my_cases.yaml").write_text("- [", "utf-8")
    done = subprocess.run([*words, f"SUBMISSIONS={tmp_path}"], cwd=KIT, capture_output=True, text=True)
    assert (
        "\nada_my_cases.yaml " in done.stdout
        and "\neve " in done.stdout
        and done.stdout.endswith("2 submissions; nothing here is a grade\n")
    )
    bare = subprocess.run(words, cwd=KIT, capture_output=True, text=True)
    assert (bare.returncode, bare.stderr.count("\n")) == (2, 1) and "SUBMISSIONS=folder" in bare.stderr
    for nothing in ("nowhere", str(KIT / "docs")):
        assert subprocess.run([*words, "--submissions", nothing], cwd=KIT, capture_output=True).returncode == 2
