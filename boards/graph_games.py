"""Games for `solve` that are built from data: a drawn graph, and a staircase.

A drawing has one line for each position, and the first line is the start:

    top -> left right     from `top` the player may move to `left` or to `right`
    left = LOSE           at `left` the game is over, and the player to move has lost
"""

from collections.abc import Callable, Iterable
from typing import Any

from api import Game, Value

# The kinds of collection in which a game may return its moves.  A program can loop over
# a generator only once.
MOVES: dict[str, Callable[[range], Iterable[int]]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "range": lambda moves: moves,
    "generator": lambda moves: (move for move in moves),
}


class GraphGame(Game):
    """A game drawn as a finite graph without cycles.

    A move is the number of an arrow, counted from 0.  `moves` is a key of MOVES.
    `positions` says what a position looks like:

        names      its name in the drawing
        tuples     a tuple that holds this name; the game makes a new tuple each time
        numbers    a number: 0 for the last line of the drawing, -1 and -2 for the two
                   lines above it, then 6, 8, 10, ...

    >>> game = GraphGame("top -> left right\\nleft = LOSE\\nright -> left")
    >>> [game.do_move("top", move) for move in game.get_moves("top")]
    ['left', 'right']
    >>> GraphGame("only = TIE", positions="tuples").start()
    ('only',)
    >>> GraphGame("only = TIE", positions="numbers").start()
    0
    """

    def __init__(
        self, drawing: str, moves: str = "list", positions: str = "names"
    ) -> None:
        self._form = MOVES[moves]
        self._positions = positions
        self._names: list[str] = []
        # The positions that each position in play leads to, by their names.
        self.arrows: dict[str, list[str]] = {}
        self._ends: dict[str, Value] = {}
        for line in drawing.splitlines():
            name, sign, *rest = line.split()
            self._names.append(name)
            if sign == "->":
                self.arrows[name] = rest
            else:
                self._ends[name] = Value(rest[0])
        self._known = {self._position(name): name for name in self._names}

    def start(self) -> Any:
        return self._position(self._names[0])

    def get_moves(self, position: Any) -> Iterable[int]:
        return self._form(range(len(self.arrows.get(self.name_of(position), []))))

    def do_move(self, position: Any, move: int) -> Any:
        return self._position(self.arrows[self.name_of(position)][move])

    def terminal_value(self, position: Any) -> Value | None:
        return self._ends.get(self.name_of(position))

    def name_of(self, position: Any) -> Any:
        """The name of a position in the drawing.

        For anything that is not a position of the game, the result is a text in quotes,
        or the object itself.
        """
        if type(position) not in (str, int, tuple):
            return position
        if type(position) is str and position not in self._known:
            return repr(position)
        return self._known.get(position, position)

    def _position(self, name: str) -> Any:
        if self._positions == "names":
            return name
        if self._positions == "tuples":
            return (name,)
        lines_below = len(self._names) - 1 - self._names.index(name)
        return -lines_below if lines_below < 3 else 2 * lines_below


class Staircase(Game):
    """From step n, a move leads down to step n - 1 or to step n // 2.

    On step 0 the player to move has lost.  Without `jumps`, the game is a chain: each
    step leads only to the next one.

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
        if position <= 0:
            return []
        if position > 1 and self._jumps:
            return ["step", "jump"]
        return ["step"]

    def do_move(self, position: int, move: str) -> int:
        if move == "step":
            return position - 1
        return position // 2

    def terminal_value(self, position: int) -> Value | None:
        if position:
            return None
        return Value.LOSE
