"""In the child: has a game solved, and sends the table of values or its totals."""

from collections import Counter
from types import ModuleType
from typing import Any

from boards.built import game_of
from boards.graph_games import GraphGame
from grader.child.encode import VALUES, encode
from grader.child.written import function_of
from grader.protocol.digests import digest
from grader.protocol.plain import Data

MOST_LISTED = 100  # positions


def call(lab: ModuleType, function: str, inputs: Data) -> Data:
    """Have lab.py solve a game, and return the table of values.

    Of a large table, return only the totals and the digest.  But if a key of a large
    table is neither an int nor a text, or if a value in it is not a Value, return only
    the first such entry.  If lab.py does not return a dict, return what it returned.
    """
    solve = function_of(lab, function)
    game = game_of(inputs["game"])
    table = solve(game)
    if not issubclass(type(table), dict):
        return {"value": encode(table)}
    if isinstance(game, GraphGame):
        table = {game.name_of(position): value for position, value in dict.items(table)}
    if dict.__len__(table) <= MOST_LISTED:
        return {"value": encode(table)}
    names: dict[Any, str] = {}  # the name of the value of each position
    for position, value in dict.items(table):
        if type(position) not in (int, str) or id(value) not in VALUES:
            return {"value": encode({position: value})}
        names[position] = VALUES[id(value)]
    counts = Counter(names.values())
    # Numbers come before texts, because Python cannot compare a number with a text.
    in_order = sorted(names, key=lambda position: (type(position) is str, position))
    lines = [f"{position}: {names[position]}" for position in in_order]
    totals = {name: counts[name] for name in VALUES.values()}
    return {"totals": totals, "digest": digest(lines)}
