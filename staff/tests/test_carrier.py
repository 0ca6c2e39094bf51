"""pytest below `make test`: its options work, its screen is the kit's, and nothing that strays there steers it."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.cli import as_options
from grader.commands.carrier import Carrier
from grader.commands.testing import _parse
from grader.grading.session import Session
from grader.kinds.command.kind import Running
from grader.protocol.answer import Ending
from grader.refusal import Refusal
from staff.tests.conftest import KIT, TOTAL
from staff.tests.support.releases import SAFE, checkout, release
from staff.tests.support.waiting import LONG
from staff.wrong_labs import with_body

SHEET = Path("build", "results.json")
THREE = "dfs/two-by-two dfs/no-choice minimax/two-by-two"


@pytest.fixture
def kit(tmp_path: Path, model: str) -> Path:
    """A student's copy of the kit, in which one function is wrong and another is not written."""
    text = with_body("dfs_maximizing", "return None", with_body("minimax_search", "raise NotImplementedError", model))
    return checkout(tmp_path / "student", release("1.2.0", tmp_path), text)


def graded(kit: Path, *words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """What `make test` prints for these words."""
    command = [sys.executable, "grader", "test", *words]
    return subprocess.run(command, cwd=kit, capture_output=True, text=True, env=SAFE | environment)


def cases_in(done: "subprocess.CompletedProcess[str]") -> list[str]:
    """The cases in a report that shows every case."""
    lines = (line.split() for line in done.stdout.splitlines())
    return [word for words in lines for word in words[:3] if "/" in word and words[-2:-1] == ["of"]]


def test_options_of_pytest(kit: Path, model: str) -> None:
    first = graded(kit, "--k", THREE, "--v", "-x")
    assert (first.returncode, first.stderr) == (1, "")
    assert cases_in(first) == ["dfs/two-by-two"]
    assert first.stdout.endswith("1 chosen case; no score is written.\n")
    assert graded(kit, "--k", f"{THREE} zeroby/one").stdout.endswith("4 chosen cases; no score is written.\n")
    (kit / "lab.py").write_text(model, encoding="utf-8")
    failed = graded(kit, "--lf", "-v")
    assert failed.returncode == 0
    assert sorted(cases_in(failed)) == sorted(THREE.split())
    word = graded(kit, "-k", "dfs and not two", "--v")
    assert cases_in(word)
    assert not [name for name in cases_in(word) if "two" in name or not name.startswith("dfs/")]
    assert not (kit / SHEET).exists()
    assert (kit / "build" / "pytest").is_dir()


def test_all_cases_are_a_whole_run_whatever_the_options(kit: Path, model: str) -> None:
    (kit / "lab.py").write_text("raise ValueError\n", encoding="utf-8")
    done = graded(kit, "--maxfail=1000", "-v")
    assert done.returncode == 1
    assert done.stdout.endswith(f"\n0 of {TOTAL} points.\n")
    assert (kit / SHEET).exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--nonsense"], "unrecognized arguments: --nonsense; these are options of pytest, which "),
        (["-p", "timeout"], "Plugin already registered under a different name: timeout="),
        (["nowhere.py"], "file or directory not found: nowhere.py; "),
        (["-k", "dfs or"], "Wrong expression passed to '-k': dfs or: at column 7: "),
        (["-k", "nonsense"], "no case fits; the parts are 0, 1, 2, 3, "),
        (["-o", "timeout=abc"], "pytest was stopped (ValueError: Invalid timeout abc from config file)"),
        (["--doctest-modules"], "unrecognized arguments: --doctest-modules; "),
    ],
)
def test_words_that_pytest_does_not_take(words: list[str], said: str) -> None:
    done = graded(KIT, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


def test_a_time_out_between_two_cases_is_one_line(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytest, "main", lambda words, plugins: plugins[0]._stop(pytest.fail.Exception("Timeout")))
    with pytest.raises(Refusal, match=r"pytest was stopped \(Failed: Timeout\)"):
        Carrier(bank, Session(KIT / "lab.py", bank), lambda case: True, lambda case: None).run(["--timeout=9"])


def test_what_pytest_remembers_may_be_garbled(kit: Path) -> None:
    cache = kit / "build" / "pytest" / "v" / "cache" / "lastfailed"
    cache.parent.mkdir(parents=True)
    cache.write_text("[1]")
    done = graded(kit, "--lf")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("pytest was stopped (AttributeError: 'list' object has no attribute 'items')")


def test_a_folder_around_the_kit_is_gone_through(kit: Path) -> None:
    (kit.parent / "other.py").write_text("raise SystemExit('imported')\n")
    done = graded(kit, "--k", "dfs/two-by-two", "..")
    assert (done.returncode, done.stderr) == (1, "") and "no score is written" in done.stdout


def test_what_pytest_leaves_out_where_nobody_asks_is_there_for_whoever_does(tmp_path: Path) -> None:
    done = graded(KIT, "--k", "dfs/two-by-two", f"--junitxml={tmp_path / 'all.xml'}")
    assert (done.returncode, (tmp_path / "all.xml").exists()) == (0, True)


def test_the_name_of_a_case_is_a_word_too() -> None:
    assert _parse(["--case", "dfs/two-by-two"]).k == _parse(["--k", "dfs/two-by-two"]).k
    assert _parse(as_options(["test", "CASE=dfs/two-by-two"])[1:]).for_pytest == []


def test_what_pytest_shows_of_itself() -> None:
    help_ = graded(KIT, "--help")
    assert (help_.returncode, help_.stderr) == (0, "")
    assert "--maxfail" in help_.stdout
    listed = graded(KIT, "--collect-only", "-q", "-k", "two-by-two and dfs")
    assert listed.returncode == 0
    assert listed.stdout.startswith("tests/test_part2.py::test_dfs_maximizing[dfs/two-by-two]\n")


STRAYS = {
    "conftest.py": "raise SystemExit('obeyed')\n",
    "tests/__init__.py": "raise SystemExit('obeyed')\n",
    "tests/test_mine.py": "raise SystemExit('obeyed')\n",
    "tests/pytest.ini": "[pytest]\naddopts = --obeyed\n",
    "pytest.ini": "[pytest]\naddopts = --obeyed\n",
    "tox.ini": "[pytest]\naddopts = --obeyed\n",
    "setup.cfg": "[tool:pytest]\naddopts = --obeyed\n",
}
VARIABLES = {"PYTEST_ADDOPTS": "--obeyed", "PYTEST_PLUGINS": "obeyed"}


def test_what_strays_is_named_and_not_obeyed(kit: Path, tmp_path: Path) -> None:
    words = ("--k", "dfs/two-by-two")
    plain = graded(kit, *words).stdout
    for name, text in STRAYS.items():
        (kit / name).write_text(text, encoding="utf-8")
    about = tmp_path / "libraries" / "stray-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: stray\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[pytest11]\nstray = stray\n")
    (about.parent / "stray.py").write_text("raise SystemExit('obeyed')\n")
    done = graded(kit, *words, **VARIABLES, PYTHONPATH=str(about.parent))
    assert (done.returncode, done.stderr) == (1, "")
    named, _, report = done.stdout.partition("\n\n")
    assert report == plain
    said = " ".join(named.split())
    assert said.startswith("Of no effect here, only where pytest runs by itself: ")
    for name in (*STRAYS, *VARIABLES, "the plugin stray"):
        assert name in said
    assert max(map(len, named.splitlines())) <= 79


CHANGED = {
    "tests/conftest.py": "raise SystemExit('obeyed')\n",
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--obeyed'\n",
    "tests/test_part2.py": "def test_dfs_maximizing(case, grade):\n    pass\n",
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_file_of_tests_changes_no_verdict(name: str, kit: Path) -> None:
    (kit / name).write_text(CHANGED[name], encoding="utf-8")
    done = graded(kit, "--k", "dfs/two-by-two")
    assert (done.returncode, done.stderr) == (1, "")
    assert "FAIL  dfs/two-by-two " in done.stdout
    assert f"of no effect on the grade: {name}. " in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "boards/cases/ has cases of dfs_maximizing, and tests/ no test_dfs_maximizing; "),
        ("def (\n", "tests/test_part2.py cannot be read (SyntaxError"),
        ("import nowhere\n", "tests/test_part2.py cannot be read (ModuleNotFoundError: No module named 'nowhere'); "),
    ],
)
def test_a_test_that_is_gone_is_one_line(text: str | None, said: str, kit: Path) -> None:
    file = kit / "tests" / "test_part2.py"
    file.unlink() if text is None else file.write_text(text)
    done = graded(kit)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said)
    assert done.stderr.endswith("python grader update, or git checkout -- tests/test_part2.py, brings it back\n")
    assert done.stderr.count("\n") == 1


HANGING = """
import sys, time
from pathlib import Path
from grader.grading import session
from grader.commands.testing import main

judge = session.judge

def hanging(case, answer):
    while case.id == "dfs/two-by-two":
        time.sleep(0.1)
    return judge(case, answer)

session.judge = hanging
sys.exit(main(["--k", "dfs/two-by-two dfs/no-choice", "--v", "--timeout=15"], Path("lab.py")))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there pytest-timeout ends the whole run")
def test_a_grader_that_hangs_is_stopped_and_goes_on() -> None:
    done = subprocess.run([sys.executable, "-c", HANGING], cwd=KIT, capture_output=True, text=True, env=SAFE)
    assert (done.returncode, done.stderr) == (1, "")
    assert "ungraded    dfs/two-by-two " in done.stdout
    assert "pass        dfs/no-choice " in done.stdout
    said = " ".join(done.stdout.split())
    assert "A fault of the grader, which a person must look at: Timeout (>15.0s) from pytest-timeout." in said
    assert "UNGRADED, needs a human: dfs/two-by-two" in said


@pytest.mark.parametrize("module", ["pytest", "pytest_timeout", "jsonschema"])
def test_an_environment_without_a_library(module: str) -> None:
    """In the master copy, where the cases are checked first, the staff's libraries are needed too."""
    script = f"import sys; sys.modules[{module!r}] = None; from grader.cli import enter; sys.exit(enter(['test']))"
    done = subprocess.run([sys.executable, "-c", script], cwd=KIT, capture_output=True, text=True, env=SAFE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{module} is missing here: python grader/environment.py .venv pyproject.toml, and ")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such terminal there")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_in_a_case(number: signal.Signals, status: int, model: str, tmp_path: Path) -> None:
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
    process.send_signal(number)
    out, _ = process.communicate(timeout=LONG)
    assert (process.returncode, out) == (status, b"")
    if number == signal.SIGINT:
        while not shown.endswith(b"no score is written\r\n"):
            shown += os.read(master, 1_000)
        assert b"\nstopped in solve/" in shown
    os.close(master)


@pytest.mark.parametrize("is_asked_for", [True, False])
def test_a_command_begins_before_it_is_asked_for(is_asked_for: bool, bank: Bank) -> None:
    first, *others = bank.of("make_run")
    small = Bank(bank.parts, (*bank.of("ANSWER_1"), first, *others))
    with Session(KIT / "lab.py", small) as session:
        session.begin(small.cases)
        assert session.verdict(small.cases[0]).passed
        begun = session._asking.begun[first.id]
        assert isinstance(begun, Running) and begun._process.returncode is None
        if is_asked_for:
            assert session.verdict(first).passed and first.id not in session._asking.begun
    assert begun._process.returncode is not None
    assert not Path(begun._scratch.path).exists()
    assert begun._cpu > 0.01 or not is_asked_for or sys.platform == "win32"


def test_the_answer_of_a_command_that_has_begun_is_its_own(bank: Bank, model: str, tmp_path: Path) -> None:
    """Wherever its process stands when it is asked for, it tells its own CPU seconds and how it ended."""
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("solve", "while True: pass", model), encoding="utf-8")
    call = bank.of("make_run")[0].calls[0]
    right, hanging = Running(call, KIT / "lab.py", 2.0), Running(call, lab, 0.5)
    late, early = hanging.answer(), right.answer()
    assert (early.ending, early.outcomes[0]["status"]) == (Ending.ANSWERED, 0)
    assert late.ending is Ending.CPU_TIME_UP
    assert late.cpu > 0.45
    if sys.platform != "win32":
        assert 0.01 < early.cpu < 0.45
