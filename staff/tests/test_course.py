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

    def release(self) -> None:
        """Write a release, then type the first two of the three lines that `make
        release` ends with.
        """
        out = self.master / "build" / "release"
        for line in write_release(self.master, out)[-3:-1]:
            done = self.type(line.partition(". ")[2], out)
            assert done.returncode == 0, done.stderr


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
    done = desk.type(f"set -e\n{block}", desk.master)
    assert done.returncode == 0, done.stderr
    pushed = desk.type(f"git ls-remote --refs {REPOSITORY}", desk.folder).stdout
    assert re.findall(r"refs/\S+", pushed) == ["refs/heads/main", "refs/tags/v1.0.0"]


def test_an_instructors_correction_reaches_an_old_copy(desk: Desk, model: str) -> None:
    desk.release()
    assert (
        desk.type(
            f"git clone --quiet --branch main {REPOSITORY} student", desk.folder
        ).returncode
        == 0
    )
    (desk.student / "lab.py").write_text(
        with_body("dfs_maximizing", "return [state], 0, 1", model), "utf-8"
    )

    decide(desk.master, parts="[0, 1, 2]", version="1.1.0")
    with_few_cases(desk.master)
    points = desk.master / "boards" / "points.yaml"
    change(points, "dfs_maximizing: {points: 6,", "dfs_maximizing: {points: 2,")
    change(
        points,
        "progressive_deepening:\n        points: 6\n",
        "progressive_deepening:\n        points: 10\n",
    )
    with (desk.master / "boards" / "cases" / "2a-dfs.yaml").open(
        "a", encoding="utf-8"
    ) as file:
        file.write(
            "\n  - id: one-more\n    says: The four branches once more.\n    state: {tree: FOUR_BY_FOUR}\n"
        )
    assert desk.type("make expectations", desk.master).returncode == 0
    desk.release()

    run = run_job(desk.student, desk.folder / "temp")
    assert run.statuses == [0, 0, 0, 1]
    assert "## 78 of 80 points" in run.summary
    assert (
        "You have kit 1\\.0\\.0\\, grades use 1\\.1\\.0\\: make update" in run.summary
    )
    results = json.loads((run.kit / "build" / "results.json").read_text("utf-8"))
    assert {
        case["status"] for case in results["cases"] if case["id"] == "dfs/one-more"
    } == {"fail"}
    assert [part["part"] for part in results["parts"]] == [0, 1, 2]

    before = (desk.student / "lab.py").read_bytes()
    updated = desk.type("make update", desk.student)
    assert updated.returncode == 0, updated.stderr
    assert (desk.student / "lab.py").read_bytes() == before
    assert "78 of 80 points." in desk.type("make test", desk.student).stdout
