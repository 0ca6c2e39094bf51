"""The bank: the graded functions of points.yaml, and their cases of cases/*.yaml.

    function   something that students write in lab.py; points.yaml gives its points
    case       something that a function should do; its id is, for example,
               `alphabeta/maximizer-first`
    call       one call of the function; a case is right if all its calls are right
    expect     what a call should return; it never enters the process of student code

A course may rescale all points (`rescaled_to` in points.yaml), and it may leave a share
of a function's points to hidden cases (`hidden` in points.yaml).  A file of cases that
says `hidden: true` holds hidden cases.  No release contains them, and they run at the
deadline.

To add a case, write it without `expect` and run `make expectations`.  The schema.json
of each kind of function, in grader/kinds/, says what a case of that kind may contain.
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
    Drawing,
    drawn_board,
    drawn_tree,
    read_boards,
    read_trees,
    read_yaml,
    sound,
)

POINTS = Path(__file__).with_name("points.yaml")
CASES = Path(__file__).parent / "cases"

# The keys of a case or call that are not inputs of the student's code.
OF_THE_CASE = {
    "id", "says", "function", "weight", "seconds", "process", "advice", "order",
    "opposite", "void", "calls", "expect", "name",
}  # fmt: skip
DRAWN_HERE = "tree"  # the name of a tree that the case itself draws
_INFINITIES = {"INF": INF, "-INF": -INF}
Name = TypeVar("Name", int, str)


@dataclass(frozen=True)
class Function:
    """A graded function, class or answer of lab.py."""

    name: str
    kind: str  # the folder of grader/kinds/ that knows how to grade it
    arguments: tuple[str, ...] = ()  # of those that its kind knows
    returns: str = ""  # which result of its kind it returns
    needs: tuple[str, ...] = ()  # the student's functions on which its cases run
    # Functions that it may call.  If one of them is wrong, reference answers take its
    # place.
    may_call: tuple[str, ...] = ()
    # The function with the same results that it saves evaluations against.
    prunes: str = ""


@dataclass(frozen=True)
class Part:
    """A part of the lab.  Each dict has a key for each function that it is about."""

    number: int
    title: str
    functions: dict[str, int]  # the hundredths of a point of each function
    # The share of the function's points, 0 to 1, that its hidden cases carry.
    hidden: dict[str, Fraction] = field(default_factory=dict)
    graded: dict[str, Function] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """The hundredths of a point of the whole part."""
        return sum(self.functions.values())

    def later(self, function: str) -> int:
        """The hundredths of a function that hidden cases decide at the deadline."""
        points = self.functions[function]
        return points - int(points * (1 - self.hidden.get(function, 0)))


@dataclass(frozen=True)
class Call:
    """One call of a graded function."""

    function: Function
    name: str  # the name that `order` and `opposite` of its case use; often empty
    # What goes to the student's code, with drawings in place of the names of boards,
    # trees and games.
    inputs: dict[str, Any]
    expect: dict[str, Any]  # what it should return; never goes to the student's code
    case: str = ""  # the id of its case
    index: int = 0  # among the calls of its case, from 0
    of: int = 1  # how many calls its case has
    excerpt: str = ""  # that begins at its Connect Four board (boards/excerpts.py)
    again: bool = False  # whether an earlier call of the case searches the same tree


@dataclass(frozen=True)
class Case:
    """One graded case."""

    id: str
    part: int
    graded: Function
    says: str  # what the case is about, for the student
    calls: tuple[Call, ...]
    weight: int = 1  # of its share in the function's points
    seconds: float = 2.0  # of CPU time, for all its calls together
    process: str = "shared"  # with other cases of the function; or `own`
    advice: bool = False  # whether the case is shown and never graded
    order: tuple[str, ...] = ()  # names of calls, the highest score first
    opposite: tuple[str, ...] = ()  # names of calls; two by two, their scores negate
    hidden: bool = False
    # If the case turned out wrong: `full` gives its points to everybody, and `drop`
    # gives them to the other cases of the function.
    void: str = ""
    why: str = ""  # the reason why it is void

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
        """The hundredths of a point that a case is worth; 0 for advice.

        The hidden cases of a function add up to `Part.later`, and its public cases add
        up to the rest of its points.
        """
        return self._worths.get(case.id, 0)

    @cached_property
    def _worths(self) -> dict[str, int]:
        worths: dict[str, int] = {}
        for part in self.parts:
            for name, points in part.functions.items():
                public: dict[str, int] = {}
                hidden: dict[str, int] = {}
                for case in self.of(name):
                    weights = hidden if case.hidden else public
                    if not case.advice:
                        weights[case.id] = case.weight
                later = part.later(name)
                worths |= shared(points - later, public) | shared(later, hidden)
        return worths

    def digest(self) -> str:
        """The SHA-256 of everything that decides a score.

        The sentences of a case, `says` and `why`, decide none.
        """
        cases = [replace(case, says="", why="") for case in self.cases]
        text = repr([self.parts, cases])
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

    def of(self, function: str) -> list[Case]:
        """The cases of a function, in the order of the file."""
        return [case for case in self.cases if case.function == function]

    @property
    def functions(self) -> list[Function]:
        """The graded functions, in the order of points.yaml."""
        return [function for part in self.parts for function in part.graded.values()]


def shared(hundredths: int, weights: Mapping[Name, int]) -> dict[Name, int]:
    """A share of these hundredths of a point for each weight.

    The shares add up to the hundredths.  Each share is rounded down; the shares that
    lost most by that get the hundredths that are left, one each.

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
    """The parts, with points that add up to a total of hundredths."""
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
        if "rescaled_to" in data:
            return rescaled(parts, _hundredths(data["rescaled_to"]))
        return parts


def _read_part(data: Mapping[str, Any], hidden: Mapping[str, Fraction]) -> Part:
    points = {}
    graded = {}
    for name, facts in data["functions"].items():
        points[name] = _hundredths(facts["points"])
        graded[name] = Function(name, **_fields(facts, facts.keys() - {"points"}))
    shares = {name: hidden[name] for name in points if name in hidden}
    return Part(data["part"], data["title"], points, shares, graded)


def _fields(facts: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The facts with these names, as far as there are any, with tuples for lists."""
    fields = {}
    for name in names:
        if name in facts:
            fact = facts[name]
            fields[name] = tuple(fact) if isinstance(fact, list) else fact
    return fields


def _hundredths(points: float) -> int:
    return round(points * 100)


def load_bank(folder: Path = CASES) -> Bank:
    """All cases in a folder.

    A course may leave functions out.  Then the cases that need these functions are left
    out as well.  Raises BadFile, also if a function has points but no case.
    """
    return complete(make_bank(sorted(folder.glob("*.yaml")), read_points()))


def complete(bank: Bank) -> Bank:
    """The same bank, if there are cases for the points of every function.

    Raises BadFile if only hidden cases could earn the public points of a function.
    """
    for part in bank.parts:
        for function in part.functions:
            public = [
                case
                for case in bank.of(function)
                if not case.hidden and not case.advice
            ]
            if not public and part.hidden.get(function, 0) < 1:
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
                group = file.stem.partition("-")[2]
                case = read_case(group, data, graded, entry, reader)
                if functions.keys() >= set(graded.needs):
                    cases.append(case)
    return Bank(parts, tuple(cases))


def read_case(
    group: str,
    data: Mapping[str, Any],
    graded: Function,
    entry: Mapping[str, Any],
    reader: "CallReader",
) -> Case:
    """The case that an entry of a file describes.

    `data` is the whole file.  The id of the case begins with `group`.
    """
    id = f"{group}/{entry['id']}"
    all_written = entry.get("calls", [entry])
    calls: list[Call] = []
    for index, written in enumerate(all_written):
        call = reader.call(graded, written, data.get("excerpts", {}))
        again = "state" in call.inputs and any(
            call.inputs["state"] == earlier.inputs["state"] for earlier in calls
        )
        calls.append(
            replace(call, case=id, index=index, of=len(all_written), again=again)
        )
    facts = _fields(data, ("hidden",))
    facts |= _fields(
        entry, ("weight", "seconds", "process", "advice", "order", "opposite")
    )
    if "void" in entry:
        facts["void"] = entry["void"]["how"]
        facts["why"] = entry["void"]["why"]
        if facts["void"] == "drop":
            facts["weight"] = 0
    return Case(id, data["part"], graded, entry["says"], tuple(calls), **facts)


class CallReader:
    """Reads calls, and draws the boards, trees and games that the calls name."""

    def __init__(self) -> None:
        self._boards = read_boards()
        self._trees = read_trees()
        self._games = read_yaml(GAMES)

    def call(
        self,
        function: Function,
        written: Mapping[str, Any],
        excerpts: Mapping[str, str],
    ) -> Call:
        """The call of a function that a case describes.

        `excerpts` are those of the file.
        """
        inputs = self.drawn(
            {key: value for key, value in written.items() if key not in OF_THE_CASE}
        )
        state = inputs.get("state", inputs)
        excerpt = ""
        if "board" in state:
            excerpt = excerpts.get(name_of_excerpt(state["board"]), "")
        if excerpt and "state" in inputs:
            state["excerpt"] = excerpt
        expect = {
            key: fact
            for key, fact in written.get("expect", {}).items()
            if key != "by_hand"
        }
        return Call(function, written.get("name", ""), inputs, expect, excerpt=excerpt)

    def drawn(self, value: Any) -> Any:
        """A value of a call, with drawings in place of names, and INF as a number."""
        if isinstance(value, str):
            return _INFINITIES.get(value, value)
        if isinstance(value, list):
            return [self.drawn(inner) for inner in value]
        if not isinstance(value, dict):
            return value
        data = {key: self.drawn(inner) for key, inner in value.items()}
        if "board" in data:
            data |= self._board(data["board"])
        if "tree" in data:
            data |= self._tree(data["tree"], data.get("negates", False))
        if "graph" in data and " " not in data["graph"]:
            data["graph"] = self._games[data["graph"]]
        return data

    def _board(self, text: str) -> Drawing:
        """The drawing of a board from its name or its rows."""
        if "." in text or "\n" in text:
            return drawn_board(text)
        return self._boards[text]

    def _tree(self, text: str, negates: bool) -> Drawing:
        """The drawing of a tree from its name or its text, and the name."""
        if "\n" in text:
            return drawn_tree(text, negates) | {"tree_name": DRAWN_HERE}
        return self._trees[text] | {"tree_name": text}
