"""Reads the cases of boards/cases/*.yaml.

    case       something that a function should do; its id is, for example,
               `alphabeta/maximizer-first`
    call       one call of the function; a case is right if all its calls are right
    expect     what a call should return; it never enters the process of student code

If a file says `hidden: true`, its cases are hidden.  No release contains hidden cases.
They run at the deadline.

To add a case, write it without `expect` and run `make expectations`.  The schema.json
of each kind of function, in grader/kinds/, says what a case of that kind may contain.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from api import INF
from boards.excerpts import name_of_excerpt
from boards.reading import (
    GAMES,
    POINTS,
    BadFile,
    Drawing,
    Facts,
    drawn_board,
    drawn_tree,
    read_boards,
    read_trees,
    read_yaml,
    sound,
)
from grader.bank.cases import Bank, Call, Case
from grader.bank.points import Function, Part, fields_of, read_points

CASES = POINTS.with_name("cases")

# The keys of a file, of a case or of a call that only the grader reads.  All other keys
# are inputs of the student's code.
NO_INPUTS = {
    *Case.__dataclass_fields__,
    "function",
    "excerpts",
    "cases",
    "expect",
    "name",
}
DRAWN_HERE = "tree"  # the name of a tree that the case itself draws
_INFINITIES = {"INF": INF, "-INF": -INF}


def load_bank() -> Bank:
    """Read all cases of this kit.

    A course may leave functions out.  Then the cases that need these functions are left
    out as well.  Raises BadFile if a file cannot be read or is not as it should be, or
    if a function with public points has no public case.
    """
    return complete(make_bank(sorted(CASES.glob("*.yaml")), read_points()))


def complete(bank: Bank) -> Bank:
    """Return this bank, if each function with public points has a public case that is
    not advice.

    Raises BadFile if a function has no such case, because nobody could earn the points
    of that function.
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
    """Read the cases in these files.

    The bank also has `parts`, the parts of the assignment.  Raises BadFile if a file
    cannot be read or is not as it should be.
    """
    reader = CallReader()
    functions = {
        name: function for part in parts for name, function in part.graded.items()
    }
    cases = []
    for file in files:
        data = read_yaml(file)
        with sound(file):
            for entry in data["cases"]:
                facts = {**data, **entry}
                graded = functions[facts["function"]]
                group = file.stem.partition("-")[2]
                case = read_case(group, graded, facts, reader)
                if functions.keys() >= set(graded.needs):
                    cases.append(case)
    return Bank(parts, tuple(cases))


def read_case(group: str, graded: Function, entry: Facts, reader: "CallReader") -> Case:
    """Return the case that an entry under `cases` of a case file describes.

    `entry` also has the facts at the top of the file, which hold for all cases of the
    file.  `group` is the first half of the id of the case, such as `alphabeta` in
    `alphabeta/maximizer-first`.
    """
    id = f"{group}/{entry['id']}"
    all_written = entry.get("calls", [entry])
    calls: list[Call] = []
    for index, written in enumerate(all_written):
        call = reader.call(graded, written, entry.get("excerpts", {}))
        again = "state" in call.inputs and any(
            call.inputs["state"] == earlier.inputs["state"] for earlier in calls
        )
        calls.append(
            replace(call, case=id, index=index, of=len(all_written), again=again)
        )
    facts = fields_of(
        entry,
        ("hidden", "weight", "seconds", "process", "advice", "order", "opposite"),
    )
    if "void" in entry:
        facts["void"] = entry["void"]["how"]
        facts["why"] = entry["void"]["why"]
        if facts["void"] == "drop":
            facts["weight"] = 0
    return Case(id, entry["part"], graded, entry["says"], tuple(calls), **facts)


class CallReader:
    """Reads calls, and replaces the names of boards, trees and games in them by
    drawings.
    """

    def __init__(self) -> None:
        self._boards = read_boards()
        self._trees = read_trees()
        self._games = read_yaml(GAMES)

    def call(
        self,
        function: Function,
        written: Facts,
        excerpts: Mapping[str, str],
    ) -> Call:
        """Return the call that `written`, an entry of a case file, describes.

        `excerpts` holds all excerpts of the case file.  The key is the name of an
        excerpt.
        """
        inputs = self.drawn(
            {key: value for key, value in written.items() if key not in NO_INPUTS}
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
        """Return `value`, a part of a call, in the form in which the child gets it.

        The name of a board, a tree or a game becomes a drawing.  The texts INF and -INF
        become numbers.
        """
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
        """Return the drawing of a board.  `text` is either the name of the board, or
        the rows of the board.
        """
        if "." in text or "\n" in text:
            return drawn_board(text)
        return self._boards[text]

    def _tree(self, text: str, negates: bool) -> Drawing:
        """Return the drawing of a tree, together with the name of the tree.

        `text` is either the name of the tree, or a drawing of the tree.
        """
        if "\n" in text:
            return drawn_tree(text, negates) | {"tree_name": DRAWN_HERE}
        return self._trees[text] | {"tree_name": text}
