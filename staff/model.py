"""The model solution, asked what cases expect: its answers, read and typed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boards.cases import Call, Case, Function, read_points
from grader.judging.sentences import sentence_for_ending, sentence_for_exception, sentence_for_import
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, Ending, Request
from grader.protocol.plain import Garbled
from grader.sandbox.opening import OneByOne as Sandbox

MODEL = Path(__file__).parent.parent / "lab.py"
MOST_SECONDS = 20


class ModelFailure(Exception):
    """The model solution does not answer; the text says to what, and how it fails."""


class Model:
    """The model solution, asked for what it answers to a call.  Raises ModelFailure.

    `functions` has what points.yaml says of each graded function.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.functions = {name: function for part in read_points() for name, function in part.graded.items()}
        loaded = sandbox.load()
        if not loaded.imported:
            raise ModelFailure(sentence_for_import(loaded))

    def ask(self, function: str, inputs: Mapping[str, Any]) -> Any:
        """What the model answers to one call, as its kind reads it."""
        return self.ask_all(function, [inputs])[0]

    def ask_all(self, function: str, all_inputs: Sequence[Mapping[str, Any]]) -> list[Any]:
        """What the model answers to calls of a function, all in one process."""
        graded = self.functions[function]
        outcomes = self._outcomes(graded, all_inputs)
        try:
            return [kind_of(graded).read(outcome) for outcome in outcomes]
        except Garbled:
            raise ModelFailure(f"kind.py of `{graded.kind}` cannot read what worker.py sends: {outcomes[0]}") from None

    def answer(self, case: Case) -> Answer:
        """The model's answer to a case."""
        inputs = tuple(call.inputs for call in case.calls)
        request = Request(case.id, case.graded.kind, case.function, inputs, MOST_SECONDS)
        begun = kind_of(case.graded).begin(case, MODEL)
        return begun.answer() if begun else self._sandbox.answer(request)

    def _outcomes(self, function: Function, all_inputs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        calls = tuple(Call("", dict(inputs), {}) for inputs in all_inputs)
        answer = self.answer(Case("the/model", 0, function, "", calls))
        who = f"the model's {function.name}"
        if answer.ending is not Ending.ANSWERED:
            raise ModelFailure(f"{who}: {sentence_for_ending(answer, MOST_SECONDS)[1]}")
        if answer.missing:
            raise ModelFailure(f"lab.py has no {function.name}")
        if answer.raised:
            raise ModelFailure(f"{who}: {sentence_for_exception(answer.raised, (function.name,))[1]}")
        return answer.outcomes
