"""Commands, as the handout states them, and what they print: `make run ARGS="zero_by 10
1 2"`.

Most of them run in the worker, which has imported lab.py already (worker.py).  The
grader types the command of a case that says `through: make` (sandbox/typed.py).
"""

from dataclasses import dataclass
from typing import Any, cast

from grader.bank.cases import Call
from grader.judging.sentences import complaint
from grader.judging.verdict import RIGHT, Finding, wrong
from grader.kinds.difference import first_difference
from grader.kinds.kind import Kind
from grader.protocol.answer import Raised
from grader.protocol.plain import read_as
from grader.protocol.words import harmless


@dataclass(frozen=True)
class Output:
    """Standard output: its first lines as text, the number of all lines, and their
    digest.

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
                return Output(
                    1,
                    complaint=complaint(
                        (function, "__init__"), read_as(Raised, raised)
                    ),
                )
        return cast(Output, read_as(Output, outcome))

    def typed(self, call: Call) -> str:
        return str(call.inputs["command"]) if "through" in call.inputs else ""

    def judge(self, call: Call, answer: Output) -> Finding:
        if answer.status:
            return wrong(f"The command failed: {harmless(answer.complaint, 200)}")
        if "stdout" not in call.expect:
            is_right = (answer.lines, answer.digest) == (
                call.expect["lines"],
                call.expect["digest"],
            )
            rows = (("lines", str(call.expect["lines"]), str(answer.lines)),)
            return RIGHT if is_right else wrong("The output is wrong.", rows)
        if answer.text == call.expect["stdout"]:
            return RIGHT
        if row := first_difference(
            _by_number(call.expect["stdout"]), _by_number(answer.text)
        ):
            return wrong(f"{row[0]} of the output is wrong.", (row,))
        return wrong(
            "The last line of the output should end like the others, with a newline."
        )

    def fingerprint(self, call: Call, answer: Output) -> str:
        return f"{answer.status} {answer.digest}"

    def signature(self, call: Call) -> str:
        return f'make run ARGS="{call.inputs["command"]}"'


def _by_number(text: str) -> dict[str, str]:
    return {
        f"Line {number}": line for number, line in enumerate(text.splitlines(), start=1)
    }


KIND = Command()
