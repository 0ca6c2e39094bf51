"""check_game: does a two-player game keep its promises?  For games of your own."""

import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from api.outcomes import IN_PLAY, Estimate, Over, Side
from api.two_player import TwoPlayerGame

STATES_BY_BREADTH = 300
WALKS = 20
LONGEST_WALK = 100


class _Broken(Exception):
    """A broken promise; the text is the sentence."""


def check_game(game: TwoPlayerGame, seed: int = 0) -> str:
    """The first broken promise of a game in a sentence; empty where none was found.

    It looks at the first states by breadth, then walks down the game at random, by `seed`.  What
    it asks for is what TwoPlayerGame promises; it never makes a move that is not possible.

    >>> from api import Nim
    >>> class EndlessNim(Nim):
    ...     def status(self, state): return IN_PLAY
    >>> check_game(Nim()), check_game(EndlessNim(1))
    ('', "moves is empty in the state '(0 left)', which is in play.")
    """
    try:
        start = _ask(game, "start")
        _check_state(game, start)
        if _ask(game, "start") != start:
            raise _Broken("start gives another state every time, or its states have no __eq__.")
        for state in _by_breadth(game, start):
            _check_moves(game, state)
        for state in _at_random(game, start, random.Random(seed)):
            _check_moves(game, state)
    except _Broken as broken:
        return str(broken)
    return ""


def _by_breadth(game: TwoPlayerGame, start: Any) -> Iterator[Any]:
    """States in play, those nearest to the start first."""
    seen, waiting = {start}, deque([start])
    while waiting:
        state = waiting.popleft()
        if isinstance(game.status(state), Over):
            continue
        yield state
        for move in game.moves(state):
            after = game.make_move(state, move)
            if after not in seen and len(seen) < STATES_BY_BREADTH:
                seen.add(after)
                waiting.append(after)


def _at_random(game: TwoPlayerGame, start: Any, chooser: random.Random) -> Iterator[Any]:
    """States in play on the way down some games."""
    for _ in range(WALKS):
        state = start
        for _ in range(LONGEST_WALK):
            if isinstance(game.status(state), Over):
                break
            yield state
            state = game.make_move(state, chooser.choice(list(game.moves(state))))


def _check_state(game: TwoPlayerGame, state: Any) -> None:
    """What a state promises by itself."""
    try:
        hash(state)
    except TypeError:
        raise _Broken(f"The state {state!r} is unhashable; a state is a tuple, a text, or the like.") from None
    text, status = _ask_for_text(game, "state_to_string", state), _ask(game, "status", state)
    if not isinstance(player := _ask(game, "player", state), Side):
        raise _Broken(f"player gives {player!r} in the state {text!r}, neither Player.MINNIE nor Player.MAXIE.")
    _ask_for_text(game, "player_to_string", player)
    if isinstance(status, Over):
        _ask_for_text(game, "outcome_to_string", status.outcome)
        return
    if status is not IN_PLAY:
        raise _Broken(f"status gives {status!r} in the state {text!r}, neither Over(outcome) nor IN_PLAY.")
    if not isinstance(estimate := _ask(game, "estimate", state), Estimate):
        raise _Broken(f"estimate gives {estimate!r} in the state {text!r}, neither Definitely nor Guess.")
    moves = _ask(game, "moves", state)
    if not isinstance(moves, Sequence):
        raise _Broken(f"moves gives {moves!r} in the state {text!r}, which is neither a list nor a tuple.")
    if not moves:
        raise _Broken(f"moves is empty in the state {text!r}, which is in play.")


def _check_moves(game: TwoPlayerGame, state: Any) -> None:
    """What the moves of a state in play promise, and the states that they lead to."""
    before, player = _looks(game, state), game.player(state)
    text = game.state_to_string(state)
    for move in game.moves(state):
        shown = _ask_for_text(game, "move_to_string", move)
        if (parsed := _ask(game, "parse_move", state, shown)) != move:
            raise _Broken(f"The move {move!r} is written {shown!r}, but parse_move makes {parsed!r} of that.")
        after = _ask(game, "make_move", state, move)
        _check_state(game, after)
        if _looks(game, state) != before:
            raise _Broken(f"The state {text!r} is changed by the move {shown!r}; make_move should make a new one.")
        if _ask(game, "make_move", state, move) != after:
            raise _Broken(f"The move {shown!r} in the state {text!r}, made twice, leads to unequal states.")
        if game.player(after) is not player.other:
            raise _Broken(
                f"player does not alternate: {player} is to move again after {shown!r} in the state {text!r}."
            )
    if _ask(game, "parse_move", state, "what?") is not None:
        raise _Broken(f"parse_move makes a move of the text 'what?' in the state {text!r}; it should give None.")


def _looks(game: TwoPlayerGame, state: Any) -> tuple[Any, ...]:
    """What can be seen of a state, to find out later whether it has changed."""
    moves = [game.move_to_string(move) for move in game.moves(state)] if game.status(state) is IN_PLAY else []
    return hash(state), game.state_to_string(state), game.status(state), game.player(state), moves


def _ask_for_text(game: TwoPlayerGame, name: str, what: Any) -> str:
    """The text that a function of the game gives for something."""
    text = _ask(game, name, what)
    if not isinstance(text, str):
        raise _Broken(f"{name} gives {text!r}, which is not a text.")
    return text


def _ask(game: TwoPlayerGame, name: str, *arguments: Any) -> Any:
    """What a function of the game returns; a broken promise where it raises something."""
    function: Callable[..., Any] = getattr(game, name)
    try:
        return function(*arguments)
    except Exception as error:
        raise _Broken(f"{name} raised {type(error).__name__}: {error}.") from None
