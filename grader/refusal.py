"""Refusal: what every verb raises where it cannot do what was typed; and tell, by which it is told."""

import os
import re
import sys

MAKE_CMD = "MAKE_CMD"  # which make.cmd sets
_COMMAND = re.compile(r"\bmake (?=(?:test|watch|debug|trace|report|run|play|board|shrink|update)\b)")


class Refusal(Exception):
    """The text says in one line why not; the exit status is then 2."""


def is_below_make() -> bool:
    """Whether whoever types here types make."""
    return "MAKELEVEL" in os.environ or MAKE_CMD in os.environ


def as_typed(sentence: object) -> str:
    """A sentence in which a command such as `make test V=1` is as it is typed here."""
    return str(sentence) if is_below_make() else _COMMAND.sub("python grader ", str(sentence))


def tell(sentence: object) -> None:
    """Say on standard error why something could not be: on a screen in lines that fit, elsewhere in one."""
    import textwrap  # which only this needs

    sentence = as_typed(sentence)
    fits = textwrap.fill(sentence, 79, break_long_words=False, break_on_hyphens=False)
    print(fits if sys.stderr.isatty() else sentence, file=sys.stderr)
