"""Right labs of an odd kind: what they do to their own process costs nothing."""

import dataclasses
import textwrap
from pathlib import Path

import pytest

from boards.cases import Bank
from grader.grading.session import Session

BUSY_IMPORT = """
import time as _time
while _time.process_time() < 1.2:
    pass
"""

ODDITIES = {
    "a-pool-from-the-import": (
        "endgame_score_connectfour",
        """
        from concurrent.futures import ThreadPoolExecutor
        _pool, _plain = ThreadPoolExecutor(1), endgame_score_connectfour
        _pool.submit(int).result()
        def endgame_score_connectfour(board, flag):
            return _pool.submit(_plain, board, flag).result()
        """,
    ),
    "closed-streams": ("endgame_score_connectfour", "import os\nos.close(1)\nos.close(2)\nprint(end='')"),
    "nothing-to-print-to": (
        "endgame_score_connectfour",
        "import os\nfor _stream in (1, 2):\n    os.dup2(os.open(os.devnull, os.O_WRONLY), _stream)",
    ),
    "children-of-no-interest": (
        "endgame_score_connectfour",
        "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    ),
    "a-database-on-the-disk": (
        "endgame_score_connectfour",
        """
        import sqlite3
        def endgame_score_connectfour(board, flag):
            with sqlite3.connect("") as database:
                database.execute("pragma cache_size = 1")
                database.execute("create table chain (length integer, pieces text)")
                rows = [(len(chain), "x" * 9000) for chain in board.get_all_chains()]
                database.executemany("insert into chain values (?, ?)", rows)
                (longest,) = database.execute("select max(length) from chain").fetchone()
            return 0 if longest < 4 else -1000 if flag else 1000
        """,
    ),
    "few-digits": (
        "endgame_score_connectfour_faster",
        """
        import sys
        sys.set_int_max_str_digits(640)
        def endgame_score_connectfour_faster(board, flag):
            return endgame_score_connectfour(board, flag) * 10 ** (700 - board.count_pieces())
        """,
    ),
    "no-way-to-import": ("solve", "import sys\nsys.path[:] = []"),
    "huge-whole-numbers": (
        "endgame_score_connectfour_faster",
        """
        def endgame_score_connectfour_faster(board, flag):
            return endgame_score_connectfour(board, flag) * 10 ** (20 * (42 - board.count_pieces()))
        """,
    ),
    "results-kept-on-the-state": (
        "minimax_search",
        """
        _anew = minimax_search
        def minimax_search(state, heuristic_fn=always_zero, depth_limit=INF, maximize=True):
            asked, known = (heuristic_fn, depth_limit, maximize), vars(state).setdefault("known", {})
            if asked not in known:
                known[asked] = _anew(state, *asked)
            return known[asked]
        """,
    ),
}


def losses(text: str, function: str, bank: Bank, tmp_path: Path) -> dict[str, str]:
    """The cases of a function that a lab does not pass, each with what is said of it."""
    lab = tmp_path / "lab.py"
    lab.write_text(text, encoding="utf-8")
    with Session(lab, bank) as session:
        verdicts = [session.verdict(case) for case in bank.of(function) if not case.advice]
    return {verdict.case: verdict.message for verdict in verdicts if not verdict.passed}


@pytest.mark.parametrize("oddity", ODDITIES)
def test_an_odd_lab_that_is_right_loses_nothing(
    oddity: str, model: str, tmp_path: Path, bank: Bank, short_bank: Bank
) -> None:
    function, code = ODDITIES[oddity]
    some = bank if function == "solve" else short_bank
    assert losses(f"{model}\n{textwrap.dedent(code)}", function, some, tmp_path) == {}


def test_make_run_does_not_charge_the_import(model: str, tmp_path: Path, bank: Bank) -> None:
    """The import has seconds of its own, more than the case has."""
    case = next(case for case in bank.of("make_run") if not case.advice)
    hurried = Bank(bank.parts, (dataclasses.replace(case, seconds=0.8),))
    assert losses(BUSY_IMPORT + model, "make_run", hurried, tmp_path) == {}
