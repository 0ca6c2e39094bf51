"""Kind: all that the grader knows of one kind of graded function.

Each folder of grader/kinds/ is a kind.  For each function, points.yaml has the name of
its kind.  The grader finds the folder by this name, so the code that judges mentions no
kind.  The folder has these files:

    kind.py       KIND, an instance of a subclass of Kind
    worker.py     in the child process: `call(lab, function, inputs)` makes one call of
                  lab.py and returns plain data; `stand_in(known)`, if functions of
                  another kind may call this one, makes a function that gives reference
                  answers
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

# The folder of the reference traces, which `make expectations` writes.  The grader
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
    # no event shows it, because the student's code left something out.
    event: int | None = None


class Kind(ABC):
    """What the grader asks a kind about the functions and cases of this kind.

    The methods are in the order in which the grader calls them.  An answer is what the
    method `read` makes of the data that worker.py has sent.  Each kind has its own
    types of answers.
    """

    # If the student writes a class, the names of its methods.
    methods: tuple[str, ...] = ()
    # The names of the kinds whose functions a function of this kind may call.
    calls: tuple[str, ...] = ()
    # If a call runs once more for a diagnosis, worker.py sends at most so many of its
    # events.  0 if calls of this kind are not traced.
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

        Each answer is right by itself.  For each contradiction, yield the index of the
        call at fault, and the finding.
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
        """Return the call as a student would write it.  If it is several calls, each
        has a line of its own.
        """

    def picture(self, call: Call, answer: Any, place: Place) -> list[str]:
        """Draw the inputs of the call as lines of text, with a mark at `place`.

        `answer` is the answer to the call, which the picture may show too; None if it
        is not known.
        """
        return []

    def stand_in(self, function: Function, call: Call) -> Any:
        """Return the right answers of `function`, a wrong function of this kind, as
        plain data.

        `call` is a call of the other function that uses `function`.  While that call is
        made, a stand-in takes the place of `function`.  `stand_in` of worker.py makes
        the stand-in from the returned data.
        """
        raise NotImplementedError(f"{function.name} cannot be stood in for")

    def divergence(self, call: Call, answer: Any) -> Divergence | None:
        """Return the first place where a failing call leaves the reference; None if
        that place is not certain.

        `answer` is the answer to a run of the call that was traced.
        """
        return None

    # --- make trace, make debug ---

    def plays_back(self, call: Call) -> bool:
        """Whether `make trace` can play back this call."""
        return False

    def playback(self, call: Call, answer: Any) -> Playback | None:
        """Return what happened, step by step, in a run of the call that was traced.

        Return None if there is nothing to play back.
        """
        return None

    def pasted(self, call: Call) -> str:
        """Return Python that a student can paste, to make this call.  The call is in
        the last line.

        The text is empty if nothing can be called.  The Python runs after `from lab
        import *`, `from api import *` and `from boards import *`.  The function then
        gets the same inputs as worker.py gives it.
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

    Raises OSError, ValueError, LookupError or TypeError if no trace of this call is
    stored.
    """
    (file,) = REFERENCE_TRACES.glob(f"*-{call.case.partition('/')[0]}.json")
    return json.loads(file.read_text("utf-8"))[call.case][call.index]
