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
import time
from pathlib import Path
from typing import IO

from boards.cases import Call, Case
from grader.kit import KIT
from grader.pipe.answer import Answer, Ending, exited, measured
from grader.pipe.limits import IMPORT_SECONDS, MOST_OUTPUT, SCRATCH, SECONDS, WALL_PER_CPU_SECOND
from grader.pipe.plain import as_output
from grader.pipe.reading import last_frames
from grader.sandbox.scratch import Scratch
from grader.sandbox.start import end
from grader.sandbox.user import as_student
from grader.sandbox.watch import LOOK_EVERY, Watch

PROGRAM = "program"
CAN_LOOK_AT_THE_DEAD = sys.platform == "linux"  # at what they have used, before they are buried
BETWEEN_LOOKS = 0.005
_LAST_WORDS = re.compile(r"^(?:Stack|Current thread).* \(most recent call first\):\n(?:  File .*\n)*", re.MULTILINE)


def answer_by_process(case: Case, lab: Path) -> Answer:
    """The outcomes of a case's commands, one after the other, up to the first that does not end well."""
    outcomes = []
    answer = Answer(Ending.ANSWERED)
    for call in case.calls:
        answer = Running(call, lab, case.seconds).answer()
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


class Running:
    """The command of a call, from its start on; a thread sees it to its end, whatever the caller does meanwhile."""

    def __init__(self, call: Call, lab: Path, cpu_seconds: float) -> None:
        self._lab, self._cpu_seconds, self._scratch, self._spent = lab, cpu_seconds, Scratch(), _cpu_of_children()
        environment = {key: value for key, value in os.environ.items() if key in ("PATH", "SYSTEMROOT", "HOME")}
        environment |= {
            "LAB": str(lab.resolve()),
            "VENV": sys.prefix,
            SCRATCH: self._scratch.path,
            SECONDS: str(cpu_seconds),
            "PYTHONDONTWRITEBYTECODE": "1" if sys.dont_write_bytecode else "",
        }
        process = self._process = subprocess.Popen(
            command_line(call.inputs["command"], call.inputs.get("through", PROGRAM)), cwd=KIT, env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            **as_student(),
        )  # fmt: skip
        assert process.stdout and process.stderr
        self._drains = _Drain(process.stdout, process), _Drain(process.stderr, process)
        wall = cpu_seconds * WALL_PER_CPU_SECOND + IMPORT_SECONDS
        self._watch = Watch(process.pid, self._scratch.path, cpu_seconds + IMPORT_SECONDS, wall)
        self._ending: Ending | None = None
        self._seconds = 0.0
        self._thread = threading.Thread(target=self._see_to_its_end, daemon=True)
        self._thread.start()

    def _see_to_its_end(self) -> None:
        with contextlib.suppress(ChildProcessError):  # the caller has ended it
            self._ending = _wait(self._process, self._watch)
        self._seconds = self._watch.seconds

    def answer(self) -> Answer:
        """What has come of it; waits for that."""
        try:
            while self._thread.is_alive():
                self._thread.join(LOOK_EVERY)
        finally:
            self.end()
        for drain in self._drains:
            drain.join(1)
        cpu = self._watch.cpu if CAN_LOOK_AT_THE_DEAD else max(self._watch.cpu, _cpu_of_children() - self._spent)
        stdout, stderr = (drain.text() for drain in self._drains)
        printed = _LAST_WORDS.sub("", stderr)
        status = _own_status(self._process.returncode, stderr)
        ending = Ending.FLOODED if any(drain.flooded for drain in self._drains) else self._ending
        if ending is not None:
            answer = Answer(ending, frames=last_frames(stderr.encode(), self._lab))
        elif 128 < status < 256:
            answer = dataclasses.replace(exited(128 - status), frames=last_frames(stderr.encode(), self._lab))
        else:
            answer = Answer(Ending.ANSWERED, [_outcome(stdout, status, printed)])
        return measured(answer, self._cpu_seconds, cpu, self._seconds, printed)

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


def _wait(process: "subprocess.Popen[bytes]", watch: Watch) -> Ending | None:
    """Wait for a command; an Ending where it passes a limit."""
    while not _has_ended(process, watch.patience()):
        if passed := watch.look():
            return passed
    watch.count()
    return None


def _has_ended(process: "subprocess.Popen[bytes]", patience: float) -> bool:
    """Whether a process ends within so many seconds; where that can be, it is not buried, so that it can be counted."""
    if not CAN_LOOK_AT_THE_DEAD:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
        return process.returncode is not None
    deadline = time.monotonic() + patience
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() >= deadline:
            return False
        time.sleep(BETWEEN_LOOKS)
    return True


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
