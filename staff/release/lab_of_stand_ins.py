"""The lab.py that the sandbox runs for stand_ins.py.

It offers every function, class and method of a release under its full name.  In the
sandbox, a lab.py cannot read files of the kit.  So stand_ins.py writes a copy of this
file in which the two tables below are filled in.
"""

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType

SOURCES: dict[str, str] = {}  # the text of each module; the key is its name
# The functions, classes and methods.  Each has the name of its module, and its own name
# in that module.
STAND_INS: list[tuple[str, str]] = []


class Kit(importlib.abc.InspectLoader):
    """Imports the modules of the release from their texts."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in SOURCES or name in sys.modules:
            return None
        spec = importlib.util.spec_from_loader(name, self, origin=f"/kit/{name}")
        if spec:
            spec.has_location = True
        return spec

    def get_source(self, name: str) -> str:
        return SOURCES[name]

    def is_package(self, name: str) -> bool:
        return any(module.startswith(f"{name}.") for module in SOURCES)


def offer(module: ModuleType, name: str) -> None:
    """Give this lab.py a function, class or method of the release, under its full
    name.
    """
    stand_in = module
    for part in name.split("."):
        stand_in = getattr(stand_in, part)
    globals()[f"{module.__name__}.{name}"] = stand_in


sys.meta_path.insert(0, Kit())
for module, name in STAND_INS:
    with contextlib.suppress(Exception):  # a module may read a file that is not here
        offer(importlib.import_module(module), name)
