"""The worker as the grader sees it: its pipes, its folder, what it prints, and its
end.
"""

import contextlib
import functools
import importlib.util
import json
import os
import queue
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

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

LIBRARIES = Path(
    getattr(importlib.util.find_spec("yaml"), "origin", "")
).parent.parent  # finding yaml is quick
AROUND = "GRADER_AROUND"  # a command that runs the worker in its own surroundings, with {lab} and {folder} in it
MOST_PROCESSES = 64
MOST_UNREAD = 8  # lines
A_LINE = 256  # bytes that a line costs us besides its own
NO_NEWS = b"\n"

# A recorded search keeps thousands of boards; Python's default of 700 would make it
# collect garbage too often.
OBJECTS_BETWEEN_COLLECTIONS = 10_000
START = (
    f"import gc; gc.disable(); gc.set_threshold({OBJECTS_BETWEEN_COLLECTIONS}); {BOOT} sys.path.append(sys.argv[2]); "
    "from grader.worker.main import main; sys.dont_write_bytecode = True; gc.enable(); "
    "main(sys.argv[3], sys.argv[4] == 'fork')"
)


@functools.cache
def _drawings() -> bytes:
    """The named boards and trees, as the first line that a worker reads.

    Without them it would have to import yaml, which takes longer than all else that it
    does before it imports lab.py.
    """
    return f"{json.dumps([read_boards(), read_trees()])}\n".encode()


class Stopped(Exception):
    """The process of a case is gone, or has to go.

    `status` is how it ended, negative for a signal; None if that is the end of the
    worker.  `ending` names the limit that the worker has passed, and `cpu` how many
    seconds it had computed by then.
    """

    def __init__(
        self, ending: Ending | None = None, cpu: float = 0.0, status: int | None = None
    ) -> None:
        super().__init__(ending)
        self.ending, self.cpu, self.status = ending, cpu, status


class Worker:
    """A worker in a session of its own, with a cleared environment, in an empty folder.

    It is `busy` from the moment it gets a request until the function has ended.
    """

    def __init__(self, lab: Path, fork: bool) -> None:
        drawings = _drawings()
        self.busy = False
        self._folder, self._prints = new_folder(), tempfile.TemporaryFile()  # noqa: SIM115
        environment = {
            key: value for key, value in os.environ.items() if key == "SYSTEMROOT"
        }
        environment |= {
            "PYTHONHASHSEED": "0",
            "PYTHONUTF8": "1",
            "PATH": os.defpath,
            "SQLITE_TMPDIR": ".",
        }
        flags = ["-P", "-s", *(["-B"] if sys.dont_write_bytecode else [])]
        around = [
            word.format(lab=lab, folder=self._folder)
            for word in shlex.split(os.environ.get(AROUND, ""))
        ]
        words = [str(KIT), str(LIBRARIES), str(lab), "fork" if fork else "alone"]
        self._process = subprocess.Popen(
            [*around, sys.executable, *flags, "-c", START, *words], start_new_session=True, env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._prints, cwd=self._folder, **as_student(),
        )  # fmt: skip
        self._write(drawings)
        self._lines = queue.Queue[bytes](MOST_UNREAD)
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, run: str, requests: Sequence[Request]) -> None:
        """Send the cases of a function under a name that nobody can guess.  Does not
        wait until they are read.
        """
        self.busy = True
        line = json.dumps(
            {"run": run, "cases": [request.as_data() for request in requests]}
        )
        threading.Thread(
            target=self._write, args=(f"{line}\n".encode(),), daemon=True
        ).start()

    def replies(self, run: str, cpu: float, wall: float) -> Iterator[Reply]:
        """The replies of a run, for at most so many seconds of CPU, and of the clock
        but for waiting for a processor.

        Raises Stopped if the worker ends or passes a limit.
        """
        next_look, size, first = time.monotonic() + LOOK_EVERY, 0, None
        while True:
            line = NO_NEWS
            with contextlib.suppress(queue.Empty):
                line = self._lines.get(timeout=LOOK_EVERY)
            size += len(line) + A_LINE
            if not line:
                raise Stopped
            if size > MOST_ANSWER:
                raise Stopped(Ending.TOO_LARGE)
            if time.monotonic() > next_look:
                next_look = time.monotonic() + LOOK_EVERY
                now = used_by(self._process.pid)
                first = first or now
                if now.processes > MOST_PROCESSES:
                    raise Stopped
                if now.seconds_since(first) > wall:
                    cpu_used = max(0.0, now.cpu - first.cpu)
                    raise Stopped(late(cpu_used, cpu), cpu_used)
            reply = read_reply(line)
            if reply and reply.run == run:
                yield reply

    @property
    def leaves_somebody(self) -> bool:
        """Whether another process than the worker is alive in its group, as far as that
        is known.
        """
        return used_by(self._process.pid).processes > 1

    def printed(self) -> tuple[str, bool]:
        """The end of what was printed, and whether that was far too much."""
        size = self._prints.seek(0, os.SEEK_END)
        self._prints.seek(max(0, size - KEPT_OUTPUT))
        return self._prints.read(KEPT_OUTPUT).decode(
            "utf-8", "replace"
        ), size >= MOST_OUTPUT

    def end(self) -> int:
        """End the worker with all that it has started; its exit status, negative for a
        signal.
        """
        status = end(self._process)
        if os.environ.get(AROUND) and status > 128:
            status = 128 - status  # as bubblewrap and shells tell of a signal
        remove_folder(self._folder)
        while not self._lines.empty():  # so that the thread does not wait for room
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
            while (
                data
            ):  # past the buffer, which would be flushed when the pipe is closed
                data = data[os.write(self._process.stdin.fileno(), data) :]
