"""The verbs that people can type after `make` or after `python grader`.  For example,
`make test` runs `python grader test`.

The master copy has further verbs, in staff/verbs.py.
"""

import importlib
from dataclasses import dataclass

from grader.kit import KIT


@dataclass(frozen=True)
class Verb:
    """A verb, and the module that does the work."""

    module: str  # its `main` carries the verb out
    meaning: str  # one line for the list of all verbs
    # The words that `main` of the module gets in addition, before the words that were
    # typed.
    first: tuple[str, ...] = ()


VERBS = {
    "test": Verb(
        "grader.commands.testing",
        'grade lab.py    PART=2, K=alphabeta, V=1, OUT=file, ARGS="--lf"',
    ),
    "watch": Verb("grader.commands.watching", "grade lab.py again whenever you save"),
    "run": Verb(
        "grader.commands.run",
        'solve a game and print the values    ARGS="zero_by 10 1 2"',
    ),
    "play": Verb(
        "grader.tools.play",
        'play against your own code    ARGS="nim --minnie minimax:3"',
    ),
    "debug": Verb("grader.tools.debug", "debug a case    CASE=name, CALL=2"),
    "trace": Verb(
        "grader.tools.trace", "replay a search    CASE=name, CALL=2, PLAIN=1"
    ),
    "report": Verb(
        "grader.tools.report",
        "show the score sheet as a web page",
    ),
    "board": Verb("grader.tools.board.server", "play in your browser    PORT=8000"),
    "ladder": Verb(
        "grader.tools.ladder.climb",
        "climb from weak players to strong ones    RUNG=5, BUDGET=500",
    ),
    "match": Verb(
        "grader.tools.ladder.match",
        "see which of two files plays better    OTHER=old_lab.py",
    ),
    "update": Verb(
        "grader.commands.update",
        "fetch the newest kit; lab.py stays as it is",
    ),
    "workflow": Verb(
        "grader.commands.workflow",
        "grade a checkout as the workflow on GitHub does    CHECKOUT",
    ),
}
"""The key is what people type.  Each verb works on a lab.py, by main(words, lab)."""


def all_verbs() -> dict[str, Verb]:
    """Return the verbs of this kit.  The key is the word that people type."""
    if not (KIT / "staff" / "verbs.py").exists():
        return VERBS
    of_staff: dict[str, Verb] = importlib.import_module("staff.verbs").VERBS
    return VERBS | of_staff
