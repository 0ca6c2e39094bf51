"""results.json is what its schema says, for any lab."""

import dataclasses
import errno
import json
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest

from grader.bank.cases import Bank, Case
from grader.bank.points import Part
from grader.bank.reading import load_bank
from grader.grading.session import grade
from staff.reports.gradescope import result as gradescope
from staff.tests.conftest import KIT
from staff.tests.support.labs import KINDS, sheet_of

SCHEMA = jsonschema.Draft202012Validator(
    json.loads((KIT / "grader" / "results.schema.json").read_text(encoding="utf-8"))
)


@pytest.mark.parametrize("kind", KINDS)
def test_results_fit_the_schema(kind: str, tmp_path: Path) -> None:
    sheet_of(kind).write(tmp_path / "results.json")
    SCHEMA.validate(json.loads((tmp_path / "results.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("place", ["", "parts", "cases"])
def test_the_schema_is_strict(place: str) -> None:
    SCHEMA.check_schema(SCHEMA.schema)
    data = sheet_of("full").data
    inside = data[place] if place else data
    (inside[0] if isinstance(inside, list) else inside)["surprise"] = 1
    assert not SCHEMA.is_valid(data)


def test_a_full_disk_leaves_the_earlier_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_up(file: Path, data: bytes) -> None:
        file.write_text(data.decode()[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    sheet, file = sheet_of("full"), tmp_path / "results.json"
    sheet.write(file)
    before = file.read_bytes()
    monkeypatch.setattr(Path, "write_bytes", fill_up)
    with pytest.raises(OSError, match="No space left"):
        sheet.write(file)
    assert [left.read_bytes() for left in tmp_path.iterdir()] == [before]


SURVEY = {
    "NAME": ("'A\\x1b[31m::notice::' * 999", "A\\x1b[31m::notice::"),
    "COLLABORATORS": ("''", ""),
    "HOW_MANY_HOURS_THIS_LAB_TOOK": ("7.5", "7.5"),
    "WHAT_I_FOUND_INTERESTING": (
        "type('Odd', (str,), {'__str__': lambda self: 1 / 0})('x')",
        None,
    ),
    "WHAT_I_FOUND_BORING": ("'<b>\\ud800'", "a text with broken characters"),
    "SUGGESTIONS": ("10 ** 9999", "a whole number of more than a thousand digits"),
    "LEAGUE_NAME": ("'Deep \\x1b[31m Yellow'", "Deep \\x1b[31m Yellow"),
}


def test_the_survey_is_kept_as_harmless_text(
    model: str, bank: Bank, tmp_path: Path
) -> None:
    answers = "".join(f"{name} = {source}\n" for name, (source, _) in SURVEY.items())
    (tmp_path / "lab.py").write_text(f"{model}\n{answers}", "utf-8")
    sheet = grade(tmp_path / "lab.py", Bank(bank.parts, tuple(bank.of("ANSWER_1"))))
    SCHEMA.validate(sheet.data)
    assert (
        sheet.unfilled == ()
        and gradescope(sheet, 1)["extra_data"]["survey"] == sheet.data["survey"]
    )
    for name, (_, text) in SURVEY.items():
        kept = sheet.data["survey"][name]
        assert "\x1b" not in kept and len(kept) <= 2_000
        assert (
            text is None or kept == text or (name == "NAME" and kept.startswith(text))
        )


def test_what_the_survey_still_asks_for(model: str, bank: Bank, tmp_path: Path) -> None:
    (tmp_path / "lab.py").write_text(
        f"{model}\nNAME = ''\nWHAT_I_FOUND_BORING = None\n", "utf-8"
    )
    sheet = grade(tmp_path / "lab.py", Bank(bank.parts, tuple(bank.of("ANSWER_1"))))
    assert sheet.unfilled == ("NAME", "WHAT_I_FOUND_BORING")


def test_two_gradings_under_one_version_can_be_told_apart(bank: Bank) -> None:
    """The digest of cases and points depends on all that decides a score.

    It depends on nothing else.
    """
    case, *others = bank.cases
    part, *parts = bank.parts
    call = case.calls[0]

    def digest(case: Case = case, part: Part = part) -> str:
        return Bank((part, *parts), (case, *others)).digest()

    reworded = dataclasses.replace(case, says="Otherwise.")
    assert (
        digest(reworded)
        == bank.digest()
        == load_bank().digest()
        == sheet_of("full").data["cases_sha256"]
    )
    name, points = next(iter(part.functions.items()))
    changed = [
        digest(dataclasses.replace(case, weight=2)),
        digest(
            dataclasses.replace(
                case, calls=(dataclasses.replace(call, expect={}), *case.calls[1:])
            )
        ),
        digest(
            part=dataclasses.replace(
                part, functions={**part.functions, name: points + 100}
            )
        ),
        digest(part=dataclasses.replace(part, hidden={name: Fraction(1, 2)})),
    ]
    assert len({bank.digest(), *changed}) == 5


def test_a_case_is_worth_its_weight(bank: Bank) -> None:
    first, second, plain, *others = (
        case for case in bank.of("solve") if not case.advice
    )
    double = dataclasses.replace(first, weight=2)
    dropped = dataclasses.replace(second, weight=0)
    weighed = Bank(bank.parts, (double, dropped, plain, *others))
    assert weighed.worth(double) == pytest.approx(2 * weighed.worth(plain), abs=1)
    assert weighed.worth(dropped) == 0
    assert {bank.worth(case) for case in bank.cases if case.advice} == {0}
