"""Makes mechanical mutants of the model solution, using cosmic-ray.

An operator of cosmic-ray changes one place in a program, for example from `<` to `<=`.
This module uses every operator, except for those in NEED_A_CAUSE, at every place in the
solutions of lab.py.  It changes the text in memory, and no file.
"""

import itertools
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from staff.call_graph import TOP, definitions, reached
from staff.release.regions import solutions

LAB = Path("lab.py")  # stands for the file in messages
NEED_A_CAUSE = ("core/VariableInserter", "core/VariableReplacer")
"""Operators that are left out, because somebody would have to say what to put in."""


@dataclass(frozen=True)
class Change:
    """What a mutant changes in a line of a function.

    A change is described without line numbers, so it stays the same if other lines of
    lab.py change.  Two mutants may have the same change, for example if a function has
    the same line twice.
    """

    # The graded function that is changed, or that uses the helper that is changed.
    function: str
    operator: str  # the name of cosmic-ray's operator, such as NumberReplacer
    before: str  # the line of the model, without its indentation
    after: str  # the line in the mutant


@dataclass(frozen=True)
class Mutant:
    """The model with one mechanical change."""

    change: Change
    line: int  # the line of lab.py that is changed, counted from 1
    text: str  # the text of the whole lab.py


def mutants(model: str, graded: Sequence[str], chosen: Collection[str]) -> list[Mutant]:
    """Make the mutants that change a chosen function, in the order of the changed
    lines.

    `graded` are all graded functions.  A helper belongs to the first graded function
    that uses it.  The survey belongs to no function.
    """
    from cosmic_ray import plugins  # only `make figures` needs it

    operators = {
        name: plugins.get_operator(name)()
        for name in plugins.operator_names()
        if name not in NEED_A_CAUSE
    }
    lines = model.splitlines(keepends=True)
    in_solutions = _lines_of_solutions(model)
    of_the_model = []
    for names, statement in definitions(model.encode()):
        owner = _owner(names - {TOP}, model.encode(), graded)
        if owner not in chosen:
            continue
        begin = statement.lineno - 1
        end = statement.end_lineno
        for name, operator in operators.items():
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
    """Yield the texts that an operator makes of some code, one for each place in the
    code.
    """
    from cosmic_ray.mutating import mutate_code

    for occurrence in itertools.count():
        mutated = mutate_code(code, operator, occurrence)
        if mutated is None:
            return
        yield mutated


def difference(model: str, text: str) -> tuple[int, str, str]:
    """Compare the model with a mutant.

    Return the number of the first line that differs, what the lines that differ are in
    the model, and what they are in the mutant.  Each of these two texts is joined to
    one line.

    >>> difference("a\\n  b\\nc\\n", "a\\n  d\\nc\\n")
    (2, 'b', 'd')
    """
    before = model.splitlines()
    after = text.splitlines()
    first = 0
    while before[first] == after[first]:
        first += 1
    alike = 0
    while before[-1 - alike] == after[-1 - alike]:
        alike += 1
    was = before[first : len(before) - alike]
    became = after[first : len(after) - alike]
    return first + 1, _joined(was), _joined(became)


def _joined(lines: Sequence[str]) -> str:
    """Join lines of code to one line, without indentation."""
    return " ".join(line.strip() for line in lines)


def _lines_of_solutions(model: str) -> set[int]:
    """The numbers of the lines that are part of a solution in the model."""
    lines: set[int] = set()
    for solution in solutions(model, LAB):
        lines.update(range(solution.begin + 2, solution.end + 1))
    return lines


def _owner(names: Set[str], source: bytes, graded: Sequence[str]) -> str:
    """The graded function to which a statement that defines these names belongs.

    A helper belongs to the first graded function that uses it.  The result is empty for
    a statement that belongs to no graded function.
    """
    for function in graded:
        if function in names:
            return function
    for function in graded:
        if names & reached(source, function):
            return function
    return ""
