"""A default that a student has lost or changed costs one case, and not one case for each call without it."""

from pathlib import Path

import pytest

from boards.cases import Bank
from grader.grading.session import Session

WITHOUT_DEFAULT = """
import inspect
_with_default = {function}
def {function}(*words, **named):
    if {name!r} not in inspect.signature(_with_default).bind(*words, **named).arguments:
        raise TypeError("missing 1 required argument: {name}")
    return _with_default(*words, **named)
"""


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("minimax_endgame_search", "maximize"),
        *(("minimax_search", name) for name in ("heuristic_fn", "depth_limit", "maximize")),
        ("minimax_search_alphabeta", "maximize"),
        *(("progressive_deepening", name) for name in ("heuristic_fn", "maximize")),
    ],
)
def test_a_lost_default_costs_one_case(function: str, name: str, bank: Bank, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(model + WITHOUT_DEFAULT.format(function=function, name=name), encoding="utf-8")
    with Session(lab, bank) as session:
        failing = [case.id for case in bank.of(function) if not case.advice and not session.verdict(case).passed]
    assert [case.partition("/")[2] for case in failing] == ["default-arguments"]
