"""What a case may say of one call, function by function: what goes in, and what is expected.

The inputs are turned into plain data here (a board's rows, a tree's outline), since plain data is
all that goes down the pipe to a student's code.  The expectations never do.
"""

import functools
import math
import re
from typing import Any

from api import INF, Value, parse_tree
from boards.graph_games import MOVES, POSITIONS
from boards.heuristics import HEURISTICS
from boards.named import BoardDrawing, TreeDrawing, read_board, read_boards, read_games, read_trees
from boards.player_inputs import KEYS_OF_PLAYER_CALLS, read_estimate, read_player_call
from boards.reading import Block

SEARCHES = (
    "dfs_maximizing",
    "minimax_endgame_search",
    "minimax_search",
    "minimax_search_alphabeta",
    "progressive_deepening",
)

_RESULT = frozenset({"path", "score", "evaluations"})
_BOUNDS = ({"at_least"}, {"at_most"}, {"between"})

EXPECTATIONS: dict[str, tuple[frozenset[str] | set[str], ...]] = {
    "ZeroBy": ({"start", "leads_to", "ends"},),
    "solve": ({"values"}, {"moves"}, {"totals", "digest"}),
    "make_run": ({"stdout"}, {"lines", "digest"}),
    "is_game_over_connectfour": ({"value"},),
    "next_boards_connectfour": ({"columns"},),
    "endgame_score_connectfour": ({"score"},),
    "endgame_score_connectfour_faster": _BOUNDS,
    "heuristic_connectfour": _BOUNDS,
    "dfs_maximizing": (_RESULT,),
    "minimax_endgame_search": (_RESULT,),
    "minimax_search": (_RESULT,),
    "minimax_search_alphabeta": (
        _RESULT | {"unpruned"},
        {"at_most", "evaluations", "unpruned"},
        {"at_least", "evaluations", "unpruned"},
    ),
    "progressive_deepening": ({"history"}, {"last"}),
    **{f"ANSWER_{n}": ({"salt", "digest", "explanation"},) for n in (1, 2, 3, 4)},
    "MinimaxPlayer": ({"refused"}, {"move", "estimates"}, {"move", "estimate", "estimates"}, {"estimate", "estimates"}),
}

_TYPES: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("score", "at_least", "at_most"), (int, float)),
    **dict.fromkeys(("evaluations", "unpruned", "start", "lines", "estimates"), int),
    **dict.fromkeys(("stdout", "digest", "salt", "explanation"), str),
    **dict.fromkeys(("leads_to", "ends", "values", "moves", "totals", "last", "estimate"), Block),
    **dict.fromkeys(("path", "columns", "history", "between"), list),
    **dict.fromkeys(("value", "refused"), bool),
    "move": (int, str),
}

_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "dfs_maximizing": (),
    "minimax_endgame_search": ("maximize",),
    "minimax_search": ("maximize", "depth_limit", "heuristic"),
    "minimax_search_alphabeta": ("maximize", "depth_limit", "heuristic", "alpha", "beta"),
    "progressive_deepening": ("maximize", "depth_limit", "heuristic", "time_limit"),
}

_TYPES_OF_ARGUMENTS: dict[str, type | tuple[type, ...]] = {
    "maximize": bool,
    "depth_limit": (int, float),
    "alpha": (int, float),
    "beta": (int, float),
    "heuristic": str,
    "time_limit": (int, float),
}

_INFINITIES = {"INF": INF, "-INF": -INF}


class InputReader:
    """Reads the calls of a case; `boards`, `trees` and `games` are looked up by name."""

    def __init__(self) -> None:
        self.boards: dict[str, BoardDrawing] = read_boards()
        self.trees: dict[str, TreeDrawing] = read_trees()
        self.games: dict[str, str] = read_games()

    def inputs(self, function: str, call: Block) -> tuple[set[str], dict[str, Any]]:
        """The keys that this function's calls use, and its inputs as plain data."""
        if function in SEARCHES:
            state, arguments = call.take("state", Block), call.take("arguments", Block, Block(call.file, call.line))
            given = _arguments(arguments, _ARGUMENTS[function])
            inputs: dict[str, Any] = {"state": self._state(state), "arguments": given}
            if not call.take("watched", bool, True):  # then nothing keeps snapshots alive but the search itself
                inputs["watched"] = False
            return {"state", "arguments", "watched"}, inputs
        if function in EXPECTATIONS and function.endswith(("connectfour", "connectfour_faster")):
            inputs = self._board(call)
            if "score" in function or "heuristic" in function:
                inputs["maximizer"] = call.take("maximizer", bool)
                return {"board", "maximizer"}, inputs
            return {"board"}, inputs
        if function == "ZeroBy":
            inputs = _zero_by(call)
            if "another" in call:  # a second game, made before the first one is asked anything
                another = call.take("another", Block)
                another.allow({"n", "removals"})
                inputs["another"] = _zero_by(another)
            return {"n", "removals", "another"}, inputs
        if function == "solve":
            inputs = {"game": self._game(call.take("game", Block))}
            if call.take("remoteness", bool, False):
                inputs["remoteness"] = True
            return {"game", "remoteness"}, inputs
        if function == "MinimaxPlayer":
            return KEYS_OF_PLAYER_CALLS, read_player_call(call, self.trees)
        if function == "make_run":
            through = call.take("through", str, "program")
            if through not in ("make", "program"):
                call.fail(f"`through` is {through!r}; it is `make` or `program`", "through")
            return {"command", "through"}, {"command": call.take("command", str), "through": through}
        return set(), {}

    def _board(self, block: Block) -> dict[str, Any]:
        """A board by name, or drawn on the spot as a block of rows."""
        value = block.take("board", str)
        if "." in value or "\n" in value:
            drawn = Block(block.file, block.lines["board"])
            drawn["rows"] = value
            drawing = read_board(drawn, "this board")
        else:
            drawing = _look_up(self.boards, value, "board", block)
        return {"board": list(drawing.rows), "players": list(drawing.players)}

    def _state(self, block: Block) -> dict[str, Any]:
        block.allow({"tree", "board", "tic_tac_toe", "nim"})
        if len(block) != 1:
            block.fail("`state` is one of {tree: NAME}, {board: NAME}, {tic_tac_toe: POSITION} and {nim: PIECES}")
        if "tree" in block:
            tree = _look_up(self.trees, block.take("tree", str), "tree", block)
            return {"tree": tree.outline, "negates": tree.negates}
        if "tic_tac_toe" in block:
            position = block.take("tic_tac_toe", str)
            crosses, noughts = position.count("X"), position.count("O")
            if len(position) != 9 or set(position) - set("XO.") or crosses - noughts not in (0, 1):
                block.fail(f"{position!r} is no position: nine of `X`, `O` and `.`, X first", "tic_tac_toe")
            return {"tic_tac_toe": position}
        if "nim" in block:
            if block.take("nim", int) < 1:
                block.fail(f"`nim` is a number of pieces, 1 or more, not {block['nim']}", "nim")
            return {"nim": block["nim"]}
        return self._board(block)

    def _game(self, block: Block) -> dict[str, Any]:
        """A game for `solve`; a drawn one may give its moves and its positions in another form."""
        block.allow({*_GAMES, "moves", "positions"})
        kinds = block.keys() & _GAMES
        if len(kinds) != 1:
            block.fail("`game` is one of {graph: NAME}, {staircase: STEPS}, {chain: STEPS} and {tic_tac_toe: true}")
        if "graph" not in block and len(block) > 1:
            block.fail("`moves` and `positions` are for a game that is drawn as a graph")
        for key in kinds & {"staircase", "chain"}:
            if block.take(key, int) < 1:
                block.fail(f"`{key}` is a whole number of 1 or more, not {block[key]}", key)
            return {key: block[key]}
        if "tic_tac_toe" in block:
            return {"tic_tac_toe": block.take("tic_tac_toe", bool)}
        game: dict[str, Any] = {"graph": _look_up(self.games, block.take("graph", str), "graph", block)}
        if block.take("moves", str, "list") not in MOVES:
            block.fail(f"`moves` is {block['moves']}; it is one of {', '.join(MOVES)}", "moves")
        if block.take("positions", str, "names") not in POSITIONS:
            block.fail(f"`positions` is {block['positions']}; it is one of {', '.join(POSITIONS)}", "positions")
        return game | {key: block[key] for key in ("moves", "positions") if key in block}


def _zero_by(block: Block) -> dict[str, Any]:
    removals = [n for n in block.take("removals", list) if type(n) is int and n > 0]
    if removals != block["removals"] or not removals:
        block.fail("`removals` is a list of positive whole numbers", "removals")
    if block.take("n", int) < 1:
        block.fail(f"`n` is a whole number of 1 or more, not {block['n']}", "n")
    return {"n": block["n"], "removals": removals}


def read_expectation(function: str, call: Block, inputs: dict[str, Any]) -> dict[str, Any]:
    """The `expect` of a call.  BadFile where it is missing or does not fit the function."""
    if "expect" not in call:
        call.fail("there is no `expect`; `make expectations` fills it in from the model solution")
    expect: Block = call.take("expect", Block)
    given = set(expect) - {"by_hand"}
    if given not in EXPECTATIONS[function]:
        choices = " or ".join(f"{{{', '.join(sorted(keys))}}}" for keys in EXPECTATIONS[function])
        expect.fail(f"`expect` holds {{{', '.join(sorted(given))}}}, but {function} is judged by {choices}")
    for key in given:
        expect.take(key, _TYPES[key])
    _check_numbers(expect)
    if "estimate" in given:
        read_estimate(expect["estimate"])
    if "values" in given and "graph" in inputs["game"]:
        _check_values(expect["values"], inputs["game"]["graph"])
    if ("moves" in given) != ("remoteness" in inputs):
        expect.fail("a case that asks for remoteness is judged by {moves}, and no other is")
    for entry in expect.get("history", ()):
        if not isinstance(entry, Block) or set(entry) != _RESULT:
            expect.fail("`history` is a list of {path, score, evaluations}", "history")
    for entry in (expect, *expect.get("history", ()), expect.get("last", {})):
        if "path" in entry and not _leads_down(inputs["state"], entry["path"]):
            expect.fail(f"there is no such path as {entry['path']}: child indices, from 0, from the root", "path")
    return {key: _plain(value) for key, value in expect.items() if key != "by_hand"}


def _check_numbers(expect: Block) -> None:
    """Counts are not negative, scores are numbers, and bounds are two of them, the lower first."""
    for key in ("evaluations", "unpruned", "lines", "estimates"):
        if expect.get(key, 0) < 0:
            expect.fail(f"`{key}` is {expect[key]}; it is 0 or more", key)
    for key in ("score", "at_least", "at_most"):
        if not math.isfinite(expect.get(key, 0)):
            expect.fail(f"`{key}` is {expect[key]}; a finite number is wanted", key)
    bounds = expect.get("between", [0, 1])
    if len(bounds) != 2 or not all(type(bound) in (int, float) for bound in bounds) or not bounds[0] < bounds[1]:
        expect.fail("`between` is two numbers, the lower first, such as [-1000, 1000]", "between")
    if any(type(column) is not int or not 0 <= column < 7 for column in expect.get("columns", ())):
        expect.fail("`columns` are whole numbers from 0 to 6", "columns")


def _check_values(values: Block, drawing: str) -> None:
    """Every position is one of the drawing, and every value a Value."""
    for position, value in values.items():
        if not re.search(rf"^{re.escape(position)}\b", drawing, re.MULTILINE):
            values.fail(f"the game has no position `{position}`", position)
        if value not in Value.__members__:
            values.fail(f"`{value}` is no value: WIN, TIE or LOSE", position)


def _leads_down(state: dict[str, Any], path: list[Any]) -> bool:
    """Whether these child indices lead down a drawn tree; of other games only the form is known."""
    node = _parse(state["tree"], state["negates"]) if "tree" in state and path else None
    for index in path:
        if type(index) is not int or index < 0 or (node and index >= len(node.children)):
            return False
        node = node and node.children[index]
    return True


_parse = functools.lru_cache(parse_tree)


def _arguments(block: Block, allowed: tuple[str, ...]) -> dict[str, Any]:
    block.allow(allowed)
    arguments: dict[str, Any] = dict(block)
    for key, value in block.items():
        if _TYPES_OF_ARGUMENTS[key] is not bool and isinstance(value, str) and value in _INFINITIES:
            arguments[key] = _INFINITIES[value]
        else:
            block.take(key, _TYPES_OF_ARGUMENTS[key])
    limit = arguments.get("depth_limit", 0)
    if limit != INF and (type(limit) is not int or limit < 0):
        block.fail(f"`depth_limit` is {limit}; it is a whole number of 0 or more, or INF", "depth_limit")
    if arguments.get("heuristic", "always_zero") not in HEURISTICS:
        block.fail(f"no heuristic `{arguments['heuristic']}`; there are {', '.join(HEURISTICS)}", "heuristic")
    if arguments.get("alpha", -INF) >= arguments.get("beta", INF):
        block.fail("alpha is not below beta, so the window is empty", "alpha")
    return arguments


def _look_up(named: dict[str, Any], name: str, kind: str, block: Block) -> Any:
    if name not in named:
        block.fail(f"no {kind} is named `{name}`; draw it in boards/{_FILES[kind]}", kind)
    return named[name]


_GAMES = frozenset({"graph", "staircase", "chain", "tic_tac_toe"})
_FILES = {"board": "boards.yaml", "tree": "trees.yaml", "graph": "games.yaml"}


def _plain(value: Any) -> Any:
    """Blocks as ordinary dicts, all the way down."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
