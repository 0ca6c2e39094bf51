"""Solves a zero-by game and writes all lines at once.  `make run` must do at least
this.

python -m staff.bench.programs.solve_and_write 1000000 1 3 4
"""

import sys

import lab
from api import Value


def main(n: int, removals: tuple[int, ...]) -> None:
    """Solve the game, and write a line for each position, from the highest to the
    lowest.
    """
    values = lab.solve(lab.ZeroBy(n, removals))
    names = {id(value): value.name for value in Value}
    positions = range(n, -1, -1)
    lines = [f"{position}: {names[id(values[position])]}\n" for position in positions]
    sys.stdout.write("".join(lines))


if __name__ == "__main__":
    n, *removals = map(int, sys.argv[1:])
    main(n, tuple(removals))
