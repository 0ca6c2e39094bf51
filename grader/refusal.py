"""Prints a Refusal in one line, with commands as they are typed on this machine."""

import functools
import os
import re
import sys
from collections.abc import Iterable

from grader.verbs import all_verbs

try:
    from boards.refusal import Refusal as Refusal
except Exception:
    # Somebody has broken api/ or boards/.  This class lets `make update` run without
    # them, so that it can repair both.
    class Refusal(Exception):  # type: ignore[no-redef]
        """Takes the place of the Refusal of boards/ if boards/ cannot be imported."""


MAKE_CMD = "MAKE_CMD"  # the environment variable that make.cmd sets


def prefix() -> str:
    """What people type before a verb on this machine: `make` or `python grader`."""
    if "MAKELEVEL" in os.environ or MAKE_CMD in os.environ:
        return "make"
    return "python grader"


def typed_beside() -> list[str]:
    """The words LAB=, VENV= and COURSE= that were typed after make.

    The next command that the user types needs these words too.
    """
    return re.findall(
        r"\b(?:LAB|VENV|COURSE)=(?:\\.|\S)+",
        os.environ.get("MAKEFLAGS", "").partition("-- ")[2],
    )


def as_typed(sentence: object) -> str:
    """The sentence, with commands such as `make test V=1` as people type them on this
    machine.
    """
    return _commands().sub(f"{prefix()} ", str(sentence))


@functools.cache
def _commands() -> re.Pattern[str]:
    """Matches `make` before each verb of this kit."""
    return re.compile(rf"\bmake (?=(?:{'|'.join(all_verbs())})\b)")


def tell(sentence: object) -> None:
    """Print a line on standard error that says why something cannot be done.

    On a terminal the line is folded between words.
    """
    line = as_typed(sentence)
    if sys.stderr.isatty():
        import textwrap  # only a Refusal needs this module

        line = "\n".join(
            textwrap.wrap(line, 79, break_on_hyphens=False, break_long_words=False)
        )
    print(line, file=sys.stderr)


def show_progress(what: str) -> None:
    """On a terminal, say what the kit is doing now.  The next line overwrites the
    words.
    """
    if sys.__stderr__ and sys.__stderr__.isatty():
        print(f"\r{what:<60}\r", end="", file=sys.__stderr__, flush=True)


def like(name: str, names: Iterable[str], otherwise: str) -> str:
    """The end of a sentence about a wrong name.

    The sentence proposes the names that are similar to the wrong one.  If there is no
    such name, the sentence ends with `otherwise`.

    >>> like("bord", ["BOARD", "tree"], "there are two")
    '; do you mean BOARD?'
    >>> like("path", ["BOARD", "tree"], "there are two")
    '; there are two'
    """
    near = alike(name, names)
    if near:
        return f"; do you mean {', '.join(near)}?"
    return f"; {otherwise}"


def alike(name: str, names: Iterable[str]) -> list[str]:
    """At most four of these names: those that contain the name, or else those that are
    similar to the name.  Upper and lower case do not matter.

    >>> alike("nim", ["alphabeta/nim", "heuristic/one"])
    ['alphabeta/nim']
    """
    from difflib import get_close_matches  # only a wrong name needs this module

    small = {other.lower(): other for other in names}
    near = sorted((other for other in small if name.lower() in other), key=len)
    if not near:
        near = get_close_matches(name.lower(), small)
    return [small[other] for other in near[:4]]
