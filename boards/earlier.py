"""Which earlier functions a graded function may well call, and the excerpt of Connect Four that a call carries.

Where an earlier function is wrong, the later one that rightly calls it is looked at with the asked
answers in its place (grader/stand_ins.py): of Connect Four's rules they come from an excerpt, of
alpha-beta from what progressive deepening is expected to find.
"""

from typing import Any

from boards.excerpts import name_of_excerpt, read_excerpt
from boards.inputs import SEARCHES
from boards.named import BoardDrawing
from boards.reading import Block

RULES = ("is_game_over_connectfour", "next_boards_connectfour", "endgame_score_connectfour")

EARLIER: dict[str, tuple[str, ...]] = {
    "next_boards_connectfour": RULES[:1],
    "endgame_score_connectfour": RULES[:2],
    "endgame_score_connectfour_faster": RULES,
    "heuristic_connectfour": RULES,
    "progressive_deepening": ("minimax_search_alphabeta",),
}

WHOLE_GAME = 42
_OF_PART_1 = (*RULES, "endgame_score_connectfour_faster", "heuristic_connectfour")


def callable_from(function: str) -> tuple[str, ...]:
    """The other graded functions that this one may call, in their order: those of its part.

    >>> callable_from("minimax_endgame_search")[:2], callable_from("solve")
    (('dfs_maximizing', 'minimax_search'), ())
    """
    family = next((names for names in (_OF_PART_1, SEARCHES) if function in names), ())
    return tuple(name for name in family if name != function)


def wanted_excerpt(function: str, inputs: dict[str, Any]) -> tuple[BoardDrawing, int] | None:
    """The board from which a call needs an excerpt, and how many plies of it; None where it needs none."""
    board = inputs.get("state", inputs)
    if "board" not in board or not (function in SEARCHES or function in EARLIER):
        return None
    return BoardDrawing(tuple(board["board"]), tuple(board["players"])), WHOLE_GAME if function in SEARCHES else 1


def excerpt_for(function: str, inputs: dict[str, Any], call: Block, excerpts: Block) -> str:
    """The excerpt that a call needs; empty where it needs none.  BadFile where it is missing or wrong."""
    wanted = wanted_excerpt(function, inputs)
    if wanted is None:
        return ""
    drawing, plies = wanted
    name = name_of_excerpt(drawing.rows)
    if name not in excerpts:
        call.fail(f"there is no excerpt of the game from {name}; `make expectations` makes it")
    text: str = excerpts.take(name, str)
    try:
        excerpt = read_excerpt(drawing.board(), text)
    except ValueError as error:
        excerpts.fail(f"{error}; take this line away, and `make expectations` makes it anew", name)
    if plies == WHOLE_GAME and not excerpt.is_whole:
        excerpts.fail("it ends too soon; take this line away, and `make expectations` makes it anew", name)
    return text
