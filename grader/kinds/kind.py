"""Kind: all that the grader knows of one kind of graded function.

Each folder of grader/kinds/ is a kind.  points.yaml says of each function which kind it
is.  Nothing outside the folder names the kind or its functions:

    kind.py       KIND, an instance of a subclass of Kind
    worker.py     in the child process: `call(lab, function, inputs)` makes one call of
                  lab.py and returns plain data; `stand_in(known)` makes a function that
                  gives reference answers
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

# `make expectations` writes this folder.  The grader reads it if a case has failed.
REFERENCE_TRACES = CASES.with_name("reference_traces")
Place = tuple[int, ...]  # of a node in a tree: the child indices from the root


@dataclass(frozen=True)
class Divergence:
    """The first place where the student's code does not do what the reference does."""

    where: str  # the place in words, such as "At B, MIN to move"
    yours: str  # what the student's code does there
    expected: str  # what the reference does there
    place: Place
    event: int | None = None  # in the student's trace; None if the code leaves it out


class Kind(ABC):
    """What is the same for all functions of a kind.

    The methods are in the order in which the grader calls them.  An answer is what
    `read` makes of the data that worker.py sent; each kind has its own types.
    """

    methods: tuple[str, ...] = ()  # of a class that a student writes
    calls: tuple[str, ...] = ()  # the kinds whose functions those of this kind may call
    most_traced = 0  # events that worker.py sends of one call; 0 if no call is traced
    is_code = True  # False if lab.py holds an answer instead of code

    # --- every case ---

    def typed(self, call: Call) -> str:
        """The words after `make run` if the grader types the call; else empty.

        A call that the grader does not type goes to worker.py.
        """
        return ""

    @abstractmethod
    def read(self, outcome: Data) -> Any:
        """The answer to a call, from the plain data that worker.py sent.

        Raises Garbled if worker.py would never send such data.
        """

    @abstractmethod
    def judge(self, call: Call, answer: Any) -> Finding:
        """The credit for the answer to a call, and what is wrong with the answer."""

    def judge_together(
        self, case: Case, answers: Sequence[Any]
    ) -> Iterable[tuple[int, Finding]]:
        """What is wrong if the answers to a case, each right by itself, are compared.

        Each finding comes with the index of the call at fault.
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
        """A call as text: its signature, and below that its picture."""
        title = self.signature(call)
        if call.of > 1:
            name = f": `{call.name}`" if call.name else ""
            title = f"{title} (call {call.index + 1} of {call.of}{name})"
        lines = [title, *self.picture(call, answer, place)]
        return "\n".join(line.rstrip() for line in lines)

    @abstractmethod
    def signature(self, call: Call) -> str:
        """The call as a student would write it; a line for each, if it is several."""

    def picture(self, call: Call, answer: Any, place: Place) -> list[str]:
        """The inputs of the call as lines, with a mark at the place.

        The answer is None if it is not known; otherwise the picture may show it.
        """
        return []

    def stand_in(self, function: Function, call: Call) -> Any:
        """Reference answers that replace a wrong function of this kind in a later call.

        `call` is a call of the later function, not of `function`.  The answers are
        plain data for the `stand_in` of worker.py.
        """
        raise NotImplementedError(f"{function.name} cannot be stood in for")

    def divergence(self, call: Call, answer: Any) -> Divergence | None:
        """Where a failing call first leaves the reference; None if that is not certain.

        The answer is that of a traced run.
        """
        return None

    # --- make trace, make debug ---

    def plays_back(self, call: Call) -> bool:
        """Whether a traced run of the call can be played back."""
        return False

    def playback(self, call: Call, answer: Any) -> Playback | None:
        """What happened in a traced run of the call, step by step."""
        return None

    def pasted(self, call: Call) -> str:
        """Python that makes the call in its last line; empty if nothing can be called.

        The lines run after `from lab import *`, and the same from api and boards.  The
        call gets the same inputs that worker.py gives it.
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
