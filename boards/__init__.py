"""Boards and trees by name, to try your functions on.

    from boards import NEARLY_OVER, FOUR_BY_FOUR
    print(NEARLY_OVER)
    print(FOUR_BY_FOUR)

The boards are drawn in boards.yaml and the trees in trees.yaml.  Every name there can be imported,
and `from boards import *` imports them all; those that the lab speaks of are listed below, for your
editor.
"""

from typing import TYPE_CHECKING, Any

from api import ConnectFourBoard, TreeNode
from boards.named import read_boards, read_trees

if TYPE_CHECKING:
    NEARLY_OVER: ConnectFourBoard
    BOARD_UHOH: ConnectFourBoard
    BOARD_REDFISH_WON_FAST: ConnectFourBoard
    BOARD_REDFISH_WON_LESS_FAST: ConnectFourBoard
    FOUR_BY_FOUR: TreeNode
    EQUAL_BOUNDS: TreeNode


def __getattr__(name: str) -> Any:
    """A board or a tree, read from its file when it is first asked for; `__all__` is what there is."""
    if name == "__all__":
        return _names()
    if name.isupper():
        if name in (boards := read_boards()):
            globals().update({name: drawing.board() for name, drawing in boards.items()})
            return globals()[name]
        if name in (trees := read_trees()):
            globals().update({name: drawing.tree() for name, drawing in trees.items()})
            return globals()[name]
    raise AttributeError(f"no board or tree is named {name!r}; see boards/boards.yaml and boards/trees.yaml")


def __dir__() -> list[str]:
    """Every board and every tree, for whoever looks around or types `from boards import *`."""
    return sorted({*globals(), *_names()})


def _names() -> list[str]:
    return [*read_boards(), *read_trees()]
