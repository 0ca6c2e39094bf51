"""The words of a command of the staff's, read; and what is wrong in them, said in one line."""

import argparse
from collections.abc import Sequence
from typing import NoReturn

from grader.parser import as_typed_behind
from grader.refusal import Refusal, tell


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that tells a mistake as all commands do."""

    def error(self, message: str) -> NoReturn:
        usage = " ".join(self.format_usage().split())
        tell(f"{as_typed_behind(message, usage)}; {usage}")
        raise SystemExit(2)


def refuse_words(verb: str, words: Sequence[str]) -> None:
    """Raise Refusal if there are words behind a verb that takes none."""
    if words:
        raise Refusal(f"make {verb} takes no words, but got {words[0][:40]!r}")
