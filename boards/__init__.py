"""Boards and trees by name, to try your functions on.

    from boards import NEARLY_OVER, FOUR_BY_FOUR
    print(NEARLY_OVER)
    print(FOUR_BY_FOUR)

The boards are drawn in boards.yaml and the trees in trees.yaml.  Every name there can be imported, and
`from boards import *` imports them all.
"""

from typing import Any

from api import parse_tree
from boards.built import board_of
from boards.reading import read_boards, read_trees


def __getattr__(name: str) -> Any:
    """A board or a tree, read from its file when it is first asked for; `__all__` is what there is."""
    boards, trees = read_boards(), read_trees()
    if name == "__all__":
        return [*boards, *trees]
    if name in boards or name in trees:
        drawn = {each: parse_tree(data["tree"], data["negates"]) for each, data in trees.items()}
        globals().update(drawn | {each: board_of(data) for each, data in boards.items()})
        return globals()[name]
    raise AttributeError(f"no board or tree is named {name!r}; see boards/boards.yaml and boards/trees.yaml")


def __dir__() -> list[str]:
    """Every board and every tree, for whoever looks around or types `from boards import *`."""
    return sorted({*globals(), *__getattr__("__all__")})
