"""Starts the child process that runs lab.py, and ends it with all that came of it."""

import contextlib
import dataclasses
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from grader.finder import BOOT
from grader.kit import KIT
from grader.protocol.locks import READY, Locks
from grader.sandbox.second import Second
from grader.sandbox.user import as_student

LIBRARIES = Path(getattr(importlib.util.find_spec("yaml"), "origin", "")).parent.parent  # to import it takes longer
PATIENCE = 7.0  # with a keeper who looks for processes that hide

# A search that is recorded keeps thousands of boards, which Python's default of 700 goes through too often.
OBJECTS_BETWEEN_COLLECTIONS = 10_000
_BOOT = (
    f"import gc; gc.disable(); gc.set_threshold({OBJECTS_BETWEEN_COLLECTIONS}); {BOOT} sys.path.append(sys.argv[2]); "
    "from grader.worker.worker import main; sys.dont_write_bytecode = True; "
    "main(sys.argv[3], int(sys.argv[4]) if sys.argv[4] else None, *map(int, sys.argv[5:]))"
)


class NeverStarted(RuntimeError):
    """The child process ended before it came to lab.py: a fault of ours or of the machine's."""


def start_worker(
    lab: Path, scratch: str, status: int | None = None, others: Sequence[Second] = ()
) -> "subprocess.Popen[bytes]":
    """The child process, in its own session, with a cleared environment, in an empty folder; and others like it.

    It keeps the bytecode of the kit, if the grader does, and none from lab.py on.
    """
    environment = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "PATH": os.defpath, "SQLITE_TMPDIR": "."}
    if "SYSTEMROOT" in os.environ:
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    words = [str(KIT), str(LIBRARIES), str(lab.resolve()), "" if status is None else str(status)]
    pipes = [pipe for other in others for pipe in other.theirs]
    words += map(str, pipes)
    return subprocess.Popen(
        [sys.executable, "-P", "-s", *(["-B"] if sys.dont_write_bytecode else []), "-c", _BOOT, *words],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=() if status is None else (status, *pipes),
        start_new_session=True,
        env=environment,
        cwd=scratch,
        **as_student(),
    )


def end(process: "subprocess.Popen[bytes] | Second") -> None:
    """End a process that was started in a session of its own, and with it all that came of it.

    The end of its standard input, and SIGTERM, say so to the keeper (keeper.py), who does the work;
    a keeper who does not is killed with those that stayed in its group.
    """
    send = process.send_signal if isinstance(process, Second) else partial(os.killpg, process.pid)
    if process.stdin and not process.stdin.closed:
        process.stdin.close()
    for number in ("SIGCONT", "SIGTERM", "SIGKILL"):
        with contextlib.suppress(AttributeError, ProcessLookupError, PermissionError):
            send(getattr(signal, number))
        with contextlib.suppress(subprocess.TimeoutExpired):
            if number != "SIGCONT":
                process.wait(PATIENCE)
                return
    process.kill()
    process.wait()


def read_locks(data: bytes, said: str = "") -> Locks:
    """The locks in the first line of a child process.  Raises NeverStarted where it did not come to lab.py, with the
    place in the kit that it `said` on standard error.

    >>> read_locks(Locks(landlock=7).line() + b"{}") == Locks(landlock=7)
    True
    """
    first, end, _ = data.partition(b"\n")
    if not (end and first.startswith(READY)):
        places = re.findall(rf'File "{re.escape(str(KIT))}.(.+)", line (\d+)', said)
        why = ": {0[0]}, line {0[1]}: {1:.200}".format(places[-1], said.splitlines()[-1]) if places else ""
        raise NeverStarted(f"the process for lab.py could not be started{why}")
    return dataclasses.replace(Locks(**json.loads(first.removeprefix(READY))), other_user=bool(as_student()))
