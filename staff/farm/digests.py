"""Computes a digest of everything that a verdict depends on.

If the store has a verdict with the same digest, the function is not graded again.

A verdict on a function depends on the code that judges, on the limits in
kit_process.py, and on Python's version.  It depends on the cases of the function.  It
also depends on the cases of those functions that this function needs or may call, on
the reference traces of all these cases, and on the answers of known mistakes to the
cases.  The digest leaves out points, weights and voids, the sentence that says what a
case is about, and the name and the hint of a mistake.  If these change, nothing is
graded again.
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
from grader.grading.diagnosis import MISCONCEPTIONS
from grader.kinds.kind import REFERENCE_TRACES, kind_of
from grader.kit import KIT
from staff.call_graph import names_from

ROOMS = ("api", "boards", "grader")
LIMITS = KIT / "staff" / "farm" / "kit_process.py"
# No verdict depends on these folders of grader/.  Of these files in boards/, a verdict
# depends only on some parts, which `digests` reads one by one.
BESIDE = (
    "grader/commands",
    "grader/ladder",
    "grader/showing",
    "grader/tools",
    "boards/cases",
    "boards/misconceptions",
    "boards/reference_traces",
    "boards/points.yaml",
)
ELSEWHERE = (
    "staff/course",
    "staff/course.yaml",
    "staff/farm",
    "staff/hidden",
    "staff/questions",
    "staff/release",
    "staff/strict",
)
DIGITS = 32  # characters of a digest


def digests(bank: Bank, source: bytes) -> dict[str, str]:
    """Return a digest of everything that the verdicts on a function depend on.

    The key is the function.  A function without graded cases has no digest.  `source`
    is the text of lab.py.  The names in it show which functions a function may call.
    """
    digest_of = {}
    functions = [case.function for case in bank.cases if not case.advice]
    for function in dict.fromkeys(functions):
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
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _behind(function: str, bank: Bank, source: bytes) -> set[str]:
    """Return the other graded functions on which a verdict on `function` may depend."""
    graded = next(named for named in bank.functions if named.name == function)
    names = names_from(source, function)
    kinds = kind_of(graded).calls
    behind = {
        called.name
        for called in bank.functions
        if called.kind in kinds and (names is None or called.name in names)
    }
    for name in graded.needs:
        behind.add(name)
        behind |= _behind(name, bank, source)
    return behind


@functools.cache
def _traces() -> dict[str, str]:
    """Return a digest of each reference trace.  The key is the id of the case."""
    traces = dict[str, str]()
    for file in sorted(REFERENCE_TRACES.glob("*.json")):
        stored: dict[str, Any] = json.loads(file.read_text("utf-8"))
        traces |= {case: _digest(json.dumps(trace)) for case, trace in stored.items()}
    return traces


@functools.cache
def _known_answers(function: str) -> str:
    """Return a digest of what the known mistakes of a function answer to each case.

    The digest leaves out the names of the mistakes.  It is empty if no mistakes of the
    function are known.
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
    """Return a digest of the code that judges, of the limits in kit_process.py, and of
    the version of Python.
    """
    graders_files = [file for file in files_in(ROOMS) if not _is_beside(file)]
    return digest_of_files([*graders_files, LIMITS], _version())


def digest_of_everything() -> str:
    """Return a digest of the kit, the cases, the course, and the version of Python.

    Another machine may help to grade only if it computes the same digest.
    """
    return digest_of_files(files_in((*ROOMS, *ELSEWHERE)), _version())


def _version() -> str:
    """Return the version of Python, as a part of the text that is digested."""
    return f"Python {sys.version_info.major}.{sys.version_info.minor} "


def files_in(places: Iterable[str]) -> list[Path]:
    """Return all files in these places of the kit, without those in __pycache__."""
    files = set[Path]()
    for name in places:
        place = KIT / name
        files.update(place.rglob("*") if place.is_dir() else [place])
    return sorted(
        file for file in files if file.is_file() and "__pycache__" not in file.parts
    )


def digest_of_files(files: Iterable[Path], text: str) -> str:
    """Return one digest of a text and of these files, including the names of the
    files.
    """
    digest = hashlib.sha256(text.encode())
    for file in files:
        data = file.read_bytes()
        name = file.relative_to(KIT).as_posix()
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def _is_beside(file: Path) -> bool:
    """Whether `code_digest` leaves out a file of the kit.

    No verdict depends on such a file, or verdicts depend only on some parts of it.
    `digests` takes those parts one by one.
    """
    name = file.relative_to(KIT).as_posix()
    return any(name == place or name.startswith(f"{place}/") for place in BESIDE)
