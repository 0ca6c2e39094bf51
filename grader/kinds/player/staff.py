"""How cases of a player are written (boards/played.py says what a call may hold).  Never ships."""

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

from api.games import GAMES
from boards.estimators import ESTIMATORS
from boards.points import Function
from grader.kinds.player.answer import Made
from staff.strict.kind import Ask, Names, Types, Writing
from staff.strict.reading import Block

ASKED = ("next_move", "search", "evaluate")
CALLS = ("new", *ASKED)
_LEAST_DEPTH = {"next_move": 1, "search": 1, "evaluate": 0}
_KEYS = {"game", "position", "player", "call", "depth", "made_for", "estimator", "before", "another"}
_SIDES = ("MINNIE", "MAXIE")


class PlayerCases(Writing):
    """A `game`, a state of it, what is asked, and what the same player or another one is asked before."""

    types: ClassVar[Types] = {"estimates": int, "estimate": Block, "refused": bool, "move": (int, str)}

    def check(self, function: Function, call: Block, names: Names) -> set[str]:
        game = call.take("game", (str, Block))
        if isinstance(game, Block):
            game.allow({"tree"})
            names.look_up(game, "tree")
        elif game not in GAMES:
            call.fail(f"no game `{game}`; there are {', '.join(GAMES)} and {{tree: NAME}}", "game")
        _check_state(call, game)
        asked = _check_request(call, CALLS, needs_depth=True)
        call.take("made_for", int, 1)
        _check_estimator(call)
        for key in ("before", "another"):
            if key in call and asked == "new":
                call.fail(f"`{key}` is for a player that is asked something, not for `call: new`", key)
        for request in call.take("before", list, []):
            _check_earlier(request, call, game)
        if "another" in call:
            _check_another(call.take("another", Block))
        return _KEYS

    def expectations(self, function: Function) -> tuple[set[str], ...]:
        answers: tuple[set[str], ...] = ({"move"}, {"move", "estimate"}, {"estimate"})
        return ({"refused"}, *(keys | {"estimates"} for keys in answers))

    def check_expectation(self, function: Function, expect: Block, inputs: Mapping[str, Any]) -> None:
        if expect.get("estimates", 0) < 0:
            expect.fail(f"`estimates` is {expect['estimates']}; it is 0 or more", "estimates")
        if "estimate" in expect:
            _check_estimate(expect["estimate"])

    def fill(self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
        answer = ask(function.name, inputs)
        if isinstance(answer, Made):
            return {"refused": answer.refused}
        value, estimates = answer.value, {"estimates": answer.estimates}
        asked = inputs.get("call", "search")
        if asked == "next_move":
            return {"move": value, **estimates}
        if asked == "evaluate":
            return {"estimate": value["$estimate"], **estimates}
        return {"move": value[0], "estimate": value[1]["$estimate"], **estimates}


def _check_request(block: Block, allowed: Collection[str], needs_depth: bool) -> str:
    """Check what a player is asked, and how deep; which it is."""
    asked: str = block.take("call", str, "search")
    if asked not in allowed:
        block.fail(f"`call` is {asked}; it is one of {', '.join(allowed)}", "call")
    if needs_depth:
        depth: int = block.take("depth", int)
        if depth < _LEAST_DEPTH.get(asked, depth):
            block.fail(f"`depth` is {depth}; {asked} takes a higher one", "depth")
    return asked


def _check_earlier(request: Any, call: Block, game: Any) -> None:
    """What a player is asked before the call, with a state of the same game."""
    if not isinstance(request, Block):
        call.fail(f"`before` holds {request!r}; write a list such as [{{call: search, depth: 1}}]", "before")
    asked = _check_request(request, ASKED, needs_depth=request.get("call") != "next_move")
    state = set() if isinstance(game, Block) else {"position", "player"}
    request.allow({"call", *state, *({"depth"} if asked != "next_move" else ())})
    if state & request.keys():
        _check_state(request, game)


def _check_another(block: Block) -> None:
    block.allow({"made_for", "estimator"})
    if block.take("made_for", int) < 1:
        block.fail(f"`made_for` is {block['made_for']}; another player looks 1 move ahead or more", "made_for")
    _check_estimator(block)


def _check_estimator(block: Block) -> None:
    if "estimator" in block and block.take("estimator", str) not in ESTIMATORS:
        block.fail(f"no estimator `{block['estimator']}`; there are {', '.join(ESTIMATORS)}", "estimator")


def _check_state(block: Block, game: Any) -> None:
    if block.take("player", str, "MAXIE") not in _SIDES:
        block.fail(f"`player` is {block['player']}; it is MINNIE or MAXIE", "player")
    if isinstance(game, Block):
        if "position" in block:
            block.fail("a tree is played from its root; leave `position` out", "position")
    elif game == "tic_tac_toe":
        position = block.take("position", str)
        crosses, noughts = position.count("X"), position.count("O")
        if len(position) != 9 or set(position) - set("XO.") or crosses - noughts not in (0, 1) or "player" in block:
            block.fail(f"{position!r} is no position: nine of `X`, `O` and `.`, X first; without `player`", "position")
    elif block.take("position", int) < 0:
        block.fail(f"`position` is {block['position']}; it is a number of pieces", "position")


def _check_estimate(block: Block) -> None:
    """An estimate is {sure: MAXIE}, {sure: MINNIE}, {sure: DRAW} or {guess: 3}."""
    block.allow({"sure", "guess"})
    if len(block) != 1:
        block.fail("an estimate is {sure: MAXIE}, {sure: MINNIE}, {sure: DRAW} or {guess: NUMBER}")
    if "guess" in block:
        block.take("guess", (int, float))
    elif block.take("sure", str) not in (*_SIDES, "DRAW"):
        block.fail(f"`sure` is {block['sure']}; it is MAXIE, MINNIE or DRAW", "sure")


WRITING = PlayerCases()
