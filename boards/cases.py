"""The graded cases, out of cases/*.yaml.

    case   something a function should do, with an id such as `alphabeta/maximizer-first`
    call   one call of that function; a case with several is right when all of them are
    expect what the call should give back; it stays in this process

To add a case, write one without `expect` and run `make expectations`.  A file with `hidden: true`
holds cases that no release contains; they are run at the deadline.
"""

import base64
import dataclasses
import hashlib
import json
import re
import textwrap
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from boards.earlier import excerpt_for
from boards.inputs import EXPECTATIONS, InputReader, read_expectation
from boards.points import POINTS, Part, read_points
from boards.reading import BadFile, Block, parse_yaml, read_yaml

CASES = Path(__file__).parent / "cases"

SEALED = "sealed"
MOST_SECONDS = 60
COMPARED = ("endgame_score_connectfour_faster", "heuristic_connectfour")

_CASE_KEYS = {"id", "says", "function", "weight", "seconds", "advice", "order", "opposite", "calls", "expect"}


@dataclass(frozen=True)
class Call:
    """One call: the inputs that go to the student's code, and the expectation that never does.

    `excerpt` is what the rules say of its Connect Four board and those below it (excerpts.py).  `again`
    says that an earlier call of the case searches the same tree.
    """

    name: str
    inputs: dict[str, Any]
    expect: dict[str, Any]
    excerpt: str = ""
    again: bool = False


@dataclass(frozen=True)
class Case:
    """One graded case.  `seconds` is CPU time; an advice case is shown and never graded.

    `order` names calls, the one with the highest score first; `opposite` names calls two by two,
    whose scores are each other's negative.
    """

    id: str
    part: int
    function: str
    says: str
    calls: tuple[Call, ...]
    file: Path
    line: int
    weight: int = 1
    seconds: float = 2.0
    advice: bool = False
    order: tuple[str, ...] = ()
    opposite: tuple[str, ...] = ()
    hidden: bool = False

    @property
    def needs(self) -> tuple[str, ...]:
        """The student's other functions that this case runs on."""
        return ("ZeroBy", "solve") if self.function == "make_run" else ()


@dataclass(frozen=True)
class Bank:
    """All cases, and the points that they share."""

    parts: tuple[Part, ...]
    cases: tuple[Case, ...]

    def worth(self, case: Case) -> Fraction:
        """The points of a case, exactly; 0 for advice.  Hidden cases share what is left to them."""
        if case.advice:
            return Fraction(0)
        part = next(part for part in self.parts if case.function in part.functions)
        share = part.hidden.get(case.function, Fraction(0))
        alike = (other for other in self.of(case.function) if not other.advice and other.hidden == case.hidden)
        points = part.functions[case.function] * (share if case.hidden else 1 - share)
        return points * case.weight / sum(other.weight for other in alike)

    def digest(self) -> str:
        """The SHA-256 of all that decides a score: points, weights, calls and what they expect."""
        unimportant = {"file", "line", "says"}
        cases = [{key: fact for key, fact in vars(case).items() if key not in unimportant} for case in self.cases]
        points = [(part.number, part.functions, part.hidden) for part in self.parts]
        return hashlib.sha256(json.dumps([points, cases], sort_keys=True, default=_plain).encode()).hexdigest()

    def of(self, function: str) -> list[Case]:
        """The cases of a function, in the order of the file."""
        return [case for case in self.cases if case.function == function]


def _plain(fact: Any) -> Any:
    """A call or a fraction, for a digest."""
    return vars(fact) if isinstance(fact, Call) else str(fact)


def load_bank(folder: Path = CASES, unfilled: bool = False) -> Bank:
    """All cases below a folder, checked.  Raises BadFile.

    A case that runs on functions which this course leaves out is left out too.  With `unfilled`,
    expectations are neither read nor missed: they are still to be filled in.
    """
    bank = make_bank(map(read_case_file, case_files(folder)), read_points(), unfilled)
    return bank if unfilled else check_shares(bank)


def make_bank(roots: Iterable[Block], parts: tuple[Part, ...], unfilled: bool = False) -> Bank:
    """The cases of some files, which `read_case_file` has read.  Raises BadFile."""
    reader = InputReader()
    functions = {name for part in parts for name in part.functions}
    read = [case for root in roots for case in _read_cases(root, reader, parts, unfilled)]
    cases = [case for case in read if functions.issuperset(case.needs)]
    first: dict[str, Case] = {}
    for case in cases:
        if first.setdefault(case.id, case) is not case:
            other = first[case.id]
            raise BadFile(
                case.file, case.line, f"{case.id} stands in {other.file.name}:{other.line} already; rename it"
            )
    return Bank(parts, tuple(cases))


def check_shares(bank: Bank) -> Bank:
    """The bank, in which every point has a case but for those that are left to hidden cases elsewhere.

    Raises BadFile for another.
    """
    for part in bank.parts:
        for function in part.functions:
            share = part.hidden.get(function, Fraction(0))
            cases = [case for case in bank.of(function) if not case.advice]
            if share < 1 and all(case.hidden for case in cases):
                raise BadFile(POINTS, 1, f"{function} has points but no case in boards/cases/; add one")
            for case in cases:
                if case.hidden and not share:
                    raise BadFile(case.file, case.line, f"{case.id} is hidden, and no points are left to such cases: "
                                  "a file with `hidden: true` belongs in staff/hidden/")  # fmt: skip
                if share == 1 and not case.hidden:
                    raise BadFile(case.file, case.line, f"points.yaml leaves all points of {function} to hidden cases")
    return bank


def case_files(folder: Path = CASES) -> list[Path]:
    """The case files, in the order in which they are graded."""
    for stray in (*folder.glob("*.yml"), *(file for file in folder.glob("*.yaml") if "-" not in file.stem)):
        raise BadFile(stray, 1, "a case file has a name such as 2f-endings.yaml: order, dash, what it is about")
    return sorted(folder.glob("*.yaml"))


def case_blocks(root: Block) -> Iterable[tuple[str, Block, list[Block]]]:
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


def read_case_file(file: Path) -> Block:
    """What a case file holds, also where a release has sealed it: no secret, only not readable by accident.

    Raises BadFile.
    """
    root = read_yaml(file)
    if set(root) != {SEALED}:
        return root
    try:
        text = zlib.decompress(base64.b64decode(root.take(SEALED, str))).decode()
    except (ValueError, zlib.error):
        root.fail("this cannot be read; make update writes the file anew", SEALED)
    return parse_yaml(text, file)


def seal(text: bytes) -> bytes:
    """A case file as a release has it that does not tell what is expected: `read_case_file` reads it."""
    coded = textwrap.wrap(base64.b64encode(zlib.compress(text, 9)).decode(), 120)
    return "\n".join([f"{SEALED}: |", *(f"  {line}" for line in coded), ""]).encode()


def _read_cases(root: Block, reader: InputReader, parts: tuple[Part, ...], unfilled: bool) -> Iterable[Case]:
    file = root.file
    number, hidden = root.take("part", int), root.take("hidden", bool, False)
    known = next((part.functions for part in parts if part.number == number), None)
    if known is None:
        root.fail(f"points.yaml has no part {number}", "part")
    excerpts = root.take("excerpts", Block, Block(file, 1))
    for function, block, calls in case_blocks(root):
        if function not in known or function not in EXPECTATIONS:
            block.fail(f"part {number} has no function `{function}` with points; see points.yaml", "function")
        case = _read_case(file, number, function, block, calls, reader, None if unfilled else excerpts)
        yield dataclasses.replace(case, hidden=hidden)


def _read_case(
    file: Path, part: int, function: str, block: Block, blocks: list[Block], reader: InputReader, excerpts: Block | None
) -> Case:
    """One case; without `excerpts` neither these nor its expectations are read."""
    calls: list[Call] = []
    for call in blocks:
        keys, inputs = reader.inputs(function, call)
        call.allow(keys | (_CASE_KEYS if call is block else {"expect", "name"}))
        expect = {} if excerpts is None else read_expectation(function, call, inputs)
        again = "state" in inputs and any(inputs["state"] == earlier.inputs["state"] for earlier in calls)
        calls.append(Call(call.take("name", str, ""), inputs, expect, again=again))
    if "calls" in block:
        block.allow(_CASE_KEYS - {"expect"})
    _check_relations(function, block, [call.name for call in calls])
    weight, seconds = block.take("weight", int, 1), block.take("seconds", (int, float), 2.0)
    if weight < 1:
        block.fail(f"`weight` is a whole number of 1 or more, not {weight}", "weight")
    if not 0 < seconds <= MOST_SECONDS:
        block.fail(f"`seconds` is above 0 and at most {MOST_SECONDS}, not {seconds}", "seconds")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", block.take("id", str)):
        block.fail(f"the id {block['id']!r} is not of small letters and digits, with - between words", "id")
    return Case(
        id=f"{file.stem.partition('-')[2]}/{block.take('id', str)}",
        part=part,
        function=function,
        says=block.take("says", str),
        calls=tuple(calls if excerpts is None else map(partial(_with_excerpt, function, excerpts), calls, blocks)),
        file=file,
        line=block.line,
        weight=weight,
        seconds=float(seconds),
        advice=block.take("advice", bool, False),
        order=block.texts("order", []),
        opposite=block.texts("opposite", []),
    )


def _with_excerpt(function: str, excerpts: Block, call: Call, block: Block) -> Call:
    """The call with the excerpt of Connect Four that it needs; a search plays on it."""
    excerpt = excerpt_for(function, call.inputs, block, excerpts)
    if excerpt and "state" in call.inputs:
        call.inputs["state"]["excerpt"] = excerpt
    return dataclasses.replace(call, excerpt=excerpt)


def _check_relations(function: str, block: Block, names: list[str]) -> None:
    """`order` and `opposite` speak of calls that there are, and each name is one call's."""
    given = [name for name in names if name]
    if len(set(given)) < len(given):
        block.fail("two calls have the same `name`", "calls")
    for key in ("order", "opposite"):
        spoken_of = block.texts(key, [])
        if spoken_of and function not in COMPARED:
            block.fail(f"`{key}` is for {' and '.join(COMPARED)}", key)
        for name in spoken_of:
            if name not in given:
                block.fail(f"`{key}` speaks of `{name}`, but no call has that name", key)
        if len(set(spoken_of)) < len(spoken_of) or (key == "opposite" and len(spoken_of) % 2):
            block.fail(f"`{key}` names {'pairs of' if key == 'opposite' else 'several'} different calls", key)
