"""In the child: watches a search, and knows which places of the tree it expanded and evaluated.

The recorder wraps the rules of the state that a search is given, so the search sees an ordinary state.  While the
search runs it only notes what happens; the places are worked out afterwards.  What it cannot attribute to a place
(attribution.py) it counts as such, and then nothing is held against anyone: so it is with a state that a search has
kept from an earlier call.

A failing case runs once more, with its graded functions watched too, and then all is told, event by event:

    ["call", function, place, arguments]   a graded search was called by the name under which lab.py holds it
    ["return", result]                     the innermost call that is open has returned, or raised
    ["expand", place]                      its successors were asked for
    ["score", place, flag, value]          get_endgame_score
    ["estimate", place, flag, value]       the heuristic of the case

`arguments` are those of _ARGUMENTS that the call was given, or their defaults; `heuristic` is "given", "default" or
"other", `odd` is the first that can be none of its kind, and `more` says that others were given too.  A place is null
where it cannot be told.
"""

import contextlib
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from api import INF, AbstractGameState, always_zero
from api.state import rules_of
from grader.calls.attribution import Place, Places
from grader.calls.encode import encode, items_of
from grader.protocol.plain import is_count, is_number
from grader.protocol.words import show

_NOWHERE = object()
_ARGUMENTS = {"depth_limit": is_number, "maximize": lambda value: type(value) is bool,
              "alpha": is_number, "beta": is_number}  # fmt: skip
_MAY_BE = (int, type(None))  # 0 and 1 for a flag, and None for no bound, are nobody's mistake
_FLAGS = ("maximize", "is_current_player_maximizer")
_Encode = Callable[[object, AbstractGameState], dict[str, Any]]


class Enough(BaseException):
    """Raised in a search of which as much was seen as is to be told."""


class Recorder:
    """Watches the searches of one process, one after the other; `most` is how many events one may come to.

    >>> from api import parse_tree, tree_state
    >>> recorder = Recorder()
    >>> state = recorder.watch(tree_state(parse_tree("root\\n  3\\n  5")))
    >>> [child.get_endgame_score() for child in state.generate_next_states()]
    [3, 5]
    >>> recorder.report()["order"]
    [[0], [1]]
    >>> recorder.events(lambda result, state: {})
    [['expand', []], ['score', [0], True, 3], ['score', [1], True, 5]]
    """

    def __init__(self) -> None:
        self._latest: list[list[tuple[Any, ...]]] = [[]]  # the notes of the last search; all wrappers look there
        self._known: Places | None = None
        self.most = [INF]

    def watch(self, state: AbstractGameState) -> AbstractGameState:
        """The same state, watched from now on.  It begins a new search, and what was seen before is forgotten."""
        is_game_over, next_snapshots, endgame_score = self._its_rules = rules_of(state)
        self._root, self._known, self._heuristics = state, None, list[Any]()
        latest, most, notes = self._latest, self.most, list[tuple[Any, ...]]()
        latest[0] = notes

        def generate_next_states(snapshot: Any) -> Sequence[Any]:
            if len(notes) > most[0]:
                raise Enough
            successors = next_snapshots(snapshot)
            if isinstance(successors, (list, tuple)):
                notes.append(("expand", snapshot, tuple(successors)))
            return successors

        def watched_score(snapshot: Any, is_current_player_maximizer: bool) -> float:
            score = endgame_score(snapshot, is_current_player_maximizer)
            here = snapshot if latest[0] is notes else _NOWHERE
            latest[0].append(("score", here, is_current_player_maximizer, score))
            return score

        return AbstractGameState(state.snapshot, is_game_over, generate_next_states, watched_score)

    def watch_again(self) -> None:
        """A new search begins, of the state that was watched last."""
        self._known, self._heuristics = None, list[Any]()
        self._latest[0].clear()

    def watch_heuristic(self, heuristic: Callable[..., float]) -> Callable[..., float]:
        """The same heuristic, watched in the search that began last."""
        latest, notes = self._latest, self._latest[0]

        def heuristic_fn(snapshot: Any, *flags: Any, **named_flags: Any) -> float:
            # Handing on no names takes time too, and a search asks thousands of times.
            score = heuristic(snapshot, *flags, **named_flags) if named_flags else heuristic(snapshot, *flags)
            flag = flags[0] if flags else next((named_flags[name] for name in _FLAGS if name in named_flags), None)
            latest[0].append(("estimate", snapshot if latest[0] is notes else _NOWHERE, flag, score))
            return score

        self._heuristics += [heuristic, heuristic_fn]
        return heuristic_fn

    def watch_search(self, name: str, search: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, watched in the search that began last."""
        notes, heuristics = self._latest[0], self._heuristics
        signature = None
        with contextlib.suppress(Exception):  # a search may be any object that can be called
            signature = inspect.signature(search)

        def watched(*words: Any, **named: Any) -> Any:
            state: Any = words[0] if words else named.get("state")
            if not issubclass(type(state), AbstractGameState):
                return search(*words, **named)
            notes.append(("call", state.snapshot, name, _arguments(signature, words, named, heuristics)))
            try:
                result = search(*words, **named)
            except BaseException as error:
                notes.append(("raise", state.snapshot, type(error).__name__))
                raise
            notes.append(("return", state.snapshot, _frozen(result)))
            return result

        return watched

    def report(self) -> dict[str, Any]:
        """What was seen, as plain data; the order of evaluations is cut after the first 300."""
        scored = [snapshot for what, snapshot, *_ in self._latest[0] if what in ("score", "estimate")]
        places = [place for snapshot in scored if (place := self._places.of(snapshot)) is not None]
        distinct = list(dict.fromkeys(places))
        return {
            "evaluated": len(distinct),
            "repeated": len(places) - len(distinct),
            "alike": self._alike(set(distinct)),
            "unattributed": len(scored) - len(places),
            "order": [list(place) for place in distinct[:300]],
        }

    def events(self, encode: _Encode, most: int | None = None) -> list[list[Any]]:
        """The first events, with their places.  `encode` makes plain data of a result, seen from a state."""
        return [self._event(encode, *note) for note in self._latest[0][:most]]

    def count(self) -> int:
        """How many events there are."""
        return len(self._latest[0])

    def place(self, snapshot: Any) -> Place | None:
        """Where a snapshot stands; None where that is not sure, whatever it is."""
        with contextlib.suppress(Exception):
            return self._places.of(snapshot)
        return None

    @property
    def _places(self) -> Places:
        """Where all snapshots stand that were come by, once the search is done."""
        if self._known is None:
            self._known = Places(self._root.snapshot)
            for what, snapshot, *rest in self._latest[0]:
                if what == "expand" and (place := self._known.of(snapshot)) is not None:
                    for index, successor in enumerate(rest[0]):
                        self._known.enter(successor, (*place, index))
        return self._known

    def _event(self, encode: _Encode, what: str, snapshot: Any, *rest: Any) -> list[Any]:
        place = self._places.of(snapshot)
        here = None if place is None else list(place)
        match what, *rest:
            case "call", name, arguments:
                return ["call", name, here, arguments]
            case "raise", name:
                return ["return", {"raised": str(name)[:80]}]
            case "return", result:
                found = self._result(result, snapshot, place, encode)
                score, count = found.get("score"), found.get("evaluations")
                told = {"score": score if is_number(score) else None, "evaluations": count if is_count(count) else None}
                return ["return", {"path": found["path"], **told} if "path" in found else {}]
            case "expand", _:
                return ["expand", here]
        flag, score = rest
        return [what, here, flag if type(flag) is bool else None, score]

    def _result(self, result: Any, snapshot: Any, here: Place | None, encode: _Encode) -> dict[str, Any]:
        """A result as plain data, its path by the places of its states where they lead down one by one."""
        if here is not None and type(result) is tuple and len(result) == 3 and type(result[0]) is tuple:
            states, score, evaluations = result
            if states and all(issubclass(type(state), AbstractGameState) for state in states):
                way = [self._places.of(state.snapshot) for state in states]
                end = way[-1] or ()
                if way[0] == here and way == [end[:ply] for ply in range(len(here), len(end) + 1)]:
                    plain = encode(((), score, evaluations), self._root)
                    return {**plain, "path": {"indices": list(end[len(here) :])}}
        return encode(result, AbstractGameState(snapshot, *self._its_rules))

    def _alike(self, evaluated: set[Place]) -> int:
        """How many other places hold a position that was evaluated elsewhere: its score may be remembered."""
        try:
            known = {snapshot for snapshot, place in self._places.entered() if place in evaluated}
        except TypeError:
            return 0
        others = {place for snapshot, place in self._places.entered() if place and snapshot in known}
        return len(others - evaluated)


def _arguments(
    signature: inspect.Signature | None, words: tuple[Any, ...], named: dict[str, Any], heuristics: Sequence[Any]
) -> dict[str, Any]:
    try:
        bound = signature.bind(*words, **named) if signature else None
    except TypeError:
        bound = None
    if bound is None:
        return {}
    is_more = not {*_ARGUMENTS, "heuristic_fn", "time_limit"}.issuperset(list(bound.arguments)[1:])
    bound.apply_defaults()
    given = {name: bound.arguments[name] for name in _ARGUMENTS if name in bound.arguments}
    arguments = {name: value for name, value in given.items() if _ARGUMENTS[name](value)}
    strange = {name: value for name, value in given.items() if name not in arguments and type(value) not in _MAY_BE}
    odd = [f"{name} = {show(encode(value))}" for name, value in strange.items()]
    if "heuristic_fn" in bound.arguments:
        heuristic = bound.arguments["heuristic_fn"]
        is_given = any(heuristic is given for given in heuristics)
        arguments["heuristic"] = "given" if is_given else "default" if heuristic is always_zero else "other"
    return arguments | ({"odd": odd[0]} if odd else {}) | ({"more": True} if is_more else {})


def _frozen(result: Any) -> Any:
    """A result as it is now, which the search may change later."""
    if not issubclass(type(result), (list, tuple)):
        return result
    parts = tuple(items_of(result))
    is_path = len(parts) == 3 and issubclass(type(parts[0]), (list, tuple))
    return (tuple(items_of(parts[0])), *parts[1:]) if is_path else parts
