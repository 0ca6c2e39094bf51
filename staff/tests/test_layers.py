"""The house: an import only points down, nothing student-facing needs more than it may, files stay small."""

import ast
import sys
from pathlib import Path

import pytest

from staff.tests.conftest import KIT

MAY_IMPORT = {
    "api": {"api"},
    "boards": {"api", "boards", "yaml"},
    "grader": {"api", "boards", "grader", "yaml", "pytest"},
    "tests": {"pytest"},
    "lab.py": {"api", "boards"},
}
FILES = [
    (room, file) for room in MAY_IMPORT for file in ([KIT / room] if room == "lab.py" else (KIT / room).rglob("*.py"))
]


def imported(file: Path) -> set[str]:
    """The top-level packages that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize(("room", "file"), FILES, ids=lambda value: getattr(value, "name", value))
def test_imports_only_point_down(room: str, file: Path) -> None:
    foreign = imported(file) - sys.stdlib_module_names
    assert foreign <= MAY_IMPORT[room]


@pytest.mark.parametrize(("room", "file"), FILES, ids=lambda value: getattr(value, "name", value))
def test_files_stay_small(room: str, file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= (600 if room == "lab.py" else 300)


def test_students_install_three_packages() -> None:
    lines = (KIT / "requirements.txt").read_text(encoding="utf-8").split()
    assert {line.partition(">=")[0] for line in lines} == {"pytest", "pytest-timeout", "pyyaml"}
