"""Reference traces: what the model's searches do in each public case, event by event, for boards/reference_traces/;
of its players, what they choose in each state.

`make expectations` writes them.  The divergence of a search or a player reads them.
"""

import json
from typing import Any

from boards.cases import Bank, Call, Case, Function, make_bank, read_points
from boards.played import read_played
from grader.kinds.kind import kind_of
from grader.kinds.player.judge import UNKNOWN, PlayerAnswer, Request, Said
from grader.kinds.search.judge import HISTORY
from grader.kinds.search.kind import Search
from grader.kinds.search.nodes import REFERENCE_TRACES
from staff.generated import write_folder
from staff.model import Model
from staff.strict.bank import case_files

Events = list[list[Any]]


def bring_up_to_date(model: Model, check: bool) -> list[str]:
    """Write what has changed in boards/reference_traces/, unless it is only to be checked; a line for each file of it.

    Raises ModelFailure.
    """
    bank, texts = make_bank(case_files(), read_points()), dict[str, str]()
    for file in case_files():
        cases = [case for case in bank.cases if case.id.startswith(f"{file.stem.partition('-')[2]}/")]
        traced = [case for case in cases if kind_of(case.graded).most_traced]
        if traced:
            lines = ",\n".join(f"{json.dumps(case.id)}: {_text(case, bank, model)}" for case in traced)
            texts[f"{file.stem}.json"] = f"{{\n{lines}\n}}\n"
    return write_folder(REFERENCE_TRACES, texts, check)


def _text(case: Case, bank: Bank, model: Model) -> str:
    """What is stored of a case: a line a call."""
    most = kind_of(case.graded).most_traced
    model.look_ahead(case.function, [{**call.inputs, "traced": most} for call in case.calls])
    trace_of = _search if isinstance(kind_of(case.graded), Search) else _choices
    traces = [trace_of(case, call, bank, model) for call in case.calls]
    return "[\n" + ",\n".join(json.dumps(trace, separators=(",", ":")) for trace in traces) + "]"


def _search(case: Case, call: Call, bank: Bank, model: Model) -> dict[str, Any] | None:
    """The events of a search, and what plain minimax finds at each place; None for one that is too long."""
    function = case.graded
    events = _events(function, call.inputs, model)
    if case.advice or not events:
        return None
    if function.returns == HISTORY:
        return {"events": events, "values": []}
    events = plain = _by_itself(events, function)
    if function.prunes:
        given = call.inputs.get("arguments", {})
        arguments = {key: value for key, value in given.items() if key not in ("alpha", "beta")}
        unpruned = next(other for other in bank.functions if other.name == function.prunes)
        plain = _events(unpruned, {**call.inputs, "arguments": arguments}, model)
    return {"events": events, "values": _values(plain)}


def _events(function: Function, inputs: dict[str, Any], model: Model) -> Events:
    """What the worker sends of a search; nothing if it is too long, or nobody may watch."""
    outcome = model.outcome(function.name, {**inputs, "traced": kind_of(function).most_traced})
    trace: dict[str, Any] = outcome.get("trace", {})
    return trace["events"] if trace.get("complete") else []


def _by_itself(events: Events, function: Function) -> Events:
    """The events of a model that may hand on to another search, as if it had called itself.

    Which one it is has no place in what is expected, nor have the arguments that this function does not take.
    """
    match events:
        case [["call", _, root, _], ["call", other, place, _], *_] if root == place and other != function.name:
            inner = events[1:-1]
        case _:
            return events
    own: Events = []
    for event in inner:
        if event[0] == "call":
            what, _, place, given = event
            event = [what, function.name, place, {key: given[key] for key in given if key in function.arguments}]
        own.append(event)
    return own


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


def _choices(case: Case, call: Call, bank: Bank, model: Model) -> dict[str, Any] | None:
    """Of a player: at each place the index of the move to choose, and the estimate; None if it is asked nothing."""
    inputs, played = {**call.inputs, "traced": kind_of(case.graded).most_traced}, read_played(call.inputs)
    answer: PlayerAnswer = model.ask(case.function, inputs)
    if not isinstance(answer, Said) or answer.trace is None or answer.trace.value == UNKNOWN:
        return None
    (game, root), values = played.game_at(played.asked), dict[tuple[int, ...], list[Any]]()

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

    read(answer.trace, root)
    return {"values": [values[place] for place in sorted(values)]}
