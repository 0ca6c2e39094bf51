"""How cases of searches are written.  Never ships."""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from api import INF, parse_tree
from boards.cases import Function
from grader.kinds.search.answer import Result
from grader.kinds.search.judge import HISTORY
from staff.strict.kind import Ask, Names, Writing
from staff.strict.named import check_board, check_tic_tac_toe
from staff.strict.reading import Block

WHOLE_GAME = 42
_FITTING = {  # the heuristics that can estimate such a state, beside always_zero
    "tree": ["tree_estimate"],
    "board": ["edge_pieces"],
    "tic_tac_toe": ["open_lines"],
    "nim": ["game_estimate"],
}
_INFINITIES = {"INF": INF, "-INF": -INF}


class SearchCases(Writing):
    """A `state`, the `arguments` beside it, and `watched: false` where nothing but the search may keep snapshots."""

    returns = ("", HISTORY)

    def check(self, function: Function, call: Block, names: Names) -> None:
        _check_state(call["state"], names)
        if "arguments" in call:
            _check_arguments(call["arguments"], function)
            _check_heuristic(call["arguments"], call["state"])

    def expectations(self, function: Function) -> list[set[str]]:
        """The history, or what was found, with the count of the search without cut-offs where there is one."""
        forms = super().expectations(function)
        if function.returns == HISTORY:
            return [form for form in forms if form & {"history", "last"}]
        return [form for form in forms if "evaluations" in form and ("unpruned" in form) is bool(function.prunes)]

    def plies(self, function: Function) -> int:
        return WHOLE_GAME

    def check_places(self, expect: Block, inputs: Mapping[str, Any]) -> None:
        for entry in (expect, *expect.get("history", ()), expect.get("last", {})):
            if "path" in entry and not _leads_down(inputs["state"], entry["path"]):
                places = "child indices, from 0, from the root"
                fix = "take `expect` away, and `make expectations` fills it in"
                expect.fail(f"there is no such path as {entry['path']} ({places}); {fix}", "path")

    def fill(self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
        results = [_found(result) for result in ask(function.name, inputs).results]
        if function.returns == HISTORY:
            last = {key: results[-1][key] for key in ("path", "score")}
            return {"last": last} if call.get("advice") else {"history": results}
        return _in_window(results[0], function, inputs, ask) if function.prunes else results[0]


def _check_state(block: Block, names: Names) -> None:
    if "tree" in block:
        names.check(block, "tree")
    if "board" in block:
        check_board(block, names.boards)
    if "tic_tac_toe" in block:
        check_tic_tac_toe(block, "tic_tac_toe")


def _check_arguments(block: Block, function: Function) -> None:
    if not function.arguments:
        block.fail(f"boards/points.yaml gives {function.name} no `arguments`; list them there", next(iter(block), None))
    block.allow(function.arguments)
    low, high = (block.get(key, default) for key, default in (("alpha", "-INF"), ("beta", "INF")))
    if _INFINITIES.get(low, low) >= _INFINITIES.get(high, high):
        block.fail("alpha is not below beta, so the window is empty", "alpha")


def _check_heuristic(block: Block, state: Block) -> None:
    """The heuristic reads snapshots of this kind of state."""
    fitting = [name for kind, names in _FITTING.items() if kind in state for name in ("always_zero", *names)]
    if "heuristic" in block and block["heuristic"] not in fitting:
        [kind] = state.keys() & _FITTING.keys()
        block.fail(f"{block['heuristic']} cannot estimate a {kind}; take {' or '.join(fitting)}", "heuristic")


def _leads_down(state: Mapping[str, Any], path: Sequence[int]) -> bool:
    """Whether these child indices lead down a drawn tree; of other games nothing is known."""
    if "tree" not in state:
        return True
    node = _parse(state["tree"], state["negates"])
    for index in path:
        if index >= len(node.children):
            return False
        node = node.children[index]
    return True


_parse = functools.lru_cache(parse_tree)


def _found(result: Result) -> dict[str, Any]:
    return {"path": list(result.path.indices), "score": result.score, "evaluations": result.evaluations}


def _in_window(found: dict[str, Any], function: Function, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
    """A result with the count of the search without cut-offs; judged by its side where the value is outside the
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
