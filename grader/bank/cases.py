"""The bank: every graded case, with its calls and what they should return."""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from grader.bank.points import Function, Part, shared


@dataclass(frozen=True)
class Call:
    """One call of a graded function."""

    function: Function
    name: str  # the name that `order` and `opposite` of the case use; often empty
    # What goes to the student's code, with drawings in place of the names of boards,
    # trees and games.
    inputs: dict[str, Any]
    expect: dict[str, Any]  # what the call should return; student code never gets this
    case: str = ""  # the id of the case
    index: int = 0  # among the calls of the case, from 0
    of: int = 1  # how many calls the case has
    excerpt: str = ""  # the excerpt that begins at its board (boards/excerpts.py)
    again: bool = False  # whether an earlier call of the case searches the same tree


@dataclass(frozen=True)
class Case:
    """One graded case."""

    id: str
    part: int
    graded: Function
    says: str  # what the case is about, for the student
    calls: tuple[Call, ...]
    weight: int = 1  # of the case's share in the function's points
    seconds: float = 2.0  # of CPU time, for all calls of the case together
    process: str = "shared"  # with other cases of the function; or `own`
    advice: bool = False  # whether the case is shown and never graded
    order: tuple[str, ...] = ()  # names of calls, the highest score first
    opposite: tuple[str, ...] = ()  # names of calls; two by two, their scores negate
    hidden: bool = False
    # If the case turned out wrong: `full` gives the points of the case to everybody,
    # and `drop` gives these points to the other cases of the function.
    void: str = ""
    why: str = ""  # the reason why the case is void

    @property
    def function(self) -> str:
        """The name of the graded function."""
        return self.graded.name


@dataclass(frozen=True)
class Bank:
    """All cases, and the points that they share."""

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

        The sentences of a case, `says` and `why`, decide no score.
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
