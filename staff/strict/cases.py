"""Checks the case files, before anything is run on them: every mistake is a BadFile."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from boards.built import drawing_of
from boards.cases import CASES, OF_THE_CASE, Bank, Call, CallReader, complete, make_bank
from boards.excerpts import name_of_excerpt, read_excerpt
from boards.named import BoardDrawing
from boards.points import Function, read_points
from boards.reading import BadFile
from staff.strict.kind import Names, Writing, writing_of
from staff.strict.points import check_points
from staff.strict.reading import Block, read_yaml

MOST_SECONDS = 60
WHOLE_GAME = 42
Functions = dict[str, Function]


def checked_bank(folder: Path = CASES) -> Bank:
    """All cases below a folder, and what they share, once everything has been checked."""
    check_points()
    files = case_files(folder)
    check_files(map(read_yaml, files))
    return check_shares(make_bank(files, read_points()))


def case_files(folder: Path = CASES) -> list[Path]:
    """The case files, in the order in which they are graded."""
    for stray in (*folder.glob("*.yml"), *(file for file in folder.glob("*.yaml") if "-" not in file.stem)):
        raise BadFile(stray, 1, "a case file has a name such as 2f-endings.yaml: order, dash, what it is about")
    return sorted(folder.glob("*.yaml"))


def case_blocks(root: Block) -> Iterator[tuple[str, Block, list[Block]]]:
    """For each case of a file: its function, its block, and the blocks of its calls.

    A case without `calls` is its own only call.
    """
    root.allow({"part", "function", "hidden", "cases", "excerpts"})
    if not root.take("cases", list):
        root.fail("`cases` is empty; write a case, `- id: …`, or delete this file", "cases")
    for block in root["cases"]:
        if not isinstance(block, Block):
            root.fail(f"{block!r} is not a case; write `- id: …`", "cases")
        calls = block.take("calls", list, [block])
        if not calls or not all(isinstance(call, Block) for call in calls):
            block.fail("`calls` is a list of one call or more, each a mapping", "calls")
        yield block.take("function", str, None) or root.take("function", str), block, calls


def check_files(roots: Iterable[Block], unfilled: bool = False) -> None:
    """Check what some case files hold.  With `unfilled`, expectations are still to be filled in, and not missed."""
    names, reader, first = Names(), CallReader(), dict[str, Block]()
    parts = {part.number: part for part in read_points()}
    for root in roots:
        number = root.take("part", int)
        root.take("hidden", bool, False)
        if number not in parts:
            root.fail(f"points.yaml has no part {number}", "part")
        excerpts = root.take("excerpts", Block, Block(root.file, 1))
        for name, block, calls in case_blocks(root):
            if name not in parts[number].graded:
                block.fail(f"part {number} has no function `{name}` with points; see points.yaml", "function")
            function = parts[number].graded[name]
            writing = writing_of(function)
            for call in calls:
                _check_call(writing, function, call, block, names)
                if not unfilled:
                    check_expectation(writing, function, call, reader.call(call, excerpts))
            _check_case(function, block, [call.take("name", str, "") for call in calls])
            _check_id(block, first)
            for call in calls if not unfilled else ():
                _check_excerpt(writing.plies(function), call, reader.call(call, excerpts), excerpts)
            if root.get("hidden") and root.file.parent == CASES and name not in parts[number].hidden:
                block.fail(f"{id_of(block)} is hidden, and no points are left to such cases: "
                           "a file with `hidden: true` belongs in staff/hidden/")  # fmt: skip


def _check_call(writing: Writing, function: Function, call: Block, block: Block, names: Names) -> None:
    keys = writing.check(function, call, names)
    call.allow(keys | (OF_THE_CASE - {"name"} if call is block else {"expect", "name"}))


def check_expectation(writing: Writing, function: Function, call: Block, read: Call) -> None:
    """Check the `expect` of a call: that it is there, and fits the function."""
    if "expect" not in call:
        call.fail("there is no `expect`; `make expectations` fills it in from the model solution")
    expect: Block = call.take("expect", Block)
    given, allowed = set(expect) - {"by_hand"}, writing.expectations(function)
    if given not in allowed:
        choices = " or ".join(f"{{{', '.join(sorted(keys))}}}" for keys in allowed)
        expect.fail(f"`expect` holds {{{', '.join(sorted(given))}}}, but {function.name} is judged by {choices}")
    for key in given:
        expect.take(key, writing.types[key])
    writing.check_expectation(function, expect, read.inputs)


def allowed_keys(function: Function) -> set[str]:
    """All keys that an expectation of a function may have, and those that say how it came about."""
    return {*chain.from_iterable(writing_of(function).expectations(function)), "by_hand", "explain"}


def wanted_excerpt(function: Function, call: Call) -> tuple[BoardDrawing, int] | None:
    """The board from which a call needs an excerpt, and how many plies of it; None where it needs none."""
    data = call.inputs.get("state", call.inputs)
    plies = writing_of(function).plies(function) if "board" in data else 0
    return (drawing_of(data), plies) if plies else None


def _check_excerpt(plies: int, call: Block, read: Call, excerpts: Block) -> None:
    data = read.inputs.get("state", read.inputs)
    if not plies or "board" not in data:
        return
    name = name_of_excerpt(data["board"])
    if name not in excerpts:
        call.fail(f"there is no excerpt of the game from {name}; `make expectations` makes it")
    try:
        excerpt = read_excerpt(drawing_of(data).board(), excerpts.take(name, str))
    except ValueError as error:
        if isinstance(error, BadFile):
            raise
        excerpts.fail(f"{error}; take this line away, and `make expectations` makes it anew", name)
    if plies == WHOLE_GAME and not excerpt.is_whole:
        excerpts.fail("it ends too soon; take this line away, and `make expectations` makes it anew", name)


def _check_case(function: Function, block: Block, names: Sequence[str]) -> None:
    """What is said of a case as a whole."""
    if "calls" in block:
        block.allow(OF_THE_CASE - {"expect", "name"})
    _check_relations(function, block, names)
    weight, seconds = block.take("weight", int, 1), block.take("seconds", (int, float), 2.0)
    if weight < 1:
        block.fail(f"`weight` is a whole number of 1 or more, not {weight}", "weight")
    if not 0 < seconds <= MOST_SECONDS:
        block.fail(f"`seconds` is above 0 and at most {MOST_SECONDS}, not {seconds}", "seconds")
    block.take("says", str)
    block.take("advice", bool, False)


def _check_id(block: Block, first: dict[str, Block]) -> None:
    """An id is in small letters, and no other case has it."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", block.take("id", str)):
        block.fail(f"the id {block['id']!r} is not of small letters and digits, with - between words", "id")
    name = id_of(block)
    other = first.setdefault(name, block)
    if other is not block:
        block.fail(f"{name} stands in {other.file.name}:{other.line} already; rename it")


def id_of(block: Block) -> str:
    """The whole id of a case."""
    return f"{block.file.stem.partition('-')[2]}/{block['id']}"


def _check_relations(function: Function, block: Block, names: Sequence[str]) -> None:
    """`order` and `opposite` speak of calls that there are, and each name is one call's."""
    given = [name for name in names if name]
    if len(set(given)) < len(given):
        block.fail("two calls have the same `name`", "calls")
    for key in ("order", "opposite"):
        spoken_of = block.texts(key, [])
        if spoken_of and not writing_of(function).compares(function):
            block.fail(f"`{key}` is for {' and '.join(_compared())}", key)
        for name in spoken_of:
            if name not in given:
                block.fail(f"`{key}` speaks of `{name}`, but no call has that name", key)
        if len(set(spoken_of)) < len(spoken_of) or (key == "opposite" and len(spoken_of) % 2):
            block.fail(f"`{key}` names {'pairs of' if key == 'opposite' else 'several'} different calls", key)


def _compared() -> list[str]:
    functions = chain.from_iterable(part.graded.values() for part in read_points())
    return [function.name for function in functions if writing_of(function).compares(function)]


def check_shares(bank: Bank) -> Bank:
    """The bank, in which every point has a case but for those that are left to hidden cases elsewhere.

    Raises BadFile for another.
    """
    hidden = {name: share for part in bank.parts for name, share in part.hidden.items()}
    for case in bank.cases:
        if hidden.get(case.function) == 1 and not case.hidden and not case.advice:
            said = f"points.yaml leaves all points of {case.function} to hidden cases"
            raise BadFile(*place_of(case.id), said)
    return complete(bank)


def place_of(case: str) -> tuple[Path, int]:
    """The file of a case, by its id, and the line where it begins."""
    for folder in (CASES, HIDDEN):
        for file in case_files(folder):
            for _, block, _ in case_blocks(read_yaml(file)):
                if id_of(block) == case:
                    return file, block.line
    return CASES, 1


HIDDEN = Path(__file__).parent.parent / "hidden"
