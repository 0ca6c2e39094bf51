"""In the child: calls a search, watches the search, and sends its result.

The path of a result is sent as numbers.  Each number stands for a step of the path: it
is the index of the child to which the step goes.
"""

import functools
from collections import ChainMap
from collections.abc import Callable
from types import ModuleType
from typing import Any

from api import INF, AbstractGameState, AnytimeValue, always_zero, move_sequence
from boards.built import state_of
from boards.heuristics import HEURISTICS
from boards.reading import POINTS, read_yaml
from grader.child.encode import describe_type, encode
from grader.child.raised import safely_described
from grader.child.recorder import Enough, Recorder
from grader.child.written import Unknown, function_of, in_place
from grader.protocol.plain import Data

MOST_COMPARED = 300  # states whose estimates a stand-in compares
MOST_PLACES = 20  # places that are sent of a path that does not lead down


class GivenStates:
    """Makes the state for each search.  A search that relies on things which it has
    stored on states is caught, because a later search may get a state with them.

    If two calls in a row search the same state, the second call gets the very same
    object, with the attributes that lab.py has set on it.  This catches a search that
    keeps its result on the state, and returns that result whatever it is asked next:
    minimax-result-on-the-state in staff/submissions/wrong_labs.yaml.

    A new state may equal a state on the path that came back last.  Then the new state
    gets the attributes that lab.py has set on that earlier state.  If the search is
    watched, it gets a copy of the new state without these attributes.  This catches a
    search that trusts a parent or a depth which an earlier search has stored:
    dfs-parents-on-the-states and minimax-depth-on-the-state.
    """

    def __init__(self) -> None:
        self.root: AbstractGameState  # the state of the last call; `give` sets it
        # The state of the last call, wrapped so that the recorder can watch it.
        self._watched: AbstractGameState
        self._data: Any = None  # the state of the last call, as the case describes it
        # The states of the path that the last search returned.
        self._path: list[AbstractGameState] = []

    def give(self, data: Data, is_watched: bool) -> AbstractGameState:
        """Return the state that a case describes, for the search that begins now.

        `is_watched` says whether the recorder should watch this search.
        """
        if self._data == data:
            RECORDER.watch_again()
        else:
            self._data = data
            self.root = state_of(data)
            self._watched = RECORDER.watch(self.root)
            for state in self._path:
                if _is_same(state, self.root):
                    vars(self.root).update(vars(state))
        return self._watched if is_watched else self.root

    def note_path(self, states: list[Any]) -> None:
        """Remember the states of the path that a search has just returned."""
        self._path = [state for state in states if type(state) is AbstractGameState]


def call(lab: ModuleType, function: str, inputs: Data) -> Data:
    """Call a search.  Return its result or its history, and what the recorder saw.

    If the inputs have `traced`, the events of the search are returned too, even if the
    search raises an exception.  `traced` is the number of events that may be returned.
    A search that makes more events is ended.
    """
    function_of(lab, function)  # this raises NotWritten before anything is made
    is_watched = inputs.get("watched", True)
    is_traced = is_watched and "traced" in inputs
    state = GIVEN.give(inputs["state"], is_watched)
    arguments = _arguments(inputs, is_watched)
    outcome: Data = {}
    result: Any = None
    watched_names = _searches_beside(function) if is_traced else []
    RECORDER.most[0] = inputs["traced"] if is_traced else INF
    try:
        with in_place(lab, watched_names, RECORDER.watch_search):
            result = function_of(lab, function)(state, **arguments)
    except (Exception, Enough) as error:
        if not is_traced:
            raise
        outcome["raised"] = vars(safely_described(error, str(lab.__file__)))
    # If the search gets a depth limit and no heuristic, it uses a default heuristic of
    # its own, which the recorder cannot watch.
    is_own_default = "depth_limit" in arguments and "heuristic_fn" not in arguments
    sees_all = is_watched and not is_own_default
    outcome["record"] = RECORDER.report() | {"watched": sees_all}
    if is_traced:
        most = inputs["traced"]
        events = RECORDER.events()
        outcome["trace"] = {"events": events[:most], "complete": len(events) <= most}
    if issubclass(type(result), AnytimeValue):
        outcome["history"] = [_encoded(entry) for entry in result.history]
    else:
        outcome["result"] = _encoded(result)
    return outcome


def _arguments(inputs: Data, is_watched: bool) -> Data:
    """Return the arguments of the search besides the state."""
    arguments = dict(inputs.get("arguments", {}))
    name = arguments.pop("heuristic", None)
    if name:
        heuristic = HEURISTICS[name]
        if is_watched:
            heuristic = watch_heuristic(heuristic)
        arguments["heuristic_fn"] = heuristic
    return arguments


def _searches_beside(function: str) -> list[str]:
    """Return the names of all graded functions of the same kind, including `function`
    itself.

    The names come from points.yaml, because this process never imports grader/bank/.
    """
    functions = ChainMap(*(part["functions"] for part in read_yaml(POINTS)["parts"]))
    kind = functions[function]["kind"]
    return [name for name in functions if functions[name]["kind"] == kind]


# --- results as plain data ----------------------------------------------------------


def _encoded(result: Any) -> Data:
    """Return a result of the latest search as plain data.

    If the path does not lead down from the root, the data also has the places of the
    first states of the path.
    """
    data = _encode_result(result, GIVEN.root)
    if "step" in data.get("path", {}):
        first, *_ = result
        data["path"]["places"] = [
            RECORDER.places.of(state.snapshot)
            for state in list(first)[:MOST_PLACES]
            if issubclass(type(state), AbstractGameState)
        ]
    return data


def _encode_result(result: Any, root: AbstractGameState) -> Data:
    """Return a result (path, score, evaluations) of a search from `root` as plain data.

    If something else came back, the data says what it is.
    """
    if result is None:
        return {"other": None}
    if not issubclass(type(result), (list, tuple)):
        return {"other": {"$other": describe_type(result)}}
    parts = list(result)
    if len(parts) != 3:
        return {"length": len(parts)}
    path, score, evaluations = parts
    return {
        "path": {"indices": [], **_encode_path(path, root)},
        "score": encode(score),
        "evaluations": encode(evaluations),
    }


def _encode_path(path: Any, root: AbstractGameState) -> Data:
    """Return a path as the index of the child at each step from `root`, or say what is
    wrong with the path.

    The states of the path need not be the objects that the search was given.  Equal
    states will do.
    """
    if not issubclass(type(path), (list, tuple)):
        return {"problem": "type", "type": describe_type(path)}
    states = list(path)
    GIVEN.note_path(states)
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
        equal = [
            index for index, choice in enumerate(choices) if _is_same(choice, state)
        ]
        if not equal:
            return {"problem": "not a child" if step else "another root", "step": step}
        indices.append(equal[0])
        choices = choices[equal[0]].generate_next_states()
    return {"indices": indices[1:]}


def _is_same(state: AbstractGameState, another: AbstractGameState) -> bool:
    snapshot = state.snapshot
    return type(snapshot) is type(another.snapshot) and snapshot == another.snapshot


# --- a search that others call ------------------------------------------------------


def stand_in(known: Data) -> Callable[..., Any]:
    """Return an alpha-beta search that returns results from a list.

    The list has the results that a search from one state should find at depth 1, at
    depth 2 and so on.  The search raises Unknown if it is called with another state, a
    narrower window, another player to move, another depth, or a heuristic that gives
    other estimates.
    """
    root = state_of(known["state"])
    heuristic = HEURISTICS[known.get("heuristic", "always_zero")]
    results = known["results"]  # the results for depth 1, depth 2 and so on

    def search(
        state: Any,
        alpha: float = -INF,
        beta: float = INF,
        heuristic_fn: Any = always_zero,
        depth_limit: float = INF,
        maximize: bool = True,
    ) -> Any:
        given = [state, alpha, beta, maximize]
        if given != [root, -INF, INF, known.get("maximize", True)]:
            raise Unknown
        if depth_limit not in range(1, len(results) + 1):
            raise Unknown
        depth = int(depth_limit)
        at_the_limit = [state]
        for _ in range(depth):
            at_the_limit = [
                child
                for parent in at_the_limit
                for child in parent.generate_next_states()
            ][:MOST_COMPARED]
        to_move = maximize is (depth % 2 == 0)
        for leaf in at_the_limit:
            if leaf.is_game_over():
                continue
            estimate = heuristic_fn(leaf.snapshot, to_move)
            if estimate != heuristic(leaf.snapshot, to_move):
                raise Unknown
        right = results[depth - 1]
        path = move_sequence(state, right["path"])
        return path, right["score"], right["evaluations"]

    return search


# All searches of this process share these three objects.
RECORDER = Recorder(_encode_result)
GIVEN = GivenStates()
# The watched version of a heuristic is the same object in every call, because lab.py
# may use this object as a key.
watch_heuristic = functools.cache(RECORDER.watch_heuristic)
