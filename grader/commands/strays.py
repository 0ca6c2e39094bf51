"""What steers pytest wherever it runs, and not below `make test`: it is named there, and not obeyed.

Files beside lab.py and in tests/, variables of the environment, plugins that happen to be installed.
"""

import os
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

from grader.kit import KIT
from grader.protocol.words import harmless
from grader.release import Release
from grader.showing.console import some_of
from grader.showing.style import wrapped

TESTS = KIT / "tests"
VARIABLES = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_TIMEOUT", "PYTEST_DEBUG")
NO_PLUGINS = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"
_SETTINGS = {  # and the words without which pytest passes a file by
    "pytest.toml": "", ".pytest.toml": "", "pytest.ini": "", ".pytest.ini": "",
    "tox.ini": "[pytest]", "setup.cfg": "[tool:pytest]",
}  # fmt: skip
_THE_KITS_OWN = ("pytest-timeout", "pytest-xdist")  # what its own environments install


def leave_out_strays(release: Release) -> str:
    """Take out of the environment what would steer pytest; the lines that name all that is not obeyed, if any."""
    names = [*_files(release), *(name for name in VARIABLES if os.environ.pop(name, ""))]
    if not os.environ.get(NO_PLUGINS):
        names += [f"the plugin {harmless(name, 40)}" for name in _plugins()]
    os.environ[NO_PLUGINS] = "1"
    said = f"Of no effect here, only where pytest runs by itself: {some_of(names)}."
    return "\n".join(wrapped(said)) if names else ""


def is_the_kits(file: Path, release: Release) -> bool:
    """Whether a file is one of this kit; in the master copy, which has no list of them, every file is."""
    return not release.files or (file.is_relative_to(KIT) and file.relative_to(KIT).as_posix() in release.files)


def _files(release: Release) -> Iterator[str]:
    """The files that steer pytest, or that it would run, and that no kit has."""
    for folder in (KIT, TESTS):
        for name, words in _SETTINGS.items():
            file = folder / name
            if file.is_file() and words in file.read_text(encoding="utf-8", errors="replace"):
                yield file.relative_to(KIT).as_posix()
    if (KIT / "conftest.py").is_file():
        yield "conftest.py"
    for file in sorted(TESTS.rglob("*.py")):
        if not is_the_kits(file, release):
            yield harmless(file.relative_to(KIT).as_posix(), 80)


def _plugins() -> list[str]:
    found = (entry.dist.name for entry in entry_points(group="pytest11") if entry.dist)
    return sorted({name for name in found if name.lower().replace("_", "-") not in _THE_KITS_OWN})
