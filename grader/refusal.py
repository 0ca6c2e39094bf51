"""Refusal: what every verb raises where it cannot do what was typed; tell, by which it is told; and what is typed
here in place of it."""

import os
import re
import sys
from collections.abc import Collection
from typing import TextIO

MAKE_CMD = "MAKE_CMD"  # which make.cmd sets
_VERBS = "test|watch|debug|trace|report|run|play|board|update|release|expectations|check|bench|demo"
_COMMAND = re.compile(rf"\bmake (?=(?:{_VERBS})\b)")


class Refusal(Exception):
    """The text says in one line why not; the exit status is then 2."""


def door() -> str:
    """What is typed here in front of a verb: make, or a Python and the grader.  A Python far away is `python`."""
    typed = re.match(r"[\w.][^\s:]*(?: -\w+)* (?:[\w.][^\s:]*/)?grader(?= )", " ".join(sys.orig_argv))
    is_below_make = "MAKELEVEL" in os.environ or MAKE_CMD in os.environ
    return "make" if is_below_make else typed[0] if typed else "python grader"


def typed_beside() -> list[str]:
    """What make was given that the next command needs as well: a lab.py, the environment or COURSE=1."""
    return re.findall(r"\b(?:LAB|VENV|COURSE)=(?:\\.|\S)+", os.environ.get("MAKEFLAGS", "").partition("-- ")[2])


def as_typed(sentence: object) -> str:
    """A sentence in which a command such as `make test V=1` is as it is typed here."""
    return _COMMAND.sub(lambda _: f"{door()} ", str(sentence))


def tell(sentence: object) -> None:
    """Say on standard error why something could not be."""
    print(fitting(as_typed(sentence), sys.stderr), file=sys.stderr)


def fitting(sentence: str, stream: TextIO) -> str:
    """A sentence: on a screen in lines that fit, elsewhere in one."""
    import textwrap  # which only this needs

    fits = textwrap.fill(sentence, 79, break_long_words=False, break_on_hyphens=False)
    return fits if stream.isatty() else sentence


def like(name: str, names: Collection[str], otherwise: str) -> str:
    """The names like this one, or what else helps, as the end of a sentence.

    >>> like("bord", ["BOARD", "tree"], "there are two")
    '; do you mean BOARD?'
    >>> like("nim", ["heuristic/the-minimizer-to-move", "alphabeta/nim"], "")
    '; do you mean alphabeta/nim, heuristic/the-minimizer-to-move?'
    """
    from difflib import get_close_matches  # which only this needs

    small, asked = {other.lower(): other for other in names}, name.lower()
    has = [other for other in small if name and asked in other]
    near = sorted(has, key=lambda other: asked not in re.split(r"\W", other)) or get_close_matches(asked, small)
    return f"; do you mean {', '.join(small[other] for other in near[:4])}?" if near else f"; {otherwise}"
