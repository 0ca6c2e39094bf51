"""The child as the grader sees it: its process, its pipes, its folder and its
output.
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

# The folder that contains yaml.  It is found without importing yaml, which would take
# long.
LIBRARIES = Path(getattr(importlib.util.find_spec("yaml"), "origin", "")).parent.parent
# This environment variable may hold a command that starts the child, such as one of
# bubblewrap.  The words {lab} and {folder} in the command are replaced.
AROUND = "GRADER_AROUND"
MOST_PROCESSES = 64
MOST_UNREAD = 8  # lines
# So many bytes are added to the size of each line, because the grader itself needs
# memory for a line.
A_LINE = 256
NO_NEWS = b"\n"

# A recorded search keeps thousands of boards; Python's default of 700 would make it
# collect garbage too often.
OBJECTS_BETWEEN_COLLECTIONS = 10_000
START = (
    f"import gc; gc.disable(); gc.set_threshold({OBJECTS_BETWEEN_COLLECTIONS}); "
    f"{BOOT} sys.path.append(sys.argv[2]); "
    "from grader.child.main import main; sys.dont_write_bytecode = True; gc.enable(); "
    "main(*sys.argv[3:])"
)


@functools.cache
def _drawings() -> bytes:
    """The named boards and trees, as the first line that a child reads.

    Without this line the child would have to import yaml.  That takes longer than
    everything else that the child does before it imports lab.py.
    """
    return f"{json.dumps([read_boards(), read_trees()])}\n".encode()


@dataclass(eq=False)
class Stopped(Exception):
    """Raised if a child has passed a limit and must be ended."""

    ending: Ending  # the limit that the child passed
    # How many seconds of CPU the child had used; 0 if that is not known.
    cpu: float = 0.0


class Child:
    """A child process in a session and a folder of its own, with few environment
    variables.
    """

    def __init__(self, lab: Path, wishes: Sequence[str]) -> None:
        """Start the child.  `wishes` are the words that `main` of grader/child/main.py
        takes.
        """
        drawings = _drawings()
        # Whether the child has a request, and has not yet ended the function or the
        # game.
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
        """Send the cases of a function, without waiting until the child has read them.

        The name of the run is random, so that student code cannot forge the replies of
        the run.
        """
        self.busy = True
        cases = [request.as_data() for request in requests]
        line = json.dumps({"run": run, "cases": cases}) + "\n"
        threading.Thread(target=self._write, args=(line.encode(),), daemon=True).start()

    def send_turn(self, turn: Mapping[str, Any]) -> None:
        """Send a turn of a game to a child that waits for a turn."""
        self.busy = True
        self._signal("SIGCONT")
        self._write(f"{json.dumps(turn)}\n".encode())

    def pause(self) -> None:
        """Stop everything in the child until the next turn (not on Windows)."""
        self._signal("SIGSTOP")

    def _signal(self, name: str) -> None:
        if hasattr(signal, name):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, getattr(signal, name))

    def replies(self, run: str, cpu: float, wall: float) -> Iterator[Reply]:
        """Yield the replies of a run, until the child ends or starts too many
        processes.

        The child may use `cpu` seconds of CPU.  It may use `wall` seconds of the clock,
        in which waiting for a processor does not count.  Raises Stopped if the clock
        runs out, or if the child sends too much.
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
        """Whether the child's process group contains a second process that is alive."""
        return used_by(self._process.pid).processes > 1

    def printed(self) -> tuple[str, bool]:
        """Return the end of the output, and whether the output is far too long."""
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
            # Bubblewrap and shells exit with 128 + N if signal N ended the command.
            status = 128 - status
        remove_folder(self._folder)
        # The thread of `_read` may be waiting for room in the queue.
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
            # The pipe has a buffer, which closing the pipe would flush.  So nothing is
            # written into that buffer.
            while data:
                data = data[os.write(self._process.stdin.fileno(), data) :]
