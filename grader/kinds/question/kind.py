"""Questions, answered by a name at the top level of lab.py; the right answer is stored
as a salted hash.
"""

import base64
import hashlib
from typing import Any

from grader.bank.cases import Call
from grader.judging.verdict import Finding, Status, wrong
from grader.kinds.kind import Kind
from grader.protocol.plain import value_of
from grader.protocol.words import show

CHOICES = ("1", "2", "3", "4", "5")


class Question(Kind[Any]):
    """A number from 1 to 5 as text; the number 4 counts as '4'."""

    is_code = False
    read = staticmethod(value_of)

    def judge(self, call: Call, answer: Any) -> Finding:
        text = str(answer) if type(answer) is int else answer
        if text is None or text == "":
            return wrong("There is no answer yet.", status=Status.NOT_STARTED)
        if not isinstance(text, str) or text.strip() not in CHOICES:
            return wrong(
                f"The answer is {show(answer)}; it should be one of '1', '2', '3', '4' and '5'."
            )
        if hash_answer(call.expect["salt"], text) != call.expect["digest"]:
            return wrong(f"{text} is not the answer.")
        return Finding(message=base64.b64decode(call.expect["explanation"]).decode())

    def signature(self, call: Call) -> str:
        return call.function.name


def hash_answer(salt: str, answer: str) -> str:
    """The salted hash by which an answer is stored: not secret, only not readable by
    accident.
    """
    return hashlib.sha256(f"{salt} {answer.strip()}".encode()).hexdigest()


KIND = Question()
