"""Imports lab.py, in the worker and for the commands, and says what came of it as plain
data.
"""

import contextlib
import faulthandler
import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import boards  # noqa: F401 - and with it api, before the import path is closed
from grader.calls.encode import encode
from grader.calls.raised import safely_described
from grader.finder import PackageFinder
from grader.kit import KIT
from grader.protocol.answer import Raised
from grader.protocol.survey import LONGEST, SURVEY
from grader.protocol.words import in_utf8

_YAML = importlib.util.find_spec(
    "yaml"
)  # importing it takes longer, and few labs need it


def leave_in_words() -> None:
    """From here on a crash of Python itself shows the line that it was in."""
    if sys.__stderr__:
        faulthandler.enable(sys.__stderr__, all_threads=False)


def flush_prints() -> None:
    """Write out what was printed and is still buffered."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()


def import_lab(lab: str) -> ModuleType | Raised:
    """The module, or what its import raised."""
    module = ModuleType("lab")
    module.__file__ = lab
    sys.modules["lab"] = module
    try:
        exec(
            compile(in_utf8(Path(lab).read_bytes()), lab, "exec", dont_inherit=True),
            vars(module),
        )
    except BaseException as error:
        return safely_described(error, lab)
    return module


class _ImportGate:
    """The last finder that Python tries: it finds yaml, and says what lab.py may
    import.
    """

    def find_spec(
        self, name: str, *others: object
    ) -> importlib.machinery.ModuleSpec | None:
        if name == "yaml":
            return _YAML
        if name.partition(".")[0] not in {*sys.stdlib_module_names, "api"}:
            allowed = "the standard library, api, boards and yaml"
            raise ModuleNotFoundError(
                f"lab.py may import {allowed}, but not `{name}`", name=name
            )
        return None


def close_import_path() -> None:
    """Leave only the standard library on the import path, and yaml; api and boards are
    loaded already.
    """
    pythons_own = (os.path.dirname(os.__file__), sys.base_prefix)
    sys.path[:] = [
        entry
        for entry in sys.path
        if entry.startswith(pythons_own) and "site-packages" not in entry
    ]
    others = [finder for finder in sys.meta_path if finder is not PackageFinder]  # type: ignore[comparison-overlap]
    sys.meta_path[:] = [*others, _ImportGate()]
    for name in list(sys.modules):
        if name.partition(".")[0] == "grader":
            del sys.modules[name]


def readable_files(lab: Path) -> list[Path]:
    """What lab.py may read: itself, yaml, and files of the kit, one by one, as the
    cases stand in a folder below.
    """
    ours = ("api/*.py", "boards/*.py", "boards/*.yaml")
    library = Path((_YAML and _YAML.origin) or "yaml").parent
    return [*(file for pattern in ours for file in KIT.glob(pattern)), library, lab]


def survey_of(module: ModuleType) -> dict[str, Any]:
    """The answers to the survey in lab.py, as plain data."""
    answers = {name: getattr(module, name, None) for name in SURVEY}
    return {
        name: encode(answer[:LONGEST] if type(answer) is str else answer)
        for name, answer in answers.items()
    }
