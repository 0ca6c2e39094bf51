"""A student's code, at arm's length: send a case, get an Answer, whatever happens inside.

Two ways of doing it, with the same door: forking.py where there is fork (a process a case), and
spawning.py elsewhere (a process a function).
"""

import contextlib
import itertools
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Protocol

import yaml

from grader.answer import Answer, Request
from grader.finder import BOOT, FOLDER
from grader.locks import Locks
from grader.user import as_student, check_reach, give_to_student

KIT = Path(FOLDER)
LIBRARIES = Path(yaml.__file__).parent.parent

KEPT_OUTPUT = 64 * 1024
MOST_LEFT = 500  # files and folders that a case leaves behind
MOST_OUTPUT = 16 * 1024 * 1024
MOST_ANSWER = 8 * 1024 * 1024
WALL_PER_CPU_SECOND = 5
IMPORT_WALL = 15.0
STARTING_CPU = 0.5  # for Python itself, amply
PATIENCE = 7.0  # with a keeper who looks for processes that hide

_BOOT = (
    f"{BOOT} sys.path.append(sys.argv[2]); "
    "from grader.worker import main; main(sys.argv[3], int(sys.argv[4]) if sys.argv[4] else None)"
)


class Sandbox(Protocol):
    """Runs the cases of one lab.py.  `last_was_fresh` says whether the last case had a process to
    itself; where it had not, `renew` gives the next one a new process.  `locks` says what holds the
    process that the last `load` started.  `importing` is what all imports of lab.py have cost so
    far, in seconds."""

    last_was_fresh: bool
    locks: Locks
    importing: float

    def renew(self) -> None:
        """Run the next case in a new process."""

    def load(self) -> Answer:
        """Import lab.py; `imported` of the Answer says whether that went well."""

    def answer(self, request: Request) -> Answer:
        """Run one case."""

    def close(self) -> None:
        """End every process and remove the scratch folder."""


def open_sandbox(lab: Path, fork: bool | None = None) -> Sandbox:
    """A sandbox for this lab.py; `fork` is for tests that force the other way.

    Raises OSError where the student's code cannot run as the user that GRADER_USER names.
    """
    from grader.forking import ForkingSandbox
    from grader.spawning import SpawningSandbox

    check_reach(KIT, LIBRARIES, lab.resolve())
    wants_fork = hasattr(os, "fork") if fork is None else fork
    return ForkingSandbox(lab) if wants_fork else SpawningSandbox(lab)


def start_worker(lab: Path, scratch: str, status: int | None = None) -> "subprocess.Popen[bytes]":
    """The child process, in its own session, with a cleared environment, in an empty folder."""
    environment = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "PATH": os.defpath}
    if "SYSTEMROOT" in os.environ:
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    words = [str(KIT), str(LIBRARIES), str(lab.resolve()), "" if status is None else str(status)]
    return subprocess.Popen(
        [sys.executable, "-P", "-s", "-B", "-c", _BOOT, *words],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=() if status is None else (status,),
        start_new_session=True,
        env=environment,
        cwd=scratch,
        **as_student(),
    )


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process that was started in a session of its own, and with it all that came of it.

    The end of its standard input, and SIGTERM, say so to the keeper (keeper.py), who does the work;
    a keeper who does not is killed with those that stayed in its group.
    """
    if process.stdin and not process.stdin.closed:
        process.stdin.close()
    for number in ("SIGCONT", "SIGTERM", "SIGKILL"):
        with contextlib.suppress(AttributeError, ProcessLookupError, PermissionError):
            os.killpg(process.pid, getattr(signal, number))
        with contextlib.suppress(subprocess.TimeoutExpired):
            if number != "SIGCONT":
                process.wait(PATIENCE)
                return
    process.kill()
    process.wait()


class Scratch:
    """The folder that a student's code works in.

    It stands in a folder of the grader's own, so that the student's code cannot put a link in its
    place and have something else cleared.
    """

    def __init__(self) -> None:
        self._outer = tempfile.mkdtemp(prefix="lab-")
        os.chmod(self._outer, 0o711)
        self.path = os.path.join(self._outer, "work")
        os.mkdir(self.path, 0o700)
        give_to_student(self.path)
        self._handle = os.open(self.path, os.O_RDONLY) if hasattr(os, "fork") else None

    def fresh(self) -> str:
        """A new empty folder in this one, alone in it, so that no case finds what another one left.

        Raises OSError where that cannot be had: the student's code has shut, moved or replaced the folder.
        """
        if self._handle is None or not os.path.samestat(os.lstat(self.path), os.fstat(self._handle)):
            raise OSError(f"{self.path} is another folder than it was")
        if _is_much(self.path):
            raise OSError(f"{self.path} holds too much to be emptied while the student's code may look on")
        _open_up(self.path)
        for entry in os.listdir(self.path):
            _remove(os.path.join(self.path, entry))
        if os.listdir(self.path):
            raise OSError(f"{self.path} cannot be emptied")
        folder = os.path.join(self.path, secrets.token_hex(8))
        os.mkdir(folder, 0o700)
        give_to_student(folder)
        return folder

    def remove(self) -> None:
        """Delete the folder, whatever stands in it."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        _remove(self._outer)


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        _open_up(path)
        try:
            shutil.rmtree(path, ignore_errors=True)
        except RecursionError:
            subprocess.run(["rm", "-rf", path], check=False)
    else:
        with contextlib.suppress(OSError):
            os.remove(path)


def _is_much(path: str) -> bool:
    """Whether there is more below a folder than an ordinary case leaves."""
    entries = itertools.chain.from_iterable((*folders, *files) for _, folders, files in os.walk(path))
    return next(itertools.islice(entries, MOST_LEFT, None), None) is not None


def _open_up(path: str) -> None:
    """Take back the right to look into a folder and all below it, and to empty them; no link is followed."""
    waiting = [path]
    while waiting:
        with contextlib.suppress(OSError):
            if not os.access(folder := waiting.pop(), os.R_OK | os.W_OK | os.X_OK):
                _make_ours(folder)
            waiting += [entry.path for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]


def _make_ours(folder: str) -> None:
    """Give its owner all rights to a folder, and to nothing that a link in its place leads to."""
    if not hasattr(os, "O_PATH"):
        os.chmod(folder, 0o700, follow_symlinks=os.chmod not in os.supports_follow_symlinks)
        return
    handle = os.open(folder, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY)
    try:
        os.chmod(f"/proc/self/fd/{handle}", 0o700)
    finally:
        os.close(handle)
