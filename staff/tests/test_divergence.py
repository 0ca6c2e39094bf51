"""Where a search or a player first leaves its reference.

A true fact stands beside the expected one, or nothing is said.
"""

from typing import Any

import pytest

from grader.bank.cases import Bank, Case
from grader.kinds.kind import Divergence, kind_of
from staff.submissions.rows import Lab, Row, read_rows
from staff.tests.conftest import RIGHT_LABS, case_named
from staff.tests.support.tables import table_of
from staff.tests.support.tracing import run

RIGHT = {file.stem: Lab(whole=file.read_text("utf-8")) for file in RIGHT_LABS}
RIGHT |= {row.id: row for row in read_rows("right")}
WITH_LIMITS_AND_WINDOWS = (
    "alphabeta/default-arguments",
    "alphabeta/flag-at-the-leaf",
    "alphabeta/outside-the-window",
    "minimax/tic-tac-toe",
    "progressive/minimizer-first",
    "player/earlier-of-equals",
    "player/asked-again",
)


def divergences(lab: str, case: Case) -> list[Divergence | None]:
    """Where each call of a case leaves its reference, in a lab given as text."""
    kind = kind_of(case.graded)
    # A call that makes too many events ends the case: it is the last with an outcome.
    outcomes = run(lab, case).outcomes
    return [
        kind.divergence(call, kind.read(outcome))
        for call, outcome in zip(case.calls, outcomes, strict=False)
    ]


def cases_for(lab: Lab, bank: Bank) -> list[Case]:
    """The cases above; for a row, those of the functions that it says are right."""
    cases = [case_named(name, bank) for name in WITH_LIMITS_AND_WINDOWS]
    if isinstance(lab, Row):
        return [case for case in cases if case.function in lab.status]
    return cases


@pytest.mark.parametrize("row", table_of("divergence"))
def test_the_first_divergence_is_told(
    row: dict[str, Any], bank: Bank, model: str
) -> None:
    lab = Lab(**row["lab"]).text(model)
    calls = divergences(lab, case_named(row["case"], bank))
    divergence = calls[row.get("call", 1) - 1]
    facts = None
    if divergence:
        facts = [divergence.where, divergence.yours, divergence.expected]
    assert facts == row["told"]


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_said_of_what_is_right(name: str, bank: Bank, model: str) -> None:
    lab = RIGHT[name]
    for case in cases_for(lab, bank):
        assert not any(divergences(lab.text(model), case)), case.id


def test_a_move_of_a_player_is_marked_too(bank: Bank, model: str) -> None:
    lab = Lab(wrong_lab="player-one-ply-too-deep").text(model)
    case = case_named("player/earlier-of-equals", bank)
    divergence, *_ = divergences(lab, case)
    assert divergence is not None
    picture = kind_of(case.graded).picture(case.calls[0], None, divergence.place)
    (marked,) = (line for line in picture if line.endswith("<-- goes wrong here"))
    assert " ".join(marked.split()) == "| `- MAX A1 ~ -1 <-- goes wrong here"
