"""Prints a Refusal in one line.  Commands in it have the form in which people type them
on this machine.
"""

import functools
import os
import re
import sys
from collections.abc import Iterable

from grader.verbs import all_verbs

try:
    from boards.refusal import Refusal as Refusal
except Exception:
    # Somebody has damaged a file of api/ or boards/.  `make update` can repair the
    # file.  With this class, `make update` can run without api/ and boards/.
    class Refusal(Exception):  # type: ignore[no-redef]
        """Replaces the Refusal of boards/ if boards/ cannot be imported."""


MAKE_CMD = "MAKE_CMD"  # the environment variable that make.cmd sets


def prefix() -> str:
    """Return what people on this machine type before a verb: `make` or `python
    grader`.
    """
    if "MAKELEVEL" in os.environ or MAKE_CMD in os.environ:
        return "make"
    return "python grader"


def typed_beside() -> list[str]:
    """Return the words that the user has typed after make, and that begin with LAB=,
    VENV= or COURSE=.

    If the kit proposes another command to the user, that command needs these words too.
    """
    return re.findall(
        r"\b(?:LAB|VENV|COURSE)=(?:\\.|\S)+",
        os.environ.get("MAKEFLAGS", "").partition("-- ")[2],
    )


def as_typed(sentence: object) -> str:
    """Return a sentence with its commands as people type them on this machine.

    In the sentence, a command begins with `make`, such as `make test V=1`.
    """
    return _commands().sub(f"{prefix()} ", str(sentence))


@functools.cache
def _commands() -> re.Pattern[str]:
    """Return a pattern that matches the word `make` before a verb of this kit."""
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
    """On a terminal, say what the kit is doing now.

    The next line that is printed overwrites these words.
    """
    if sys.__stderr__ and sys.__stderr__.isatty():
        print(f"\r{what:<60}\r", end="", file=sys.__stderr__, flush=True)


def like(name: str, names: Iterable[str], otherwise: str) -> str:
    """Return the end of a sentence about a wrong name.

    The text proposes the names in `names` that are similar to the wrong name.  If no
    name is similar, the text says `otherwise`.

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
    """Return at most four of `names`.

    They are the names that contain `name`.  If there are none, they are the names that
    are similar to `name`.  Upper and lower case make no difference.

    >>> alike("nim", ["alphabeta/nim", "heuristic/one"])
    ['alphabeta/nim']
    """
    from difflib import get_close_matches  # only a wrong name needs this module

    small = {other.lower(): other for other in names}
    near = sorted((other for other in small if name.lower() in other), key=len)
    if not near:
        near = get_close_matches(name.lower(), small)
    return [small[other] for other in near[:4]]
