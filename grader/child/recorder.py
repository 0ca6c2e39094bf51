"""In the child: watches a search, and reports which places the search has evaluated.

A place is a node of the tree, given by the way down from the root.  The recorder wraps
the rules of the state that a search gets, so the search sees an ordinary state.  While
the search runs, the recorder only takes notes.  Afterwards the recorder finds the place
of each snapshot in its notes (attribution.py).  An evaluation whose place is not
certain is counted separately, and nobody loses points for it.

Some failing cases run once more to be traced.  Then calls of graded searches are noted
too, and the child sends the events, up to a limit:

    ["call", function, place, arguments]   the search called the graded function of
                                           this name
    ["return", result]                     the latest call that was still running
                                           returned a result or raised an exception
    ["expand", place]                      the search asked for the successors
    ["score", place, flag, value]          the search called get_endgame_score
    ["estimate", place, flag, value]       the search called the heuristic of the case

`flag` is the bool that the search passed: whether the maximizer moves.  `arguments`
holds the values or defaults of the parameters in _ARGUMENTS.  A value of a wrong type
is left out, and the key `odd` may describe the first such value.  A place is null if it
is not certain.
"""

import contextlib
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from api import INF, AbstractGameState
from api.state import rules_of
from grader.child.attribution import Places
from grader.child.encode import encode
from grader.child.remembered import saved_by_a_table
from grader.protocol.plain import Data, is_count, is_number
from grader.protocol.text import show

# The parameters whose values are sent to the grader.  The function beside a name tests
# whether a value has the right type.
_ARGUMENTS = {
    "depth_limit": is_number,
    "maximize": lambda value: type(value) is bool,
    "alpha": is_number,
    "beta": is_number,
}
_OF_THE_LAB = {*_ARGUMENTS, "heuristic_fn", "time_limit"}
# Two kinds of values have a wrong type and still do not count as odd: an int in place
# of a bool, and None.
_MAY_BE = (int, type(None))
_Encode = Callable[[object, AbstractGameState], Data]


class Enough(BaseException):
    """Raised inside a search to end the search, because it makes more events than the
    child may send.
    """


class Recorder:
    """Watches the searches of one process, one after the other.

    `encode` turns the result of a watched function into plain data.  Its arguments are
    the result, and the state from which the function searched.  The list `most` holds
    one number: how many events a search may make.

    >>> from api import parse_tree, tree_state
    >>> recorder = Recorder()
    >>> state = recorder.watch(tree_state(parse_tree("root\\n  3\\n  5")))
    >>> [child.get_endgame_score() for child in state.generate_next_states()]
    [3, 5]
    >>> recorder.report()["order"]
    [(0,), (1,)]
    >>> recorder.events()
    [['expand', ()], ['score', (0,), True, 3], ['score', (1,), True, 5]]
    """

    def __init__(self, encode: _Encode = lambda result, state: {}) -> None:
        self._encode = encode
        # A note for each event of the latest search.  A note has the kind of the event,
        # the snapshot, and the further facts of the event.
        self._notes: list[tuple[Any, ...]] = []
        # The places of all snapshots of the latest search.  None until somebody asks
        # for a place, which happens only after the search.
        self._known: Places | None = None
        self.most = [INF]

    def watch(self, state: AbstractGameState) -> AbstractGameState:
        """Return a state that equals `state`.  From now on, the recorder notes the
        successors and the scores of the returned state and of the states below it.

        The notes about the last search are deleted.
        """
        self._root = state
        self._rules_of_root = rules_of(state)
        is_game_over, next_snapshots, endgame_score = self._rules_of_root
        self.watch_again()
        notes = self._notes
        most = self.most

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
        """Delete all notes, because a new search begins from the same state as the last
        one.
        """
        self._known = None
        self._notes.clear()

    def watch_heuristic(self, heuristic: Callable[..., float]) -> Callable[..., float]:
        """Return a function that gives the same estimates as `heuristic`.

        The recorder notes each call of the returned function.
        """
        notes = self._notes

        def heuristic_fn(snapshot: Any, *flags: Any, **named_flags: Any) -> float:
            # A search calls the heuristic often, and passing on an empty dict takes
            # time.
            if named_flags:
                score = heuristic(snapshot, *flags, **named_flags)
            else:
                score = heuristic(snapshot, *flags)
            flag = flags[0] if flags else next(iter(named_flags.values()), None)
            notes.append(("estimate", snapshot, flag, score))
            return score

        return heuristic_fn

    def watch_search(self, name: str, search: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does the same as `search`, and notes when it is called
        and when it returns.

        A call is not noted if its first argument is no state.  A call inside a search
        is not noted either if it has an argument that the assignment does not define.
        """
        notes = self._notes
        signature = inspect.signature(search)

        # lab.py may keep a count as an attribute of its function.  So `wraps` copies
        # the attributes to the function that takes its place.
        @functools.wraps(search)
        def watched(*args: Any, **kwargs: Any) -> Any:
            state: Any = args[0] if args else kwargs.get("state")
            bound = signature.bind(*args, **kwargs)
            is_own = notes and not _OF_THE_LAB.issuperset(list(bound.arguments)[1:])
            if is_own or not issubclass(type(state), AbstractGameState):
                return search(*args, **kwargs)
            notes.append(("call", state.snapshot, name, _arguments(bound)))
            try:
                result = search(*args, **kwargs)
            except BaseException as error:
                outcome = {"raised": str(type(error).__name__)[:80]}
                notes.append(("return", state.snapshot, outcome))
                raise
            unwatched = AbstractGameState(state.snapshot, *self._rules_of_root)
            notes.append(("return", state.snapshot, self._encode(result, unwatched)))
            return result

        return watched

    def report(self) -> Data:
        """Return as plain data what the search has evaluated.

        `order` lists the first 300 different places that the search evaluated, in the
        order in which it evaluated them.
        """
        evaluations = [note for note in self._notes if note[0] in ("score", "estimate")]
        all_places = [self.places.of(snapshot) for _, snapshot, *_ in evaluations]
        places = [place for place in all_places if place is not None]
        distinct = list(dict.fromkeys(places))
        alike = 0
        with contextlib.suppress(TypeError):  # a snapshot has no hash
            alike = saved_by_a_table(self.places, set(distinct))
        return {
            "evaluated": len(distinct),
            "repeated": len(places) - len(distinct),
            "alike": alike,
            "unattributed": len(all_places) - len(places),
            "order": distinct[:300],
        }

    def events(self) -> list[list[Any]]:
        """Return the events of the search, as plain data.

        The docstring of this module lists the forms of an event.
        """
        return [self._event(*note) for note in self._notes]

    @property
    def places(self) -> Places:
        """The places of all snapshots of the search.  They may be asked for only when
        the search is over.
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
        match what, *rest:
            case "call", name, arguments:
                return ["call", name, place, arguments]
            case "return", plain:
                return ["return", _result(plain)]
            case "expand", _:
                return ["expand", place]
        flag, score = rest
        return [what, place, flag if type(flag) is bool else None, score]


def _result(plain: Data) -> Data:
    """Return the result of a watched function in the form in which the child sends
    it.
    """
    result: Data = {name: plain[name] for name in ("path", "raised") if name in plain}
    if is_number(plain.get("score")):
        result["score"] = plain["score"]
    if is_count(plain.get("evaluations")):
        result["evaluations"] = plain["evaluations"]
    if odd := _oddity(plain):
        result["odd"] = odd
    return result


def _oddity(plain: Data) -> str:
    """Say in words what a function returned in place of a result, or what it returned
    in place of a score.

    The text is empty if nothing is wrong.
    """
    if "other" in plain:
        if plain["other"] == {"$other": "an AnytimeValue"}:
            return ""
        return show(plain["other"])
    if "length" in plain:
        return f"a tuple or list of {plain['length']}"
    score = plain.get("score", 0)
    if is_number(score):
        return ""
    if isinstance(score, list):
        return "a list as its score"
    return f"{show(score)} as its score"


def _arguments(bound: inspect.BoundArguments) -> Data:
    """Return the arguments of a call in the form in which the child sends them.

    An argument that the call leaves out has its default value.
    """
    arguments: Data = {}
    bound.apply_defaults()
    for name, has_its_type in _ARGUMENTS.items():
        value = bound.arguments.get(name)
        if has_its_type(value):
            arguments[name] = value
        elif type(value) not in _MAY_BE:
            arguments.setdefault("odd", {"name": name, "value": show(encode(value))})
    return arguments
