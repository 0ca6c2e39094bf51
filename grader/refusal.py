"""How a Refusal is told: in one line, with commands in the form that works here."""

import functools
import os
import re
import sys
from collections.abc import Iterable

from grader.verbs import all_verbs

try:
    from boards.refusal import Refusal as Refusal
except Exception:
    # Somebody has broken api/ or boards/.  make update still works, and repairs both.
    class Refusal(Exception):  # type: ignore[no-redef]
        """The Refusal of `make update`, if that of boards/ cannot be imported."""


MAKE_CMD = "MAKE_CMD"  # an environment variable that make.cmd sets


def prefix() -> str:
    """The word or words that people type here in front of a verb."""
    if "MAKELEVEL" in os.environ or MAKE_CMD in os.environ:
        return "make"
    return "python grader"


def typed_beside() -> list[str]:
    """The words behind make that the next command needs too: LAB=, VENV= and
    COURSE=.
    """
    return re.findall(
        r"\b(?:LAB|VENV|COURSE)=(?:\\.|\S)+",
        os.environ.get("MAKEFLAGS", "").partition("-- ")[2],
    )


def as_typed(sentence: object) -> str:
    """The sentence, with commands such as `make test V=1` as people type them here."""
    return _commands().sub(f"{prefix()} ", str(sentence))


@functools.cache
def _commands() -> re.Pattern[str]:
    """The `make` in front of each verb of this kit."""
    return re.compile(rf"\bmake (?=(?:{'|'.join(all_verbs())})\b)")


def tell(sentence: object) -> None:
    """Print why something cannot be done, in one line on standard error.

    A terminal gets the line folded between words.
    """
    line = as_typed(sentence)
    if sys.stderr.isatty():
        import textwrap  # which only a Refusal needs

        line = "\n".join(
            textwrap.wrap(line, 79, break_on_hyphens=False, break_long_words=False)
        )
    print(line, file=sys.stderr)


def show_progress(what: str) -> None:
    """On a terminal, say what is being done; the next line overwrites it."""
    if sys.__stderr__ and sys.__stderr__.isatty():
        print(f"\r{what:<60}\r", end="", file=sys.__stderr__, flush=True)


def like(name: str, names: Iterable[str], otherwise: str) -> str:
    """The names like this one, or what else helps, as the end of a sentence.

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
    """The names like this one, at most four: those that contain it, or else those that
    look like it, whatever the case of the letters.

    >>> alike("nim", ["alphabeta/nim", "heuristic/one"])
    ['alphabeta/nim']
    """
    from difflib import get_close_matches  # which only a wrong name needs

    small = {other.lower(): other for other in names}
    near = sorted((other for other in small if name.lower() in other), key=len)
    if not near:
        near = get_close_matches(name.lower(), small)
    return [small[other] for other in near[:4]]
