"""Checks and fills in the cases of searches.  Never ships."""

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
    """How staff write cases of searches.

    A call has a `state`, and the other `arguments` of the search.  The call says
    `watched: false` if the recorder must not watch the search.  A watched search gets a
    copy of its state, and the recorder keeps copies of states in memory.  So a watched
    search may hide a mistake that depends on the identity of objects.
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
        if "board" not in inputs["state"]:
            return ""
        return write_excerpt(inputs["state"], WHOLE_GAME, ask_all)

    def trace(
        self, case: Case, inputs: dict[str, Any], model: Model
    ) -> dict[str, Any] | None:
        """Return the events of the model's search, and the minimax value of each place.

        For a function that returns a history, there are no minimax values.  Return None
        if the case is only advice and earns no points, if the search is too long, or if
        the recorder must not watch the search.
        """
        function = case.graded
        events = _events(function, inputs, model)
        if case.advice or not events:
            return None
        if function.returns == HISTORY:
            return {"events": events, "values": []}
        events = plain = _by_itself(events, function)
        if function.prunes:
            unpruned = model.functions[function.prunes]
            plain = _events(unpruned, _without_window(inputs), model)
        return {"events": events, "values": _values(plain)}

    def can_be_disguised(self, function: Function) -> bool:
        return True

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        results = ask(function.name, inputs).results
        expect = [_expectation(result) for result in results]
        if function.returns == HISTORY:
            if call.get("advice"):
                del expect[-1]["evaluations"]
                return {"last": expect[-1]}
            return {"history": expect}
        if function.prunes:
            return _in_window(expect[0], function, inputs, ask)
        return expect[0]


def _check_arguments(block: Block, function: Function) -> None:
    """Raise BadFile if the function does not take one of the arguments, or if the
    window is empty.
    """
    for name in block:
        if name not in function.arguments:
            block.fail(
                f"`{name}` is none of the `arguments` of {function.name} "
                "in boards/points.yaml",
                name,
            )
    alpha = block.get("alpha", "-INF")
    beta = block.get("beta", "INF")
    if _INFINITIES.get(alpha, alpha) >= _INFINITIES.get(beta, beta):
        block.fail("alpha is not below beta, so the window is empty", "alpha")


def _expectation(result: Result) -> dict[str, Any]:
    """Return what a case expects if this is the result of the model."""
    return {
        "path": list(result.path.indices),
        "score": result.score,
        "evaluations": result.evaluations,
    }


def _in_window(
    expect: dict[str, Any], function: Function, inputs: Mapping[str, Any], ask: Ask
) -> dict[str, Any]:
    """Return what a case expects of a search that prunes.

    The expectation has two numbers of evaluations: that of the search, and that of
    plain minimax.  If the minimax value is not between alpha and beta, the case expects
    only a score of at most alpha, or a score of at least beta.
    """
    given = inputs.get("arguments", {})
    alpha = given.get("alpha", -INF)
    beta = given.get("beta", INF)
    (plain,) = ask(function.prunes, _without_window(inputs)).results
    counts = {"evaluations": expect["evaluations"], "unpruned": plain.evaluations}
    if alpha < plain.score < beta:
        return {**expect, **counts}
    if plain.score <= alpha:
        return {"at_most": alpha, **counts}
    return {"at_least": beta, **counts}


def _without_window(inputs: Mapping[str, Any]) -> dict[str, Any]:
    arguments = dict(inputs.get("arguments", {}))
    arguments.pop("alpha", None)
    arguments.pop("beta", None)
    return {**inputs, "arguments": arguments}


def _events(function: Function, inputs: dict[str, Any], model: Model) -> Events:
    """Return the events that the recorder notes in a search of the model.

    The list is empty if the search is too long, or if the recorder must not watch it.
    """
    outcome = model.outcome(function.name, inputs)
    trace: dict[str, Any] = outcome.get("trace", {})
    return trace["events"] if trace.get("complete") else []


def _by_itself(events: Events, function: Function) -> Events:
    """Return the events of the model's function as if it did the search by itself.

    The function may do nothing but call another search.  Then the call of the function
    is left out, and the calls of the other search get the name of the function.  They
    also lose the arguments that the function does not take.
    """
    match events:
        case [["call", _, root, _], ["call", inner, place, _], *_] if (
            root == place and inner != function.name
        ):
            return [_renamed(event, function) for event in events[1:-1]]
    return events


def _renamed(event: list[Any], function: Function) -> list[Any]:
    if event[0] != "call":
        return event
    what, _, place, given = event
    arguments = {name: given[name] for name in given if name in function.arguments}
    return [what, function.name, place, arguments]


def _values(events: Events) -> list[list[Any]]:
    """Return the place and the score of each call that has returned, sorted by place.

    If several calls were at one place, the last of them counts.
    """
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
