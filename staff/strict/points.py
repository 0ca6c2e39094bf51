"""Checks points.yaml: the points add up, and each function is of a kind that there is."""

from fractions import Fraction
from pathlib import Path

from boards.cases import POINTS
from grader.kinds.kind import KINDS
from staff.strict.kind import writing_of_kind
from staff.strict.reading import Block, meant, read_yaml, shown
from staff.strict.schema import BOARDS, check
from staff.strict.schema import KINDS as FOLDER

OF_A_KIND = ("kind.py", "worker.py", "schema.json", "staff.py")


def check_points(file: Path = POINTS) -> None:
    """BadFile where the points do not add up, or a function is of no kind."""
    root = read_yaml(file)
    check(root, BOARDS / "points.json")
    functions: dict[str, Block] = {}
    parts: dict[int, Block] = {}
    for part in root["parts"]:
        if (other := parts.setdefault(part["part"], part)) is not part:
            part.fail(f"part {part['part']} stands in line {other.line} already; renumber one", "part")
        functions |= part["functions"]
        worth = sum((Fraction(str(facts["points"])) for facts in part["functions"].values()), Fraction(0))
        if worth != part["points"]:
            said = (
                f"the functions add up to {float(worth):.12g}, but `points` says {part['points']}; correct one of them"
            )
            part.fail(said, "points")
    total = sum(part["points"] for part in root["parts"])
    if total != root["total"]:
        root.fail(f"the parts add up to {total}, but `total` says {root['total']}; correct one of them", "total")
    for name, facts in functions.items():
        _check_function(name, facts, functions)
    if "hidden" in root:
        root["hidden"].allow(functions)


def _check_function(name: str, facts: Block, functions: dict[str, Block]) -> None:
    """Its points can be shown, it is of a kind, and what it needs, may call or prunes is a function with points."""
    if Fraction(str(facts["points"])) * 100 % 1:
        facts.fail(f"`points` of `{name}` is {facts['points']}; write two decimals at most, as screens show", "points")
    if facts["kind"] not in KINDS:
        facts.fail(f"`{name}` is of the kind `{facts['kind']}`; grader/kinds/ has {', '.join(KINDS)}", "kind")
    for file in OF_A_KIND:
        if not (FOLDER / facts["kind"] / file).is_file():
            facts.fail(f"grader/kinds/{facts['kind']} has no {file}; grader/kinds/kind.py says what that is", "kind")
    returns, said = writing_of_kind(facts["kind"]).returns, facts.get("returns", "")
    if returns is not None and said not in returns:
        hint = meant(said, returns) or f"it is {' or '.join(filter(None, returns))}"
        facts.fail(f"`returns` of `{name}` is {shown(said)}; {hint}", "returns")
    pruned = [facts["prunes"]] if "prunes" in facts else []
    for key, names in (("needs", facts.get("needs", [])), ("may_call", facts.get("may_call", [])), ("prunes", pruned)):
        for one in names:
            if one not in functions:
                hint = meant(one, functions)
                facts.fail(f"`{key}` speaks of `{one}`, which has no points{hint and f'; {hint}'}", key)
