"""Writing: what staff know of a kind of function, in the staff.py of its folder in grader/kinds/.

What a case may say is checked there, as far as schema.json cannot say it, and `make expectations`
asks it what to fill in.
"""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

from boards.named import BoardDrawing, TreeDrawing
from boards.points import Function
from grader.kinds.known import kind_of
from staff.strict.named import read_boards, read_games, read_trees
from staff.strict.reading import Block

Types = Mapping[str, Any]


class Ask(Protocol):
    """Asks the model solution."""

    def __call__(self, function: str, inputs: Mapping[str, Any]) -> Any:
        """The model's answer to a call of a function, read and typed.  Raises ModelFailure."""


class Names:
    """The boards, trees and games that a case may name."""

    def __init__(self) -> None:
        self.boards: dict[str, BoardDrawing] = read_boards()
        self.trees: dict[str, TreeDrawing] = read_trees()
        self.games: dict[str, str] = read_games()

    def look_up(self, block: Block, key: str) -> Any:
        """What a name stands for.  BadFile where nothing has it."""
        known: dict[str, Mapping[str, Any]] = {"board": self.boards, "tree": self.trees, "graph": self.games}
        named = known[key]
        file = {"board": "boards.yaml", "tree": "trees.yaml", "graph": "games.yaml"}[key]
        if block.take(key, str) not in named:
            block.fail(f"no {key} is named `{block[key]}`; draw it in boards/{file}", key)
        return named[block[key]]


class Writing(ABC):
    """How cases of a kind are written.  Checks raise BadFile.

    `types` has the type of each key that an expectation may have.
    """

    types: ClassVar[Types] = {}

    @abstractmethod
    def check(self, function: Function, call: Block, names: Names) -> set[str]:
        """Check what a call says; the keys that it may have."""

    @abstractmethod
    def expectations(self, function: Function) -> tuple[set[str], ...]:
        """The keys that an expectation has: one of these sets."""

    def check_expectation(self, function: Function, expect: Block, inputs: Mapping[str, Any]) -> None:
        """Check what a call expects, whose keys and types are right."""
        return

    def compares(self, function: Function) -> bool:
        """Whether a case may compare the scores of several calls, with `order` and `opposite`."""
        return False

    def plies(self, function: Function) -> int:
        """How many plies of Connect Four below its board a call carries as data."""
        return 0

    @abstractmethod
    def fill(self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
        """What the model answers to a call, in the form in which cases are judged."""


def writing_of(function: Function) -> Writing:
    """How cases of a function are written.  BadFile where nobody knows its kind."""
    kind_of(function)
    writing: Writing = importlib.import_module(f"grader.kinds.{function.kind}.staff").WRITING
    return writing
