"""Draws the state that a player is asked about, and writes the call as Python."""

from api import Over, Player, draw_tree
from boards.played import Asked, Maker, Played, read_played
from boards.tree_game import TreeGame
from grader.bank.cases import Call
from grader.bank.points import Function
from grader.kinds.kind import Place
from grader.kinds.search.drawing import lines_of_tree
from grader.verdicts.verdict import HERE


def signature(call: Call, game: str = "") -> str:
    """Return the call as a student would write it.

    The text has several lines if the player gets several requests, or if there is a
    second player.  `game` is the name of the variable that holds the game.  If the name
    is empty, the text makes the game wherever it needs the game.
    """
    played = read_played(call.inputs)
    game = game or _game(played)
    made = _new_player(call.function, game, played.maker)
    asked = played.asked
    if asked.call == "new":
        return made
    if not played.before and not played.another:
        return f"{made}.{_request(asked)}"
    lines = [f"player = {made}"]
    if played.another:
        lines.append(f"another = {_new_player(call.function, game, played.another)}")
        lines.append(f"another.{_request(asked)}")
    for earlier in played.before:
        state = _state(played, earlier)
        if (earlier.position, earlier.player) == (asked.position, asked.player):
            state = "state"
        lines.append(f"player.{_request(earlier, state)}")
    return "\n".join([*lines, f"player.{_request(asked)}"])


def _game(played: Played) -> str:
    game, _ = played.game_at(played.asked)
    tree = "" if isinstance(played.game, str) else played.game["tree_name"]
    return f"{type(game).__name__}({tree})"


def _new_player(function: Function, game: str, maker: Maker) -> str:
    estimate = f", estimate={maker.estimator}" if maker.estimator else ""
    return f"{function.name}({game}, {maker.made_for}{estimate})"


def _request(asked: Asked, state: str = "state") -> str:
    depth = "" if asked.call == "next_move" else f"{asked.depth}, "
    return f"{asked.call}({depth}{state})"


def _state(played: Played, asked: Asked) -> str:
    """Return the state that a request is about, as Python."""
    if isinstance(played.game, str):
        return repr(played.game_at(asked)[1])
    return f"TreeState({played.game['tree_name']}, Player.{asked.player})"


def pasted(call: Call) -> str:
    """Return the call as Python that a student can paste."""
    played = read_played(call.inputs)
    lines, game = _written_game(played)
    lines.append(f"game = {game}")
    if played.asked.call != "new":
        lines.append(f"state = {_state(played, played.asked)}")
    return "\n".join([*lines, signature(call, "game")])


def _written_game(played: Played) -> tuple[list[str], str]:
    """Return the Python for a game: the lines that must come first, and the expression
    for the game.
    """
    if isinstance(played.game, str):
        return [], _game(played)
    game = f"TreeGame({played.game['tree_name']}, Player.{played.asked.player})"
    return lines_of_tree(played.game), game


def draw_state(call: Call, answer: object, place: Place) -> list[str]:
    """Draw the state that the player is asked about.  Draw nothing if the case only
    makes a player.

    If `place` is below the root of a tree, the node at `place` gets a mark.
    """
    played = read_played(call.inputs)
    if played.asked.call == "new":
        return []
    game, state = played.game_at(played.asked)
    if isinstance(game, TreeGame):
        notes = {place: HERE} if place else None
        drawn = draw_tree(state.node, state.player is Player.MAXIE, notes)
        last = (
            "(above 0: Maxie has won; below 0: Minnie has won; 0: a draw; ~: a guess)"
        )
    else:
        drawn = game.state_to_string(state)
        last = "the game is over"
        if not isinstance(game.status(state), Over):
            last = f"{game.player_to_string(game.player(state))} is to move"
    return [f"  {line}" for line in [*drawn.splitlines(), last]]
