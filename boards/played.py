"""Describes a call to a player of part 4, as a case writes it.

game: nim                 or very_dumb_nim, tic_tac_toe, {tree: NAME}
position: 6               for Nim, the number of pieces; for tic-tac-toe, nine
                          characters X, O and .; a tree has no position, because the
                          call begins at its root
player: MINNIE            whose turn it is, MAXIE by default; not for tic-tac-toe
call: search              or evaluate, next_move, new (which only makes the player)
depth: 2                  the depth of the call; next_move and new use the player's
made_for: 5               the player's depth, if it is not the depth of the call
estimator: corners        the player's own estimator, from boards/estimators.py
before: [{depth: 1}]      requests that the same player gets first.  Each has call,
                          depth (not for next_move), position and player.  A request
                          without position and player is about the state of the call
another: {made_for: 7}    a second player of the same game.  It gets the request of the
                          call before the first player gets any request.  It may have
                          an estimator of its own

If a player gets several requests, only the answer to the last one is judged.
"""

from dataclasses import dataclass
from typing import Any

from api import GAMES, Player, TwoPlayerGame, parse_tree
from api.nim import NimState
from boards.reading import Facts
from boards.tree_game import TreeGame


@dataclass(frozen=True)
class Asked:
    """A request to a player."""

    call: str  # search, evaluate, next_move or new
    depth: int  # 0 if the case does not say, as for next_move
    player: str  # whose turn it is: MINNIE or MAXIE
    position: Any  # the position as the case writes it; None for a tree


@dataclass(frozen=True)
class Maker:
    """How a player is made."""

    made_for: int  # the depth that the player is made for
    estimator: str  # a name in boards/estimators.py; empty for the game's own


@dataclass(frozen=True)
class Played:
    """A call to a player, with the requests and the second player before it."""

    game: str | Facts  # a name in api.GAMES, or the drawing of a tree
    asked: Asked  # the request that is judged
    maker: Maker  # how the player that gets this request is made
    before: tuple[Asked, ...]  # requests that this player gets first
    # How a second player is made, which gets the same request before the first player.
    another: Maker | None

    def game_at(self, asked: Asked) -> tuple[TwoPlayerGame, Any]:
        """The game, and the state that a request is about.

        >>> inputs = {"game": "nim", "position": 6, "player": "MINNIE", "depth": 2}
        >>> played = read_played(inputs)
        >>> played.game_at(played.asked)[1]
        NimState(pieces=6, player=Player.MINNIE)
        """
        mover = Player.MINNIE if asked.player == "MINNIE" else Player.MAXIE
        if not isinstance(self.game, str):
            tree_game = TreeGame(parse_tree(self.game["tree"]), mover)
            return tree_game, tree_game.start()
        game = GAMES[self.game]()
        if self.game == "tic_tac_toe":
            return game, asked.position
        return game, NimState(asked.position, mover)


def read_played(inputs: Facts) -> Played:
    """The call that these inputs describe, with the defaults filled in."""
    asked = _read_request(inputs, inputs)
    depth = asked.depth
    if asked.call != "new":
        depth = max(depth, 1)
    another = None
    if "another" in inputs:
        another = _read_maker(inputs["another"], depth)
    return Played(
        game=inputs["game"],
        asked=asked,
        maker=_read_maker(inputs, depth),
        before=tuple(
            _read_request(request, inputs) for request in inputs.get("before", ())
        ),
        another=another,
    )


def _read_maker(data: Facts, depth: int) -> Maker:
    return Maker(data.get("made_for", depth), data.get("estimator", ""))


def _read_request(request: Facts, inputs: Facts) -> Asked:
    has_state = "position" in request or "player" in request
    state = request if has_state else inputs
    return Asked(
        call=request.get("call", "search"),
        depth=request.get("depth", 0),
        player=state.get("player", "MAXIE"),
        position=state.get("position"),
    )
