"""check_game: does a two-player game keep its promises?  For games of your own."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from api.outcomes import IN_PLAY, Estimate, Over, Side, Status
from api.two_player import TwoPlayerGame

MOST_STATES = 1_000

_SHOULD_GIVE: dict[str, tuple[Any, str]] = {
    "player": (Side, "neither Player.MINNIE nor Player.MAXIE"),
    "status": (Status, "neither Over(outcome) nor IN_PLAY"),
    "estimate": (Estimate, "neither Definitely nor Guess"),
    "moves": (Sequence, "which is neither a list nor a tuple"),
    **{f"{what}_to_string": (str, "which is not a text") for what in ("state", "move", "player", "outcome")},
}


class _Broken(Exception):
    """A broken promise; the text is the sentence."""


def check_game(game: TwoPlayerGame, seed: int = 0) -> str:
    """The first broken promise of a game in a sentence; empty where none was found.

    It looks at some states near the start and at some far down, which chance chooses, by `seed`.
    What it asks for is what TwoPlayerGame promises; it never makes a move that is not possible.

    >>> from api import Nim
    >>> class EndlessNim(Nim):
    ...     def status(self, state): return IN_PLAY
    >>> check_game(Nim()), check_game(EndlessNim(1))
    ('', "moves is empty in the state '(0 left)', which is in play.")
    """
    asked = _Asked(game)
    try:
        start = asked.start()
        _check_state(asked, start)
        if asked.start() != start:
            raise _Broken("start gives another state every time, or its states have no __eq__.")
        for state in _some_states(game, start, seed):
            _check_moves(asked, state)
    except _Broken as broken:
        return str(broken)
    return ""


class _Asked:
    """A game whose functions raise _Broken where they raise anything, or give what they should not."""

    def __init__(self, game: TwoPlayerGame) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def ask(*arguments: Any) -> Any:
            try:
                answer = getattr(self._game, name)(*arguments)
            except Exception as error:
                raise _Broken(f"{name} raised {type(error).__name__}: {error}.") from None
            should_be, words = _SHOULD_GIVE.get(name, (object, ""))
            if not isinstance(answer, should_be):
                where = "" if should_be is str else f" in the state {self.state_to_string(*arguments)!r}"
                raise _Broken(f"{name} gives {answer!r}{where}, {words}.")
            return answer

        return ask


def _some_states(game: TwoPlayerGame, start: Any, seed: int) -> Iterator[Any]:
    """States in play: in turn one of those nearest to the start, and one further down."""
    import random  # not for all: see RandomPlayer

    chooser = random.Random(seed)
    seen, waiting = {start}, deque([start])
    for number in range(MOST_STATES):
        if not waiting:
            return
        state = waiting.pop() if number % 2 else waiting.popleft()
        if isinstance(game.status(state), Over):
            continue
        yield state
        after = dict.fromkeys(game.make_move(state, move) for move in game.moves(state)).keys() - seen
        seen |= after
        waiting += chooser.sample(list(after), len(after))


def _check_state(game: _Asked, state: Any) -> None:
    """What a state promises by itself."""
    try:
        hash(state)
    except TypeError:
        raise _Broken(f"The state {state!r} is unhashable; a state is a tuple, a text, or the like.") from None
    text, status = game.state_to_string(state), game.status(state)
    game.player_to_string(game.player(state))
    if isinstance(status, Over):
        game.outcome_to_string(status.outcome)
        return
    game.estimate(state)
    if not game.moves(state):
        raise _Broken(f"moves is empty in the state {text!r}, which is in play.")


def _check_moves(game: _Asked, state: Any) -> None:
    """What the moves of a state in play promise, and the states that they lead to."""
    before, text = _looks(game, state), game.state_to_string(state)
    for move in game.moves(state):
        shown = game.move_to_string(move)
        if (parsed := game.parse_move(state, shown)) != move:
            raise _Broken(f"The move {move!r} is written {shown!r}, but parse_move makes {parsed!r} of that.")
        mover, after = game.player(state), game.make_move(state, move)
        _check_state(game, after)
        if _looks(game, state) != before:
            raise _Broken(f"The state {text!r} is changed by the move {shown!r}; make_move should make a new one.")
        if game.make_move(state, move) != after:
            raise _Broken(f"The move {shown!r} in the state {text!r}, made twice, leads to unequal states.")
        if game.player(after) is not mover.other:
            raise _Broken(f"player does not alternate: {mover} is to move again after {shown!r} in the state {text!r}.")
    if game.parse_move(state, "what?") is not None:
        raise _Broken(f"parse_move makes a move of the text 'what?' in the state {text!r}; it should give None.")


def _looks(game: _Asked, state: Any) -> tuple[Any, ...]:
    """What can be seen of a state, to find out later whether it has changed."""
    moves = [game.move_to_string(move) for move in game.moves(state)] if game.status(state) is IN_PLAY else []
    return hash(state), game.state_to_string(state), game.status(state), game.player(state), moves
