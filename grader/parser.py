"""Parser: reads the words that somebody types behind a verb, for all verbs by one rule.

A word such as K=dfs is the option --k=dfs, if the verb declares it.  ARGS="..." holds
further words.  --help lists the options, with exit status 0.  Any other word that the
verb does not take is a Refusal.
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

LONGEST = 200  # characters of a complaint
_NAMED = re.compile(r"([A-Za-z_]+)=(.*)", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """An ArgumentParser for one verb.

    `takes` says in a sentence what may be typed behind the verb; each Refusal ends with
    this sentence.  Every long option can also be typed as NAME=value.  With `lab`, the
    verb has the option LAB, which names another lab.py than that one.
    """

    def __init__(self, verb: str, takes: str, lab: Path | None = None) -> None:
        super().__init__(
            f"python grader {verb}",
            description=as_typed(takes.removeprefix("usage: ")),
            allow_abbrev=False,
            # Without a width, argparse imports shutil for each option.
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
                help="another lab.py than the one here",
            )

    def add_switch(self, name: str, help: str, default: bool = False) -> None:
        """Declare an option that is on or off: NAME=1, --name and --name 1 turn it on,
        NAME=0 turns it off.
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
        """What the words say.  Raises Refusal for a word that the verb does not
        take.
        """
        options = self._as_options(words)
        for word in options:
            option = re.match(r"--\w[^=]*", word)
            if option and option[0] not in self._option_string_actions:
                self._suggest(option[0][2:].upper())
        return self.parse_intermixed_args(options)

    def read_some(self, words: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
        """What the words say; and, in their order, the words that the verb does not
        know.
        """
        return self.parse_known_args(self._as_options(words))

    def _as_options(self, words: Sequence[str]) -> list[str]:
        """The words, with `--k=dfs` in place of K=dfs, and with ARGS="..." unpacked.

        Raises Refusal for NAME=value if the verb has no option of that name.  Only
        right behind an option, such as pytest's `-o`, is such a word left as it is: it
        may be the value of that option.
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
        """The options of the verb, by the names that people type: K for --k."""
        return {
            option.removeprefix("--").upper(): action
            for option, action in self._option_string_actions.items()
            if option.startswith("--") and action.dest != "help"
        }

    def _suggest(self, name: str) -> None:
        """Raise Refusal for the name of an option if others are like it."""
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
        """Raise Refusal.  A message of argparse names options as --k, and people type
        K=.
        """
        for name in self._declared():
            message = re.sub(
                rf"(?<!\S)--{name.lower()}\b(/--[a-z]+)?=?", f"{name}=", message
            )
        raise Refusal(f"{harmless(message, LONGEST)}; {self._takes}")


def _as_option(action: argparse.Action, value: str) -> list[str]:
    """What argparse reads of NAME=value.  An empty value leaves an option out, as in
    `make test K=$(WORD)`; but an empty LAB= is a mistake.
    """
    option = action.option_strings[0]
    if action.nargs == 0:
        return [option] if is_on(value) else []
    if value or action.dest == "lab":
        return [f"{option}={value}"]
    return []


def is_on(value: str) -> bool:
    """Whether the value of a switch, such as FAST=1, turns it on.

    >>> is_on("1"), is_on("0"), is_on("")
    (True, False, False)
    """
    return value not in ("", "0")


def with_those_of_args(words: Sequence[str]) -> list[str]:
    r"""The words; those that ARGS="..." holds come last.

    In quotes, several words count as one.  A backslash is a letter, as in the paths of
    Windows.

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
