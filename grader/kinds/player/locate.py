"""Where a player went wrong: the first call of its methods whose own answer is wrong, though all that it asked for
was asked rightly and answered right; or a call that was made wrongly.

What each call should answer is data that `make expectations` stores (boards/reference_traces/): no rule is known here.
"""

from typing import Any

from api import Over
from boards.cases import Case
from boards.played import Played, read_played
from grader.kinds.kind import Located
from grader.kinds.player.drawing import draw_state
from grader.kinds.player.judge import UNKNOWN, Estimated, Place, PlayerAnswer, Request, Said, is_estimate, is_move
from grader.kinds.search.nodes import stored_walk
from grader.protocol.words import plural, show, show_estimate

GAME = ""  # whose estimates carry no name


def locate(case: Case, at: int, answer: PlayerAnswer) -> Located | None:
    """Where the call of a case went wrong; None where that is not certain."""
    if not isinstance(answer, Said) or answer.trace is None:
        return None
    return _Look(read_played(case.calls[at].inputs), stored_walk(case, at)["values"]).at(answer.trace)


class _Look:
    """Looks through the calls of one player.  `values` has, for each place, the index of the move to choose and the
    estimate."""

    def __init__(self, played: Played, values: list[Any]) -> None:
        self.played = played
        self.ahead = played.maker.made_for if played.asked.call == "next_move" else played.asked.depth
        self.values = {tuple(place): (move, estimate) for place, move, estimate in values}
        self.game, self.start = played.game_at(played.asked)

    def at(self, call: Request) -> Located | None:
        """The place of the mistake in a call or below it."""
        if not self._is_sound(call) or self._is_right(call):
            return None
        below = [self.at(inner) for inner in call.requests]
        if found := next(filter(None, below), None):
            return found
        if any(self._is_sound(inner) and not self._is_right(inner) for inner in call.requests):
            return None
        if any(inner.place != call.place and (inner.place or ())[:-1] != call.place for inner in call.requests):
            return None  # it may be of a state which is equal to one of these
        unsound = next((inner for inner in call.requests if not self._is_sound(inner)), None)
        sentence = self._handed_over(call, unsound) if unsound else self._answered(call)
        if not sentence:
            return None
        place = call.place or ()
        marked = draw_state(self.played, {place: "<- here"} if place else {})
        picture = tuple(marked) if place and any("<- here" in line for line in marked) else ()
        return Located(f"{self._where(place)}, {sentence}", f"{self._where(place)}, in {_name(call)}.", picture)

    def _is_sound(self, call: Request) -> bool:
        """Whether the call asks about a state within the depth, with the depth that is left there."""
        if call.place not in self.values:
            return False
        if call.method == "next_move":
            return call.place == () and self.played.asked.call == "next_move"
        is_searched = call.method == "evaluate" or self.values[call.place][0] is not None
        return is_searched and call.depth == self.ahead - len(call.place)

    def _is_right(self, call: Request) -> bool:
        index, estimate = self.values[call.place or ()]
        if call.method == "evaluate":
            return is_estimate(call.value, estimate)
        move = self._moves(call.place or ())[index]
        if call.method == "next_move":
            return is_move(call.value, move)
        pair = call.value
        return isinstance(pair, list) and len(pair) == 2 and is_move(pair[0], move) and is_estimate(pair[1], estimate)

    def _handed_over(self, call: Request, inner: Request) -> str:
        """What is wrong about a call that was made."""
        asked = _name(inner)
        if call.method == "next_move" and inner.place is None and inner.method == "search" and len(call.requests) == 1:
            return f"next_move asked {asked} about another state than the given one."
        if inner.depth is None or inner.place not in self.values:
            return ""
        left = self.ahead - len(inner.place)
        if (outcome := self._outcome(call.place or ())) and call.method == "evaluate":
            return f"the game is over: {outcome} {_name(call)} asked {asked} all the same."
        if call.method == "next_move" and inner.place == call.place:
            if any(self._is_sound(one) for one in call.requests):  # it may look less far ahead first
                return self._answered(call)
            return f"next_move asked {asked}; this player was made for depth {self.ahead}."
        if inner.place == call.place and call.depth == 0:
            return f"{_name(call)} asked {asked}: no move is left to look ahead, so a state in play is estimated."
        about = "the same state" if inner.place == call.place else f"the state {self._words(inner.place)}"
        ahead = plural(left, "move is", "moves are")
        return f"{_name(call)} asked {asked} about {about}: from there, {ahead} left to look ahead."

    def _answered(self, call: Request) -> str:
        """What is wrong about an answer, of which all that it rests on is right."""
        place, name, said = call.place or (), _name(call), _returned(call.value)
        sound = [inner for inner in call.requests if self._is_sound(inner)]
        found = [inner for inner in sound if inner.method == "search" and inner.place == place]
        children = {inner.place[-1]: inner for inner in sound if inner.place and inner.place[:-1] == place}
        here = [estimated for estimated in call.estimates if estimated.place == place]
        outcome = self._outcome(place)
        if call.value == UNKNOWN:
            return ""
        if call.method == "evaluate" and outcome:
            taken = ", after it took an estimate" if here else ""
            return f"the game is over: {outcome} {name} {said}{taken}."
        if call.method == "evaluate" and call.depth == 0:
            return self._estimated(call, here)
        if found:
            return f"{_name(found[-1])} returned {_pair(found[-1].value)}, and {name} {said}."
        if children:
            return self._chosen(call, children)
        if here and call.method == "evaluate":
            left = plural(int(call.depth or 0), "move is", "moves are")
            return f"{left} left to look ahead and the game is in play, but {name} took an estimate, and {said}."
        if call.requests:
            return ""
        if not call.estimates and (place or self.played.before or self.played.another):
            return f"{name} called no other method, took no estimate, and {said}."
        return self._by_itself(call)

    def _by_itself(self, call: Request) -> str:
        """What is wrong about an answer for which no method was asked."""
        places = [estimated.place for estimated in call.estimates if estimated.place]
        is_at_depth = any(len(where) == self.ahead for where in places)
        for where in places:
            state = "this state" if where == call.place else f"the state {self._words(where)}"
            taken, outcome = f"an estimate was taken of {state}", self._outcome(where)
            if outcome:
                return f"{taken}, in which the game is over: {outcome}"
            if not is_at_depth:
                return f"{taken}, {plural(len(where), 'move')} ahead; the depth is {self.ahead}."
        place = call.place or ()
        known = [self.values.get((*place, at)) for at in range(len(self._moves(place)))]
        return self._best(call, "are", [{"$estimate": value[1]} for value in known if value])

    def _estimated(self, call: Request, here: list[Estimated]) -> str:
        """What is wrong where the estimate of a state was to be given back."""
        own, name = self.played.maker.estimator, _name(call)
        wanted = show_estimate(self.values[call.place or ()][1])
        whose = f"this player's own estimator, {own}," if own else "the game's estimate"
        if not here:
            return f"{name} took no estimate of it, and {_returned(call.value)}."
        if all(estimated.by != own for estimated in here):
            by = f"that of {here[-1].by}" if here[-1].by != GAME else "that of the game"
            return f"{name} took an estimate, {by}: {show(here[-1].value)}; {whose} says {wanted}."
        return f"{whose} says {wanted}, and {name} {_returned(call.value)}."

    def _chosen(self, call: Request, children: dict[int, Request]) -> str:
        """What is wrong about a choice between moves."""
        place, name = call.place or (), _name(call)
        names = self._named(place)
        missing = [name for number, name in enumerate(names) if number not in children]
        if missing:
            asked = f"{name} asked about {len(children)} of the {len(names)} moves, and not about {', '.join(missing)}"
            return f"{asked}; it {_returned(call.value)}."
        return self._best(call, "were found to be", [_worth(children[number]) for number in range(len(names))])

    def _best(self, call: Request, are: str, worth: list[Any]) -> str:
        """What the moves are worth, and which is to be chosen; empty where none is."""
        place = call.place or ()
        index, names = self.values[place][0], self._named(place)
        if index is None or len(worth) < len(names):
            return ""
        mover = self.game.player(self._state(place))
        best = "highest" if mover.name == "MAXIE" else "lowest"
        tie = ", and of equals the first" if sum(_rank(one) == _rank(worth[index]) for one in worth) > 1 else ""
        listed = ", ".join(f"{move}: {show(value)}" for move, value in zip(names, worth, strict=True))
        said = f"For {mover} the {best} is best{tie}: {names[index]}. {_name(call)} {_returned(call.value)}."
        return f"{mover} to move, the moves {are} worth {listed}. {said}"

    def _outcome(self, place: Place) -> str:
        """How the game has ended there; empty where it is in play."""
        status = self.game.status(self._state(place))
        return self.game.outcome_to_string(status.outcome) if isinstance(status, Over) else ""

    def _state(self, place: Place) -> Any:
        state = self.start
        for index in place:
            state = self.game.make_move(state, self.game.moves(state)[index])
        return state

    def _moves(self, place: Place) -> list[Any]:
        return list(self.game.moves(self._state(place)))

    def _named(self, place: Place) -> list[str]:
        return [self.game.move_to_string(move) for move in self._moves(place)]

    def _where(self, place: Place) -> str:
        words = self._words(place)
        return f"{words[:1].upper()}{words[1:]}"

    def _words(self, place: Place) -> str:
        if not place:
            return "in the given state"
        named = [self.game.move_to_string(self._moves(place[:ply])[index]) for ply, index in enumerate(place)]
        *others, last = [f"`{name}`" if name[:1].islower() else name for name in named]
        return f"after the moves {', '.join(others)} and {last}" if others else f"after the move {last}"


def _name(call: Request) -> str:
    return f"{call.method}({'' if call.depth is None else f'{call.depth}, '}state)"


def _worth(call: Request) -> Any:
    return call.value[1] if call.method == "search" else call.value


def _rank(estimate: Any) -> Any:
    """What two estimates have in common of which neither is less: a sure draw stands where a guess of 0 stands."""
    return {"$estimate": {"guess": 0}} if estimate == {"$estimate": {"sure": "DRAW"}} else estimate


def _pair(value: Any) -> str:
    return f"({show(value[0])}, {show(value[1])})" if isinstance(value, list) and len(value) == 2 else show(value)


def _returned(value: Any) -> str:
    return f"returned {_pair(value)}"
