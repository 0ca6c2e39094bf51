"""Checks points.yaml: the points add up, and each function is of a kind that there is."""

from fractions import Fraction
from pathlib import Path

from boards.points import POINTS
from grader.kinds import known
from grader.kinds.known import KINDS
from staff.strict.reading import Block, read_yaml

FOLDER = Path(known.__file__).parent
OF_A_KIND = ("kind.py", "child.py", "staff.py")
_LISTS = ("arguments", "needs", "may_call")
_FACTS = {"points", "kind", "returns", "prunes", *_LISTS}


def check_points(file: Path = POINTS) -> None:
    """BadFile where the points do not add up, or a function is of no kind."""
    root = read_yaml(file)
    root.allow({"total", "rescaled_to", "hidden", "parts"})
    blocks = root.take("parts", list)
    if not all(isinstance(block, Block) for block in blocks):
        root.fail("`parts` is a list of mappings: `- part: 0` and so on", "parts")
    total = sum((_check_part(block) for block in blocks), Fraction(0))
    if total != root.take("total", int):
        root.fail(f"the parts add up to {total}, but `total` says {root['total']}; correct one of them", "total")
    if "rescaled_to" in root:
        _points(root, "rescaled_to")
    functions = {name for block in blocks for name in block["functions"]}
    for block in blocks:
        _check_relations(block["functions"], functions)
    shares: Block = root.take("hidden", Block, Block(root.file, root.line))
    shares.allow(functions)
    for name in shares:
        if not 0 < shares.take(name, (int, float)) <= 1:
            shares.fail(f"the hidden share of {name} is {shares[name]}; a share is above 0 and at most 1", name)


def _check_part(block: Block) -> Fraction:
    """The points of a part, whose number, title and functions are in order."""
    block.allow({"part", "title", "points", "functions"})
    functions: Block = block.take("functions", Block)
    points = sum((_check_function(functions, name) for name in functions), Fraction(0))
    if points != block.take("points", int):
        said = f"the functions add up to {points}, but `points` says {block['points']}; correct one of them"
        block.fail(said, "points")
    block.take("part", int)
    block.take("title", str)
    return points


def _check_function(functions: Block, name: str) -> Fraction:
    facts: Block = functions.take(name, Block)
    facts.allow(_FACTS)
    if facts.take("kind", str) not in KINDS:
        facts.fail(f"`{name}` is of the kind `{facts['kind']}`; grader/kinds/ has {', '.join(KINDS)}", "kind")
    for file in OF_A_KIND:
        if not (FOLDER / facts["kind"] / file).is_file():
            facts.fail(f"grader/kinds/{facts['kind']} has no {file}; grader/kinds/kind.py says what that is", "kind")
    for key in _LISTS:
        facts.texts(key, [])
    for key in ("returns", "prunes"):
        facts.take(key, str, "")
    return _points(facts, "points")


def _check_relations(functions: Block, known: set[str]) -> None:
    """What a function needs, may call or prunes is a function with points."""
    for facts in functions.values():
        for key in ("needs", "may_call", "prunes"):
            named = [facts[key]] if key == "prunes" and key in facts else facts.get(key, [])
            for name in named:
                if name not in known:
                    facts.fail(f"`{key}` speaks of `{name}`, which has no points", key)


def _points(block: Block, key: str) -> Fraction:
    if not 0 < block.take(key, (int, float)) < 1_000:
        block.fail(f"{key} is {block[key]}; points are above 0", key)
    return Fraction(str(block[key]))
