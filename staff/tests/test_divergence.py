"""Where a search or a player first leaves its reference.

A true fact stands beside the expected one, or nothing is said.
"""

from typing import Any

import pytest

from grader.bank.cases import Bank
from grader.kinds.kind import Divergence, kind_of
from staff.submissions.rows import Lab, Row, read_rows
from staff.tests.conftest import RIGHT_LABS
from staff.tests.support.tables import table_of
from staff.tests.support.tracing import run

RIGHT = {file.stem: Lab(whole=file.read_text("utf-8")) for file in RIGHT_LABS} | {
    row.id: row for row in read_rows("right")
}
WITH_LIMITS_AND_WINDOWS = (
    "alphabeta/default-arguments", "alphabeta/flag-at-the-leaf", "alphabeta/outside-the-window", "minimax/tic-tac-toe",
    "progressive/minimizer-first", "player/earlier-of-equals", "player/asked-again",
)  # fmt: skip


def divergence(lab: str, name: str, bank: Bank, at: int = 0) -> Divergence | None:
    """Where a call of a case diverges, in a lab given as text."""
    case = next(case for case in bank.cases if case.id == name)
    kind = kind_of(case.graded)
    return kind.divergence(case.calls[at], kind.read(run(lab, case).outcomes[at]))


@pytest.mark.parametrize("row", table_of("divergence"))
def test_the_first_divergence_is_told(
    row: dict[str, Any], bank: Bank, model: str
) -> None:
    lab = Lab(**row["lab"]).text(model)
    first = divergence(lab, row["case"], bank, at=row.get("call", 1) - 1)
    facts = first and [first.where, first.yours, first.expected]
    assert facts == row["told"]


@pytest.mark.parametrize("right_lab", RIGHT)
def test_nothing_is_said_of_what_is_right(
    right_lab: str, bank: Bank, model: str
) -> None:
    lab = RIGHT[right_lab]
    cases = [case for case in bank.cases if case.id in WITH_LIMITS_AND_WINDOWS]
    if isinstance(lab, Row):
        cases = [case for case in cases if case.function in lab.status]
    for case in cases:
        kind = kind_of(case.graded)
        for at, outcome in enumerate(run(lab.text(model), case).outcomes):
            assert kind.divergence(case.calls[at], kind.read(outcome)) is None


def test_a_move_of_a_player_is_marked_too(bank: Bank, model: str) -> None:
    lab = Lab(wrong_lab="player-one-ply-too-deep").text(model)
    first = divergence(lab, "player/earlier-of-equals", bank)
    case = next(case for case in bank.cases if case.id == "player/earlier-of-equals")
    assert first is not None
    picture = kind_of(case.graded).picture(case.calls[0], None, first.place)
    (marked,) = (line for line in picture if line.endswith("<-- goes wrong here"))
    assert " ".join(marked.split()) == "| `- MAX A1 ~ -1 <-- goes wrong here"
