"""Drawn trees: small game trees with given scores, which you can search by hand.

A drawing is text with one node in each line.  Children are indented below their parent:

    root
      A
        3
        left = 12
      B ~ 4
        8
        2

A leaf is written as a score, or as a label and a score.  An inner node is written as a
label.  After the label, `~ 4` is the estimate that tree_estimate returns.  Scores and
estimates are from the maximizer's point of view, unless the tree is read with
`negates=True`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from api.state import AbstractGameState

_NUMBER = r"-?\d+(?:\.\d+(?:e\+\d+)?)?"
_LABEL = r"[A-Za-z_]\w*"
_SCORE = rf"\s*=\s*(?P<score>{_NUMBER})"
_ESTIMATE = rf"\s*~\s*(?P<estimate>{_NUMBER})"
_LINE = re.compile(rf"(?P<bare>{_NUMBER})|(?P<label>{_LABEL})(?:{_SCORE}|{_ESTIMATE})?")
_TALL = 12  # plies


@dataclass(slots=True, unsafe_hash=True, repr=False)
class TreeNode:
    """A node of a drawn tree: a leaf has a score, and an inner node has children.

    Two nodes are equal if they come from the same line of equal drawings.

    >>> root = parse_tree("root\\n  left = 3\\n  5")
    >>> [(child.label, child.score) for child in root.children]
    [('left', 3), ('', 5)]
    """

    drawing: str  # the text of the whole tree
    line: int  # the number of the node's line in the drawing; the first line is 1
    label: str = field(compare=False)  # empty for a leaf that has none
    score: float | None = field(compare=False)  # None for an inner node
    # The score that a heuristic returns for an inner node; 0 if none is given.
    estimate: float = field(compare=False)
    # Whether scores are from the point of view of the player to move.  If so, they
    # change their sign where the minimizer is to move.
    negates: bool
    children: list["TreeNode"] = field(default_factory=list, compare=False)

    def prev_move_string(self) -> str:
        """The move that leads to this node, in words."""
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
    """Read a drawn tree and return its root.

    Every node gets this `negates`.  Raises ValueError if the text is not a tree.  The
    message names the line.

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
                f"line {number}: a second root, {node.name!r}; "
                "indent it below the first"
            )
        open_nodes.append((indent, node))
        nodes.append(node)
    if not nodes:
        raise ValueError("line 1: a tree has at least one node")
    _check(nodes)
    return nodes[0]


def tree_state(root: TreeNode) -> AbstractGameState:
    """A drawn tree as an AbstractGameState.  Its snapshots are nodes.

    >>> state = tree_state(parse_tree("root\\n  left = 3\\n  right = 5"))
    >>> [child.get_endgame_score() for child in state.generate_next_states()]
    [3, 5]
    """
    return AbstractGameState(
        root, lambda node: not node.children, lambda node: node.children, _endgame_score
    )


def tree_estimate(node: TreeNode, maximize: bool = True) -> float:
    """The heuristic of drawn trees: the estimate that is written after `~`.

    >>> tree_estimate(parse_tree("root ~ 4\\n  3\\n  5"))
    4
    """
    if node.negates and not maximize:
        return -node.estimate
    return node.estimate


# The texts to the left of a child and of the nodes below it.  The key says whether the
# child is the last one of its parent.
_WIDE = {False: (" |- ", " |  "), True: (" `- ", "    ")}
_NARROW = {False: ("|", "|"), True: ("`", " ")}  # keeps a tall tree on the screen


def draw_tree(
    root: TreeNode,
    maximize: bool | None = None,
    notes: Mapping[tuple[int, ...], str] | None = None,
) -> str:
    """A tree as text.

    If `maximize` is given, it says whether the maximizer moves at the root, and each
    inner node shows who moves there.  `notes` maps the path to a node (child indices,
    from the root on) to a remark that is shown beside the node.

    >>> root = parse_tree("root\\n  A\\n    3\\n    12\\n  B = 7")
    >>> print(draw_tree(root, maximize=True, notes={(1,): "best"}))
    MAX root
     |- MIN A
     |   |- 3
     |   `- 12
     `- B = 7   best
    """
    notes = notes or {}
    branches = _NARROW if _height(root) > _TALL else _WIDE
    captions: dict[tuple[int, ...], str] = {}

    def visit(node: TreeNode, place: tuple[int, ...], left: str, below: str) -> None:
        captions[place] = left + _caption(node, maximize, len(place))
        for index, child in enumerate(node.children):
            is_last = child is node.children[-1]
            beside_child, beside_below = branches[is_last]
            visit(child, (*place, index), below + beside_child, below + beside_below)

    visit(root, (), "", "")
    noted = [caption for place, caption in captions.items() if notes.get(place)]
    width = max(map(len, noted), default=0)
    lines = []
    for place, caption in captions.items():
        note = notes.get(place)
        lines.append(f"{caption:{width}}   {note}" if note else caption)
    return "\n".join(lines)


def _height(node: TreeNode) -> int:
    return max((1 + _height(child) for child in node.children), default=0)


def _endgame_score(node: TreeNode, is_current_player_maximizer: bool = True) -> float:
    score = node.score or 0
    if node.negates and not is_current_player_maximizer:
        return -score
    return score


def _read_node(drawing: str, line: str, number: int, negates: bool) -> TreeNode:
    match = _LINE.fullmatch(line)
    if not match:
        raise ValueError(
            f"line {number}: {line!r} is not a node; "
            "write `3`, `-2.5`, `left = 3`, `A` or `A ~ 3`"
        )
    score = match["bare"] or match["score"]
    return TreeNode(
        drawing=drawing,
        line=number,
        label=match["label"] or "",
        score=_number(score) if score else None,
        estimate=_number(match["estimate"] or "0"),
        negates=negates,
    )


def _check(nodes: list[TreeNode]) -> None:
    """Check that a search result can name only one node.

    All leaves must have scores, and inner nodes must have none.  Labels must be unique,
    and siblings with the same score must have labels.  Raises ValueError.
    """
    lines: dict[str, int] = {}
    for node in nodes:
        if node.label and lines.setdefault(node.label, node.line) != node.line:
            raise ValueError(
                f"line {node.line}: the label {node.label!r} is already "
                f"in line {lines[node.label]}"
            )
        if node.children and node.score is not None:
            raise ValueError(
                f"line {node.line}: {node.name!r} has a score and children; "
                "a score is for a leaf"
            )
        if not node.children and node.score is None:
            raise ValueError(
                f"line {node.line}: the leaf {node.name!r} has no score; "
                f"write `{node.name} = 3`"
            )
        # The name of a child without a label is its score, as people see it.
        scores = [child.name for child in node.children if not child.label]
        if len(set(scores)) < len(scores):
            raise ValueError(
                f"line {node.line}: two children of {node.name!r} have the same score "
                "and no label; give each a label"
            )


def _caption(node: TreeNode, maximize: bool | None, ply: int) -> str:
    if not node.children:
        score = _show(node.score)
        return f"{node.label} = {score}" if node.label else score
    caption = node.label
    if node.estimate:
        caption += f" ~ {_show(node.estimate)}"
    if maximize is None:
        return caption
    root_player_moves = ply % 2 == 0
    mover = "MAX" if maximize == root_player_moves else "MIN"
    return f"{mover} {caption}"


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)


def _show(number: float | None) -> str:
    return f"{number:.15g}" if isinstance(number, float) else str(number)
