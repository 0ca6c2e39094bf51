"""Finds the packages of the kit, and no other module in the folder of the kit.

Python looks for modules in the folder of the program first.  In that folder, a student
may have put a random.py or a yaml.py beside lab.py.  Such a file must not replace the
real module.  So the grader imports finder.py first, and finder.py imports only modules
that no file of a student can replace.
"""

import os
import sys
from _frozen_importlib_external import PathFinder  # which is a part of Python itself

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGES = ("api", "boards", "grader", "staff")
# If the kit starts a process with `python -c`, the code begins with these statements.
# The first argument of that process must be the folder of the kit.
BOOT = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "import grader.finder as own; own.look_only_for_packages(); "
)


class PackageFinder:
    """The finder that Python tries first for every module."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> object:
        """Find a package of the kit.

        For every other name return None, so that Python asks its other finders.
        """
        if path is None and name in PACKAGES:
            return PathFinder.find_spec(name, [FOLDER])
        return None


def look_only_for_packages() -> None:
    """From now on, let Python import only the packages in PACKAGES from the folder of
    the kit.
    """
    here = [os.path.realpath(folder) for folder in (FOLDER, os.path.dirname(__file__))]
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) not in here]
    sys.meta_path.insert(0, PackageFinder)  # type: ignore[arg-type]
