"""Checks the case files, before anything is run on them: every mistake is a BadFile.

Their shape is checked against the schemas in grader/kinds/; what no schema can say is checked here,
and in the staff.py of each kind.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import chain
from pathlib import Path
from typing import Any

from boards.built import board_of
from boards.cases import CASES, Call, CallReader, Function, Part, read_points
from boards.excerpts import Excerpt, name_of_excerpt, read_excerpt
from boards.reading import BadFile, Drawing, shown
from staff.strict.kind import Names, Writing, schema_of, writing_of
from staff.strict.reading import Block, meant, mistakes_in
from staff.strict.schema import KINDS, check

WHOLE_GAME = 42


def case_blocks(root: Block) -> Iterator[tuple[str, Block, list[Block]]]:
    """For each case of a file: its function, its block, and the blocks of its calls.

    A case without `calls` is its own only call.
    """
    for block in root["cases"]:
        if not (function := str(block.get("function") or root.get("function") or "")):
            block.fail("`function` is missing, here or above the cases")
        yield function, block, block.get("calls", [block])


def check_files(roots: Iterable[Block], unfilled: bool = False) -> None:
    """Check what some case files hold.  With `unfilled`, expectations are still to be filled in: none is missed,
    and of those that stand there only the places have to be right."""
    names, reader, first, asked = Names(), CallReader(), dict[str, Block](), dict[str, Block]()
    parts = {part.number: part for part in read_points()}
    for root in roots:
        _check_shape(root, parts)
        excerpts = root.get("excerpts", Block(root.file, 1))
        for name, block, calls in case_blocks(root):
            function = parts[root["part"]].graded[name]
            writing = writing_of(function)
            for call in calls:
                with mistakes_in(schema_of(function).with_name("staff.py")):
                    writing.check(function, call, names)
                if not unfilled:
                    check_expectation(writing, function, call, reader.call(call, excerpts))
                elif "expect" in call:
                    writing.check_places(call["expect"], reader.call(call, excerpts).inputs)
            _check_relations(function, block, [call["name"] for call in calls if "name" in call])
            _check_id(block, first)
            inputs = [reader.call(call, {}).inputs for call in calls]
            _check_alike((root.get("hidden"), name, inputs), block, asked)
            for call in calls if not unfilled else ():
                _check_excerpt(writing.plies(function), call, reader.call(call, excerpts), excerpts)
            if root.get("hidden") and root.file.parent == CASES and name not in parts[root["part"]].hidden:
                block.fail(f"{id_of(block)} is hidden, and no points are left to such cases: "
                           "a file with `hidden: true` belongs in staff/hidden/")  # fmt: skip


def _check_shape(root: Block, parts: Mapping[int, Part]) -> None:
    """Check a file against the schema of its kind; where it has several kinds, the cases of each."""
    check(root, KINDS / "schema.json")
    if root["part"] not in parts:
        root.fail(f"points.yaml has no part {root['part']}; it has {', '.join(map(str, parts))}", "part")
    graded = parts[root["part"]].graded
    of_a_schema: dict[Path, list[Block]] = {}
    for name, block, _ in case_blocks(root):
        if name not in graded:
            hint = meant(name, graded) or "see points.yaml"
            named = block if "function" in block else root
            named.fail(f"part {root['part']} has no function `{name}` with points; {hint}", "function")
        of_a_schema.setdefault(schema_of(graded[name]), []).append(block)
    for schema, blocks in of_a_schema.items():
        alike = copy(root)
        alike["cases"] = blocks
        check(alike, schema, left_out=("expect",))


def check_expectation(writing: Writing, function: Function, call: Block, read: Call) -> None:
    """Check the `expect` of a call: that it is there, and fits the function."""
    if "expect" not in call:
        call.fail("there is no `expect`; `make expectations` fills it in from the model solution")
    expect: Block = call["expect"]
    given, allowed = set(expect) - {"by_hand"}, writing.expectations(function)
    if given not in allowed:
        choices = " or ".join(f"{{{', '.join(sorted(keys))}}}" for keys in allowed)
        expect.fail(f"`expect` holds {{{', '.join(sorted(given))}}}, but {function.name} is judged by {choices}")
    writing.check_places(expect, read.inputs)
    writing.check_expectation(function, expect, read.inputs)


def wanted_excerpt(function: Function, call: Call) -> tuple[Drawing, int] | None:
    """The board from which a call needs an excerpt, and how many plies of it; None where it needs none."""
    data = call.inputs.get("state", call.inputs)
    plies = writing_of(function).plies(function) if "board" in data else 0
    return (data, plies) if plies else None


def _check_excerpt(plies: int, call: Block, read: Call, excerpts: Block) -> None:
    data = read.inputs.get("state", read.inputs)
    if not plies or "board" not in data:
        return
    name = name_of_excerpt(data["board"])
    if name not in excerpts:
        call.fail(f"there is no excerpt of the game from {name}; `make expectations` makes it")
    try:
        excerpt = read_excerpt(board_of(data), excerpts[name])
    except ValueError as error:
        if isinstance(error, BadFile):
            raise
        excerpts.fail(f"{error}; take this line away, and `make expectations` makes it anew", name)
    if plies == WHOLE_GAME and not _is_whole(excerpt):
        excerpts.fail("it ends too soon; take this line away, and `make expectations` makes it anew", name)


def _is_whole(excerpt: Excerpt) -> bool:
    """Whether it follows every game to its end."""
    after = (board.add_piece(column) for board, columns in excerpt.columns.items() for column in columns)
    return all(board in excerpt.columns or board in excerpt.scores for board in after)


def _check_id(block: Block, first: dict[str, Block]) -> None:
    """No other case has its id."""
    name = id_of(block)
    other = first.setdefault(name, block)
    if other is not block:
        block.fail(f"{name} stands in {shown(other.file)}:{other.line} already; rename it")


def _check_alike(question: tuple[Any, ...], block: Block, asked: dict[str, Block]) -> None:
    """No other case asks the same, among those that are public, or hidden."""
    other = asked.setdefault(repr((*question, block.get("order"), block.get("opposite"))), block)
    if other is not block:
        block.fail(f"{id_of(block)} asks the same as {id_of(other)} ({shown(other.file)}:{other.line}); change a call")


def id_of(block: Block) -> str:
    """The whole id of a case."""
    return f"{block.file.stem.partition('-')[2]}/{block['id']}"


def _check_relations(function: Function, block: Block, names: Sequence[str]) -> None:
    """`order` and `opposite` speak of calls that there are, and each name is one call's."""
    if len(set(names)) < len(names):
        block.fail("two calls have the same `name`", "calls")
    for key in ("order", "opposite"):
        spoken_of = block.get(key, [])
        if spoken_of and not writing_of(function).compares(function):
            block.fail(f"`{key}` is for {' and '.join(_compared())}", key)
        for name in spoken_of:
            if name not in names:
                block.fail(f"`{key}` speaks of `{name}`, but no call has that name", key)
        least = 2 if key in block else 0
        if len(set(spoken_of)) < max(len(spoken_of), least) or (key == "opposite" and len(spoken_of) % 2):
            block.fail(f"`{key}` names {'pairs of' if key == 'opposite' else 'several'} different calls", key)


def _compared() -> list[str]:
    functions = chain.from_iterable(part.graded.values() for part in read_points())
    return [function.name for function in functions if writing_of(function).compares(function)]
