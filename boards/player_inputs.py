"""What a case says of a call to a player (part 4): which game, from where, who moves, how deep.

game: nim                 or very_dumb_nim, tic_tac_toe, {tree: NAME}
position: 6               Nim: pieces; tic-tac-toe: nine of X, O and .; a tree has none, it is the root
player: MINNIE            whose turn it is; MAXIE where it is left out, and not for tic-tac-toe
call: search              or evaluate, next_move, new (the player is only made)
depth: 2                  of the call; next_move and new have that of the player
made_for: 5               the depth the player is made for, where it is another
estimator: corners        the player's own, from boards/estimators.py
"""

from typing import Any

from api import Player, TwoPlayerGame, parse_tree
from api.games import GAMES
from api.nim import NimState
from boards.estimators import ESTIMATORS
from boards.named import TreeDrawing
from boards.reading import Block
from boards.tree_game import TreeGame

CALLS = ("new", "next_move", "search", "evaluate")
KEYS_OF_PLAYER_CALLS = {"game", "position", "player", "call", "depth", "made_for", "estimator"}


def read_player_call(call: Block, trees: dict[str, TreeDrawing]) -> dict[str, Any]:
    """The inputs of a call as plain data.  Raises BadFile."""
    game = call.take("game", (str, Block))
    data: dict[str, Any] = {"game": game if isinstance(game, str) else "tree"}
    if isinstance(game, Block):
        game.allow({"tree"})
        name = game.take("tree", str)
        if name not in trees:
            game.fail(f"no tree is named `{name}`; draw it in boards/trees.yaml", "tree")
        data |= {"tree": trees[name].outline, "tree_name": name}
    elif game not in GAMES:
        call.fail(f"no game `{game}`; there are {', '.join(GAMES)} and {{tree: NAME}}", "game")
    data["player"] = call.take("player", str, "MAXIE")
    if data["player"] not in ("MINNIE", "MAXIE"):
        call.fail(f"`player` is {data['player']}; it is MINNIE or MAXIE", "player")
    data["position"] = _position(call, data)
    data["call"] = call.take("call", str, "search")
    if data["call"] not in CALLS:
        call.fail(f"`call` is {data['call']}; it is one of {', '.join(CALLS)}", "call")
    data["depth"] = call.take("depth", int)
    if data["depth"] < {"next_move": 1, "search": 1, "evaluate": 0}.get(data["call"], data["depth"]):
        call.fail(f"`depth` is {data['depth']}; {data['call']} takes a higher one", "depth")
    data["made_for"] = call.take("made_for", int, data["depth"] if data["call"] == "new" else max(data["depth"], 1))
    data["estimator"] = call.take("estimator", str, None)
    if data["estimator"] not in (None, *ESTIMATORS):
        call.fail(f"no estimator `{data['estimator']}`; there are {', '.join(ESTIMATORS)}", "estimator")
    return data


def _position(call: Block, data: dict[str, Any]) -> Any:
    if data["game"] == "tree":
        if "position" in call:
            call.fail("a tree is played from its root; leave `position` out", "position")
        return None
    if data["game"] == "tic_tac_toe":
        position = call.take("position", str)
        crosses, noughts = position.count("X"), position.count("O")
        if len(position) != 9 or set(position) - set("XO.") or crosses - noughts not in (0, 1) or "player" in call:
            call.fail(f"{position!r} is no position: nine of `X`, `O` and `.`, X first; without `player`", "position")
        return position
    if call.take("position", int) < 0:
        call.fail(f"`position` is {call['position']}; it is a number of pieces", "position")
    return call["position"]


def read_estimate(block: Block) -> None:
    """Check an expected estimate: {sure: MAXIE}, {sure: MINNIE}, {sure: DRAW} or {guess: 3}."""
    block.allow({"sure", "guess"})
    if len(block) != 1:
        block.fail("an estimate is {sure: MAXIE}, {sure: MINNIE}, {sure: DRAW} or {guess: NUMBER}")
    if "guess" in block:
        block.take("guess", (int, float))
    elif block.take("sure", str) not in ("MAXIE", "MINNIE", "DRAW"):
        block.fail(f"`sure` is {block['sure']}; it is MAXIE, MINNIE or DRAW", "sure")


def build_game(data: dict[str, Any]) -> tuple[TwoPlayerGame, Any]:
    """The game and the state that such data stands for.

    >>> build_game({"game": "nim", "position": 6, "player": "MINNIE"})[1]
    NimState(pieces=6, player=Player.MINNIE)
    """
    first = Player.MINNIE if data["player"] == "MINNIE" else Player.MAXIE
    if data["game"] == "tree":
        game = TreeGame(parse_tree(data["tree"]), first)
        return game, game.start()
    position = data["position"]
    return GAMES[data["game"]](), position if data["game"] == "tic_tac_toe" else NimState(position, first)
