"""Checks points.yaml: the points add up, and each function is of a kind that there
is.
"""

from fractions import Fraction
from pathlib import Path

from boards.reading import POINTS
from grader.kinds.kind import KINDS
from grader.kit import KIT
from staff.strict.reading import Block, meant, read_yaml
from staff.strict.schema import BOARDS, check

OF_A_KIND = (
    "grader/kinds/{}/kind.py", "grader/kinds/{}/worker.py", "grader/kinds/{}/schema.json", "staff/kinds/{}.py",
)  # fmt: skip


def check_points(file: Path = POINTS) -> None:
    """BadFile if the points do not add up, or a function is of no kind."""
    root = read_yaml(file)
    check(root, BOARDS / "points.json")
    functions: dict[str, Block] = {}
    numbers: list[int] = []
    for part in root["parts"]:
        if part["part"] in numbers:
            part.fail(f"part {part['part']} stands above already; renumber one", "part")
        numbers.append(part["part"])
        functions |= part["functions"]
        worth = sum(
            Fraction(str(facts["points"])) for facts in part["functions"].values()
        )
        if worth != part["points"]:
            added = f"{float(worth):.12g}"
            part.fail(
                f"the functions add up to {added}, but `points` says {part['points']}; correct one",
                "points",
            )
    total = sum(part["points"] for part in root["parts"])
    if total != root["total"]:
        root.fail(
            f"the parts add up to {total}, but `total` says {root['total']}; correct one of them",
            "total",
        )
    for name, facts in functions.items():
        _check_function(name, facts, functions)
    for name in root.get("hidden", {}):
        _check_known(root["hidden"], name, name, functions)


def _check_function(name: str, facts: Block, functions: dict[str, Block]) -> None:
    """Its points can be shown, it is of a kind, and what it needs, may call or prunes
    is a function with points.
    """
    if Fraction(str(facts["points"])) * 100 % 1:
        facts.fail(
            f"`points` of `{name}` is {facts['points']}; write two decimals at most, as screens show",
            "points",
        )
    if facts["kind"] not in KINDS:
        facts.fail(
            f"`{name}` is of the kind `{facts['kind']}`; grader/kinds/ has {', '.join(KINDS)}",
            "kind",
        )
    for file in OF_A_KIND:
        name = file.format(facts["kind"])
        if not (KIT / name).is_file():
            facts.fail(
                f"there is no {name}; grader/kinds/kind.py says what that is", "kind"
            )
    for key in ("needs", "may_call"):
        for other in facts.get(key, ()):
            _check_known(facts, key, other, functions)
    if "prunes" in facts:
        _check_known(facts, "prunes", facts["prunes"], functions)


def _check_known(
    block: Block, key: str, name: str, functions: dict[str, Block]
) -> None:
    if name not in functions:
        block.fail(
            f"`{key}` speaks of `{name}`, which has no points; {meant(name, functions) or 'add it'}",
            key,
        )
