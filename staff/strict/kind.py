"""Writing: what staff know of a kind of function, in the staff.py of its folder in grader/kinds/.

The schema.json beside it says what a case and an expectation may hold.  What no schema can say is
checked there, and `make expectations` asks it what to fill in.
"""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Protocol

from boards.cases import Function
from boards.reading import Drawing
from grader.kinds.kind import kind_of
from staff.strict.named import check_drawing, read_boards, read_games, read_trees
from staff.strict.reading import Block, meant, mistakes_in
from staff.strict.schema import KINDS, read_schema


class Ask(Protocol):
    """Asks the model solution."""

    def __call__(self, function: str, inputs: Mapping[str, Any]) -> Any:
        """The model's answer to a call of a function, read and typed.  Raises ModelFailure."""


class Names:
    """The boards, trees and games that a case may name."""

    def __init__(self) -> None:
        self.boards: dict[str, Drawing] = read_boards()
        self.trees: dict[str, Drawing] = read_trees()
        self.games: dict[str, str] = read_games()

    def check(self, block: Block, key: str) -> None:
        """BadFile where a key of a block names no board, tree or game; a tree may be drawn on the spot."""
        known: dict[str, Mapping[str, Any]] = {"board": self.boards, "tree": self.trees, "graph": self.games}
        file = {"board": "boards.yaml", "tree": "trees.yaml", "graph": "games.yaml"}[key]
        if key == "tree" and "\n" in block[key]:
            check_drawing(block)
        elif "negates" in block:
            block.fail("`negates` is for a tree that is drawn here; a named one says it in its own file", "negates")
        elif block[key] not in known[key]:
            hint = meant(block[key], known[key])
            block.fail(f"no {key} is named `{block[key]}`; {hint or f'draw it in boards/{file}'}", key)


class Writing(ABC):
    """How cases of a kind are written, beyond what its schema says.  Checks raise BadFile.

    `returns` is what points.yaml may say there of a function of this kind, with "" where it may say nothing; None
    for anything.
    """

    returns: Collection[str] | None = None

    def check(self, function: Function, call: Block, names: Names) -> None:
        """Check what a call says."""
        return

    def expectations(self, function: Function) -> list[set[str]]:
        """The keys that an expectation has: one of these sets, all of which are in the schema."""
        with mistakes_in(schema_of(function)):
            forms = read_schema(schema_of(function))["definitions"]["expect"]["anyOf"]
            return [set(form["required"]) for form in forms]

    def check_expectation(self, function: Function, expect: Block, inputs: Mapping[str, Any]) -> None:
        """Check what a call expects."""
        return

    def check_places(self, expect: Block, inputs: Mapping[str, Any]) -> None:
        """Check that the places which a call expects are there; that much before they are filled in anew, too."""
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


def schema_of(function: Function) -> Path:
    """The schema of a case file of this function's kind."""
    return KINDS / function.kind / "schema.json"


def writing_of(function: Function) -> Writing:
    """How cases of a function are written.  BadFile where nobody knows its kind."""
    kind_of(function)
    return writing_of_kind(function.kind)


def writing_of_kind(kind: str) -> Writing:
    """How cases of a kind that there is are written."""
    with mistakes_in(KINDS / kind / "staff.py"):
        writing: Writing = importlib.import_module(f"grader.kinds.{kind}.staff").WRITING
        return writing
