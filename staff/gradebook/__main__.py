"""The verbs on a class, `python -m staff.gradebook VERB`.

Only this module reads their words, and opens the store.
"""

import importlib
import os
import re
import sys
from collections.abc import Callable

from staff.farm.isolation import WAYS, doctor
from staff.parser import Parser
from staff.store import Store, opened

OF_INTAKE = ("collect", "pushes")
WRITE = ("collect", "grade", "publish", "similar")
_ISOLATE = f"[ISOLATE={'|'.join(WAYS)}]"
USAGES = {  # each NAME=… is a variable of make; those in brackets may be left out
    "collect": "[FROM=downloads/] [ROSTER=roster.csv] [TIMES=times.csv]",
    "pushes": 'ORG=organization BEFORE="2027-02-16 00:14" [PREFIX=classroom-games-lab]',
    "grade": (
        f"[WHO=id,id] [AGAIN=ungraded|all] {_ISOLATE} [SCHEDULER=address] [OVER=1]"
    ),
    "publish": '[LOWER="reason"] [UNGRADED="reason"] [ONTIME=1] [OVER=1]',
    "why": (
        "WHO=id,id [CASE=alphabeta/equal-bounds] [OUT=lab.py] [FILE=name or SHA-256]"
    ),
    "similar": "[WITH=earlier/]",
    "log": "",
    "doctor": _ISOLATE,
}
CHOICES = {"AGAIN": ["ungraded", "all"], "ISOLATE": [*WAYS]}
FLAGS = ("ONTIME", "OVER")


def main(verb: str, words: list[str]) -> int:
    """Carry out a verb, which is main of its module; the exit status.

    Raises Refusal or BadFile.
    """
    options = options_of(verb, words)
    if verb == "doctor":
        return doctor(options["ISOLATE"])
    room = "intake" if verb in OF_INTAKE else "gradebook"
    carry_out = importlib.import_module(f"staff.{room}.{verb}").main
    if verb == "pushes":  # asks GitHub, and needs no store
        return int(carry_out(options))
    with opened(verb, writes=verb in WRITE) as store:
        if verb in WRITE:
            carry_out(store, options)
        else:
            _tell(carry_out, store, options)
    return 0


def _tell(
    carry_out: Callable[[Store, dict[str, str]], None],
    store: Store,
    options: dict[str, str],
) -> None:
    """Carry out a verb that only prints.

    A program that reads it, such as `head`, may close the pipe before the end.
    """
    try:
        carry_out(store, options)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def options_of(verb: str, words: list[str]) -> dict[str, str]:
    """The value of each variable of a verb; empty for one that is left out."""
    parser = Parser(usage=f"make {verb} {USAGES[verb]}")
    for bracket, name in re.findall(r"(\[?)\b([A-Z]+)=", USAGES[verb]):
        parser.add_argument(
            f"--{name.lower()}",
            dest=name,
            default="",
            required=not bracket,
            choices=CHOICES.get(name),
        )
    options: dict[str, str] = vars(parser.parse_args(words))
    for name in FLAGS:
        if options.get(name) == "0":
            options[name] = ""
    return options


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
