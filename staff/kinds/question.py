"""Fills in the cases of questions.  Never ships."""

import base64
import hashlib
from collections.abc import Mapping
from typing import Any

from grader.bank.points import Function
from grader.kinds.question.kind import hash_answer
from staff.strict.kind import Ask, Writing
from staff.strict.reading import Block


class Questions(Writing):
    """How staff write cases of questions.

    A call has no inputs.  Staff write only `expect: {explain: why this answer is
    right}`.
    """

    def is_filled(self, call: Block) -> bool:
        return "digest" in call.get("expect", {})

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        """Return a salt, the salted hash of the right answer, and the explanation.

        The explanation is encoded in base 64.  So a person who looks into the file does
        not see the answer by accident.  Raises BadFile if staff wrote no explanation.
        """
        old = call.get("expect", {})
        explanation = old.get("explanation")
        if "explain" in old:
            explanation = base64.b64encode(old["explain"].strip().encode()).decode()
        if not explanation:
            call.fail(
                "write `expect: {explain: why this answer is right}`; "
                "the rest is filled in"
            )
        salt = old.get("salt") or hashlib.sha256(function.name.encode()).hexdigest()[:8]
        return {
            "salt": salt,
            "digest": hash_answer(salt, ask(function.name, {})),
            "explanation": explanation,
        }


WRITING = Questions()
