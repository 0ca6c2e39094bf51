"""Judges the answer to a question by the salted hash of the right answer."""

import base64
import hashlib
from dataclasses import dataclass
from typing import Any

from grader.bank.cases import Call
from grader.kinds.kind import Kind
from grader.protocol.plain import value_of
from grader.protocol.text import show
from grader.verdicts.verdict import Finding, Status, wrong

CHOICES = ("1", "2", "3", "4", "5")


@dataclass(frozen=True)
class ExpectedChoice:
    """The case expects one of the answers in CHOICES.

    The case does not hold this answer, but only its salted hash.
    """

    salt: str
    digest: str  # the salted hash of the answer
    explanation: str  # why this answer is right, in base 64


class Question(Kind):
    """How a question is judged and shown.

    The answer is a text, from '1' to '5'.  A whole number such as 4 counts as '4'.
    """

    is_code = False
    read = staticmethod(value_of)

    def judge(self, call: Call, answer: Any) -> Finding:
        text = str(answer) if type(answer) is int else answer
        if text in (None, ""):
            return wrong("There is no answer yet.", status=Status.NOT_STARTED)
        if not isinstance(text, str) or text.strip() not in CHOICES:
            choices = "one of '1', '2', '3', '4' and '5'"
            return wrong(f"The answer is {show(answer)}; it should be {choices}.")
        expected = ExpectedChoice(**call.expect)
        if hash_answer(expected.salt, text) != expected.digest:
            return wrong(f"{text} is not the answer.")
        return Finding(message=base64.b64decode(expected.explanation).decode())

    def signature(self, call: Call) -> str:
        return call.function.name


def hash_answer(salt: str, answer: str) -> str:
    """Return the salted hash of an answer.

    The hash does not keep the answer secret.  It only keeps people from reading the
    answer by accident.
    """
    return hashlib.sha256(f"{salt} {answer.strip()}".encode()).hexdigest()


KIND = Question()
