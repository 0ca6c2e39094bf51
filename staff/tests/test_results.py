"""results.json is what its schema says, for any lab."""

import dataclasses
import errno
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.bank.cases import Bank, Case
from grader.bank.points import Part
from grader.bank.reading import load_bank
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet
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


def test_the_schema_is_a_schema() -> None:
    SCHEMA.check_schema(SCHEMA.schema)


def with_a_surprise(place: str) -> dict[str, Any]:
    """Results with a key that the schema does not know, in a part of them."""
    results = sheet_of("full").data
    inside = results
    if place:
        inside, *_ = results[place]
    inside["surprise"] = 1
    return results


@pytest.mark.parametrize("place", ["", "parts", "cases"])
def test_the_schema_is_strict(place: str) -> None:
    assert not SCHEMA.is_valid(with_a_surprise(place))


def fill_up(file: Path, data: bytes) -> None:
    """Write to a disk that is full after a hundred bytes."""
    file.write_text(data.decode()[:100])
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_the_earlier_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = sheet_of("full")
    file = tmp_path / "results.json"
    sheet.write(file)
    before = file.read_bytes()
    monkeypatch.setattr(Path, "write_bytes", fill_up)
    with pytest.raises(OSError, match="No space left"):
        sheet.write(file)
    assert [left.read_bytes() for left in tmp_path.iterdir()] == [before]


# --- the survey ----------------------------------------------------------------------

ANSWERED = {  # what lab.py assigns to a question, and what is kept of that
    "COLLABORATORS": ("''", ""),
    "HOW_MANY_HOURS_THIS_LAB_TOOK": ("7.5", "7.5"),
    "WHAT_I_FOUND_BORING": ("'<b>\\ud800'", "a text with broken characters"),
    "SUGGESTIONS": ("10 ** 9999", "a whole number of more than a thousand digits"),
    "LEAGUE_NAME": ("'Deep \\x1b[31m Yellow'", "Deep \\x1b[31m Yellow"),
}
HOSTILE = {
    "NAME": "'A\\x1b[31m::notice::' * 999",
    "WHAT_I_FOUND_INTERESTING": "type('Odd', (str,), {'__str__': lambda self: 1 / 0})('x')",
}


def graded(text: str, folder: Path, bank: Bank) -> ScoreSheet:
    """The sheet of a lab.py with this text, graded on one question."""
    lab = folder / "lab.py"
    lab.write_text(text, "utf-8")
    return grade(lab, Bank(bank.parts, tuple(bank.of("ANSWER_1"))))


@pytest.fixture(scope="module")
def surveyed(
    model: str, bank: Bank, tmp_path_factory: pytest.TempPathFactory
) -> ScoreSheet:
    """The sheet of a submission that answers the survey in odd ways."""
    answers = {name: source for name, (source, _) in ANSWERED.items()} | HOSTILE
    lines = [f"{name} = {source}" for name, source in answers.items()]
    text = "\n".join([model, *lines])
    return graded(text, tmp_path_factory.mktemp("surveyed"), bank)


@pytest.mark.parametrize("name", ANSWERED)
def test_an_answer_of_the_survey_is_kept_as_text(
    name: str, surveyed: ScoreSheet
) -> None:
    _, kept = ANSWERED[name]
    assert surveyed.data["survey"][name] == kept


def test_the_survey_is_kept_as_harmless_text(surveyed: ScoreSheet) -> None:
    SCHEMA.validate(surveyed.data)
    kept = surveyed.data["survey"]
    assert kept.keys() == {*ANSWERED, *HOSTILE}
    assert kept["NAME"].startswith("A\\x1b[31m::notice::")
    assert not [text for text in kept.values() if "\x1b" in text or len(text) > 2_000]


def test_gradescope_gets_the_survey(surveyed: ScoreSheet) -> None:
    report = gradescope(surveyed, 1)
    assert report["extra_data"]["survey"] == surveyed.data["survey"]


def test_an_answered_survey_asks_for_nothing(surveyed: ScoreSheet) -> None:
    assert surveyed.unfilled == ()


def test_what_the_survey_still_asks_for(model: str, bank: Bank, tmp_path: Path) -> None:
    text = f"{model}\nNAME = ''\nWHAT_I_FOUND_BORING = None\n"
    sheet = graded(text, tmp_path, bank)
    assert sheet.unfilled == ("NAME", "WHAT_I_FOUND_BORING")


# --- what decides a score ------------------------------------------------------------


def bank_with(bank: Bank, case: Case | None = None, part: Part | None = None) -> Bank:
    """The bank with another first case or another first part."""
    cases = (case or bank.cases[0], *bank.cases[1:])
    parts = (part or bank.parts[0], *bank.parts[1:])
    return Bank(parts, cases)


def test_what_decides_no_score_leaves_the_digest_of_the_cases(bank: Bank) -> None:
    reworded = dataclasses.replace(bank.cases[0], says="Otherwise.")
    assert bank_with(bank, case=reworded).digest() == bank.digest()
    assert load_bank().digest() == bank.digest()
    assert sheet_of("full").data["cases_sha256"] == bank.digest()


def test_all_that_decides_a_score_changes_the_digest_of_the_cases(bank: Bank) -> None:
    """Two gradings under one version can be told apart."""
    case = bank.cases[0]
    heavy = dataclasses.replace(case, weight=2)
    call, *calls = case.calls
    expects_nothing = dataclasses.replace(call, expect={})
    lenient = dataclasses.replace(case, calls=(expects_nothing, *calls))
    part = bank.parts[0]
    name, points = next(iter(part.functions.items()))
    more_points = {**part.functions, name: points + 100}
    worth_more = dataclasses.replace(part, functions=more_points)
    half_hidden = dataclasses.replace(part, hidden={name: Fraction(1, 2)})
    changed = [
        bank_with(bank, case=heavy),
        bank_with(bank, case=lenient),
        bank_with(bank, part=worth_more),
        bank_with(bank, part=half_hidden),
    ]
    assert len({each.digest() for each in (bank, *changed)}) == 5


def test_a_case_is_worth_its_weight(bank: Bank) -> None:
    graded = [case for case in bank.of("solve") if not case.advice]
    first, second, plain, *others = graded
    double = dataclasses.replace(first, weight=2)
    dropped = dataclasses.replace(second, weight=0)
    weighed = Bank(bank.parts, (double, dropped, plain, *others))
    assert weighed.worth(double) == pytest.approx(2 * weighed.worth(plain), abs=1)
    assert weighed.worth(dropped) == 0


def test_advice_is_worth_nothing(bank: Bank) -> None:
    advice = [case for case in bank.cases if case.advice]
    assert {bank.worth(case) for case in advice} == {0}
