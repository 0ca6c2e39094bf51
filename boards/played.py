"""What a case says of a call to a player (part 4): which game, from where, who moves,
how deep.

game: nim                 or very_dumb_nim, tic_tac_toe, {tree: NAME}
position: 6               Nim: pieces; tic-tac-toe: nine of X, O and .; a tree has none, it is the root
player: MINNIE            whose turn it is; MAXIE where it is left out, and not for tic-tac-toe
call: search              or evaluate, next_move, new (the player is only made)
depth: 2                  of the call; next_move and new have that of the player
made_for: 5               the depth the player is made for, where it is another
estimator: corners        the player's own, from boards/estimators.py
before: [{depth: 1}]      what the same player is asked first, each with call, depth (but for next_move),
                          position and player, or without those two the state of the call
another: {made_for: 7}    a second player of the game, made and asked the same before the first one is
                          asked anything; it may have an estimator of its own

Of several answers, the one that is judged is the last.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from api import GAMES, Player, TwoPlayerGame, parse_tree
from api.nim import NimState
from boards.tree_game import TreeGame


@dataclass(frozen=True)
class Asked:
    """What a player is asked, and about which state of its game."""

    call: str
    depth: int
    player: str
    position: Any


@dataclass(frozen=True)
class Maker:
    """How a player is made: for which depth, and with which estimator of its own
    (empty: the game's).
    """

    made_for: int
    estimator: str


@dataclass(frozen=True)
class Played:
    """A call to a player, with all that comes before it."""

    game: str | Mapping[str, Any]
    asked: Asked
    maker: Maker
    before: tuple[Asked, ...]
    another: Maker | None

    def game_at(self, asked: Asked) -> tuple[TwoPlayerGame, Any]:
        """The game, and the state that the player is asked about.

        >>> played = read_played({"game": "nim", "position": 6, "player": "MINNIE", "depth": 2})
        >>> played.game_at(played.asked)[1]
        NimState(pieces=6, player=Player.MINNIE)
        """
        first = Player.MINNIE if asked.player == "MINNIE" else Player.MAXIE
        if not isinstance(self.game, str):
            game = TreeGame(parse_tree(self.game["tree"]), first)
            return game, game.start()
        made = GAMES[self.game]()
        return made, asked.position if self.game == "tic_tac_toe" else NimState(
            asked.position, first
        )


def read_played(inputs: Mapping[str, Any]) -> Played:
    """The call that the inputs stand for, with what they leave out."""
    asked = _asked(inputs, inputs)
    ahead = asked.depth if asked.call == "new" else max(asked.depth, 1)
    before = tuple(_asked(request, inputs) for request in inputs.get("before", ()))
    another = _maker(inputs["another"], ahead) if "another" in inputs else None
    return Played(inputs["game"], asked, _maker(inputs, ahead), before, another)


def _maker(data: Mapping[str, Any], ahead: int) -> Maker:
    return Maker(data.get("made_for", ahead), data.get("estimator", ""))


def _asked(request: Mapping[str, Any], inputs: Mapping[str, Any]) -> Asked:
    state = request if {"position", "player"} & request.keys() else inputs
    player, position = state.get("player", "MAXIE"), state.get("position")
    return Asked(
        request.get("call", "search"), request.get("depth", 0), player, position
    )
