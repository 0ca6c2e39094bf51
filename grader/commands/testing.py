"""`make test`: grades lab.py, prints the report, and writes build/results.json or OUT.

A run of only some cases writes no file.

First this module reads the words, and has the child import lab.py.  While the child is
importing, this module reads the cases.  Then the child runs the cases of one function,
the one with the longest case.  While these cases run, Python imports pytest, which
plugin.py needs.
"""

import atexit
import gc
import os
import re
from pathlib import Path

from grader.bank.cases import Bank, Case
from grader.grading.session import Session, turn
from grader.kit import KIT
from grader.parser import Parser
from grader.refusal import Refusal, like

TAKES = (
    "make test takes options such as PART=2 and K=alphabeta; "
    "words without `=` go to pytest, such as -x and --lf"
)
ERROR_1 = "(make adds `Error 1` to this: it only means that not everything passes yet.)"
# Nearly all objects of a run are needed until its end.  So Python would waste time if
# it often looked for garbage among them.
OBJECTS_BETWEEN_COLLECTIONS = 500_000


def main(words: list[str], lab: Path, bank: Bank | None = None) -> int:
    """Grade lab.py as `words` say, and return the exit status.

    The status is 1 if a graded case was run and does not pass.  Otherwise it is 0.

    If `bank` is given, its cases and points replace those of this kit.  Raises Refusal
    for wrong words or a file that is not a lab.py, and OSError if lab.py cannot be
    read.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)
    options, for_pytest = _parser(lab).read_some(words)
    parts = _words(options.part)
    words = _words(" ".join(options.k))
    is_first = not options.out.exists()
    if not (parts or words or for_pytest):
        # The file may still have the results of an earlier run.  If this run fails,
        # nobody must take them for the results of this run.
        options.out.unlink(missing_ok=True)
    with Session(options.lab, bank) as session:
        chosen = choose(session.bank, parts, words)
        session.begin(chosen)
        from grader.commands.plugin import make_test

        status = make_test(session, chosen, for_pytest, options.v, options.out)
    if status and is_first and "MAKELEVEL" in os.environ:
        print(ERROR_1)
    return status


def _parser(lab: Path) -> Parser:
    """Return the parser for the words of `make test`."""
    parser = Parser("test", TAKES, lab)
    parser.add_argument(
        "--part", default="", metavar="NUMBERS", help="only these parts: PART=0,2"
    )
    parser.add_argument(
        "--k",
        "--case",
        action="append",
        default=[],
        metavar="WORDS",
        help="only cases with one of these words in name or function",
    )
    # If --v could have a value, as in `--v 1`, it would take the next word, which may
    # be meant for pytest.
    parser.add_argument("--v", action="store_true", help="each case on its own line")
    parser.add_argument(
        "--out",
        type=Path,
        default=KIT / "build" / "results.json",
        metavar="FILE",
        help="where the results of a whole run go",
    )
    return parser


def choose(bank: Bank, parts: list[str], words: list[str]) -> list[Case]:
    """Return the cases of these parts whose id or function contains one of these words.

    The cases are in the order of grading.  If `parts` is empty, all parts count.  If
    `words` is empty, no word is required.  Raises Refusal if there is no such part, or
    if no case matches.
    """
    numbers = [str(part.number) for part in bank.parts]
    if strange := [part for part in parts if part not in numbers]:
        there_are = f"the parts are {', '.join(numbers)}"
        raise Refusal(f"there is no part {strange[0][:20]}; {there_are}")
    in_parts = [case for case in bank.cases if not parts or str(case.part) in parts]
    chosen = [
        case
        for case in in_parts
        if not words
        or any(word in f"{case.id} {case.function}".lower() for word in words)
    ]
    if not chosen:
        offered = [
            name
            for case in in_parts
            for name in (
                case.id.partition("/")[0],
                case.function,
                case.id,
                *re.split("[-/]", case.id),
            )
        ]
        word = words[0][:40]
        near = like(word, offered, "make test V=1 lists all cases")
        raise Refusal(f"no case matches {word!r}{near}")
    return sorted(chosen, key=turn)


def _words(text: str) -> list[str]:
    """Return the words of a text, in lower case.  Spaces or commas separate them."""
    return text.lower().replace(",", " ").split()
