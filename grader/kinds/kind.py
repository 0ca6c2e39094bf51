"""Kind: all that the grader knows of one kind of graded function.

Each folder of grader/kinds/ is a kind.  For each function, points.yaml has the name of
its kind.  The grader finds the folder by this name, so the code that judges mentions no
kind.  Each folder has these files, and may have more:

    kind.py       KIND, an instance of a subclass of Kind
    worker.py     in the child process: `call(lab, function, inputs)` makes one call of
                  a case and returns plain data.  Some workers also have a function
                  `stand_in`: it makes a function that gives reference answers, to take
                  the place of a function of lab.py that is wrong
    schema.json   what a case file may say of a call and of the expected answer

A case expects something of each call.  Each kind turns this expectation into a
dataclass, in one place of its code.  What only staff need to know of a kind is in
staff/kinds/, which no release contains.
"""

import functools
import importlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from boards.reading import POINTS, BadFile
from grader.bank.cases import Call, Case
from grader.bank.points import Function
from grader.bank.reading import CASES
from grader.kinds.playback import Playback
from grader.protocol.plain import Data, alike
from grader.verdicts.verdict import Finding

# The folder of the reference traces, which `make expectations` writes.  `make test`
# reads a file of this folder only if a case has failed.
REFERENCE_TRACES = CASES.with_name("reference_traces")
# A node of a tree, given by the way down from the root: for each step, the index of the
# child to which the step goes.
Place = tuple[int, ...]


@dataclass(frozen=True)
class Divergence:
    """The first place where the student's code does something else than the
    reference.
    """

    where: str  # the place in words, such as "At B, MIN to move"
    yours: str  # what the student's code does there
    expected: str  # what the reference does there
    place: Place
    # The number of the event in the student's trace that shows the divergence.  None if
    # no single event shows it, for example if the student's code left something out.
    event: int | None = None


class Kind(ABC):
    """What the grader asks a kind about the functions and cases of this kind.

    An answer is what the method `read` makes of the data that worker.py has sent.  Each
    kind has its own types of answers.
    """

    # If the student writes a class, the names of its methods.
    methods: tuple[str, ...] = ()
    # The names of the kinds whose functions a function of this kind may call.
    calls: tuple[str, ...] = ()
    # The highest number of events that worker.py may send of a call that runs once more
    # for a diagnosis.  0 if calls of this kind are not traced.
    most_traced = 0
    is_code = True  # False if lab.py holds an answer instead of code

    # --- every case ---

    def typed(self, call: Call) -> str:
        """Return what the grader should type after `make run` to make this call.

        The text is empty if the grader should type nothing.  Then worker.py makes the
        call.
        """
        return ""

    @abstractmethod
    def read(self, outcome: Data) -> Any:
        """Return the answer to a call.  `outcome` is the plain data that worker.py has
        sent.

        Raises Garbled for data that worker.py would never send.
        """

    @abstractmethod
    def judge(self, call: Call, answer: Any) -> Finding:
        """Return the finding on the answer to a call.

        The finding says which share of the points the answer earns, and what is wrong
        with it.
        """

    def judge_together(
        self, case: Case, answers: Sequence[Any]
    ) -> Iterable[tuple[int, Finding]]:
        """Compare the answers to all calls of a case with each other.

        The grader calls this method only if each answer is right by itself.  For each
        contradiction, yield the index of the call at fault, and the finding.
        """
        return ()

    # --- a case that fails ---

    def fingerprint(self, call: Call, answer: Any) -> str:
        """Return what submissions with the same mistake have in common in a wrong
        answer.

        The grader compares this text with what known mistakes answer.  So the text must
        not hold facts that differ between two submissions with the same mistake.
        """
        return alike(answer)

    def drawn(self, call: Call, answer: Any, place: Place = ()) -> str:
        """Return the call as text: its signature, and below that its picture."""
        title = self.signature(call)
        if call.of > 1:
            name = f": `{call.name}`" if call.name else ""
            title = f"{title} (call {call.index + 1} of {call.of}{name})"
        lines = [title, *self.picture(call, answer, place)]
        return "\n".join(line.rstrip() for line in lines)

    @abstractmethod
    def signature(self, call: Call) -> str:
        """Return the call as a student would write it.  The text may have several
        lines.
        """

    def picture(self, call: Call, answer: Any, place: Place) -> list[str]:
        """Draw the inputs of the call as lines of text.

        In a drawing of a tree, the node at `place` gets a mark, unless it is the root.
        The drawing may also show what the call did.  This comes from `answer`, which is
        None if the answer is not known.
        """
        return []

    def stand_in(self, function: Function, call: Call) -> Any:
        """Return plain data from which `stand_in` of worker.py makes a stand-in.

        The stand-in gives reference answers in place of `function`, which is wrong in
        lab.py and is of this kind.  `call` is a call of another function, which uses
        `function`.  The stand-in is there only during that call.

        Raises NotImplementedError if this kind makes no stand-ins.
        """
        raise NotImplementedError(f"{function.name} cannot be stood in for")

    def divergence(self, call: Call, answer: Any) -> Divergence | None:
        """Return the first place where a failing call leaves the reference; None if
        that place is not certain.

        `answer` comes from a run in which the call was traced.
        """
        return None

    # --- make trace, make debug ---

    def plays_back(self, call: Call) -> bool:
        """Whether `make trace` can play back this call."""
        return False

    def playback(self, call: Call, answer: Any) -> Playback | None:
        """Return what happened, step by step, while the call was made.

        `answer` comes from a run in which the call was traced.  Return None if there is
        nothing to play back.
        """
        return None

    def pasted(self, call: Call) -> str:
        """Return Python that a student can paste, to make this call.

        The text is empty if nothing can be called.  The Python runs after `from lab
        import *`, `from api import *` and `from boards import *`.  Its last line calls
        the function, the class or a method of the class, with inputs like those that
        worker.py uses.
        """
        return ""


@functools.cache
def kind_of(function: Function) -> Kind:
    """Return the kind of a graded function.

    Raises BadFile if points.yaml names a kind that grader/kinds/ does not have.
    """
    if not Path(__file__).with_name(function.kind).is_dir():
        problem = f"{function.name} is of the kind `{function.kind}`"
        raise BadFile(POINTS, 1, f"{problem}, which grader/kinds/ does not have")
    module = importlib.import_module(f"grader.kinds.{function.kind}.kind")
    return cast(Kind, module.KIND)


def stored_trace(call: Call) -> Any:
    """Return the stored reference trace of a call, as plain data.

    Return None if the file has null in place of the trace, for example because the
    trace would be too long.  Raises OSError, ValueError, LookupError or TypeError if no
    file has an entry for this call.
    """
    (file,) = REFERENCE_TRACES.glob(f"*-{call.case.partition('/')[0]}.json")
    return json.loads(file.read_text("utf-8"))[call.case][call.index]
