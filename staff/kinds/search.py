"""How cases of searches are written.  Never ships."""

from collections.abc import Mapping
from typing import Any

from api import INF
from grader.bank.cases import Case
from grader.bank.points import Function
from grader.kinds.search.answer import Result
from grader.kinds.search.judge import HISTORY
from staff.kinds.excerpts import write_excerpt
from staff.model import Model
from staff.strict.kind import Ask, AskAll, Writing
from staff.strict.named import Names
from staff.strict.reading import Block

Events = list[list[Any]]
WHOLE_GAME = 42
_INFINITIES = {"INF": INF, "-INF": -INF}


class SearchCases(Writing):
    """A `state`, the `arguments` beside it, and `watched: false` if nothing but the
    search may keep snapshots.
    """

    def check(self, function: Function, call: Block, names: Names) -> None:
        state = call["state"]
        if "tree" in state:
            names.check_tree(state)
        if "board" in state:
            names.check_board(state)
        if "arguments" in call:
            _check_arguments(call["arguments"], function)

    def excerpt(
        self, function: Function, inputs: Mapping[str, Any], ask_all: AskAll
    ) -> str:
        return (
            write_excerpt(inputs["state"], WHOLE_GAME, ask_all)
            if "board" in inputs["state"]
            else ""
        )

    def trace(
        self, case: Case, inputs: dict[str, Any], model: Model
    ) -> dict[str, Any] | None:
        """The events of a search, and what plain minimax finds at each place; None for
        one that is too long.
        """
        function = case.graded
        events = _events(function, inputs, model)
        if case.advice or not events:
            return None
        if function.returns == HISTORY:
            return {"events": events, "values": []}
        events = plain = _by_itself(events, function)
        if function.prunes:
            plain = _events(
                model.functions[function.prunes], _without_window(inputs), model
            )
        return {"events": events, "values": _values(plain)}

    def can_be_disguised(self, function: Function) -> bool:
        return True

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        results = [_found(result) for result in ask(function.name, inputs).results]
        if function.returns == HISTORY:
            last = {key: results[-1][key] for key in ("path", "score")}
            return {"last": last} if call.get("advice") else {"history": results}
        return (
            _in_window(results[0], function, inputs, ask)
            if function.prunes
            else results[0]
        )


def _check_arguments(block: Block, function: Function) -> None:
    """The function takes them, and the window is not empty."""
    for name in block:
        if name not in function.arguments:
            block.fail(
                f"`{name}` is none of the `arguments` of {function.name} in boards/points.yaml",
                name,
            )
    low, high = (
        block.get(key, default) for key, default in (("alpha", "-INF"), ("beta", "INF"))
    )
    if _INFINITIES.get(low, low) >= _INFINITIES.get(high, high):
        block.fail("alpha is not below beta, so the window is empty", "alpha")


def _found(result: Result) -> dict[str, Any]:
    return {
        "path": list(result.path.indices),
        "score": result.score,
        "evaluations": result.evaluations,
    }


def _in_window(
    found: dict[str, Any], function: Function, inputs: Mapping[str, Any], ask: Ask
) -> dict[str, Any]:
    """A result with the count of the search without cut-offs; judged by its side if the
    value is outside the given window.
    """
    given = inputs.get("arguments", {})
    (plain,) = ask(function.prunes, _without_window(inputs)).results
    low, high = given.get("alpha", -INF), given.get("beta", INF)
    expect = {**found, "unpruned": plain.evaluations}
    if low < plain.score < high:
        return expect
    side = {"at_most": low} if plain.score <= low else {"at_least": high}
    return {
        **side,
        "evaluations": expect["evaluations"],
        "unpruned": expect["unpruned"],
    }


def _without_window(inputs: Mapping[str, Any]) -> dict[str, Any]:
    arguments = inputs.get("arguments", {})
    return {
        **inputs,
        "arguments": {
            key: arguments[key] for key in arguments if key not in ("alpha", "beta")
        },
    }


def _events(function: Function, inputs: dict[str, Any], model: Model) -> Events:
    """What the worker sends of a search; nothing if it is too long, or if it may not be
    watched.
    """
    outcome = model.outcome(function.name, inputs)
    trace: dict[str, Any] = outcome.get("trace", {})
    return trace["events"] if trace.get("complete") else []


def _by_itself(events: Events, function: Function) -> Events:
    """The events of a model that may hand on to another search, as if it had called
    itself.

    They say neither which search that is, nor the arguments that this function does not
    take.
    """
    match events:
        case [["call", _, root, _], ["call", other, place, _], *_] if (
            root == place and other != function.name
        ):
            inner = events[1:-1]
        case _:
            return events
    renamed: Events = []
    for event in inner:
        if event[0] == "call":
            what, _, place, given = event
            event = [
                what,
                function.name,
                place,
                {key: given[key] for key in given if key in function.arguments},
            ]
        renamed.append(event)
    return renamed


def _values(events: Events) -> list[list[Any]]:
    """The score that was returned at each place."""
    values: dict[tuple[int, ...], list[Any]] = {}
    open_calls: list[list[int]] = []
    for event in events:
        if event[0] == "call":
            open_calls.append(event[2])
        elif event[0] == "return":
            place = open_calls.pop()
            values[tuple(place)] = [place, event[1]["score"]]
    return [values[place] for place in sorted(values)]


WRITING = SearchCases()
