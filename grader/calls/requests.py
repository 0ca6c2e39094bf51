"""In the child: notes what a player's methods ask of each other, and which estimates they take.

    ["call", method, place, depth]    of `search`, `evaluate` or `next_move`; the depth is None where there is none
    ["return", value]                 of the innermost open call; ["raise"] where it raised something
    ["estimate", name, place, value]  of an estimator by its name, which is empty for the game's

A place is a list of indices of moves from the state that was asked about; None where it is not known.
"""

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from api import TwoPlayerGame
from grader.calls.attribution import Places
from grader.calls.encode import encode

METHODS = {"next_move": ("state",), "search": ("depth", "state"), "evaluate": ("depth", "state")}


class Requests:
    """Counts the estimates, and notes up to `most` events, since the last `begin`."""

    def __init__(self, most: int = 0) -> None:
        self._most = most
        self.begin(None)

    def begin(self, state: Any) -> None:
        """Forget what was noted: now a player is asked about this state."""
        self.estimates, self.events, self._places = 0, list[list[Any]](), Places(state)

    def watch_estimator(self, name: str, estimator: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The same estimator, watched."""

        def estimate(state: Any) -> Any:
            self.estimates += 1
            value = estimator(state)
            if self._most:
                self._note("estimate", name, self._places.of(state), encode(value))
            return value

        return estimate

    def watch_game(self, game: TwoPlayerGame) -> None:
        """Note where the moves of a game lead."""
        make_move = game.make_move

        def watched(state: Any, move: Any) -> Any:
            after, place, moves = make_move(state, move), self._places.of(state), list(game.moves(state))
            if place is not None and move in moves:
                self._places.enter(after, (*place, moves.index(move)))
            return after

        game.make_move = watched  # type: ignore[method-assign]

    def watch_player(self, player: Any) -> None:
        """Note what is asked of a player, as far as it is asked through `self`."""
        with contextlib.suppress(AttributeError):  # of one that has slots, or lacks a method
            for name, parameters in METHODS.items():
                setattr(player, name, self._watched(name, parameters, getattr(player, name)))

    def _watched(self, name: str, parameters: tuple[str, ...], method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def watched(*words: Any, **named: Any) -> Any:
            given = dict(zip(parameters, words, strict=False)) | named
            is_plain = len(words) <= len(parameters) and given.keys() <= set(parameters)
            depth = given.get("depth") if is_plain and type(given.get("depth")) is int else None
            self._note("call", name, self._places.of(given.get("state")), depth)
            try:
                value = method(*words, **named)
            except BaseException:
                self._note("raise")
                raise
            self._note("return", encode(value))
            return value

        return watched

    def _note(self, *event: Any) -> None:
        if len(self.events) < self._most:
            self.events.append(list(event))
