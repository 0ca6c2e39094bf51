"""In the child: calls a search, watches it, and sends its result with the path as child
indices.
"""

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from api import INF, AbstractGameState, AnytimeValue, always_zero, move_sequence
from boards.built import state_of
from boards.heuristics import HEURISTICS
from boards.reading import POINTS, read_yaml
from grader.calls.encode import describe_type, encode
from grader.calls.raised import safely_described
from grader.calls.recorder import Enough, Recorder
from grader.calls.written import Unknown, function_of, in_place

MOST_COMPARED, MOST_PLACES = 300, 20
RECORDER = Recorder(
    lambda result, root: _encode_result(result, root)
)  # of all searches of this process
watch_heuristic = functools.cache(
    RECORDER.watch_heuristic
)  # a heuristic is the same object in every call
GIVEN: list[Any] = [
    None,
    None,
    None,
]  # the state of the last call: its inputs, itself, and the same one watched
FOUND: list[AbstractGameState] = []  # the states in the path that came back last


def call(lab: ModuleType, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """The result of a search, or its history, and what the recorder saw of it; where
    the inputs say how many events are to be `traced` at most, those too, also where it
    raised something; and then it is ended.

    Who searches one state twice, one call after the other, gives the very same state,
    with what is hung on it; and who searches one unwatched that was in the path before,
    gives what is hung on that.
    """
    function_of(lab, function)
    if GIVEN[0] != inputs["state"]:
        root = state_of(inputs["state"])
        GIVEN[:] = inputs["state"], root, RECORDER.watch(root)
        for state in FOUND:
            if _is_same(state.snapshot, root.snapshot):
                vars(root).update(vars(state))
    else:
        RECORDER.watch_again()
    _, root, watched = GIVEN
    arguments = dict(inputs.get("arguments", {}))
    name = arguments.pop("heuristic", None)
    heuristic = HEURISTICS[name] if name else None
    is_watched, most = inputs.get("watched", True), inputs.get("traced", 0)
    if heuristic:
        arguments["heuristic_fn"] = (
            watch_heuristic(heuristic) if is_watched else heuristic
        )
    traced = _alike(function) if is_watched and "traced" in inputs else ()
    RECORDER.most[0], outcome = most if traced else INF, dict[str, Any]()
    try:
        with in_place(lab, traced, RECORDER.watch_search):
            result = function_of(lab, function)(
                watched if is_watched else root, **arguments
            )
    except (Exception, Enough) as error:
        if not traced:
            raise
        result, outcome["raised"] = (
            None,
            vars(safely_described(error, str(lab.__file__))),
        )
    own_default = (
        name is None and "depth_limit" in arguments
    )  # it estimates with a heuristic of its own
    outcome["record"] = RECORDER.report() | {"watched": is_watched and not own_default}
    if traced:
        events = RECORDER.events()
        outcome["trace"] = {"events": events[:most], "complete": len(events) <= most}
    if issubclass(type(result), AnytimeValue):
        return {
            "history": [
                _encode_result(entry, root, RECORDER.places.of)
                for entry in result.history
            ],
            **outcome,
        }
    return {"result": _encode_result(result, root, RECORDER.places.of), **outcome}


def _alike(function: str) -> list[str]:
    """The graded functions of the same kind.

    The child of a trace reads points.yaml for them.  It never imports the bank.
    """
    kinds = {
        name: facts["kind"]
        for part in read_yaml(POINTS)["parts"]
        for name, facts in part["functions"].items()
    }
    return [name for name in kinds if kinds[name] == kinds[function]]


def _encode_result(
    result: Any,
    root: AbstractGameState,
    place: Callable[[Any], Any] = lambda snapshot: None,
) -> dict[str, Any]:
    """A result (path, score, evaluations), with the path as child indices; or what it
    is instead.

    `place` knows where a snapshot stands, which is sent of a path that is no way down.
    """
    if not issubclass(type(result), (list, tuple)):
        return {
            "other": encode(result)
            if result is None
            else {"$other": describe_type(result)}
        }
    parts = list(result)
    if len(parts) != 3:
        return {"length": len(parts)}
    path, score, evaluations = parts
    way = _encode_path(path, root)
    if "step" in way:
        first = [
            state
            for state in list(path)[:MOST_PLACES]
            if issubclass(type(state), AbstractGameState)
        ]
        way["places"] = [place(state.snapshot) for state in first]
    return {
        "path": {"indices": [], **way},
        "score": encode(score),
        "evaluations": encode(evaluations),
    }


def _encode_path(path: Any, root: AbstractGameState) -> dict[str, Any]:
    """A path as child indices from the root; its states may be the search's own or
    equal ones.
    """
    if not issubclass(type(path), (list, tuple)):
        return {
            "problem": "none" if path is None else "type",
            "type": describe_type(path),
        }
    states = list(path)
    FOUND[:] = [state for state in states if type(state) is AbstractGameState]
    if not states:
        return {"problem": "empty"}
    indices: list[int] = []
    choices = [root]
    for step, state in enumerate(states):
        if not issubclass(type(state), AbstractGameState):
            return {
                "problem": "not a state",
                "step": step,
                "type": describe_type(state),
            }
        index = next(
            (
                index
                for index, choice in enumerate(choices)
                if _is_same(choice.snapshot, state.snapshot)
            ),
            None,
        )
        if index is None:
            return {"problem": "not a child" if step else "another root", "step": step}
        indices.append(index)
        choices = choices[index].generate_next_states()
    return {"indices": indices[1:]}


def _is_same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) and one == other)


# --- a search that others call -------------------------------------------------------------------


def stand_in(known: dict[str, Any]) -> Callable[..., Any]:
    """Alpha-beta from the root of the case with a full window, known for some
    depths.
    """
    root, heuristic = state_of(known["state"]), HEURISTICS[known["heuristic"]]

    def search(
        state: Any,
        alpha: float = -INF,
        beta: float = INF,
        heuristic_fn: Any = always_zero,
        depth_limit: float = INF,
        maximize: bool = True,
    ) -> Any:
        full = alpha == -INF and beta == INF and maximize is known["maximize"]
        if (
            not full
            or depth_limit not in range(1, len(known["results"]) + 1)
            or state != root
        ):
            raise Unknown
        layer, to_move = [state], maximize
        for _ in range(int(depth_limit)):
            layer = [
                child for parent in layer for child in parent.generate_next_states()
            ][:MOST_COMPARED]
            to_move = not to_move
        for here in layer:  # which a search to this depth estimates
            if not here.is_game_over() and heuristic_fn(
                here.snapshot, to_move
            ) != heuristic(here.snapshot, to_move):
                raise Unknown
        path, score, evaluations = known["results"][int(depth_limit) - 1]
        return move_sequence(state, path), score, evaluations

    return search
