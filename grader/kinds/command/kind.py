"""Commands, as the handout states them, and what they print: `make run ARGS="zero_by 10 1 2"`.

Most run in a process that has imported lab.py already (child.py); a case that says `through: make` or
`through: program` is typed as it stands, and takes its time (process.py).
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boards.cases import Call, Case, Function
from grader.judging.sentences import complaint
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.kinds.command.process import Running
from grader.kinds.kind import Kind
from grader.kinds.zero_by.kind import KIND as ZERO_BY
from grader.pipe.answer import Answer
from grader.pipe.plain import read_as
from grader.pipe.raised import Raised
from grader.pipe.words import harmless


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

    def answer(self, case: Case, lab: Path, ask: Callable[[], Answer]) -> Answer:
        running = self.begin(case, lab)
        return running.answer() if running else ask()

    def judge(self, function: Function, call: Call, answer: Output) -> Finding:
        if answer.status:
            return Finding(NOTHING, f"The command failed: {harmless(answer.complaint, 200)}")
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
            rows = ((f"line {number + 1}", repr(line), yours),)
            return Finding(NOTHING, f"Line {number + 1} of the output is wrong.", rows)
    return Finding(NOTHING, "There is more on standard output than the positions.")


KIND = Command()
