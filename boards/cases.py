"""The graded functions, out of points.yaml, and their cases, out of cases/*.yaml.

A course may rescale all points (`rescaled_to`), and may leave a share of a function's
points to hidden cases (`hidden`), which are run at the deadline.

    case   something a function should do, with an id such as `alphabeta/maximizer-first`
    call   one call of that function; a case with several is right when all of them are
    expect what the call should give back; it stays in this process

To add a case, write one without `expect` and run `make expectations`.  A file with
`hidden: true` holds cases that no release contains; they are run at the deadline.  What
a case of each kind of function may say stands in grader/kinds/, in the schema.json of
the kind.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from api import INF
from boards.excerpts import name_of_excerpt
from boards.reading import (
    GAMES,
    BadFile,
    drawn_board,
    drawn_tree,
    read_boards,
    read_trees,
    read_yaml,
    sound,
)

POINTS = Path(__file__).with_name("points.yaml")
CASES = Path(__file__).parent / "cases"

OF_THE_CASE = {
    "id", "says", "function", "weight", "seconds", "process", "advice", "order", "opposite", "void", "calls", "expect",
    "name",
}  # fmt: skip
DRAWN_HERE = "tree"  # the name of one without a name
_INFINITIES = {"INF": INF, "-INF": -INF}
Name = TypeVar("Name", int, str)


@dataclass(frozen=True)
class Function:
    """A graded function, class or answer of lab.py.

    `kind` names the folder of grader/kinds/ that knows all about it; `arguments` and
    `returns` tell it from others of its kind.  Its cases run on the functions that it
    `needs`, the student's.  It `may_call` others; if one of these is wrong, reference
    answers stand in for it.  If it `prunes` another function, it returns the same as
    that one with fewer evaluations.
    """

    name: str
    kind: str
    arguments: tuple[str, ...] = ()
    returns: str = ""
    needs: tuple[str, ...] = ()
    may_call: tuple[str, ...] = ()
    prunes: str = ""


@dataclass(frozen=True)
class Part:
    """A part of the lab: its number, its title, and the hundredths of a point of each
    of its functions.

    `graded` has the functions by their names; `hidden` has the share of a function's
    points, 0 to 1, that hidden cases carry.
    """

    number: int
    title: str
    functions: dict[str, int]
    hidden: dict[str, Fraction] = field(default_factory=dict)
    graded: dict[str, Function] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """The hundredths of a point of the whole part."""
        return sum(self.functions.values())

    def later(self, function: str) -> int:
        """The hundredths of a function that are decided at the deadline, by hidden
        cases.
        """
        points = self.functions[function]
        return points - int(points * (1 - self.hidden.get(function, 0)))


@dataclass(frozen=True)
class Call:
    """One call of a graded function: its inputs go to the student's code, and what it
    should return never does.
    """

    function: Function  # that is called
    name: str  # by which the case may speak of the call; often empty
    inputs: dict[
        str, Any
    ]  # what the case says, with boards, trees and games drawn in place of their names
    expect: dict[str, Any]  # what the call should return
    case: str = ""  # the id of its case
    index: int = 0  # among the calls of its case, from 0
    of: int = 1  # how many calls its case has
    excerpt: str = ""  # what the rules say of its Connect Four board and of those below it (excerpts.py)
    again: bool = False  # whether an earlier call of the case searches the same tree


@dataclass(frozen=True)
class Case:
    """One graded case.  `seconds` is CPU time; an advice case is shown and never
    graded.

    `process` is `own` if the case always runs in a fresh process.  The other cases of a
    function share one.  `order` names calls, the one with the highest score first;
    `opposite` names calls two by two, whose scores are each other's negative.  A case
    that turned out wrong is `void`: `full` gives its points to everybody, `drop` to the
    function's other cases; `why` is the reason.
    """

    id: str
    part: int
    graded: Function
    says: str
    calls: tuple[Call, ...]
    weight: int = 1
    seconds: float = 2.0
    process: str = "shared"
    advice: bool = False
    order: tuple[str, ...] = ()
    opposite: tuple[str, ...] = ()
    hidden: bool = False
    void: str = ""
    why: str = ""

    @property
    def function(self) -> str:
        """The name of the graded function."""
        return self.graded.name


@dataclass(frozen=True)
class Bank:
    """All cases, and the points that they share."""

    parts: tuple[Part, ...]
    cases: tuple[Case, ...]

    def worth(self, case: Case) -> int:
        """What a case is worth, in hundredths of a point; 0 for advice.

        The cases of a function add up to its points: the hidden ones to `Part.later`,
        the public ones to the rest.
        """
        return self._worths.get(case.id, 0)

    @cached_property
    def _worths(self) -> dict[str, int]:
        worths: dict[str, int] = {}
        for part in self.parts:
            for name, points in part.functions.items():
                later = part.later(name)
                graded = [case for case in self.of(name) if not case.advice]
                worths |= shared(
                    points - later,
                    {case.id: case.weight for case in graded if not case.hidden},
                )
                worths |= shared(
                    later, {case.id: case.weight for case in graded if case.hidden}
                )
        return worths

    def digest(self) -> str:
        """The SHA-256 of all that decides a score: points, kinds, weights, calls and
        what they expect.
        """
        cases = [replace(case, says="", why="") for case in self.cases]
        return hashlib.sha256(
            repr([self.parts, cases]).encode("utf-8", "replace")
        ).hexdigest()

    def of(self, function: str) -> list[Case]:
        """The cases of a function, in the order of the file."""
        return [case for case in self.cases if case.function == function]

    @property
    def functions(self) -> list[Function]:
        """The graded functions, in their order."""
        return [function for part in self.parts for function in part.graded.values()]


def shared(hundredths: int, weights: Mapping[Name, int]) -> dict[Name, int]:
    """Hundredths of a point shared out by weight; the shares add up to them.

    Each share is rounded down; the hundredths that are left go to those that lost most
    by that.

    >>> shared(100, {"a": 1, "b": 1, "c": 1})
    {'a': 34, 'b': 33, 'c': 33}
    """
    total_weight = sum(weights.values())
    if not total_weight:
        return dict.fromkeys(weights, 0)
    shares = {
        name: hundredths * weight // total_weight for name, weight in weights.items()
    }
    lost_most_first = sorted(
        weights, key=lambda name: -(hundredths * weights[name] % total_weight)
    )
    for name in lost_most_first[: hundredths - sum(shares.values())]:
        shares[name] += 1
    return shares


def rescaled(parts: Sequence[Part], total: int) -> tuple[Part, ...]:
    """The parts with points that add up to this total of hundredths, on each level."""
    of_parts = shared(total, {part.number: part.points for part in parts})
    return tuple(
        replace(part, functions=shared(of_parts[part.number], part.functions))
        for part in parts
    )


def read_points(file: Path = POINTS) -> tuple[Part, ...]:
    """The parts, in order.  Raises BadFile.

    >>> read_points()[0].title
    'Strong solutions'
    """
    data = read_yaml(file)
    with sound(file):
        hidden = {
            name: Fraction(str(share)) for name, share in data.get("hidden", {}).items()
        }
        parts = tuple(_read_part(part, hidden) for part in data["parts"])
        return (
            rescaled(parts, _hundredths(data["rescaled_to"]))
            if "rescaled_to" in data
            else parts
        )


def _read_part(data: Mapping[str, Any], hidden: Mapping[str, Fraction]) -> Part:
    points, graded = {}, {}
    for name, facts in data["functions"].items():
        points[name] = _hundredths(facts["points"])
        graded[name] = Function(name, **_fields(facts, facts.keys() - {"points"}))
    shares = {name: hidden[name] for name in points if name in hidden}
    return Part(data["part"], data["title"], points, shares, graded)


def _fields(facts: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Those of these facts that the file has, lists as tuples."""
    present = {name: facts[name] for name in names if name in facts}
    return {
        name: tuple(fact) if isinstance(fact, list) else fact
        for name, fact in present.items()
    }


def _hundredths(points: float) -> int:
    return round(points * 100)


def load_bank(folder: Path = CASES) -> Bank:
    """All cases below a folder.  Raises BadFile, also where a function with points has
    no case any more.

    A case that runs on functions which this course leaves out is left out too.
    """
    return complete(make_bank(sorted(folder.glob("*.yaml")), read_points()))


def complete(bank: Bank) -> Bank:
    """The bank, in which every point has a case but for those that are left to hidden
    cases.  Raises BadFile.
    """
    for part in bank.parts:
        for function in part.functions:
            if part.hidden.get(function, 0) < 1 and all(
                case.hidden or case.advice for case in bank.of(function)
            ):
                raise BadFile(
                    POINTS,
                    1,
                    f"{function} has points but no case in boards/cases/; add one",
                )
    return bank


def make_bank(files: Iterable[Path], parts: tuple[Part, ...]) -> Bank:
    """The cases of some files.  Raises BadFile."""
    reader = CallReader()
    functions = {
        name: function for part in parts for name, function in part.graded.items()
    }
    cases = []
    for file in files:
        data = read_yaml(file)
        with sound(file):
            for entry in data["cases"]:
                graded = functions[entry.get("function") or data["function"]]
                cases.append(
                    read_case(file.stem.partition("-")[2], data, graded, entry, reader)
                )
    return Bank(
        parts,
        tuple(case for case in cases if functions.keys() >= set(case.graded.needs)),
    )


def read_case(
    group: str,
    data: Mapping[str, Any],
    graded: Function,
    entry: Mapping[str, Any],
    reader: "CallReader",
) -> Case:
    """A case of a file that says `data`; its id begins with the group."""
    id = f"{group}/{entry['id']}"
    all_written = entry.get("calls", [entry])
    calls: list[Call] = []
    for index, written in enumerate(all_written):
        call = reader.call(graded, written, data.get("excerpts", {}))
        again = "state" in call.inputs and any(
            call.inputs["state"] == other.inputs["state"] for other in calls
        )
        calls.append(
            replace(call, case=id, index=index, of=len(all_written), again=again)
        )
    facts = _fields(
        entry, ("weight", "seconds", "process", "advice", "order", "opposite")
    ) | _fields(data, ("hidden",))
    if void := entry.get("void"):
        facts |= {"void": void["how"], "why": void["why"]} | (
            {"weight": 0} if void["how"] == "drop" else {}
        )
    return Case(id, data["part"], graded, entry["says"], tuple(calls), **facts)


class CallReader:
    """Reads calls, with the drawings of boards, trees and games in place of their
    names.
    """

    def __init__(self) -> None:
        self._boards, self._trees, self._games = (
            read_boards(),
            read_trees(),
            read_yaml(GAMES),
        )

    def call(
        self,
        function: Function,
        written: Mapping[str, Any],
        excerpts: Mapping[str, str],
    ) -> Call:
        """A call of a function, as a case writes it; `excerpts` are those of its
        file.
        """
        inputs = self.drawn(
            {key: value for key, value in written.items() if key not in OF_THE_CASE}
        )
        state = inputs.get("state", inputs)
        excerpt = (
            excerpts.get(name_of_excerpt(state["board"]), "")
            if "board" in state
            else ""
        )
        if excerpt and "state" in inputs:
            state["excerpt"] = excerpt
        expect = {
            key: fact
            for key, fact in written.get("expect", {}).items()
            if key != "by_hand"
        }
        return Call(function, written.get("name", ""), inputs, expect, excerpt=excerpt)

    def drawn(self, value: Any) -> Any:
        """What a call says, as plain data that needs no name of ours."""
        if isinstance(value, list):
            return [self.drawn(inner) for inner in value]
        if not isinstance(value, dict):
            return _INFINITIES.get(value, value) if isinstance(value, str) else value
        data = {key: self.drawn(inner) for key, inner in value.items()}
        if "board" in data:
            text = data["board"]
            data |= (
                drawn_board(text) if "." in text or "\n" in text else self._boards[text]
            )
        if "tree" in data:
            text, is_drawn = data["tree"], "\n" in data["tree"]
            data |= (
                drawn_tree(text, data.get("negates", False))
                if is_drawn
                else self._trees[text]
            )
            data["tree_name"] = DRAWN_HERE if is_drawn else text
        if "graph" in data:
            text = data["graph"]
            data["graph"] = text if " " in text else self._games[text]
        return data
