"""In the child: notes all that one search does, event by event, in a run that is made once more for that.

    ["call", function, place, arguments]   a graded search was called by the name under which lab.py holds it
    ["return", result]                     the innermost call that is open has returned, or raised
    ["expand", place]                      its successors were asked for
    ["score", place, flag, value]          get_endgame_score
    ["estimate", place, flag, value]       the heuristic of the case

`arguments` are those of _ARGUMENTS that the call was given, or their defaults; `heuristic` is "given",
"default" or "other", and `more` says that others were given too.  A place is null where it cannot be told.
"""

import builtins
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from api import AbstractGameState, always_zero
from api.state import rules_of
from grader.calls.attribution import Places
from grader.calls.encode import items_of
from grader.pipe.packed import pack
from grader.pipe.plain import is_number

# What lab.py makes of `len` or `id` does not reach the functions below, which look their names up here.
globals()["__builtins__"] = dict(vars(builtins))

_ARGUMENTS = {"depth_limit": is_number, "maximize": lambda value: type(value) is bool,
              "alpha": is_number, "beta": is_number}  # fmt: skip
_FLAGS = ("maximize", "is_current_player_maximizer")
_Encode = Callable[[object, AbstractGameState], dict[str, Any]]


class Tracer:
    """Notes up to `most` events of one search; `encode` makes plain data of a result, seen from a state.

    >>> from api import parse_tree, tree_state
    >>> tracer = Tracer(tree_state(parse_tree("root\\n  3\\n  5")), 9, lambda result, state: {})
    >>> [child.get_endgame_score() for child in tracer.state.generate_next_states()]
    [3, 5]
    >>> tracer.events()
    [['expand', []], ['score', [0], True, 3], ['score', [1], True, 5]]
    """

    def __init__(self, root: AbstractGameState, most: int, encode: _Encode) -> None:
        self._root, self._most, self._encode = root, most, encode
        self._notes: list[tuple[Any, ...]] = []
        self._given: list[Any] = []
        is_game_over, next_snapshots, endgame_score = rules_of(root)

        def generate_next_states(snapshot: Any) -> Sequence[Any]:
            successors = next_snapshots(snapshot)
            if isinstance(successors, (list, tuple)):
                self._note("expand", snapshot, tuple(successors))
            return successors

        def watched_score(snapshot: Any, is_current_player_maximizer: bool) -> float:
            score = endgame_score(snapshot, is_current_player_maximizer)
            self._note("score", snapshot, is_current_player_maximizer, score)
            return score

        self.state = AbstractGameState(root.snapshot, is_game_over, generate_next_states, watched_score)

    def watch_heuristic(self, heuristic: Callable[..., float]) -> Callable[..., float]:
        """The same heuristic, watched."""

        def heuristic_fn(snapshot: Any, *flags: Any, **named_flags: Any) -> float:
            score = heuristic(snapshot, *flags, **named_flags)
            flag = flags[0] if flags else next((named_flags[name] for name in _FLAGS if name in named_flags), None)
            self._note("estimate", snapshot, flag, score)
            return score

        self._given += [heuristic, heuristic_fn]
        return heuristic_fn

    def watch_search(self, name: str, search: Callable[..., Any]) -> Callable[..., Any]:
        """The same search, watched."""
        try:
            signature = inspect.signature(search)
        except (TypeError, ValueError):
            signature = None

        def watched(*words: Any, **named: Any) -> Any:
            state: Any = words[0] if words else named.get("state")
            if not issubclass(type(state), AbstractGameState):
                return search(*words, **named)
            self._note("call", name, state.snapshot, self._arguments(signature, words, named))
            try:
                result = search(*words, **named)
            except BaseException as error:
                self._note("raise", type(error).__name__)
                raise
            self._note("return", state.snapshot, _frozen(result))
            return result

        watched.__dict__ = vars(search) if hasattr(search, "__dict__") else {}  # where a search may count
        return watched

    def packed(self) -> str:
        """The events as the parent unpacks them, and whether they are all."""
        return pack({"events": self.events(), "complete": len(self._notes) <= self._most})

    def events(self) -> list[list[Any]]:
        """The events, attributed to their places."""
        places = Places(self._root.snapshot)
        events: list[list[Any]] = []

        def of(snapshot: Any) -> list[int] | None:
            place = places.of(snapshot)
            return None if place is None else list(place)

        for note in self._notes[: self._most]:
            match note:
                case "call", name, snapshot, arguments:
                    events.append(["call", name, of(snapshot), arguments])
                case "raise", name:
                    events.append(["return", {"raised": str(name)[:80]}])
                case "return", snapshot, result:
                    events.append(["return", self._result(result, snapshot, places)])
                case "expand", snapshot, successors:
                    events.append(["expand", of(snapshot)])
                    if (place := places.of(snapshot)) is not None:
                        for index, successor in enumerate(successors):
                            places.enter(successor, (*place, index))
                case what, snapshot, flag, score:
                    events.append([what, of(snapshot), flag if type(flag) is bool else None, score])
        return events

    def _note(self, *note: Any) -> None:
        """Keep what happened; one event more than wanted says that there were more."""
        if len(self._notes) <= self._most:
            self._notes.append(note)

    def _arguments(
        self, signature: inspect.Signature | None, words: tuple[Any, ...], named: dict[str, Any]
    ) -> dict[str, Any]:
        try:
            bound = signature.bind(*words, **named) if signature else None
        except TypeError:
            bound = None
        if bound is None:
            return {}
        is_more = not {*_ARGUMENTS, "heuristic_fn", "time_limit"}.issuperset(list(bound.arguments)[1:])
        bound.apply_defaults()
        arguments = {
            name: bound.arguments[name]
            for name, is_right in _ARGUMENTS.items()
            if name in bound.arguments and is_right(bound.arguments[name])
        }
        if "heuristic_fn" in bound.arguments:
            heuristic = bound.arguments["heuristic_fn"]
            is_given = any(heuristic is given for given in self._given)
            arguments["heuristic"] = "given" if is_given else "default" if heuristic is always_zero else "other"
        return {**arguments, "more": True} if is_more else arguments

    def _result(self, result: Any, snapshot: Any, places: Places) -> dict[str, Any]:
        """A result as plain data, its path by the places of its states where they lead down one by one."""
        if type(result) is tuple and len(result) == 3 and type(result[0]) is tuple:
            states, score, evaluations = result
            here = places.of(snapshot)
            if here is not None and all(issubclass(type(state), AbstractGameState) for state in states):
                way = [places.of(state.snapshot) for state in states]
                end = way[-1] if way and way[-1] is not None else ()
                if way and way == [end[: len(here) + step] for step in range(len(way))] and way[0] == here:
                    plain = self._encode(((), score, evaluations), self._root)
                    return {**plain, "path": {"indices": list(end[len(here) :])}}
        return self._encode(result, AbstractGameState(snapshot, *rules_of(self._root)))


def _frozen(result: Any) -> Any:
    """A result as it is now, which the search may change later."""
    if not issubclass(type(result), (list, tuple)):
        return result
    parts = tuple(items_of(result))
    is_path = len(parts) == 3 and issubclass(type(parts[0]), (list, tuple))
    return (tuple(items_of(parts[0])), *parts[1:]) if is_path else parts
