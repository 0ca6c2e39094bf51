"""Runs the real `make run`, in a process of its own, and keeps what came on standard output."""

import contextlib
import dataclasses
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

from boards.cases import Case
from grader.kit import KIT
from grader.pipe.answer import Answer, Ending, exited, last_place, measured
from grader.pipe.limits import IMPORT_SECONDS, MOST_OUTPUT, WALL_PER_CPU_SECOND
from grader.pipe.plain import as_output
from grader.sandbox.scratch import Scratch
from grader.sandbox.start import end
from grader.sandbox.user import as_student
from grader.sandbox.watch import Watch

SCRATCH, SECONDS = "GRADER_SCRATCH", "GRADER_SECONDS"
PROGRAM = "program"
_LAST_WORDS = re.compile(r"^(?:Stack|Current thread).* \(most recent call first\):\n(?:  File .*\n)*", re.MULTILINE)


def answer_by_process(case: Case, lab: Path) -> Answer:
    """The outcomes of a case's commands, one after the other, up to the first that does not end well."""
    outcomes = []
    answer = Answer(Ending.ANSWERED)
    for call in case.calls:
        answer = _run(call.inputs["command"], call.inputs.get("through", PROGRAM), lab, case.seconds)
        if answer.ending is not Ending.ANSWERED:
            return answer
        outcomes += answer.outcomes
    return dataclasses.replace(answer, outcomes=outcomes)


def command_line(command: str, through: str) -> list[str]:
    """The words to run: make, where it is asked for and there is one, or the program behind it."""
    has_environment = Path(sys.prefix, "bin", "python").exists()
    if through == "make" and shutil.which("make") and has_environment:
        return ["make", "run", f"ARGS={command}"]
    return [sys.executable, "grader", "run", *command.split()]


def _run(command: str, through: str, lab: Path, cpu_seconds: float) -> Answer:
    scratch = Scratch()
    spent = _cpu_of_children()
    environment = {key: value for key, value in os.environ.items() if key in ("PATH", "SYSTEMROOT", "HOME")}
    environment |= {
        "LAB": str(lab.resolve()),
        "VENV": sys.prefix,
        SCRATCH: scratch.path,
        SECONDS: str(cpu_seconds),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    process = subprocess.Popen(
        command_line(command, through), cwd=KIT, env=environment, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **as_student(),
    )  # fmt: skip
    assert process.stdout and process.stderr
    drains = [_Drain(process.stdout, process), _Drain(process.stderr, process)]
    watch = Watch(
        process.pid, scratch.path, cpu_seconds + IMPORT_SECONDS, cpu_seconds * WALL_PER_CPU_SECOND + IMPORT_SECONDS
    )
    ending = _wait(process, watch)
    seconds = watch.seconds
    end(process)
    for drain in drains:
        drain.join(1)
    scratch.remove()
    cpu, stderr = max(watch.cpu, _cpu_of_children() - spent), drains[1].text()
    printed = _LAST_WORDS.sub("", stderr)
    status = _own_status(process.returncode, stderr)
    if any(drain.flooded for drain in drains):
        ending = Ending.FLOODED
    if ending is not None:
        answer = Answer(ending, where=last_place(stderr.encode(), lab))
    elif 128 < status < 256:
        answer = dataclasses.replace(exited(128 - status), where=last_place(stderr.encode(), lab))
    else:
        answer = Answer(Ending.ANSWERED, [_outcome(drains[0].text(), status, printed)])
    return measured(answer, cpu_seconds, cpu, seconds, printed)


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


def _wait(process: "subprocess.Popen[bytes]", watch: Watch) -> Ending | None:
    """Wait for a command; an Ending where it passes a limit."""
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(watch.patience())
            return None
        if passed := watch.look():
            return passed


def _outcome(stdout: str, status: int, stderr: str) -> dict[str, str | int]:
    """What a command gave; of its complaints the last line that make did not write."""
    complaints = [line for line in stderr.splitlines() if line and not line.startswith("make")]
    complaint = complaints[-1] if complaints else f"exit status {status}"
    return {"status": status, "complaint": complaint, **as_output(stdout)}


def _cpu_of_children() -> float:
    """The CPU seconds of all processes that have ended below this one; 0 where nobody counts them."""
    try:
        import resource
    except ImportError:
        return 0.0
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class _Drain(threading.Thread):
    """Reads a pipe to its end, and ends the process that floods it."""

    def __init__(self, pipe: IO[bytes], process: "subprocess.Popen[bytes]") -> None:
        super().__init__(daemon=True)
        self.flooded = False
        self._pipe, self._process, self._data = pipe, process, bytearray()
        self.start()

    def run(self) -> None:
        while data := self._pipe.read1(1 << 16):  # type: ignore[attr-defined]
            self._data += data
            if len(self._data) > MOST_OUTPUT:
                self.flooded = True
                self._process.kill()
                return

    def text(self) -> str:
        """What was read, with other line ends than Unix's put right."""
        return bytes(self._data).decode("utf-8", "replace").replace(os.linesep, "\n")
