"""The model solution, asked what cases expect: its answers, read and typed."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.bank.cases import Case
from grader.bank.points import read_points
from grader.judging.sentences import (
    sentence_for_ending,
    sentence_for_exception,
    sentence_for_import,
)
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, Ending, Request
from grader.protocol.plain import Garbled
from grader.sandbox.sandbox import Sandbox
from grader.sandbox.typed import type_command

MODEL = Path(__file__).parent.parent / "lab.py"
MOST_SECONDS = 20


class ModelFailure(Exception):
    """The model solution does not answer; the text says to what, and how it fails."""


class Model:
    """The model solution, asked for what it answers to a call.  Raises ModelFailure.

    `functions` has what points.yaml says of each graded function.
    """

    def __init__(self) -> None:
        self.functions = {
            name: function
            for part in read_points()
            for name, function in part.graded.items()
        }
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
        """What the model answers to one call, as its kind reads it."""
        return self.ask_all(function, [inputs])[0]

    def ask_all(
        self, function: str, all_inputs: Sequence[Mapping[str, Any]]
    ) -> list[Any]:
        """What the model answers to calls of a function."""
        self.look_ahead(function, all_inputs)
        outcomes = [self.outcome(function, inputs) for inputs in all_inputs]
        kind = self.functions[function].kind
        try:
            return [
                kind_of(self.functions[function]).read(outcome) for outcome in outcomes
            ]
        except Garbled:
            raise ModelFailure(
                f"kind.py of `{kind}` cannot read what worker.py sends: {outcomes[0]}"
            ) from None

    def look_ahead(
        self, function: str, all_inputs: Sequence[Mapping[str, Any]]
    ) -> None:
        """Find out what the model answers to calls of a function: all in one process,
        as long as none ends it.
        """
        unknown = {_key(function, inputs): inputs for inputs in all_inputs}
        unknown = {
            key: inputs for key, inputs in unknown.items() if key not in self._known
        }
        kind = self.functions[function].kind
        while unknown:
            requests = [
                Request(function, kind, function, (dict(one),), MOST_SECONDS)
                for one in unknown.values()
            ]
            for key, answer in zip(
                list(unknown), self._sandbox.run(requests), strict=False
            ):
                self._known[key] = answer
                del unknown[key]

    def outcome(self, function: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """What worker.py sends of a call."""
        self.look_ahead(function, [inputs])
        answer, name = self._known[_key(function, inputs)], f"the model's {function}"
        if answer.ending is not Ending.ANSWERED:
            raise ModelFailure(f"{name}: {sentence_for_ending(answer)[1]}")
        if answer.raised:
            raise ModelFailure(
                f"{name}: {sentence_for_exception(answer.raised, (function,))[1]}"
            )
        return answer.outcomes[0]

    def answer(self, case: Case) -> Answer:
        """The model's answer to a case."""
        inputs = tuple(call.inputs for call in case.calls)
        request = Request(
            case.id, case.graded.kind, case.function, inputs, MOST_SECONDS
        )
        if command := kind_of(case.graded).typed(case.calls[0]):
            return type_command(command, MODEL, MOST_SECONDS)
        return next(self._sandbox.run([request]))


def _key(function: str, inputs: Mapping[str, Any]) -> str:
    return f"{function} {json.dumps(inputs, sort_keys=True)}"
