"""Parser: reads the words that somebody types behind a verb, in the same way for all
verbs.

`--help` prints how the verb is typed, and the exit status is 0.  A word that the verb
does not take is a Refusal.
"""

import argparse
from typing import NoReturn

from grader.protocol.words import harmless
from grader.refusal import Refusal, as_typed, options_as_typed

LONGEST = 200


class Parser(argparse.ArgumentParser):
    """An ArgumentParser for one verb.  `takes` says in a sentence what may be typed
    behind the verb.

    An option without a default that nobody typed is left out of what the parser reads.
    """

    def __init__(self, verb: str, takes: str) -> None:
        about = as_typed(takes.removeprefix("usage: "))
        prog = f"python grader {verb}"
        super().__init__(
            prog,
            description=about,
            allow_abbrev=False,
            argument_default=argparse.SUPPRESS,
        )
        self._takes = takes

    def error(self, message: str) -> NoReturn:
        raise Refusal(f"{harmless(options_as_typed(message), LONGEST)}; {self._takes}")


def refuse_words(verb: str, words: list[str]) -> None:
    """Read the words of a verb that takes none.  Raises Refusal for any word but
    --help.
    """
    Parser(verb, f"make {verb} takes no words").parse_args(words)
