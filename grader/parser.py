"""Parser: reads the words that somebody types after a verb, in the same way for every
verb.

If the verb has an option --k, the word K=dfs means --k=dfs.  ARGS="..." holds further
words.  --help lists the options and ends the program with exit status 0.  The parser
raises Refusal for a word that the verb does not take.
"""

import argparse
import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from grader.protocol.text import harmless
from grader.refusal import Refusal, alike, as_typed

LONGEST = 200  # characters of a complaint that are shown
_NAMED = re.compile(r"([A-Za-z_]+)=(.*)", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """Reads the words that follow one verb.

    `takes` says in a sentence what may be typed after the verb.  If argparse rejects
    the words, the Refusal ends with this sentence.  Every long option can also be typed
    as NAME=value.  If `lab` is given, the verb has the option LAB.  `lab` is the file
    that this option has by default.
    """

    def __init__(self, verb: str, takes: str, lab: Path | None = None) -> None:
        super().__init__(
            f"python grader {verb}",
            description=as_typed(takes.removeprefix("usage: ")),
            allow_abbrev=False,
            # Without a width, argparse would find out the width of the terminal at each
            # option, which takes time.
            formatter_class=partial(argparse.HelpFormatter, width=78),
        )
        self._verb = verb
        self._takes = takes
        if lab:
            self.add_argument(
                "--lab",
                type=Path,
                default=lab,
                metavar="FILE",
                help="a lab.py other than the one here",
            )

    def add_switch(self, name: str, help: str, default: bool = False) -> None:
        """Declare an option that is on or off.

        NAME=1, --name and --name 1 turn the option on.  NAME=0 turns it off.
        """
        self.add_argument(
            f"--{name.lower()}",
            nargs="?",
            const=True,
            default=default,
            type=is_on,
            metavar="0|1",
            help=help,
        )

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Read the words, and return the value of each option and argument.

        Raises Refusal for a word that the verb does not take.
        """
        options = self._as_options(words)
        for word in options:
            option = re.match(r"--\w[^=]*", word)
            if option and option[0] not in self._option_string_actions:
                self._suggest(option[0][2:].upper())
        return self.parse_intermixed_args(options)

    def read_some(self, words: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
        """Read the words that the verb knows.

        Return the values of its options, and all other words in their order.  Raises
        Refusal if argparse rejects the words, or for NAME=value if the verb has no such
        option.
        """
        return self.parse_known_args(self._as_options(words))

    def _as_options(self, words: Sequence[str]) -> list[str]:
        """Return the words in the form that argparse reads.

        K=dfs becomes `--k=dfs`.  ARGS="..." is replaced by the words that it holds,
        which come last.

        Raises Refusal for NAME=value if the verb has no option of that name.  There is
        one exception.  If the word before NAME=value begins with `-`, as pytest's `-o`
        does, NAME=value stays as it is, because it may be the value of that option.
        """
        options = []
        for before, word in pairwise(["", *with_those_of_args(words)]):
            named = _NAMED.fullmatch(word)
            declared = named and self._declared().get(named[1])
            if declared and named:
                options += _as_option(declared, named[2])
            elif named and not before.startswith("-"):
                self._refuse_name(named[1])
            else:
                options.append(word)
        return options

    def _declared(self) -> dict[str, argparse.Action]:
        """Return the options of the verb.  The key is the name that people type, such
        as K for --k.
        """
        return {
            option.removeprefix("--").upper(): action
            for option, action in self._option_string_actions.items()
            if option.startswith("--") and action.dest != "help"
        }

    def _suggest(self, name: str) -> None:
        """If the verb has options whose names are similar to `name`, raise a Refusal
        that proposes them.
        """
        if near := alike(name, self._declared()):
            mean = ", ".join(f"{other}=" for other in near)
            name = harmless(name, 40)
            raise Refusal(f"there is no option {name}=; do you mean {mean}?")

    def _refuse_name(self, name: str) -> NoReturn:
        self._suggest(name)
        names = self._declared()
        taken = " ".join(f"{other}=" for other in names)
        it_takes = f"; it takes {taken}" if taken else ""
        raise Refusal(f"make {self._verb} takes no {name}={it_takes}")

    def error(self, message: str) -> NoReturn:
        """Raise a Refusal with a message of argparse.

        argparse calls this method if it rejects the words.  The message writes an
        option as --k, but people type K=, so the Refusal writes K=.
        """
        for name in self._declared():
            message = re.sub(
                rf"(?<!\S)--{name.lower()}\b(/--[a-z]+)?=?", f"{name}=", message
            )
        raise Refusal(f"{harmless(message, LONGEST)}; {self._takes}")


def _as_option(action: argparse.Action, value: str) -> list[str]:
    """Return the words that argparse should read in place of NAME=value.

    If the value is empty, as it may be in `make test K=$(WORD)`, the option is left
    out.  Only LAB= is not left out.  An option that takes no value, such as V, is also
    left out if the value is 0.
    """
    option = action.option_strings[0]
    if action.nargs == 0:
        return [option] if is_on(value) else []
    if value or action.dest == "lab":
        return [f"{option}={value}"]
    return []


def is_on(value: str) -> bool:
    """Whether this value, such as the 1 of FAST=1, turns a switch on.

    >>> is_on("1"), is_on("0"), is_on("")
    (True, False, False)
    """
    return value not in ("", "0")


def with_those_of_args(words: Sequence[str]) -> list[str]:
    r"""Return the words without ARGS="...", followed by the words that ARGS holds.

    In ARGS, a text in quotes is one word, even if it contains spaces.  A backslash is
    an ordinary character, because paths on Windows contain backslashes.

    >>> with_those_of_args(["V=1", r'ARGS=-k "alphabeta or dfs" tests\x.py'])
    ['V=1', '-k', 'alphabeta or dfs', 'tests\\x.py']
    """
    others = [word for word in words if not word.startswith("ARGS=")]
    held = list[str]()
    for word in words:
        if word.startswith("ARGS="):
            quoted = re.findall(r"""((?:[^\s"']|"[^"]*"|'[^']*')+)""", word[5:])
            held += [part.replace('"', "").replace("'", "") for part in quoted]
    return [*others, *held]
