"""`make update` in a student's copy: the kit of the newest tag, and lab.py as it
was.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.release import RELEASE, Release, read_release
from staff.release.tree import Tree
from staff.tests.support.releases import SAFE, checkout, git, publish, release
from staff.tests.support.typed import refusal

LAB = "# my own work\n"
REFEREE = "api/referee.py"  # another one in the newer release
NEW = "boards/new.yaml"  # only in the newer release
GONE = "tests/test_part3.py"  # only in the older release
NOT_OF_THE_KIT = {".git", "__pycache__"}


def newer(repository: Path) -> Tree:
    """Release 1.10.0: it has a file more, a file less, and another referee."""
    tree = release("1.10.0", repository) | {
        "lab.py": b"# another stub\n",
        NEW: b"new: true\n",
        REFEREE: b"# a better referee\n",
    }
    del tree[GONE]
    names = [name for name in tree if name not in ("lab.py", RELEASE)]
    facts = json.loads(tree[RELEASE]) | {"names": names}
    return tree | {RELEASE: json.dumps(facts).encode()}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with releases 1.9.0 and 1.10.0, and tags that are no releases."""
    folder = tmp_path_factory.mktemp("releases") / "games-lab"
    publish(folder, release("1.9.0", folder), "v1.9.0")
    publish(folder, newer(folder), "v1.10.0")
    for tag in ("v0.9.0", "v2.0.0-rc1", "v3", "vnext"):
        publish(folder, {}, tag)
    return folder


@pytest.fixture
def kit(published: Path, tmp_path: Path) -> Path:
    """A student's copy of 1.9.0, in a repository of the student's own."""
    folder = checkout(tmp_path / "student", release("1.9.0", published), LAB)
    git(folder, "init", "--quiet")
    commit(folder)
    return folder


def commit(folder: Path) -> None:
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--message", "mine")


def update(
    kit: Path, *command: str, **environment: str
) -> "subprocess.CompletedProcess[str]":
    words = command or (sys.executable, "grader", "update")
    return subprocess.run(
        words, cwd=kit, capture_output=True, text=True, env=SAFE | environment
    )


def contents(kit: Path) -> dict[Path, bytes]:
    return {
        file: file.read_bytes()
        for file in kit.rglob("*")
        if file.is_file() and not NOT_OF_THE_KIT & {*file.parts}
    }


def test_make_update_says_what_it_has_done(kit: Path) -> None:
    done = update(kit, "make", "--no-print-directory", "update", f"VENV={sys.prefix}")
    assert (done.returncode, done.stderr) == (0, "")
    says = "Updated from 1.9.0 to 1.10.0. Your lab.py is as it was.\n"
    assert done.stdout.startswith(says)


def test_the_newest_version_comes_and_the_students_files_stay(kit: Path) -> None:
    (kit / "notes.txt").write_text("mine")
    assert update(kit).returncode == 0
    assert read_release(kit).version == "1.10.0"
    assert (kit / NEW).read_bytes() == b"new: true\n"
    assert (kit / REFEREE).read_bytes() == b"# a better referee\n"
    assert not (kit / GONE).exists()
    assert (kit / "lab.py").read_text() == LAB
    assert (kit / "notes.txt").read_text() == "mine"


def test_whoever_has_the_newest_version_is_told_so(kit: Path) -> None:
    update(kit)
    again = update(kit)
    assert again.returncode == 0
    assert again.stdout == "You have the newest version, 1.10.0.\n"


@pytest.mark.parametrize("name", [REFEREE, GONE, NEW])
def test_what_is_not_committed_is_not_overwritten(name: str, kit: Path) -> None:
    (kit / name).write_text("mine\n")
    before = contents(kit)
    says = f"{name} has changes that git does not know, and would be overwritten: commit it"
    assert refusal(update(kit)).startswith(says)
    assert contents(kit) == before


def test_what_is_committed_may_be_overwritten(kit: Path) -> None:
    (kit / REFEREE).write_text("mine\n")
    commit(kit)
    assert update(kit).returncode == 0
    assert (kit / REFEREE).read_bytes() == b"# a better referee\n"
    assert (kit / "lab.py").read_text() == LAB


# --- what can be in the way ----------------------------------------------------------


def name_repository(kit: Path, repository: Path) -> None:
    """Let the releases of a student's copy be in this repository."""
    file = kit / RELEASE
    facts = json.loads(file.read_text("utf-8")) | {"repository": repository.as_uri()}
    file.write_text(json.dumps(facts), "utf-8")


def take_the_release_away(kit: Path) -> None:
    (kit / RELEASE).unlink()


def take_the_repository_away(kit: Path) -> None:
    name_repository(kit, kit.with_name("gone"))


def take_the_tags_away(kit: Path) -> None:
    empty = kit.with_name("empty")
    publish(empty, {"README.md": b""}, "vnext")
    name_repository(kit, empty)


def leave_a_conflict(kit: Path) -> None:
    text = (kit / RELEASE).read_text("utf-8")
    (kit / RELEASE).write_text(f"<<<<<<< HEAD\n{text}", "utf-8")


def forget_git(kit: Path) -> None:
    shutil.rmtree(kit / ".git")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (take_the_release_away, "this is the master copy; python grader update is for a student's copy"),
        (take_the_repository_away, "git ls-remote does not work here: fatal: "),
        (take_the_tags_away, "has no release yet (no tag such as v1.2.0)"),
        (leave_a_conflict, "grader/release.json cannot be read (JSONDecodeError): git checkout -- grader"),
        (forget_git, "git status does not work here: fatal: not a git repository"),
    ],
)  # fmt: skip
def test_one_line_says_why_it_cannot_be(
    spoil: Callable[[Path], None], says: str, kit: Path
) -> None:
    spoil(kit)
    assert says in refusal(update(kit))


def test_one_line_says_that_there_is_no_git(kit: Path) -> None:
    assert "No such file or directory: 'git'" in refusal(update(kit, PATH=str(kit)))


def test_a_newer_release_may_know_more_facts(tmp_path: Path) -> None:
    (tmp_path / "grader").mkdir()
    (tmp_path / RELEASE).write_text(
        '{"version": "2.0.0", "late_rule": "none", "names": ["x"]}'
    )
    assert read_release(tmp_path) == Release(version="2.0.0", names=("x",))
