"""What a verdict depends on, as a digest: a verdict that is stored under the same
digest need not be found again.

That is every file of the rooms that judge, the limits, Python's version, the cases of
the function and of those that it needs or may call, their reference traces, and what
known mistakes answer to them.  Points, weights and voids are no part of it, nor is what
a mistake is called, nor its hint: changing these runs nothing.
"""

import functools
import hashlib
import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.bank.cases import Bank
from grader.diagnosing.diagnosis import MISCONCEPTIONS
from grader.kinds.kind import REFERENCE_TRACES, kind_of
from grader.kit import KIT
from staff.call_graph import names_from

ROOMS = ("api", "boards", "grader")
LIMITS = KIT / "staff" / "gradebook" / "kit_process.py"
# Rooms that show what was found, and folders of which the parts that matter are looked
# at one by one.
BESIDE = (
    "grader/commands", "grader/showing", "grader/tools", "boards/cases", "boards/misconceptions",
    "boards/reference_traces", "boards/points.yaml",
)  # fmt: skip
ELSEWHERE = (
    "staff/course",
    "staff/course.yaml",
    "staff/gradebook",
    "staff/hidden",
    "staff/release",
    "staff/strict",
)


def digests(bank: Bank, source: bytes) -> dict[str, str]:
    """For each function with cases, the digest of all that the verdicts of this lab.py
    on them depend on.

    What a function may call is read off lab.py itself.
    """
    digest_of = {}
    for function in dict.fromkeys(
        case.function for case in bank.cases if not case.advice
    ):
        names = sorted({function, *_behind(function, bank, source)})
        cases = [
            replace(case, says="", weight=1, void="", why="")
            for name in names
            for case in bank.of(name)
        ]
        traces = [_traces().get(case.id, "") for case in cases]
        text = f"{code_digest()} {cases!r} {traces!r} {_known_answers(function)}"
        digest_of[function] = _digest(text)
    return digest_of


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _behind(function: str, bank: Bank, source: bytes) -> set[str]:
    """The graded functions that a verdict on this one may speak of."""
    graded = next(each for each in bank.functions if each.name == function)
    names, kinds = names_from(source, function), kind_of(graded).calls
    called = {
        each.name
        for each in bank.functions
        if each.kind in kinds and (names is None or each.name in names)
    }
    return called.union(
        graded.needs, *(_behind(name, bank, source) for name in graded.needs)
    )


@functools.cache
def _traces() -> dict[str, str]:
    """A digest of each public case's reference trace."""
    traces = dict[str, str]()
    for file in sorted(REFERENCE_TRACES.glob("*.json")):
        stored: dict[str, Any] = json.loads(file.read_text("utf-8"))
        traces |= {case: _digest(json.dumps(trace)) for case, trace in stored.items()}
    return traces


@functools.cache
def _known_answers(function: str) -> str:
    """A digest of what the known mistakes of a function answer to each case, without
    what the mistakes are called.
    """
    file = MISCONCEPTIONS / f"{function}.json"
    if not file.exists():
        return ""
    answers = dict[str, Any]()
    for misconception in json.loads(file.read_text("utf-8"))["misconceptions"]:
        answers |= misconception["wrong"]
    return _digest(json.dumps(answers, sort_keys=True))


@functools.cache
def code_digest() -> str:
    """The digest of the code that judges, of its limits, and of Python's version."""
    judging = [file for file in files_in(ROOMS) if not _is_beside(file)]
    version = f"Python {sys.version_info.major}.{sys.version_info.minor} "
    return digest_of_files([*judging, LIMITS], version)


def digest_of_everything() -> str:
    """The digest of all that decides: kit, cases and course.  Machines share the work
    if theirs are the same.
    """
    version = f"Python {sys.version_info.major}.{sys.version_info.minor} "
    return digest_of_files(files_in((*ROOMS, *ELSEWHERE)), version)


def files_in(places: Iterable[str]) -> list[Path]:
    """All files in these rooms of the kit but those that Python compiles."""
    files = set[Path]()
    for place in places:
        files.update(
            (KIT / place).rglob("*") if (KIT / place).is_dir() else [KIT / place]
        )
    return sorted(
        file for file in files if file.is_file() and "__pycache__" not in file.parts
    )


def digest_of_files(files: Iterable[Path], text: str) -> str:
    """The digest of files, with their names, and of a text."""
    digest = hashlib.sha256(text.encode())
    for file in files:
        data = file.read_bytes()
        digest.update(
            f"{file.relative_to(KIT).as_posix()}\0{len(data)}\0".encode() + data
        )
    return digest.hexdigest()


def _is_beside(file: Path) -> bool:
    """Whether no verdict depends on a file as a whole."""
    name = file.relative_to(KIT).as_posix()
    return any(name == place or name.startswith(f"{place}/") for place in BESIDE)
