"""Asks the model solution what cases should expect."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.bank.cases import Case
from grader.bank.points import read_points
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, Ending, Request
from grader.protocol.plain import Garbled
from grader.refusal import Refusal
from grader.sandbox.sandbox import Sandbox
from grader.sandbox.typed import TypedCommand
from grader.verdicts.sentences import (
    sentence_for_ending,
    sentence_for_exception,
    sentence_for_import,
)

MODEL = Path(__file__).parent.parent / "lab.py"
MOST_SECONDS = 20  # of CPU, for each call


class ModelFailure(Refusal):
    """Raised if the model solution cannot be imported or gives no answer that can be
    read.  The text says what happened.
    """


class Model:
    """The model solution in a sandbox, where it answers calls.

    Raises ModelFailure if the model solution cannot be imported.
    """

    def __init__(self) -> None:
        self.functions = {
            name: function
            for part in read_points()
            for name, function in part.graded.items()
        }  # all graded functions, as points.yaml describes them
        # The answers to the calls that `look_ahead` has made.
        self._known: dict[str, Answer] = {}
        self._sandbox = Sandbox(MODEL)
        loaded = self._sandbox.load()
        if not loaded.imported:
            raise ModelFailure(sentence_for_import(loaded))

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *exception: object) -> None:
        self._sandbox.close()

    def ask(self, function: str, inputs: Mapping[str, Any]) -> Any:
        """Return the model's answer to one call, as the kind of the function reads it.

        Raises ModelFailure.
        """
        return self.ask_all(function, [inputs])[0]

    def ask_all(
        self, function: str, all_inputs: Sequence[Mapping[str, Any]]
    ) -> list[Any]:
        """Return the model's answers to calls of a function.

        The kind of the function reads each answer from plain data.  Raises ModelFailure
        if a call fails, or if the kind cannot read its answer.
        """
        self.look_ahead(function, all_inputs)
        outcomes = [self.outcome(function, inputs) for inputs in all_inputs]
        facts = self.functions[function]
        try:
            return [kind_of(facts).read(outcome) for outcome in outcomes]
        except Garbled:
            raise ModelFailure(
                f"kind.py of `{facts.kind}` cannot read what worker.py sends: "
                f"{outcomes[0]}"
            ) from None

    def look_ahead(
        self, function: str, all_inputs: Sequence[Mapping[str, Any]]
    ) -> None:
        """Make calls of a function at once, and keep the answers for later.

        This saves time, because one process makes all calls, unless a call ends the
        process.
        """
        unknown = {_key(function, inputs): inputs for inputs in all_inputs}
        unknown = {
            key: inputs for key, inputs in unknown.items() if key not in self._known
        }
        kind = self.functions[function].kind
        while unknown:
            requests = [
                Request(kind, function, (dict(inputs),), MOST_SECONDS)
                for inputs in unknown.values()
            ]
            answers = self._sandbox.run(requests)
            for key, answer in zip(list(unknown), answers, strict=False):
                self._known[key] = answer
                del unknown[key]

    def outcome(self, function: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plain data that worker.py of the kind sends about a call.

        Raises ModelFailure if the call fails.
        """
        self.look_ahead(function, [inputs])
        answer = self._known[_key(function, inputs)]
        name = f"the model's {function}"
        if answer.ending is not Ending.ANSWERED:
            raise ModelFailure(f"{name}: {sentence_for_ending(answer)[1]}")
        if answer.raised:
            sentence = sentence_for_exception(answer.raised, (function,))[1]
            raise ModelFailure(f"{name}: {sentence}")
        return answer.outcomes[0]

    def answer(self, case: Case) -> Answer:
        """Return the model's answer to a case."""
        inputs = tuple(call.inputs for call in case.calls)
        request = Request(case.graded.kind, case.function, inputs, MOST_SECONDS)
        command = kind_of(case.graded).typed(case.calls[0])
        if command:
            return TypedCommand(command, MODEL, MOST_SECONDS).answer()
        return next(self._sandbox.run([request]))


def _key(function: str, inputs: Mapping[str, Any]) -> str:
    """Return a text that is the same for two calls if the calls are equal."""
    return f"{function} {json.dumps(inputs, sort_keys=True)}"
