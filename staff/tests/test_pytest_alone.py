"""pytest by itself, as an editor's test view runs it: a failing test shows what `make
test` shows of its case.
"""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from grader.release import RELEASE
from staff.tests.conftest import KIT
from staff.tests.support.releases import SAFE, checkout, release

SEARCH = "minimax_search_alphabeta"
BOUNDS = "alphabeta/equal-bounds"
NIM = "alphabeta/nim"
TEST = "tests/test_part2.py::test_part2[{}]"
NAMED = "One known mistake explains every failing case"
HINT = "Hint: If alpha and beta are equal"


@pytest.fixture(scope="module")
def lab(model: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lab.py whose alpha-beta does not cut off where alpha and beta are equal, and
    prints something.
    """
    file = tmp_path_factory.mktemp("lab") / "lab.py"
    file.write_text(
        model.replace("if alpha >= beta:", "if print('alpha', alpha) or alpha > beta:"),
        "utf-8",
    )
    return file


def run_tests(
    *words: str, lab: Path, kit: Path = KIT
) -> "subprocess.CompletedProcess[str]":
    """What pytest prints for these words."""
    command = [sys.executable, "-m", "pytest", *words]
    return subprocess.run(
        command, cwd=kit, capture_output=True, text=True, env={**SAFE, "LAB": str(lab)}
    )


def screen(words: str, lab: Path, kit: Path = KIT) -> str:
    """What `make test` shows of the failing case, without the points and remarks below
    it.
    """
    command = [sys.executable, "grader", "test", *words.split()]
    done = subprocess.run(
        command, cwd=kit, capture_output=True, text=True, env={**SAFE, "LAB": str(lab)}
    )
    return re.split(
        r"^(?:\d+ more cases? of |Part \d+: |[\d.]+ of [\d.]+ points)",
        done.stdout,
        flags=re.MULTILINE,
    )[0]


def is_shown(block: str, text: str) -> bool:
    """Whether a text has all lines of a block, whatever the width of their columns.

    On a screen of 24 lines, rows of a table that agree make room for others, and the
    columns may be narrower.
    """
    lines = [line.split() for line in text.splitlines()]
    return all(line.split() in lines for line in block.splitlines())


@pytest.fixture(scope="module")
def whole_screen(lab: Path) -> str:
    """What `make test` shows if all cases of the search are run."""
    return screen(f"--k {SEARCH}", lab)


@pytest.mark.parametrize(
    "part",
    [HINT, NAMED, "At B, MIN to move:", "expected ", "It printed", "| alpha -inf"],
)
def test_the_screen_of_make_test_has_all_that_may_be_shown(
    part: str, whole_screen: str
) -> None:
    assert part in whole_screen


@pytest.mark.parametrize(
    "words", ["tests", "tests/test_part2.py", "-k alphabeta", "-x tests/test_part2.py"]
)
def test_the_first_failing_test_of_a_function_shows_the_screen_of_make_test(
    words: str, lab: Path, whole_screen: str
) -> None:
    done = run_tests(*words.split(), lab=lab)
    assert done.returncode == 1
    assert f"test_part2[{BOUNDS}] ___" in done.stdout
    assert is_shown(whole_screen, done.stdout)
    assert done.stdout.count(HINT) == 1
    assert done.stdout.count(NAMED) == 1
    assert f"FAILED {TEST.format(BOUNDS)} - partly right\n" in done.stdout


def test_every_other_failing_test_shows_its_own_block(lab: Path) -> None:
    done = run_tests("tests/test_part2.py", lab=lab)
    for name in ("outside-the-window", "tic-tac-toe", "connect-four", "nim"):
        assert done.stdout.count(f"PARTLY RIGHT  alphabeta/{name}   (0.17 of 0.6") == 1
    assert "evaluations   26                        41\n" in done.stdout


@pytest.mark.parametrize("name", [BOUNDS, NIM])
def test_a_test_alone_is_the_case_alone(name: str, lab: Path) -> None:
    expected = screen(f"--k {name}", lab)
    done = run_tests(TEST.format(name), lab=lab)
    assert f"python grader test --k {SEARCH}" in expected
    assert is_shown(expected, done.stdout)
    assert NAMED not in done.stdout
    assert HINT not in done.stdout


def test_make_test_with_options_of_pytest_shows_the_same_block(
    lab: Path, tmp_path: Path, model: str
) -> None:
    """`--lf` runs what failed before; as not all cases of the function are run, no
    known mistake is looked for.
    """
    kit = checkout(tmp_path / "student", release("1.2.0", tmp_path), model)
    first = screen(f"--k {SEARCH}", lab, kit)
    again = screen("--lf", lab, kit)
    assert NAMED in first
    assert "At B, MIN to move:" in again
    assert f"python grader test --k {SEARCH}" in again
    assert NAMED not in again


def test_why_lab_py_cannot_be_imported_is_said_once(tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text("import nowhere\n", encoding="utf-8")
    done = run_tests("tests/test_part2.py", "-k", "dfs", lab=lab)
    assert done.stdout.count("ModuleNotFoundError") == 1
    others = "lab.py cannot be imported: the test of dfs/two-by-two says why.\n"
    assert done.stdout.count(others) == done.stdout.count("FAILED ") - 1 > 3


def test_code_that_python_cannot_read_is_shown_as_make_test_shows_it(
    tmp_path: Path,
) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text("def dfs_maximizing(state:\n    return 1\n", encoding="utf-8")
    shown = "      1 | def dfs_maximizing(state:\n        |                   ^\n  Nothing could be graded."
    assert shown in screen("", lab)
    assert run_tests("tests/test_part2.py", lab=lab).stdout.count(shown) == 1


@pytest.mark.parametrize(
    ("level", "is_placed", "word"),
    [("place", True, "PARTLY RIGHT"), ("verdict", False, "FAIL")],
)
def test_a_course_that_tells_less_tells_no_more_here(
    level: str, is_placed: bool, word: str, lab: Path, tmp_path: Path, model: str
) -> None:
    tree = release("1.2.0", tmp_path)
    tree[RELEASE] = json.dumps(json.loads(tree[RELEASE]) | {"feedback": level}).encode()
    kit = checkout(tmp_path / "student", tree, model)
    done = run_tests("tests/test_part2.py", "-k", "equal-bounds", lab=lab, kit=kit)
    assert f"{word}  {BOUNDS}   (" in done.stdout
    assert is_shown(screen(f"--k {BOUNDS}", lab, kit), done.stdout)
    assert ("At B, MIN to move:" in done.stdout) == is_placed
    assert ("Alpha becomes equal to beta" in done.stdout) == is_placed
    assert "expected" not in done.stdout
    assert NAMED not in done.stdout


def test_junit_xml_has_the_points_of_each_test(lab: Path, tmp_path: Path) -> None:
    """For platforms that read it: the points of all tests together are those of `make
    test`.
    """
    run_tests("tests", f"--junitxml={tmp_path / 'junit.xml'}", lab=lab)
    properties = {}
    for test in ElementTree.parse(tmp_path / "junit.xml").iter("testcase"):
        properties[test.attrib["name"]] = {
            each.attrib["name"]: each.attrib["value"] for each in test.iter("property")
        }
    assert properties[f"test_part2[{BOUNDS}]"] == {
        "function": SEARCH,
        "points": "0.17",
        "max_points": "0.69",
    }
    results = tmp_path / "results.json"
    screen(f"--out {results}", lab)
    for case in json.loads(results.read_text("utf-8"))["cases"]:
        of_test = properties[f"test_part{case['part']}[{case['id']}]"]
        assert of_test["function"] == case["function"]
        assert (float(of_test["points"]), float(of_test["max_points"])) == (
            case["score"],
            case["out_of"],
        )


def test_an_ungraded_case_has_no_points_in_junit_xml(
    model: str, tmp_path: Path
) -> None:
    broken = "def judge(case, answer):\n    raise RuntimeError('oops')\n"
    tree = release("1.2.0", tmp_path)
    tree["grader/grading/judge.py"] += f"\n\n{broken}".encode()
    kit = checkout(tmp_path / "student", tree, model)
    run_tests(
        f"--junitxml={tmp_path / 'junit.xml'}",
        TEST.format(BOUNDS),
        lab=kit / "lab.py",
        kit=kit,
    )
    (test,) = ElementTree.parse(tmp_path / "junit.xml").iter("testcase")
    assert {each.attrib["name"] for each in test.iter("property")} == {
        "function",
        "max_points",
    }
