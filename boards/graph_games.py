"""Games for `solve` that are data: a drawn graph of positions, and a staircase or a
chain of any length.

    top -> left right     from `top` the mover may go to `left` or to `right`
    left = LOSE           the game is over at `left`, and lost for whoever is to move there

The first line is the start.
"""

from collections.abc import Callable, Iterable
from typing import Any

from api import Game, Value

# The forms in which a game may give its moves; a generator can be gone through once.
MOVES: dict[str, Callable[[range], Iterable[int]]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "range": lambda moves: moves,
    "generator": lambda moves: (move for move in moves),
}


class GraphGame(Game):
    """A game drawn as a graph, finite and without cycles; a move is the index of an
    arrow.

    `moves` is a form of MOVES.  `positions` are `names`; or `tuples` that hold a name
    and are made anew each time, equal to the one before, and another object; or
    `numbers`: 0 is the last line, then come -1 and -2, and then even numbers upwards.

    >>> game = GraphGame("top -> left right\\nleft = LOSE\\nright -> left")
    >>> [game.do_move("top", move) for move in game.get_moves("top")]
    ['left', 'right']
    >>> GraphGame("only = TIE", positions="tuples").start(), GraphGame("only = TIE", positions="numbers").start()
    (('only',), 0)
    """

    def __init__(
        self, drawing: str, moves: str = "list", positions: str = "names"
    ) -> None:
        self._form, self._positions = MOVES[moves], positions
        lines = [line.split() for line in drawing.splitlines()]
        self._names = [name for name, *_ in lines]
        self._arrows = {name: after for name, sign, *after in lines if sign == "->"}
        self._ends = {
            name: Value(value) for name, sign, value, *_ in lines if sign == "="
        }
        self._known = {self._position(name): name for name in self._names}

    def start(self) -> Any:
        return self._position(self._names[0])

    def get_moves(self, position: Any) -> Iterable[int]:
        return self._form(range(len(self._arrows.get(self.name_of(position), []))))

    def do_move(self, position: Any, move: int) -> Any:
        return self._position(self._arrows[self.name_of(position)][move])

    def terminal_value(self, position: Any) -> Value | None:
        return self._ends.get(self.name_of(position))

    def name_of(self, position: Any) -> Any:
        """What the drawing calls a position of the game; a text that is none in quotes,
        and anything else as it is.
        """
        if type(position) is str and position not in self._known:
            return repr(position)
        return (
            self._known.get(position, position)
            if type(position) in (str, int, tuple)
            else position
        )

    def _position(self, name: str) -> Any:
        lines_below = len(self._names) - 1 - self._names.index(name)
        number = -lines_below if lines_below < 3 else 2 * lines_below
        return {"names": name, "tuples": (name,), "numbers": number}[self._positions]


class Staircase(Game):
    """From step n a player goes down one step, or to step n // 2.  Who stands on step 0
    has lost.

    Without `jumps` it is a plain chain: each step leads to the next one only.

    >>> game = Staircase(10)
    >>> [game.do_move(10, move) for move in game.get_moves(10)]
    [9, 5]
    """

    def __init__(self, steps: int, jumps: bool = True) -> None:
        self._steps = steps
        self._jumps = jumps

    def start(self) -> int:
        return self._steps

    def get_moves(self, position: int) -> list[str]:
        return (
            ["step", "jump"]
            if position > 1 and self._jumps
            else ["step"] * (position > 0)
        )

    def do_move(self, position: int, move: str) -> int:
        return position - 1 if move == "step" else position // 2

    def terminal_value(self, position: int) -> Value | None:
        return None if position else Value.LOSE
