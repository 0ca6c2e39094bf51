"""A case of a lab, run once with its calls traced."""

import tempfile
from pathlib import Path

from grader.bank.cases import Case
from grader.kinds.kind import kind_of
from grader.kinds.search.answer import SearchAnswer
from grader.protocol.answer import Answer, Ending, Request
from grader.sandbox.sandbox import Sandbox

REMEMBERS = """

_alphabeta, _known = minimax_search_alphabeta, {}


def minimax_search_alphabeta(state, *others, **named):
    name = str(state.get_snapshot())
    if state.is_game_over() or name not in _known:
        _known[name] = _alphabeta(state, *others, **named)
    return _known[name]
"""  # to be added to a lab


def traced(
    lab: str, case: Case, most: int = 2_000, fork: bool = True
) -> list[SearchAnswer]:
    """The answers of a lab, given as text, to the calls of a case of a search, with
    their traces.
    """
    answer = run(lab, case, most, fork)
    assert answer.ending is Ending.ANSWERED and not answer.raised, answer
    return [kind_of(case.graded).read(outcome) for outcome in answer.outcomes]


def run(lab: str, case: Case, most: int = 2_000, fork: bool = True) -> Answer:
    """The Answer of a lab to a case that is traced."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "lab.py")
        file.write_text(lab, encoding="utf-8")
        sandbox = Sandbox(file, fork)
        try:
            sandbox.load()
            inputs = tuple({**call.inputs, "traced": most} for call in case.calls)
            return next(
                sandbox.run([Request(case.graded.kind, case.function, inputs, 10)])
            )
        finally:
            sandbox.close()
