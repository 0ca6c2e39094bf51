"""Playback: what one or two searches did in a tree, step by step.

A kind makes a Playback of one call.  A Playback holds only plain data and words.  So
the page and the terminal can show it without knowing the kind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, NamedTuple

CALLED, RETURNED, EXPANDED, SCORED = "called", "returned", "expanded", "scored"
NOWHERE = -1


class Node(NamedTuple):
    """A node of the tree.  The number of a node is its index in Playback.nodes."""

    parent: int  # the number of the node above; NOWHERE for the root
    label: str
    mover: str = ""  # MAX or MIN; empty if nobody moves there
    cells: str = ""  # its board, one character for each cell; empty if it has none


class Step(NamedTuple):
    """What a search did at a node."""

    what: str  # CALLED, RETURNED, EXPANDED or SCORED
    node: int  # the number of the node; NOWHERE if the node is not known
    words: str  # the step as a sentence
    shown: str = ""  # the text at the node after this step
    above: str = ""  # the text at the parent after this step; empty if it is unchanged
    event: int = 0  # the number of the event in the trace


@dataclass(frozen=True)
class Playback:
    """What one search, or two searches of the same tree, did step by step."""

    nodes: Sequence[Node]  # each parent before its children
    sides: Mapping[str, Sequence[Step]]  # the steps of each search; the key is its name
    layout: str = ""  # of the boards: columns or squares (tools/pages/look.js)
    columns: int = 0  # of the boards
    is_complete: bool = True  # False if a search was stopped, since it went on too long
    # What the page marks: the number of a node, and a sentence about that node.
    mark: tuple[int, str] | None = None
    # The moment that shows what the mark says, given by the name of a search and by how
    # many steps that search has done by then.  None if no step shows it.
    shown_by: tuple[str, int] | None = None

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """The moments of the playback, in order.  A moment says how many steps each
        search has done so far.

        As long as two searches do the same, both advance in each moment.  When they
        differ for the first time, both still advance.  After that, a step that only one
        of the searches makes has a moment of its own, in which the other search waits.
        """
        # For each search, a list of its steps.  Of a step, only two facts count: what
        # the search does, and at which node.
        sides = [[step[:2] for step in steps] for steps in self.sides.values()]
        if len(sides) == 1:
            return [(done,) for done in range(len(sides[0]) + 1)]
        together = min(self.in_common + 1, *map(len, sides))
        moves = [(1, 1)] * together
        yours, expected = (side[together:] for side in sides)
        matcher = SequenceMatcher(None, yours, expected, autojunk=False)
        for what, start, end, other_start, other_end in matcher.get_opcodes():
            if what == "equal":
                moves += [(1, 1)] * (end - start)
            else:
                moves += [(1, 0)] * (end - start)
                moves += [(0, 1)] * (other_end - other_start)
        rows: list[tuple[int, ...]] = [(0, 0)]
        for move, other_move in moves:
            rows.append((rows[-1][0] + move, rows[-1][1] + other_move))
        return rows

    @property
    def in_common(self) -> int:
        """How many steps the searches have in common before the first step in which
        they differ.
        """
        count = 0
        for steps in zip(*self.sides.values(), strict=False):
            if len({step.words for step in steps}) > 1:
                break
            count += 1
        return count

    @property
    def marked(self) -> int | None:
        """The index in `rows` of the moment that shows what the mark says; None if
        there is no mark.

        If no step shows what the mark says, it is the index of the first moment in
        which the searches differ.  If they never differ, it is the index of the last
        moment.
        """
        if self.mark is None:
            return None
        if self.shown_by is None:
            return min(self.in_common + 1, len(self.rows) - 1)
        name, done = self.shown_by
        side = list(self.sides).index(name)
        return next(moment for moment, row in enumerate(self.rows) if row[side] >= done)

    def as_data(self) -> dict[str, Any]:
        """Return the playback as plain data, which the script of the page reads."""
        sides = [*self.sides.items()]
        more = {"sides": sides, "marked": self.marked, "rows": self.rows}
        return vars(self) | more
