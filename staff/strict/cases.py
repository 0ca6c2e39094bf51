"""Checks the case files before anything runs on them.  Every mistake is a BadFile.

The schemas in grader/kinds/ say which form a file has.  This module and the modules of
staff/kinds/ check what no schema can say.
"""

from collections.abc import Iterable, Iterator
from copy import copy
from pathlib import Path

from boards.reading import shown
from grader.bank.points import Function, read_points
from grader.bank.reading import CASES
from staff.strict.kind import schema_of, staff_file, writing_of
from staff.strict.named import Names
from staff.strict.reading import Block, meant, mistakes_in
from staff.strict.schema import KINDS, check


def case_blocks(root: Block) -> Iterator[tuple[str, Block, list[Block]]]:
    """Yield each case in a file: its function, its block, and the blocks of its calls.

    If a case has no `calls`, the case itself is its only call.  Raises BadFile if the
    function of a case is missing.
    """
    for block in root["cases"]:
        function: str = block.get("function") or root.get("function", "")
        if not function:
            block.fail("`function` is missing, here or above the cases")
        yield function, block, block.get("calls", [block])


def check_files(roots: Iterable[Block], unfilled: bool = False) -> None:
    """Check the contents of case files.

    With `unfilled`, a case need not have expectations yet.
    """
    names = Names()
    earlier: dict[str, Block] = {}  # the case that has each id
    parts = {part.number: part for part in read_points()}
    for root in roots:
        check(root, KINDS / "schema.json")
        if root["part"] not in parts:
            numbers = ", ".join(map(str, parts))
            root.fail(
                f"points.yaml has no part {root['part']}; it has {numbers}", "part"
            )
        part = parts[root["part"]]
        _check_shape(root, part.graded)
        for name, block, calls in case_blocks(root):
            _check_calls(part.graded[name], block, calls, names, unfilled)
            other = earlier.setdefault(id_of(block), block)
            if other is not block:
                place = f"{shown(other.file)}:{other.line}"
                block.fail(f"{id_of(block)} is in {place} already; rename it")
            is_public_folder = root.file.parent == CASES
            if root.get("hidden") and is_public_folder and name not in part.hidden:
                block.fail(
                    f"{id_of(block)} is hidden, and no points are left to such cases: "
                    "a file with `hidden: true` belongs in staff/hidden/"
                )


def _check_calls(
    function: Function, block: Block, calls: list[Block], names: Names, unfilled: bool
) -> None:
    """Check the calls of a case, according to the kind of its function."""
    for call in calls:
        with mistakes_in(staff_file(function.kind)):
            writing_of(function).check(function, call, names)
        if not (unfilled or writing_of(function).is_filled(call)):
            call.fail(
                "there is no `expect`, or not all of it; `make expectations` fills it "
                "in"
            )
    named = [call["name"] for call in calls if "name" in call]
    _check_relations(function, block, named)


def _check_shape(root: Block, graded: dict[str, Function]) -> None:
    """Check each case of a file against the schema of its kind."""
    of_a_schema: dict[Path, list[Block]] = {}
    for name, block, _ in case_blocks(root):
        if name not in graded:
            hint = meant(name, graded) or "see points.yaml"
            problem = f"part {root['part']} has no function `{name}` with points"
            if "function" in block:
                block.fail(f"{problem}; {hint}", "function")
            root.fail(f"{problem}; {hint}", "function")
        of_a_schema.setdefault(schema_of(graded[name]), []).append(block)
    for schema, blocks in of_a_schema.items():
        of_one_kind = copy(root)
        of_one_kind["cases"] = blocks
        check(of_one_kind, schema)


def id_of(block: Block) -> str:
    """The id of a case: the topic of its file, a slash, and the `id` in its block."""
    return f"{block.file.stem.partition('-')[2]}/{block['id']}"


def _check_relations(function: Function, block: Block, names: list[str]) -> None:
    """Check that no two calls have the same name, and check `order` and `opposite`.

    `order` and `opposite` must each name several different calls, whose scores can be
    compared.  `opposite` names these calls in pairs.
    """
    if len(set(names)) < len(names):
        block.fail("two calls have the same `name`", "calls")
    for key in block.keys() & {"order", "opposite"}:
        compared = block[key]
        if not writing_of(function).compares(function):
            block.fail(
                f"`{key}` compares scores, and {function.name} has none to compare", key
            )
        for name in compared:
            if name not in names:
                block.fail(
                    f"`{key}` speaks of `{name}`, but no call has that name", key
                )
        if len(compared) < 2 or len(set(compared)) < len(compared):
            block.fail(f"`{key}` names several different calls", key)
        if key == "opposite" and len(compared) % 2:
            block.fail("`opposite` names pairs of different calls", key)
