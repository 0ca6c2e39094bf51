"""Kind: all that the grader knows of one kind of graded function.

Each folder of grader/kinds/ is a kind.  points.yaml says of each function which kind it
is.  The code that judges finds the folder by this name, and names no kind itself:

    kind.py       KIND, an instance of a subclass of Kind
    worker.py     in the child process: `call(lab, function, inputs)` makes one call of
                  lab.py and returns plain data; `stand_in(known)`, if functions of
                  another kind may call this one, makes a function that gives reference
                  answers
    schema.json   what a case file may say of a call and of the expected answer

Each kind reads what a case expects of a call in one place, into a dataclass.  What only
staff need to know of a kind is in staff/kinds/, which never ships.
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

# `make expectations` writes this folder.  The grader reads a file of it if a case has
# failed.
REFERENCE_TRACES = CASES.with_name("reference_traces")
# A node of a tree: the index of the child at each step down from the root.
Place = tuple[int, ...]


@dataclass(frozen=True)
class Divergence:
    """The first place where the student's code does not do what the reference does."""

    where: str  # the place in words, such as "At B, MIN to move"
    yours: str  # what the student's code does there
    expected: str  # what the reference does there
    place: Place
    # The number of the event in the student's trace; None if the code left something
    # out.
    event: int | None = None


class Kind(ABC):
    """What the grader asks a kind about the functions and cases of this kind.

    The methods are in the order in which the grader calls them.  An answer is what
    `read` makes of the data that worker.py sent.  Each kind has its own types of
    answers.
    """

    # The methods of the class, if the student writes a class.
    methods: tuple[str, ...] = ()
    # The kinds whose functions a function of this kind may call.
    calls: tuple[str, ...] = ()
    # How many events worker.py sends of a call that runs for a diagnosis, at most; 0 if
    # no call is traced.
    most_traced = 0
    is_code = True  # False if lab.py holds an answer instead of code

    # --- every case ---

    def typed(self, call: Call) -> str:
        """The words that the grader types after `make run`; empty if it types nothing.

        worker.py makes a call that the grader does not type.
        """
        return ""

    @abstractmethod
    def read(self, outcome: Data) -> Any:
        """The answer to a call, from the plain data that worker.py sent.

        Raises Garbled if worker.py would never send such data.
        """

    @abstractmethod
    def judge(self, call: Call, answer: Any) -> Finding:
        """The finding on the answer to a call: its credit, and what is wrong with the
        answer.
        """

    def judge_together(
        self, case: Case, answers: Sequence[Any]
    ) -> Iterable[tuple[int, Finding]]:
        """Compare the answers to a case, each of which is right by itself.

        Yield what is wrong: the index of the call at fault, and the finding.
        """
        return ()

    # --- a case that fails ---

    def fingerprint(self, call: Call, answer: Any) -> str:
        """What submissions with the same mistake have in common in a wrong answer.

        The fingerprints of known mistakes are stored and compared with this text, so it
        holds nothing that only explains the answer.
        """
        return alike(answer)

    def drawn(self, call: Call, answer: Any, place: Place = ()) -> str:
        """The call as text: its signature, and its picture below the signature."""
        title = self.signature(call)
        if call.of > 1:
            name = f": `{call.name}`" if call.name else ""
            title = f"{title} (call {call.index + 1} of {call.of}{name})"
        lines = [title, *self.picture(call, answer, place)]
        return "\n".join(line.rstrip() for line in lines)

    @abstractmethod
    def signature(self, call: Call) -> str:
        """The call as a student would write it, on several lines if it is several
        calls.
        """

    def picture(self, call: Call, answer: Any, place: Place) -> list[str]:
        """The inputs of the call as lines, with a mark at the place.

        The answer is None if it is not known; otherwise the picture may show it.
        """
        return []

    def stand_in(self, function: Function, call: Call) -> Any:
        """The reference answers that a stand-in for a wrong function of this kind
        gives.

        `call` is a call of the function that runs with the stand-in, not of `function`,
        which is wrong.  The answers are plain data for the `stand_in` of worker.py.
        """
        raise NotImplementedError(f"{function.name} cannot be stood in for")

    def divergence(self, call: Call, answer: Any) -> Divergence | None:
        """Where a failing call first leaves the reference; None if that is not certain.

        `answer` comes from a traced run of the call.
        """
        return None

    # --- make trace, make debug ---

    def plays_back(self, call: Call) -> bool:
        """Whether a traced run of the call can be played back."""
        return False

    def playback(self, call: Call, answer: Any) -> Playback | None:
        """What happened in a traced run of the call, step by step.

        None if there is nothing to play back.
        """
        return None

    def pasted(self, call: Call) -> str:
        """Python that makes the call in its last line; empty if nothing can be called.

        The lines run after `from lab import *`, `from api import *` and `from boards
        import *`.  The call gets the same inputs as from worker.py.
        """
        return ""


@functools.cache
def kind_of(function: Function) -> Kind:
    """The kind of a graded function.  Raises BadFile if there is no such kind."""
    if not Path(__file__).with_name(function.kind).is_dir():
        problem = f"{function.name} is of the kind `{function.kind}`"
        raise BadFile(POINTS, 1, f"{problem}, which grader/kinds/ does not have")
    module = importlib.import_module(f"grader.kinds.{function.kind}.kind")
    return cast(Kind, module.KIND)


def stored_trace(call: Call) -> Any:
    """The reference trace of a call, as plain data.

    Raises OSError, ValueError, LookupError or TypeError if none is stored.
    """
    (file,) = REFERENCE_TRACES.glob(f"*-{call.case.partition('/')[0]}.json")
    return json.loads(file.read_text("utf-8"))[call.case][call.index]
