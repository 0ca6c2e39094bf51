"""Lists code that is hard to read: `python -m staff.plain_code [WORD ...]`.

The command prints each place that breaks a rule.  If there are words, it prints only
the places in files whose names contain one of the words.  Then it prints how often each
room, which is a folder of the kit, breaks each rule, and how often the room may break
it.  The table tests/tables/plain_code.yaml sets these limits.  LIMITS holds for every
room and rule that the table does not have.  This command never raises a number in the
table.  With --lower, it replaces the numbers by smaller ones if the code has become
better.
"""

import argparse
import ast
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from staff.tokens import Size, room_of, sizes_of_rooms, texts_of_kit

ALLOWED = Path(__file__).parent / "tests" / "tables" / "plain_code.yaml"
MODEL = "lab.py"  # this file is left out, because it is written for students
MOST_FORS = 2
MOST_CONDITIONALS = 2.5
MOST_SHOWN = 100  # characters of an expression that are shown
HEADER = "conditional in the header of a for"
NESTED = "conditional in a conditional"
FORS = f"more than {MOST_FORS} for in a comprehension"
ARITHMETIC = "arithmetic on a comparison"
CONDITIONALS = "conditionals per 100 statements"
LIMITS: dict[str, float] = {
    HEADER: 0,
    NESTED: 0,
    FORS: 0,
    ARITHMETIC: 0,
    CONDITIONALS: MOST_CONDITIONALS,
}
"""How often a room may break each rule, unless the table has another number."""
TABLE_BEGINS = (
    "# How often a room may still break a rule of staff/plain_code.py; "
    "only --lower writes here.\n"
)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)

Code = ast.expr | ast.stmt
Counts = dict[str, dict[str, float]]
"""How often a room breaks or may break a rule.  The keys are the room and the rule."""


@dataclass(frozen=True)
class Place:
    """A place in the code that breaks a rule."""

    file: str
    line: int
    rule: str
    code: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}: {self.code}"


def main(words: list[str]) -> int:
    """Print the places and the rooms; return 1 if a room breaks a rule too often."""
    parser = argparse.ArgumentParser("python -m staff.plain_code")
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="part of the name of a file"
    )
    parser.add_argument(
        "--lower", action="store_true", help="lower what is allowed to what there is"
    )
    options = parser.parse_args(words)
    texts = {name: text for name, text in texts_of_kit().items() if name != MODEL}
    for name, text in texts.items():
        if not options.words or any(word in name for word in options.words):
            for place in places(name, text):
                print(place)
    counts, allowed = counts_of_rooms(texts), read_allowed()
    if options.lower:
        allowed = lowered(allowed, counts)
        ALLOWED.write_text(
            TABLE_BEGINS + yaml.safe_dump(allowed, sort_keys=True), "utf-8"
        )
    for room in counts:
        for rule, most in limits_of(room, allowed).items():
            if counts[room][rule] or most:
                print(f"{room}: {rule}: {counts[room][rule]:g}, of {most:g} allowed")
    excess = too_many(counts, allowed)
    for line in excess:
        print(line)
    return int(bool(excess))


def read_allowed() -> Counts:
    """Read from tests/tables/plain_code.yaml how often each room may break each
    rule.
    """
    allowed: Counts = yaml.safe_load(ALLOWED.read_text("utf-8")) or {}
    return allowed


def limits_of(room: str, allowed: Counts) -> dict[str, float]:
    """Return the limits of a room: how often the room may break each rule."""
    return LIMITS | allowed.get(room, {})


def too_many(counts: Counts, allowed: Counts) -> list[str]:
    """Return a line for each room and rule with more places than the limit allows."""
    lines = []
    for room, rules in counts.items():
        for rule, most in limits_of(room, allowed).items():
            if rules[rule] > most:
                lines.append(
                    f"TOO MANY in {room}: {rule}: {rules[rule]:g}, "
                    f"not more than {most:g}"
                )
    return lines


def lowered(allowed: Counts, counts: Counts) -> Counts:
    """Return the table with each number lowered to what the code has now.

    The table leaves out a number if it is not above LIMITS, which holds for every room.
    """
    lower: Counts = {}
    for room, rules in allowed.items():
        left = {
            rule: min(most, counts.get(room, {}).get(rule, 0))
            for rule, most in rules.items()
        }
        left = {rule: most for rule, most in left.items() if most > LIMITS[rule]}
        if left:
            lower[room] = left
    return lower


def counts_of_rooms(texts: dict[str, str]) -> Counts:
    """Count how often each room breaks each rule.

    The rule on conditional expressions has no count, but a share: the number of such
    expressions per 100 statements.
    """
    counts: Counts = {}
    for room, size in sizes_of_rooms(texts).items():
        counts[room] = {
            HEADER: 0,
            NESTED: 0,
            FORS: 0,
            ARITHMETIC: 0,
            CONDITIONALS: _share(size),
        }
    for name, text in texts.items():
        for place in places(name, text):
            counts[room_of(name)][place.rule] += 1
    return counts


def _share(size: Size) -> float:
    """Return the number of conditional expressions per 100 statements, rounded up to a
    tenth.
    """
    return math.ceil(size.conditionals_per_100 * 10) / 10


def places(name: str, text: str) -> list[Place]:
    """Return the places in a file that break a rule, from the top of the file."""
    offences = []
    for node in ast.walk(ast.parse(text)):
        for rule, offenders in RULES.items():
            for expression in offenders(node):
                code = " ".join(ast.unparse(expression).split())
                offences.append(Place(name, expression.lineno, rule, code[:MOST_SHOWN]))
    return sorted(offences, key=lambda place: (place.line, place.rule))


def _conditional_headers(node: ast.AST) -> Iterator[Code]:
    """Yield the expression that a `for` loops over, if it has a conditional expression.

    The `for` may be part of a comprehension.
    """
    if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension) and _count(
        node.iter, ast.IfExp
    ):
        yield node.iter


def _nested_conditionals(node: ast.AST) -> Iterator[Code]:
    """Yield a conditional expression that contains another one."""
    if isinstance(node, ast.IfExp) and _count(node, ast.IfExp) > 1:
        yield node


def _long_comprehensions(node: ast.AST) -> Iterator[Code]:
    """Yield a comprehension with too many `for`.

    If a comprehension contains another one, the `for` of both are counted.
    """
    if isinstance(node, COMPREHENSIONS) and _count(node, ast.comprehension) > MOST_FORS:
        yield node


def _arithmetic_on_comparisons(node: ast.AST) -> Iterator[Code]:
    """Yield a calculation or an index in which a comparison stands for 0 or 1.

    `and` and `|` are logic, so they are allowed.
    """
    numbers: list[ast.expr] = []
    if isinstance(node, ast.BinOp) and not isinstance(node.op, LOGICAL):
        numbers = [node.left, node.right]
    elif isinstance(node, ast.AugAssign) and not isinstance(node.op, LOGICAL):
        numbers = [node.value]
    elif isinstance(node, ast.Subscript):
        numbers = [node.slice]
    if isinstance(node, ast.expr | ast.stmt) and any(map(_is_comparison, numbers)):
        yield node


def _is_comparison(node: ast.expr) -> bool:
    """Whether an expression is a comparison, a `not`, or an `and` or `or` of these.

    For example, `x < 1 or y < 1` is, and `x or 0` is not.
    """
    if isinstance(node, ast.BoolOp):
        return all(map(_is_comparison, node.values))
    is_not = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return is_not or isinstance(node, ast.Compare)


def _count(node: ast.AST, wanted: type[ast.AST]) -> int:
    """How many nodes of this type a syntax tree has, including its root."""
    return sum(isinstance(inner, wanted) for inner in ast.walk(node))


RULES = {
    HEADER: _conditional_headers,
    NESTED: _nested_conditionals,
    FORS: _long_comprehensions,
    ARITHMETIC: _arithmetic_on_comparisons,
}
"""The rules.  Each has a function, which yields the code of a node that breaks the
rule.
"""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
