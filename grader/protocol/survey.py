"""The survey at the end of lab.py: the worker reads it, the grader keeps it as harmless
text, nobody grades it.
"""

import contextlib
from typing import Any

from grader.protocol.plain import Garbled
from grader.protocol.words import show, visible

QUESTIONS = (
    "NAME",
    "COLLABORATORS",
    "HOW_MANY_HOURS_THIS_LAB_TOOK",
    "WHAT_I_FOUND_INTERESTING",
    "WHAT_I_FOUND_BORING",
)
SURVEY = (*QUESTIONS, "SUGGESTIONS")
MAY_BE_EMPTY = ("COLLABORATORS",)
LONGEST = 2_000


def read_survey(sent: Any) -> dict[str, str]:
    """The answers that the worker sent, by question, as text that can be shown
    anywhere; an open question is left out.

    >>> read_survey({"NAME": "Ada\\x1b[31m", "HOW_MANY_HOURS_THIS_LAB_TOOK": 7.5, "SUGGESTIONS": "", "X": 1})
    {'NAME': 'Ada\\\\x1b[31m', 'HOW_MANY_HOURS_THIS_LAB_TOOK': '7.5'}
    """
    answers = sent if isinstance(sent, dict) else {}
    texts = {
        name: _text(answers[name]) for name in SURVEY if answers.get(name) is not None
    }
    return {name: text for name, text in texts.items() if text or name in MAY_BE_EMPTY}


def unfilled(survey: dict[str, str]) -> tuple[str, ...]:
    """The questions that have no answer yet.

    >>> unfilled({name: "so" for name in QUESTIONS[1:]})
    ('NAME',)
    """
    return tuple(name for name in QUESTIONS if name not in survey)


def _text(answer: Any) -> str:
    """An answer as text; empty if the worker would not send it."""
    if not isinstance(answer, str):
        with contextlib.suppress(Garbled):
            return show(answer)
        return ""
    text = visible(
        answer.encode("utf-8", "backslashreplace").decode()[:LONGEST], besides="\n"
    )
    return text[:LONGEST].strip()
