"""What a case says of a call to a player (part 4): which game, from where, who moves, how deep.

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

from typing import Any

from api import Player, TwoPlayerGame, parse_tree
from api.games import GAMES
from api.nim import NimState
from boards.estimators import ESTIMATORS
from boards.named import TreeDrawing
from boards.reading import Block
from boards.tree_game import TreeGame

ASKED = ("next_move", "search", "evaluate")
CALLS = ("new", *ASKED)
KEYS_OF_PLAYER_CALLS = {"game", "position", "player", "call", "depth", "made_for", "estimator", "before", "another"}


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
    data |= {"player": _player(call), "position": _position(call, data), "call": _asked(call, CALLS)}
    data["depth"] = _depth(call, data["call"])
    data["made_for"] = call.take("made_for", int, data["depth"] if data["call"] == "new" else max(data["depth"], 1))
    data["estimator"] = _estimator(call)
    for key in ("before", "another"):
        if key in call and data["call"] == "new":
            call.fail(f"`{key}` is for a player that is asked something, not for `call: new`", key)
    if "before" in call:
        data["before"] = [_request(request, call, data) for request in call.take("before", list)]
    if "another" in call:
        data["another"] = _another(call.take("another", Block))
    return data


def _request(request: Any, call: Block, data: dict[str, Any]) -> dict[str, Any]:
    """What a player is asked before the call, with a state of the same game."""
    if not isinstance(request, Block):
        call.fail(f"`before` holds {request!r}; write a list such as [{{call: search, depth: 1}}]", "before")
    asked = _asked(request, ASKED)
    state = set() if data["game"] == "tree" else {"position", "player"}
    request.allow({"call", *state, *({"depth"} if asked != "next_move" else ())})
    found = {"call": asked, "player": data["player"], "position": data["position"]}
    if state & request.keys():
        found |= {"player": _player(request), "position": _position(request, data)}
    return found if asked == "next_move" else {**found, "depth": _depth(request, asked)}


def _another(block: Block) -> dict[str, Any]:
    block.allow({"made_for", "estimator"})
    if block.take("made_for", int) < 1:
        block.fail(f"`made_for` is {block['made_for']}; another player looks 1 move ahead or more", "made_for")
    return {"made_for": block["made_for"], "estimator": _estimator(block)}


def _player(block: Block) -> str:
    player: str = block.take("player", str, "MAXIE")
    if player not in ("MINNIE", "MAXIE"):
        block.fail(f"`player` is {player}; it is MINNIE or MAXIE", "player")
    return player


def _asked(block: Block, allowed: tuple[str, ...]) -> str:
    call: str = block.take("call", str, "search")
    if call not in allowed:
        block.fail(f"`call` is {call}; it is one of {', '.join(allowed)}", "call")
    return call


def _depth(block: Block, asked: str) -> int:
    depth: int = block.take("depth", int)
    if depth < {"next_move": 1, "search": 1, "evaluate": 0}.get(asked, depth):
        block.fail(f"`depth` is {depth}; {asked} takes a higher one", "depth")
    return depth


def _estimator(block: Block) -> str | None:
    name: str | None = block.take("estimator", str, None)
    if name not in (None, *ESTIMATORS):
        block.fail(f"no estimator `{name}`; there are {', '.join(ESTIMATORS)}", "estimator")
    return name


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
