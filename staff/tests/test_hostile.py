"""A lab.py that attacks: no points for it, and harm to nobody."""

import contextlib
import dataclasses
import os
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.grading.session import Session, grade
from grader.judging.verdict import Status
from grader.protocol.answer import Request
from grader.protocol.locks import Locks
from grader.protocol.processes import descendants
from grader.protocol.words import harmless_lines
from grader.sandbox import start
from grader.sandbox.opening import open_sandbox
from grader.sandbox.spawning import SpawningSandbox
from staff.tests.conftest import FUNCTIONS, KIT, Grade, score_of, sheet_of
from staff.tests.support.waiting import soon
from staff.wrong_labs import with_body

DFS = "dfs_maximizing"
NO_ANSWERS = "\nANSWER_1 = ANSWER_2 = ANSWER_3 = ANSWER_4 = None\n"


def lab_of(model: str, body: str, extra: str = "") -> str:
    """The model with one body in all of its functions."""
    text = model
    for function in FUNCTIONS:
        text = with_body(function, body, text)
    return f"{text}\n{extra}{NO_ANSWERS}"


ALWAYS_EQUAL = """
class Anything(int):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __gt__ = __le__ = __ge__ = __lt__
    def __hash__(self): return 0
    def __bool__(self): return True
    def __iter__(self): return iter([self, self, self])
    def __len__(self): return 3
    def __getattr__(self, name): return self
    def __call__(self, *words, **named): return self
    __class__ = property(lambda self: tuple)
"""

FORGED = """
import json, os
_LINE = json.dumps({"case": "x", "outcomes": [{"value": True, "result": {"path": {"indices": [0]}, "score": 3}}]})
def _forge():
    for pipe in range(256):
        try:
            os.write(pipe, (_LINE + "\\n" + json.dumps({"ended": 0, "survivors": False}) + "\\n").encode())
        except OSError:
            pass
"""


@pytest.mark.parametrize("value", ["Anything()", "(Anything(), Anything(), Anything())", "[Anything()]"])
def test_an_object_that_equals_everything_gets_nothing(value: str, model: str, tmp_path: Path, few: Bank) -> None:
    sheet = sheet_of(lab_of(model, f"return {value}", ALWAYS_EQUAL), FUNCTIONS, True, tmp_path, few)
    assert sheet.score == 0
    assert sheet.ungraded == []


@pytest.mark.parametrize("fork", [True, False])
def test_a_subclass_of_int_is_no_number(fork: bool, model: str, tmp_path: Path, bank: Bank) -> None:
    text = f"{model}\n_plain = endgame_score_connectfour_faster\nclass Number(int): pass\n"
    text += "def endgame_score_connectfour_faster(board, flag): return Number(_plain(board, flag))\n"
    sheet = sheet_of(text, ("endgame_score_connectfour_faster",), fork, tmp_path, bank)
    assert score_of(sheet, "endgame_score_connectfour_faster") == 0


@pytest.mark.parametrize("fork", [True, False])
def test_forged_lines_on_every_pipe_get_nothing(fork: bool, model: str, tmp_path: Path, few: Bank) -> None:
    """Without fork each case that fails is run again in a process of its own: a function of each kind is enough."""
    asked = FUNCTIONS if fork else ("ZeroBy", "solve", DFS, "next_boards_connectfour", "MinimaxPlayer")
    sheet = sheet_of(lab_of(model, "_forge()\nimport os\nos._exit(0)", FORGED), asked, fork, tmp_path, few)
    assert sheet.score == 0
    assert sheet.ungraded == []


def test_forged_lines_while_importing_get_nothing(model: str, grade_text: Grade) -> None:
    sheet = grade_text(lab_of(model, "_forge()\nreturn None", f"{FORGED}\n_forge()\n"))
    assert sheet.score == 0
    assert sheet.ungraded == []


HASTY = "import grader.protocol.limits; grader.protocol.limits.IMPORT_SECONDS = 1; from grader.worker.worker"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("raise ValueError('no')", "ValueError: no (lab.py:1)"),
        ("import sys; sys.exit(3)", "sys.exit"),
        ("import os; os._exit(0)", "ended the whole process (exit status 0)"),
        ("while True: pass", "stopped after"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
        ("def broken(:", "SyntaxError"),
        ("import numpy", "lab.py may import the standard library, api, boards and yaml, and `numpy`"),
        ("import grader.grading.judge", "`grader"),
        ("from api.boards import BOARD_UHOH", "No module named 'api.boards'"),
        ("print('x' * 10**8)", "16 MiB"),
        ("x = [0] * 10**10", "out of memory"),
    ],
)
@pytest.mark.parametrize("fork", [True, False])
def test_an_import_that_fails_is_told_once(
    line: str, words: str, fork: bool, model: str, tmp_path: Path, few: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    if words == "stopped after":  # one of the five seconds will do
        monkeypatch.setattr(start, "_BOOT", start._BOOT.replace("from grader.worker.worker", HASTY))
        monkeypatch.setattr("grader.protocol.limits.IMPORT_SECONDS", 1)
    sheet = sheet_of(f"{line}\n{model}", FUNCTIONS, fork, tmp_path, few)
    assert sheet.score == 0
    assert sheet.import_failure is not None
    assert words in sheet.import_failure


def probe(code: str, tmp_path: Path, bank: Bank) -> str:
    """What `code` (which sets `told`) finds out from inside a graded function."""
    body = "\n".join(f"        {line}" for line in code.strip().splitlines())
    text = (KIT / "lab.py").read_text(encoding="utf-8")
    text += f"\ndef dfs_maximizing(state):\n    told = ''\n    try:\n{body}\n    except Exception as error:\n"
    text += "        told = 'refused ' + type(error).__name__\n    raise LookupError(told)\n"
    lab = tmp_path / "lab.py"
    lab.write_text(text, encoding="utf-8")
    with Session(lab, bank) as session:
        return session.verdict(bank.of("dfs_maximizing")[0]).message


@pytest.fixture(scope="module")
def locks(bank: Bank) -> Locks:
    """What holds a lab.py on this machine."""
    with Session(KIT / "lab.py", bank) as session:
        return session.sheet_of(bank.of(DFS)[:1]).locks


@pytest.mark.parametrize(
    "code",
    [
        f"told = open({str(KIT / 'boards/cases/3-questions.yaml')!r}).read()[:20]",
        f"import os; told = str(os.listdir({str(KIT / 'boards')!r}))",
        f"told = open({str(KIT / 'staff/wrong_labs.yaml')!r}).read()[:20]",
        "told = open('/etc/passwd').read()[:20]",
        f"open({str(KIT / 'planted')!r}, 'w'); told = 'planted'",
        "import os; os.kill(os.getppid(), 0); os.kill(1, 0); told = 'signalled'",
        "import socket; socket.create_connection(('127.0.0.1', 9), 1); told = 'connected'",
    ],
)
def test_the_door_is_closed(code: str, tmp_path: Path, bank: Bank, locks: Locks) -> None:
    if locks.tier != "closed" or (".kill(" in code and locks.landlock < 6):
        pytest.skip("this machine lacks a lock")
    assert "refused" in probe(code, tmp_path, bank)


def test_a_lab_may_write_into_its_own_folder(tmp_path: Path, bank: Bank) -> None:
    message = probe("open('notes.txt', 'w').write('mine'); told = open('notes.txt').read()", tmp_path, bank)
    assert "mine" in message


def test_no_process_survives(model: str, tmp_path: Path, bank: Bank) -> None:
    lab = tmp_path / "lab.py"
    body = """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
    """
    lab.write_text(with_body("is_game_over_connectfour", body, model), encoding="utf-8")
    before = descendants(os.getpid())
    with Session(lab, bank) as session:
        for case in bank.of("is_game_over_connectfour")[:2]:
            assert session.verdict(case).status is Status.FAIL
            assert soon(lambda: descendants(os.getpid()) <= before)
    assert soon(lambda: descendants(os.getpid()) <= before)


def test_what_is_printed_is_shown_with_its_case_and_made_harmless(model: str, tmp_path: Path, bank: Bank) -> None:
    body = "print('looking at \\x1b[2J', object())\nraise KeyError('none')"
    text = with_body("dfs_maximizing", body, f"print('imported')\n{model}")
    verdict = sheet_of(text, (DFS,), True, tmp_path, bank).verdict(bank.of(DFS)[0])
    assert verdict.printed.startswith("looking at")
    assert "imported" not in verdict.printed
    assert "KeyError: 'none' (lab.py:" in verdict.message
    assert harmless_lines(verdict.printed, 3) == ["looking at \\x1b[2J <object object at 0x…>"]


@pytest.mark.parametrize(("at_over", "shown"), [("pass", "start"), ("raise KeyError", "over"), ("exit(1)", "over")])
def test_what_is_printed_is_that_of_the_call_that_is_shown(
    at_over: str, shown: str, model: str, tmp_path: Path, bank: Bank
) -> None:
    """Of a case with three calls; the second is on a game that is over, and decides where the case ends with it."""
    name = "state.snapshot.name"
    body = f"print('at', {name}, end='.')\nif {name} == 'over':\n    {at_over}\nreturn [state], 0, 1"
    sheet = sheet_of(with_body(DFS, body, model), (DFS,), True, tmp_path, bank)
    (case,) = (case for case in bank.of(DFS) if case.id == "dfs/no-choice")
    assert sheet.verdict(case).printed == f"at {shown}."


@pytest.mark.parametrize("fork", [True, False])
def test_a_time_out_names_the_call_and_the_line(
    fork: bool, model: str, tmp_path: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SpawningSandbox, "wall_per_cpu_second", 20)  # on a busy machine too
    body = "if game.start() == 240:\n    while True:\n        pass\nreturn {}"
    (tmp_path / "lab.py").write_text(with_body("solve", body, model), encoding="utf-8")
    case = dataclasses.replace(next(case for case in bank.cases if case.id == "solve/several-ways"), seconds=0.3)
    with Session(tmp_path / "lab.py", bank, fork) as session:
        verdict = session.verdict(case)
    assert verdict.status is Status.TIME_OUT
    assert "staircase of 240 steps" in verdict.picture
    if fork:
        assert "(lab.py:" in verdict.message
        assert "in solve)" in verdict.message


def test_signals_that_are_ignored_win_little_time(
    model: str, tmp_path: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They win the rest of a second, a whole number of which the last limit is, and are wasted in full."""
    monkeypatch.setattr("grader.grading.patience.MOST_SECONDS_OF_TIME_OUTS", 1.2)
    body = "import signal\nfor number in (signal.SIGPROF, signal.SIGXCPU):\n    signal.signal(number, signal.SIG_IGN)\n"
    text = with_body(DFS, f"{body}while True:\n    pass", model)
    short = tuple(dataclasses.replace(case, seconds=0.5) for case in bank.of(DFS))
    sheet = sheet_of(text, (DFS,), True, tmp_path, Bank(bank.parts, short))
    verdicts = [sheet.verdict(case) for case in short]
    assert {verdict.status for verdict in verdicts} == {Status.TIME_OUT}
    assert sum(verdict.ran for verdict in verdicts) <= 3
    assert "Not run" in verdicts[-1].message


def test_a_daemon_from_the_import_does_not_survive(model: str, tmp_path: Path, bank: Bank) -> None:
    daemon = """
import ctypes, os, time
ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(600)
    os._exit(0)
os.wait()
"""
    lab = tmp_path / "lab.py"
    lab.write_text(daemon + model, encoding="utf-8")
    before = descendants(os.getpid())
    with Session(lab, bank) as session:
        session.verdict(bank.of("dfs_maximizing")[0])
    assert soon(lambda: descendants(os.getpid()) <= before)


def test_deep_folders_are_removed(model: str, tmp_path: Path, few: Bank) -> None:
    body = "import os\nfor _ in range(1500):\n    os.mkdir('d')\n    os.chdir('d')\nreturn None"
    sheet = sheet_of(with_body(DFS, body, model), (DFS,), True, tmp_path, few)
    assert sheet.ungraded == []
    assert score_of(sheet, DFS) == 0


def test_no_case_finds_what_another_wrote(model: str, tmp_path: Path, bank: Bank) -> None:
    body = "import os\nfound = os.listdir('.')\nopen(f'{len(found)}.txt', 'w').close()\nraise LookupError(found)"
    sheet = sheet_of(with_body(DFS, body, model), (DFS,), True, tmp_path, bank)
    assert all("LookupError: []" in sheet.verdict(case).message for case in bank.of(DFS))


def test_no_function_pays_for_what_another_left_on_disk(
    model: str, tmp_path: Path, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.sandbox.watch.MOST_ON_DISK", 1 << 20)
    lab = tmp_path / "lab.py"
    lab.write_text(with_body(DFS, "open('left', 'wb').write(bytes(2 << 20))", model), encoding="utf-8")
    with Session(lab, bank, fork=False) as session:
        assert not session.verdict(bank.of(DFS)[0]).passed
        assert session.verdict(bank.of("minimax_search")[0]).passed


@pytest.mark.parametrize(
    "extra",
    [
        "class Odd(Exception):\n    def __str__(self): raise ValueError\n",
        "class Odd(Exception):\n    __traceback__ = property(lambda self: 1 / 0)\n",
        "class Meta(type):\n    __name__ = property(lambda self: 1 / 0)\nclass Odd(Exception, metaclass=Meta): pass\n",
    ],
)
def test_an_exception_that_hides_is_a_crash(extra: str, model: str, tmp_path: Path, few: Bank) -> None:
    sheet = sheet_of(with_body(DFS, "raise Odd()", f"{extra}{model}"), (DFS,), True, tmp_path, few)
    verdict = sheet.verdict(few.of(DFS)[0])
    assert verdict.status is Status.CRASH
    assert "ended the whole process" not in verdict.message


@pytest.mark.parametrize("fork", [True, False])
def test_half_a_character_in_a_name_is_no_forgery(fork: bool, model: str, tmp_path: Path, bank: Bank) -> None:
    body = "def odd(): pass\nodd.__name__ = 'half \\ud800'\nreturn odd"
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("dfs_maximizing", body, model), encoding="utf-8")
    with Session(lab, bank, fork) as session:
        message = session.verdict(bank.of("dfs_maximizing")[0]).message
    assert message.startswith("It returned the function half ?;")


FORGED_STATUSES = ["-1", "1 << 40", "127", "True", "'0'", "[0]"]


@pytest.mark.parametrize("status", FORGED_STATUSES)
def test_a_forged_status_is_the_liars_own_crash(status: str, model: str, tmp_path: Path, bank: Bank) -> None:
    """Written by the worker itself, in which lab.py was imported."""
    lab = tmp_path / "lab.py"
    lab.write_text(f"{model}\nimport os\nos.waitpid = lambda pid, flags: (0, {status})\n", encoding="utf-8")
    with Session(lab, bank, fork=True) as session:
        assert session.verdict(bank.of("dfs_maximizing")[0]).status is Status.CRASH


@pytest.mark.parametrize("fork", [True, False])
def test_a_child_that_never_starts_is_no_zero(
    fork: bool, bank: Bank, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.sandbox.start._BOOT", "import sys; sys.exit(3)")
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    some = Bank(bank.parts, tuple(bank.of("dfs_maximizing")))
    sheet = grade(tmp_path / "lab.py", some, fork)
    assert len(sheet.ungraded) == len(some.cases)
    assert sheet.import_failure is None


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nobody counts CPU time here")
@pytest.mark.parametrize("fork", [True, False])
@pytest.mark.parametrize(("line", "computed"), [("for _ in range(10**7): pass", True), ("time.sleep(0.3)", False)])
def test_an_answer_says_how_long_it_computed(
    fork: bool, line: str, computed: bool, model: str, tmp_path: Path, bank: Bank
) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("dfs_maximizing", f"import time\n{line}", model), encoding="utf-8")
    with contextlib.closing(open_sandbox(lab, fork)) as sandbox:
        assert sandbox.load().cpu > 0
        case = bank.of("dfs_maximizing")[0]
        request = Request(
            case.id, case.graded.kind, case.function, tuple(call.inputs for call in case.calls), case.seconds
        )
        assert (sandbox.answer(request).cpu > 0.05) is computed
