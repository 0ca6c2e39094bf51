"""Runs `make run` for a case, as a student would type it.

`make run` imports lab.py in a process of its own.  It limits that process in the same
way as the grader's child is limited (commands/run.py).
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import IO

from grader.kit import KIT
from grader.protocol.answer import Answer, Ending
from grader.protocol.digests import as_output
from grader.protocol.limits import (
    IMPORT_SECONDS,
    MOST_OUTPUT,
    SCRATCH,
    SECONDS,
    WALL_PER_CPU_SECOND,
)
from grader.protocol.replies import split_last_words
from grader.sandbox.child import LIBRARIES
from grader.sandbox.process import (
    LOOK_EVERY,
    Used,
    as_student,
    end,
    late,
    new_folder,
    remove_folder,
    used_by,
)

# How many seconds the grader waits at a time.  During a longer wait, Python would check
# less and less often whether the process has ended.  It might notice the end a
# twentieth of a second late.
SHORT_WAIT = 0.01


class TypedCommand:
    """A command that runs in the background.  `answer` waits for its end."""

    def __init__(self, command: str, lab: Path, seconds: float) -> None:
        """Start a command.

        After its import, the student code in `lab` may use `seconds` of CPU.  Raises
        OSError if the command cannot be started.
        """
        self._lab = lab.resolve()
        self._seconds = seconds
        with contextlib.ExitStack() as leftovers:
            self._stdout = leftovers.enter_context(tempfile.TemporaryFile())
            self._stderr = leftovers.enter_context(tempfile.TemporaryFile())
            folder = new_folder()
            leftovers.callback(remove_folder, folder)
            self._process = subprocess.Popen(
                _command_line(command),
                cwd=KIT,
                env=_environment(self._lab, folder, seconds),
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=self._stdout,
                stderr=self._stderr,
                **as_student(),
            )
            leftovers.callback(end, self._process)
            self._leftovers = leftovers.pop_all()  # what `close` has to undo

    def answer(self) -> Answer:
        """Wait until the command has ended or its time is up, and return the Answer to
        it.
        """
        seconds = self._seconds
        with self._leftovers:
            wall = seconds * WALL_PER_CPU_SECOND + IMPORT_SECONDS
            status, clock, cpu = _wait(self._process, wall)
            end(self._process)
            output = _text(self._stdout)
            complaints = _text(self._stderr)
        frames, printed = split_last_words(complaints, self._lab)
        has_last_words = printed != complaints
        if status is None:
            ending = late(cpu, seconds)
            answer = Answer(ending, seconds=clock, cpu=cpu, frames=frames)
        elif status and has_last_words:
            answer = Answer(Ending.CPU_TIME_UP, cpu=seconds, frames=frames)
        elif max(len(output), len(complaints)) >= MOST_OUTPUT:
            answer = Answer(Ending.FLOODED, cpu=seconds)
        else:
            outcome = {
                "status": int(status != 0),
                "complaint": _complaint(printed, status),
                **as_output(output),
            }
            answer = Answer(Ending.ANSWERED, [outcome])
        return replace(answer, limit=seconds)

    def close(self) -> None:
        """End the command, and delete its folder and its output."""
        self._leftovers.close()


def _command_line(command: str) -> list[str]:
    """Return the words of the command line `make run` with this command.

    If make cannot be used on this machine, return the words that start the program
    which make would run.
    """
    if shutil.which("make") and Path(sys.prefix, "bin", "python").exists():
        # Without -f, make would take a file GNUmakefile in place of the Makefile, if
        # there is one.
        return ["make", "-f", "Makefile", "run", f"ARGS={command}"]
    return [sys.executable, "grader", "run", *command.split()]


def _environment(lab: Path, folder: str, seconds: float) -> dict[str, str]:
    environment = {
        key: value
        for key, value in os.environ.items()
        if key in ("PATH", "SYSTEMROOT", "HOME")
    }
    environment |= {
        "LAB": str(lab),
        # If the kit runs from a bundle, its Python does not find yaml by itself.
        "PYTHONPATH": str(LIBRARIES),
        "VENV": sys.prefix,
        SCRATCH: folder,
        SECONDS: str(seconds),
    }
    if sys.dont_write_bytecode:
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return environment


def _wait(
    process: subprocess.Popen[bytes], wall: float
) -> tuple[int | None, float, float]:
    """Wait for a process to end, for at most `wall` seconds on the clock.

    On Linux, time in which the process waits for a processor does not count.  If the
    process ends, return its exit status and two zeros.  If it is still running, return
    None, and how many seconds of the clock and of CPU it has had so far.
    """
    start = used = Used(time.monotonic())
    while used.seconds_since(start) < wall:
        next_look = time.monotonic() + LOOK_EVERY
        while time.monotonic() < next_look:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.wait(SHORT_WAIT), 0.0, 0.0
        used = used_by(process.pid)
    return None, used.at - start.at, used.cpu


def _text(file: IO[bytes]) -> str:
    """Return the output that a file holds, with the line ends of Unix."""
    file.seek(0)
    return file.read(MOST_OUTPUT).decode("utf-8", "replace").replace(os.linesep, "\n")


def _complaint(printed: str, status: int) -> str:
    """Return the last line that the program has printed.

    The lines that make adds are left out.  If the program has printed no line, return
    the last line of make, or a text with the exit status.
    """
    lines = [line for line in printed.splitlines() if line]
    by_the_program = [line for line in lines if not line.startswith("make")]
    return (by_the_program or lines or [f"exit status {status}"])[-1]
