"""`make test`: grades lab.py, prints the report, writes build/results.json or OUT.

The words are read here, and the cases begin to run; pytest is imported meanwhile
(plugin.py).
"""

import atexit
import gc
import re
from pathlib import Path

from grader.bank.cases import Bank, Case
from grader.bank.reading import load_bank
from grader.grading.session import Session, turn
from grader.kit import KIT
from grader.parser import Parser
from grader.refusal import Refusal, like

TAKES = "make test takes PART=2, K=alphabeta, V=1 and OUT=file; all other words go to pytest, such as -x and --lf"
OBJECTS_BETWEEN_COLLECTIONS = (
    500_000  # what is made here stays to the end, when nobody needs to look through it
)


def main(words: list[str], lab: Path, bank: Bank | None = None) -> int:
    """Grade lab.py as the words say; 0 at full marks, 1 below.

    `bank` has other cases and points than those of this kit.  Raises Refusal, and
    OSError when lab.py cannot be read.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)
    parser = Parser("test", TAKES)
    parser.add_argument("--part", nargs="?", default="", const="")
    parser.add_argument(
        "--k", "--case", nargs="?", default="", const="", metavar="WORD"
    )
    parser.add_argument("--v", action="store_true", default=False)
    parser.add_argument(
        "--out", type=Path, default=KIT / "build" / "results.json", metavar="FILE"
    )
    options, for_pytest = parser.parse_known_args(words)
    bank = bank or load_bank()
    chosen = choose(bank, _words(options.part), _words(options.k))
    if len(chosen) == len(bank.cases):
        options.out.unlink(
            missing_ok=True
        )  # the sheet of the lab.py before, whatever comes of this one
    with Session(lab, bank) as session:
        session.begin(chosen)
        from grader.commands.plugin import grade

        return grade(session, chosen, for_pytest, options.v, options.out)


def choose(bank: Bank, parts: list[str], words: list[str]) -> list[Case]:
    """The cases of these parts that have one of these words in their name, as they take
    turns.

    Raises Refusal if there are none.
    """
    numbers = [str(part.number) for part in bank.parts]
    there_are = f"the parts are {', '.join(numbers)}"
    if strange := [part for part in parts if part not in numbers]:
        raise Refusal(f"there is no part {strange[0][:20]}; {there_are}")
    names = {case.id: f"{case.id} {case.function}".lower() for case in bank.cases}
    in_parts = [case for case in bank.cases if not parts or str(case.part) in parts]
    chosen = [
        case
        for case in in_parts
        if not words or any(word in names[case.id] for word in words)
    ]
    if not chosen:
        offered = [
            name
            for case in in_parts
            for name in (case.id.partition("/")[0], case.function, case.id)
        ]
        offered += [word for case in in_parts for word in re.split("[-/]", case.id)]
        raise Refusal(
            f"no case fits{like(words[0], offered, f'{there_are}, and V=1 lists the cases')}"
        )
    return sorted(chosen, key=turn)


def _words(text: str) -> list[str]:
    return text.lower().replace(",", " ").split()
