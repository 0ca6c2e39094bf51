"""The bank: every graded case, with its calls and what they should return."""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from grader.bank.points import Function, Part, shared


@dataclass(frozen=True)
class Call:
    """One call that a case makes to a graded function."""

    function: Function
    # The name by which `order` and `opposite` of the case refer to this call; often
    # empty.
    name: str
    # What the student's code gets.  Drawings have replaced the names of boards, trees
    # and games.
    inputs: dict[str, Any]
    expect: dict[str, Any]  # what the call should return; student code never gets this
    case: str = ""  # the id of the case
    index: int = 0  # the number of the call in the case, from 0
    of: int = 1  # how many calls the case has
    # The excerpt of the game that begins at this call's board (boards/excerpts.py).
    excerpt: str = ""
    again: bool = False  # whether an earlier call of the case searches the same tree


@dataclass(frozen=True)
class Case:
    """One graded case."""

    id: str
    part: int
    graded: Function
    says: str  # what the case is about, for the student
    calls: tuple[Call, ...]
    # The part of the function's points that the case gets, compared with other cases.
    weight: int = 1
    seconds: float = 2.0  # of CPU time, for all calls of the case together
    # `shared` if the case runs in one process with other cases of the function.  `own`
    # if the case gets a process of its own.
    process: str = "shared"
    advice: bool = False  # whether the case is shown and never graded
    # Names of calls.  Each call must have a higher score than the next call in this
    # list.
    order: tuple[str, ...] = ()
    # Names of calls in pairs.  The two scores of a pair must add up to 0.
    opposite: tuple[str, ...] = ()
    hidden: bool = False
    # Empty, unless the case turned out to be wrong.  Then `full` gives everybody the
    # points of the case, and `drop` gives the points to the other cases of the
    # function.
    void: str = ""
    why: str = ""  # the reason why the case is void

    @property
    def function(self) -> str:
        """The name of the graded function."""
        return self.graded.name


@dataclass(frozen=True)
class Bank:
    """All cases, and the parts whose points the cases share."""

    parts: tuple[Part, ...]
    cases: tuple[Case, ...]

    def worth(self, case: Case) -> int:
        """The hundredths of a point that a case is worth; 0 for advice.

        The hidden cases of a function add up to `Part.later`, and its public cases add
        up to the rest of its points.
        """
        return self._worths.get(case.id, 0)

    @cached_property
    def _worths(self) -> dict[str, int]:
        worths: dict[str, int] = {}
        for part in self.parts:
            for name, points in part.functions.items():
                public: dict[str, int] = {}
                hidden: dict[str, int] = {}
                for case in self.of(name):
                    weights = hidden if case.hidden else public
                    if not case.advice:
                        weights[case.id] = case.weight
                later = part.later(name)
                worths |= shared(points - later, public) | shared(later, hidden)
        return worths

    def digest(self) -> str:
        """The SHA-256 of everything that decides a score.

        It ignores the sentences of a case, `says` and `why`, because they decide no
        score.
        """
        cases = [replace(case, says="", why="") for case in self.cases]
        text = repr([self.parts, cases])
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

    def of(self, function: str) -> list[Case]:
        """The cases of a function, in the order of the file."""
        return [case for case in self.cases if case.function == function]

    @property
    def functions(self) -> list[Function]:
        """The graded functions, in the order of points.yaml."""
        return [function for part in self.parts for function in part.graded.values()]
