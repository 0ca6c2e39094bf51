"""What lab.py can do to files, processes and the network, tried from inside a graded function."""

import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.worker import seccomp
from staff.tests.conftest import KIT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the locks are Linux's")

REFUSED = {
    "a TCP connection": "socket.create_connection(('127.0.0.1', 9), 1)",
    "a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    "a datagram over IPv6": "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b'x', ('::1', 9))",
    "TCP fast open": "socket.socket().sendto(b'x', 0x20000000, ('127.0.0.1', 9))",
    "multipath TCP": "socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)",
    "listening": "socket.socket().listen()",
    "a Unix socket": "socket.socket(socket.AF_UNIX).bind(chr(0) + 'lab')",
    "a netlink socket": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "a packet socket": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "a raw call for a socket": "call('socket', 2, 2, 0)",
    "a pair of datagram sockets": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "naming a pair's end": "socket.socketpair()[0].bind('name')",
    "io_uring": "call('io_uring_setup', 1, ctypes.create_string_buffer(200))",
    "a call by its x32 number": "raw(0x40000000 + 41, 2, 2, 0)",
    "a limit of the grader": "resource.prlimit(GRADER, resource.RLIMIT_NOFILE)",
    "a limit of the worker": "resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
    "tracing the worker": "call('ptrace', 16, os.getppid(), 0, 0)",
    "being traced": "call('ptrace', 0, 0, 0, 0)",
    "the worker's memory": "call('process_vm_readv', os.getppid(), 0, 0, 0, 0, 0)",
    "a file of the worker's": "call('pidfd_getfd', os.pidfd_open(os.getppid()), 0, 0)",
    "comparing processes": "call('kcmp', os.getpid(), os.getppid(), 0, 0, 0)",
    "watching with perf": "call('perf_event_open', 0, 0, 0, 0, 0)",
    "a signal to the grader": "os.kill(GRADER, 0)",
    "a signal to everybody": "os.kill(-1, 0)",
    "a signal by a file's owner": "fcntl.fcntl(0, fcntl.F_SETOWN, GRADER)",
    "a lease on lab.py": "fcntl.fcntl(os.open(__file__, 0), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "the priority of the grader": "os.setpriority(os.PRIO_PROCESS, GRADER, os.getpriority(os.PRIO_PROCESS, GRADER))",
    "the priority of its group": "os.setpriority(os.PRIO_PGRP, 0, 0)",
    "the processors of the worker": "os.sched_setaffinity(os.getppid(), [0])",
    "shared memory": "call('shmget', 0, 4096, 0o600)",
    "a semaphore": "call('semget', 0, 1, 0o600)",
    "a queue": "call('msgget', 0, 0o600)",
    "a POSIX queue": "call('mq_open', b'lab', 0o102, 0o600, 0)",
    "a key": "call('add_key', b'user', b'lab', b'x', 1, -3)",
    "a key ring": "call('keyctl', 0, -3, 1)",
    "a mount": "call('mount', b'none', os.getcwd().encode(), b'tmpfs', 0, 0)",
    "another root": "os.chroot('.')",
    "another user's namespace": "call('unshare', 0x10000000)",
    "a clone in a namespace": "call('clone', 0x10000011, 0, 0, 0, 0)",
    "a clone beside the worker": "call('clone', 0x8011, 0, 0, 0, 0)",
    "clone3": "call('clone3', 0, 0)",
    "a BPF program": "call('bpf', 0, 0, 0)",
    "faults for user space": "call('userfaultfd', 0)",
    "a filter of one's own": "call('seccomp', 1, 0, 0)",
    "a file in memory": "os.memfd_create('lab')",
    "running a program": "os.execv('/bin/true', ['true'])",
    "running a file in memory": "call('execveat', 0, b'', 0, 0, 0x1000)",
    "the memory of this process as a file": "open('/proc/self/mem', 'r+b')",
    "outliving the worker": "prctl(1, 0)",
    "adopting no orphans": "prctl(36, 0)",
    "hiding from the user": "prctl(4, 0)",
    "being anybody's to trace": "prctl(0x59616D61, -1)",
    "verity of lab.py": "fcntl.ioctl(os.open(__file__, 0), 0x40806685, bytes(128))",
    "typing into a terminal": "fcntl.ioctl(0, 0x5412, b'x')",
    "capabilities": "capabilities()",
}
PRETENDED = {
    "the mode of lab.py": "os.chmod(__file__, 0o4777)",
    "the mode of an open file": "os.fchmod(os.open(__file__, 0), 0o777)",
    "the mode by fchmodat2": "call('fchmodat2', -100, __file__.encode(), 0o777, 0)",
    "the times of lab.py": "os.utime(__file__, (1, 1))",
    "the owner of lab.py": "os.chown(__file__, 1, 1)",
    "an attribute of lab.py": "os.setxattr(__file__, 'user.lab', b'x')",
    "a flag of lab.py": "fcntl.ioctl(os.open(__file__, 0), 0x40086602, (64).to_bytes(8, 'little'))",
}
ALLOWED = {
    "an event loop": "asyncio.run(asyncio.sleep(0, 'ran'))",
    "a pair of sockets": "[end.close() for end in socket.socketpair()]",
    "an event's descriptor": "os.eventfd(0)",
    "a pipe": "[os.set_inheritable(end, True) or os.isatty(end) for end in os.pipe()]",
    "a copy of a file": "shutil.copy(__file__, 'copy.py'), shutil.copytree('.', 'copies')",
    "a temporary folder": "tempfile.TemporaryDirectory(dir='.').cleanup()",
    "a thread": "run(threading.Thread(target=int))",
    "a child": "os.waitpid(os.fork() or os._exit(0), 0)",
    "a signal to itself": "os.kill(os.getpid(), 0)",
    "an alarm": "signal.signal(signal.SIGALRM, print), signal.alarm(9), signal.setitimer(signal.ITIMER_REAL, 0)",
    "a lower limit of its own": "resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))",
    "its own priority": "os.nice(1)",
    "dying with the worker": "prctl(1, 9)",
    "a name": "prctl(15, ctypes.c_char_p(b'lab'))",
    "the size of another file": "os.stat('/etc/passwd').st_size",
    "its own file": "open('mine', 'w').write(open(__file__).read(1))",
}
_TRIED = """
import asyncio, ctypes, fcntl, json, os, resource, shutil, signal, socket, tempfile, threading
_libc = ctypes.CDLL(None, use_errno=True)
def raw(*numbers):
    if _libc.syscall(*numbers) == -1:
        raise OSError(ctypes.get_errno(), "refused")
def call(name, *words):
    raw(NUMBERS[name], *words)
def prctl(*words):
    if _libc.prctl(*words, 0, 0, 0) == -1:
        raise OSError(ctypes.get_errno(), "refused")
def run(thread):
    thread.start()
    thread.join()
def capabilities():
    held = (ctypes.c_uint32 * 6)()
    _libc.capget((ctypes.c_uint32 * 2)(0x20080522, 0), held)
    if not any(held):
        raise OSError("none")
def _tried(code):
    try:
        return f"did: {eval(code)}"
    except OSError as error:
        return f"refused: {error}"
def dfs_maximizing(state):
    print(json.dumps({name: _tried(code) for name, code in PROBES.items()}))
"""


def numbers_on(machine: str) -> dict[str, int]:
    """The numbers of system calls on this machine, by their names."""
    column = seccomp._MACHINES[machine][0]
    tables = (seccomp._REFUSED, seccomp._PRETENDED, seccomp._UNKNOWN_HERE, ", ".join(seccomp._RULES))
    return {call: number for table in tables for call, number in seccomp.numbers(table, column).items()}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, model: str) -> Path:
    """A lab.py that tries everything and prints what became of it."""
    file = tmp_path_factory.mktemp("hostile") / "lab.py"
    values = {
        "NUMBERS": numbers_on(os.uname().machine),
        "GRADER": os.getpid(),
        "PROBES": {**REFUSED, **PRETENDED, **ALLOWED},
    }
    constants = "".join(f"{name} = {value!r}\n" for name, value in values.items())
    file.write_text(f"{model}\n{_TRIED}{constants}", encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def sheet(lab: Path, bank: Bank) -> ScoreSheet:
    """The sheet over one case of that lab."""
    with Session(lab, bank) as session:
        return session.sheet_of(bank.of("dfs_maximizing")[:1])


@pytest.fixture(scope="module")
def told(sheet: ScoreSheet) -> dict[str, str]:
    """What became of each try."""
    if sheet.locks.tier != "closed":
        pytest.skip("this machine lacks a lock")
    (verdict,) = sheet.verdicts.values()
    found: dict[str, str] = json.loads(verdict.printed)
    return found


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str, told: dict[str, str], sheet: ScoreSheet) -> None:
    if name == "a signal to the grader" and sheet.locks.landlock < 6:
        pytest.skip("Landlock's older versions know no signals")
    assert told[name].startswith("refused")


@pytest.mark.parametrize("name", [*PRETENDED, *ALLOWED])
def test_what_seems_to_succeed(name: str, told: dict[str, str]) -> None:
    assert told[name].startswith("did")


def test_files_keep_their_modes_and_times(lab: Path, told: dict[str, str]) -> None:
    assert told
    assert lab.stat().st_mode & 0o7777 == 0o644
    assert lab.stat().st_mtime > 1
    assert lab.stat().st_uid == os.getuid()
    assert "user.lab" not in os.listxattr(lab)


HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",
}


@pytest.mark.parametrize("machine", HEADERS)
def test_the_numbers_of_the_calls(machine: str) -> None:
    if not Path(HEADERS[machine]).exists():
        pytest.skip("no headers of the kernel")
    text = Path(HEADERS[machine]).read_text(encoding="utf-8")
    known = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    ours = numbers_on(machine)
    assert {name: known.get(name, number) for name, number in ours.items()} == ours
    assert len(known.keys() & ours.keys()) > 90


def interpreted(program: list[tuple[int, int, int, int]], data: bytes) -> int:
    """What the filter answers to a struct seccomp_data."""
    loaded, at = 0, 0
    while True:
        code, true, false, operand = program[at]
        at += 1
        if code == seccomp._LOAD:
            loaded = int.from_bytes(data[operand : operand + 4], "little")
        elif code == seccomp._AND:
            loaded &= operand
        elif code == seccomp._RETURN:
            return operand
        else:
            holds = loaded == operand if code == seccomp._JUMP_IF_EQUAL else loaded >= operand
            at += true if holds else false


@pytest.mark.parametrize("machine", HEADERS)
def test_what_the_filter_answers(machine: str) -> None:
    column, architecture, _ = seccomp._MACHINES[machine]
    program = seccomp._program(column, architecture)

    def answer(number: int, *words: int, on: int = architecture) -> int:
        return interpreted(program, struct.pack("<IIQ6Q", number, on, 0, *words, *[0] * (6 - len(words))))

    expected = dict.fromkeys(range(600), seccomp._ALLOW)
    for calls, action in (
        (seccomp._REFUSED, seccomp._REFUSE),
        (seccomp._PRETENDED, seccomp._PRETEND),
        (seccomp._UNKNOWN_HERE, seccomp._UNKNOWN),
    ):
        expected.update(dict.fromkeys(seccomp.numbers(calls, column).values(), action))
    watched = seccomp.numbers(", ".join(seccomp._RULES), column)
    expected |= {watched["socketpair"]: seccomp._REFUSE, watched["ioctl"]: seccomp._UNSUPPORTED}
    assert {number: answer(number) for number in range(600)} == expected
    assert answer(watched["socketpair"], 1, 1 | 0o2004000) == seccomp._ALLOW
    assert answer(watched["socketpair"], 1, 5) == seccomp._REFUSE
    assert answer(watched["clone"], 0x3D0F00) == seccomp._ALLOW  # a thread
    assert answer(watched["clone"], 0x1200011) == seccomp._ALLOW  # a fork
    assert answer(watched["clone"], 0x20000011) == seccomp._REFUSE
    assert answer(watched["prlimit64"], (1 << 32) - 1) == seccomp._REFUSE
    assert answer(watched["ioctl"], 3, 0x40086602) == seccomp._PRETEND
    assert answer(watched["ioctl"], 3, 0x5401) == seccomp._ALLOW
    assert answer(0, on=0x40000003) == answer(1 << 30) == seccomp._REFUSE


PLAYED = """
import os
from grader.worker import seccomp
column, architecture, number = seccomp._MACHINES[os.uname().machine]
seccomp._MACHINES[os.uname().machine] = (column, architecture + 1, number)
print(seccomp.filter_calls())
"""


def test_a_filter_that_does_not_fit_the_machine_is_left_out() -> None:
    done = subprocess.run([sys.executable, "-c", PLAYED], cwd=KIT, capture_output=True, text=True, check=False)
    assert done.stdout == "False\n", done.stderr
