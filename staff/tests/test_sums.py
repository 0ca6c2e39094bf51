"""What is shown adds up: cases to functions, functions to parts, parts to the score, now and at the deadline."""

import dataclasses
import random
import re
from fractions import Fraction

import pytest

from boards.cases import Bank, rescaled, shared
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from grader.release import Release
from grader.showing.console import report
from grader.showing.markdown import summary
from grader.showing.style import Style
from staff.reports import gradescope

CREDITS = [(Status.PASS, Fraction(1))] * 6 + [
    (Status.PARTIAL, Fraction(1, 2)), (Status.PARTIAL, Fraction(1, 4)), (Status.FAIL, Fraction(0)),
    (Status.NOT_STARTED, Fraction(0)),
]  # fmt: skip


def test_shares_add_up_and_are_near() -> None:
    draw = random.Random(7)
    for _ in range(500):
        points = Fraction(draw.randrange(5_000), 100)
        weights = {number: Fraction(draw.randrange(1, 500), draw.choice((1, 3, 60))) for number in range(7)}
        shares = shared(points, weights)
        assert sum(shares.values()) == points
        for number, share in shares.items():
            assert abs(share - points * weights[number] / sum(weights.values())) < Fraction(1, 100)
            assert (share * 100).denominator == 1


def banks(bank: Bank) -> list[Bank]:
    """The bank as courses have it: as it is, rescaled, with few parts, with a share for hidden cases."""
    made = [bank]
    for chosen, scale, share in (
        ("01234", "50", "1/3"),
        ("124", "100", "1/7"),
        ("02", "100", "0"),
        ("34", "77", "1/2"),
        ("0124", "50", "1/2"),
    ):
        old = [part for part in bank.parts if str(part.number) in chosen]
        hidden_share = Fraction(share)
        new = rescaled(old, Fraction(scale))
        parts = tuple(
            dataclasses.replace(part, hidden=dict.fromkeys(part.functions, hidden_share) if hidden_share else {})
            for part in new
        )
        kept = tuple(case for case in bank.cases if str(case.part) in chosen)
        made.append(Bank(parts, kept))
        if share != "0":
            hidden = [dataclasses.replace(case, id=f"{case.id}-2", hidden=True) for case in kept]
            made.append(Bank(parts, (*kept, *hidden)))
            for one in ("dfs_maximizing", "next_boards_connectfour"):
                of_one = [dataclasses.replace(part, hidden={one: Fraction(share)}) for part in parts]
                made.append(Bank(tuple(of_one), (*kept, *(case for case in hidden if case.function == one))))
    return made


def sheets(bank: Bank) -> list[ScoreSheet]:
    """Sheets of this bank with verdicts of all kinds; the last is full, the one before it misses one case."""
    draw, made = random.Random(4), []
    for pool in (CREDITS, CREDITS[:7], CREDITS[:1]):
        drawn = {case.id: draw.choice(pool) for case in bank.cases}
        made.append({case: Verdict(case, status, credit) for case, (status, credit) in drawn.items()})
    last = next(case.id for case in reversed(bank.cases) if not case.advice)
    missed = made[-1] | {last: Verdict(last, Status.FAIL)}
    return [ScoreSheet(bank, found, b"", kit=Release(version="1.0.0")) for found in (*made[:-1], missed, made[-1])]


def test_every_sum_that_is_shown_adds_up(bank: Bank) -> None:
    for each in banks(bank):
        *_, missed, full = sheets(each)
        has_hidden = any(case.hidden for case in each.cases)
        for sheet in sheets(each):
            data = sheet.data
            for key in ("score", "out_of", "later"):
                assert exactly(data[key]) == sum(exactly(part[key]) for part in data["parts"])
            assert exactly(data["out_of"]) + exactly(data["later"]) == int(
                sum(part.points for part in each.parts) * 100
            )
            assert all(part["later"] == 0 if has_hidden else part["later"] >= 0 for part in data["parts"])
            for part in data["parts"]:
                cases = [case for case in data["cases"] if case["part"] == part["part"]]
                for key in ("score", "out_of"):
                    assert exactly(part[key]) == sum(exactly(case[key]) for case in cases)
            for case in data["cases"]:
                assert (case["score"] < case["out_of"]) == (case["status"] != "pass") or case["advice"]
            assert 0 <= sheet.exactly[0] - sheet.score < Fraction(1, 100) * len(each.cases)
            check_reports(sheet)
        assert full.score == full.out_of
        assert missed.score < missed.out_of


def exactly(number: float) -> int:
    """A number with two decimals, in hundredths."""
    return round(number * 100)


def check_reports(sheet: ScoreSheet) -> None:
    """The scores of the tests in every report add up to its score."""
    score = exactly(float(sheet.score))
    report = gradescope.result(sheet, 1)
    assert exactly(report["score"]) == sum(exactly(test["score"]) for test in report["tests"]) == score


ROW = re.compile(r"^(?:\| )? *\d .* ([\d.]+) of ([\d.]+)(?: \|)?(?: +\+([\d.]+))?(?: \|)? +(?=[a-z\d|])", re.MULTILINE)


@pytest.mark.parametrize("kind", ["console", "markdown"])
def test_the_columns_of_the_table_add_up_and_stand_apart(kind: str, bank: Bank) -> None:
    for each in banks(bank):
        for sheet in sheets(each):
            screen = report(sheet, False, Style(False, True))
            table = screen.partition("\n\n")[0] if kind == "console" else summary(sheet)
            found = [[Fraction(number or 0) for number in row] for row in ROW.findall(table)]
            assert len(found) == len(each.parts), table
            *_, total = re.findall(r"([\d.]+) of ([\d.]+) points(?: here; ([\d.]+) more)?", screen)
            wanted = [Fraction(number or "0") for number in total]
            assert [sum(column) for column in zip(*found, strict=True)] == wanted
