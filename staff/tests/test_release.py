"""The student release: what is in it, what never is, what proves it, and what it
refuses.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boards.reading import BadFile
from grader.bank.points import read_points
from staff.release.answers import STAND_INS
from staff.release.regions import only_parts, without_solutions
from staff.tests.conftest import TOTAL
from staff.tests.support.masters import (
    change,
    copy_master,
    cut,
    decide,
    release_from,
    take_as_filled,
    write_release,
)
from staff.tests.support.releases import SAFE, git
from staff.tests.support.typed import grader, refusal

LAB = Path("lab.py")


@pytest.fixture
def master(tmp_path: Path) -> Path:
    return copy_master(tmp_path / "master")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of the master copy as it is."""
    folder = tmp_path_factory.mktemp("a release")
    return release_from(copy_master(folder / "master"), folder / "out")


def graded(release: Path) -> tuple[str, dict[str, Any]]:
    """The screen of `make test` in a release, and its results.json."""
    screen = grader("test", cwd=release).stdout
    results = (release / "build" / "results.json").read_text("utf-8")
    return screen, json.loads(results)


def texts_of(release: Path) -> tuple[str, str]:
    """lab.py and the handout of a release."""
    lab = (release / "lab.py").read_text("utf-8")
    return lab, (release / "README.md").read_text("utf-8")


# --- regions -------------------------------------------------------------------------

ONE = "def one():\n    {}\n    return 1\n    {}\n"
STUB = "def one():\n    raise NotImplementedError\n"
PROSE = "# End of the game: begin again, solve\n"


@pytest.mark.parametrize(
    ("text", "stub"),
    [
        (ONE.format("# BEGIN SOLUTION", "# END SOLUTION"), STUB),
        (ONE.format("### Begin solution", "###END SOLUTION"), STUB),
        (ONE.format("# BEGIN SOLUTION\n    # STUB: return x", "# END SOLUTION"), "def one():\n    return x\n"),
        (ONE.format("# BEGIN SOLUTION\n    # STUB:", "# END SOLUTION"), "def one():\n"),
        ("class A:\n    # BEGIN SOLUTION\n    def b(self): pass\n    # END SOLUTION\n", "class A:\n"),
        (PROSE, PROSE),
    ],
)  # fmt: skip
def test_solutions_become_stubs(text: str, stub: str) -> None:
    assert without_solutions(text, LAB) == stub


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# BEGIN SOLUTION\na = 1\n# BEGIN SOLUTION\n# END SOLUTION\n", "3: a solution in the solution of line 1"),
        ("a = 1\n# BEGIN SOLUTION\nb = 1\n", "2: this solution has no end"),
        ("a = 1\n# END SOLUTION\n", "2: this solution ends here, but it has not begun"),
        ("# BEGIN SOLUTION\n\n# nothing\n# END SOLUTION\n", "1: this solution is empty"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_solution_is_named(text: str, says: str) -> None:
    with pytest.raises(BadFile, match=rf"^lab\.py:{says}"):
        without_solutions(text, LAB)


NESTED = "# BEGIN PART 1\n# BEGIN PART 2\na\n# END PART 2\nb\n# END PART 1\n"


@pytest.mark.parametrize(("parts", "text"), [([1, 2], "a\nb\n"), ([1], "b\n")])
def test_parts_nest(parts: list[int], text: str) -> None:
    assert only_parts(NESTED, parts, LAB) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# BEGIN PART 1\n# END PART 2\n", r"lab\.py:2: part 2 ends here"),
        ("# BEGIN PART 1\n", "part 1 begins and does not end"),
    ],
)
def test_parts_must_match(text: str, says: str) -> None:
    with pytest.raises(BadFile, match=says):
        only_parts(text, [1], LAB)


# --- what is in a release ------------------------------------------------------------

AT_THE_TOP = {
    "lab.py",
    "README.md",
    "Makefile",
    "make.cmd",
    ".gitattributes",
    ".github/workflows/classroom.yml",
}


def names_in(release: Path) -> set[str]:
    """The names of the files of a release."""
    files = (file for file in release.rglob("*") if file.is_file())
    return {file.relative_to(release).as_posix() for file in files}


def test_a_release_has_what_students_need_and_nothing_of_staff(release: Path) -> None:
    names = names_in(release)
    assert names >= AT_THE_TOP
    of_staff = re.compile(r"^(\.git|staff|\.ci)/|(^|/)staff[^/]*$|kit\.yml")
    assert [name for name in names if of_staff.search(name)] == []
    assert "staff" not in (release / "pyproject.toml").read_text("utf-8")


def test_a_release_knows_its_files_and_its_version(release: Path) -> None:
    facts = json.loads((release / "grader" / "release.json").read_text("utf-8"))
    assert {*facts["names"], "lab.py", "grader/release.json"} == names_in(release)
    assert facts["version"] == "1.0.0"


def test_lab_py_is_a_stub_and_the_handout_is_filled_in(release: Path) -> None:
    lab, handout = texts_of(release)
    assert "raise NotImplementedError" in lab
    assert "SOLUTION" not in lab
    assert "PART" not in lab
    assert "{{" not in handout
    assert "Artificial Intelligence" in handout


def test_make_names_only_what_a_student_may_give(release: Path) -> None:
    words = ["make", f"VENV={sys.prefix}", "test", "FOO=1"]
    done = subprocess.run(words, cwd=release, capture_output=True, text=True, env=SAFE)
    says = "make test takes no FOO=; it takes LAB= PART= K= CASE= V= OUT=\n"
    assert done.stderr.startswith(says)


PROVED = rf"^checked: the stub scores 0.*; the model solution scores {TOTAL} of {TOTAL}; none of "


def test_make_release_proves_what_it_writes_and_writes_the_same_again(
    master: Path, release: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = cut(master, out)
    assert done.returncode == 0, done.stderr
    assert re.search(PROVED, done.stdout, re.MULTILINE)
    assert "note: there are no hidden cases" in done.stderr
    for name in names_in(release):
        if "__pycache__" not in name and not name.endswith("results.json"):
            assert (out / name).read_bytes() == (release / name).read_bytes(), name


@pytest.mark.parametrize("parts", [[1, 3], [4], [1, 2], [0, 2, 3, 4]])
def test_any_parts_make_a_release(
    parts: list[int], model: str, master: Path, tmp_path: Path
) -> None:
    decide(master, parts=str(parts), points="100")
    out = release_from(master, tmp_path / "out")
    check_that_other_parts_are_left_out(parts, out)
    imported = subprocess.run([sys.executable, "lab.py"], cwd=out, capture_output=True)
    assert imported.returncode == 0
    (out / "lab.py").write_text(model, "utf-8")
    _, results = graded(out)
    assert [part["part"] for part in results["parts"]] == parts
    assert (results["score"], results["out_of"]) == (100, 100)


def check_that_other_parts_are_left_out(parts: list[int], release: Path) -> None:
    """No function and no case of another part is in a release.

    The league needs parts 1 and 2, so without them nobody is asked for a name in it.
    """
    lab, handout = texts_of(release)
    others = (part for part in read_points() if part.number not in parts)
    for name in {name for part in others for name in part.functions} - {"make_run"}:
        defined = rf"def {name}\(|class {name}\(|^{name} = "
        assert not re.search(defined, lab, re.MULTILINE), name
        assert f"`{name}`" not in handout
    for text in (lab, handout):
        assert ("LEAGUE_NAME" in text) == ({1, 2} <= set(parts))
    files = (release / "boards" / "cases").iterdir()
    assert {int(file.name[0]) for file in files} <= set(parts)


NOT_READABLE = re.compile(r"\w+: \|\n(  [\w+/=]+\n)+", re.ASCII)


@pytest.fixture
def tells_places(master: Path, tmp_path: Path) -> Path:
    """A release of a course that tells only the place of a mistake."""
    decide(master, feedback="place")
    return release_from(master, tmp_path / "out")


def test_no_file_of_a_release_tells_more_than_the_course(tells_places: Path) -> None:
    boards = tells_places / "boards"
    for file in (boards / "cases").iterdir():
        assert NOT_READABLE.fullmatch(file.read_text("utf-8")), file.name
    assert not (boards / "reference_traces").exists()
    assert not (boards / "misconceptions").exists()


def test_make_test_tells_no_more_than_the_course(
    tells_places: Path, model: str
) -> None:
    """test_pytest_alone.py has a course that tells the verdict alone."""
    late = model.replace("if alpha >= beta:", "if alpha > beta:")
    (tells_places / "lab.py").write_text(late, "utf-8")
    screen, results = graded(tells_places)
    assert "PARTLY RIGHT  alphabeta/" in screen
    assert "MAX root" in screen
    assert "evaluations too many" not in screen
    wrong = [case for case in results["cases"] if case["status"] == "partly right"]
    assert wrong
    assert [case for case in wrong if case["table"] or case["message"]] == []


# --- what a release refuses ----------------------------------------------------------

LEAK = "\n# best_path ,best_score  =  [ state, *path ],   score\n"
IS_SOLUTION = "this line is part of the solution"
IS_ROSTER = "this looks like a roster or grades"


@pytest.mark.parametrize(
    ("name", "added", "says"),
    [
        ("api/state.py", LEAK, f"{IS_SOLUTION}: `best_path,best_score=[state,*path],score`"),
        ("staff/handout/part2.md", LEAK, IS_SOLUTION),
        ("api/roster.csv", "identifier,github_username\n", f"api/roster.csv:1: {IS_ROSTER}"),
        ("api/grades-2027.json", "{}", f"api/grades-2027.json:1: {IS_ROSTER}"),
    ],
)  # fmt: skip
def test_what_may_not_be_added_is_named_and_nothing_is_written(
    name: str, added: str, says: str, master: Path, tmp_path: Path
) -> None:
    with (master / name).open("a", encoding="utf-8") as file:
        file.write(added)
    check_that_no_release_is_cut(master, tmp_path / "out", says)


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("lab.py", "ANSWER_1 = None", 'ANSWER_1 = "4"', "the stub lab.py scores 2 points, in ANSWER_1; put each solution"),
        ("lab.py", "if alpha >= beta:", "if alpha > beta:", "the model solution gets `partly right` in alphabeta/"),
        ("tests/test_part3.py", "def test_part3(", "def no_part3(", "tests/test_part3.py:1: part 3 has no test"),
        ("staff/handout/part3.md", "## Part 3: ", "## ", "staff/handout/part3.md:1: part 3 has no section; "),
    ],
)  # fmt: skip
def test_a_mistake_in_the_kit_is_named_and_nothing_is_written(
    name: str, old: str, new: str, says: str, master: Path, tmp_path: Path
) -> None:
    change(master / name, old, new)
    check_that_no_release_is_cut(master, tmp_path / "out", says)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("full", "the stub scores no points but those of void cases, and nothing in"),
        ("drop", "the stub scores 0, and nothing in it has started;"),
    ],
)
def test_a_void_case_does_not_stop_a_release(
    how: str, says: str, master: Path, tmp_path: Path
) -> None:
    case = "  - id: no-choice\n"
    void = f"    void: {{how: {how}, why: two readings}}\n"
    change(master / "boards" / "cases" / "2a-dfs.yaml", case, case + void)
    take_as_filled(master)
    done = cut(master, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert says in done.stdout


def test_the_points_of_a_dropped_case_need_another_case(
    master: Path, tmp_path: Path
) -> None:
    """The hidden case is void as well, like the public one from which it was made."""
    case = "  - id: no-choice\n"
    void = "    void: {how: drop, why: two readings}\n"
    change(master / "boards" / "cases" / "2a-dfs.yaml", case, case + void)
    twin = HIDDEN.replace("secret", "no-choice")
    hide(master, "staff/hidden/2a-dfs-in-disguise.yaml", twin)
    says = "dfs-in-disguise/no-choice is dropped, but no other hidden case of dfs_max"
    check_that_no_release_is_cut(master, tmp_path / "out", says)


HIDDEN = """part: 2
function: dfs_maximizing
hidden: true
cases:
  - id: secret
    says: Nobody sees this one.
    state: {tree: FOUR_BY_FOUR}
    expect: {path: [1, 3], score: 14, evaluations: 16}
"""


def hide(master: Path, name: str, text: str) -> None:
    """Write a file of cases into a master copy."""
    (master / "staff" / "hidden").mkdir()
    (master / name).write_text(text)


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("staff/hidden/2a-more.yaml", "hidden: true\n", "", ":1: a file in staff/hidden/ must say `hidden: true`"),
        ("staff/hidden/2a-more.yaml", "score: 14", "score: 13", ":5: the model solution gets `fail` in more/secret: "),
        ("staff/hidden/2a-dfs.yaml", "", "", ":1: boards/cases/ has a 2a-dfs.yaml too; rename this one"),
        ("boards/cases/2a-more.yaml", "", "", ":5: more/secret is hidden, and no points are left to such cases: "),
    ],
)  # fmt: skip
def test_a_mistake_in_a_hidden_case_is_named_and_nothing_is_written(
    name: str, old: str, new: str, says: str, master: Path, tmp_path: Path
) -> None:
    hide(master, name, HIDDEN.replace(old, new))
    check_that_no_release_is_cut(master, tmp_path / "out", f"{name}{says}")


def check_that_no_release_is_cut(master: Path, out: Path, says: str) -> None:
    """Type `make release`; it says this in a line, and writes nothing."""
    add = ["git", "add", "--all", "--force", "api", "boards"]
    subprocess.run(add, cwd=master, check=True)
    assert says in refusal(cut(master, out))
    assert not list(out.glob("*"))


def test_a_line_that_was_looked_at_may_stand(master: Path, tmp_path: Path) -> None:
    looked_at = {
        "api/state.py": LEAK,
        "staff/release/may_stand.txt": LEAK.replace("#", ""),
    }
    for name, line in looked_at.items():
        with (master / name).open("a", encoding="utf-8") as file:
            file.write(line)
    out = release_from(master, tmp_path / "out")
    assert LEAK in (out / "api" / "state.py").read_text("utf-8")


def test_a_file_that_git_does_not_know_is_refused(master: Path, tmp_path: Path) -> None:
    subprocess.run(["git", "add", "--all"], cwd=master, check=True)
    (master / "marks.txt").write_text("alice,12")
    done = grader("release", "--out", tmp_path / "out", cwd=master)
    says = "marks.txt:1: this is not part of the kit yet; git add it, or move it out of this folder\n"
    assert refusal(done) == says


def test_what_git_refuses_is_told_in_its_own_words(
    master: Path, tmp_path: Path
) -> None:
    says = "fatal: detected dubious ownership in repository at '/kit'"
    git = tmp_path / "bin" / "git"
    git.parent.mkdir()
    git.write_text(f'#!/bin/sh\necho "{says}" >&2\nexit 128\n', "utf-8")
    git.chmod(0o755)
    environment = SAFE | {"PATH": f"{git.parent}:{SAFE['PATH']}"}
    done = grader("release", "--out", tmp_path / "out", cwd=master, env=environment)
    assert (
        refusal(done)
        == f"a release contains only tracked files, and git says: {says}\n"
    )


def within_the_master(folder: Path, release: Path) -> Path:
    return folder / "master" / "api" / "out"


def a_file(folder: Path, release: Path) -> Path:
    (folder / "file").touch()
    return folder / "file"


def a_folder_of_somebodys(folder: Path, release: Path) -> Path:
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.txt").write_text("my only copy")
    return folder / "mine"


def a_release_with_notes(folder: Path, release: Path) -> Path:
    theirs = Path(shutil.copytree(release, folder / "theirs"))
    (theirs / "api" / "notes.txt").write_text("mine")
    return theirs


@pytest.mark.parametrize(
    ("place", "says"),
    [
        (within_the_master, "is inside the master copy"),
        (a_file, "cannot be written (File exists); name a folder"),
        (a_folder_of_somebodys, "was not made by "),
        (a_release_with_notes, "holds api/notes.txt, which "),
    ],
)
def test_where_a_release_may_not_go(
    place: Callable[[Path, Path], Path],
    says: str,
    master: Path,
    release: Path,
    tmp_path: Path,
) -> None:
    out = place(tmp_path, release)
    before = {file: file.stat().st_mtime_ns for file in out.rglob("*")}
    assert says in refusal(cut(master, out))
    assert {file: file.stat().st_mtime_ns for file in out.rglob("*")} == before


# --- one release after another -------------------------------------------------------


@pytest.fixture
def repository(master: Path, tmp_path: Path) -> Path:
    """A repository that was cloned empty, with a first release of parts 0 and 1."""
    out = tmp_path / "games-lab"
    out.mkdir()
    git(out, "init", "--quiet")
    decide(master, parts="[0, 1]")
    steps = write_release(master, out)
    assert steps[1] == "2. git push origin HEAD v1.0.0"
    assert "template repository" in steps[2]
    git(out, "add", "--all")
    git(out, "commit", "--quiet", "-m", "Release")
    git(out, "tag", "v1.0.0")
    return out


def test_a_version_is_released_once(master: Path, repository: Path) -> None:
    assert "version 1.0.0 is a tag in" in refusal(cut(master, repository))


def test_the_next_release_says_what_is_new_and_shows_it_to_students(
    master: Path, repository: Path
) -> None:
    of_students = (repository / "lab.py").read_text("utf-8")
    decide(master, version="1.0.1", parts="[0, 1, 2]")
    done = cut(master, repository)
    assert "\nnew in 1.0.1: dfs_maximizing, minimax_e" in done.stdout
    assert "Nothing else" in done.stdout
    (repository / "lab.py").write_text(of_students, "utf-8")
    screen = grader("test", "--k=dfs", cwd=repository).stdout
    assert "dfs_maximizing is new in 1.0.1: add this to your lab.py." in screen
    assert "\n    def dfs_maximizing(state):\n" in screen
    assert "raise NotImplementedError" in screen


# --- what answers the lab ------------------------------------------------------------

PLANTED = {
    "api/board.py": "def settled(position):\n    lines = map(len, position.get_all_chains())\n"
    "    return max(lines, default=0) > 3 or position.count_pieces() > 41\n\n\n"
    "def waits(board):\n    import time\n    time.sleep(999)\n",
    "boards/tree_game.py": "def walk(state):\n    if state.is_game_over():\n"
    "        return (state,), state.get_endgame_score(), 1\n"
    "    below = list(map(walk, state.generate_next_states()))\n"
    "    path, score, _ = max(below, key=lambda each: each[1])\n"
    "    return (state, *path), score, sum(each[2] for each in below)\n",
}


def test_what_answers_the_lab_in_other_words_is_found(
    release: Path, tmp_path: Path
) -> None:
    """Of a release, looked at in two of its files; what waits without end is passed
    over.
    """
    copy = shutil.copytree(release, tmp_path / "copy")
    looked_at = tmp_path / "looked at"
    for name, text in PLANTED.items():
        with (copy / name).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{text}")
        (looked_at / name).parent.mkdir(parents=True)
        shutil.copy(copy / name, looked_at / name)
    words = [sys.executable, "-B", "-P", str(STAND_INS), str(looked_at)]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert set(done.stdout.splitlines()) == {
        "api.board.settled answers is_game_over_connectfour",
        "boards.tree_game.walk answers dfs_maximizing",
    }, done.stderr


# --- hidden cases --------------------------------------------------------------------

QUESTIONS = ("ANSWER_1", "ANSWER_2", "ANSWER_3", "ANSWER_4")


def test_hidden_cases_and_answers_are_left_to_the_deadline(
    master: Path, tmp_path: Path
) -> None:
    hide(master, "staff/hidden/2a-more.yaml", HIDDEN)
    decide(master, show_answers="false")
    out = tmp_path / "out"
    done = cut(master, out)
    assert done.returncode == 0, done.stderr
    assert "and passes 5 hidden cases, none of which ships" in done.stdout
    assert "there are no hidden cases" not in done.stderr
    points = {
        name: points / 100
        for part in read_points()
        for name, points in part.functions.items()
    }
    later = points["dfs_maximizing"] / 2 + sum(points[name] for name in QUESTIONS)
    screen, results = graded(out)
    assert results["later"] == later
    assert results["out_of"] == sum(points.values()) - later
    assert f"points here; {later:g} more are decided at the deadline." in screen
    shipped = [out / name for name in names_in(out)]
    assert [file for file in shipped if b"Nobody sees this" in file.read_bytes()] == []
