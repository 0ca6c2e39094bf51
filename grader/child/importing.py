"""Imports lab.py.  The child does this, and so do `make run` and the tools."""

import contextlib
import faulthandler
import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

# This import also loads api.  It must come before the import path is closed.
import boards  # noqa: F401
from grader.child.encode import encode
from grader.child.raised import safely_described
from grader.finder import PackageFinder
from grader.kit import KIT
from grader.protocol.answer import Raised
from grader.protocol.plain import Data
from grader.protocol.survey import LONGEST, SURVEY
from grader.protocol.text import in_utf8

# The spec of yaml. yaml itself is not imported here: that takes longer, and few
# submissions need it.
_YAML = importlib.util.find_spec("yaml")


def leave_in_words() -> None:
    """From here on, have Python print the line that was running if Python itself
    crashes.
    """
    if sys.__stderr__:
        faulthandler.enable(sys.__stderr__, all_threads=False)


def flush_prints() -> None:
    """Write out what student code has printed but Python still buffers."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()


def forget_prints(prints: int) -> None:
    """Empty the file into which this process prints."""
    os.lseek(prints, 0, os.SEEK_SET)
    os.ftruncate(prints, 0)


def import_lab(lab: str) -> ModuleType | Raised:
    """Import lab.py from this path.  Return the module, or the exception of the import
    as a Raised.
    """
    module = ModuleType("lab")
    module.__file__ = lab
    sys.modules["lab"] = module
    try:
        source = in_utf8(Path(lab).read_bytes())
        code = compile(source, lab, "exec", dont_inherit=True)
        exec(code, vars(module))
    except BaseException as error:
        return safely_described(error, lab)
    return module


def import_without_limits(lab: str) -> ModuleType | Raised:
    """Import lab.py with import_lab, without limits, as on a student's own machine.

    From then on, this process can import only what a graded lab.py can import.
    """
    leave_in_words()
    close_import_path()
    return import_lab(lab)


class _ImportGate:
    """The finder that Python tries last.  It finds yaml, and refuses all that lab.py
    may not import.
    """

    def find_spec(
        self, name: str, *args: object
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
    """From here on, allow the import only of the standard library and yaml.

    lab.py can still import api and boards, because these modules are loaded already.
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
    """Return what lab.py may read: itself, yaml, and some files of the kit.

    The files of boards/ are listed one by one, because nothing in boards/cases/ may be
    read.
    """
    readable = [lab, Path((_YAML and _YAML.origin) or "yaml").parent]
    for pattern in ("api/*.py", "boards/*.py", "boards/*.yaml"):
        readable += KIT.glob(pattern)
    return readable


def survey_of(module: ModuleType) -> Data:
    """Return the answers to the survey in lab.py, as plain data."""
    answers = {}
    for name in SURVEY:
        answer = getattr(module, name, None)
        if type(answer) is str:
            answer = answer[:LONGEST]
        answers[name] = encode(answer)
    return answers
