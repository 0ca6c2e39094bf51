"""How cases of searches are written.  Never ships."""

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from api import INF, parse_tree
from boards.heuristics import HEURISTICS
from boards.points import Function
from grader.kinds.search.answer import Result
from grader.kinds.search.judge import HISTORY
from staff.strict.kind import Ask, Names, Types, Writing
from staff.strict.named import check_board
from staff.strict.reading import Block

WHOLE_GAME = 42
_RESULT = {"path", "score", "evaluations"}
_STATES = {"tree", "board", "tic_tac_toe", "nim"}
_INFINITIES = {"INF": INF, "-INF": -INF}
_ARGUMENTS: dict[str, Any] = {
    **dict.fromkeys(("depth_limit", "alpha", "beta", "time_limit"), (int, float)),
    "maximize": bool,
    "heuristic": str,
}


class SearchCases(Writing):
    """A `state`, the `arguments` beside it, and `watched: false` where nothing but the search may keep snapshots."""

    types: ClassVar[Types] = {
        **dict.fromkeys(("score", "at_least", "at_most"), (int, float)),
        **dict.fromkeys(("evaluations", "unpruned"), int),
        **dict.fromkeys(("path", "history"), list),
        "last": Block,
    }

    def check(self, function: Function, call: Block, names: Names) -> set[str]:
        _check_state(call.take("state", Block), names)
        _check_arguments(call.take("arguments", Block, Block(call.file, call.line)), function.arguments)
        call.take("watched", bool, True)
        return {"state", "arguments", "watched"}

    def expectations(self, function: Function) -> tuple[set[str], ...]:
        if function.returns == HISTORY:
            return ({"history"}, {"last"})
        if not function.prunes:
            return (_RESULT,)
        return tuple(keys | {"evaluations", "unpruned"} for keys in (_RESULT, {"at_most"}, {"at_least"}))

    def plies(self, function: Function) -> int:
        return WHOLE_GAME

    def check_expectation(self, function: Function, expect: Block, inputs: Mapping[str, Any]) -> None:
        for key in ("evaluations", "unpruned"):
            if expect.get(key, 0) < 0:
                expect.fail(f"`{key}` is {expect[key]}; it is 0 or more", key)
        for key in ("score", "at_least", "at_most"):
            if not math.isfinite(expect.get(key, 0)):
                expect.fail(f"`{key}` is {expect[key]}; a finite number is wanted", key)
        for entry in expect.get("history", ()):
            if not isinstance(entry, Block) or set(entry) != _RESULT:
                expect.fail("`history` is a list of {path, score, evaluations}", "history")
        for entry in (expect, *expect.get("history", ()), expect.get("last", {})):
            if "path" in entry and not _leads_down(inputs["state"], entry["path"]):
                expect.fail(f"there is no such path as {entry['path']}: child indices, from 0, from the root", "path")

    def fill(self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
        results = [_found(result) for result in ask(function.name, inputs).results]
        if function.returns == HISTORY:
            last = {key: results[-1][key] for key in ("path", "score")}
            return {"last": last} if call.get("advice") else {"history": results}
        return _in_window(results[0], function, inputs, ask) if function.prunes else results[0]


def _check_state(block: Block, names: Names) -> None:
    block.allow(_STATES)
    if len(block) != 1:
        block.fail("`state` is one of {tree: NAME}, {board: NAME}, {tic_tac_toe: POSITION} and {nim: PIECES}")
    if "tree" in block:
        names.look_up(block, "tree")
    if "tic_tac_toe" in block:
        position = block.take("tic_tac_toe", str)
        crosses, noughts = position.count("X"), position.count("O")
        if len(position) != 9 or set(position) - set("XO.") or crosses - noughts not in (0, 1):
            block.fail(f"{position!r} is no position: nine of `X`, `O` and `.`, X first", "tic_tac_toe")
    if "nim" in block and block.take("nim", int) < 1:
        block.fail(f"`nim` is a number of pieces, 1 or more, not {block['nim']}", "nim")
    if "board" in block:
        check_board(block, names.boards)


def _check_arguments(block: Block, allowed: Sequence[str]) -> None:
    block.allow(allowed)
    arguments: dict[str, Any] = {key: _INFINITIES.get(value, value) for key, value in block.items()}
    for key in block:
        if _ARGUMENTS[key] is bool or block[key] not in _INFINITIES:
            block.take(key, _ARGUMENTS[key])
    limit = arguments.get("depth_limit", 0)
    if limit != INF and (type(limit) is not int or limit < 0):
        block.fail(f"`depth_limit` is {limit}; it is a whole number of 0 or more, or INF", "depth_limit")
    if arguments.get("heuristic", "always_zero") not in HEURISTICS:
        block.fail(f"no heuristic `{arguments['heuristic']}`; there are {', '.join(HEURISTICS)}", "heuristic")
    if arguments.get("alpha", -INF) >= arguments.get("beta", INF):
        block.fail("alpha is not below beta, so the window is empty", "alpha")


def _leads_down(state: Mapping[str, Any], path: Sequence[Any]) -> bool:
    """Whether these child indices lead down a drawn tree; of other games only the form is known."""
    node = _parse(state["tree"], state["negates"]) if "tree" in state and path else None
    for index in path:
        if type(index) is not int or index < 0 or (node and index >= len(node.children)):
            return False
        node = node and node.children[index]
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
