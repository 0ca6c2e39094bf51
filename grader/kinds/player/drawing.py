"""Draws a call to a player, and writes it as Python: how it was made, what it was
asked, and the state of its game.
"""

from api import Over, Player, draw_tree
from boards.played import Asked, Maker, Played, read_played
from boards.tree_game import TreeGame
from grader.bank.cases import Call
from grader.bank.points import Function
from grader.kinds.search.drawing import drawn_here


def signature(call: Call, game: str = "") -> str:
    """The call as a student would write it, on several lines if more than one thing is
    asked.

    `game` is what its game is called there.
    """
    played = read_played(call.inputs)
    game = game or _game(played)
    made = _new_player(call.function, game, played.maker)
    if played.asked.call == "new":
        return made
    if not played.before and not played.another:
        return f"{made}.{_request(played.asked)}"
    lines = [f"player = {made}"]
    if played.another:
        lines.append(f"another = {_new_player(call.function, game, played.another)}")
        lines.append(f"another.{_request(played.asked)}")
    for asked in played.before:
        same = (asked.position, asked.player) == (
            played.asked.position,
            played.asked.player,
        )
        lines.append(
            f"player.{_request(asked, 'state' if same else _state(played, asked))}"
        )
    return "\n".join([*lines, f"player.{_request(played.asked)}"])


def pasted(call: Call) -> str:
    """The call as Python that can be pasted."""
    played = read_played(call.inputs)
    game, imports = _game(played), ["from boards.tree_game import TreeGame, TreeState"]
    if isinstance(played.game, str):
        imports = (
            [] if played.game == "tic_tac_toe" else ["from api.nim import NimState"]
        )
    else:
        imports += drawn_here(played.game)
        game = f"TreeGame({played.game['tree_name']}, Player.{played.asked.player})"
    estimators = [
        maker.estimator
        for maker in (played.maker, played.another)
        if maker and maker.estimator
    ]
    imports += [
        f"from boards.estimators import {estimator}" for estimator in estimators
    ]
    state = (
        [f"state = {_state(played, played.asked)}"]
        if played.asked.call != "new"
        else []
    )
    return "\n".join([*imports, f"game = {game}", *state, signature(call, "game")])


def _state(played: Played, asked: Asked) -> str:
    """A state in Python."""
    if isinstance(played.game, str):
        return repr(played.game_at(asked)[1])
    return f"TreeState({played.game['tree_name']}, Player.{asked.player})"


def draw_state(
    call: Call, answer: object = None, node: tuple[int, ...] = ()
) -> list[str]:
    """The state that the player is asked about, with a mark at a node of a tree;
    nothing if it is only made.
    """
    played = read_played(call.inputs)
    if played.asked.call == "new":
        return []
    game, state = played.game_at(played.asked)
    mover = f"{game.player_to_string(game.player(state))} is to move"
    over = "the game is over" if isinstance(game.status(state), Over) else mover
    lines = [*game.state_to_string(state).splitlines(), over]
    if isinstance(game, TreeGame):
        notes = {node: "<-- here"} if node else None
        lines = draw_tree(state.node, state.player is Player.MAXIE, notes).splitlines()
        lines = [
            *lines,
            "(1 is won for Maxie, -1 for Minnie, 0 is a draw; ~ is what the game guesses)",
        ]
    return [f"  {line}" for line in lines]


def _game(played: Played) -> str:
    tree = "" if isinstance(played.game, str) else played.game["tree_name"]
    return f"{type(played.game_at(played.asked)[0]).__name__}({tree})"


def _new_player(function: Function, game: str, maker: Maker) -> str:
    estimate = f", estimate={maker.estimator}" if maker.estimator else ""
    return f"{function.name}({game}, {maker.made_for}{estimate})"


def _request(asked: Asked, state: str = "state") -> str:
    depth = "" if asked.call == "next_move" else f"{asked.depth}, "
    return f"{asked.call}({depth}{state})"
