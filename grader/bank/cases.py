"""The bank: every case, with its calls and what they should return."""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from grader.bank.points import Function, Part, shared


@dataclass(frozen=True)
class Call:
    """One call that a case makes to the graded function of the case."""

    function: Function
    # The name of this call, which the fields `order` and `opposite` of the case may
    # use.  Most calls need no name: then the text is empty.
    name: str
    # The inputs of the student's code.  If the case file names a board, a tree or a
    # game, the drawing of the board, tree or game is here in place of its name.
    inputs: dict[str, Any]
    expect: dict[str, Any]  # what the call should return; student code never gets this
    case: str = ""  # the id of the case
    index: int = 0  # the number of the call in the case, from 0
    of: int = 1  # how many calls the case has
    # An excerpt of Connect Four, as text (boards/excerpts.py).  It has the board of
    # this call and boards below it, with what the rules say about them.  Empty if the
    # case file has no excerpt that begins at this board.
    excerpt: str = ""
    again: bool = False  # whether an earlier call of the case searches the same tree


@dataclass(frozen=True)
class Case:
    """A case: some calls of one function, and what these calls should return."""

    id: str
    part: int
    graded: Function
    says: str  # what the case is about, for the student
    calls: tuple[Call, ...]
    # The weight of this case among the cases of its function.  A case of weight 2 gets
    # twice as many points as a case of weight 1.
    weight: int = 1
    seconds: float = 2.0  # of CPU time, for all calls of the case together
    # `shared` if the case runs in one process with other cases of the function.  `own`
    # if the case gets a process of its own.
    process: str = "shared"
    advice: bool = False  # whether the case is shown and never graded
    # The names of calls, the call with the highest score first.  Each call must score
    # higher than the call after it in this list.
    order: tuple[str, ...] = ()
    # An even number of names of calls.  The first two form a pair, the next two form
    # another pair, and so on.  The two scores of a pair must add up to 0.
    opposite: tuple[str, ...] = ()
    hidden: bool = False
    # Empty for an ordinary case.  If the case itself turned out to be wrong, this is
    # `full` or `drop`.  `full` gives everybody the points of the case.  `drop`
    # distributes these points over the other cases of the function.
    void: str = ""
    why: str = ""  # the reason why the case is void

    @property
    def function(self) -> str:
        """The name of the graded function."""
        return self.graded.name


@dataclass(frozen=True)
class Bank:
    """All cases, and the parts of the assignment.  The points of a function are shared
    among its cases.
    """

    parts: tuple[Part, ...]
    cases: tuple[Case, ...]

    def worth(self, case: Case) -> int:
        """Return how many hundredths of a point a case is worth.  Advice is worth 0.

        Together, the hidden cases of a function are worth what `Part.later` says.  Its
        public cases are worth the rest of the points of the function.
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
        """Return the SHA-256 of everything in this bank that decides a score.

        The sentences `says` and `why` of a case are left out, because they decide no
        score.
        """
        cases = [replace(case, says="", why="") for case in self.cases]
        text = repr([self.parts, cases])
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

    def of(self, function: str) -> list[Case]:
        """Return the cases of a function, in the order in which the case file has
        them.
        """
        return [case for case in self.cases if case.function == function]

    @property
    def functions(self) -> list[Function]:
        """The graded functions, in the order of points.yaml."""
        return [function for part in self.parts for function in part.graded.values()]
