"""Runs the real `make run`, in a process of its own, and keeps what came on standard output."""

import contextlib
import dataclasses
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO

from boards.cases import Call
from grader.kit import KIT
from grader.pipe.answer import Answer, Ending, exited, measured
from grader.pipe.limits import IMPORT_SECONDS, MOST_OUTPUT, SCRATCH, SECONDS, WALL_PER_CPU_SECOND
from grader.pipe.plain import as_output
from grader.pipe.reading import last_frames
from grader.sandbox.scratch import Scratch
from grader.sandbox.start import end
from grader.sandbox.user import as_student
from grader.sandbox.watch import LOOK_EVERY, Watch

BETWEEN_LOOKS = 0.005
_LAST_WORDS = re.compile(r"^(?:Stack|Current thread).* \(most recent call first\):\n(?:  File .*\n)*", re.MULTILINE)


def command_line(command: str, through: str) -> list[str]:
    """The words to run: make, where it is asked for and there is one, or the program behind it.

    Make has a shell read the command, which may be that of somebody's own case.
    """
    has_environment = Path(sys.prefix, "bin", "python").exists()
    if through == "make" and re.fullmatch(r"[\w -]+", command) and shutil.which("make") and has_environment:
        return ["make", "run", f"ARGS={command}"]
    return [sys.executable, "grader", "run", *command.split()]


class Running:
    """The command of a call, from its start on; a thread sees it to its end, whatever the caller does meanwhile.

    What it writes goes into files that have no name.
    """

    def __init__(self, call: Call, lab: Path, cpu_seconds: float) -> None:
        self._lab, self._cpu_seconds, self._scratch = lab, cpu_seconds, Scratch()
        self._stdout, self._stderr = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        environment = {key: value for key, value in os.environ.items() if key in ("PATH", "SYSTEMROOT", "HOME")}
        environment |= {
            "LAB": str(lab.resolve()),
            "VENV": sys.prefix,
            SCRATCH: self._scratch.path,
            SECONDS: str(cpu_seconds),
            "PYTHONDONTWRITEBYTECODE": "1" if sys.dont_write_bytecode else "",
        }
        process = self._process = subprocess.Popen(
            command_line(call.inputs["command"], call.inputs["through"]), cwd=KIT, env=environment,
            stdin=subprocess.PIPE, stdout=self._stdout, stderr=self._stderr, start_new_session=True, **as_student(),
        )  # fmt: skip
        wall = cpu_seconds * WALL_PER_CPU_SECOND + IMPORT_SECONDS
        self._watch = Watch(process.pid, self._scratch.path, cpu_seconds + IMPORT_SECONDS, wall)
        self._ending: Ending | None = None
        self._cpu = self._seconds = 0.0
        self._thread = threading.Thread(target=self._see_to_its_end, daemon=True)
        self._thread.start()

    def _see_to_its_end(self) -> None:
        has_ended = False
        with contextlib.suppress(ChildProcessError):  # the caller has ended it
            while not (has_ended or self._ending):
                time.sleep(BETWEEN_LOOKS)
                has_ended = self._has_ended()
                if max(map(_size, (self._stdout, self._stderr))) >= MOST_OUTPUT:  # a confined one comes no further
                    self._ending = Ending.FLOODED
                elif not has_ended:
                    self._ending = self._watch.look()
        self._seconds = self._watch.seconds

    def _has_ended(self) -> bool:
        """Whether the process has ended; what it has computed, with all that it waited for, is known then."""
        if not hasattr(os, "wait4"):
            return self._process.poll() is not None
        process, status, used = os.wait4(self._process.pid, os.WNOHANG)
        if process:
            self._process.returncode = os.waitstatus_to_exitcode(status)
            self._cpu = used.ru_utime + used.ru_stime
        return bool(process)

    def answer(self) -> Answer:
        """What has come of it; waits for that."""
        try:
            while self._thread.is_alive():
                self._thread.join(LOOK_EVERY)
        finally:
            self.end()
        with self._stdout, self._stderr:
            stdout, stderr = _text(self._stdout), _text(self._stderr)
        frames, printed = last_frames(stderr.encode(), self._lab), _LAST_WORDS.sub("", stderr)
        status = _own_status(self._process.returncode, stderr)
        if self._ending:
            answer = Answer(self._ending, frames=frames)
        elif 128 < status < 256:
            answer = dataclasses.replace(exited(128 - status), frames=frames)
        else:
            answer = Answer(Ending.ANSWERED, [_outcome(stdout, status, printed)])
        return measured(answer, self._cpu_seconds, max(self._cpu, self._watch.cpu), self._seconds, printed)

    def end(self) -> None:
        """End it, wherever it is, with all that came of it."""
        end(self._process)
        self._scratch.remove()


def _own_status(status: int, stderr: str) -> int:
    """The exit status of a command as a shell has it, 128 more than its number for a signal; make says it in words.

    >>> _own_status(-9, ""), _own_status(2, "no\\nmake: *** [Makefile:9: run] Error 1")
    (137, 1)
    >>> _own_status(2, "make: *** [Makefile:9: run] Killed"), _own_status(0, "")
    (137, 0)
    """
    *_, said = ["", *re.findall(r"^make.*\] (.{1,40})$", stderr, re.MULTILINE)]
    known = {f"Error {number}": number for number in range(256)}
    known |= {signal.strsignal(number) or "": 128 + number for number in signal.valid_signals()}
    return 128 - status if status < 0 else known.get(said, status) if status else 0


def _outcome(stdout: str, status: int, stderr: str) -> dict[str, str | int]:
    """What a command gave; of its complaints the last line that make did not write."""
    complaints = [line for line in stderr.splitlines() if line and not line.startswith("make")]
    complaint = complaints[-1] if complaints else f"exit status {status}"
    return {"status": status, "complaint": complaint, **as_output(stdout)}


def _size(file: IO[bytes]) -> int:
    return os.fstat(file.fileno()).st_size


def _text(file: IO[bytes]) -> str:
    """What was written, with other line ends than Unix's put right."""
    file.seek(0)
    return file.read(MOST_OUTPUT).decode("utf-8", "replace").replace(os.linesep, "\n")
