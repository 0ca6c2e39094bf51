"""Commands, as the handout states them, and what they print: `make run ARGS="zero_by 10 1 2"`.

Most run in a process that has imported lab.py already (child.py); a case that says `through: make` or
`through: program` is typed as it stands, and takes its time (process.py).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from boards.cases import Call, Case
from boards.points import Function
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.kinds.command.answer import Output, read_output
from grader.kinds.command.process import Running, answer_by_process
from grader.kinds.kind import Kind
from grader.pipe.answer import Answer
from grader.pipe.words import harmless


class Command(Kind[Output]):
    """Standard output, to the last character; a long one by its lines and digest."""

    def read(self, outcome: dict[str, Any]) -> Output:
        return read_output(outcome)

    def takes_long(self, case: Case) -> bool:
        return any("through" in call.inputs for call in case.calls)

    def begin(self, case: Case, lab: Path) -> Running | None:
        is_one = len(case.calls) == 1 and self.takes_long(case)
        return Running(case.calls[0], lab, case.seconds) if is_one else None

    def answer(self, case: Case, lab: Path, ask: Callable[[], Answer]) -> Answer:
        return answer_by_process(case, lab) if self.takes_long(case) else ask()

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
