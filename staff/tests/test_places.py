"""Where students work: set-ups that go wrong, consoles of all kinds, Windows' words, editors."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli import WITHOUT_WORDS, as_options, enter
from grader.cli import main as carry_out
from grader.refusal import MAKE_CMD, Refusal, as_typed
from grader.showing.style import Style
from staff.tests.conftest import KIT
from staff.wrong_labs import with_body

ODD = "\\u00e9 \\u0436 \\U0001f40d"
CONSOLES = {
    "cp437": {"PYTHONIOENCODING": "cp437"},
    "cp1252": {"PYTHONIOENCODING": "cp1252"},
    "C": {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
    "utf-8": {"PYTHONUTF8": "1"},
}


def set_up(folder: Path, *before: str) -> "subprocess.CompletedProcess[str]":
    """What environment.py says to a Python that has been spoiled."""
    script = KIT / "grader" / "environment.py"
    words = [str(script), str(folder / ".venv"), str(KIT / "requirements.txt")]
    run = f"import runpy, sys; sys.argv = {words!r}; runpy.run_path({str(script)!r}, None, '__main__')"
    return subprocess.run([sys.executable, "-c", "; ".join([*before, run])], capture_output=True, text=True)


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv(module: str, tmp_path: Path) -> None:
    done = set_up(tmp_path, f"import sys; sys.modules[{module!r}] = None")
    assert (done.returncode, done.stdout) == (2, "")
    assert "sudo apt install python3-venv" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / ".venv").exists()


def test_a_folder_with_a_colon(tmp_path: Path) -> None:
    done = set_up(tmp_path / "a:b")
    assert done.returncode == 2
    assert done.stderr.startswith("no environment could be made below a folder with ':' in its name: move the lab")
    assert done.stderr.count("\n") == 1


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / ".venv").write_text("")
    done = set_up(tmp_path)
    assert done.returncode == 2
    assert "no environment could be made in" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there are no links to Python there")
def test_an_environment_whose_python_is_gone_is_made_anew(tmp_path: Path) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    (tmp_path / ".venv" / "pyvenv.cfg").touch()
    for name in ("python", "python3"):
        python.with_name(name).symlink_to("/nowhere/python3")
    set_up(tmp_path, "import os; os.environ['PIP_NO_INDEX'] = '1'")
    assert subprocess.run([python, "-c", ""]).returncode == 0


@pytest.mark.parametrize("version", [(2, 7), (3, 10)])
def test_an_old_python(version: tuple[int, int], tmp_path: Path) -> None:
    done = set_up(tmp_path, f"import sys; sys.version_info = {version!r}")
    assert done.returncode == 2
    assert done.stderr.startswith(f"Python {version[0]}.{version[1]} is too old; the lab needs 3.11 or newer: make")
    assert done.stderr.count("\n") == 1


def typed(words: str, lab: Path, console: str) -> "subprocess.CompletedProcess[bytes]":
    """What a verb prints on such a console, in bytes."""
    keep = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "LC_", "LANG"))}
    environment = {**keep, **CONSOLES[console], "LAB": str(lab)}
    return subprocess.run(
        [sys.executable, "-m", "grader", *words.split()], cwd=KIT, capture_output=True, env=environment
    )


@pytest.mark.parametrize("console", CONSOLES)
def test_any_console_shows_any_text(console: str, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("dfs_maximizing", f'print("{ODD}")\nraise ValueError("{ODD}")', model), encoding="utf-8")
    done = typed("test --k dfs", lab, console)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.isascii()
    assert rb"ValueError: \xe9 \u0436 \U0001f40d" in done.stdout


@pytest.mark.parametrize("console", CONSOLES)
def test_any_console_runs_a_lab_that_prints(console: str, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(
        f'{model}\nprint("{ODD}")\n_solve = solve\ndef solve(game):\n    print("{ODD}")\n    return _solve(game)\n'
    )
    done = typed("run zero_by 3 1", lab, console)
    assert done.stdout.splitlines() == [b"3: WIN", b"2: LOSE", b"1: WIN", b"0: LOSE"]
    assert b"Error" not in done.stderr
    lab.write_text(f'raise ValueError("{ODD}")\n', encoding="utf-8")
    done = typed("run zero_by 3 1", lab, console)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_words_as_make_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert as_options(["test", "PART=2", "K=a=b", "V=", "V=1"]) == ["test", "--part=2", "--k=a=b", "--v"]
    assert as_options(["test", "V=0", "K=0", "PLAIN=0", "DEPTH=0"]) == ["test", "--k=0", "--depth=0"]
    assert as_options(["run", "ARGS=zero_by 10 1 2"]) == ["run", "zero_by", "10", "1", "2"]
    assert as_options(["test", 'ARGS=-x -k "dfs or solve"']) == ["test", "-x", "-k", "dfs or solve"]
    assert as_options(["release", "OUT=a b"]) == ["release", "--out=a b"]
    assert as_options(["run", "x=1", "=3"]) == ["run", "x=1", "=3"]
    monkeypatch.setenv("LAB", "lab.py")
    assert as_options(["test", "LAB=other.py"]) == ["test"]
    assert os.environ["LAB"] == "other.py"


@pytest.mark.parametrize("verb", WITHOUT_WORDS)
def test_words_are_not_passed_over(verb: str) -> None:
    with pytest.raises(Refusal, match=f"make {verb} takes no words, but got '--k=dfs'"):
        carry_out([verb, "K=dfs"])


def test_hints_below_make_cmd_are_those_of_make(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Style(colour=False, ascii_only=True).command(k="dfs") == "python grader test --k dfs"
    typed = "python grader trace takes a CASE=; python grader test V=1"
    assert as_typed("make trace takes a CASE=; make test V=1") == typed
    assert as_typed("make a move, make tests") == "make a move, make tests"
    monkeypatch.setenv(MAKE_CMD, "1")
    assert Style(colour=False, ascii_only=True).command(k="dfs") == as_typed("make test K=dfs") == "make test K=dfs"


@pytest.mark.parametrize(
    ("typed", "door"),
    [
        ([".venv/bin/python", "grader", "test"], ".venv/bin/python grader"),
        ([r".venv\Scripts\python", "-m", "grader", "test"], r".venv\Scripts\python -m grader"),
        (["python3", "grader", "trace"], "python3 grader"),
        (["python3", "-X", "utf8", "../kit/grader", "test"], "python grader"),
        (["/opt/pythons/3.12/bin/python", "-m", "grader", "test"], "python grader"),
        (["python", "-m", "pytest", "tests"], "python grader"),
    ],
)
def test_hints_are_in_the_form_that_was_typed(typed: list[str], door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "orig_argv", typed)
    style = Style(colour=False, ascii_only=True)
    assert style.command("trace", case="dfs/two") == f"{door} trace --case dfs/two"
    assert style.typed("try `make debug`.") == as_typed("try `make debug`.") == f"try `{door} debug`."
    assert Style(colour=False, ascii_only=True, make=True).typed("try `make debug`.") == "try `make debug`."


def test_hints_go_on_with_the_lab_and_the_environment_that_make_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKELEVEL", "1")
    monkeypatch.setenv("MAKEFLAGS", r"s --no-print-directory -- K=dfs LAB=my\ labs/lab.py VENV=../env COURSE=1")
    command = r"make test K=dfs/two LAB=my\ labs/lab.py VENV=../env COURSE=1"
    assert Style(colour=False, ascii_only=True).command(k="dfs/two") == command
    assert Style(colour=False, ascii_only=True, make=True).command(k="dfs/two") == "make test K=dfs/two"


def test_a_command_that_is_not_there_is_named() -> None:
    with pytest.raises(Refusal, match=re.escape("there is no command 'tets'; do you mean test")):
        carry_out(["tets"])
    with pytest.raises(Refusal, match="there is no command '#'; there are test, watch, run, "):
        carry_out(["#"])
    with pytest.raises(Refusal, match=re.escape("there is no CAES=; do you mean CASE?")):
        carry_out(["test", "CAES=dfs"])


def test_make_cmd_is_a_file_for_windows() -> None:
    text = (KIT / "make.cmd").read_bytes()
    assert text.isascii()
    assert text.count(b"\n") == text.count(b"\r\n") <= 20
    lines = text.decode().splitlines()
    assert f"set {MAKE_CMD}=1" in lines
    assert lines[-1] == r".venv\Scripts\python grader %* & call exit /b %%errorlevel%%"
    for name in ("grader/environment.py", "requirements.txt"):
        assert name.replace("/", "\\") in text.decode()


def test_line_ends_are_those_of_the_system_that_reads(tmp_path: Path) -> None:
    """In a clone on any machine: make.cmd has Windows' line ends, all else has a line feed."""
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    for name in (".gitattributes", "make.cmd", "Makefile"):
        shutil.copy(KIT / name, origin / name)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.edu", "-c", "core.autocrlf=true"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"], ["clone", "-q", ".", str(clone)]):
        subprocess.run([*git, *words], cwd=origin, check=True, capture_output=True)
    assert (clone / "make.cmd").read_bytes() == (KIT / "make.cmd").read_bytes()
    assert (clone / "Makefile").read_bytes() == (KIT / "Makefile").read_bytes()


def test_editors_find_what_they_are_told_of() -> None:
    settings = json.loads((KIT / ".vscode" / "settings.json").read_text(encoding="utf-8"))
    assert all((KIT / name).is_dir() for name in settings["python.testing.pytestArgs"])
    launch = json.loads((KIT / ".vscode" / "launch.json").read_text(encoding="utf-8"))
    for entry in launch["configurations"]:
        assert (KIT / entry["program"].removeprefix("${workspaceFolder}/")).is_file()
    verb, *words = entry["args"]
    asked = {f"${{input:{each['id']}}}": each.get("default", "alphabeta/equal-bounds") for each in launch["inputs"]}
    given = [asked.get(word, word) for word in words]
    assert (verb, given) == ("debug", ["--case", "alphabeta/equal-bounds", "--call", "1"])
    container = json.loads((KIT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    target = container["postCreateCommand"].removeprefix("make ")
    assert f"\n{target}:" in (KIT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore:.*found in sys.modules")  # as staff.expectations is, in here
@pytest.mark.parametrize("words", [["trace"], ["run", "chess"], ["expectations", "--check", "x" * 60]])
def test_a_refusal_fits_a_screen(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And is one line where a program reads it."""
    widths = []
    for is_screen in (True, False):
        monkeypatch.setattr(sys.stderr, "isatty", lambda is_screen=is_screen: is_screen)
        with contextlib.suppress(SystemExit):  # by which the staff's verbs end
            assert enter(words) == 2
        widths.append(max(map(len, capsys.readouterr().err.splitlines())))
    assert widths[0] <= 79 < widths[1]
