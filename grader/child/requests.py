"""In the child: notes how the methods of a player call each other.

A request is a call of `next_move`, `search` or `evaluate`.  As plain data, it has:

    method    the name of the method
    place     where the state is in the tree of the game: the index of each move from
              the state that the player was given; null if that is not known
    depth     the depth that the method was given; null if it was given none
    requests  the requests that this request has made
    value     what the method returned; "unknown" if it raised an exception
"""

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from api import TwoPlayerGame
from grader.child.attribution import Places
from grader.child.encode import encode
from grader.protocol.plain import Data

METHODS = {
    "next_move": ("state",),
    "search": ("depth", "state"),
    "evaluate": ("depth", "state"),
}
"""The methods of a player, with their parameters."""
DEEPEST = 60  # requests within requests; no search needs so many


class Requests:
    """Notes the calls of a player's methods, and counts the calls of estimators.

    Each call of `begin` deletes the notes, and sets the count to 0.
    """

    def __init__(self, most: int = 0) -> None:
        self._most = most  # how many requests are noted
        self.begin(None)

    def begin(self, state: Any) -> None:
        """Delete all notes and set the count to 0, because a player will be asked about
        `state` next.
        """
        self.estimates = 0
        self._noted = 0
        self._places = Places(state)
        self._open: list[Data] = [{"requests": []}]

    def asked(self) -> Data | None:
        """Return the first request, with the requests inside it, as plain data.

        Return None if there was no request, or if there were more than may be noted.
        """
        requests: list[Data] = self._open[0]["requests"]
        if requests and self._noted <= self._most:
            return requests[0]
        return None

    def watch_estimator(self, estimator: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return a function that does the same as `estimator`, and counts how often it
        is called.
        """

        def estimate(state: Any) -> Any:
            self.estimates += 1
            return estimator(state)

        return estimate

    def watch_game(self, game: TwoPlayerGame) -> None:
        """From now on, note to which place each move in this game leads."""
        make_move = game.make_move

        def watched(state: Any, move: Any) -> Any:
            after = make_move(state, move)
            place = self._places.of(state)
            moves = list(game.moves(state))
            if place is not None and move in moves:
                self._places.enter(after, (*place, moves.index(move)))
            return after

        game.make_move = watched  # type: ignore[method-assign]

    def watch_player(self, player: Any) -> None:
        """From now on, note each call of a method in METHODS that is made through the
        player.

        A player's own code makes such calls through `self`.
        """
        # If the player has slots, or lacks a method, some calls cannot be noted.  That
        # is no failure.
        with contextlib.suppress(Exception):
            for name, parameters in METHODS.items():
                method = getattr(player, name)
                setattr(player, name, self._watched(name, parameters, method))

    def _watched(
        self, name: str, parameters: tuple[str, ...], method: Callable[..., Any]
    ) -> Callable[..., Any]:
        @functools.wraps(method)
        def watched(*args: Any, **kwargs: Any) -> Any:
            given = dict(zip(parameters, args, strict=False)) | kwargs
            is_plain = len(args) <= len(parameters) and given.keys() <= set(parameters)
            depth = given.get("depth")
            request: Data = {
                "method": name,
                "place": self._places.of(given.get("state")),
                "depth": depth if is_plain and type(depth) is int else None,
                "requests": [],
                "value": "unknown",
            }
            self._noted += 1
            if self._noted <= self._most and len(self._open) <= DEEPEST:
                self._open[-1]["requests"].append(request)
            self._open.append(request)
            try:
                value = method(*args, **kwargs)
                request["value"] = encode(value)
            finally:
                self._open.pop()
            return value

        return watched
