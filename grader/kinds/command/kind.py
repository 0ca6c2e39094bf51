"""Judges the table that a command prints, such as `make run ARGS="zero_by 10 1 2"`."""

from dataclasses import dataclass
from typing import cast

from grader.bank.cases import Call
from grader.kinds.difference import first_difference
from grader.kinds.kind import Kind
from grader.protocol.answer import Raised
from grader.protocol.plain import Data, read_as
from grader.protocol.text import harmless
from grader.verdicts.sentences import complaint
from grader.verdicts.verdict import RIGHT, Finding, wrong


@dataclass(frozen=True)
class Output:
    """What a command printed on standard output, and how the command ended."""

    status: int  # the exit status: 0, or 1 if the command failed
    text: str = ""  # the first lines
    lines: int = 0  # how many lines there are
    digest: str = ""  # of all lines
    complaint: str = ""  # why the command failed, as a sentence


@dataclass(frozen=True)
class ExpectedText:
    """The case expects exactly the output in `stdout`, to the last character."""

    stdout: str

    def judge(self, answer: Output) -> Finding:
        """Return the finding on what the command printed."""
        if answer.text == self.stdout:
            return RIGHT
        if row := first_difference(_by_number(self.stdout), _by_number(answer.text)):
            return wrong(f"{row[0]} of the output is wrong.", (row,))
        return wrong(
            "The last line of the output should end like the others, with a newline."
        )


@dataclass(frozen=True)
class ExpectedLines:
    """The case expects an output with a certain number of lines and a certain digest.

    The case does not hold the output itself, because the output is too long.
    """

    lines: int  # how many lines there are
    digest: str  # of all lines

    def judge(self, answer: Output) -> Finding:
        """Return the finding on what the command printed."""
        if (answer.lines, answer.digest) == (self.lines, self.digest):
            return RIGHT
        rows = (("lines", str(self.lines), str(answer.lines)),)
        return wrong("The output is wrong.", rows)


class Command(Kind):
    """How the grader runs, judges and shows a command of the handout.

    Usually worker.py makes the table, in a process that has already imported lab.py.
    If a case says `through: make`, the grader types the command instead
    (sandbox/typed.py).
    """

    def typed(self, call: Call) -> str:
        return str(call.inputs["command"]) if "through" in call.inputs else ""

    def read(self, outcome: Data) -> Output:
        if "failed" in outcome:
            function = read_as(str, outcome["failed"])
            raised = read_as(Raised, outcome.get("because"))
            return Output(1, complaint=complaint((function, "__init__"), raised))
        return cast(Output, read_as(Output, outcome))

    def judge(self, call: Call, answer: Output) -> Finding:
        if answer.status:
            return wrong(f"The command failed: {harmless(answer.complaint, 200)}")
        form = ExpectedText if "stdout" in call.expect else ExpectedLines
        return form(**call.expect).judge(answer)

    def fingerprint(self, call: Call, answer: Output) -> str:
        return f"{answer.status} {answer.digest}"

    def signature(self, call: Call) -> str:
        return f'make run ARGS="{call.inputs["command"]}"'


def _by_number(text: str) -> dict[str, str]:
    """Return the lines of a text.  The key of a line is its number in words, such as
    `Line 3`.
    """
    return {
        f"Line {number}": line for number, line in enumerate(text.splitlines(), start=1)
    }


KIND = Command()
