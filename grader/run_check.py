"""Runs the real `make run`, as the handout states it, and keeps what came on standard output."""

import contextlib
import dataclasses
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

from boards.cases import Case
from grader.answer import Answer, Ending, killed_by
from grader.confine import adopt_orphans
from grader.processes import descendants, kill_tree, reap
from grader.run import SCRATCH, SECONDS
from grader.sandbox import KIT, MOST_OUTPUT, Scratch
from grader.user import as_student

WALL_SECONDS = 10.0


def answer_make_run(case: Case, lab: Path) -> Answer:
    """The outcomes of a case's commands, one after the other, up to the first that does not end well."""
    outcomes = []
    answer = Answer(Ending.ANSWERED)
    for call in case.calls:
        answer = _run(call.inputs["command"], call.inputs["through"], lab, case.seconds)
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
    started, spent = time.monotonic(), _cpu_of_children()
    adopt_orphans()
    others = descendants(os.getpid())
    environment = {key: value for key, value in os.environ.items() if key in ("PATH", "SYSTEMROOT", "HOME")}
    environment |= {
        "LAB": str(lab.resolve()),
        "VENV": sys.prefix,
        SCRATCH: scratch.path,
        SECONDS: str(cpu_seconds),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    process = subprocess.Popen(
        command_line(command, through), cwd=KIT, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, **as_student(),
    )  # fmt: skip
    assert process.stdout and process.stderr
    drains = [_Drain(process.stdout, process), _Drain(process.stderr, process)]
    ending = None
    try:
        process.wait(WALL_SECONDS)
    except subprocess.TimeoutExpired:
        ending = Ending.TIMED_OUT
    killed = {pid for root in (process.pid, *(descendants(os.getpid()) - others)) for pid in kill_tree(root)}
    with contextlib.suppress(ProcessLookupError, AttributeError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    reap(killed)
    for drain in drains:
        drain.join(1)
    scratch.remove()
    seconds, cpu = time.monotonic() - started, _cpu_of_children() - spent
    printed = drains[1].text()
    if ending is None and any(drain.flooded for drain in drains):
        ending = Ending.FLOODED
    if process.returncode and cpu >= cpu_seconds:
        return dataclasses.replace(killed_by(signal.SIGXCPU, printed, seconds), cpu=cpu)
    if ending is not None:
        return Answer(ending, printed=printed, seconds=seconds, cpu=cpu)
    outcome = _outcome(drains[0].text(), process.returncode, printed)
    return Answer(Ending.ANSWERED, [outcome], printed=printed, seconds=seconds, cpu=cpu)


def _outcome(stdout: str, status: int, stderr: str) -> dict[str, str | int]:
    """What a command gave; of its complaints the last line that make did not write."""
    complaints = [line for line in stderr.splitlines() if line and not line.startswith("make")]
    return {"stdout": stdout, "status": status, "complaint": complaints[-1] if complaints else ""}


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
