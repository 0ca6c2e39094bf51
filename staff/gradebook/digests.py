"""What a verdict depends on, as a digest: a verdict that is stored under the same digest need not be found again.

Points, weights and voids are no part of it, so that changing them runs nothing.
"""

import functools
import hashlib
from collections.abc import Iterator
from dataclasses import replace

from boards.cases import Bank, Case
from grader.diagnosing.diagnosis import MISCONCEPTIONS
from grader.grading.call_graph import names_from
from grader.kinds.kind import kind_of
from grader.kit import KIT

ROOMS = ("grader", "boards", "api")


def digests(bank: Bank, source: bytes) -> dict[str, str]:
    """For each function with cases, the digest of all that the verdicts of this lab.py on them depend on."""
    names = dict.fromkeys(case.function for case in bank.cases if not case.advice)
    return {name: digest(name, bank, source) for name in names}


def digest(function: str, bank: Bank, source: bytes) -> str:
    """The digest of a function: its cases, those of the functions that it needs or may call, and the code that judges.

    What a function may call is read off lab.py itself.
    """
    known = hashlib.sha256(code_digest().encode())
    for name in sorted({function, *_behind(function, bank, source)}):
        for case in bank.of(name):
            known.update(repr(_bare(case)).encode())
    known.update(_misconceptions(function))
    return known.hexdigest()[:32]


@functools.cache
def code_digest() -> str:
    """The digest of the code that grades: two machines may share the work if theirs are the same."""
    found = hashlib.sha256()
    for file in sorted(file for room in ROOMS for file in (KIT / room).rglob("*.py")):
        found.update(f"{file.relative_to(KIT).as_posix()}\0".encode() + file.read_bytes())
    return found.hexdigest()


def _behind(function: str, bank: Bank, source: bytes) -> Iterator[str]:
    """The graded functions that a verdict on this one may speak of."""
    functions = {graded.name: graded for graded in bank.functions}
    graded = functions[function]
    names = names_from(source, function)
    for other in functions.values():
        may_call = other.kind in kind_of(graded).calls and (names is None or other.name in names)
        if may_call or other.name in graded.needs:
            yield other.name
    for name in graded.needs:
        yield from (other for other in _behind(name, bank, source) if other != function)


def _bare(case: Case) -> Case:
    return replace(case, says="", weight=1, void="", why="")


def _misconceptions(function: str) -> bytes:
    file = MISCONCEPTIONS / f"{function}.json"
    return file.read_bytes() if file.exists() else b""
