"""Checks points.yaml, for example that the points add up."""

from fractions import Fraction
from pathlib import Path

from boards.reading import POINTS
from grader.kit import KIT
from staff.strict.reading import Block, meant, read_block
from staff.strict.schema import BOARDS, KINDS, check

NAMES = tuple(sorted(file.parent.name for file in KINDS.glob("*/__init__.py")))
OF_A_KIND = (
    "grader/kinds/{}/kind.py",
    "grader/kinds/{}/worker.py",
    "grader/kinds/{}/schema.json",
    "staff/kinds/{}.py",
)
"""The files that each kind must have."""


def check_points(file: Path = POINTS) -> None:
    """Check points.yaml: the numbers of the parts, the points, and the functions and
    kinds that it names.

    Raises BadFile.
    """
    root = read_block(file)
    check(root, BOARDS / "points.json")
    functions: dict[str, Block] = {}
    numbers: list[int] = []
    for part in root["parts"]:
        if part["part"] in numbers:
            part.fail(f"part {part['part']} is above already; renumber one", "part")
        numbers.append(part["part"])
        functions |= part["functions"]
        worth = sum(
            Fraction(str(facts["points"])) for facts in part["functions"].values()
        )
        if worth != part["points"]:
            part.fail(
                f"the functions add up to {float(worth):.12g}, but `points` says "
                f"{part['points']}; correct one",
                "points",
            )
    total = sum(part["points"] for part in root["parts"])
    if total != root["total"]:
        root.fail(
            f"the parts add up to {total}, but `total` says {root['total']}; "
            "correct one of them",
            "total",
        )
    for name, facts in functions.items():
        _check_function(name, facts, functions)
    for name in root.get("hidden", {}):
        _check_known(root["hidden"], name, name, functions)


def _check_function(name: str, facts: Block, functions: dict[str, Block]) -> None:
    """Check the points of a function, its kind, and the functions that it names."""
    if Fraction(str(facts["points"])) * 100 % 1:
        facts.fail(
            f"`points` of `{name}` is {facts['points']}; write two decimals at most, "
            "as screens show",
            "points",
        )
    if facts["kind"] not in NAMES:
        facts.fail(
            f"`{name}` is of the kind `{facts['kind']}`; grader/kinds/ has "
            f"{', '.join(NAMES)}",
            "kind",
        )
    for pattern in OF_A_KIND:
        file = pattern.format(facts["kind"])
        if not (KIT / file).is_file():
            facts.fail(
                f"there is no {file}; grader/kinds/kind.py says what that is", "kind"
            )
    for key in ("needs", "may_call"):
        for other in facts.get(key, ()):
            _check_known(facts, key, other, functions)
    if "prunes" in facts:
        _check_known(facts, "prunes", facts["prunes"], functions)


def _check_known(
    block: Block, key: str, name: str, functions: dict[str, Block]
) -> None:
    """Raise BadFile unless `name` is the name of a function with points."""
    if name not in functions:
        hint = meant(name, functions) or "add it"
        block.fail(f"`{key}` speaks of `{name}`, which has no points; {hint}", key)
