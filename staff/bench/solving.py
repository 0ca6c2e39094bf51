"""`solve` through the four methods of `Game`, and `zero_by` with a million lines of
output.

`grader run` has to solve before it prints, and solving takes the greater part of its
time.  So it is compared with a program that solves the same game and writes all lines
in one go: what is left is the price of printing.  Joined writes keep that near 1; a
`print` for each line would not.
"""

import sys

import lab
from staff.bench.bare import yardstick
from staff.bench.figures import Figure, Side
from staff.bench.timing import child, timed

REMOVALS = (1, 3, 4)
NODES_A_POSITION = 6.7  # 3 microseconds
TIMES_ONE_WRITE = 1.25

RUN = (sys.executable, "-m", "grader", "run", "zero_by")
_ONE_WRITE = """
import sys
import lab
n, *removals = map(int, sys.argv[1:])
values = lab.solve(lab.ZeroBy(n, tuple(removals)))
names = {id(value): value.name for value in lab.Value}
sys.stdout.write("".join([f"{position}: {names[id(values[position])]}\\n" for position in range(n, -1, -1)]))
"""
SOLVE_AND_WRITE_ONCE = (sys.executable, "-c", _ONE_WRITE)


def figures() -> list[Figure]:
    """A position of a large game, and the whole program."""
    n = 1_000_000
    solving = timed(lambda: len(lab.solve(lab.ZeroBy(n, REMOVALS))), n + 1, units=n + 1)
    printing, writing = (
        _program("", RUN, n),
        _program("solve, one write", SOLVE_AND_WRITE_ONCE, n),
    )
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
    """A program that is told N and the removals, as a side."""
    return Side(
        name,
        child(
            [*command, *map(str, (n, *REMOVALS))], lambda stdout: _is_right(stdout, n)
        ),
    )


def _is_right(stdout: bytes, n: int) -> bool:
    """A line a position, from high to low; with these removals 0, 5, 7, 12, 14 and so
    on are lost.
    """
    lines = stdout.splitlines()
    lost = sum(line.endswith(b"LOSE") for line in lines)
    return (
        len(lines) == n + 1
        and lines[-1] == b"0: LOSE"
        and lost == sum(p % 7 in (0, 5) for p in range(n + 1))
    )
