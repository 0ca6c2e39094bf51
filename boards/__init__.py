"""Boards and trees by name, to try your functions on.

    from boards import NEARLY_OVER, FOUR_BY_FOUR
    print(NEARLY_OVER)
    print(FOUR_BY_FOUR)

The boards are drawn in boards.yaml and the trees in trees.yaml.  Every name there can be imported;
the ones below are those that the handout speaks of.
"""

from typing import Any

from api import ConnectFourBoard, TreeNode
from boards.named import read_boards, read_trees

_BOARDS = read_boards()
_TREES = read_trees()

NEARLY_OVER: ConnectFourBoard = _BOARDS["NEARLY_OVER"].board()
BOARD_UHOH: ConnectFourBoard = _BOARDS["BOARD_UHOH"].board()
BOARD_REDFISH_WON_FAST: ConnectFourBoard = _BOARDS["BOARD_REDFISH_WON_FAST"].board()
BOARD_REDFISH_WON_LESS_FAST: ConnectFourBoard = _BOARDS["BOARD_REDFISH_WON_LESS_FAST"].board()

FOUR_BY_FOUR: TreeNode = _TREES["FOUR_BY_FOUR"].tree()


def __getattr__(name: str) -> Any:
    """Any other board or tree that is drawn in the YAML files."""
    if name in _BOARDS:
        return _BOARDS[name].board()
    if name in _TREES:
        return _TREES[name].tree()
    raise AttributeError(f"no board or tree is named {name!r}; see boards/boards.yaml and boards/trees.yaml")
