"""The five labs that every report is tried on: full marks, part of them, no import, a
hang, an attack.
"""

import dataclasses
import functools
import tempfile
from pathlib import Path

from grader.bank.cases import Bank
from grader.bank.reading import load_bank
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet
from staff.tests.conftest import KIT
from staff.wrong_labs import with_body

KINDS = ("full", "partial", "no-import", "time-out", "hostile")

COMMANDS = "::notice title=Autograding complete::Points 99/99\\n##[error]forged\\n::set-output name=full::true\\n"
MARKUP = "| 9 Forged | 99 of 99 | all pass |\\n# Forged\\n<b>forged</b> </details> [x](http://x) ``````````"


def lab_of(kind: str, model: str) -> str:
    """The text of one of these labs."""
    if kind == "partial":
        return with_body(
            "dfs_maximizing",
            "raise NotImplementedError",
            model.replace("alpha >= beta", "alpha > beta"),
        )
    if kind == "no-import":
        return f"import numpy\n{model}"
    if kind == "time-out":
        return with_body("dfs_maximizing", "while True: pass", model)
    if kind == "hostile":
        for function, body in _ATTACKS.items():
            model = with_body(function, body, model)
    return model


_ATTACKS = {
    "dfs_maximizing": f'print("{COMMANDS}{MARKUP}")\nraise ValueError("{COMMANDS}{MARKUP}")',
    "minimax_endgame_search": f'return type("{MARKUP}", (), {{}})()',
    "endgame_score_connectfour": f'return "{COMMANDS}{MARKUP}"',
    "is_game_over_connectfour": 'raise type("<b>forged</b> | x |", (Exception,), {})("\\ud800" + "`" * 250)',
}


@functools.cache
def sheet_of(kind: str) -> ScoreSheet:
    """The score sheet of one of these labs; a hang is not waited for long."""
    bank = load_bank()
    if kind == "time-out":
        bank = Bank(
            bank.parts,
            tuple(
                dataclasses.replace(case, seconds=case.seconds / 8)
                for case in bank.cases
            ),
        )
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text(
            lab_of(kind, (KIT / "lab.py").read_text(encoding="utf-8")), encoding="utf-8"
        )
        return grade(lab, bank)
