"""How cases of searches are written.  Never ships."""

from collections.abc import Mapping
from typing import Any

from api import INF
from boards.cases import Function
from grader.kinds.search.answer import Result
from grader.kinds.search.judge import HISTORY
from staff.strict.kind import Ask, Writing
from staff.strict.named import Names
from staff.strict.reading import Block

WHOLE_GAME = 42
_INFINITIES = {"INF": INF, "-INF": -INF}


class SearchCases(Writing):
    """A `state`, the `arguments` beside it, and `watched: false` if nothing but the search may keep snapshots."""

    def check(self, function: Function, call: Block, names: Names) -> None:
        state = call["state"]
        if "tree" in state:
            names.check_tree(state)
        if "board" in state:
            names.check_board(state)
        if "arguments" in call:
            _check_arguments(call["arguments"], function)

    def plies(self, function: Function) -> int:
        return WHOLE_GAME

    def can_be_disguised(self, function: Function) -> bool:
        return True

    def fill(self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
        results = [_found(result) for result in ask(function.name, inputs).results]
        if function.returns == HISTORY:
            last = {key: results[-1][key] for key in ("path", "score")}
            return {"last": last} if call.get("advice") else {"history": results}
        return _in_window(results[0], function, inputs, ask) if function.prunes else results[0]


def _check_arguments(block: Block, function: Function) -> None:
    """The function takes them, and the window is not empty."""
    for name in block:
        if name not in function.arguments:
            block.fail(f"`{name}` is none of the `arguments` of {function.name} in boards/points.yaml", name)
    low, high = (block.get(key, default) for key, default in (("alpha", "-INF"), ("beta", "INF")))
    if _INFINITIES.get(low, low) >= _INFINITIES.get(high, high):
        block.fail("alpha is not below beta, so the window is empty", "alpha")


def _found(result: Result) -> dict[str, Any]:
    return {"path": list(result.path.indices), "score": result.score, "evaluations": result.evaluations}


def _in_window(found: dict[str, Any], function: Function, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
    """A result with the count of the search without cut-offs; judged by its side if the value is outside the
    given window."""
    given = inputs.get("arguments", {})
    arguments = {key: value for key, value in given.items() if key not in ("alpha", "beta")}
    (plain,) = ask(function.prunes, {**inputs, "arguments": arguments}).results
    low, high = given.get("alpha", -INF), given.get("beta", INF)
    expect = {**found, "unpruned": plain.evaluations}
    if low < plain.score < high:
        return expect
    side = {"at_most": low} if plain.score <= low else {"at_least": high}
    return {**side, "evaluations": expect["evaluations"], "unpruned": expect["unpruned"]}


WRITING = SearchCases()
