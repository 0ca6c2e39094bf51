"""Checks the case files, before anything is run on them: every mistake is a BadFile.

Their shape is checked against the schemas in grader/kinds/; what no schema can say is
checked here, and in staff/kinds/.
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
    """For each case of a file: its function, its block, and the blocks of its calls.

    A case without `calls` is its own only call.
    """
    for block in root["cases"]:
        function: str = block.get("function") or root.get("function", "")
        if not function:
            block.fail("`function` is missing, here or above the cases")
        yield function, block, block.get("calls", [block])


def check_files(roots: Iterable[Block], unfilled: bool = False) -> None:
    """Check what some case files hold.  With `unfilled`, expectations are still to be
    filled in: none is missed.
    """
    names, first = Names(), dict[str, Block]()
    parts = {part.number: part for part in read_points()}
    for root in roots:
        check(root, KINDS / "schema.json")
        if root["part"] not in parts:
            root.fail(
                f"points.yaml has no part {root['part']}; it has {', '.join(map(str, parts))}",
                "part",
            )
        part = parts[root["part"]]
        _check_shape(root, part.graded)
        for name, block, calls in case_blocks(root):
            function = part.graded[name]
            for call in calls:
                with mistakes_in(staff_file(function.kind)):
                    writing_of(function).check(function, call, names)
                if not (unfilled or writing_of(function).is_filled(call)):
                    call.fail(
                        "there is no `expect`, or not all of it; `make expectations` fills it in"
                    )
            _check_relations(
                function, block, [call["name"] for call in calls if "name" in call]
            )
            other = first.setdefault(id_of(block), block)
            if other is not block:
                block.fail(
                    f"{id_of(block)} stands in {shown(other.file)}:{other.line} already; rename it"
                )
            if (
                root.get("hidden")
                and root.file.parent == CASES
                and name not in part.hidden
            ):
                block.fail(f"{id_of(block)} is hidden, and no points are left to such cases: "
                           "a file with `hidden: true` belongs in staff/hidden/")  # fmt: skip


def _check_shape(root: Block, graded: dict[str, Function]) -> None:
    """Check a file against the schema of its kind; where it has several kinds, the
    cases of each.
    """
    of_a_schema: dict[Path, list[Block]] = {}
    for name, block, _ in case_blocks(root):
        if name not in graded:
            hint = meant(name, graded) or "see points.yaml"
            named = block if "function" in block else root
            named.fail(
                f"part {root['part']} has no function `{name}` with points; {hint}",
                "function",
            )
        of_a_schema.setdefault(schema_of(graded[name]), []).append(block)
    for schema, blocks in of_a_schema.items():
        of_one_kind = copy(root)
        of_one_kind["cases"] = blocks
        check(of_one_kind, schema)


def id_of(block: Block) -> str:
    """The whole id of a case."""
    return f"{block.file.stem.partition('-')[2]}/{block['id']}"


def _check_relations(function: Function, block: Block, names: list[str]) -> None:
    """`order` and `opposite` speak of calls that there are, and each name is one
    call's.
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
