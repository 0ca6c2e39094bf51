"""The words of a command of the staff's, read; and what is wrong in them, said in one
line.
"""

import argparse
from collections.abc import Sequence
from typing import NoReturn

from grader.refusal import AS_OPTIONS, Refusal, options_as_typed, tell
from staff import verbs


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that tells a mistake as all commands do."""

    def error(self, message: str) -> NoReturn:
        said = options_as_typed(message, (*AS_OPTIONS, *verbs.AS_OPTIONS))
        tell(f"{said}; {' '.join(self.format_usage().split())}")
        raise SystemExit(2)


def refuse_words(verb: str, words: Sequence[str]) -> None:
    """Raise Refusal if there are words behind a verb that takes none."""
    if words:
        raise Refusal(f"make {verb} takes no words, but got {words[0][:40]!r}")
