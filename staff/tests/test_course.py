"""A course, driven from end to end: an instructor releases and corrects, a student
works and pushes.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from staff.tests.support.masters import (
    change,
    copy_master,
    decide,
    with_few_cases,
    write_release,
)
from staff.tests.support.releases import SAFE, git
from staff.tests.support.runner import run_job
from staff.wrong_labs import with_body

REPOSITORY = "https://github.com/your-course/games-lab"
SOLVED = "return any(len(chain) >= 4 for chain in board.get_all_chains()) or board.count_pieces() == 42"


class Desk:
    """A master copy, the release repository that it is pushed to, and the student's
    copy of that.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.master = copy_master(folder / "master")
        self.repository = folder / "games-lab.git"
        self.student = folder / "student"
        git(folder, "init", "--quiet", "--bare", str(self.repository))
        settings = f'[user]\nname = c\nemail = c@example.edu\n[url "{self.repository.as_uri()}"]\ninsteadOf = {REPOSITORY}\n'
        (folder / "gitconfig").write_text(settings)

    def type(self, line: str, where: Path) -> "subprocess.CompletedProcess[str]":
        """Type a line in a folder."""
        own = {"VENV": sys.prefix, "GIT_CONFIG_GLOBAL": str(self.folder / "gitconfig")}
        return subprocess.run(
            line,
            shell=True,
            cwd=where,
            env={**SAFE, **own},
            capture_output=True,
            text=True,
        )

    def typed(self, line: str, where: Path) -> str:
        """Type a line that succeeds; what it prints."""
        done = self.type(line, where)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def release(self) -> None:
        """Write a release, then type the first two of the three lines that `make
        release` ends with.
        """
        out = self.master / "build" / "release"
        for line in write_release(self.master, out)[-3:-1]:
            self.typed(line.partition(". ")[2], out)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk(tmp_path)
    monkeypatch.setitem(SAFE, "GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    return desk


def test_the_lines_of_the_readme_push_a_release(desk: Desk) -> None:
    write_release(desk.master, desk.master / "build" / "release")
    (block,) = re.findall(
        r"```bash\n(.*?)```", (desk.master / "README.md").read_text("utf-8"), re.DOTALL
    )
    desk.typed(f"set -e\n{block}", desk.master)
    pushed = desk.typed(f"git ls-remote --refs {REPOSITORY}", desk.folder)
    assert re.findall(r"refs/\S+", pushed) == ["refs/heads/main", "refs/tags/v1.0.0"]


@pytest.fixture
def old_copy(desk: Desk, model: str) -> Path:
    """The student's copy of the first release, in which one function is wrong."""
    desk.release()
    desk.typed(f"git clone --quiet --branch main {REPOSITORY} student", desk.folder)
    wrong = with_body("dfs_maximizing", "return [state], 0, 1", model)
    (desk.student / "lab.py").write_text(wrong, "utf-8")
    return desk.student


NEW_CASE = """
  - id: one-more
    says: The four branches once more.
    state: {tree: FOUR_BY_FOUR}
"""


@pytest.fixture
def corrected(desk: Desk, old_copy: Path) -> Desk:
    """The course after a release with other parts and points, and one case more."""
    decide(desk.master, parts="[0, 1, 2]", version="1.1.0")
    with_few_cases(desk.master)
    boards = desk.master / "boards"
    deepening = "progressive_deepening:\n        points: {}\n"
    change(boards / "points.yaml", deepening.format(6), deepening.format(10))
    dfs = "dfs_maximizing: {{points: {},"
    change(boards / "points.yaml", dfs.format(6), dfs.format(2))
    with (boards / "cases" / "2a-dfs.yaml").open("a", encoding="utf-8") as file:
        file.write(NEW_CASE)
    desk.typed("make expectations", desk.master)
    desk.release()
    return desk


def test_an_instructors_correction_reaches_an_old_copy(corrected: Desk) -> None:
    """It grades the next push, and an update brings it to the student."""
    run = run_job(corrected.student, corrected.folder / "temp")
    assert run.statuses == [0, 0, 0, 1]
    summary = run.summary.replace("\\", "")
    assert "## 78 of 80 points" in summary
    assert "You have kit 1.0.0, grades use 1.1.0: make update" in summary
    results = json.loads((run.kit / "build" / "results.json").read_text("utf-8"))
    assert [part["part"] for part in results["parts"]] == [0, 1, 2]
    statuses = {case["id"]: case["status"] for case in results["cases"]}
    assert statuses["dfs/one-more"] == "fail"

    lab = corrected.student / "lab.py"
    before = lab.read_bytes()
    corrected.typed("make update", corrected.student)
    assert lab.read_bytes() == before
    said = corrected.type("make test", corrected.student).stdout
    assert "78 of 80 points." in said
