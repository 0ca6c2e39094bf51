"""`make test`: its words, the options of pytest, refusals in a line, and what stands in
its way without effect.
"""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from staff.tests.conftest import KIT, TOTAL
from staff.tests.support.releases import SAFE, checkout, release
from staff.tests.support.waiting import LONG
from staff.wrong_labs import with_body

RESULTS = Path("build", "results.json")
THREE = "dfs/two-by-two dfs/no-choice minimax/two-by-two"


@pytest.fixture
def kit(tmp_path: Path, model: str) -> Path:
    """A student's copy of the kit, in which one function is wrong and another is not
    written.
    """
    text = with_body(
        "dfs_maximizing",
        "return None",
        with_body("minimax_search", "raise NotImplementedError", model),
    )
    return checkout(tmp_path / "student", release("1.2.0", tmp_path), text)


def graded(
    kit: Path, *words: str, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """What `make test` prints for these words."""
    command = [sys.executable, "grader", "test", *words]
    return subprocess.run(
        command, cwd=kit, capture_output=True, text=True, env=SAFE | environment
    )


def cases_in(done: "subprocess.CompletedProcess[str]") -> list[str]:
    """The cases in a report that shows every case."""
    lines = (line.split() for line in done.stdout.splitlines())
    return [
        word
        for words in lines
        for word in words[:3]
        if "/" in word and words[-2:-1] == ["of"]
    ]


def test_options_of_pytest(kit: Path, model: str) -> None:
    first = graded(kit, "--k", THREE, "--v", "-x")
    assert (first.returncode, first.stderr) == (1, "")
    assert cases_in(first) == ["dfs/two-by-two"]
    assert first.stdout.endswith("1 chosen case; only a full run saves the score.\n")
    assert (
        "4 chosen cases; only a full run"
        in graded(kit, "--k", f"{THREE} zeroby/one").stdout
    )
    (kit / "lab.py").write_text(model, encoding="utf-8")
    failed = graded(kit, "--lf", "--v")
    assert failed.returncode == 0 and sorted(cases_in(failed)) == sorted(THREE.split())
    names = cases_in(graded(kit, "-k", "dfs and not two", "--v"))
    assert names and all(
        name.startswith("dfs/") and "two" not in name for name in names
    )
    assert not (kit / RESULTS).exists() and (kit / "build" / "pytest").is_dir()


def test_all_cases_are_a_whole_run_whatever_the_options(kit: Path) -> None:
    (kit / "lab.py").write_text("raise ValueError\n", encoding="utf-8")
    done = graded(kit, "--maxfail=1000")
    assert done.returncode == 1 and done.stdout.endswith(f"\n0 of {TOTAL} points.\n")
    assert (kit / RESULTS).exists()


@pytest.mark.parametrize(
    ("name", "data", "is_what"),
    [
        ("lab.ipynb", b'{"cells": []}', "a notebook"),
        ("lab.py", b'\n{"nbformat": 4,\n "cells": []}', "a notebook"),
        ("lab.odt", b"PK\x03\x04", "a .odt file"),
        ("lab.py", b"PK\x03\x04", "a zip or a document"),
        ("lab.py", b"{\\rtf1 x = 1}", "a zip or a document"),
        ("lab.zip", b"PK\x05\x06", "a .zip file"),
        ("lab.py", "x = 1".encode("utf-16"), "no text in UTF-8"),
        ("lab.py", b" \n", "empty"),
        ("gone.py", b"", "not there, or is not an ordinary file"),
    ],
)
def test_what_is_no_lab_py_is_refused_and_leaves_no_results(
    name: str, data: bytes, is_what: str, kit: Path
) -> None:
    for results in (kit / RESULTS, kit / "alice.json"):
        results.parent.mkdir(exist_ok=True)
        results.write_text("{}")
    lab = kit / "handed in" / name
    lab.parent.mkdir()
    if name != "gone.py":
        lab.write_bytes(data)
    done = graded(kit, "OUT=alice.json", LAB=str(lab))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"{lab} is {is_what}")
    assert (kit / RESULTS).exists() and not (kit / "alice.json").exists()
    assert graded(kit, LAB=str(lab)).returncode == 2 and not (kit / RESULTS).exists()


def test_latin_1_is_graded_from_a_copy_in_utf_8(kit: Path, model: str) -> None:
    text = with_body("dfs_maximizing", "raise ValueError('é')", model)
    (kit / "lab.py").write_bytes(text.encode("latin-1", "replace"))
    done = graded(kit, "--out=results/alice.json")
    assert (
        "lab.py is not encoded as UTF-8, as Python files are, so we read it as Latin-1."
        in " ".join(done.stdout.split())
    )
    sheet = json.loads((kit / "results" / "alice.json").read_text("utf-8"))
    assert 0 < sheet["score"] < sheet["out_of"] and "ValueError: é" in str(sheet)
    (kit / "lab.py").write_bytes(
        f"# coding: latin-1\n{text}".encode("latin-1", "replace")
    )
    named = graded(kit)
    assert "ValueError: " in named.stdout and "UTF-8" not in named.stdout
    assert json.loads((kit / RESULTS).read_text("utf-8"))["score"] == sheet["score"]


def test_several_parts_and_several_words() -> None:
    done = graded(KIT, "--part", "0,3", "--k", "zeroby/eleven question-2", "--v")
    assert cases_in(done) == ["zeroby/eleven-by-five", "questions/question-2"]


def test_what_pytest_shows_of_itself() -> None:
    assert "pytest" in graded(KIT, "--version").stderr + graded(KIT, "--version").stdout
    listed = graded(KIT, "--collect-only", "-q", "-k", "two-by-two and dfs")
    assert listed.returncode == 0
    assert listed.stdout.startswith("tests/test_part2.py::test_part2[dfs/two-by-two]\n")


OBEYED = "raise SystemExit('obeyed')\n"
STRAYS = {
    **dict.fromkeys(
        ("conftest.py", "random.py", "yaml.py", "pytest.py", "tests/test_x.py"), OBEYED
    ),
    "tests/__init__.py": "",
    "tests/conftest.py": OBEYED,
    "tests/pytest.ini": "[pytest]\naddopts = --obeyed\n",
    "pytest.ini": "[pytest]\naddopts = --obeyed\n",
    "tox.ini": "[pytest]\naddopts = --obeyed\n",
    "setup.cfg": "[tool:pytest]\naddopts = --obeyed\n",
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--obeyed'\n",
}


def test_what_strays_there_changes_nothing(kit: Path, tmp_path: Path) -> None:
    before = graded(kit)
    for name, text in STRAYS.items():
        (kit / name).write_text(text, encoding="utf-8")
    about = tmp_path / "libraries" / "stray-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: stray\nVersion: 1.0\n"
    )
    (about / "entry_points.txt").write_text("[pytest11]\nstray = stray\n")
    (about.parent / "stray.py").write_text(OBEYED)
    variables = {
        "PYTEST_ADDOPTS": "--obeyed",
        "PYTEST_PLUGINS": "obeyed",
        "PYTHONPATH": str(about.parent),
    }
    done = graded(kit, **variables)
    assert (done.returncode, done.stdout, done.stderr) == (1, before.stdout, "")


def test_brackets_in_the_name_of_the_folder(kit: Path, model: str) -> None:
    kit = kit.rename(kit.with_name("[F26] games lab"))
    (kit / "lab.py").write_text(model, encoding="utf-8")
    for folder, grader in ((kit, "grader"), (kit.parent, str(kit / "grader"))):
        command = [sys.executable, grader, "test", "--k", THREE]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, env=SAFE
        )
        assert (done.returncode, done.stderr) == (0, ""), done
        assert "in 3 chosen cases" in done.stdout


@pytest.mark.parametrize("text", ["", "def (\n", "import nowhere\n"])
def test_a_test_that_is_gone_is_one_line(text: str, kit: Path) -> None:
    (kit / "tests" / "test_part2.py").write_text(text)
    done = graded(kit)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(
        "pytest says: no test_part2(case, grade) could be read from tests/, and there are "
    )


def test_a_part_of_the_kit_that_is_gone_is_one_line(kit: Path) -> None:
    (kit / "grader" / "refusal.py").unlink()
    done = graded(kit)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.endswith("git checkout -- api boards grader tests Makefile\n")


HANGING = """
import sys, time
from pathlib import Path
from grader.grading import session
from grader.commands.testing import main

judge = session.judge

def hanging(case, answer, kit):
    while case.id == "dfs/two-by-two":
        time.sleep(0.1)
    return judge(case, answer, kit)

session.judge = hanging
sys.exit(main(["--k", "dfs/two-by-two minimax/two-by-two", "--v", "--timeout=10"], Path("lab.py")))
"""


@pytest.mark.skipif(
    not hasattr(signal, "SIGALRM"), reason="there pytest-timeout ends the whole run"
)
def test_a_grader_that_hangs_is_stopped_and_goes_on() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HANGING],
        cwd=KIT,
        capture_output=True,
        text=True,
        env=SAFE,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert (
        "ungraded      dfs/two-by-two " in done.stdout
        and "pass          minimax/two-by-two " in done.stdout
    )
    assert (
        "A fault of the grader, which a person must look at: Timeout (>10.0s)"
        in " ".join(done.stdout.split())
    )


@pytest.mark.parametrize("module", ["yaml", "pytest", "pytest_timeout"])
def test_an_environment_without_a_library(module: str) -> None:
    script = f"import sys; sys.modules[{module!r}] = None; from grader.cli import enter; sys.exit(enter(['test']))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=KIT,
        capture_output=True,
        text=True,
        env=SAFE,
    )
    assert (done.returncode, done.stdout) == (2, "")
    fix = "python grader/environment.py .venv requirements.txt, and "
    assert done.stderr.startswith(f"{module} is missing here: {fix}")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such terminal there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_a_case(number: signal.Signals, model: str, tmp_path: Path) -> None:
    """A terminal shows which case is running; there the signal meets it."""
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("solve", "while True: pass", model), encoding="utf-8")
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "grader", "test", "--k", "solve/"], cwd=KIT, env=SAFE | {"LAB": str(lab)},
        stdout=subprocess.PIPE, stderr=terminal,
    )  # fmt: skip
    os.close(terminal)
    shown = b""
    while b"solve/" not in shown:
        shown += os.read(master, 1_000)
    assert shown.startswith(b"\rreading the cases")  # before all that takes long
    process.send_signal(number)
    out, _ = process.communicate(timeout=LONG)
    assert (process.returncode, out) == (130, b"")
    while not shown.endswith(b"\nstopped\r\n"):
        shown += os.read(master, 1_000)
    os.close(master)


INTERRUPTED = """
import sys

sys.path.insert(0, sys.argv[1])
from grader import cli

cli.main = lambda words: exec("raise KeyboardInterrupt")
sys.exit(cli.enter([]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no process there ends by SIGINT")
def test_an_interrupt_within_exec_has_its_exit_status_too(tmp_path: Path) -> None:
    """Python runs code with exec() to make a dataclass, as when pytest is imported."""
    (tmp_path / "__main__.py").write_text(INTERRUPTED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(tmp_path), str(KIT)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (130, "\nstopped\n")


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="there is no full disk to try"
)
def test_no_room_for_the_report() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "grader", "test", "--k", "dfs/no-choice"]
        done = subprocess.run(
            command, cwd=KIT, stdout=full, stderr=subprocess.PIPE, text=True, env=SAFE
        )
    assert (done.returncode, done.stderr) == (2, "[Errno 28] No space left on device\n")
