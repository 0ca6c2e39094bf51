"""Refusal: what every verb raises where it cannot do what was typed; and tell, by which it is told."""

import sys


class Refusal(Exception):
    """The text says in one line why not; the exit status is then 2."""


def tell(sentence: object) -> None:
    """Say on standard error why something could not be: on a screen in lines that fit, elsewhere in one."""
    import textwrap  # which only this needs

    fits = textwrap.fill(str(sentence), 79, break_long_words=False, break_on_hyphens=False)
    print(fits if sys.stderr.isatty() else sentence, file=sys.stderr)
