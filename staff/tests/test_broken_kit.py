"""A kit that is not whole, a folder with more in it than lab.py, streams that are closed: one line, and no more."""

import errno
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from boards.reading import BadFile, read_yaml
from grader import cli
from grader.commands import update
from grader.grading.source import read_lab, what_ails
from grader.release import RELEASE, Release, digest, look_at, read_release
from staff.release.tree import Tree
from staff.tests.conftest import KIT
from staff.tests.support.releases import SAFE, checkout, publish, release

HIDING = ("random", "json", "types", "signal", "yaml", "pytest", "functools", "re", "api", "grader", "boards", "lab2")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one release."""
    folder = tmp_path_factory.mktemp("course") / "games-lab"
    publish(folder, release("1.2.0", folder), "v1.2.0")
    return folder


@pytest.fixture
def kit(repository: Path, tmp_path: Path, model: str) -> Path:
    """A student's copy of it."""
    return checkout(tmp_path / "student", release("1.2.0", repository), model)


def typed(kit: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "grader", *words], cwd=kit, capture_output=True, text=True, env=SAFE)


DAMAGE = {
    "api/nim.py": None,
    "api/__init__.py": None,
    "api/board.py": b"def (\n",
    "api/game.py": b"\x00\x01\xff",
    "api/trees.py": b"x = 1\n",
    "boards/boards.yaml": b"a: [\n",
    "boards/trees.yaml": b"\xff\xfe",
    "boards/cases/2a-dfs.yaml": None,
    "boards/points.yaml": b"",
    "boards/reading.py": b"raise ZeroDivisionError\n",
    "grader/grading/judge.py": None,
    "grader/sandbox/opening.py": b"<<<<<<< HEAD\n",
    "grader/grading/sheet.py": b"",
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file_is_named_and_comes_back(name: str, kit: Path) -> None:
    spoil(kit / name, DAMAGE[name])
    done = typed(kit, "test", "--k", "no-such-case")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert name in done.stderr
    assert f"python grader update, or git checkout -- {name}, brings it back" in done.stderr
    again = typed(kit, "update")
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.startswith(f"Version 1.2.0 is the newest there is; 1 file brought back: {name}.\n")
    assert look_at(kit, read_release(kit)).edited == ()
    assert typed(kit, "update").stdout == "Version 1.2.0 is the newest there is.\n"


def test_what_lab_py_breaks_is_no_damage_of_the_kit(kit: Path) -> None:
    """Once it is imported, nothing of the kit can be."""
    with (kit / "lab.py").open("a", encoding="utf-8") as lab:
        lab.write("\n\nimport textwrap\n\ntextwrap.wrap = None\n")
    done = typed(kit, "play", "nim", "--minnie", "minimax:1", "--maxie", "minimax:1")
    assert "TypeError: 'NoneType' object is not callable" in done.stderr
    assert "not whole" not in done.stderr and "git checkout" not in done.stderr


@pytest.mark.parametrize("kept", ['{"total": 1, "parts": 3}', '{"x": 1}'])
def test_a_spoilt_file_in_pycache_is_named(kept: str, kit: Path) -> None:
    """Where it says that it was made of the file that is there."""
    points = kit / "boards" / "points.yaml"
    (points.parent / "__pycache__").mkdir()
    of_text = importlib.util.source_hash(points.read_bytes()).hex()
    (points.parent / "__pycache__" / "points.json").write_text(f"{of_text}\n{kept}", "utf-8")
    done = typed(kit, "test", "--k", "no-such-case")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "boards/points.yaml:1: this is not as it was handed out" in done.stderr
    assert "delete __pycache__ beside it" in done.stderr


def test_a_folder_named_like_the_staffs_is_just_a_folder(kit: Path) -> None:
    (kit / "staff").mkdir()
    done = typed(kit, "test", "--k", "no-such-case")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("no case fits")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such pipes there")
@pytest.mark.parametrize("name", ["points.yaml", "__pycache__/points.json"])
def test_nobody_waits_for_a_pipe_in_the_place_of_a_file(name: str, tmp_path: Path) -> None:
    points = tmp_path / "points.yaml"
    points.write_text("total: 3", "utf-8")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    if name == points.name:
        with pytest.raises(BadFile, match="no ordinary file"):
            read_yaml(points)
    else:
        assert read_yaml(points) == {"total": 3}


def spoil(file: Path, data: bytes | None) -> None:
    file.unlink() if data is None else file.write_bytes(data)


@pytest.mark.parametrize(
    "name", ["cli.py", "damage.py", "finder.py", "kit.py", "protocol/words.py", "release.py", "commands/update.py"]
)
@pytest.mark.parametrize("data", [None, b"def (\n"])
def test_what_an_update_needs_comes_back_with_git(name: str, data: bytes | None, kit: Path) -> None:
    spoil(kit / "grader" / name, data)
    done = typed(kit, "update")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert Path(name).stem in done.stderr
    assert "git checkout -- grader" in done.stderr
    assert "grader update" not in done.stderr


def test_a_master_copy_is_brought_back_with_git(kit: Path) -> None:
    (kit / RELEASE).unlink()
    (kit / "api" / "nim.py").unlink()
    done = typed(kit, "test")
    assert done.returncode == 2
    assert done.stderr == "api/nim.py is missing, and belongs to the kit; git checkout -- api/nim.py, brings it back\n"


def test_in_a_master_copy_what_is_there_is_not_checked_out(kit: Path) -> None:
    (kit / RELEASE).unlink()
    nim = kit / "api" / "nim.py"
    nim.write_text(nim.read_text("utf-8") + "from api.game import Gaem\n", "utf-8")
    done = typed(kit, "test")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "Gaem" in done.stderr and "api/game.py" in done.stderr and "checkout" not in done.stderr


@pytest.mark.parametrize("file", ["grader/kit.py", "staff/course.py"])
def test_edits_in_a_master_copy_are_not_thrown_away(file: str, kit: Path) -> None:
    """What cannot be imported is named, with the file that wants it; nobody is told to check anything out."""
    (kit / "staff").mkdir()
    (kit / "staff" / "__init__.py").touch()
    (kit / "staff" / "verbs.py").write_text('VERBS = {"course": ("staff.course", "")}\n')
    (kit / file).write_text("\nimport no_such_thing\n")
    done = typed(kit, "course")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{Path(file)}, line 2: No module named 'no_such_thing'\n"


def test_what_keeps_the_process_for_lab_py_from_starting_is_named(kit: Path) -> None:
    stray = kit / "grader" / "kinds" / "mine" / "worker.py"
    stray.parent.mkdir()
    stray.write_text("import no_such_thing\n")
    said = " ".join(typed(kit, "test", "--k", "dfs/two").stdout.split())
    assert "started: grader/kinds/mine/worker.py, line 1: ModuleNotFoundError: No module named 'no_such_thing'" in said


def test_a_changed_file_is_named_in_a_run_of_some_cases_too(kit: Path) -> None:
    file = kit / "boards" / "heuristics.py"
    file.write_text(file.read_text("utf-8") + "# mine\n", "utf-8")
    done = typed(kit, "test", "--k", "dfs/")
    assert done.returncode == 0
    lines = " ".join(done.stdout.split())
    assert "Changed here, and of no effect on the grade: boards/heuristics.py." in lines
    assert "To bring back what was: python grader update" in lines


@pytest.mark.parametrize("way", [["grader"], ["-P", "grader"], ["-m", "grader"]])
def test_files_with_the_names_of_libraries_are_named_and_not_imported(way: list[str], kit: Path) -> None:
    for name in HIDING:
        if way != ["-m", "grader"] or name not in ("types", "functools"):  # Python itself needs these to look for -m
            (kit / f"{name}.py").write_text("raise SystemExit('imported')\n")
    words = [sys.executable, *way, "test", "--k", "zeroby/one"]
    done = subprocess.run(words, cwd=kit, capture_output=True, text=True, env=SAFE)
    assert (done.returncode, done.stderr) == (0, "")
    lines = " ".join(done.stdout.split())
    assert "random.py, beside lab.py, hides the module random from `python lab.py`: give it another name." in lines
    assert "yaml.py, beside lab.py," in lines
    assert "lab2.py" not in lines
    for verb in (["run", "zero_by", "3", "1"], ["update"]):
        done = subprocess.run([*words[:-3], *verb], cwd=kit, capture_output=True, text=True, env=SAFE)
        assert (done.returncode, done.stderr) == (0, "")


def test_no_file_beside_the_door_has_the_name_of_a_library() -> None:
    """`python grader` looks into grader/ first."""
    assert not {entry.stem for entry in (KIT / "grader").iterdir()} & sys.stdlib_module_names


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such shell there")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams(closed: str, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(model, encoding="utf-8")
    command = f'LAB="{lab}" "{sys.executable}" grader test --k dfs/two-by-two {closed}'
    done = subprocess.run(command, shell=True, cwd=KIT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    run = command.replace("test --k dfs/two-by-two", "run zero_by 3 1")
    assert subprocess.run(run, shell=True, cwd=KIT).returncode == 0


def test_a_list_of_requirements_that_is_gone(tmp_path: Path) -> None:
    words = [sys.executable, str(KIT / "grader" / "environment.py"), str(tmp_path / "env"), "no-requirements.txt"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == (
        "no-requirements.txt is missing, and belongs to the kit: git checkout -- no-requirements.txt\n"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device here")
def test_no_room_for_the_report(model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(model, encoding="utf-8")
    command = f'LAB="{lab}" "{sys.executable}" grader test --k dfs/two-by-two >/dev/full'
    done = subprocess.run(command, shell=True, cwd=KIT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "[Errno 28] No space left on device\n")


def test_a_score_sheet_that_cannot_be_written(kit: Path) -> None:
    """The verdict is read all the same; a folder in which nobody may write says so in the same way."""
    (kit / "build").write_text("no folder", encoding="utf-8")
    done = typed(kit, "test")
    assert (done.returncode, done.stderr) == (2, f"File exists: {str(kit / 'build')!r}\n")
    assert "points: everything passes." in done.stdout


@pytest.mark.parametrize(
    "facts",
    [
        '{"version": "1.2.0", "files": {"%s": "x"}}' % ("a/" * 3_000),
        '{"version": "1.2.0", "files": {"%s": "x"}}' % ("a" * 900),
        '{"version": "1.2.0", "files": {"\\u0000": "x"}}',
        '{"version": "1.2.0", "files": {"\\ud800": "x"}}',
        '{"version": "%s"}' % ("9" * 100_000),
        '{"version": "1.2.0", "course": %s}' % ("9" * 100_000),
        '{"version": "%s"}' % ("9" * 3_000_000),
        '{"version": "1.\\u001b[31m2"}',
        '{"version": "1.\\u202e2"}',
    ],
)
def test_a_release_file_of_any_kind_is_looked_at(facts: str, tmp_path: Path) -> None:
    (tmp_path / "grader").mkdir()
    (tmp_path / RELEASE).write_text(facts)
    found = look_at(tmp_path, Release(version="2.0.0"))
    assert found.version.isprintable() and len(found.version) < 1_000
    assert all(name.isprintable() for name in found.edited)


def test_a_file_that_is_too_large_is_not_ours(tmp_path: Path) -> None:
    with (tmp_path / "big").open("wb") as stream:
        stream.truncate(1 << 33)
    assert digest(tmp_path / "big") == ""


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("target", ["/proc/self/mem", "/proc/self/clear_refs", "/proc/kmsg", "/dev/zero", "a"])
def test_a_link_to_what_nobody_can_read_is_not_ours(target: str, tmp_path: Path) -> None:
    (tmp_path / "grader").mkdir()
    (tmp_path / RELEASE).write_text('{"version": "1.2.0", "files": {"a": "?"}}')
    (tmp_path / "a").symlink_to(target)
    assert "a" in look_at(tmp_path, Release(version="2.0.0")).edited
    (tmp_path / RELEASE).unlink()
    (tmp_path / RELEASE).symlink_to(target)
    assert look_at(tmp_path, Release(version="2.0.0")).edited in ((), (RELEASE,))


def test_a_version_does_not_paint_the_terminal(
    repository: Path, kit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree: Tree = release("1.2.0", repository)
    painted = tree | {RELEASE: tree[RELEASE].replace(b'"1.2.0"', b'"1.2.0\\u001b[31m"')}
    evil = tmp_path / "evil"
    publish(evil, painted, "v1.3.0")
    (kit / RELEASE).write_bytes(tree[RELEASE].replace(repository.as_uri().encode(), evil.as_uri().encode()))
    assert update.main([], kit / "lab.py", kit) == 2
    assert capsys.readouterr().err.rstrip("\n").isprintable()
    (kit / RELEASE).write_bytes(painted[RELEASE])
    assert update.main([], kit / "lab.py", kit) == 0
    assert capsys.readouterr().out.replace("\n", "").isprintable()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
@pytest.mark.parametrize("verb", [["test"], ["run", "zero_by", "3", "1"], ["play"]])
def test_a_link_is_not_graded(verb: list[str], kit: Path, tmp_path: Path) -> None:
    (kit / "lab.py").rename(tmp_path / "mine.py")
    (kit / "lab.py").symlink_to(tmp_path / "mine.py")
    done = typed(kit, *verb)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("lab.py is a link, and no link is graded; put the file that it leads to in its place\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no file there has such a name")
def test_a_folder_does_not_paint_the_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "\x1b[31m\u202e\n"
    folder.mkdir()
    for _ in range(2):
        with pytest.raises(OSError, match=r"x1b\[31m\\u202e\\n/lab.py is (not there|larger)") as raised:
            read_lab(folder / "lab.py")
        assert str(raised.value).isprintable()
        (folder / "lab.py").write_bytes(bytes(1 << 21))


def test_a_file_that_nobody_may_write_does_not_paint_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(words: list[str]) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", "/\x1b[31m/build/results.json")

    monkeypatch.setattr(cli, "main", refuse)
    assert cli.enter(["test"]) == 2
    assert capsys.readouterr().err == "Permission denied: '/\\x1b[31m/build/results.json'\n"


FILES = {
    "It is saved in UTF-16": "x = 1\n".encode("utf-16"),
    "Line 2 holds a character that is not in UTF-8": "x = 1\ny = 'é'\n".encode("latin-1"),
    "Line 2 holds a null character": b"x = 1\n" + b"y = 1" * 30 + b" # \0\n",
    "Line 3 holds a character that is not in utf-8": "# coding: utf-8\nx = 1\ny = 'é'\n".encode("latin-1"),
    "Python cannot read the encoding nonsense, named at its top": b"# -*- coding: nonsense -*-\nx = 1\n",
    "A merge conflict stands in line 2": b"x = 1\n<<<<<<< HEAD\nx = 2\n=======\nx = 3\n>>>>>>> main\n",
}


@pytest.mark.parametrize("said", FILES)
def test_a_file_that_python_cannot_read(said: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_bytes(FILES[said])
    for verb in (["test", "--k", "dfs/two-by-two"], ["run", "zero_by", "3", "1"]):
        done = subprocess.run(
            [sys.executable, "grader", *verb], cwd=KIT, capture_output=True, text=True, env=SAFE | {"LAB": str(lab)}
        )
        assert done.returncode == 1
        assert f"lab.py cannot be imported. {said}" in " ".join(f"{done.stdout}{done.stderr}".split())


def test_a_null_character_makes_no_utf_16() -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        assert what_ails("answer = 'é'\n".encode(encoding)).startswith("It is saved in UTF-16")
    for source in (b"x = 1\0\n", b"\0" * 200, b"\0x = 1"):
        assert what_ails(source).startswith("Line 1 holds a null character")


def test_an_encoding_that_takes_minutes_is_not_tried() -> None:
    for encoding in (b"punycode", b"idna", b"Punycode"):
        assert what_ails(b"# coding: " + encoding + b"\n.xn--!") == ""


def test_a_file_in_another_encoding_that_says_so_is_right(tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_bytes("# -*- coding: latin-1 -*-\nANSWER_1 = 'é'\n".encode("latin-1"))
    done = subprocess.run(
        [sys.executable, "grader", "test", "--k", "answer_1"],
        cwd=KIT, capture_output=True, text=True, env=SAFE | {"LAB": str(lab)},
    )  # fmt: skip
    assert "cannot be imported" not in done.stdout
    assert what_ails(b"x = 1\n") == ""
    assert what_ails(b"#!/usr/bin/python\n# coding=latin-1\ny = '\xe9'\nbroken(\n") == ""
