"""Mechanical mutants of the model solution: every operator of cosmic-ray, at every
place in the solutions of lab.py.

Nothing is written to disk: cosmic-ray changes the text of the model in memory.
"""

import itertools
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from staff.call_graph import TOP, definitions, reached
from staff.release.regions import solutions

LAB = Path("lab.py")  # what messages about the text call it
NEED_A_CAUSE = (
    "core/VariableInserter",
    "core/VariableReplacer",
)  # which must be told what to put in


@dataclass(frozen=True)
class Change:
    """What tells a mutant from all others, whatever else changes in lab.py.

    Two mutants have the same change only if a function holds the same line twice.
    """

    function: str  # the graded function that it changes, or whose helper it changes
    operator: str  # the name of cosmic-ray's operator, such as NumberReplacer
    before: str  # the line of the model, without its indentation
    after: str  # the line that stands there instead


@dataclass(frozen=True)
class Mutant:
    """The model with one mechanical change."""

    change: Change
    line: int  # of lab.py, counted from 1
    text: str  # of the whole lab.py


def mutants(model: str, graded: Sequence[str], chosen: Collection[str]) -> list[Mutant]:
    """The mutants of a model in which one of the chosen functions changes, in the order
    of their lines.

    `graded` are all graded functions.  A helper belongs to the first one that it helps,
    and the survey to none.
    """
    from cosmic_ray import plugins  # which only `make figures` needs

    operators = {
        name: plugins.get_operator(name)()
        for name in plugins.operator_names()
        if name not in NEED_A_CAUSE
    }
    lines, in_solutions = model.splitlines(keepends=True), _lines_of_solutions(model)
    of_the_model = []
    for names, statement in definitions(model.encode()):
        owner = _owner(names - {TOP}, model.encode(), graded)
        begin, end = statement.lineno - 1, statement.end_lineno
        for name, operator in operators.items() if owner in chosen else ():
            for code in _mutated("".join(lines[begin:end]), operator):
                text = "".join([*lines[:begin], code, *lines[end:]])
                line, before, after = difference(model, text)
                if line in in_solutions:
                    change = Change(owner, name.partition("/")[2], before, after)
                    of_the_model.append(Mutant(change, line, text))
    return sorted(
        of_the_model, key=lambda mutant: (mutant.line, mutant.change.operator)
    )


def _mutated(code: str, operator: Any) -> Iterator[str]:
    """What an operator makes of some code, one text for each place to which it
    applies.
    """
    from cosmic_ray.mutating import mutate_code

    for occurrence in itertools.count():
        mutated = mutate_code(code, operator, occurrence)
        if mutated is None:
            return
        yield mutated


def difference(model: str, text: str) -> tuple[int, str, str]:
    """The number of the first line that differs, and what stands in both texts from
    there to the last one that does.

    >>> difference("a\\n  b\\nc\\n", "a\\n  d\\nc\\n")
    (2, 'b', 'd')
    """
    before, after = model.splitlines(), text.splitlines()
    first = 0
    while before[first] == after[first]:
        first += 1
    alike = 0
    while before[-1 - alike] == after[-1 - alike]:
        alike += 1
    changed = (lines[first : len(lines) - alike] for lines in (before, after))
    was, became = (" ".join(line.strip() for line in lines) for lines in changed)
    return first + 1, was, became


def _lines_of_solutions(model: str) -> set[int]:
    """The numbers of the lines that students write."""
    lines = set[int]()
    for solution in solutions(model, LAB):
        lines.update(range(solution.begin + 2, solution.end + 1))
    return lines


def _owner(names: Set[str], source: bytes, graded: Sequence[str]) -> str:
    """The graded function that a statement with these names defines, or else the first
    one that its names help.
    """
    for function in graded:
        if function in names:
            return function
    for function in graded:
        if names & reached(source, function):
            return function
    return ""
