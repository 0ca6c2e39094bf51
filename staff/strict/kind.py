"""A Writing says how staff write cases of a kind.  Each kind has one in staff/kinds/.

The schema.json of the kind says what a case and an expectation may contain.  The
Writing checks what no schema can say.  `make expectations` asks the Writing what to
fill in.
"""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

from grader.bank.cases import Case
from grader.bank.points import Function
from grader.kinds.kind import kind_of
from staff.model import Model
from staff.strict.named import Names
from staff.strict.reading import Block, mistakes_in
from staff.strict.schema import KINDS


class Ask(Protocol):
    """Asks the model solution."""

    def __call__(self, function: str, inputs: Mapping[str, Any]) -> Any:
        """Return the model's answer to a call, as the kind parses it.

        Raises ModelFailure.
        """


AskAll = Callable[[str, Sequence[dict[str, Any]]], list[Any]]


class Writing(ABC):
    """How staff write cases of a kind, apart from what the schema says."""

    def check(self, function: Function, call: Block, names: Names) -> None:
        """Check the contents of a call.  Raises BadFile."""
        return

    def is_filled(self, call: Block) -> bool:
        """Whether a call has all its expectations."""
        return "expect" in call

    def compares(self, function: Function) -> bool:
        """Whether a case of this function may compare scores, using `order` and
        `opposite`.
        """
        return False

    def excerpt(
        self, function: Function, inputs: Mapping[str, Any], ask_all: AskAll
    ) -> str:
        """The excerpt for the Connect Four board of a call; empty if the call needs
        none.

        An excerpt has the rules of Connect Four for boards that can follow on this
        board.  Raises Refusal if the game below the board is too large, or
        ModelFailure.
        """
        return ""

    def trace(
        self, case: Case, inputs: dict[str, Any], model: Model
    ) -> dict[str, Any] | None:
        """The reference trace of a call with these inputs; None if none is stored."""
        return None

    def can_be_disguised(self, function: Function) -> bool:
        """Whether `make hidden` may disguise the cases of a function.

        If so, the model solution answers the disguised cases.
        """
        return False

    @abstractmethod
    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        """The expectations of a call, from the answer of the model solution."""


def schema_of(function: Function) -> Path:
    """The schema of a case file for the kind of this function."""
    return KINDS / function.kind / "schema.json"


def writing_of(function: Function) -> Writing:
    """The Writing for the kind of a function.  Raises BadFile if a module of the kind
    is faulty.
    """
    with mistakes_in(KINDS / function.kind / "kind.py"):
        kind_of(function)
    with mistakes_in(staff_file(function.kind)):
        module = importlib.import_module(f"staff.kinds.{function.kind}")
        return cast(Writing, module.WRITING)


def staff_file(kind: str) -> Path:
    """The module that has the Writing of a kind."""
    return Path(__file__).parent.parent / "kinds" / f"{kind}.py"
