"""The rows of staff/labs/*.yaml: labs that are made of the model, and what must come
out of each.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import yaml

from grader.bank.cases import Bank, Case
from staff.tests.conftest import FUNCTIONS, KIT, first_and_last
from staff.wrong_labs import build, load_wrong_labs, with_body

LABS = KIT / "staff" / "labs"
OTHERS, ALL = "others", "all"
WRONG_LABS = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}


@dataclass(frozen=True)
class Lab:
    """A lab that is made of the model.  staff/labs/README.md tells what each field
    is.
    """

    whole: str = ""
    wrong_lab: str = ""
    before: str = ""
    everywhere: str = ""
    bodies: Mapping[str, str] = field(default_factory=dict)
    replace: Mapping[str, str] = field(default_factory=dict)
    add: str = ""

    def text(self, model: str) -> str:
        """The text of the lab."""
        text = self.whole or (
            build(WRONG_LABS[self.wrong_lab], model) if self.wrong_lab else model
        )
        for function in FUNCTIONS if self.everywhere else ():
            text = with_body(function, self.everywhere, text)
        for function, body in self.bodies.items():
            text = with_body(function, body, text)
        for old, new in self.replace.items():
            assert text.count(old) == 1, (
                f"{old!r} stands {text.count(old)} times in the lab"
            )
            text = text.replace(old, new)
        return "\n".join(filter(None, (self.before, text, self.add))).replace(
            "KIT_FOLDER", str(KIT)
        )


@dataclass(frozen=True, kw_only=True)
class Row(Lab):
    """One lab, and what must come out."""

    id: str
    why: str
    seconds: float | None = None
    few: bool = False
    hidden: bool | list[str] = False
    behind_locks: bool = False
    status: Mapping[str, Any] = field(default_factory=dict)
    failing: Mapping[str, list[str]] = field(default_factory=dict)
    cases: Mapping[str, str | list[str]] = field(default_factory=dict)
    points: Mapping[str, Any] = field(default_factory=dict)
    says: Mapping[str, str | list[str]] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    hides: str = ""

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
        """The bank with the cases, the seconds and the secrets that this row asks
        for.
        """
        functions = dict.fromkeys(case.function for case in bank.cases)
        cases = [
            case for function in functions for case in self._changed(function, bank)
        ]
        shares = {case.function: Fraction(1, 2) for case in cases if case.hidden}
        parts = tuple(
            dataclasses.replace(
                part,
                hidden={
                    name: shares[name] for name in part.functions if name in shares
                },
            )
            for part in bank.parts
        )
        return Bank(parts if shares else bank.parts, tuple(cases))

    def _changed(self, function: str, bank: Bank) -> list[Case]:
        """The cases of one function, changed."""
        cases = first_and_last(function, bank) if self.few else bank.of(function)
        changed = []
        for number, case in enumerate(cases):
            every_other = self.hidden is True and number % 2 == 0
            named = isinstance(self.hidden, list) and case.function in self.hidden
            seconds = case.seconds if self.seconds is None else self.seconds
            changed.append(
                dataclasses.replace(case, seconds=seconds, hidden=every_other or named)
            )
        return changed


def read_rows(files: str = "*") -> Iterator[Row]:
    """The rows of these files; several for a row that says what its words stand for."""
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
                yield Row(
                    **_replaced(entry | {"id": f"{entry['id']}-{number}"}, meanings)
                )


def _replaced(data: Any, meanings: Mapping[str, str]) -> Any:
    """The data with what the words stand for in their place, in every text and every
    name.
    """
    if isinstance(data, dict):
        return {
            _replaced(key, meanings): _replaced(inner, meanings)
            for key, inner in data.items()
        }
    if isinstance(data, list):
        return [_replaced(inner, meanings) for inner in data]
    for word, meaning in meanings.items() if isinstance(data, str) else ():
        data = data.replace(word, meaning)
    return data
