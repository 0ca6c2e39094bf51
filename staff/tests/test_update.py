"""`make update` in a student's copy: the kit of the newest tag, and lab.py as it was."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.commands import update
from grader.release import RELEASE, Checkout, Release, digest, look_at, read_release
from staff.release.tree import Tree
from staff.tests.support.releases import SAFE, checkout, git, publish, release

LAB = "# my own work\n"
REFEREE = "api/referee.py"


def listed(tree: Tree, **changes: object) -> Tree:
    """A release with some facts of its release.json changed."""
    facts = json.loads(tree[RELEASE])
    return tree | {RELEASE: json.dumps(facts | changes).encode()}


def with_file(tree: Tree, name: str, data: bytes | None) -> Tree:
    """A release with one file more or, where there is no data, one file less."""
    changed = {other: content for other, content in tree.items() if other != name}
    if data is not None:
        changed[name] = data
    facts = json.loads(tree[RELEASE])
    facts["files"].pop(name, None)
    if data is not None:
        facts["files"][name] = hashlib.sha256(data).hexdigest()
    return listed(changed, files=facts["files"])


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Releases 1.9.0 and 1.10.0; the newer one has a file more, a file less, and another referee."""
    folder = tmp_path_factory.mktemp("releases") / "games-lab"
    publish(folder, release("1.9.0", folder), "v1.9.0")
    newer = with_file(release("1.10.0", folder), "boards/new.yaml", b"new: true\n")
    newer = with_file(newer, "tests/test_part3.py", None)
    newer = with_file(newer, REFEREE, b"# a better referee\n")
    publish(folder, newer, "v1.10.0")
    for tag in ("v0.9.0", "v2.0.0-rc1", "v3", "vnext"):
        publish(folder, {}, tag)
    return folder


@pytest.fixture
def repository(published: Path, tmp_path: Path) -> Path:
    """A repository with these, for one test."""
    return Path(shutil.copytree(published, tmp_path / "games-lab"))


@pytest.fixture
def kit(repository: Path, tmp_path: Path) -> Path:
    """A student's copy of 1.9.0."""
    return checkout(tmp_path / "student", release("1.9.0", repository), LAB)


def typed(kit: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    """What a student sees who types a command in a copy of the kit."""
    words = command or ("make", "--no-print-directory", "update", f"VENV={sys.prefix}")
    return subprocess.run(words, cwd=kit, capture_output=True, text=True, env=SAFE)


def test_the_newest_version_comes_and_lab_py_stays(kit: Path) -> None:
    done = typed(kit)
    assert (done.returncode, done.stderr) == (0, "")
    brought, last = done.stdout.splitlines()
    assert re.fullmatch(r"Updated from 1\.9\.0 to 1\.10\.0: \d files brought, 1 removed\.", brought)
    assert last == "Your lab.py is as it was. Commit the rest: git add -A, then git commit."
    assert (kit / "lab.py").read_text() == LAB
    assert (kit / "boards" / "new.yaml").read_bytes() == b"new: true\n"
    assert not (kit / "tests" / "test_part3.py").exists()
    new = read_release(kit)
    assert new.version == "1.10.0"
    assert look_at(kit, new).edited == ()
    assert not list(kit.rglob("*.new"))
    assert not (kit / "build").exists()


def test_again_is_nothing_to_do(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    update.main([], kit / "lab.py", kit)
    assert update.main([], kit / "lab.py", kit) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Version 1.10.0 is the newest there is."


def test_what_the_student_had_changed_is_kept(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (kit / REFEREE).write_text("mine\n")
    (kit / "tests" / "test_part3.py").write_text("mine too\n")
    (kit / "boards" / "new.yaml").write_text("and mine\n")
    (kit / "my-notes.txt").write_text("notes\n")
    assert update.main([], kit / "lab.py", kit) == 0
    told = capsys.readouterr().out
    mine = {REFEREE: "mine\n", "tests/test_part3.py": "mine too\n", "boards/new.yaml": "and mine\n"}
    for name, text in mine.items():
        assert (kit / "build" / "before-1.10.0" / name).read_text() == text
        assert f"You had changed {name}; your version is now build/before-1.10.0/{name}." in told
    assert not (kit / "tests" / "test_part3.py").exists()
    assert (kit / REFEREE).read_text() == "# a better referee\n"
    assert (kit / "my-notes.txt").read_text() == "notes\n"


def test_a_new_stub_is_laid_beside(repository: Path, kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    publish(repository, new_stub(repository, "1.11.0"), "v1.11.0")
    assert update.main([], kit / "lab.py", kit) == 0
    told = "The lab.py that is handed out has changed: compare yours with build/lab-1.11.0.py."
    assert told in capsys.readouterr().out
    assert (kit / "build" / "lab-1.11.0.py").read_bytes() == b"# another stub\n"
    assert (kit / "lab.py").read_text() == LAB


def new_stub(repository: Path, version: str) -> Tree:
    """A release that hands out another lab.py."""
    tree = release(version, repository)
    stub = b"# another stub\n"
    return listed(tree | {"lab.py": stub}, stub=hashlib.sha256(stub).hexdigest())


def test_an_interrupted_update_can_be_typed_again(
    kit: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (kit / REFEREE).write_text("mine\n")
    replace, count = os.replace, iter(range(100))

    def interrupted(source: Path, target: Path) -> None:
        if next(count) == 2:
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        update.main([], kit / "lab.py", kit)
    assert read_release(kit).version == "1.9.0"
    monkeypatch.setattr(os, "replace", replace)
    assert update.main([], kit / "lab.py", kit) == 0
    assert look_at(kit, read_release(kit)).edited == ()
    assert (kit / "build" / "before-1.10.0" / REFEREE).read_text() == "mine\n"


@pytest.mark.parametrize(
    "name",
    ["lab.py", "LAB.PY", "../outside", "/etc/outside", ".git/hooks/x", "api/../../x", "a\\..\\b", "c:x", "build/x", ""],
)
def test_a_path_that_is_no_kit_file_is_refused(
    name: str, repository: Path, kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = release("1.11.0", repository)
    facts = json.loads(tree[RELEASE])
    publish(repository, listed(tree, files=facts["files"] | {name: facts["stub"]}), "v1.11.0")
    before = {file: file.read_bytes() for file in kit.rglob("*") if file.is_file()}
    assert update.main([], kit / "lab.py", kit) == 2
    assert "v1.11.0 is broken at" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in kit.rglob("*") if file.is_file()} == before


def test_a_release_that_does_not_hold_what_it_lists(
    repository: Path, kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(repository, release("1.11.0", repository) | {"api/game.py": b"spoiled"}, "v1.11.0")
    assert update.main([], kit / "lab.py", kit) == 2
    assert "v1.11.0 is broken at api/game.py; nothing was changed" in capsys.readouterr().err
    publish(repository, release("1.11.0", repository), "v1.12.0")
    assert update.main([], kit / "lab.py", kit) == 2
    assert "v1.12.0 of file://" in capsys.readouterr().err
    link = repository / "api" / "game.py"
    link.unlink()
    link.symlink_to("board.py")
    git(repository, "commit", "--quiet", "--all", "--message", "link")
    git(repository, "tag", "--force", "v1.12.0")
    assert update.main([], kit / "lab.py", kit) == 2


def test_a_folder_or_link_in_the_way(kit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (kit / "boards" / "new.yaml").mkdir()
    assert update.main([], kit / "lab.py", kit) == 2
    assert "boards/new.yaml is a folder or a link here" in capsys.readouterr().err
    (kit / "boards" / "new.yaml").rmdir()
    (kit / "boards" / "new.yaml").symlink_to(tmp_path / "elsewhere")
    assert update.main([], kit / "lab.py", kit) == 2
    assert not (tmp_path / "elsewhere").exists()


def test_nothing_in_the_own_list_removes_what_is_no_kit_file(kit: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("precious")
    facts = json.loads((kit / RELEASE).read_text(encoding="utf-8"))
    gone = {"../outside.txt": digest(outside), "lab.py": digest(kit / "lab.py")}
    (kit / RELEASE).write_text(json.dumps(facts | {"files": facts["files"] | gone}), encoding="utf-8")
    assert update.main([], kit / "lab.py", kit) == 0
    assert outside.exists()
    assert (kit / "lab.py").read_text() == LAB


def test_a_garbled_release_file_is_written_anew(kit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (kit / RELEASE).read_text(encoding="utf-8")
    (kit / RELEASE).write_text(f"<<<<<<< HEAD\n{text}", encoding="utf-8")
    assert update.main([], kit / "lab.py", kit) == 0
    assert "Updated from an unknown version to 1.10.0" in capsys.readouterr().out
    assert read_release(kit).version == "1.10.0"


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        ("master", "this is a master copy, and only a release can be updated"),
        ("nowhere", "names no repository"),
        ("gone", "the release repository cannot be read; is there a network? git says: fatal:"),
        ("no tags", "has no release yet (no tag such as v1.2.0)"),
    ],
)
def test_one_line_where_it_cannot_be(spoil: str, sentence: str, kit: Path, tmp_path: Path) -> None:
    facts = json.loads((kit / RELEASE).read_text(encoding="utf-8"))
    empty = tmp_path / "empty"
    publish(empty, {"README.md": b""}, "vnext")
    address = {"nowhere": "", "gone": (tmp_path / "gone").as_uri(), "no tags": empty.as_uri()}.get(spoil, "")
    (kit / RELEASE).write_text(json.dumps(facts | {"repository": address}), encoding="utf-8")
    if spoil == "master":
        (kit / RELEASE).unlink()
    done = typed(kit, sys.executable, "-m", "grader", "update")
    assert done.returncode == 2
    assert done.stdout == ""
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_git(kit: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", str(kit))
    assert update.main([], kit / "lab.py", kit) == 2
    assert capsys.readouterr().err == "git is not installed, and an update needs it: https://git-scm.com\n"


@pytest.mark.parametrize("text", ["[]", '{"files": []}', '{"files": {"x": 1}}', '{"version": 3}', "[" * 100_000, "{"])
def test_a_hostile_release_file_is_looked_at_without_harm(text: str, tmp_path: Path) -> None:
    (tmp_path / "grader").mkdir()
    (tmp_path / RELEASE).write_text(text)
    assert look_at(tmp_path, Release(version="1.0.0")) == Checkout("unknown", (RELEASE,))


def test_a_newer_release_may_know_more_facts(tmp_path: Path) -> None:
    (tmp_path / "grader").mkdir()
    (tmp_path / RELEASE).write_text('{"version": "2.0.0", "late_rule": "none"}')
    assert read_release(tmp_path) == Release(version="2.0.0")
