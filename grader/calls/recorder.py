"""In the worker: watches a search, and knows which places of the tree it expanded and
evaluated.

The recorder wraps the rules of the state that a search is given, so the search sees an
ordinary state.  While the search runs it only notes what happens; it works out the
places afterwards.  If it cannot attribute something to a place (attribution.py), it
counts that, and nobody loses points for it.

A failing case runs once more, with its graded functions watched too, and then every
event is sent:

    ["call", function, place, arguments]   the search called a graded function by the name under which lab.py holds it
    ["return", result]                     the innermost call that is open has returned, or raised
    ["expand", place]                      the search asked for the successors
    ["score", place, flag, value]          get_endgame_score
    ["estimate", place, flag, value]       the heuristic of the case

`arguments` are those of _ARGUMENTS that the call was given, or their defaults; `odd` is
the first of another type.  A place is null if it is not known for sure.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from api import INF, AbstractGameState
from api.state import rules_of
from grader.calls.attribution import Place, Places
from grader.calls.encode import encode
from grader.calls.remembered import Remembered
from grader.protocol.plain import is_count, is_number
from grader.protocol.words import show

_ARGUMENTS = {"depth_limit": is_number, "maximize": lambda value: type(value) is bool,
              "alpha": is_number, "beta": is_number}  # fmt: skip
_OF_THE_LAB = {*_ARGUMENTS, "heuristic_fn", "time_limit"}
_MAY_BE = (
    int,
    type(None),
)  # 0 and 1 for a flag, and None for no bound, are nobody's mistake
_Encode = Callable[[object, AbstractGameState], dict[str, Any]]


class Enough(BaseException):
    """Raised in a search that has come to more events than are sent."""


class Recorder:
    """Watches the searches of one process, one after the other; `most` is how many
    events one may come to.

    `encode` makes plain data of the result of a watched function, seen from a state.

    >>> from api import parse_tree, tree_state
    >>> recorder = Recorder()
    >>> state = recorder.watch(tree_state(parse_tree("root\\n  3\\n  5")))
    >>> [child.get_endgame_score() for child in state.generate_next_states()]
    [3, 5]
    >>> recorder.report()["order"]
    [[0], [1]]
    >>> recorder.events()
    [['expand', []], ['score', [0], True, 3], ['score', [1], True, 5]]
    """

    def __init__(self, encode: _Encode = lambda result, state: {}) -> None:
        self._encode = encode
        self._notes: list[tuple[Any, ...]] = []  # of the search that began last
        self._known: Places | None = None
        self.most = [INF]

    def watch(self, state: AbstractGameState) -> AbstractGameState:
        """The same state, watched from now on.  A new search begins, and what was seen
        before is forgotten.
        """
        is_game_over, next_snapshots, endgame_score = self._its_rules = rules_of(state)
        self._root = state
        self.watch_again()
        notes, most = self._notes, self.most

        def generate_next_states(snapshot: Any) -> Sequence[Any]:
            if len(notes) > most[0]:
                raise Enough
            successors = next_snapshots(snapshot)
            if isinstance(successors, (list, tuple)):
                notes.append(("expand", snapshot, tuple(successors)))
            return successors

        def watched_score(snapshot: Any, is_current_player_maximizer: bool) -> float:
            score = endgame_score(snapshot, is_current_player_maximizer)
            notes.append(("score", snapshot, is_current_player_maximizer, score))
            return score

        return AbstractGameState(
            state.snapshot, is_game_over, generate_next_states, watched_score
        )

    def watch_again(self) -> None:
        """A new search begins, of the state that was watched last."""
        self._known = None
        self._notes.clear()

    def watch_heuristic(self, heuristic: Callable[..., float]) -> Callable[..., float]:
        """The same heuristic, watched."""
        notes = self._notes

        def heuristic_fn(snapshot: Any, *flags: Any, **named_flags: Any) -> float:
            # Passing on no names takes time too, and a search calls this thousands of
            # times.
            score = (
                heuristic(snapshot, *flags, **named_flags)
                if named_flags
                else heuristic(snapshot, *flags)
            )
            flag = flags[0] if flags else next(iter(named_flags.values()), None)
            notes.append(("estimate", snapshot, flag, score))
            return score

        return heuristic_fn

    def watch_search(self, name: str, search: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, watched; but for inner calls with arguments that the lab
        does not know.
        """
        notes, encode, rules = self._notes, self._encode, self._its_rules
        try:
            signature = inspect.signature(search)
        except (
            TypeError,
            ValueError,
        ):  # an object that can be called, but does not say how
            return search

        @functools.wraps(search)  # lab.py may count in an attribute of its function
        def watched(*words: Any, **named: Any) -> Any:
            state: Any = words[0] if words else named.get("state")
            bound = signature.bind(*words, **named)
            is_own = notes and not _OF_THE_LAB.issuperset(list(bound.arguments)[1:])
            if is_own or not issubclass(type(state), AbstractGameState):
                return search(*words, **named)
            notes.append(("call", state.snapshot, name, _arguments(bound)))
            try:
                result = search(*words, **named)
            except BaseException as error:
                notes.append(
                    (
                        "return",
                        state.snapshot,
                        {"raised": str(type(error).__name__)[:80]},
                    )
                )
                raise
            notes.append(
                (
                    "return",
                    state.snapshot,
                    encode(result, AbstractGameState(state.snapshot, *rules)),
                )
            )
            return result

        return watched

    def report(self) -> dict[str, Any]:
        """What was seen, as plain data; the order of evaluations is cut after the first
        300.
        """
        scored = [
            snapshot
            for what, snapshot, *_ in self._notes
            if what in ("score", "estimate")
        ]
        places = [
            place
            for snapshot in scored
            if (place := self.places.of(snapshot)) is not None
        ]
        distinct = list(dict.fromkeys(places))
        return {
            "evaluated": len(distinct),
            "repeated": len(places) - len(distinct),
            "alike": self._alike(set(distinct)),
            "unattributed": len(scored) - len(places),
            "order": [list(place) for place in distinct[:300]],
        }

    def events(self) -> list[list[Any]]:
        """The events, with their places."""
        return [self._event(*note) for note in self._notes]

    @property
    def places(self) -> Places:
        """Where all snapshots stand that the search has come to; for when it is
        done.
        """
        if self._known is None:
            self._known = Places(self._root.snapshot)
            for what, snapshot, *rest in self._notes:
                if what == "expand" and (place := self._known.of(snapshot)) is not None:
                    for index, successor in enumerate(rest[0]):
                        self._known.enter(successor, (*place, index))
        return self._known

    def _event(self, what: str, snapshot: Any, *rest: Any) -> list[Any]:
        place = self.places.of(snapshot)
        here = None if place is None else list(place)
        match what, *rest:
            case "call", name, arguments:
                return ["call", name, here, arguments]
            case "return", plain:
                score, count = plain.get("score"), plain.get("evaluations")
                sent = {
                    name: plain[name] for name in ("path", "raised") if name in plain
                }
                sent |= {"score": score} if is_number(score) else {}
                sent |= {"evaluations": count} if is_count(count) else {}
                sent |= {"odd": odd} if (odd := _oddity(plain)) else {}
                return ["return", sent]
            case "expand", _:
                return ["expand", here]
        flag, score = rest
        return [what, here, flag if type(flag) is bool else None, score]

    def _alike(self, evaluated: set[Place]) -> int:
        """How many more evaluations a search may count that remembers the results of
        positions.
        """
        try:
            return Remembered(self.places, evaluated).saved()
        except TypeError:  # a snapshot that has no hash
            return 0


def _oddity(plain: dict[str, Any]) -> str:
    """What came back instead of a result, or instead of its score, in words; empty if
    it is a result with a score.
    """
    if "other" in plain:
        return (
            ""
            if plain["other"] == {"$other": "an AnytimeValue"}
            else show(plain["other"])
        )
    if "length" in plain:
        return f"a tuple or list of {plain['length']}"
    score = plain.get("score", 0)
    return (
        ""
        if is_number(score)
        else f"{'a list' if isinstance(score, list) else show(score)} as its score"
    )


def _arguments(bound: inspect.BoundArguments) -> dict[str, Any]:
    """The arguments of a call as they are sent, with the defaults of those that it was
    not given.
    """
    arguments: dict[str, Any] = {}
    bound.apply_defaults()
    for name, has_its_type in _ARGUMENTS.items():
        value = bound.arguments.get(name)
        if has_its_type(value):
            arguments[name] = value
        elif type(value) not in _MAY_BE:
            arguments.setdefault("odd", {"name": name, "value": show(encode(value))})
    return arguments
