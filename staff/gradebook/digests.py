"""What a verdict depends on, as a digest: a verdict that is stored under the same digest need not be found again.

Points, weights and voids are no part of it, so that changing them runs nothing.
"""

import functools
import hashlib
from dataclasses import replace

from boards.cases import Bank
from grader.diagnosing.diagnosis import MISCONCEPTIONS
from grader.kinds.kind import kind_of
from grader.kit import KIT
from staff.call_graph import names_from

ROOMS = ("grader", "boards", "api")


def digests(bank: Bank, source: bytes) -> dict[str, str]:
    """For each function with cases, the digest of all that the verdicts of this lab.py on them depend on.

    That is its cases, those of the functions that it needs or may call, and the code that judges.  What a function may
    call is read off lab.py itself.
    """
    found = {}
    for function in dict.fromkeys(case.function for case in bank.cases if not case.advice):
        names = sorted({function, *_behind(function, bank, source)})
        cases = [replace(case, says="", weight=1, void="", why="") for name in names for case in bank.of(name)]
        misconceptions = MISCONCEPTIONS / f"{function}.json"
        mistakes = misconceptions.read_bytes() if misconceptions.exists() else b""
        found[function] = hashlib.sha256(f"{code_digest()} {cases!r} ".encode() + mistakes).hexdigest()[:32]
    return found


def _behind(function: str, bank: Bank, source: bytes) -> set[str]:
    """The graded functions that a verdict on this one may speak of."""
    graded = next(each for each in bank.functions if each.name == function)
    names, kinds = names_from(source, function), kind_of(graded).calls
    called = {each.name for each in bank.functions if each.kind in kinds and (names is None or each.name in names)}
    return called.union(graded.needs, *(_behind(name, bank, source) for name in graded.needs))


@functools.cache
def code_digest() -> str:
    """The digest of the code that grades: two machines may share the work if theirs are the same."""
    found = hashlib.sha256()
    for file in sorted(file for room in ROOMS for file in (KIT / room).rglob("*.py")):
        found.update(f"{file.relative_to(KIT).as_posix()}\0".encode() + file.read_bytes())
    return found.hexdigest()
