"""`make update` in a student's copy: the kit of the newest tag, and lab.py as it
was.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.release import RELEASE, Release, read_release
from staff.release.tree import Tree
from staff.tests.support.releases import SAFE, checkout, git, publish, release

LAB = "# my own work\n"
REFEREE = "api/referee.py"
IGNORED = {".git", "__pycache__"}


def with_files(tree: Tree, **files: bytes | None) -> Tree:
    """A release with these files; those without data are gone."""
    changed = {name: data for name, data in (tree | files).items() if data is not None}
    facts = json.loads(tree[RELEASE]) | {
        "names": [name for name in changed if name not in ("lab.py", RELEASE)]
    }
    return changed | {RELEASE: json.dumps(facts).encode()}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Releases 1.9.0 and 1.10.0; the newer one has a file more, a file less, and
    another referee.
    """
    folder = tmp_path_factory.mktemp("releases") / "games-lab"
    publish(folder, release("1.9.0", folder), "v1.9.0")
    files = {
        "boards/new.yaml": b"new: true\n",
        "tests/test_part3.py": None,
        REFEREE: b"# a better referee\n",
    }
    publish(
        folder,
        with_files(
            release("1.10.0", folder), **files, **{"lab.py": b"# another stub\n"}
        ),
        "v1.10.0",
    )
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
        if file.is_file() and not IGNORED & {*file.parts}
    }


def test_the_newest_version_comes_and_lab_py_stays(kit: Path) -> None:
    (kit / "notes.txt").write_text("mine")
    done = update(kit, "make", "--no-print-directory", "update", f"VENV={sys.prefix}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        "Updated from 1.9.0 to 1.10.0. Your lab.py is as it was.\n"
    )
    assert (kit / "lab.py").read_text() == LAB and (
        kit / "notes.txt"
    ).read_text() == "mine"
    assert (kit / "boards" / "new.yaml").read_bytes() == b"new: true\n"
    assert (kit / REFEREE).read_bytes() == b"# a better referee\n"
    assert not (kit / "tests" / "test_part3.py").exists()
    assert read_release(kit).version == "1.10.0"
    again = update(kit)
    assert (again.returncode, again.stdout) == (
        0,
        "You have the newest version, 1.10.0.\n",
    )


@pytest.mark.parametrize("name", [REFEREE, "tests/test_part3.py", "boards/new.yaml"])
def test_what_is_not_committed_is_not_overwritten(name: str, kit: Path) -> None:
    (kit / name).write_text("mine\n")
    before = contents(kit)
    done = update(kit)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(
        f"{name} has changes that git does not know, and would be overwritten: commit it"
    )
    assert contents(kit) == before
    commit(kit)
    assert update(kit).returncode == 0 and (kit / "lab.py").read_text() == LAB


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        ("master", "this is the master copy; make update is for a student's copy"),
        ("gone", "git ls-remote does not work here: fatal: "),
        ("no tags", "has no release yet (no tag such as v1.2.0)"),
        (
            "garbled",
            "grader/release.json cannot be read (JSONDecodeError): git checkout -- grader",
        ),
        ("no repository", "git status does not work here: fatal: not a git repository"),
        ("no git", "No such file or directory: 'git'"),
    ],
)
def test_one_line_if_it_cannot_be(
    spoil: str, sentence: str, kit: Path, tmp_path: Path
) -> None:
    text, file = (kit / RELEASE).read_text(encoding="utf-8"), kit / RELEASE
    publish(tmp_path / "empty", {"README.md": b""}, "vnext")
    if spoil in ("gone", "no tags"):
        address = (tmp_path / ("gone" if spoil == "gone" else "empty")).as_uri()
        file.write_text(
            json.dumps(json.loads(text) | {"repository": address}), encoding="utf-8"
        )
    elif spoil == "master":
        file.unlink()
    elif spoil == "garbled":
        file.write_text(f"<<<<<<< HEAD\n{text}", encoding="utf-8")
    elif spoil == "no repository":
        shutil.rmtree(kit / ".git")
    done = update(kit, **({"PATH": str(kit)} if spoil == "no git" else {}))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert sentence.replace("make", "python grader") in done.stderr


def test_a_newer_release_may_know_more_facts(tmp_path: Path) -> None:
    (tmp_path / "grader").mkdir()
    (tmp_path / RELEASE).write_text(
        '{"version": "2.0.0", "late_rule": "none", "names": ["x"]}'
    )
    assert read_release(tmp_path) == Release(version="2.0.0", names=("x",))
