"""Small trees in the order of their size: what shrink tries the searches on."""

import itertools
from collections.abc import Iterator
from functools import cache

from api import TreeNode, parse_tree

MOST_LEAVES = 7
SCORES, ESTIMATES = (-1, 0, 1, 2), (2, 1, -1)
Shape = tuple["Shape", ...]  # the shapes of a node's children: () is a leaf


def small_trees(leaves: int) -> Iterator[TreeNode]:
    """All trees with so many leaves in which every inner node has two children or more, each once.

    Those with fewer nodes come first.  Of equally large ones, those without estimates come before those
    with them, and those in the maximizer's view before those in the view of the player to move.

    >>> [len(list(small_trees(leaves))) for leaves in (1, 2, 3)]
    [8, 64, 768]
    """
    for _, shapes in itertools.groupby(sorted(_rows(leaves, leaves - 1), key=_nodes), _nodes):
        kinds = itertools.product(((), ESTIMATES) if leaves > 1 else ((),), (False, True))
        all_scores = itertools.product(SCORES, repeat=leaves)
        for (estimates, negates), scores, shape in itertools.product(kinds, all_scores, shapes):
            yield parse_tree("\n".join(_outline(shape, scores, estimates)), negates)


@cache
def _rows(leaves: int, most: int) -> list[Shape]:
    """The shapes of what can stand side by side and has so many leaves together, the first at most so many.

    What stands below a node with so many leaves is a row of two or more, or nothing: the first has not all of them.
    """
    firsts = [(first, shape) for first in range(1, most + 1) for shape in _rows(first, first - 1)]
    return [(shape, *rest) for first, shape in firsts for rest in _rows(leaves - first, leaves - first)] or [()]


def _nodes(shape: Shape) -> int:
    return 1 + sum(map(_nodes, shape))


def _outline(shape: Shape, scores: tuple[int, ...], estimates: tuple[int, ...]) -> Iterator[str]:
    """The lines of a tree.  A leaf has a label where a sibling has the same score."""
    names, labels = iter("ABCDEF"), iter("abcdefg")
    left, guesses = iter(scores), itertools.cycle(estimates)

    def below(shape: Shape, name: str, indent: str) -> Iterator[str]:
        yield f"{indent}{name} ~ {next(guesses)}" if estimates else f"{indent}{name}"
        own = [None if child else next(left) for child in shape]
        for child, score in zip(shape, own, strict=True):
            if child:
                yield from below(child, next(names), f"{indent}  ")
            else:
                yield f"{indent}  {f'{next(labels)} = ' if own.count(score) > 1 else ''}{score}"

    return below(shape, "root", "") if shape else map(str, scores)
