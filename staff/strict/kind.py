"""Writing: what staff know of a kind of function, in its module of staff/kinds/.

The schema.json of the kind says what a case and an expectation may hold.  What no
schema can say is checked in that module, and `make expectations` asks it what to fill
in.
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
        """The model's answer to a call of a function, read and typed.  Raises
        ModelFailure.
        """


AskAll = Callable[[str, Sequence[dict[str, Any]]], list[Any]]


class Writing(ABC):
    """How cases of a kind are written, beyond what its schema says."""

    def check(self, function: Function, call: Block, names: Names) -> None:
        """Check what a call says.  Raises BadFile."""
        return

    def is_filled(self, call: Block) -> bool:
        """Whether a call has all that it expects."""
        return "expect" in call

    def compares(self, function: Function) -> bool:
        """Whether a case may compare the scores of several calls, with `order` and
        `opposite`.
        """
        return False

    def excerpt(
        self, function: Function, inputs: Mapping[str, Any], ask_all: AskAll
    ) -> str:
        """Connect Four below the board of a call, as data; empty if the call needs
        none.

        Raises ValueError if it is too large, and ModelFailure.
        """
        return ""

    def trace(
        self, case: Case, inputs: dict[str, Any], model: Model
    ) -> dict[str, Any] | None:
        """The reference trace of a call with these inputs, if the kind is traced; None
        if none is stored of it.
        """
        return None

    def can_be_disguised(self, function: Function) -> bool:
        """Whether `make hidden` may disguise a case, and the model then says what is
        right.
        """
        return False

    @abstractmethod
    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        """What the model answers to a call, in the form in which cases are judged."""


def schema_of(function: Function) -> Path:
    """The schema of a case file of this function's kind."""
    return KINDS / function.kind / "schema.json"


def writing_of(function: Function) -> Writing:
    """How cases of a function are written.  BadFile if nobody knows its kind."""
    with mistakes_in(KINDS / function.kind / "kind.py"):
        kind_of(function)
    with mistakes_in(staff_file(function.kind)):
        return cast(
            Writing, importlib.import_module(f"staff.kinds.{function.kind}").WRITING
        )


def staff_file(kind: str) -> Path:
    """The module that has the Writing of a kind."""
    return Path(__file__).parent.parent / "kinds" / f"{kind}.py"
