"""Imports lab.py, for the grader's child process, for `make run` and for the tools."""

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

# Where Python finds yaml.  This module does not import yaml itself: the import takes
# long, and few submissions need yaml.
_YAML = importlib.util.find_spec("yaml")


def leave_in_words() -> None:
    """From now on, if Python itself crashes, have it print which line was running."""
    if sys.__stderr__:
        faulthandler.enable(sys.__stderr__, all_threads=False)


def flush_prints() -> None:
    """Write out whatever student code has printed and Python still holds in its
    buffers.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):
            stream.flush()


def forget_prints(prints: int) -> None:
    """Empty the file that receives what this process prints.

    `prints` is the descriptor of that file.
    """
    os.lseek(prints, 0, os.SEEK_SET)
    os.ftruncate(prints, 0)


def import_lab(lab: str) -> ModuleType | Raised:
    """Import the lab.py at this path.

    Return the module.  If the import raises an exception, return that exception as a
    Raised.
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
    """Import lab.py as on a student's own machine, without the limits of the grader's
    child process.

    From then on, this process can import only what a graded lab.py can import.
    """
    leave_in_words()
    close_import_path()
    return import_lab(lab)


class _ImportGate:
    """Decides about a module that no other finder of Python has found.

    This finder finds yaml.  It raises ModuleNotFoundError for a module that belongs
    neither to the standard library nor to api.
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
    """From now on, allow this process to import only the standard library and yaml.

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
    """Return the files and folders that lab.py may read besides those of Python and of
    the system.

    They are lab.py itself, yaml, and some files of the kit.  The files of boards/ are
    listed one by one.  The whole folder must not be readable, because it contains the
    cases, in boards/cases/.
    """
    readable = [lab, Path((_YAML and _YAML.origin) or "yaml").parent]
    for pattern in ("api/*.py", "boards/*.py", "boards/*.yaml"):
        readable += KIT.glob(pattern)
    return readable


def survey_of(module: ModuleType) -> Data:
    """Return the student's answers to the survey at the end of lab.py, as plain
    data.
    """
    answers = {}
    for name in SURVEY:
        answer = getattr(module, name, None)
        if type(answer) is str:
            answer = answer[:LONGEST]
        answers[name] = encode(answer)
    return answers
