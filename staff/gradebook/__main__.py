"""Carries out the commands on a class, such as `make grade`.  Only this module reads
the words after these commands, and opens the store.
"""

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

from grader.cli import enter
from grader.parser import Parser
from staff.farm import isolation
from staff.store import Store, opened

ROOMS = {"collect": "intake", "pushes": "intake", "league": "league"}
"""The folder of each verb whose module is not in this folder."""
WRITE = ("collect", "grade", "publish", "similar", "league")


def main(words: Sequence[str]) -> int:
    """Carry out the verb with which the words begin; return the exit status.

    The module with the name of the verb declares the options of the verb, and carries
    it out.  For `doctor`, this is the module staff/farm/isolation.py.  Raises Refusal.
    """
    verb, *rest = words
    if verb == "doctor":
        return isolation.doctor(_options(verb, isolation, rest)["ISOLATE"])
    room = ROOMS.get(verb, "gradebook")
    module = importlib.import_module(f"staff.{room}.{verb}")
    options = _options(verb, module, rest)
    if verb == "pushes":  # this verb asks GitHub and needs no store
        return int(module.main(options))
    with opened(verb, writes=verb in WRITE) as store:
        if verb in WRITE:
            module.main(store, options)
        else:
            _tell(module.main, store, options)
    return 0


def _tell(
    carry_out: Callable[[Store, dict[str, str]], None],
    store: Store,
    options: dict[str, str],
) -> None:
    """Carry out a verb that does not write to the store.

    A program that reads the output, such as `head`, may close the pipe before the end.
    Then the rest of the output is lost, and nothing is raised.
    """
    try:
        carry_out(store, options)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _options(verb: str, module: ModuleType, words: list[str]) -> dict[str, str]:
    """Read the words after a verb; return the value of each option as text.

    The key is the name of the option as people type it.  An option that was left out
    has its default, which is mostly empty.  A switch that is on has the value 1.
    """
    parser = Parser(verb, f"usage: make {verb} {module.USAGE}".strip())
    module.add_options(parser)
    options = dict[str, str]()
    for name, value in vars(parser.read(words)).items():
        if value is True:
            value = "1"
        options[name.upper()] = value or ""
    return options


if __name__ == "__main__":
    sys.exit(enter(sys.argv[1:]))
