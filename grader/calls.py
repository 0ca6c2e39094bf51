"""In the child: builds the arguments of a call from plain data, makes it, and encodes the result.

One function here for each kind of graded function; `CALLS` says which is for which.
"""

import hashlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

from api import (
    AbstractGameState,
    AnytimeValue,
    ConnectFourBoard,
    Game,
    Nim,
    TicTacToe,
    Value,
    as_game_state,
    parse_tree,
    tree_state,
    two_player_state,
)
from boards.estimators import ESTIMATORS
from boards.excerpts import read_excerpt
from boards.graph_games import GraphGame, Staircase
from boards.heuristics import HEURISTICS
from boards.named import BoardDrawing
from boards.player_inputs import build_game
from grader.child.encode import describe_type, encode
from grader.child.recorder import Recorder

MOST_POSITIONS = 1_000
MOST_LISTED = 100
RECORDER = Recorder()  # of all searches of this process

_MakeCall = Callable[[ModuleType, Any, dict[str, Any]], dict[str, Any]]


class NotWritten(Exception):
    """lab.py has no such function any more; the text is its name."""


def make_call(lab: ModuleType, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """Call a function of lab.py once, and return its encoded result (and what was recorded).

    Whatever the student's code raises comes through.
    """
    if function.startswith("ANSWER_"):
        return {"value": encode(getattr(lab, function, None))}
    student_function: Any = getattr(lab, function, None)
    if student_function is None:
        raise NotWritten(function)
    call: _MakeCall = CALLS.get(function, _call_search)
    return call(lab, student_function, inputs)


# --- part 0 --------------------------------------------------------------------------------------


def _explore_zero_by(lab: ModuleType, zero_by: Callable[..., Game], inputs: dict[str, Any]) -> dict[str, Any]:
    """The graph that the student's game leads through, found with its own moves."""
    game = zero_by(inputs["n"], tuple(inputs["removals"]))
    if "another" in inputs:
        zero_by(inputs["another"]["n"], tuple(inputs["another"]["removals"]))
    start = game.start()
    leads_to: dict[Any, list[Any]] = {}
    ends: dict[Any, Any] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if type(position) is not int:
            return {"problem": ["position", describe_type(position)]}
        if position in leads_to or position in ends:
            continue
        if len(leads_to) > MOST_POSITIONS:
            return {"problem": ["endless", encode(position)]}
        value = game.terminal_value(position)
        if value is None:
            moves = game.get_moves(position)
            after = [game.do_move(position, each) for each in moves]
            leads_to[position] = sorted(set(after)) if all(type(next_) is int for next_ in after) else after
            waiting += after
        else:
            ends[position] = value
    return {"start": encode(start), "leads_to": encode(leads_to), "ends": encode(ends)}


def _solve(lab: ModuleType, solve: Callable[[Game], Any], inputs: dict[str, Any]) -> dict[str, Any]:
    """The table of values, or of remoteness where that is asked for; of a large one, its totals and its digest."""
    game = _build_game(inputs["game"])
    if inputs.get("remoteness") and not hasattr(lab, "remoteness"):
        raise NotWritten("remoteness")
    table = lab.remoteness(game) if inputs.get("remoteness") else solve(game)
    if isinstance(game, GraphGame) and issubclass(type(table), dict):
        table = {game.name_of(position): value for position, value in dict.items(table)}
    if not issubclass(type(table), dict) or dict.__len__(table) <= MOST_LISTED:
        return {"value": encode(table)}
    names = {id(member): member.name for member in Value}
    for position, value in dict.items(table):
        if id(value) not in names or type(position) not in (int, str):
            return {"value": {"$dict": [[encode(position), encode(value)]]}, "positions": dict.__len__(table)}
    found = [names[id(value)] for value in dict.values(table)]
    totals = {member.name: found.count(member.name) for member in Value}
    lines = [f"{position}: {names[id(table[position])]}" for position in sorted(table, key=_by_type)]
    return {"totals": totals, "digest": digest(lines)}


def _by_type(position: int | str) -> tuple[str, Any]:
    return type(position).__name__, position


def digest(lines: list[str]) -> str:
    """The SHA-256 of lines in their order, by which a large table is compared.

    >>> digest(["1: WIN", "0: LOSE"]) == digest(["1: WIN", "0: LOSE"])
    True
    """
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _build_game(data: dict[str, Any]) -> Game:
    if "graph" in data:
        return GraphGame(data["graph"], data.get("moves", "list"), data.get("positions", "names"))
    if "chain" in data:
        return Staircase(data["chain"], jumps=False)
    return Staircase(data["staircase"]) if "staircase" in data else TicTacToe()


# --- part 1 --------------------------------------------------------------------------------------


def _call_on_board(lab: ModuleType, function: Callable[..., Any], inputs: dict[str, Any]) -> dict[str, Any]:
    flags = [inputs["maximizer"]] if "maximizer" in inputs else []
    return {"value": encode(function(_build_board(inputs), *flags))}


def _build_board(data: dict[str, Any]) -> ConnectFourBoard:
    return BoardDrawing(tuple(data["board"]), tuple(data["players"])).board()


# --- part 2 --------------------------------------------------------------------------------------


def _call_search(lab: ModuleType, search: Callable[..., Any], inputs: dict[str, Any]) -> dict[str, Any]:
    root = state = build_state(inputs["state"])
    arguments = dict(inputs["arguments"])
    name = arguments.pop("heuristic", None)
    if name:
        arguments["heuristic_fn"] = HEURISTICS[name]
    watched_state = RECORDER.watch(root)
    if watched := inputs.get("watched", True):
        state = watched_state
        if name:
            arguments["heuristic_fn"] = RECORDER.watch_heuristic(HEURISTICS[name])
    result = search(state, **arguments)
    report = RECORDER.report()
    own_default = name is None and "depth_limit" in arguments  # it estimates with a heuristic of its own
    report["watched"] = watched and not own_default
    if issubclass(type(result), AnytimeValue):
        return {"history": [_encode_result(entry, root) for entry in result.history], "record": report}
    return {"result": _encode_result(result, root), "record": report}


def build_state(data: dict[str, Any]) -> AbstractGameState:
    """The state that a search is given, or one equal to it."""
    if "tree" in data:
        return tree_state(parse_tree(data["tree"], data["negates"]))
    if "tic_tac_toe" in data:
        return as_game_state(TicTacToe(), data["tic_tac_toe"])
    if "nim" in data:
        return two_player_state(Nim(data["nim"]))
    board = _build_board(data)
    return read_excerpt(board, data["excerpt"]).state(board)


def _encode_result(result: object, root: AbstractGameState) -> dict[str, Any]:
    """A result (path, score, evaluations), with the path as child indices; or what it is instead."""
    if not issubclass(type(result), (list, tuple)):
        return {"other": encode(result) if result is None else {"$other": describe_type(result)}}
    parts = _items(result)
    if len(parts) != 3:
        return {"length": len(parts)}
    path, score, evaluations = parts
    return {"path": _encode_path(path, root), "score": encode(score), "evaluations": encode(evaluations)}


def _encode_path(path: object, root: AbstractGameState) -> dict[str, Any]:
    """A path as child indices from the root; its states may be the search's own or equal ones."""
    if not issubclass(type(path), (list, tuple)):
        return {"problem": "none" if path is None else "type", "type": describe_type(path)}
    states = _items(path)
    if not states:
        return {"problem": "empty"}
    indices: list[int] = []
    choices = [root]
    for step, state in enumerate(states):
        if not issubclass(type(state), AbstractGameState):
            return {"problem": "not a state", "step": step, "type": describe_type(state)}
        index = next((index for index, choice in enumerate(choices) if _is_same(choice.snapshot, state.snapshot)), None)
        if index is None:
            return {"problem": "not a child" if step else "another root", "step": step}
        indices.append(index)
        choices = choices[index].generate_next_states()
    return {"indices": indices[1:]}


def _items(sequence: Any) -> list[Any]:
    """What a list or a tuple holds, whatever its class says of itself."""
    return list(list.__iter__(sequence) if issubclass(type(sequence), list) else tuple.__iter__(sequence))


def _is_same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) and one == other)


# --- part 4 --------------------------------------------------------------------------------------


def _call_player(lab: ModuleType, player_class: Callable[..., Any], inputs: dict[str, Any]) -> dict[str, Any]:
    """Make a player and ask it, and count the estimates that its last answer takes, the game's and its own.

    Each state is made when the player is asked about it, and gone once it has answered, as in a game.
    """
    game, _ = build_game(inputs)
    estimates = 0

    def counting(estimator: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def estimate(state: Any) -> Any:
            nonlocal estimates
            estimates += 1
            return estimator(state)

        return estimate

    game.estimate = counting(game.estimate)  # type: ignore[assignment, method-assign]

    def make(wanted: dict[str, Any]) -> Any:
        own = [counting(ESTIMATORS[wanted["estimator"]])] if wanted["estimator"] else []
        return player_class(game, wanted["made_for"], *own)

    if inputs["call"] == "new":
        try:
            make(inputs)
        except ValueError:
            return {"refused": True}
        return {"refused": False}
    player = make(inputs)
    if "another" in inputs:
        _ask(make(inputs["another"]), inputs)
    for request in inputs.get("before", ()):
        _ask(player, {**inputs, **request})
    estimates = 0
    value = _ask(player, inputs)
    return {"value": encode(value), "estimates": estimates}


def _ask(player: Any, request: dict[str, Any]) -> Any:
    depth = [] if request["call"] == "next_move" else [request["depth"]]
    return getattr(player, request["call"])(*depth, build_game(request)[1])


CALLS: dict[str, _MakeCall] = {
    "ZeroBy": _explore_zero_by,
    "solve": _solve,
    **dict.fromkeys(
        (
            "is_game_over_connectfour",
            "next_boards_connectfour",
            "endgame_score_connectfour",
            "endgame_score_connectfour_faster",
            "heuristic_connectfour",
        ),
        _call_on_board,
    ),
    "MinimaxPlayer": _call_player,
}
