"""The house: an import only points down, nothing student-facing needs more than it may, files stay small."""

import ast
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

from staff.tests.conftest import KIT

LIBRARIES = {"boards": {"yaml"}, "grading": {"yaml"}, "places": {"pytest"}, "tests": {"pytest"}}
_ROW = re.compile(r"^\| `(?P<room>\w+)` \| (?P<files>[^|]+) \| [^|]+ \| (?P<may>[^|]*) ?\|$", re.MULTILINE)
_NAME = re.compile(r"`([^`]+)`")


@cache
def rooms() -> dict[str, tuple[list[str], set[str]]]:
    """The rooms of CONTRIBUTING.md: of each, the patterns of its files, and the rooms that it may import."""
    text = (KIT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return {row["room"]: (_NAME.findall(row["files"]), set(_NAME.findall(row["may"]))) for row in _ROW.finditer(text)}


def room_of(file: Path) -> str:
    """The room of a file: that of the longest pattern which fits it."""
    name = file.relative_to(KIT).as_posix()
    fitting = [
        (len(pattern), room)
        for room, (patterns, _) in rooms().items()
        for pattern in patterns
        if fnmatch(name, f"{pattern}*" if pattern.endswith("/") else pattern)
    ]
    return max(fitting)[1]


FILES = [file for name in ("api", "boards", "grader", "tests") for file in sorted((KIT / name).rglob("*.py"))] + [
    KIT / "lab.py"
]
SHIPPED = [file for file in FILES if room_of(file) != "staff"]


def imported(file: Path) -> Iterator[str]:
    """The modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            below = KIT / node.module.replace(".", "/")
            modules = [alias.name for alias in node.names if (below / f"{alias.name}.py").is_file()]
            yield from [f"{node.module}.{name}" for name in modules] or [node.module]


def file_of(module: str) -> Path | None:
    """The file of a module of the kit; None for any other."""
    path = KIT / module.replace(".", "/")
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.relative_to(KIT).as_posix())
def test_imports_only_go_where_the_table_says(file: Path) -> None:
    room = room_of(file)
    for module in imported(file):
        target = file_of(module)
        if target is not None:
            assert room_of(target) in {room, *rooms()[room][1]}, module
        elif module.partition(".")[0] not in sys.stdlib_module_names:
            assert module.partition(".")[0] in LIBRARIES.get(room, set()), module


def test_the_table_has_no_circle() -> None:
    below = {room: may & rooms().keys() for room, (_, may) in rooms().items() if room != "staff"}
    below["cli"] = below["cli"] - {"staff"}  # which it starts by name, where there is one
    while below:
        settled = [room for room, may in below.items() if not may & below.keys()]
        assert settled, f"a circle among {sorted(below)}"
        for room in settled:
            del below[room]


def test_the_table_promises_no_more_than_is_used() -> None:
    used: dict[str, set[str]] = {}
    for file in SHIPPED:
        targets = (file_of(module) for module in imported(file))
        used.setdefault(room_of(file), set()).update(room_of(target) for target in targets if target)
    used["cli"] |= {"commands", "tools", "staff"}  # by name
    for room, (_, may) in rooms().items():
        if room != "staff":
            assert may == used.get(room, set()) - {room}, room


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.relative_to(KIT).as_posix())
def test_files_stay_small(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= (650 if room_of(file) == "lab" else 300)


def test_students_install_three_packages() -> None:
    lines = (KIT / "requirements.txt").read_text(encoding="utf-8").split()
    assert {line.partition(">=")[0] for line in lines} == {"pytest", "pytest-timeout", "pyyaml"}
