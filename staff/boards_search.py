"""Looks for Connect Four boards on which a wrong heuristic shows: `python -m staff.boards_search [SEED [GAMES]]`.

It plays random games in which nobody makes a four, and keeps the boards that are clear cases: all of
right_labs/heuristics.py favour the same side, and that side wins at once, or next whatever the mover does.
Of these it prints a few that together catch every wrong heuristic of wrong_labs.yaml that a sign can
catch.  For the others it climbs from game to game to the board with the largest estimate, which ought
to be 1000 or more.  The same seed finds the same boards; 12,000 games take about two minutes.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from api import ConnectFourBoard
from staff.counts import double_threat, wins
from staff.right_labs.heuristics import ADVANTAGES, Heuristic
from staff.wrong_labs import build, load_wrong_labs

MODEL = Path(__file__).parent.parent / "lab.py"
FEWEST, MOST_PIECES, LONGEST = 7, 41, 80
STEPS = 3_000


def wrong_heuristics() -> dict[str, Heuristic]:
    """The wrong_labs of heuristic_connectfour, by their ids, as functions that can be called."""
    model, found = MODEL.read_text(encoding="utf-8"), {}
    for wrong_lab in load_wrong_labs():
        if wrong_lab.function == "heuristic_connectfour":
            lab = ModuleType(wrong_lab.id)
            exec(compile(build(wrong_lab, model), wrong_lab.id, "exec"), lab.__dict__)
            found[wrong_lab.id] = lab.heuristic_connectfour
    return found


def favoured(board: ConnectFourBoard) -> int:
    """1 if the board is a clear case for the player to move, -1 if for the rival, 0 if for neither.

    >>> from boards import BEHIND_A_DOUBLE_THREAT, NEARLY_OVER
    >>> favoured(BEHIND_A_DOUBLE_THREAT), favoured(NEARLY_OVER)
    (-1, 0)
    """
    side = 1 if double_threat(board, True) else -1 if double_threat(board, False) else 0
    if side == 0 or (side < 0 and wins(board, True)):
        return 0
    return side if all(advantage(board) * side > 0 for advantage in ADVANTAGES) else 0


def play(columns: Sequence[int]) -> Iterator[ConnectFourBoard]:
    """The boards of a game; a column that is full, or in which a piece would make a four, is passed over."""
    board = ConnectFourBoard()
    for column in columns:
        if board.count_pieces() < MOST_PIECES and not board.is_column_full(column):
            after = board.add_piece(column)
            if all(len(chain) < 4 for chain in after.get_all_chains()):
                board = after
                yield board


def clear_boards(chooser: random.Random, games: int) -> dict[ConnectFourBoard, int]:
    """The clear boards of so many random games, and who is favoured there."""
    boards = (board for _ in range(games) for board in play(chooser.choices(range(7), k=LONGEST)))
    found = {board: favoured(board) for board in boards if board.count_pieces() >= FEWEST}
    return {board: side for board, side in found.items() if side}


def widest(heuristic: Heuristic, chooser: random.Random) -> ConnectFourBoard:
    """The board with the largest estimate that a climb through games can find."""
    columns = chooser.choices(range(7), k=LONGEST)
    best, most = ConnectFourBoard(), 0.0
    for _ in range(STEPS):
        changed = list(columns)
        for _ in range(chooser.choice((1, 1, 2, 4))):
            changed[chooser.randrange(LONGEST)] = chooser.randrange(7)
        *_, board = play(changed)
        estimate = abs(heuristic(board, True))
        if estimate >= most:
            columns, best, most = changed, board, estimate
    return best


def main(words: list[str]) -> int:
    """Print the boards, drawn as in boards.yaml, and what they catch."""
    if len(words) > 2 or not all(word.isdecimal() for word in words):
        print(f"python -m staff.boards_search takes a SEED and GAMES, whole numbers, and not {' '.join(words)}",
              file=sys.stderr)  # fmt: skip
        return 2
    seed, games = [*map(int, words), *(1, 12_000)[len(words) :]]
    chooser, wrong = random.Random(seed), wrong_heuristics()
    caught = {
        board: {name for name, heuristic in wrong.items() if heuristic(board, True) * side <= 0}
        for board, side in clear_boards(chooser, games).items()
    }
    caught_somewhere = set().union(*caught.values())
    remaining = set(caught_somewhere)
    while remaining:
        board = max(caught, key=lambda board: (len(caught[board] & remaining), -board.count_pieces()))
        show(board, ", ".join(sorted(caught[board] & remaining)))
        remaining -= caught[board]
    for name in (name for name in wrong if name not in caught_somewhere):
        board = widest(wrong[name], chooser)
        if abs(wrong[name](board, True)) >= 1000:
            show(board, f"{name}: {wrong[name](board, True):.0f}")
        else:
            print(f"# nothing shows {name}\n")
    return 0


def show(board: ConnectFourBoard, caption: str) -> None:
    """Print a board as boards.yaml draws it, and in a comment what is to be seen there."""
    rows = str(board).replace(" ", "").replace("_", ".").splitlines()
    side = {1: "the mover is ahead", -1: "the mover is behind"}.get(favoured(board), "no clear case")
    print(f"# {side}; {caption}", *(row for row in rows if row.strip(".")), "", sep="\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
