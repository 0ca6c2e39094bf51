"""The student release: what is in it, what never is, what proves it, and a course's decisions."""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from boards.cases import Bank, read_points
from boards.reading import BadFile
from grader.release import read_release
from grader.sandbox.watch import NOTHING_USED, Used
from staff.course import read_course
from staff.release import stand_ins, tree
from staff.release.answers import prove_nothing_answers
from staff.release.proof import Unproved
from staff.release.regions import only_parts, without_solutions
from staff.release.tree import OF_THE_MASTER, release_tree
from staff.tests.conftest import TOTAL
from staff.tests.support.masters import (
    COURSE,
    change,
    copy_master,
    cut,
    decide,
    release_from,
    with_few_cases,
    write_release,
)
from staff.tests.support.releases import git

LAB = Path("lab.py")


@pytest.fixture
def master(tmp_path: Path) -> Path:
    return copy_master(tmp_path / "master")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of the master copy as it is."""
    folder = tmp_path_factory.mktemp("a release")
    return release_from(copy_master(folder / "master"), folder / "out")


def test_folder(release: Path, *words: str) -> tuple[int, dict[str, Any]]:
    """The exit status of `make test` in a release, and its results.json."""
    results = release / "build" / "results.json"
    results.unlink(missing_ok=True)
    done = subprocess.run(
        ["make", "test", f"VENV={sys.prefix}", *words], cwd=release, capture_output=True, text=True
    )  # fmt: skip
    assert results.exists(), done.stdout + done.stderr
    return done.returncode, json.loads(results.read_text("utf-8"))


test_folder.__test__ = False  # type: ignore[attr-defined]


# --- regions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", ["# BEGIN SOLUTION", "### BEGIN SOLUTION", "#Begin solution"])
def test_both_spellings_of_the_markers(spelling: str) -> None:
    text = f"def one():\n    {spelling}\n    return 1\n    {spelling.replace('BEGIN', 'END').replace('Begin', 'End')}\n"
    assert without_solutions(text, LAB) == "def one():\n    raise NotImplementedError\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "# BEGIN SOLUTION\na = 1\n# BEGIN SOLUTION\n# END SOLUTION\n",
            "lab.py:3: a solution in the solution of line 1",
        ),
        ("a = 1\n# BEGIN SOLUTION\nb = 1\n", "lab.py:2: this solution has no end"),
        ("a = 1\n# END SOLUTION\n", "lab.py:2: this solution ends here, but it has not begun"),
        ("# BEGIN SOLUTION\n\n# nothing\n# END SOLUTION\n", "lab.py:1: this solution is empty"),
    ],
)
def test_bad_regions_are_named_with_their_line(text: str, complaint: str) -> None:
    with pytest.raises(BadFile, match=complaint):
        without_solutions(text, LAB)


@pytest.mark.parametrize(
    "marker",
    ["# BEGIN SOLUTON", "# END SOLUTIONS", "# SOLUTION BEGIN", "#BEGIN Sol", "# begin soluton", "# BEGIN PART one"],
)
def test_a_misspelt_marker_is_no_comment(marker: str) -> None:
    with pytest.raises(BadFile, match=r"lab\.py:2: .* is no marker; write `# BEGIN SOLUTION`"):
        without_solutions(f"a = 1\n{marker}\nb = 2\n", LAB)
    assert (
        without_solutions("# End of the game: begin again, solve\n", LAB) == "# End of the game: begin again, solve\n"
    )


def test_a_region_may_give_its_own_stub() -> None:
    text = (
        "def one():\n    # BEGIN SOLUTION\n    # STUB: x = 0\n    # STUB: return x\n    return 1\n    # END SOLUTION\n"
    )
    assert without_solutions(text, LAB) == "def one():\n    x = 0\n    return x\n"
    assert without_solutions(text.replace(" x = 0", "").replace(" return x", ""), LAB) == "def one():\n"


def test_a_solution_outside_of_functions_leaves_nothing() -> None:
    text = "class One:\n    x = 1\n    # BEGIN SOLUTION\n    def two(self):\n        return 2\n    # END SOLUTION\n"
    assert without_solutions(text, LAB) == "class One:\n    x = 1\n"


def test_parts_nest_and_must_match() -> None:
    text = "# BEGIN PART 1\n# BEGIN PART 2\na\n# END PART 2\nb\n# END PART 1\n"
    assert only_parts(text, [1, 2], LAB) == "a\nb\n"
    assert only_parts(text, [1], LAB) == "b\n"
    with pytest.raises(BadFile, match=r"lab\.py:2: part 2 ends here"):
        only_parts("# BEGIN PART 1\n# END PART 2\n", [1], LAB)
    with pytest.raises(BadFile, match="part 1 begins and does not end"):
        only_parts("# BEGIN PART 1\n", [1], LAB)


# --- what is in a release -------------------------------------------------------------------------


def test_the_stub_scores_nothing_and_the_model_everything(release: Path, model: str) -> None:
    stub = (release / "lab.py").read_text("utf-8")
    status, results = test_folder(release)
    assert status == 2  # make's own, for the exit status 1 of the program
    assert results["score"] == 0
    assert not results["import_failure"]
    assert {case["status"] for case in results["cases"] if not case["advice"]} == {"not started", "waits"}
    for part in results["parts"]:
        assert "not started" in {case["status"] for case in results["cases"] if case["part"] == part["part"]}
    (release / "lab.py").write_text(model, "utf-8")
    status, results = test_folder(release)
    (release / "lab.py").write_text(stub, "utf-8")
    assert status == 0
    assert results["score"] == results["out_of"] == sum(part.points for part in read_points())


def test_what_is_in_a_release_and_what_is_not(release: Path) -> None:
    names = {file.relative_to(release).as_posix() for file in release.rglob("*") if file.is_file()}
    assert {"lab.py", "README.md", "Makefile", "make.cmd", ".gitattributes", ".github/workflows/classroom.yml"} <= names
    assert not [name for name in names if name.startswith((".git/", "staff/", ".ci/"))]
    text = (release / "lab.py").read_text("utf-8")
    assert "SOLUTION" not in text
    assert "PART" not in text
    assert "raise NotImplementedError" in text
    assert read_release(release).version == "1.0.0"
    readme = (release / "README.md").read_text("utf-8")
    assert "{{" not in readme
    assert "Artificial Intelligence" in readme


@pytest.mark.parametrize("in_git", [False, True])
def test_what_only_the_master_has_is_left_out(in_git: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ships = {"lab.py", "Makefile", ".github/workflows/classroom.yml"}
    for name in {*ships, *OF_THE_MASTER, "staff/course.yaml", ".ci/run"} - {"staff", ".ci", ".git"}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    if in_git:
        git(tmp_path, "init", "--quiet")
        git(tmp_path, "add", "--all")
    monkeypatch.setattr(tree, "KIT", tmp_path)
    assert set(tree.shipped()) == ships


def test_make_release_proves_what_it_writes(master: Path, release: Path, tmp_path: Path) -> None:
    """And again gives the same bytes."""
    done = cut(master, tmp_path / "other")
    assert done.returncode == 0, done.stderr
    assert re.search(
        rf"^proved: the stub scores 0 .*; the model solution scores {TOTAL} of {TOTAL}; none of ", done.stdout, re.M
    )
    other = release_from(master, tmp_path / "other")
    names = {file.relative_to(other) for file in other.rglob("*") if file.is_file()}
    assert names >= {LAB, Path("README.md")}
    for name in names:
        assert (other / name).read_bytes() == (release / name).read_bytes(), name


# --- what a release refuses -----------------------------------------------------------------------

LEAK = "if score > best_score:\n            best_path, best_score = [state, *path], score\n"


@pytest.mark.parametrize("name", ["api/state.py", "boards/trees.yaml", "staff/handout/part2.md"])
def test_a_line_of_the_solution_is_found_wherever_it_stands(name: str, master: Path, tmp_path: Path) -> None:
    file = master / name
    lines = len(file.read_text("utf-8").splitlines())
    with file.open("a", encoding="utf-8") as stream:
        stream.write("# best_path ,best_score  =  [ state, *path ],   score\n")
    done = cut(master, tmp_path / "out")
    assert done.returncode == 2
    assert "best_path,best_score=[state,*path],score" in done.stderr
    if not name.startswith("staff"):
        assert f"{name}:{lines + 1}: a line of the solution stands here" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_line_that_was_looked_at_may_stand(master: Path, tmp_path: Path) -> None:
    with (master / "api" / "state.py").open("a", encoding="utf-8") as stream:
        stream.write("# best_path, best_score = [state, *path], score\n")
    with (master / "staff" / "release" / "may_stand.txt").open("a", encoding="utf-8") as stream:
        stream.write("best_path, best_score = [state, *path], score\n")
    release_from(master, tmp_path / "out")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("api/roster.csv", "identifier,github_username,name\n"),
        ("boards/class.txt", "Student,ID,SIS User ID,SIS Login ID,Section\n"),
        ("api/grades-2027.json", "{}"),
        ("boards/grades/alice.json", "{}"),
    ],
)
def test_a_roster_or_grades_are_refused(name: str, text: str, master: Path, tmp_path: Path) -> None:
    (master / name).parent.mkdir(exist_ok=True)
    (master / name).write_text(text)
    done = cut(master, tmp_path / "out")
    assert done.returncode == 2
    assert f"{name}:1: this looks like a roster or grades" in done.stderr


PLANTED = {
    "api/board.py": "def settled(position):\n    lines = map(len, position.get_all_chains())\n"
    "    return max(lines, default=0) > 3 or position.count_pieces() > 41\n",
    "grader/tools/screen.py": "class Rules:\n    def ahead(self, flag):\n"
    "        return self.count_pieces(flag) - self.count_pieces(not flag) + 10 * sum(len(c) ** 3 for c in\n"
    "            self.get_all_chains(flag)) - 10 * sum(len(c) ** 3 for c in self.get_all_chains(not flag))\n",
    "boards/tree_game.py": "def walk(state):\n    if state.is_game_over():\n"
    "        return (state,), state.get_endgame_score(), 1\n    below = list(map(walk, state.generate_next_states()))\n"
    "    path, score, _ = max(below, key=lambda each: each[1])\n"
    "    return (state, *path), score, sum(each[2] for each in below)\n",
    "tests/test_part1.py": "def harmless(board):\n    return []\n",
    "tests/test_part2.py": "def waits_and_leaves_a_process(board):\n    import os, time\n    os.fork()\n"
    "    time.sleep(999)\n",
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_what_answers_the_lab_is_found_by_what_it_does(release: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(release, copy)
    for name, text in PLANTED.items():
        with (copy / name).open("a", encoding="utf-8") as stream:
            stream.write(f"\n\n{text}")
    with pytest.raises(Unproved) as refused:
        prove_nothing_answers(copy)
    found = set(re.findall(r"[\w.]+ answers \w+", str(refused.value)))
    assert found == {
        "api.board.settled answers is_game_over_connectfour",
        "grader.tools.screen.Rules.ahead answers heuristic_connectfour",
        "boards.tree_game.walk answers dfs_maximizing",
    }


@pytest.mark.parametrize(("waiting", "news"), [(0.8, b"."), (0.0, b"")])
def test_a_stand_in_that_is_not_let_run_has_more_time(
    waiting: float, news: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says something after six seconds, of which the machine has run others for this share."""
    progress, told = os.pipe()
    os.write(told, b".")
    now = [100.0]

    def select(
        reading: list[int], writing: object, odd: object, patience: float
    ) -> tuple[list[int], list[int], list[int]]:
        now[0] += patience
        return reading if now[0] > 106 else [], [], []

    def used(root: int) -> Used:
        return dataclasses.replace(NOTHING_USED, waits={"7": now[0] * waiting})

    monkeypatch.setattr("grader.sandbox.watch.time.monotonic", lambda: now[0])
    monkeypatch.setattr("staff.release.stand_ins.select.select", select)
    for module in ("staff.release.stand_ins", "grader.sandbox.watch"):
        monkeypatch.setattr(f"{module}.used_by", used)
    assert stand_ins._news(progress, 1) == news
    os.close(progress)
    os.close(told)


@pytest.mark.parametrize("in_git", [False, True])
def test_a_file_that_nobody_made_part_of_the_kit_is_refused(in_git: bool, master: Path, tmp_path: Path) -> None:
    if in_git:
        git(master, "init", "--quiet")
        git(master, "add", "--all")
    (master / "marks.txt").write_text("alice,12")
    done = cut(master, tmp_path / "out")
    assert done.returncode == 2
    assert done.stderr == "marks.txt:1: this is not part of the kit yet; git add it, or move it out of this folder\n"
    (master / "marks.txt").unlink()
    release_from(master, tmp_path / "out")


def test_no_git_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match="git is not installed, and a release is made of what it knows"):
        tree.shipped()


def test_a_repository_that_was_cloned_empty_takes_the_first_release(master: Path, tmp_path: Path) -> None:
    out = tmp_path / "games-lab"
    out.mkdir()
    git(out, "init", "--quiet")
    steps = write_release(master, out)
    assert steps[1] == "2. git push origin HEAD v1.0.0" and "template repository" in steps[2]
    git(out, "add", "--all")
    git(out, "-c", "user.name=c", "-c", "user.email=c@example.edu", "commit", "--quiet", "-m", "Release")
    git(out, "tag", "v1.0.0")
    decide(master, version="1.0.1")
    assert "Nothing else" in write_release(master, out)[2]


def test_where_a_release_may_not_go(master: Path, release: Path, tmp_path: Path) -> None:
    inside = cut(master, master / "api" / "out")
    assert inside.returncode == 2
    assert "lies in the master copy" in inside.stderr
    (tmp_path / "file").touch()
    assert "is a file; name a folder" in cut(master, tmp_path / "file").stderr
    decide(master, version="0.9.0")
    back = cut(master, release)
    assert back.returncode == 2
    assert "holds version 1.0.0, which is newer" in back.stderr


def test_a_stub_that_gives_points_is_not_released(master: Path, tmp_path: Path) -> None:
    change(master / "lab.py", "ANSWER_1 = None", 'ANSWER_1 = "4"')
    done = cut(master, tmp_path / "out")
    assert done.returncode == 2
    assert "the stub lab.py scores 2 points, in ANSWER_1; put each solution between `# BEGIN" in done.stderr


def test_a_model_that_fails_is_not_released(master: Path, tmp_path: Path) -> None:
    change(master / "lab.py", "if alpha >= beta:", "if alpha > beta:")
    done = cut(master, tmp_path / "out")
    assert done.returncode == 2
    assert "the model solution gets `in part` in alphabeta/" in done.stderr


def test_a_folder_that_was_not_made_by_it_is_left_alone(master: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("my only copy")
    done = cut(master, tmp_path / "mine")
    assert done.returncode == 2
    assert "was not made by python grader release; give another folder: " in done.stderr
    out = release_from(master, tmp_path / "out")
    (out / "api" / "notes.txt").write_text("mine")
    done = cut(master, out)
    assert "holds api/notes.txt, which python grader release did not put there" in done.stderr
    assert (out / "api" / "notes.txt").read_text() == "mine"
    (out / "api" / "notes.txt").unlink()
    (out / "lab.py").write_text("my work")
    assert cut(master, out).returncode == 2
    assert (out / "lab.py").read_text() == "my work"


# --- a course's decisions -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decision", "complaint"),
    [
        ({"due": "2027-02-30 23:59"}, "day is out of range"),
        ({"due": "2027-02-12"}, "write a date and a time"),
        ({"due": "2027-03-28 02:30"}, "the clocks of Europe/Zurich skip"),
        ({"zone": "Europe/Atlantis"}, "there is no time zone 'Europe/Atlantis'"),
        ({"grace": "-1"}, "`grace` is -1; it lies between 0 and"),
        ({"parts": "[0, 9]"}, "list one or more of"),
        ({"parts": "[]"}, "list one or more of"),
        ({"points": "lots"}, "`points` is 'lots'"),
        ({"feedback": "none"}, "it is one of full, place, verdict"),
        ({"hand_in": "by mail"}, "`hand_in` is 'by mail'; it is one of GitHub, Gradescope, Classroom 50"),
        ({"version": "1.0"}, "`version` is 1.0"),
        ({"show_answers": "perhaps"}, "true or false is wanted"),
        ({"hidden_share": "100"}, "it lies between 0 and 90"),
        ({"help": ""}, "`help` is empty; write a text"),
        ({"late": "{per_day: 10, day: 3}"}, "unknown key `day`"),
        ({"late": "none"}, "write a mapping, such as {per_day: 10, days: 3}"),
        ({"extensions": "{alice: 2027-02-01 23:59}"}, "the extension of alice is not after the due date"),
        ({"repository": "your-course/games-lab"}, "write an address such as https://"),
        ({"repository": "https://me:secret@example.edu/lab"}, "write an address such as https://"),
        ({"repository": '"https://example.edu/lab; rm -rf x"'}, "write an address such as https://"),
        ({"repository": "https://github.com/your-course/games-lab/tree/main"}, "games-lab, for git clone"),
        ({"repository": "https://gitlab.com/a/b/games-lab/-/releases"}, "games-lab, for git clone"),
        ({"parts": "[true, 0]"}, "list one or more of"),
        ({"title": "AI: the course"}, "put quotes around a text with a colon in it"),
        ({"due": "0001-01-01 00:00"}, "long ago"),
    ],
)
def test_a_mistake_in_course_yaml_has_its_line(decision: dict[str, str], complaint: str, tmp_path: Path) -> None:
    (tmp_path / "staff").mkdir()
    shutil.copy(COURSE, tmp_path / "staff")
    decide(tmp_path, **decision)
    with pytest.raises(BadFile) as caught:
        read_course(tmp_path / "staff" / "course.yaml")
    said = str(caught.value)
    assert re.search(r"\bcourse\.yaml:\d+: ", said) and complaint in said and "\n" not in said


def test_a_mistake_in_course_yaml_stops_the_release(master: Path, tmp_path: Path) -> None:
    decide(master, version="1.0")
    done = cut(master, tmp_path / "out")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("staff/course.yaml:") and "`version` is 1.0" in done.stderr


@pytest.mark.parametrize("parts", [[0], [1], [2], [3], [4], [0, 2, 3, 4], [0, 1, 2, 4]])
def test_any_parts_make_a_release(parts: list[int], model: str, master: Path, tmp_path: Path) -> None:
    """Each alone, and all but those on which others build; that the stub scores nothing is in every proof."""
    decide(master, parts=str(parts), points="100")
    out = release_from(master, tmp_path / "out")
    dropped = {name for part in read_points() if part.number not in parts for name in part.functions} - {"make_run"}
    lab, readme = ((out / name).read_text("utf-8") for name in ("lab.py", "README.md"))
    for name in dropped:
        assert f"def {name}(" not in lab
        assert f"class {name}(" not in lab
        assert f"{name} = " not in lab
        assert f"`{name}`" not in readme
    assert not [file for file in (out / "boards" / "cases").iterdir() if int(file.name[0]) not in parts]
    assert subprocess.run([sys.executable, "lab.py"], cwd=out, capture_output=True).returncode == 0
    (out / "lab.py").write_text(model, "utf-8")
    status, results = test_folder(out)
    assert [part["part"] for part in results["parts"]] == parts
    assert (status, results["score"], results["out_of"]) == (0, 100, 100)


HIDDEN = """part: 2
function: dfs_maximizing
hidden: true
cases:
  - id: secret
    says: Nobody sees this one.
    state: {tree: FOUR_BY_FOUR}
"""
EXPECT = "    expect: {path: [1, 3], score: 14, evaluations: 16}\n"


def test_hidden_cases_and_answers_are_left_to_the_deadline(master: Path, tmp_path: Path) -> None:
    (master / "staff" / "hidden").mkdir()
    (master / "staff" / "hidden" / "2a-more.yaml").write_text(HIDDEN + EXPECT)
    decide(master, show_answers="false")
    done = cut(master, out := tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "and passes 5 hidden cases, of which none ships" in done.stdout
    assert "there are no hidden cases" not in done.stderr
    _, results = test_folder(out)
    functions = {name: points for part in read_points() for name, points in part.functions.items()}
    later = functions["dfs_maximizing"] / 2 + sum(functions[f"ANSWER_{n}"] for n in (1, 2, 3, 4))
    assert results["later"] == later
    assert results["out_of"] == sum(functions.values()) - later
    everything = b"".join(file.read_bytes() for file in out.rglob("*") if file.is_file())
    assert b"Nobody sees this one" not in everything
    done = subprocess.run([sys.executable, "-m", "grader", "test"], cwd=out, capture_output=True, text=True)
    assert f"points here; {later} more are decided at the deadline." in done.stdout


def test_expectations_of_hidden_cases_are_filled_in_too(master: Path) -> None:
    with_few_cases(master)
    (master / "staff" / "hidden").mkdir()
    file = master / "staff" / "hidden" / "2a-more.yaml"
    file.write_text(HIDDEN)
    subprocess.run([sys.executable, "-m", "grader", "expectations"], cwd=master, check=True, capture_output=True)
    assert file.read_text() == HIDDEN + EXPECT


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("hidden: true\n", "", "1: a file in staff/hidden/ must say `hidden: true`; write that line at its top"),
        ("FOUR_BY_FOUR", "FOUR_BY_FIVE", "7: no tree is named `FOUR_BY_FIVE`; "),
        (EXPECT, "", "5: there is no `expect`; `python grader expectations` fills it in"),
        ("score: 14", "score: 13", "5: the model solution gets `fail` in more/secret: "),
        ("id: secret", "id: Secret", "5: `id` is 'Secret'; it is of small letters"),
        (HIDDEN.partition("cases:")[2] + EXPECT, " []\n", "4: `cases` is empty; write a case, `- id: …`, or delete"),
    ],
)
def test_a_mistake_in_a_hidden_case_stops_the_release(
    old: str, new: str, complaint: str, master: Path, tmp_path: Path
) -> None:
    (master / "staff" / "hidden").mkdir()
    (master / "staff" / "hidden" / "2a-more.yaml").write_text((HIDDEN + EXPECT).replace(old, new))
    done = cut(master, tmp_path / "out")
    assert done.returncode == 2
    assert done.stderr.startswith(f"staff/hidden/2a-more.yaml:{complaint}")
    assert len(done.stderr.splitlines()) == 1


def test_a_hidden_file_has_a_name_of_its_own(master: Path, tmp_path: Path) -> None:
    (master / "staff" / "hidden").mkdir()
    (master / "staff" / "hidden" / "2a-dfs.yaml").write_text(HIDDEN + EXPECT)
    assert cut(master, tmp_path / "out").stderr == (
        "staff/hidden/2a-dfs.yaml:1: boards/cases/ has a 2a-dfs.yaml too; rename this one\n"
    )


def test_hidden_cases_belong_to_staff(master: Path, tmp_path: Path) -> None:
    (master / "boards" / "cases" / "2a-more.yaml").write_text(HIDDEN + EXPECT)
    assert cut(master, tmp_path / "out").stderr == (
        "boards/cases/2a-more.yaml:5: more/secret is hidden, and no points are left to such cases: "
        "a file with `hidden: true` belongs in staff/hidden/\n"
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        ("tests/test_part3.py", "def test_ANSWER_2(", "def check_ANSWER_2(", "tests/test_part3.py:1: ANSWER_2 has no"),
        ("staff/handout/part3.md", "## Part 3: ", "## ", "staff/handout/part3.md:1: part 3 has no section; "),
    ],
)
def test_a_part_has_its_tests_and_its_section(
    name: str, old: str, new: str, complaint: str, master: Path, tmp_path: Path
) -> None:
    file = master / name
    text = file.read_text("utf-8")
    assert f"\n{old}" in text
    file.write_text(text.replace(f"\n{old}", f"\n{new}"), "utf-8")
    done = cut(master, tmp_path / "out")
    assert done.returncode == 2
    assert done.stderr.startswith(complaint)


@pytest.mark.parametrize(("feedback", "status", "kept"), [("place", "in part", True), ("verdict", "fail", False)])
def test_feedback_is_limited_as_the_course_says(
    feedback: str, status: str, kept: bool, master: Path, tmp_path: Path, model: str
) -> None:
    decide(master, feedback=feedback)
    out = release_from(master, tmp_path / "out")
    for file in (out / "boards" / "cases").iterdir():
        assert re.fullmatch(r"sealed: \|\n(  [\w+/=]+\n)+", file.read_text("utf-8"), re.ASCII), file.name
    assert not any((out / "boards" / name).exists() for name in ("reference_traces", "misconceptions"))
    (out / "lab.py").write_text(model.replace("if alpha >= beta:", "if alpha > beta:"), "utf-8")
    done = subprocess.run([sys.executable, "-m", "grader", "test"], cwd=out, capture_output=True, text=True)
    assert "evaluations too many" not in done.stdout
    assert ("MAX root" in done.stdout) is kept
    assert f"{status.upper()}  alphabeta/" in done.stdout
    words = [sys.executable, "-m", "pytest", "tests", "-q", "-k", "equal-bounds"]
    shows = subprocess.run(words, cwd=out, capture_output=True, text=True).stdout
    assert ("evaluations too many" in shows, "MAX root" in shows) == (False, kept)
    assert status in shows
    results = json.loads((out / "build" / "results.json").read_text("utf-8"))
    wrong = [case for case in results["cases"] if case["status"] == status]
    assert wrong
    assert not any(case["table"] or case["message"] for case in wrong)


@pytest.mark.parametrize("feedback", ["place", "verdict"])
def test_no_file_tells_what_is_expected(feedback: str, bank: Bank) -> None:
    """Neither as it is written in the cases, nor as JSON or Python would write it."""
    sealed = release_tree(dataclasses.replace(read_course(COURSE), feedback=feedback, hidden_share=Fraction(0)))
    told = "\n".join("".join(data.decode("utf-8", "replace").split()) for data in sealed.values())
    searched = 0
    for name in (
        "alphabeta/maximizer-first",
        "solve/tic-tac-toe",
        "minimax/tic-tac-toe",
        "player/tic-tac-toe",
        "zeroby/twenty",
    ):
        for case in [case for case in bank.cases if case.id.startswith(name)]:
            for call in case.calls:
                facts = {key: fact for key, fact in call.expect.items() if key != "unpruned"}
                plain = ",".join(f"{key}:{fact}" for key, fact in facts.items())
                for written in (plain, json.dumps(facts)[1:-1], repr(facts)[1:-1]):
                    assert "".join(written.split()) not in told, (case.id, written)
                    searched += 1
    assert searched > 20
    full = release_tree(dataclasses.replace(read_course(COURSE), feedback="full", hidden_share=Fraction(0)))
    assert b"{path: [1, 0], score: 4, evaluations: 10, unpruned: 16}" in full["boards/cases/2d-alphabeta.yaml"]
    for name, data in sealed.items():
        assert b"expect:" not in data or name.startswith(("README", "grader/", "boards/cases.py")), name
