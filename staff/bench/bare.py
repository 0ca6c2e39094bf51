"""Alpha-beta on Connect Four as a bare recursion on two integers.

The recursion visits the same nodes in the same order as the search of the kit, cuts off
at the same places, and makes the same evaluations.  It has no board, state, path or
heuristic.  The additional time that the kit takes is the price of these.

The recursion is also a unit of time.  Machines differ in speed, so the bench sets no
limit in seconds for `solve`.  The limit is in *nodes*: the time that this recursion
takes for one node.  On the machine where the limit was set, a microsecond was 2.24
nodes.
"""

from staff.bench.figures import Side
from staff.bench.timing import timed

EVALUATIONS = {4: 97, 6: 685, 7: 5311}  # the number of evaluations to each depth
NODES_TO_DEPTH_7 = 7153

# Square r of column c is bit 7 * c + r, and row 0 is the lowest.  The seventh bit of a
# column stays 0.
_COLUMNS = tuple((1 << 7 * column, 0b111111 << 7 * column) for column in range(7))
_FULL = sum(squares for _, squares in _COLUMNS)
_BEYOND = 10_000


def bare_alphabeta(depth: int) -> tuple[int, int]:
    """Search from the empty board, `depth` moves deep.

    Return the score for the player to move, and the number of evaluations.
    """
    evaluations = 0

    def visit(own: int, rival: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a position for the player to move, who owns the pieces
        `own`.
        """
        nonlocal evaluations
        rising = rival & rival >> 8
        level = rival & rival >> 7
        falling = rival & rival >> 6
        upright = rival & rival >> 1
        if (
            rising & rising >> 16
            or level & level >> 14
            or falling & falling >> 12
            or upright & upright >> 2
        ):
            evaluations += 1
            return (own | rival).bit_count() - 1042
        taken = own | rival
        if not depth or taken == _FULL:
            evaluations += 1
            return 0
        best = -_BEYOND
        for lowest, squares in _COLUMNS:
            if square := taken + lowest & squares:
                score = -visit(rival, own | square, depth - 1, -beta, -alpha)
                if score > best:
                    best = score
                    if score > alpha:
                        alpha = score
                    if alpha >= beta:
                        break
        return best

    return visit(0, 0, depth, -_BEYOND, _BEYOND), evaluations


def bare_side(depth: int) -> Side:
    """Return a side of a comparison: the bare search to this depth."""
    return Side(
        "bare recursion",
        timed(lambda: bare_alphabeta(depth), (0, EVALUATIONS[depth]), times=12),
    )


def yardstick(times: int = 12) -> Side:
    """Return a side of a comparison: the time that one node of a search takes.

    It is the average over a search to depth 7.
    """
    work = timed(
        lambda: bare_alphabeta(7), (0, EVALUATIONS[7]), times, units=NODES_TO_DEPTH_7
    )
    return Side("a node of recursion", work)
