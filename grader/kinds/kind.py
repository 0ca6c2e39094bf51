"""Kind: all that the grader knows of one kind of graded function; kind_of finds it.

A folder of grader/kinds/ is a kind.  Points.yaml names it, and nothing outside the
folder names a kind or a function:

    kind.py       KIND, an instance of a class that inherits from Kind: reads what came back, judges and draws it
    worker.py     in the child process: `call(lab, function, inputs)` makes a call of lab.py, and gives plain data
    schema.json   what a call in a case file may say, and what may be expected of it (JSON Schema)

What staff alone know of a kind stands in staff/kinds/, which never ships: `fill(…)` is
what `make expectations` writes, and `check(…)` what a schema cannot say.

A kind that compares values says the first one that differs with difference.py; one that
is traced says its divergence.
"""

import functools
import importlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from boards.reading import POINTS, BadFile
from grader.bank.cases import Call, Case
from grader.bank.points import Function
from grader.bank.reading import CASES
from grader.judging.verdict import Finding
from grader.kinds.playback import Playback
from grader.protocol.plain import alike

KINDS = tuple(
    sorted(file.parent.name for file in Path(__file__).parent.glob("*/__init__.py"))
)
REFERENCE_TRACES = CASES.with_name(
    "reference_traces"
)  # `make expectations` writes it; it is read if a case has failed
A = TypeVar("A")
Node = tuple[int, ...]


@dataclass(frozen=True)
class Divergence:
    """The first place where the student's code does something else than the reference.

    `where` is the place in words ("At B, MIN to move"), `yours` what the student's code
    does there, and `expected` what the reference does; `node` is the place in a tree,
    as child indices from the root.  `event` is the number of the event of the student's
    trace which shows that, unless it is something that the code leaves out.
    """

    where: str
    yours: str
    expected: str
    node: Node
    event: int | None = None


class Kind(ABC, Generic[A]):
    """What is the same for all functions of a kind.  `A` is the answer to a call, read
    and typed.

    `methods` are those of a class.  `is_code` is False for what is no code, and `calls`
    are the kinds of functions that one of this kind may well call.  `most_traced` is
    how many events worker.py sends at most if the inputs of a call say `traced`; 0 if
    it sends none.
    """

    methods: tuple[str, ...] = ()
    most_traced = 0
    is_code = True
    calls: tuple[str, ...] = ()

    @abstractmethod
    def read(self, outcome: dict[str, Any]) -> A:
        """What the child sent of a call.  Raises Garbled if worker.py would not send
        that.
        """

    @abstractmethod
    def judge(self, call: Call, answer: A) -> Finding:
        """What the answer to a call is worth, and why."""

    def judge_together(
        self, case: Case, answers: Sequence[A]
    ) -> Iterable[tuple[int, Finding]]:
        """What is wrong with several right answers beside each other, each with the
        index of the call at fault.
        """
        return ()

    def fingerprint(self, call: Call, answer: A) -> str:
        """What two labs with the same mistake have in common in their wrong answers to
        a call.

        It holds nothing that only explains the answer: what is stored of known mistakes
        is compared with it.
        """
        return alike(answer)

    @abstractmethod
    def signature(self, call: Call) -> str:
        """The call as a student would write it, on several lines if it is more than
        one.
        """

    def pasted(self, call: Call) -> str:
        """The call as lines of Python, on just what the child gives it; the last line
        makes the call.

        They can be pasted after `from lab import *`, and the same of api and boards.
        Empty if there is no function.
        """
        return ""

    def picture(self, call: Call, answer: A | None, node: Node = ()) -> list[str]:
        """What the call was given, line by line, with what is known of the answer, and
        a mark at a node below it.
        """
        return []

    def drawn(self, call: Call, answer: A | None, node: Node = ()) -> str:
        """A call as text: a line that says what was called, and the picture below
        it.
        """
        which = ""
        if call.of > 1:
            name = f": `{call.name}`" if call.name else ""
            which = f" (call {call.index + 1} of {call.of}{name})"
        lines = [f"{self.signature(call)}{which}", *self.picture(call, answer, node)]
        return "\n".join(line.rstrip() for line in lines)

    def divergence(self, call: Call, answer: A) -> Divergence | None:
        """Where a failing call first leaves the reference; the answer is that of a
        traced run.

        None if that is not certain.
        """
        return None

    def plays_back(self, call: Call) -> bool:
        """Whether a traced run of a call can be played back."""
        return False

    def playback(self, call: Call, answer: A) -> Playback | None:
        """What went on in a call, step by step; the answer is that of a traced run."""
        return None

    def typed(self, call: Call) -> str:
        """The words behind `make run`, if the grader types the command; empty if the
        call goes to the worker.
        """
        return ""

    def stand_in(self, function: Function, call: Call) -> Any:
        """What a wrong function should have answered to a later one, in this call of
        that: plain data for the child's `stand_in`.
        """
        raise NotImplementedError(f"{function.name} cannot be stood in for")


@functools.cache
def kind_of(function: Function) -> Kind[Any]:
    """The kind of a graded function.  BadFile if grader/kinds/ has no such package."""
    if function.kind not in KINDS:
        there_are = ", ".join(KINDS)
        raise BadFile(
            POINTS,
            1,
            f"{function.name} is of the kind `{function.kind}`; grader/kinds/ has {there_are}",
        )
    return cast(
        Kind[Any], importlib.import_module(f"grader.kinds.{function.kind}.kind").KIND
    )


def stored_trace(call: Call) -> Any:
    """The reference trace of a call.  OSError, ValueError, LookupError or TypeError if
    none is stored.
    """
    (file,) = REFERENCE_TRACES.glob(f"*-{call.case.partition('/')[0]}.json")
    return json.loads(file.read_text("utf-8"))[call.case][call.index]
