"""The student release: what is in it, what never is, what proves it, and what it
refuses.
"""

import json
import os
import re
import shutil
import subprocess
import sys
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
    write_release,
)
from staff.tests.support.releases import SAFE, git

LAB = Path("lab.py")


@pytest.fixture
def master(tmp_path: Path) -> Path:
    return copy_master(tmp_path / "master")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of the master copy as it is."""
    folder = tmp_path_factory.mktemp("a release")
    return release_from(copy_master(folder / "master"), folder / "out")


def make_test(release: Path) -> tuple[str, dict[str, Any]]:
    """The screen of `make test` in a release, and its results.json."""
    done = subprocess.run(
        [sys.executable, "-m", "grader", "test"],
        cwd=release,
        capture_output=True,
        text=True,
    )
    return done.stdout, json.loads(
        (release / "build" / "results.json").read_text("utf-8")
    )


# --- regions --------------------------------------------------------------------------------------

ONE = "def one():\n    {}\n    return 1\n    {}\n"
REGIONS = [
    (
        ONE.format("# BEGIN SOLUTION", "# END SOLUTION"),
        "def one():\n    raise NotImplementedError\n",
    ),
    (
        ONE.format("### Begin solution", "###END SOLUTION"),
        "def one():\n    raise NotImplementedError\n",
    ),
    (
        ONE.format("# BEGIN SOLUTION\n    # STUB: return x", "# END SOLUTION"),
        "def one():\n    return x\n",
    ),
    (ONE.format("# BEGIN SOLUTION\n    # STUB:", "# END SOLUTION"), "def one():\n"),
    (
        "class A:\n    # BEGIN SOLUTION\n    def b(self): pass\n    # END SOLUTION\n",
        "class A:\n",
    ),
    (
        "# End of the game: begin again, solve\n",
        "# End of the game: begin again, solve\n",
    ),
    (
        "# BEGIN SOLUTION\na = 1\n# BEGIN SOLUTION\n# END SOLUTION\n",
        "lab.py:3: a solution in the solution of line 1",
    ),
    ("a = 1\n# BEGIN SOLUTION\nb = 1\n", "lab.py:2: this solution has no end"),
    (
        "a = 1\n# END SOLUTION\n",
        "lab.py:2: this solution ends here, but it has not begun",
    ),
    (
        "# BEGIN SOLUTION\n\n# nothing\n# END SOLUTION\n",
        "lab.py:1: this solution is empty",
    ),
]


@pytest.mark.parametrize(("text", "expected"), REGIONS)
def test_solutions_become_stubs(text: str, expected: str) -> None:
    if not expected.startswith("lab.py:"):
        assert without_solutions(text, LAB) == expected
        return
    with pytest.raises(BadFile) as refused:
        without_solutions(text, LAB)
    assert str(refused.value).startswith(expected)


def test_parts_nest_and_must_match() -> None:
    text = "# BEGIN PART 1\n# BEGIN PART 2\na\n# END PART 2\nb\n# END PART 1\n"
    assert (only_parts(text, [1, 2], LAB), only_parts(text, [1], LAB)) == (
        "a\nb\n",
        "b\n",
    )
    with pytest.raises(BadFile, match=r"lab\.py:2: part 2 ends here"):
        only_parts("# BEGIN PART 1\n# END PART 2\n", [1], LAB)
    with pytest.raises(BadFile, match="part 1 begins and does not end"):
        only_parts("# BEGIN PART 1\n", [1], LAB)


# --- what is in a release -------------------------------------------------------------------------


def test_what_is_in_a_release_and_what_is_not(release: Path) -> None:
    names = {
        file.relative_to(release).as_posix()
        for file in release.rglob("*")
        if file.is_file()
    }
    assert {
        "lab.py",
        "README.md",
        "Makefile",
        "make.cmd",
        ".gitattributes",
        ".github/workflows/classroom.yml",
    } <= names
    assert not [name for name in names if name.startswith((".git/", "staff/", ".ci/"))]
    assert not [
        name
        for name in names
        if Path(name).name.startswith("staff") or "kit.yml" in name
    ]
    facts = json.loads((release / "grader" / "release.json").read_text("utf-8"))
    assert {*facts["names"], "lab.py", "grader/release.json"} == names
    assert facts["version"] == "1.0.0"
    lab, readme = (
        (release / name).read_text("utf-8") for name in ("lab.py", "README.md")
    )
    assert (
        "raise NotImplementedError" in lab
        and "SOLUTION" not in lab
        and "PART" not in lab
    )
    assert "{{" not in readme and "Artificial Intelligence" in readme
    assert "staff" not in (release / "pyproject.toml").read_text("utf-8")


def test_make_names_only_what_a_student_may_give(release: Path) -> None:
    words = ["make", f"VENV={sys.prefix}", "test", "FOO=1"]
    done = subprocess.run(words, cwd=release, capture_output=True, text=True, env=SAFE)
    says = "make test takes no FOO=; it takes LAB= PART= K= CASE= V= OUT=\n"
    assert done.stderr.startswith(says)


def test_make_release_proves_what_it_writes_and_writes_the_same_again(
    master: Path, release: Path, tmp_path: Path
) -> None:
    done = cut(master, out := tmp_path / "out")
    assert done.returncode == 0, done.stderr
    proved = rf"^checked: the stub scores 0.*; the model solution scores {TOTAL} of {TOTAL}; none of "
    assert re.search(proved, done.stdout, re.M)
    assert "note: there are no hidden cases" in done.stderr
    files = [
        file
        for file in release.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    ]
    for file in (file for file in files if file.name != "results.json"):
        assert (out / file.relative_to(release)).read_bytes() == file.read_bytes(), file
    assert cut(master, out).returncode == 0  # in the place of the old one


@pytest.mark.parametrize("parts", [[0], [1, 3], [4], [0, 2, 3, 4]])
def test_any_parts_make_a_release(
    parts: list[int], model: str, master: Path, tmp_path: Path
) -> None:
    decide(master, parts=str(parts), points="100")
    out = release_from(master, tmp_path / "out")
    lab, readme = ((out / name).read_text("utf-8") for name in ("lab.py", "README.md"))
    for name in {
        name
        for part in read_points()
        if part.number not in parts
        for name in part.functions
    } - {"make_run"}:
        assert (
            not re.search(rf"def {name}\(|class {name}\(|^{name} = ", lab, re.MULTILINE)
            and f"`{name}`" not in readme
        )
    assert not [
        file
        for file in (out / "boards" / "cases").iterdir()
        if int(file.name[0]) not in parts
    ]
    assert (
        subprocess.run(
            [sys.executable, "lab.py"], cwd=out, capture_output=True
        ).returncode
        == 0
    )
    (out / "lab.py").write_text(model, "utf-8")
    _, results = make_test(out)
    assert [part["part"] for part in results["parts"]] == parts
    assert (results["score"], results["out_of"]) == (100, 100)


@pytest.mark.parametrize(
    ("feedback", "status", "kept"),
    [("place", "partly right", True), ("verdict", "fail", False)],
)
def test_feedback_is_limited_as_the_course_says(
    feedback: str, status: str, kept: bool, master: Path, tmp_path: Path, model: str
) -> None:
    decide(master, feedback=feedback)
    out = release_from(master, tmp_path / "out")
    for file in (out / "boards" / "cases").iterdir():
        assert re.fullmatch(
            r"\w+: \|\n(  [\w+/=]+\n)+", file.read_text("utf-8"), re.ASCII
        ), file.name
    assert not any(
        (out / "boards" / name).exists()
        for name in ("reference_traces", "misconceptions")
    )
    (out / "lab.py").write_text(
        model.replace("if alpha >= beta:", "if alpha > beta:"), "utf-8"
    )
    screen, results = make_test(out)
    assert f"{status.upper()}  alphabeta/" in screen
    assert ("evaluations too many" in screen, "MAX root" in screen) == (False, kept)
    wrong = [case for case in results["cases"] if case["status"] == status]
    assert wrong and not any(case["table"] or case["message"] for case in wrong)


# --- what a release refuses -----------------------------------------------------------------------

LEAK = "\n# best_path ,best_score  =  [ state, *path ],   score\n"
REFUSED = [
    (
        "api/state.py",
        "",
        LEAK,
        "this line is part of the solution: `best_path,best_score=[state,*path],score`",
    ),
    ("boards/trees.yaml", "", LEAK, "this line is part of the solution"),
    ("staff/handout/part2.md", "", LEAK, "this line is part of the solution"),
    (
        "api/roster.csv",
        "",
        "identifier,github_username\n",
        "api/roster.csv:1: this looks like a roster or grades",
    ),
    (
        "api/grades-2027.json",
        "",
        "{}",
        "api/grades-2027.json:1: this looks like a roster or grades",
    ),
    (
        "lab.py",
        "ANSWER_1 = None",
        'ANSWER_1 = "4"',
        "the stub lab.py scores 2 points, in ANSWER_1; put each solution",
    ),
    (
        "lab.py",
        "if alpha >= beta:",
        "if alpha > beta:",
        "the model solution gets `partly right` in alphabeta/",
    ),
    (
        "tests/test_part3.py",
        "def test_part3(",
        "def no_part3(",
        "tests/test_part3.py:1: part 3 has no test",
    ),
    (
        "staff/handout/part3.md",
        "## Part 3: ",
        "## ",
        "staff/handout/part3.md:1: part 3 has no section; ",
    ),
    ("staff/course.yaml", "version: 1.0.0", "version: 1.0", "staff/course.yaml:"),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"), REFUSED, ids=lambda word: word[:30]
)
def test_what_is_refused_is_named_and_nothing_is_written(
    name: str, old: str, new: str, complaint: str, master: Path, tmp_path: Path
) -> None:
    if old:
        change(master / name, old, new)
    else:
        with (master / name).open("a", encoding="utf-8") as file:
            file.write(new)
    subprocess.run(
        ["git", "add", "--all", "--force", "api", "boards"], cwd=master, check=True
    )
    done = cut(master, tmp_path / "out")
    assert done.returncode == 2
    assert complaint in done.stderr and done.stderr.count("\n") == 1
    assert not list((tmp_path / "out").glob("*"))


def test_a_line_that_was_looked_at_may_stand(master: Path, tmp_path: Path) -> None:
    for name, line in (
        ("api/state.py", LEAK),
        ("staff/release/may_stand.txt", LEAK.replace("#", "")),
    ):
        with (master / name).open("a", encoding="utf-8") as file:
            file.write(line)
    release_from(master, tmp_path / "out")


def test_a_file_that_git_does_not_know_is_refused(master: Path, tmp_path: Path) -> None:
    subprocess.run(["git", "add", "--all"], cwd=master, check=True)
    (master / "marks.txt").write_text("alice,12")
    words = [sys.executable, "-m", "grader", "release", "--out", str(tmp_path / "out")]
    done = subprocess.run(words, cwd=master, capture_output=True, text=True)
    assert done.returncode == 2
    assert (
        done.stderr
        == "marks.txt:1: this is not part of the kit yet; git add it, or move it out of this folder\n"
    )


def test_what_git_refuses_is_told_in_its_own_words(
    master: Path, tmp_path: Path
) -> None:
    says = "fatal: detected dubious ownership in repository at '/kit'"
    git = tmp_path / "bin" / "git"
    git.parent.mkdir()
    git.write_text(f'#!/bin/sh\necho "{says}" >&2\nexit 128\n', "utf-8")
    git.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "grader", "release", "--out", str(tmp_path / "out")], cwd=master,
        capture_output=True, text=True, env=SAFE | {"PATH": f"{git.parent}:{SAFE['PATH']}"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        2,
        f"a release is made of what git knows, and git says: {says}\n",
    )


def test_where_a_release_may_not_go(
    master: Path, release: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("my only copy")
    theirs = shutil.copytree(release, tmp_path / "theirs")
    (theirs / "api" / "notes.txt").write_text("mine")
    for folder, complaint in {
        master / "api" / "out": "is inside the master copy",
        tmp_path / "file": "cannot be written (File exists); name a folder",
        tmp_path / "mine": "was not made by ",
        theirs: "holds api/notes.txt, which ",
    }.items():
        done = cut(master, folder)
        assert done.returncode == 2 and complaint in done.stderr, done.stderr
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "my only copy"


def test_a_repository_that_was_cloned_empty_takes_the_first_release_and_the_next(
    master: Path, tmp_path: Path
) -> None:
    out = tmp_path / "games-lab"
    out.mkdir()
    git(out, "init", "--quiet")
    decide(master, parts="[0, 1]")
    steps, lab = write_release(master, out), (out / "lab.py").read_text("utf-8")
    assert (
        steps[1] == "2. git push origin HEAD v1.0.0"
        and "template repository" in steps[2]
    )
    git(out, "add", "--all")
    git(out, "commit", "--quiet", "-m", "Release")
    git(out, "tag", "v1.0.0")
    assert "version 1.0.0 is a tag in" in cut(master, out).stderr
    decide(master, version="1.0.1", parts="[0, 1, 2]")
    done = cut(master, out)
    assert (
        "\nnew in 1.0.1: dfs_maximizing, minimax_e" in done.stdout
        and "Nothing else" in done.stdout
    )
    (out / "lab.py").write_text(lab, "utf-8")  # as a student has it
    shown = subprocess.run(
        [sys.executable, "grader", "test", "--k=dfs"],
        cwd=out,
        capture_output=True,
        text=True,
    )
    assert "dfs_maximizing is new in 1.0.1: add this to your lab.py." in shown.stdout
    assert (
        "\n    def dfs_maximizing(state):\n" in shown.stdout
        and "raise NotImplementedError" in shown.stdout
    )


def test_what_answers_the_lab_in_other_words_is_found(
    release: Path, tmp_path: Path
) -> None:
    """Of a release, looked at in two of its files; what waits without end is passed
    over.
    """
    planted = {
        "api/board.py": "def settled(position):\n    lines = map(len, position.get_all_chains())\n"
        "    return max(lines, default=0) > 3 or position.count_pieces() > 41\n\n\n"
        "def waits(board):\n    import time\n    time.sleep(999)\n",
        "boards/tree_game.py": "def walk(state):\n    if state.is_game_over():\n"
        "        return (state,), state.get_endgame_score(), 1\n"
        "    below = list(map(walk, state.generate_next_states()))\n"
        "    path, score, _ = max(below, key=lambda each: each[1])\n"
        "    return (state, *path), score, sum(each[2] for each in below)\n",
    }
    copy, looked_at = (
        shutil.copytree(release, tmp_path / "copy"),
        tmp_path / "looked at",
    )
    for name, text in planted.items():
        with (copy / name).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{text}")
        (looked_at / name).parent.mkdir(parents=True)
        shutil.copy(copy / name, looked_at / name)
    words = [sys.executable, "-B", "-P", str(STAND_INS), str(looked_at)]
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(copy)},
    )
    assert set(done.stdout.splitlines()) == {
        "api.board.settled answers is_game_over_connectfour",
        "boards.tree_game.walk answers dfs_maximizing",
    }, done.stderr


# --- hidden cases ---------------------------------------------------------------------------------

HIDDEN = """part: 2
function: dfs_maximizing
hidden: true
cases:
  - id: secret
    says: Nobody sees this one.
    state: {tree: FOUR_BY_FOUR}
    expect: {path: [1, 3], score: 14, evaluations: 16}
"""


def test_hidden_cases_and_answers_are_left_to_the_deadline(
    master: Path, tmp_path: Path
) -> None:
    (master / "staff" / "hidden").mkdir()
    (master / "staff" / "hidden" / "2a-more.yaml").write_text(HIDDEN)
    decide(master, show_answers="false")
    done = cut(master, out := tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "and passes 5 hidden cases, none of which ships" in done.stdout
    assert "there are no hidden cases" not in done.stderr
    screen, results = make_test(out)
    functions = {
        name: points / 100
        for part in read_points()
        for name, points in part.functions.items()
    }
    later = functions["dfs_maximizing"] / 2 + sum(
        functions[f"ANSWER_{n}"] for n in (1, 2, 3, 4)
    )
    assert (results["later"], results["out_of"]) == (
        later,
        sum(functions.values()) - later,
    )
    assert f"points here; {later:g} more are decided at the deadline." in screen
    everything = b"".join(
        file.read_bytes() for file in out.rglob("*") if file.is_file()
    )
    assert b"Nobody sees this one" not in everything


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        (
            "staff/hidden/2a-more.yaml",
            "hidden: true\n",
            "",
            ":1: a file in staff/hidden/ must say `hidden: true`",
        ),
        (
            "staff/hidden/2a-more.yaml",
            "score: 14",
            "score: 13",
            ":5: the model solution gets `fail` in more/secret: ",
        ),
        (
            "staff/hidden/2a-dfs.yaml",
            "",
            "",
            ":1: boards/cases/ has a 2a-dfs.yaml too; rename this one",
        ),
        (
            "boards/cases/2a-more.yaml",
            "",
            "",
            ":5: more/secret is hidden, and no points are left to such cases: ",
        ),
    ],
)
def test_a_mistake_in_a_hidden_case_stops_the_release(
    name: str, old: str, new: str, complaint: str, master: Path, tmp_path: Path
) -> None:
    (master / "staff" / "hidden").mkdir()
    (master / name).write_text(HIDDEN.replace(old, new))
    done = cut(master, tmp_path / "out")
    assert done.returncode == 2 and done.stderr.startswith(f"{name}{complaint}"), (
        done.stderr
    )
