"""Measures `solve`, and `make run` for zero_by with a million lines of output.

`make run` solves a game before it prints, and solving takes most of the time.  So the
other side is a program that solves the same game and writes all lines at once.  The
difference is the price of printing.  The kit joins its lines before it writes them,
which keeps the ratio near 1; a `print` for each line would not.
"""

import sys

import lab
from staff.bench.bare import yardstick
from staff.bench.figures import Figure, Side
from staff.bench.timing import child, timed

REMOVALS = (1, 3, 4)
# The limit for one position: as many seconds as this number of nodes takes in the
# search of bare.py.  On the machine where the limits were set, 6.7 nodes took 3
# microseconds.
NODES_A_POSITION = 6.7
TIMES_ONE_WRITE = 1.25

RUN = (sys.executable, "-m", "grader", "run", "zero_by")
SOLVE_AND_WRITE_ONCE = (sys.executable, "-m", "staff.bench.programs.solve_and_write")


def figures() -> list[Figure]:
    """Return the rows for a position of a large game, and for the whole program."""
    n = 1_000_000
    solving = timed(lambda: len(lab.solve(lab.ZeroBy(n, REMOVALS))), n + 1, units=n + 1)
    printing = _program("", RUN, n)
    writing = _program("solve, one write", SOLVE_AND_WRITE_ONCE, n)
    return [
        Figure(
            f"solve {n}, a position",
            Side("", solving),
            yardstick(100),
            at_most=NODES_A_POSITION,
        ),
        Figure(f"run zero_by {n}", printing, writing, at_most=TIMES_ONE_WRITE),
    ]


def _program(name: str, command: tuple[str, ...], n: int) -> Side:
    """Return a side of a comparison: a program that solves a game.

    The command line of the program ends with `n` and the removals.
    """
    words = map(str, (n, *REMOVALS))
    return Side(name, child([*command, *words], lambda stdout: _is_right(stdout, n)))


def _is_right(stdout: bytes, n: int) -> bool:
    """Whether the output has a line for each position, and the right number of losses.

    With these removals the positions 0, 5, 7, 12, 14 and so on are lost.
    """
    lines = stdout.splitlines()
    lost = sum(line.endswith(b"LOSE") for line in lines)
    expected = sum(position % 7 in (0, 5) for position in range(n + 1))
    return len(lines) == n + 1 and lines[-1] == b"0: LOSE" and lost == expected
