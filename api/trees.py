"""Drawn trees: small game trees with given scores, which you can search by hand.

You draw a tree as an outline, with one node in each line, and children indented below
their parent:

    root
      A
        3
        left = 12
      B ~ 4
        8
        2

A leaf is a score, or a label and a score.  An inner node has a label and, after `~`,
the estimate of a heuristic.  Every score is in the maximizer's view.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from api.state import AbstractGameState

_NUMBER = r"-?\d+(?:\.\d+(?:e\+\d+)?)?"
_LINE = re.compile(
    rf"(?P<bare>{_NUMBER})|(?P<label>[A-Za-z_]\w*)(?:\s*=\s*(?P<score>{_NUMBER})|\s*~\s*(?P<estimate>{_NUMBER}))?"
)


@dataclass(slots=True, unsafe_hash=True, repr=False)
class TreeNode:
    """A node of a drawn tree: a label, and a score (leaf) or children (inner node).

    `estimate` is what a heuristic says about an inner node, 0 if the drawing does not
    say.  A leaf without a label has the label ''.  Two nodes are equal if they are the
    same line of the same drawing.  With `negates`, scores are in the view of the player
    to move: if that is the minimizer, they change their sign.

    >>> root = parse_tree("root\\n  left = 3\\n  5")
    >>> [(child.label, child.score) for child in root.children]
    [('left', 3), ('', 5)]
    """

    drawing: str
    line: int
    label: str = field(compare=False)
    score: float | None = field(compare=False)
    estimate: float = field(compare=False)
    negates: bool
    children: list["TreeNode"] = field(default_factory=list, compare=False)

    def prev_move_string(self) -> str:
        """The step that leads to this node, in words."""
        return f"Went to {self.name}."

    @property
    def name(self) -> str:
        """The label; for a leaf without one, its score."""
        return self.label or _show(self.score)

    def __str__(self) -> str:
        return draw_tree(self)

    def __repr__(self) -> str:
        return f"<TreeNode {self.name}>"


def parse_tree(text: str, negates: bool = False) -> TreeNode:
    """Read a drawn tree and return its root.  Raises ValueError, with the line, if it
    is not a tree.

    >>> root = parse_tree('''
    ... root
    ...   A
    ...     3
    ...     12
    ...   B = 7
    ... ''')
    >>> [child.name for child in root.children]
    ['A', 'B']
    """
    open_nodes: list[tuple[int, TreeNode]] = []
    nodes: list[TreeNode] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip(" "))
        node = _read_node(text, line.strip(" "), number, negates)
        while open_nodes and open_nodes[-1][0] >= indent:
            open_nodes.pop()
        if open_nodes:
            open_nodes[-1][1].children.append(node)
        elif nodes:
            raise ValueError(
                f"line {number}: a second root, {node.name!r}; indent it below the first"
            )
        open_nodes.append((indent, node))
        nodes.append(node)
    if not nodes:
        raise ValueError("line 1: a tree has at least one node")
    _check(nodes)
    return nodes[0]


def tree_state(root: TreeNode) -> AbstractGameState:
    """A drawn tree as a game state.

    >>> state = tree_state(parse_tree("root\\n  left = 3\\n  right = 5"))
    >>> [child.get_endgame_score() for child in state.generate_next_states()]
    [3, 5]
    """
    return AbstractGameState(
        root, lambda node: not node.children, lambda node: node.children, _endgame_score
    )


def tree_estimate(node: TreeNode, maximize: bool = True) -> float:
    """The heuristic of drawn trees: the estimate after `~`, in the maximizer's view.

    >>> tree_estimate(parse_tree("root ~ 4\\n  3\\n  5"))
    4
    """
    return -node.estimate if node.negates and not maximize else node.estimate


def draw_tree(
    root: TreeNode,
    maximize: bool | None = None,
    notes: Mapping[tuple[int, ...], str] | None = None,
) -> str:
    """A tree as text.

    With `maximize`, which says who moves at the root, each inner node shows who moves
    there.  `notes` has remarks for nodes, by the child indices that lead there from the
    root.

    >>> print(draw_tree(parse_tree("root\\n  A\\n    3\\n    12\\n  B = 7"), maximize=True, notes={(1,): "best"}))
    MAX root
     |- MIN A
     |   |- 3
     |   `- 12
     `- B = 7   best
    """
    lines: list[tuple[str, str]] = []
    # In a tall tree a ply takes a single column, so that the whole tree fits on a
    # screen.
    fork, last, bar, gap = (
        (" |- ", " `- ", " |  ", "    ")
        if _height(root) <= 12
        else ("|", "`", "|", " ")
    )

    def visit(node: TreeNode, place: tuple[int, ...], lead: str, branch: str) -> None:
        lines.append(
            (
                lead + branch + _caption(node, maximize, len(place)),
                (notes or {}).get(place, ""),
            )
        )
        below = lead + {"": "", fork: bar, last: gap}[branch]
        for index, child in enumerate(node.children):
            visit(
                child,
                (*place, index),
                below,
                last if index == len(node.children) - 1 else fork,
            )

    visit(root, (), "", "")
    width = max((len(text) for text, note in lines if note), default=0)
    return "\n".join(
        f"{text:{width}}   {note}" if note else text for text, note in lines
    )


def _height(node: TreeNode) -> int:
    return max((1 + _height(child) for child in node.children), default=0)


def _endgame_score(node: TreeNode, is_current_player_maximizer: bool = True) -> float:
    score = node.score or 0
    return -score if node.negates and not is_current_player_maximizer else score


def _read_node(drawing: str, line: str, number: int, negates: bool) -> TreeNode:
    match = _LINE.fullmatch(line)
    if not match:
        raise ValueError(
            f"line {number}: {line!r} is not a node; write `3`, `-2.5`, `left = 3`, `A` or `A ~ 3`"
        )
    score = match["bare"] or match["score"]
    estimate = _number(match["estimate"] or "0")
    return TreeNode(
        drawing,
        number,
        match["label"] or "",
        _number(score) if score else None,
        estimate,
        negates,
    )


def _check(nodes: list[TreeNode]) -> None:
    """Check that a result can be judged: leaves alone have scores, no label is there
    twice, siblings differ.
    """
    lines: dict[str, int] = {}
    for node in nodes:
        if node.label and lines.setdefault(node.label, node.line) != node.line:
            raise ValueError(
                f"line {node.line}: the label {node.label!r} is already in line {lines[node.label]}"
            )
        if node.children and node.score is not None:
            raise ValueError(
                f"line {node.line}: {node.name!r} has a score and children; a score is for a leaf"
            )
        if not node.children and node.score is None:
            raise ValueError(
                f"line {node.line}: the leaf {node.name!r} has no score; write `{node.name} = 3`"
            )
        if len({(child.label, child.score) for child in node.children}) < len(
            node.children
        ):
            raise ValueError(
                f"line {node.line}: two children of {node.name!r} are equal and tied; give each a label"
            )


def _caption(node: TreeNode, maximize: bool | None, ply: int) -> str:
    if not node.children:
        return (
            f"{node.label} = {_show(node.score)}" if node.label else _show(node.score)
        )
    estimate = f" ~ {_show(node.estimate)}" if node.estimate else ""
    mover = "" if maximize is None else "MAX " if maximize == (ply % 2 == 0) else "MIN "
    return f"{mover}{node.label}{estimate}"


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)


def _show(number: float | None) -> str:
    return f"{number:g}" if isinstance(number, float) else str(number)
