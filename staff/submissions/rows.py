"""The rows of labs/*.yaml.  A row makes a submission and says how it must be graded.

README.md in this folder explains each field of a row.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import yaml

from grader.bank.cases import Bank, Case
from grader.kit import KIT
from staff.wrong_labs import build, load_wrong_labs, with_body

LABS = KIT / "staff" / "submissions" / "labs"
OTHERS = "others"
ALL = "all"
WRONG_LABS = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}
FUNCTIONS = [
    "ZeroBy",
    "solve",
    "is_game_over_connectfour",
    "next_boards_connectfour",
    "endgame_score_connectfour",
    "endgame_score_connectfour_faster",
    "heuristic_connectfour",
    "dfs_maximizing",
    "minimax_endgame_search",
    "minimax_search",
    "minimax_search_alphabeta",
    "progressive_deepening",
    "MinimaxPlayer",
]
"""The graded functions and classes of lab.py."""


def first_and_last(function: str, bank: Bank) -> list[Case]:
    """The first and the last graded case of a function."""
    graded = [case for case in bank.of(function) if not case.advice]
    return [graded[0], graded[-1]]


@dataclass(frozen=True)
class Lab:
    """A submission that is made from the model solution."""

    whole: str = ""  # a text that is used instead of the model solution
    # The id of a wrong lab that is used instead of the model solution.
    wrong_lab: str = ""
    before: str = ""  # code that is put above the text of the submission
    everywhere: str = ""  # a body that every graded function gets
    # The new bodies.  The keys are functions.
    bodies: Mapping[str, str] = field(default_factory=dict)
    # The new texts.  The keys are the old texts.
    replace: Mapping[str, str] = field(default_factory=dict)
    add: str = ""  # code that is put below the text of the submission

    def text(self, model: str) -> str:
        """The text of the submission."""
        text = self.whole or model
        if self.wrong_lab:
            text = build(WRONG_LABS[self.wrong_lab], model)
        if self.everywhere:
            for function in FUNCTIONS:
                text = with_body(function, self.everywhere, text)
        for function, body in self.bodies.items():
            text = with_body(function, body, text)
        for old, new in self.replace.items():
            assert text.count(old) == 1, (
                f"{old!r} stands {text.count(old)} times in the lab"
            )
            text = text.replace(old, new)
        pieces = [piece for piece in (self.before, text, self.add) if piece]
        return "\n".join(pieces).replace("KIT_FOLDER", str(KIT))


@dataclass(frozen=True, kw_only=True)
class Row(Lab):
    """A submission, how it is graded, and what the outcome must be."""

    id: str
    why: str  # a sentence with the promise that the row checks
    seconds: float | None = None  # the time limit of each case
    few: bool = False  # whether only two cases of each function are graded
    # True hides every other case.  A list hides all cases of these functions.
    hidden: bool | list[str] = False
    behind_locks: bool = False  # whether the machine must close the kit's files
    # The statuses of the cases.  The keys are functions.
    status: Mapping[str, Any] = field(default_factory=dict)
    # All cases that do not pass.  The keys are functions.
    failing: Mapping[str, list[str]] = field(default_factory=dict)
    # The statuses of single cases.  The keys are cases.
    cases: Mapping[str, str | list[str]] = field(default_factory=dict)
    # The points, or the least and the most points.  The keys are functions.
    points: Mapping[str, Any] = field(default_factory=dict)
    # Words that students read.  The keys are functions or cases.
    says: Mapping[str, str | list[str]] = field(default_factory=dict)
    # Words in the name or the place of a mistake.  The keys are functions.
    told: Mapping[str, str] = field(default_factory=dict)
    hides: str = ""  # words that hidden cases must not show

    def asked(self, bank: Bank) -> list[Case]:
        """The cases that this row is about, in the order of the bank."""
        named = {
            *self.status,
            *self.failing,
            *self.cases,
            *self.points,
            *self.says,
            *self.told,
        }
        if named & {OTHERS, ALL}:
            return [case for case in bank.cases if not case.advice]
        return [
            case for case in bank.cases if case.function in named or case.id in named
        ]

    def changed(self, bank: Bank) -> Bank:
        """The bank with the cases, time limits and hidden cases of this row."""
        cases = []
        for function in dict.fromkeys(case.function for case in bank.cases):
            cases += self._changed(function, bank)
        shares = {case.function: Fraction(1, 2) for case in cases if case.hidden}
        parts = []
        for part in bank.parts:
            hidden = part.hidden
            if shares:
                hidden = {
                    name: shares[name] for name in part.functions if name in shares
                }
            parts.append(dataclasses.replace(part, hidden=hidden))
        return Bank(tuple(parts), tuple(cases))

    def _changed(self, function: str, bank: Bank) -> list[Case]:
        """The cases of one function, changed."""
        cases = bank.of(function)
        if self.few:
            cases = first_and_last(function, bank)
        changed = []
        for number, case in enumerate(cases):
            every_other = self.hidden is True and number % 2 == 0
            named = isinstance(self.hidden, list) and case.function in self.hidden
            seconds = case.seconds
            if self.seconds is not None:
                seconds = self.seconds
            changed.append(
                dataclasses.replace(case, seconds=seconds, hidden=every_other or named)
            )
        return changed


def read_rows(files: str = "*") -> Iterator[Row]:
    """The rows of these files.

    An entry with the field `with` gives several rows.
    """
    for file in sorted(LABS.glob(f"{files}.yaml")):
        for entry in yaml.safe_load(file.read_text("utf-8")):
            several = entry.pop("with", None)
            if several is None:
                yield Row(**entry)
                continue
            if isinstance(several, dict):
                several = [
                    {word: value}
                    for word, values in several.items()
                    for value in values
                ]
            for number, meanings in enumerate(several, start=1):
                numbered = entry | {"id": f"{entry['id']}-{number}"}
                yield Row(**_replaced(numbered, meanings))


def _replaced(data: Any, meanings: Mapping[str, str]) -> Any:
    """The data after every word is replaced by its meaning, in all texts and all
    keys.
    """
    if isinstance(data, dict):
        return {
            _replaced(key, meanings): _replaced(inner, meanings)
            for key, inner in data.items()
        }
    if isinstance(data, list):
        return [_replaced(inner, meanings) for inner in data]
    if isinstance(data, str):
        for word, meaning in meanings.items():
            data = data.replace(word, meaning)
    return data
