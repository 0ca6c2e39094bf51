"""How a Refusal is told: in one line, with commands in the form that works here."""

import os
import re
import sys
from collections.abc import Collection, Iterable

from boards.refusal import Refusal as Refusal

MAKE_CMD = "MAKE_CMD"  # which make.cmd sets
_VERBS = "test|watch|debug|trace|report|run|play|board|update|release|expectations|check|bench|demo|collect"
_VERBS += "|pushes|grade|publish|why|similar|log|doctor|hidden|gradescope|classroom50|coverage|figures"
_COMMAND = re.compile(rf"\bmake (?=(?:{_VERBS})\b)")

AS_OPTIONS = ("CALL", "CASE", "K", "OUT", "PART", "PLAIN", "V")
"""What make takes and hands on as an option: K=dfs is --k=dfs."""


def prefix() -> str:
    """What is typed here in front of a verb."""
    return (
        "make"
        if "MAKELEVEL" in os.environ or MAKE_CMD in os.environ
        else "python grader"
    )


def typed_beside() -> list[str]:
    """What make was given that the next command needs as well: a lab.py, the
    environment, or COURSE=1.
    """
    return re.findall(
        r"\b(?:LAB|VENV|COURSE)=(?:\\.|\S)+",
        os.environ.get("MAKEFLAGS", "").partition("-- ")[2],
    )


def as_typed(sentence: object) -> str:
    """A sentence in which a command such as `make test V=1` is as it is typed here."""
    return _COMMAND.sub(f"{prefix()} ", str(sentence))


def options_as_typed(message: str, names: Collection[str] = AS_OPTIONS) -> str:
    """A message of argparse that names the options as people type them.

    >>> options_as_typed("unrecognized arguments: --part=2, --minnie")
    'unrecognized arguments: PART=2, --minnie'
    """

    def as_people_do(option: re.Match[str]) -> str:
        name = option[1].upper()
        return f"{name}=" if name in names else option[0]

    return re.sub(r"(?<!\S)--([a-z]+)\b=?", as_people_do, message)


def tell(sentence: object) -> None:
    """Say on standard error why something could not be: in one line, which a terminal
    gets folded between words.
    """
    line = as_typed(sentence)
    if sys.stderr.isatty():
        import textwrap  # which only a refusal needs

        line = "\n".join(
            textwrap.wrap(line, 79, break_on_hyphens=False, break_long_words=False)
        )
    print(line, file=sys.stderr)


def show_progress(what: str) -> None:
    """What is being done, on a terminal, in a line that the next one overwrites."""
    if sys.__stderr__ and sys.__stderr__.isatty():
        print(f"\r{what:<60}\r", end="", file=sys.__stderr__, flush=True)


def like(name: str, names: Iterable[str], otherwise: str) -> str:
    """The names like this one, or what else helps, as the end of a sentence.

    >>> like("bord", ["BOARD", "tree"], "there are two")
    '; do you mean BOARD?'
    >>> like("nim", ["alphabeta/nim", "heuristic/one"], "")
    '; do you mean alphabeta/nim?'
    """
    from difflib import get_close_matches  # which only this needs

    small = {other.lower(): other for other in names}
    near = sorted(
        (each for each in small if name.lower() in each), key=len
    ) or get_close_matches(name.lower(), small)
    return (
        f"; do you mean {', '.join(small[other] for other in near[:4])}?"
        if near
        else f"; {otherwise}"
    )
