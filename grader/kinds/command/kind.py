"""Commands, as the handout states them, and what they print: `make run ARGS="zero_by 10 1 2"`.

Most run in a process that has imported lab.py already (worker.py).  A case that says `through: make` is typed as it
stands: it starts with the run, in a process of its own, and is read when its turn comes.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from boards.cases import Call, Case, Function
from boards.reading import drawn_already
from grader.judging.sentences import complaint
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.kinds.difference import first_difference
from grader.kinds.kind import Kind
from grader.kit import KIT
from grader.protocol.answer import Answer, Ending, Raised
from grader.protocol.digests import as_output
from grader.protocol.limits import IMPORT_SECONDS, MOST_OUTPUT, SCRATCH, SECONDS, WALL_PER_CPU_SECOND
from grader.protocol.plain import read_as
from grader.protocol.replies import split_last_words
from grader.protocol.words import harmless
from grader.sandbox.process import LOOK_EVERY, Used, as_student, end, late, new_folder, remove_folder, used_by


class Running:
    """The command of a call, from its start on.  What it writes goes into files that have no name."""

    def __init__(self, call: Call, lab: Path, cpu_seconds: float) -> None:
        self._lab, self._cpu_seconds = lab.resolve(), cpu_seconds
        self._start = Used(time.monotonic())
        self._folder = new_folder()
        self._stdout, self._stderr = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        environment = {key: value for key, value in os.environ.items() if key in ("PATH", "SYSTEMROOT", "HOME")}
        environment |= drawn_already() | {"LAB": str(self._lab), "VENV": sys.prefix, SCRATCH: self._folder}
        environment |= {SECONDS: str(cpu_seconds), "PYTHONDONTWRITEBYTECODE": "1" if sys.dont_write_bytecode else ""}
        self._process = subprocess.Popen(
            _words(call.inputs["command"]), cwd=KIT, env=environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=self._stdout, stderr=self._stderr, **as_student(),
        )  # fmt: skip

    def answer(self) -> Answer:
        """What has come of it; waits for that."""
        status, used = None, self._start
        wall = self._cpu_seconds * WALL_PER_CPU_SECOND + IMPORT_SECONDS
        try:
            while status is None and used.seconds_since(self._start) < wall:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    status = self._process.wait(LOOK_EVERY)
                used = used_by(self._process.pid) if status is None else used
        finally:
            self.end()
        stdout, stderr = _text(self._stdout), _text(self._stderr)
        frames, printed = split_last_words(stderr, self._lab)
        if status is None:
            seconds = used.at - self._start.at
            return Answer(late(used.cpu, self._cpu_seconds), seconds=seconds, cpu=used.cpu, frames=frames)
        if status and printed != stderr:
            return Answer(Ending.CPU_TIME_UP, cpu=self._cpu_seconds, frames=frames)
        if max(len(stdout), len(stderr)) >= MOST_OUTPUT:
            return Answer(Ending.FLOODED, cpu=self._cpu_seconds)
        lines = [line for line in printed.splitlines() if line] or [f"exit status {status}"]
        complaints = [line for line in lines if not line.startswith("make")] or lines
        outcome = {"status": int(status != 0), "complaint": complaints[-1], **as_output(stdout)}
        return Answer(Ending.ANSWERED, [outcome])

    def end(self) -> None:
        """End it, with all that it has started."""
        end(self._process)
        remove_folder(self._folder)


def _words(command: str) -> list[str]:
    """The words to run: make, if there is one, or the program behind it."""
    if shutil.which("make") and Path(sys.prefix, "bin", "python").exists():
        return ["make", "-f", "Makefile", "run", f"ARGS={command}"]  # for which a GNUmakefile could stand in
    return [sys.executable, "grader", "run", *command.split()]


def _text(file: IO[bytes]) -> str:
    """What was written, with other line ends than Unix's put right."""
    with file:
        file.seek(0)
        return file.read(MOST_OUTPUT).decode("utf-8", "replace").replace(os.linesep, "\n")


@dataclass(frozen=True)
class Output:
    """Standard output: its first lines as text, the number of all lines, and their digest.

    If the status is not 0, `complaint` says why.
    """

    status: int
    text: str = ""
    lines: int = 0
    digest: str = ""
    complaint: str = ""


class Command(Kind[Output]):
    """Standard output, to the last character; a long one by its lines and digest."""

    def read(self, outcome: dict[str, Any]) -> Output:
        match outcome:
            case {"failed": str(function), "because": raised}:
                return Output(1, complaint=complaint((function, "__init__"), read_as(Raised, raised)))
        return cast(Output, read_as(Output, outcome))

    def takes_long(self, case: Case) -> bool:
        return "through" in case.calls[0].inputs

    def begin(self, case: Case, lab: Path) -> Running | None:
        return Running(case.calls[0], lab, case.seconds) if self.takes_long(case) else None

    def judge(self, function: Function, call: Call, answer: Output) -> Finding:
        if answer.status:
            return Finding(NOTHING, f"The command failed: {harmless(answer.complaint, 200)}")
        if "stdout" not in call.expect:
            is_right = (answer.lines, answer.digest) == (call.expect["lines"], call.expect["digest"])
            rows = (("lines", str(call.expect["lines"]), str(answer.lines)),)
            return RIGHT if is_right else Finding(NOTHING, "The output is wrong.", rows)
        if answer.text == call.expect["stdout"]:
            return RIGHT
        if row := first_difference(_by_number(call.expect["stdout"]), _by_number(answer.text)):
            return Finding(NOTHING, f"{row[0]} of the output is wrong.", (row,))
        return Finding(NOTHING, "The last line of the output should end like the others, with a newline.")

    def fingerprint(self, function: Function, call: Call, answer: Output) -> str:
        return f"{answer.status} {answer.digest}"

    def signature(self, function: Function, call: Call) -> str:
        return f'make run ARGS="{call.inputs["command"]}"'


def _by_number(text: str) -> dict[str, str]:
    return {f"Line {number}": line for number, line in enumerate(text.splitlines(), start=1)}


KIND = Command()
