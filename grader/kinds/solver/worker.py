"""In the child: has a game solved, and sends the table of values, or what tells a large
one.
"""

from collections import Counter
from types import ModuleType
from typing import Any

from boards.built import game_of
from boards.graph_games import GraphGame
from grader.calls.encode import VALUES, encode
from grader.calls.written import function_of
from grader.protocol.digests import digest

MOST_LISTED = 100


def call(lab: ModuleType, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """The table of values; of a large one, its totals and its digest."""
    solve = function_of(lab, function)
    game = game_of(inputs["game"])
    table = solve(game)
    if isinstance(game, GraphGame) and issubclass(type(table), dict):
        table = {game.name_of(position): value for position, value in dict.items(table)}
    if not issubclass(type(table), dict) or dict.__len__(table) <= MOST_LISTED:
        return {"value": encode(table)}
    kinds, values = (
        set(map(type, dict.keys(table))),
        Counter(map(id, dict.values(table))),
    )
    if not (kinds <= {int, str} and values.keys() <= VALUES.keys()):
        odd = (
            each
            for each in dict.items(table)
            if type(each[0]) not in (int, str) or id(each[1]) not in VALUES
        )
        return {"value": {"$dict": [list(map(encode, next(odd)))]}}
    totals = {name: values[member] for member, name in VALUES.items()}
    in_order = [
        each
        for kind in (int, str)
        if kind in kinds
        for each in sorted([p for p in table if type(p) is kind])
    ]
    return {
        "totals": totals,
        "digest": digest(
            [f"{position}: {VALUES[id(table[position])]}" for position in in_order]
        ),
    }
