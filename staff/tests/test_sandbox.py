"""The sandbox: how a case ends, with fork and without, and that the next function runs.

The times here are limits that a case surely reaches.  No test says how long something
may take.
"""

import contextlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.kit import KIT
from grader.protocol.answer import Answer, Ending, Isolation, Request
from grader.protocol.limits import CALL_BEGINS
from grader.sandbox import child
from grader.sandbox.sandbox import NeverStarted, Sandbox
from staff.tests.conftest import Submit
from staff.tests.support.waiting import processes_about, soon

EMPTY = {"board": ["......."] * 6, "players": ["A", "B"]}
AMPLE = 20.0
SHORT = 0.2
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="what holds here is Linux's")
IMPORTS_MAIN = "from grader.child.main"  # in the first statements of the child
Open = Callable[..., Sandbox]


@pytest.fixture(params=[True, False], ids=["fork", "alone"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the sandbox of a lab.py with the functions `tried` and `sound`."""
    with contextlib.ExitStack() as stack:

        def opened(body: str = "return 1", before: str = "") -> Sandbox:
            lab = tmp_path / "lab.py"
            sound = "def sound(board): return 'sound'\n"
            lab.write_text(f"{before}\n{tried(body)}\n{sound}", encoding="utf-8")
            return stack.enter_context(contextlib.closing(Sandbox(lab, request.param)))

        yield opened


def tried(body: str) -> str:
    """The function `tried` with this body."""
    return "def tried(board):\n" + textwrap.indent(textwrap.dedent(body), "    ")


def begin_with(statements: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every child run these statements first, with what they know of the kit."""
    start = child.START.replace(IMPORTS_MAIN, f"{statements}; {IMPORTS_MAIN}")
    monkeypatch.setattr(child, "START", start)


def a_case(function: str = "tried", seconds: float = AMPLE, calls: int = 1) -> Request:
    return Request("board", function, (EMPTY,) * calls, seconds)


def answer_of(sandbox: Sandbox, case: Request) -> Answer:
    """The Answer to a case that runs alone."""
    (answer,) = sandbox.run([case])
    return answer


def value_of(answer: Answer) -> object:
    """What the only call of a case has returned."""
    assert (answer.ending, answer.raised) == (Ending.ANSWERED, None), answer
    return answer.outcomes[0]["value"]


# --- how a case ends -----------------------------------------------------------------

FORGED = """
import json, os, sys
frame, keys = sys._getframe(), []
while frame:
    request = frame.f_locals.get("request")
    keys += [request["run"]] if isinstance(request, dict) and "run" in request else []
    frame = frame.f_back
lines = [{"what": "outcome", "run": key, "outcome": outcome} for key in [*keys, "x"]
         for outcome in ({"value": "forged"}, 3)]
lines += [{"what": "ended", "run": "x"}]
lines += [{"what": "ended", "run": keys[0], "status": -1}, {"what": "x"}, {}, 7]
garbage = b"\\xff\\n{{{\\n[[[\\n"
for pipe in range(3, 99):
    try:
        forged = [json.dumps(line).encode() + b"\\n" for line in lines]
        os.write(pipe, b"".join(forged) + garbage)
    except OSError:
        pass
return "said"
"""
# staff/submissions/labs/hostile.yaml has more of them, each through a whole session.
ENDINGS: dict[str, tuple[str, float, Ending, int]] = {
    "raises": ("raise KeyError(3)", AMPLE, Ending.ANSWERED, 0),
    "ends Python": ("import os; os._exit(7)", AMPLE, Ending.EXITED, 7),
    "ends Python in silence": ("import os; os._exit(0)", AMPLE, Ending.EXITED, 0),
    "is killed": ("import os; os.kill(os.getpid(), 15)", AMPLE, Ending.KILLED, 15),
    "crashes": ("import ctypes; ctypes.string_at(0)", AMPLE, Ending.KILLED, 11),
    "floods": ("print('x' * (20 << 20))", AMPLE, Ending.FLOODED, 0),
    "floods on": ("while True:\n    print('x' * (1 << 20))", AMPLE, Ending.FLOODED, 0),
    "hangs": ("while True: pass", SHORT, Ending.CPU_TIME_UP, 0),
    "hangs in C": (
        "import itertools; all(itertools.repeat(1))", SHORT, Ending.CPU_TIME_UP, 0
    ),
    "hangs in a thread": (
        "import threading\ndef hang():\n    while True: pass\n"
        "hangs = threading.Thread(target=hang); hangs.start(); hangs.join()",
        SHORT,
        Ending.CPU_TIME_UP,
        0,
    ),
    "sleeps": ("import time\ntime.sleep(600)", SHORT, Ending.STALLED, 0),
    "recurses deep": (
        "import sys; sys.setrecursionlimit(10 ** 9)\n"
        "class A:\n    def __repr__(self): return repr(self)\nrepr(A())",
        AMPLE,
        Ending.KILLED,
        11,
    ),
    "forges replies": (FORGED, AMPLE, Ending.GARBLED, 0),
    "writes half a line": (
        "import os\nfor pipe in range(3, 20):\n    try: os.write(pipe, b'{1')\n"
        "    except OSError: pass\nos._exit(0)",
        AMPLE,
        Ending.EXITED,
        0,
    ),
    "writes without end": (
        "import os\nwhile True:\n    for pipe in range(3, 20):\n"
        "        try: os.write(pipe, b'x\\n' * 999)\n        except OSError: pass",
        AMPLE,
        Ending.TOO_LARGE,
        0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", ENDINGS)
def test_how_a_case_ends_and_the_next_function_runs(how: str, opened: Open) -> None:
    body, seconds, ending, detail = ENDINGS[how]
    sandbox = opened(body)
    first, *others = sandbox.run([a_case(seconds=seconds), a_case(seconds=seconds)])
    assert first.ending is ending and (not detail or first.detail == detail), first
    assert (len(others) == 1) is (ending is Ending.ANSWERED)
    assert value_of(answer_of(sandbox, a_case("sound"))) == "sound"


def test_a_process_that_ignores_signals_ends_too(opened: Open) -> None:
    body = """
        import signal
        for name in ("SIGPROF", "SIGXCPU", "SIGTERM", "SIGALRM", "SIGINT"):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        while True:
            pass
    """
    sandbox = opened(body)
    assert answer_of(sandbox, a_case(seconds=SHORT)).ending is Ending.CPU_TIME_UP


def test_what_a_case_was_doing_when_its_time_was_up(opened: Open) -> None:
    sandbox = opened(
        "print('hello', flush=True)\ninner()", "def inner():\n    while True: pass\n"
    )
    answer = answer_of(sandbox, a_case(seconds=0.5))
    assert [name for _, name in answer.frames] == ["tried", "inner"]
    assert answer.printed == f"{CALL_BEGINS.format(0)}hello\n"


def test_each_case_has_seconds_of_its_own(opened: Open) -> None:
    """Together they take several times what one of them has."""
    body = """
        import time
        began = time.process_time()
        while time.process_time() < began + 0.2:
            pass
    """
    sandbox = opened(body)
    cases = [a_case(seconds=0.4)] * 4
    assert [answer.ending for answer in sandbox.run(cases)] == [Ending.ANSWERED] * 4


def test_the_cases_before_the_end_are_answered(opened: Open) -> None:
    body = """
        COUNT.append(1)
        print(len(COUNT))
        if len(COUNT) == 5:
            import os
            os._exit(3)
        return len(COUNT)
    """
    sandbox = opened(body, "COUNT = []")
    two, ended = sandbox.run([a_case(calls=3), a_case(calls=3), a_case()])
    assert [outcome["value"] for outcome in two.outcomes] == [1, 2, 3]
    assert two.printed == "".join(
        f"{CALL_BEGINS.format(call)}{call + 1}\n" for call in range(3)
    )
    assert (ended.ending, [outcome["value"] for outcome in ended.outcomes]) == (
        Ending.EXITED,
        [4],
    )
    assert value_of(answer_of(sandbox, a_case())) == 1  # in a fresh process


def test_a_run_that_is_left_ends_with_the_next(opened: Open) -> None:
    sandbox = opened(
        "import time\nif COUNT: time.sleep(600)\nCOUNT.append(1)", "COUNT = []"
    )
    left = sandbox.run([a_case(), a_case(), a_case()])
    assert next(left).ending is Ending.ANSWERED
    assert value_of(answer_of(sandbox, a_case("sound"))) == "sound"
    assert list(left) == []


def test_cases_are_sent_while_lab_py_is_imported(opened: Open) -> None:
    sandbox = opened(before="print('importing')")
    running = sandbox.run([a_case()])
    assert sandbox.load().imported
    assert [value_of(answer) for answer in running] == [1]


def test_a_large_request_and_large_answers_come_through(opened: Open) -> None:
    cases = [a_case(calls=500)] * 3
    answers = list(opened("return ['x' * 9_000] * 20").run(cases))
    assert [answer.ending for answer in answers] == [Ending.TOO_LARGE]
    answers = list(opened("return 'x' * 9_000").run(cases))
    assert [len(answer.outcomes) for answer in answers] == [500] * 3


@LINUX
@pytest.mark.parametrize("opened", [True], ids=["fork"], indirect=True)
def test_a_busy_machine_makes_no_stall(opened: Open) -> None:
    """The loop gets its seconds of CPU late, since 12 others share the processor.

    With so many, the loop has had less than half of them when a stall is looked for.
    """
    processors = os.sched_getaffinity(0)
    loop = ["sh", "-c", "while :; do :; done"]
    os.sched_setaffinity(0, [min(processors)])
    others = [subprocess.Popen(loop, start_new_session=True) for _ in range(12)]
    try:
        answer = answer_of(opened("while True: pass"), a_case(seconds=SHORT))
        assert answer.ending is Ending.CPU_TIME_UP
    finally:
        os.sched_setaffinity(0, processors)
        for other in others:
            other.kill()
            other.wait()


# --- the import ----------------------------------------------------------------------

IMPORTS: dict[str, tuple[str, Ending, str]] = {
    "raises": ("raise ValueError('no')", Ending.ANSWERED, "ValueError"),
    "ends Python": ("import os; os._exit(0)", Ending.EXITED, ""),
    "never ends": ("while True: pass", Ending.CPU_TIME_UP, ""),
    "floods": ("print('x' * (20 << 20))", Ending.FLOODED, ""),
    "reads yaml": (
        "from boards import *\nimport yaml\nassert yaml.safe_load('[1]') == [1]",
        Ending.ANSWERED,
        "",
    ),
}


@pytest.mark.parametrize("how", IMPORTS)
def test_how_an_import_ends(
    how: str, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, ending, raised = IMPORTS[how]
    begin_with(
        "import grader.protocol.limits as ours; ours.IMPORT_SECONDS = 0.5", monkeypatch
    )
    sandbox = opened(before=before)
    for loaded in (sandbox.load(), *sandbox.run([a_case()])):
        assert loaded.ending is ending
        assert (loaded.raised.type if loaded.raised else "") == raised
    assert bool(sandbox.load().imported) is (how == "reads yaml")


def test_lab_py_has_its_boards_without_yaml(opened: Open) -> None:
    sandbox = opened(
        "import sys\nreturn 'yaml' in sys.modules",
        "from boards import *\nassert FOUR_BY_FOUR.children",
    )
    assert [value_of(answer) for answer in sandbox.run([a_case()])] == [False]


@LINUX
def test_threads_with_a_large_stack_one_after_another_never_fail(
    tmp_path: Path,
) -> None:
    """A thread that has ended holds its stack for another moment.

    That takes longer on a busy machine, and three processes at once make it busy.
    """
    body = """
        import threading
        threading.stack_size(512 * 1024 * 1024)
        ended = []
        for number in range(200):
            thread = threading.Thread(target=ended.append, args=(number,))
            thread.start()
            thread.join()
        return len(ended)
    """
    lab = tmp_path / "lab.py"
    lab.write_text(tried(body), encoding="utf-8")
    with contextlib.ExitStack() as stack:
        sandboxes = [
            stack.enter_context(contextlib.closing(Sandbox(lab))) for _ in range(3)
        ]
        # All are sent before the first answer is read.
        runs = [sandbox.run([a_case()]) for sandbox in sandboxes]
        assert [value_of(answer) for run in runs for answer in run] == [200, 200, 200]


def test_a_lab_that_starts_threads_runs_without_fork(opened: Open) -> None:
    waits = (
        "import threading, os\nstop = threading.Event()\n"
        "threading.Thread(target=stop.wait).start()"
    )
    sandbox = opened("import threading\nreturn threading.active_count()", waits)
    loaded = sandbox.load()
    assert loaded.imported and not loaded.imported.forks
    for _ in range(2):
        answers = sandbox.run([a_case(), a_case()])
        assert [value_of(answer) for answer in answers] == [2, 2]


def test_a_child_that_never_comes_to_lab_py_is_a_fault_of_ours(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "START", "raise SystemError('of ours')")
    with pytest.raises(NeverStarted, match="SystemError: of ours"):
        opened().load()


# --- what a function may do ----------------------------------------------------------

# fmt: off
REFUSED = {
    "a TCP connection": "socket.create_connection(('127.0.0.1', 9), 1)",
    "a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    "a Unix socket": "socket.socket(socket.AF_UNIX)",
    "a pair of datagram sockets": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "a case file": f"open({str(KIT / 'boards' / 'cases' / '2d-alphabeta.yaml')!r})",
    "the folder of cases": f"os.listdir({str(KIT / 'boards' / 'cases')!r})",
    "a file of the system": "open('/etc/passwd')",
    "the memory of the grader": "open(f'/proc/{GRADER}/mem', 'rb')",
    "the variables of the grader": "open(f'/proc/{GRADER}/environ', 'rb').read()",
    "writing elsewhere": "open('/tmp/of-a-lab', 'w')",
    "writing into the kit": f"open({str(KIT / 'of-a-lab')!r}, 'w')",
    "killing the grader": "os.kill(GRADER, 0)",
    "stopping the grader's thread": "signal.pidfd_send_signal(os.pidfd_open(GRADER), 0)",
    "a signal by a file's owner": "fcntl.fcntl(0, fcntl.F_SETOWN, GRADER)",
    "a limit of the grader": "resource.prlimit(GRADER, resource.RLIMIT_NOFILE)",
    "the priority of the grader": "os.setpriority(os.PRIO_PROCESS, GRADER, 5)",
    "the processors of the grader": "os.sched_setaffinity(GRADER, [0])",
    "a process": "os.fork()",
    "a process in a new way": "raw(435, 0, 0)",
    "a process that shares memory": "raw({'x86_64': 56, 'aarch64': 220}[os.uname().machine], 0x111, 0, 0, 0, 0)",
    "a program": "subprocess.run(['true'])",
    "another program in this place": "os.execv('/bin/true', ['true'])",
    "a pool of processes": "multiprocessing.Process(target=int).start()",
    "outliving the child": "raw({'x86_64': 157, 'aarch64': 167}[os.uname().machine], 1, 0, 0, 0, 0)",
    "shared memory": "raw({'x86_64': 29, 'aarch64': 194}[os.uname().machine], 0, 4096, 0o600)",
    "a mount": "raw({'x86_64': 165, 'aarch64': 40}[os.uname().machine], b'none', b'.', b'tmpfs', 0, 0)",
    "another root": "os.chroot('.')",
    "a file in memory": "os.memfd_create('lab')",
    "a process that looks into it": "raw({'x86_64': 101, 'aarch64': 117}[os.uname().machine], 0, 0, 0, 0)",
    "the pipe of requests": "os.read(3, 0)",
    "more memory than there is": "resource.setrlimit(resource.RLIMIT_DATA, (1 << 40, 1 << 40))",
}
ALLOWED = {
    "a file of its own": "open('mine', 'w').write('x')",
    "a folder of its own": "tempfile.TemporaryDirectory(dir='.').cleanup()",
    "a thread": "run(threading.Thread(target=int))",
    "an event loop": "asyncio.run(asyncio.sleep(0))",
    "the mode of lab.py, as it seems": "os.chmod(__file__, 0o777)",
    "the times of lab.py, as it seems": "os.utime(__file__, (1, 1))",
    "a group of its own, as it seems": "os.setpgid(0, 0)",
    "its own text": "open(__file__).read()",
}
# fmt: on
TRIES = """
import asyncio, ctypes, fcntl, multiprocessing, os, resource, signal, socket
import subprocess, tempfile, threading
_libc = ctypes.CDLL(None, use_errno=True)
def raw(*args):
    if _libc.syscall(*args) == -1:
        raise OSError(ctypes.get_errno(), "refused")
def run(thread):
    thread.start()
    thread.join()
def result(code):
    try:
        eval(code)
    except (OSError, ValueError) as error:
        return f"refused: {error}"
    return "done"
"""


@LINUX
def test_what_a_function_may_do(opened: Open, tmp_path: Path) -> None:
    tries = f"{TRIES}\nGRADER = {os.getpid()}\nPROBES = { ({**REFUSED, **ALLOWED})!r}\n"
    sandbox = opened(
        "return {name: result(code) for name, code in PROBES.items()}", tries
    )
    sandbox.load()
    if sandbox.isolation.tier != "closed" or sandbox.isolation.landlock < 4:
        pytest.skip("this machine lacks something")
    about = (tmp_path / "lab.py").stat()
    pairs = value_of(answer_of(sandbox, a_case()))
    assert isinstance(pairs, dict)
    results = dict(pairs["$dict"])
    assert {name: results[name] for name in ALLOWED} == dict.fromkeys(ALLOWED, "done")
    assert [name for name in REFUSED if not results[name].startswith("refused")] == []
    assert (tmp_path / "lab.py").stat() == about


@LINUX
def test_without_landlocks_signals_the_filter_refuses_them(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_with(
        "import grader.child.isolation as ours; ours.close_files = lambda *args: 0",
        monkeypatch,
    )
    tries = [
        "os.kill(GRADER, 0)",
        "signal.pthread_kill(threading.get_ident(), 0)",
        "os.killpg(0, 0)",
    ]
    sandbox = opened(
        f"return [result(code) for code in {tries}]", f"{TRIES}\nGRADER = {os.getpid()}"
    )
    results = value_of(answer_of(sandbox, a_case()))
    if not sandbox.isolation.seccomp:
        pytest.skip("no seccomp here")
    assert sandbox.isolation == Isolation(seccomp=True)
    assert isinstance(results, list)
    assert [result for result in results if not result.startswith("refused")] == []


def test_what_a_function_writes_is_nobody_elses(opened: Open, tmp_path: Path) -> None:
    body = """
        import os
        open("mine", "w").close()
        os.makedirs("a/b")
        return [os.getcwd(), len(os.listdir("."))]
    """
    sandbox = opened(body, "import os\nos.chdir('/')")
    folders = []
    for _ in range(2):
        value = value_of(answer_of(sandbox, a_case()))
        assert isinstance(value, list)
        folder, size = value
        assert size == 2
        folders.append(Path(folder))
    sandbox.close()
    assert folders[0] != folders[1]
    assert not any(folder.exists() for folder in folders)


# --- what is left --------------------------------------------------------------------


def is_alive(process: int) -> bool:
    """Whether a process has not ended."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


LEAVES = """
import os, time
def leave():
    if child := os.fork():
        return child
    os.setsid()
    time.sleep(600)
"""


@LINUX
@pytest.mark.parametrize("filtered", [True, False])
def test_nobody_is_left(
    filtered: bool, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the filter a function starts no process.

    Without the filter, a process that a function leaves behind ends with the child.
    """
    if not filtered:
        begin_with(
            "import grader.child.isolation as ours; "
            "ours.filter_calls = lambda **kwargs: False",
            monkeypatch,
        )
    sandbox = opened(
        "try: return leave()\nexcept OSError: return 0",
        f"{LEAVES.replace('os.setsid()', '')}\nLEFT = leave()",
    )
    left = value_of(answer_of(sandbox, a_case()))
    if not sandbox.isolation.seccomp and filtered:
        pytest.skip("no seccomp here")
    assert bool(left) is not filtered
    assert isinstance(left, int)
    assert value_of(answer_of(sandbox, a_case("sound"))) == "sound"
    assert not left or soon(lambda: not is_alive(left))


@LINUX
def test_what_the_import_has_started_ends_with_the_child(opened: Open) -> None:
    sandbox = opened("return LEFT", f"{LEAVES}\nLEFT = leave()")
    left = value_of(answer_of(sandbox, a_case()))
    assert isinstance(left, int)
    sandbox.close()
    assert soon(lambda: not is_alive(left))


@LINUX
def test_a_fork_bomb_in_the_import_is_stopped(opened: Open) -> None:
    bomb = (
        "import os, time\nfor _ in range(200):\n    if os.fork() == 0:\n"
        "        time.sleep(600)\ntime.sleep(600)"
    )
    assert opened(before=bomb).load().ending is Ending.KILLED


RUNS_A_CASE = """
import sys
from pathlib import Path
from grader.sandbox.sandbox import Sandbox
from staff.tests.test_sandbox import a_case
list(Sandbox(Path(sys.argv[1])).run([a_case(seconds=600.0)]))
"""
HANGS = "import time\nopen('here', 'w').close()\ntime.sleep(600)\n"


@LINUX
@pytest.mark.parametrize(
    "lab", [HANGS, tried(HANGS)], ids=["in the import", "in a case"]
)
def test_a_grader_that_is_killed_leaves_nobody(lab: str, submit: Submit) -> None:
    file = submit(lab)
    folder = file.parent
    with subprocess.Popen(
        [sys.executable, "-c", RUNS_A_CASE, str(file)],
        cwd=KIT,
        env={**os.environ, "TMPDIR": str(folder)},
    ) as grader:
        has_come = soon(lambda: any(folder.glob("lab-*/**/here")))
        children = [pid for pid in processes_about(folder) if pid != grader.pid]
        grader.kill()
    assert has_come
    assert children
    assert soon(lambda: not processes_about(folder))
