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
from typing import Any

import pytest

from staff.tests.conftest import KIT, TOTAL
from staff.tests.support.releases import SAFE, checkout, release
from staff.tests.support.typed import Done, grader, refusal
from staff.tests.support.waiting import LONG
from staff.wrong_labs import with_body

RESULTS = Path("build", "results.json")
THREE = ["dfs/two-by-two", "dfs/no-choice", "minimax/two-by-two"]


@pytest.fixture
def kit(tmp_path: Path, model: str) -> Path:
    """A student's copy of the kit, in which one function is wrong and another is not
    written.
    """
    text = with_body("dfs_maximizing", "return None", model)
    text = with_body("minimax_search", "raise NotImplementedError", text)
    return checkout(tmp_path / "student", release("1.2.0", tmp_path), text)


def graded(kit: Path, *words: str, **environment: str) -> Done:
    """What `make test` prints for these words."""
    return grader("test", *words, cwd=kit, env=SAFE | environment)


def results_in(kit: Path, name: Path | str = RESULTS) -> dict[str, Any]:
    """The results that a run has saved."""
    results: dict[str, Any] = json.loads((kit / name).read_text("utf-8"))
    return results


def cases_in(done: Done) -> list[str]:
    """The cases in a report that shows every case."""
    rows = [line.split() for line in done.stdout.splitlines()]
    of_cases = [words for words in rows if words[-2:-1] == ["of"]]
    return [word for words in of_cases for word in words[:3] if "/" in word]


# --- which cases run -----------------------------------------------------------------


def test_pytest_may_stop_at_the_first_case_that_fails(kit: Path) -> None:
    done = graded(kit, "--k", " ".join(THREE), "--v", "-x")
    assert (done.returncode, done.stderr) == (1, "")
    assert cases_in(done) == THREE[:1]
    says = "1 chosen case; only a full run saves the score.\n"
    assert done.stdout.endswith(says)


def test_pytest_may_run_what_has_failed(kit: Path, model: str) -> None:
    graded(kit, "--k", " ".join([*THREE, "zeroby/one"]))
    (kit / "lab.py").write_text(model, encoding="utf-8")
    done = graded(kit, "--lf", "--v")
    assert done.returncode == 0
    assert sorted(cases_in(done)) == sorted(THREE)


def test_pytest_may_choose_by_an_expression(kit: Path) -> None:
    names = cases_in(graded(kit, "-k", "dfs and not two", "--v"))
    assert names
    assert [
        name for name in names if not name.startswith("dfs/") or "two" in name
    ] == []


@pytest.mark.parametrize("words", [["--part", "3"], ["--k", "dfs"], ["-k", "dfs"]])
def test_chosen_cases_change_no_saved_score(words: list[str], kit: Path) -> None:
    graded(kit)
    saved = (kit / RESULTS).read_bytes()

    done = graded(kit, *words)

    assert done.stdout.endswith("; only a full run saves the score.\n")
    assert (kit / RESULTS).read_bytes() == saved


def test_all_cases_are_a_whole_run_whatever_the_options(kit: Path) -> None:
    (kit / "lab.py").write_text("raise ValueError\n", encoding="utf-8")
    done = graded(kit, "--maxfail=1000")
    assert done.returncode == 1
    assert done.stdout.endswith(f"\n0 of {TOTAL} points.\n")
    assert (kit / RESULTS).exists()


def test_several_parts_and_several_words() -> None:
    done = graded(KIT, "--part", "0,3", "--k", "zeroby/eleven question-2", "--v")
    assert cases_in(done) == ["zeroby/eleven-by-five", "questions/question-2"]


def test_what_pytest_shows_of_itself() -> None:
    done = graded(KIT, "--version")
    assert "pytest" in done.stderr + done.stdout


def test_pytest_lists_cases() -> None:
    done = graded(KIT, "--collect-only", "-q", "-k", "two-by-two and dfs")
    assert done.returncode == 0
    first = "tests/test_part2.py::test_part2[dfs/two-by-two]\n"
    assert done.stdout.startswith(first)


def test_the_command_that_lists_all_cases_names_the_same_file(kit: Path) -> None:
    typed = {"LAB": "lab.py", "MAKELEVEL": "1", "MAKEFLAGS": " -- LAB=lab.py"}
    done = graded(kit, "--k", "dfs", **typed)
    assert "List all: make test V=1 LAB=lab.py\n" in done.stdout


# --- what is no lab.py ---------------------------------------------------------------


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
        ("gone.py", None, "not there, or is not an ordinary file"),
    ],
)
def test_what_is_no_lab_py_is_refused_and_leaves_no_results(
    name: str, data: bytes | None, is_what: str, kit: Path
) -> None:
    """The results of an earlier run in the same place would look like its own."""
    for results in (kit / RESULTS, kit / "alice.json"):
        results.parent.mkdir(exist_ok=True)
        results.write_text("{}")
    lab = kit / "handed in" / name
    lab.parent.mkdir()
    if data is not None:
        lab.write_bytes(data)
    says = f"{lab} is {is_what}"
    assert refusal(graded(kit, "OUT=alice.json", LAB=str(lab))).startswith(says)
    assert not (kit / "alice.json").exists()
    assert (kit / RESULTS).exists()
    assert refusal(graded(kit, LAB=str(lab))).startswith(says)
    assert not (kit / RESULTS).exists()


@pytest.fixture
def latin_1(kit: Path, model: str) -> bytes:
    """A lab.py in Latin-1 in which one function raises; it is in the kit."""
    text = with_body("dfs_maximizing", "raise ValueError('é')", model)
    data = text.encode("latin-1", "replace")
    (kit / "lab.py").write_bytes(data)
    return data


LATIN_1 = (
    "lab.py is not encoded as UTF-8, as Python files are, so we read it as Latin-1."
)


def test_latin_1_is_graded_from_a_copy_in_utf_8(kit: Path, latin_1: bytes) -> None:
    done = graded(kit, "--out=results/alice.json")
    assert LATIN_1 in " ".join(done.stdout.split())
    results = results_in(kit, "results/alice.json")
    assert 0 < results["score"] < results["out_of"]
    assert "ValueError: é" in str(results)


def test_latin_1_that_is_named_is_graded_as_it_is(kit: Path, latin_1: bytes) -> None:
    graded(kit)
    score = results_in(kit)["score"]
    (kit / "lab.py").write_bytes(b"# coding: latin-1\n" + latin_1)
    done = graded(kit)
    assert "ValueError: " in done.stdout
    assert "UTF-8" not in done.stdout
    assert results_in(kit)["score"] == score


# --- what is in the way without effect -----------------------------------------------

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


@pytest.fixture
def stray_plugin(tmp_path: Path) -> Path:
    """A folder of libraries with a plugin of pytest, which says that it is obeyed."""
    libraries = tmp_path / "libraries"
    about = libraries / "stray-1.0.dist-info"
    about.mkdir(parents=True)
    metadata = "Metadata-Version: 2.1\nName: stray\nVersion: 1.0\n"
    (about / "METADATA").write_text(metadata)
    (about / "entry_points.txt").write_text("[pytest11]\nstray = stray\n")
    (libraries / "stray.py").write_text(OBEYED)
    return libraries


def test_what_strays_there_changes_nothing(kit: Path, stray_plugin: Path) -> None:
    before = graded(kit)
    for name, text in STRAYS.items():
        (kit / name).write_text(text, encoding="utf-8")
    variables = {
        "PYTEST_ADDOPTS": "--obeyed",
        "PYTEST_PLUGINS": "obeyed",
        "PYTHONPATH": str(stray_plugin),
    }
    done = graded(kit, **variables)
    assert (done.returncode, done.stdout, done.stderr) == (1, before.stdout, "")


@pytest.mark.parametrize("where", ["in the folder", "above it"])
def test_brackets_in_the_name_of_the_folder(where: str, kit: Path, model: str) -> None:
    kit = kit.rename(kit.with_name("[F26] games lab"))
    (kit / "lab.py").write_text(model, encoding="utf-8")
    folder = kit if where == "in the folder" else kit.parent
    grader = os.path.relpath(kit / "grader", folder)
    command = [sys.executable, grader, "test", "--k", " ".join(THREE)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=SAFE)
    assert (done.returncode, done.stderr) == (0, ""), done
    assert "in 3 chosen cases" in done.stdout


# --- what is missing or hangs --------------------------------------------------------


@pytest.mark.parametrize("text", ["", "def (\n", "import nowhere\n"])
def test_a_test_that_is_gone_is_one_line(text: str, kit: Path) -> None:
    (kit / "tests" / "test_part2.py").write_text(text)
    says = "pytest says: no test_part2(case, grade) could be read from tests/, and there are "
    assert refusal(graded(kit)).startswith(says)


def test_a_part_of_the_kit_that_is_gone_is_one_line(kit: Path) -> None:
    (kit / "grader" / "refusal.py").unlink()
    fix = "git checkout -- api boards grader tests Makefile\n"
    assert refusal(graded(kit)).endswith(fix)


def run_python(program: str) -> Done:
    """Run a program in the kit."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=KIT, capture_output=True, text=True, env=SAFE)


HANGING = """
import signal, sys, time
from pathlib import Path
from grader.grading import session
from grader.commands.testing import main

judge = session.judge

def hanging(case, answer, kit):
    if case.id == "dfs/two-by-two":
        signal.setitimer(signal.ITIMER_REAL, 0.1)  # as if the ten seconds were over
        time.sleep(1000)
    return judge(case, answer, kit)

session.judge = hanging
sys.exit(main(["--k", "dfs/two-by-two minimax/two-by-two", "--v", "--timeout=10"], Path("lab.py")))
"""


@pytest.mark.skipif(
    not hasattr(signal, "SIGALRM"), reason="there pytest-timeout ends the whole run"
)
def test_a_grader_that_hangs_is_stopped_and_goes_on() -> None:
    done = run_python(HANGING)
    assert (done.returncode, done.stderr) == (1, "")
    assert "ungraded      dfs/two-by-two " in done.stdout
    assert "pass          minimax/two-by-two " in done.stdout
    says = "A fault of the grader, which a person must look at: Timeout (>10.0s)"
    assert says in " ".join(done.stdout.split())


WITHOUT = "import sys; sys.modules[{!r}] = None; from grader.cli import enter; sys.exit(enter(['test']))"


@pytest.mark.parametrize("module", ["yaml", "pytest", "pytest_timeout"])
def test_an_environment_without_a_library(module: str) -> None:
    done = run_python(WITHOUT.format(module))
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
