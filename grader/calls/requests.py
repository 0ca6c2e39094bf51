"""In the worker: notes how the methods of a player call each other, and counts the
estimates that they take.

A request is a call of `search`, `evaluate` or `next_move`: {"method", "place", "depth",
"requests", "value"}, with those that it made itself; the depth may be null, and the
value is "unknown" if it raised something.  A place is a list of indices of moves from
the state that the player is given; null if it is not known.
"""

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from api import TwoPlayerGame
from grader.calls.attribution import Places
from grader.calls.encode import encode

METHODS = {
    "next_move": ("state",),
    "search": ("depth", "state"),
    "evaluate": ("depth", "state"),
}
DEEPEST = 60  # calls within calls, which no search needs


class Requests:
    """Counts the estimates, and notes up to `most` calls, since the last `begin`."""

    def __init__(self, most: int = 0) -> None:
        self._most = most
        self.begin(None)

    def begin(self, state: Any) -> None:
        """Forget what was noted: a player is given this state next."""
        self.estimates, self._noted, self._places = 0, 0, Places(state)
        self._open: list[dict[str, Any]] = [{"requests": []}]

    def asked(self) -> dict[str, Any] | None:
        """The outermost request; None if it was not watched, or if there is too much
        below it.
        """
        requests: list[dict[str, Any]] = self._open[0]["requests"]
        return requests[0] if requests and self._noted <= self._most else None

    def watch_estimator(self, estimator: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The same estimator, watched."""

        def estimate(state: Any) -> Any:
            self.estimates += 1
            return estimator(state)

        return estimate

    def watch_game(self, game: TwoPlayerGame) -> None:
        """Note where the moves of a game lead."""
        make_move = game.make_move

        def watched(state: Any, move: Any) -> Any:
            after, place, moves = (
                make_move(state, move),
                self._places.of(state),
                list(game.moves(state)),
            )
            if place is not None and move in moves:
                self._places.enter(after, (*place, moves.index(move)))
            return after

        game.make_move = watched  # type: ignore[method-assign]

    def watch_player(self, player: Any) -> None:
        """Note the calls of a player's methods, as far as they go through `self`."""
        with contextlib.suppress(
            Exception
        ):  # a player may have slots, or lack a method
            for name, parameters in METHODS.items():
                setattr(
                    player, name, self._watched(name, parameters, getattr(player, name))
                )

    def _watched(
        self, name: str, parameters: tuple[str, ...], method: Callable[..., Any]
    ) -> Callable[..., Any]:
        @functools.wraps(method)
        def watched(*words: Any, **named: Any) -> Any:
            given = dict(zip(parameters, words, strict=False)) | named
            is_plain = len(words) <= len(parameters) and given.keys() <= set(parameters)
            depth = (
                given.get("depth")
                if is_plain and type(given.get("depth")) is int
                else None
            )
            call = {
                "method": name,
                "place": self._places.of(given.get("state")),
                "depth": depth,
            }
            call |= {"requests": [], "value": "unknown"}
            self._noted += 1
            if self._noted <= self._most and len(self._open) <= DEEPEST:
                self._open[-1]["requests"].append(call)
            self._open.append(call)
            try:
                value = method(*words, **named)
                call["value"] = encode(value)
            finally:
                self._open.pop()
            return value

        return watched
