"""The child process as the grader sees it: its start, its messages, its output and its
end.
"""

import contextlib
import functools
import importlib.util
import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boards.reading import read_boards, read_trees
from grader.finder import BOOT
from grader.kit import KIT
from grader.protocol.answer import Ending, Request
from grader.protocol.limits import KEPT_OUTPUT, MOST_ANSWER, MOST_OUTPUT
from grader.protocol.replies import Reply, read_reply
from grader.sandbox.process import (
    LOOK_EVERY,
    as_student,
    end,
    late,
    new_folder,
    remove_folder,
    used_by,
)

# The folder in which Python finds yaml.  This module does not import yaml to find it,
# because the import takes long.
LIBRARIES = Path(getattr(importlib.util.find_spec("yaml"), "origin", "")).parent.parent
# The environment variable with this name may hold a command that starts the child
# inside something else, such as bubblewrap.  In the command, {lab} stands for the path
# of lab.py, and {folder} for the folder of the child.
AROUND = "GRADER_AROUND"
MOST_PROCESSES = 64
MOST_UNREAD = 8  # lines
# Each line counts as so many bytes longer than it is, because the grader itself needs
# memory for each line.
A_LINE = 256
NO_NEWS = b"\n"

# How many new objects Python may have before it looks for garbage.  A recorded search
# keeps thousands of boards.  With Python's default of 700, Python would look for
# garbage too often.
OBJECTS_BETWEEN_COLLECTIONS = 10_000
START = (
    f"import gc; gc.disable(); gc.set_threshold({OBJECTS_BETWEEN_COLLECTIONS}); "
    f"{BOOT} sys.path.append(sys.argv[2]); "
    "from grader.child.main import main; sys.dont_write_bytecode = True; gc.enable(); "
    "main(*sys.argv[3:])"
)


@functools.cache
def _drawings() -> bytes:
    """Return the named boards and trees, as the first line that a child reads.

    Without this line the child would have to import yaml to read them.  That import
    takes longer than everything else that the child does before it imports lab.py.
    """
    return f"{json.dumps([read_boards(), read_trees()])}\n".encode()


@dataclass(eq=False)
class Stopped(Exception):
    """Raised if a child has passed a limit, so that the grader must end it."""

    ending: Ending  # the limit that the child passed
    # How many seconds of CPU the child had used; 0 if that is not known.
    cpu: float = 0.0


class Child:
    """A child process.

    It has a session and a folder of its own, and gets only a few environment variables.
    """

    def __init__(self, lab: Path, wishes: Sequence[str]) -> None:
        """Start the child.

        `wishes` may contain the words "fork" and "games", which `main` of
        grader/child/main.py explains.
        """
        drawings = _drawings()
        # True from the moment when the grader sends a function or a game, until the
        # child can take the next one.  A child that does not fork takes only one, so
        # for such a child this stays True.
        self.busy = False
        self._folder = new_folder()
        self._prints = tempfile.TemporaryFile()  # noqa: SIM115
        environment = {
            "PYTHONHASHSEED": "0",
            "PYTHONUTF8": "1",
            "PATH": os.defpath,
            "SQLITE_TMPDIR": ".",
        }
        if "SYSTEMROOT" in os.environ:  # on Windows
            environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
        flags = ["-P", "-s"]
        if sys.dont_write_bytecode:
            flags.append("-B")
        around = [
            word.format(lab=lab, folder=self._folder)
            for word in shlex.split(os.environ.get(AROUND, ""))
        ]
        args = [str(KIT), str(LIBRARIES), str(lab), *wishes]
        self._process = subprocess.Popen(
            [*around, sys.executable, *flags, "-c", START, *args],
            start_new_session=True,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._prints,
            cwd=self._folder,
            **as_student(),
        )
        self._write(drawings)
        self._lines = queue.Queue[bytes](MOST_UNREAD)
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, run: str, requests: Sequence[Request]) -> None:
        """Send the cases of a function to the child.  Do not wait until the child has
        read them.

        `run` is a random name for this run.  Student code cannot guess the name
        beforehand, so no reply that it has written earlier counts for this run.
        """
        self.busy = True
        cases = [request.as_data() for request in requests]
        line = json.dumps({"run": run, "cases": cases}) + "\n"
        threading.Thread(target=self._write, args=(line.encode(),), daemon=True).start()

    def send_turn(self, turn: Mapping[str, Any]) -> None:
        """Send a turn of a game to a child that waits for a turn.

        If the child is paused, it continues.
        """
        self.busy = True
        self._signal("SIGCONT")
        self._write(f"{json.dumps(turn)}\n".encode())

    def pause(self) -> None:
        """Stop all processes of the child until the next turn.  On Windows, do
        nothing.
        """
        self._signal("SIGSTOP")

    def _signal(self, name: str) -> None:
        if hasattr(signal, name):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, getattr(signal, name))

    def replies(self, run: str, cpu: float, wall: float) -> Iterator[Reply]:
        """Yield the replies that belong to a run.

        End when the child ends, or when it has too many processes.  Raises Stopped if
        the child takes more than `wall` seconds on the clock, or sends too much.  On
        Linux, time in which the child waits for a processor is left out of these
        seconds.  `cpu` is how many seconds of CPU the child may use.  If the time on
        the clock is up, `cpu` decides whether the child has used too much CPU or has
        stalled.
        """
        next_look = time.monotonic() + LOOK_EVERY
        size = 0
        first = None
        while True:
            line = NO_NEWS
            with contextlib.suppress(queue.Empty):
                line = self._lines.get(timeout=LOOK_EVERY)
            size += len(line) + A_LINE
            if not line:
                return
            if size > MOST_ANSWER:
                raise Stopped(Ending.TOO_LARGE)
            if time.monotonic() > next_look:
                next_look = time.monotonic() + LOOK_EVERY
                now = used_by(self._process.pid)
                first = first or now
                if now.processes > MOST_PROCESSES:
                    return
                if now.seconds_since(first) > wall:
                    cpu_used = max(0.0, now.cpu - first.cpu)
                    raise Stopped(late(cpu_used, cpu), cpu_used)
            reply = read_reply(line)
            if reply and reply.run == run:
                yield reply

    @property
    def leaves_somebody(self) -> bool:
        """Whether the process group of the child has a second process that is still
        alive.
        """
        return used_by(self._process.pid).processes > 1

    def printed(self) -> tuple[str, bool]:
        """Return the last part of what the child has printed, and whether it has
        printed 16 MiB or more.
        """
        size = self._prints.seek(0, os.SEEK_END)
        self._prints.seek(max(0, size - KEPT_OUTPUT))
        text = self._prints.read(KEPT_OUTPUT).decode("utf-8", "replace")
        return text, size >= MOST_OUTPUT

    def end(self) -> int:
        """End the child and all processes that it has started.

        Return the exit status of the child; -N if signal N ended it.
        """
        status = end(self._process)
        if os.environ.get(AROUND) and status > 128:
            # If signal N ended the command, bubblewrap and shells end with the status
            # 128 + N.
            status = 128 - status
        remove_folder(self._folder)
        # The thread that runs `_read` may be waiting until there is room in the queue.
        while not self._lines.empty():
            self._lines.get()
        with self._prints, contextlib.suppress(OSError, ValueError):
            assert self._process.stdin
            self._process.stdin.close()
        return status

    def _read(self) -> None:
        assert self._process.stdout
        with contextlib.suppress(OSError, ValueError), self._process.stdout as pipe:
            while (
                line := pipe.readline(MOST_ANSWER + 1)
            ) and self._process.returncode is None:
                self._lines.put(line)
        self._lines.put(b"")

    def _write(self, data: bytes) -> None:
        assert self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            # Closing the pipe would write out whatever its buffer holds.  So the data
            # goes around that buffer.
            while data:
                data = data[os.write(self._process.stdin.fileno(), data) :]
