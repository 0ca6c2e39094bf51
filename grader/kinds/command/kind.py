"""Commands, as the handout states them, and what they print: `make run ARGS="zero_by 10 1 2"`.

Most run in a process that has imported lab.py already (worker.py); a case that says `through: make` is typed as
it stands, and takes its time in a process of its own.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from boards.cases import Call, Case, Function
from grader.judging.sentences import complaint
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.kinds.kind import Kind
from grader.kinds.zero_by.kind import KIND as ZERO_BY
from grader.kit import KIT
from grader.protocol.answer import Answer, Ending, exited, measured
from grader.protocol.digests import as_output
from grader.protocol.limits import IMPORT_SECONDS, MOST_OUTPUT, SCRATCH, SECONDS, WALL_PER_CPU_SECOND
from grader.protocol.plain import read_as
from grader.protocol.raised import Raised
from grader.protocol.reading import last_frames
from grader.protocol.words import harmless
from grader.sandbox.scratch import Scratch
from grader.sandbox.start import end
from grader.sandbox.user import as_student
from grader.sandbox.watch import LOOK_EVERY, Watch

BETWEEN_LOOKS = 0.005
_LAST_WORDS = re.compile(r"^(?:Stack|Current thread).* \(most recent call first\):\n(?:  File .*\n)*", re.MULTILINE)


def command_line(command: str) -> list[str]:
    """The words to run: make, where there is one, or the program behind it.

    Make has a shell read the command, which may be that of somebody's own case.
    """
    has_environment = Path(sys.prefix, "bin", "python").exists()
    if re.fullmatch(r"[\w -]+", command) and shutil.which("make") and has_environment:
        return ["make", "-f", "Makefile", "run", f"ARGS={command}"]  # for which a GNUmakefile could stand in
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
            command_line(call.inputs["command"]), cwd=KIT, env=environment,
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
                sizes = [os.fstat(file.fileno()).st_size for file in (self._stdout, self._stderr)]
                if max(sizes) >= MOST_OUTPUT:  # a confined one comes no further
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
            answer = replace(exited(128 - status), frames=frames)
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


def _text(file: IO[bytes]) -> str:
    """What was written, with other line ends than Unix's put right."""
    file.seek(0)
    return file.read(MOST_OUTPUT).decode("utf-8", "replace").replace(os.linesep, "\n")


@dataclass(frozen=True)
class Output:
    """Standard output: its first lines as text, the number of all lines, and their digest.

    Where the status is not 0, `complaint` says why.
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
            case {"failed": "ZeroBy" | "solve" | "remoteness" as function, "because": raised}:
                own = (function, *(ZERO_BY.methods if function == "ZeroBy" else ()))
                return Output(1, complaint=complaint(own, read_as(Raised, raised)))
        output: Output = read_as(Output, outcome)
        return output

    def takes_long(self, case: Case) -> bool:
        return len(case.calls) == 1 and "through" in case.calls[0].inputs

    def begin(self, case: Case, lab: Path) -> Running | None:
        return Running(case.calls[0], lab, case.seconds) if self.takes_long(case) else None

    def judge(self, function: Function, call: Call, answer: Output) -> Finding:
        if answer.status:
            return Finding(NOTHING, f"The command failed: {harmless(answer.complaint, 200)}", malformed=True)
        if "stdout" in call.expect:
            return _judge_text(call.expect["stdout"], answer)
        if (answer.lines, answer.digest) == (call.expect["lines"], call.expect["digest"]):
            return RIGHT
        return Finding(NOTHING, "The output is wrong.", (("lines", str(call.expect["lines"]), str(answer.lines)),))

    def gist(self, function: Function, call: Call, answer: Output) -> str:
        return f"{answer.status} {answer.digest}"

    def signature(self, function: Function, call: Call) -> str:
        return f'make run ARGS="{call.inputs["command"]}"'


def _judge_text(expected: str, answer: Output) -> Finding:
    if answer.text == expected:
        return RIGHT
    lines = answer.text.split("\n")[:-1]
    for number, line in enumerate(expected.splitlines()):
        if number >= len(lines) or lines[number] != line:
            yours = repr(harmless(lines[number], 60)) if number < len(lines) else "nothing"
            rows, place = ((f"line {number + 1}", repr(line), yours),), yours.strip("'").partition(":")[0]
            is_stray = place.isdecimal() and f"\n{place}:" not in f"\n{expected}"
            stray = f": no move of this game leads to {place}" if is_stray else ""
            return Finding(NOTHING, f"Line {number + 1} of the output is wrong{stray}.", rows)
    return Finding(NOTHING, "There is more on standard output than the positions.")


KIND = Command()
