"""The worker as the grader sees it: its pipes, its folder, what it prints, and its end."""

import contextlib
import importlib.util
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.finder import BOOT
from grader.kit import KIT
from grader.protocol.answer import Ending, Request
from grader.protocol.limits import KEPT_OUTPUT, MOST_ANSWER, MOST_OUTPUT
from grader.protocol.replies import Reply, is_wide, read_reply
from grader.sandbox.process import end, new_folder, remove_folder, used_by
from grader.sandbox.user import as_student

LIBRARIES = Path(getattr(importlib.util.find_spec("yaml"), "origin", "")).parent.parent  # to import it takes longer
MOST_PROCESSES = 64
MOST_UNREAD = 8  # lines
A_LINE = 256  # bytes that a line takes here besides its own
LOOK_EVERY = 0.25
LOOKS_AFTER_ITS_END = 8  # in which what it has sent comes up, on a busy machine too

# A search that is recorded keeps thousands of boards, which Python's default of 700 goes through too often.
OBJECTS_BETWEEN_COLLECTIONS = 10_000
_BOOT = (
    f"import gc; gc.disable(); gc.set_threshold({OBJECTS_BETWEEN_COLLECTIONS}); {BOOT} sys.path.append(sys.argv[2]); "
    "from grader.worker.main import main; sys.dont_write_bytecode = True; gc.enable(); "
    "main(sys.argv[3], sys.argv[4] == 'fork')"
)


class Stopped(Exception):
    """The worker has ended, or passes the limit that `ending` names; it has computed so long in this case."""

    def __init__(self, ending: Ending | None = None, cpu: float = 0.0) -> None:
        super().__init__(ending)
        self.ending, self.cpu = ending, cpu


class Child:
    """A worker, in its own session, with a cleared environment, in an empty folder.

    It keeps the bytecode of the kit, if the grader does, and none from lab.py on.
    `idle_since` is when it came to the end of its last work.
    """

    def __init__(self, lab: Path, fork: bool) -> None:
        self._folder, self._prints = new_folder(), tempfile.TemporaryFile()  # noqa: SIM115
        environment = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "PATH": os.defpath, "SQLITE_TMPDIR": "."}
        if "SYSTEMROOT" in os.environ:
            environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
        flags = ["-P", "-s", *(["-B"] if sys.dont_write_bytecode else [])]
        words = [str(KIT), str(LIBRARIES), str(lab.resolve()), "fork" if fork else "alone"]
        self._process = subprocess.Popen(
            [sys.executable, *flags, "-c", _BOOT, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._prints,
            start_new_session=True,
            env=environment,
            cwd=self._folder,
            **as_student(),
        )
        self._status: int | None = None
        self._looks_left = LOOKS_AFTER_ITS_END
        self._lines = queue.Queue[tuple[float, bytes]](MOST_UNREAD)
        self.idle_since = time.monotonic()
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, run: str, requests: Sequence[Request]) -> None:
        """Send the cases of a function, under a name that nobody can guess; whatever the worker does just now."""
        line = json.dumps({"run": run, "cases": [request.as_data() for request in requests]}).encode()
        self.idle_since = time.monotonic()
        threading.Thread(target=self._write, args=(b"%8d%s" % (len(line), line),), daemon=True).start()

    def replies(self, run: str, cpu: float, wall: float) -> Iterator[tuple[Reply, float]]:
        """The replies of a run, each with the time at which it came.

        Raises Stopped where the worker has ended, after so much time, or where it passes another limit.  The clock runs
        while the caller waits, and not while it does something else.
        """
        since, size, earlier = time.monotonic(), 0, -1.0
        next_look = since + LOOK_EVERY
        while True:
            line = None
            with contextlib.suppress(queue.Empty):
                came, line = self._lines.get(timeout=LOOK_EVERY)
            if line == b"":
                raise Stopped
            if time.monotonic() > next_look:
                earlier = self._look(earlier, cpu, is_late=time.monotonic() > since + wall)
                next_look = time.monotonic() + LOOK_EVERY
            if line is None:
                continue
            size += len(line) + A_LINE
            if size > MOST_ANSWER or is_wide(line):
                raise Stopped(Ending.TOO_LARGE)
            reply = read_reply(line)
            if reply and reply.run == run:
                yield reply, came

    def _look(self, earlier: float, most_cpu: float, is_late: bool) -> float:
        """Raise Stopped where the worker passes a limit, which is looked at now and then.

        `earlier` is what the first look gave: the CPU seconds of all its processes.
        """
        processes, cpu = used_by(self._process.pid)
        earlier = cpu if earlier < 0 else earlier
        if os.fstat(self._prints.fileno()).st_size >= MOST_OUTPUT:
            raise Stopped(Ending.FLOODED)
        if self._process.poll() is not None and self._lines.empty():
            self._looks_left -= 1  # the end of its pipe does not come where somebody else has it too
        if processes > MOST_PROCESSES or not self._looks_left:
            raise Stopped
        if is_late:
            is_busy = sys.platform == "win32" or cpu - earlier > most_cpu / 2
            raise Stopped(Ending.CPU_TIME_UP if is_busy else Ending.STALLED, max(0.0, cpu - earlier))
        return earlier

    @property
    def leaves_somebody(self) -> bool:
        """Whether there is another process than the worker, as far as anybody knows."""
        return used_by(self._process.pid)[0] > 1

    def printed(self) -> tuple[str, bool]:
        """The end of what was printed, and whether that was far too much; for when nobody writes any more."""
        size = self._prints.seek(0, os.SEEK_END)
        self._prints.seek(max(0, size - KEPT_OUTPUT))
        return self._prints.read(KEPT_OUTPUT).decode("utf-8", "replace"), size >= MOST_OUTPUT

    def end(self) -> int:
        """End the worker with all that it has started; its exit status, which is negative for a signal."""
        if self._status is None:
            self._status = end(self._process)
            remove_folder(self._folder)
        return self._status

    def close(self) -> None:
        """End the worker, and close what is open."""
        self.end()
        while not self._lines.empty():  # so that nobody waits for room in it
            self._lines.get()
        with self._prints, contextlib.suppress(OSError, ValueError):
            assert self._process.stdin
            self._process.stdin.close()

    def _read(self) -> None:
        assert self._process.stdout
        with contextlib.suppress(OSError, ValueError), self._process.stdout as pipe:
            while (line := pipe.readline(MOST_ANSWER + 1)) and self._status is None:
                self._lines.put((time.monotonic(), line))
        self._lines.put((time.monotonic(), b""))

    def _write(self, data: bytes) -> None:
        assert self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            while data:  # past the buffer, which would be flushed when the pipe is closed
                data = data[os.write(self._process.stdin.fileno(), data) :]
