"""A lab.py that starts processes and uses up the machine: it is stopped, and leaves nothing behind."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from grader.grading.patience import FUNCTION_USED_UP

from boards.cases import Bank
from grader.grading.session import Session
from grader.judging.verdict import Status
from grader.kinds.command.kind import Running
from grader.protocol.answer import Answer, Ending, Request
from grader.protocol.processes import descendants, look_at, tree
from grader.sandbox import start
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.opening import open_sandbox
from staff.tests.conftest import KIT
from staff.tests.support.waiting import soon
from staff.wrong_labs import with_body

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows processes from outside")

WITHOUT_NAMESPACES = "import grader.worker.keeper as k; k._enter_namespaces = lambda: False; from grader.worker.worker"

# The keeper is told twice at once: by the grader, and by its own clock.
TOLD_TWICE = (
    "import grader.worker.keeper as k, os, signal; enclose = k.enclose; k.enclose = lambda: enclose(600); "
    "mask = lambda how: signal.pthread_sigmask(how, (signal.SIGTERM, signal.SIGALRM)); "
    "tell = lambda number: os.kill(os.getpid(), number); "
    "k.dict = lambda found: (mask(signal.SIG_BLOCK), tell(signal.SIGTERM), tell(signal.SIGALRM), "
    "mask(signal.SIG_UNBLOCK), dict(found))[-1]; from grader.worker.worker"
)
WAITING = {
    True: "print(1, flush=True); input()",
    False: "import threading; threading.Thread(target=input).start(); print(1, flush=True)",
}

CHAIN = """
import os, time
def run_away():
    if os.fork() == 0:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if os.fork():
                os._exit(0)
            os.setsid()
        os._exit(0)
"""

FORK_A_LOT = """
import os, time
for _ in range(300):
    if os.fork() == 0:
        time.sleep(600)
time.sleep(600)
"""


@pytest.fixture(params=[True, False], ids=["namespaces", "no-namespaces"])
def anywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here, and as it is where nobody may have a namespace."""
    if not request.param:
        monkeypatch.setattr(start, "_BOOT", start._BOOT.replace("from grader.worker.worker", WITHOUT_NAMESPACES))


@pytest.fixture
def write_lab(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Writes a lab.py; afterwards no process may have it on its command line."""

    def write_lab(text: str) -> Path:
        lab = tmp_path / "lab.py"
        lab.write_text(text, encoding="utf-8")
        return lab

    yield write_lab
    assert soon(lambda: not processes_of(tmp_path))


def processes_of(folder: Path) -> list[str]:
    """The living processes, of anybody, that have something in a folder on their command line."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if str(folder).encode() in Path("/proc", process, "cmdline").read_bytes():
                found.append(process)
    return found


def answer_of(lab: Path, bank: Bank, seconds: float = 2.0, fork: bool = True) -> Answer:
    """The Answer to the first case of dfs_maximizing, or to the import where that fails."""
    case = bank.of("dfs_maximizing")[0]
    with contextlib.closing(open_sandbox(lab, fork)) as sandbox:
        loaded = sandbox.load()
        request = Request(case.id, case.graded.kind, case.function, tuple(call.inputs for call in case.calls), seconds)
        return sandbox.answer(request) if loaded.imported else loaded


@pytest.mark.parametrize("fork", [True, False])
def test_a_fork_bomb_is_stopped(fork: bool, anywhere: None, write_lab: Callable[[str], Path], bank: Bank) -> None:
    with Session(write_lab(FORK_A_LOT), bank, fork) as session:
        verdict = session.verdict(bank.of("dfs_maximizing")[0])
    assert "lab.py cannot be imported. It started more than 64 processes at a time" in verdict.message


def test_a_fork_bomb_in_a_case(anywhere: None, write_lab: Callable[[str], Path], model: str, bank: Bank) -> None:
    lab = write_lab(with_body("dfs_maximizing", FORK_A_LOT, model))
    assert answer_of(lab, bank).ending is Ending.CROWDED


def test_one_crowd_is_enough_of_a_function(write_lab: Callable[[str], Path], model: str, bank: Bank) -> None:
    """To end hundreds of processes takes long, and every case of the function would start them."""
    lab = write_lab(with_body("dfs_maximizing", FORK_A_LOT, model))
    with Session(lab, bank) as session:
        first, *others = (session.verdict(case) for case in bank.of("dfs_maximizing"))
        other_function = session.verdict(bank.of("minimax_search")[0])
    assert "64 processes" in first.message and other_function.passed
    assert {(verdict.ran, verdict.message) for verdict in others} == {(False, FUNCTION_USED_UP)}


@pytest.mark.parametrize("when", ["case", "import"])
def test_nobody_forks_away_from_the_end(
    when: str, anywhere: None, write_lab: Callable[[str], Path], model: str, bank: Bank
) -> None:
    away = f"{CHAIN}\nrun_away()\n"
    lab = write_lab(f"{away}{model}" if when == "import" else with_body("dfs_maximizing", away, model))
    answer_of(lab, bank)
    assert not processes_of(lab.parent)


def test_a_keeper_who_is_told_twice_does_its_work(
    anywhere: None, write_lab: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "_BOOT", start._BOOT.replace("from grader.worker.worker", TOLD_TWICE))
    lab = write_lab("import os, time\nif os.fork() == 0:\n    time.sleep(600)\n")
    with contextlib.closing(open_sandbox(lab)) as sandbox:
        assert sandbox.load().imported
        keeper = sandbox.start()._process
        assert keeper.stdin
        keeper.stdin.close()
        keeper.wait()
    assert not processes_of(lab.parent)


def test_a_process_with_any_name_is_found_and_ended(
    anywhere: None, write_lab: Callable[[str], Path], model: str, bank: Bank
) -> None:
    body = """
import ctypes, os, time
if os.fork() == 0:
    ctypes.CDLL(None).prctl(15, b"\\xff\\xfe) Z 1", 0, 0, 0)
    time.sleep(600)
time.sleep(0.1)
"""
    lab = write_lab(with_body("dfs_maximizing", body, model))
    with Session(lab, bank, fork=True) as session:
        assert session.verdict(bank.of("dfs_maximizing")[0]).status is Status.FAIL
        assert soon(lambda: len(processes_of(lab.parent)) <= 3)


def test_a_stranger_with_any_name_is_no_obstacle(write_lab: Callable[[str], Path], model: str, bank: Bank) -> None:
    rename = 'import ctypes; ctypes.CDLL(None).prctl(15, b"\\xff(", 0, 0, 0); print(flush=True); input()'
    with subprocess.Popen([sys.executable, "-c", rename], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as stranger:
        assert stranger.stdout and stranger.stdin
        stranger.stdout.readline()
        assert stranger.pid in descendants(os.getpid())
        with Session(write_lab(model), bank, fork=True) as session:
            assert session.verdict(bank.of("dfs_maximizing")[0]).passed
        stranger.stdin.close()


def test_cpu_time_is_limited_from_outside(
    write_lab: Callable[[str], Path], model: str, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ForkingSandbox, "wall_per_cpu_second", 200)
    body = """
import os, signal
for number in (signal.SIGPROF, signal.SIGXCPU, signal.SIGVTALRM):
    signal.signal(number, signal.SIG_IGN)
os.fork()
while True:
    pass
"""
    answer = answer_of(write_lab(with_body("dfs_maximizing", body, model)), bank, 0.5)
    assert answer.ending is Ending.CPU_TIME_UP
    assert answer.cpu < 2


def test_memory_is_counted_over_all_processes(write_lab: Callable[[str], Path], model: str, bank: Bank) -> None:
    body = """
import os, time
for _ in range(12):
    if os.fork() == 0:
        held = b"x" * 100_000_000
        time.sleep(60)
time.sleep(60)
"""
    answer = answer_of(write_lab(with_body("dfs_maximizing", body, model)), bank, 30.0)
    assert answer.ending is Ending.OUT_OF_MEMORY


@pytest.mark.parametrize("unlinks", ["", "os.remove(str(number))"])
def test_many_files_do_not_fill_the_disk(
    unlinks: str, write_lab: Callable[[str], Path], model: str, bank: Bank
) -> None:
    body = f"""
import os, time
held = []
for number in range(9):
    held.append(open(str(number), "wb"))
    held[-1].write(b"x" * 8_000_000)
    held[-1].flush()
    {unlinks}
time.sleep(60)
"""
    assert answer_of(write_lab(with_body("dfs_maximizing", body, model)), bank).ending is Ending.DISK_FULL


@pytest.mark.parametrize("fork", [True, False])
def test_a_request_that_nobody_reads_ends_by_its_deadline(
    fork: bool, write_lab: Callable[[str], Path], model: str, bank: Bank
) -> None:
    stop = "import os, signal, threading\nthreading.Timer(0.3, os.kill, (os.getpid(), signal.SIGSTOP)).start()\n"
    case = bank.of("dfs_maximizing")[0]
    with contextlib.closing(open_sandbox(write_lab(stop + model), fork)) as sandbox:
        assert sandbox.load().imported
        assert soon(lambda: any(is_stopped(process.id) for process in tree(os.getpid())))
        answer = sandbox.answer(Request(case.id, case.graded.kind, case.function, ({"filler": "x" * 1_000_000},), 0.1))
    assert answer.ending is Ending.STALLED


def is_stopped(process: int) -> bool:
    return b") T" in Path("/proc", str(process), "stat").read_bytes()


ENDED = [
    (number, when)
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
    for when in ("case", "import", "make run")
]


@pytest.mark.parametrize(("number", "when"), [*ENDED, (signal.SIGTERM, "report"), (signal.SIGTERM, "trace")])
def test_a_grader_that_is_ended_leaves_nothing(
    number: int, when: str, write_lab: Callable[[str], Path], model: str, bank: Bank, tmp_path: Path
) -> None:
    sleep = "import os, time\nif os.fork() == 0:\n    os.setsid()\nopen('here', 'w').close()\ntime.sleep(600)\n"
    function = "solve" if when == "make run" else "dfs_maximizing"
    lab = write_lab(f"{sleep}{model}" if when == "import" else with_body(function, sleep, model))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    words = ["test", "--k", "ten-by" if when == "make run" else "dfs"]
    words = {"report": ["report"], "trace": ["trace", "--case", bank.of("dfs_maximizing")[0].id]}.get(when, words)
    with subprocess.Popen(
        [sys.executable, "-m", "grader", *words], cwd=KIT, stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, env={**os.environ, "LAB": str(lab), "TMPDIR": str(scratch)},
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # which nohup would have ignored
    ) as grader:  # fmt: skip
        assert soon(lambda: any("here" in files for _, _, files in os.walk(scratch)))
        os.kill(grader.pid, number)
        assert grader.wait() == (-number if number == signal.SIGKILL else 128 + number)
    assert soon(lambda: not processes_of(tmp_path))
    assert number == signal.SIGKILL or not list(scratch.iterdir())


def test_look_at_nobody() -> None:
    assert look_at(1 << 30) is None


@pytest.mark.parametrize(
    "line",
    [
        "threading.Thread(target=time.sleep, args=(600,)).start()",
        "threading.Timer(600, print).start(); sys.stdout.close(); sys.stderr.close()",
        "os.close(1); os.close(2)",
        "atexit.register(os.abort)",
        "sys.stdout = sys.stderr = None",
    ],
)
def test_make_run_prints_its_table_whatever_is_left_running(
    line: str, write_lab: Callable[[str], Path], model: str, bank: Bank
) -> None:
    lab = write_lab(f"import atexit, os, sys, threading, time\n{model}\n{line}\n")
    answer = Running(bank.of("make_run")[0].calls[0], lab, 2.0).answer()
    assert (answer.ending, answer.outcomes[0]["status"]) == (Ending.ANSWERED, 0)
    assert answer.outcomes[0]["text"].startswith("10: WIN\n9: LOSE\n")


def test_the_threads_of_a_process_are_those_that_the_kernel_lists() -> None:
    for is_alone in (True, False):
        with subprocess.Popen([sys.executable, "-c", WAITING[is_alone]], stdin=-1, stdout=-1) as process:
            assert process.stdout and process.stdout.read(1)
            found = look_at(process.pid)
            assert found and found.has_threads is not is_alone
            assert sorted(found.threads) == sorted(os.listdir(f"/proc/{process.pid}/task"))
            process.kill()
