"""Reads the answers to the survey at the end of lab.py.

The child sends the answers.  Nobody grades them.  In the answers, invisible characters
become escapes, except line ends.
"""

import contextlib
from typing import Any

from grader.protocol.plain import Garbled
from grader.protocol.text import show, visible

QUESTIONS = (
    "NAME",
    "COLLABORATORS",
    "HOW_MANY_HOURS_THIS_LAB_TOOK",
    "WHAT_I_FOUND_INTERESTING",
    "WHAT_I_FOUND_BORING",
)
SURVEY = (*QUESTIONS, "SUGGESTIONS", "LEAGUE_NAME")
MAY_BE_EMPTY = ("COLLABORATORS",)
LONGEST = 2_000


def read_survey(sent: Any) -> dict[str, str]:
    """Return the answers that the child has sent, as harmless text.

    The key is the name of the question.  A question without an answer is left out.  An
    empty answer is left out too, unless the question is in MAY_BE_EMPTY.

    >>> answers = {"NAME": "Ada\\x1b[31m", "HOW_MANY_HOURS_THIS_LAB_TOOK": 7.5}
    >>> read_survey(answers | {"SUGGESTIONS": "", "X": 1})
    {'NAME': 'Ada\\\\x1b[31m', 'HOW_MANY_HOURS_THIS_LAB_TOOK': '7.5'}
    """
    if not isinstance(sent, dict):
        return {}
    texts = {name: _text(sent[name]) for name in SURVEY if sent.get(name) is not None}
    return {name: text for name, text in texts.items() if text or name in MAY_BE_EMPTY}


def _text(answer: Any) -> str:
    """Return an answer as text.

    The text is empty if the child would never send such an answer.
    """
    if not isinstance(answer, str):
        with contextlib.suppress(Garbled):
            return show(answer)
        return ""
    return visible(answer[:LONGEST], besides="\n")[:LONGEST].strip()
