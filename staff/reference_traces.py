"""Reference traces: what the model's searches do in each public case, event by event, for boards/reference_traces/;
of its players, what they choose in each state.

`make expectations` writes them; grader/kinds/search/nodes.py reads them, and says what stands in one.
"""

import dataclasses
import json
from pathlib import Path
from typing import Any

from boards.cases import Bank, Call, Case, Function, make_bank, read_points
from boards.played import read_played
from grader.kinds.kind import kind_of
from grader.kinds.player.judge import UNKNOWN, PlayerAnswer, Request, Said
from grader.kinds.player.kind import Player
from grader.kinds.search.answer import Called, Evaluated, Event, Expanded, Returned, SearchAnswer, Trace
from grader.kinds.search.judge import HISTORY
from grader.kinds.search.kind import Search
from grader.kinds.search.nodes import REFERENCE_TRACES
from staff.generated import write_folder
from staff.model import Model
from staff.strict.bank import case_files


def bring_up_to_date(model: Model, check: bool) -> list[str]:
    """Write what has changed in boards/reference_traces/, unless it is only to be checked; a line for each file of it.

    Raises ModelFailure.
    """
    bank, texts = make_bank(case_files(), read_points()), dict[str, str]()
    for file in case_files():
        if text := _text(bank, file, model):
            texts[f"{file.stem}.json"] = text
    return write_folder(REFERENCE_TRACES, texts, check)


def _text(bank: Bank, file: Path, model: Model) -> str:
    """The walks of a case file; nothing where it has no searches and no players."""
    cases = [case for case in bank.cases if case.id.startswith(f"{file.stem.partition('-')[2]}/")]
    traced = [case for case in cases if kind_of(case.graded).most_traced]
    lines = [f"{json.dumps(case.id)}: {_calls(bank, case, model)}" for case in traced]
    return "{\n" + ",\n".join(lines) + "\n}\n" if lines else ""


def _calls(bank: Bank, case: Case, model: Model) -> str:
    walk = _walk if isinstance(kind_of(case.graded), Search) else _choices
    found = [walk(bank, case, call, model) for call in case.calls]
    return "[\n" + ",\n".join(json.dumps(walk, separators=(",", ":")) for walk in found) + "]"


def _walk(bank: Bank, case: Case, call: Call, model: Model) -> dict[str, Any] | None:
    """The walk of a call; None where it is advice, is too long, or nobody may watch."""
    function = case.graded
    asked = _trace(model, function.name, call.inputs)
    if case.advice or asked is None:
        return None
    asked = asked if function.returns == HISTORY else Trace(_by_itself(asked.events, function))
    arguments = {key: value for key, value in call.inputs.get("arguments", {}).items() if key not in ("alpha", "beta")}
    name, plain, swapped = function.prunes or function.name, asked, None
    if function.prunes:
        plain = _trace(model, name, {**call.inputs, "arguments": arguments}) or Trace(())
    if "maximize" in function.arguments and function.returns != HISTORY:
        arguments["maximize"] = not arguments.get("maximize", True)
        others = {**call.inputs.get("arguments", {}), "maximize": arguments["maximize"]}
        (plain_one,) = model.ask(name, {**call.inputs, "arguments": arguments}).results
        (asked_one,) = model.ask(function.name, {**call.inputs, "arguments": others}).results
        swapped = [plain_one.path.indices, plain_one.score, asked_one.evaluations]
    events = list(map(_written, asked.events))
    if function.returns == HISTORY:
        return {"events": events, "values": [], "swapped": None, "deeper": _deeper(bank, case, call, model)}
    return {"events": events, "values": _values(plain.events), "swapped": swapped}


def _deeper(bank: Bank, case: Case, call: Call, model: Model) -> list[list[Any]]:
    """What plain minimax finds at each place, for each depth of a history; nothing where that is too much."""
    called = [function for function in bank.functions if function.name in case.graded.may_call]
    plain = called[0].prunes or called[0].name if called else case.function
    arguments = call.inputs.get("arguments", {})
    depths = range(1, len(call.expect.get("history", ())) + 1)
    each = [{**call.inputs, "arguments": {**arguments, "depth_limit": depth}} for depth in depths]
    found = [trace for inputs in each if (trace := _trace(model, plain, inputs))]
    return [_values(trace.events) for trace in found] if len(found) == len(each) else []


def _choices(bank: Bank, case: Case, call: Call, model: Model) -> dict[str, Any] | None:
    """Of a player: at each place the index of the move to choose, and the estimate; None where it is asked nothing."""
    inputs, played = {**call.inputs, "traced": Player.most_traced}, read_played(call.inputs)
    answer: PlayerAnswer = model.ask(case.function, inputs)
    if not isinstance(answer, Said) or answer.trace is None or answer.trace.value == UNKNOWN:
        return None
    (game, state), values = played.game_at(played.asked), dict[tuple[int, ...], list[Any]]()

    def read(request: Request, state: Any) -> None:
        moves = list(game.moves(state))
        for inner in request.requests:
            assert inner.place is not None
            same = inner.place == request.place
            read(inner, state if same else game.make_move(state, moves[inner.place[-1]]))
        assert request.place is not None
        value, place = request.value, list(request.place)
        if request.method == "evaluate":
            values.setdefault(request.place, [place, None, value["$estimate"]])
        if request.method == "search":
            values[request.place] = [place, moves.index(value[0]), value[1]["$estimate"]]

    read(answer.trace, state)
    return {"values": [values[place] for place in sorted(values)]}


def _trace(model: Model, function: str, inputs: dict[str, Any]) -> Trace | None:
    answer: SearchAnswer = model.ask(function, {**inputs, "traced": Search.most_traced})
    return answer.trace if answer.trace and answer.trace.complete else None


def _by_itself(events: tuple[Event, ...], function: Function) -> tuple[Event, ...]:
    """The walk of a model that may hand on to another search, as if it had called itself: which one it is has no place
    in what is asked, nor have the arguments that this function does not take."""
    match events:
        case (Called(_, root), Called(other, place), *_) if root == place and other != function.name:
            not_taken = {"maximize", "depth_limit", "alpha", "beta", "heuristic"} - set(function.arguments)
            own: dict[str, Any] = {"function": function.name} | dict.fromkeys(not_taken)
            inner = events[1:-1]
            return tuple(dataclasses.replace(event, **own) if isinstance(event, Called) else event for event in inner)
    return events


def _values(events: tuple[Event, ...]) -> list[list[Any]]:
    """What was returned at each place."""
    values: dict[tuple[int, ...], list[Any]] = {}
    open_calls: list[Called] = []
    for event in events:
        if isinstance(event, Called):
            open_calls.append(event)
        elif isinstance(event, Returned):
            place = open_calls.pop().place
            if place is not None:
                values[place] = [place, event.score]
    return [values[place] for place in sorted(values)]


def _written(event: Event) -> list[Any]:
    """An event as it is stored, and as the child sends it."""
    match event:
        case Called(function, place):
            given = dataclasses.asdict(event)
            return [
                "call",
                function,
                place,
                {k: v for k, v in given.items() if k not in ("function", "place", "odd", "more") and v is not None},
            ]
        case Returned(path, score, evaluations) if path is not None:
            return ["return", {"path": {"indices": path.indices}, "score": score, "evaluations": evaluations}]
        case Expanded(place):
            return ["expand", place]
        case Evaluated(place, flag, value, estimated):
            return ["estimate" if estimated else "score", place, flag, value]
    return ["return", {}]
