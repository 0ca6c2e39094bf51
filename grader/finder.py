"""Finds the packages of the kit, and nothing else that stands in its folder.

Python looks for modules in the folder of the program first.  There lab.py stands, with whatever a
student has put beside it: a random.py or a yaml.py of theirs must not take the place of the real
one.  So this is imported before all else, and imports nothing that such a file could stand in for.
"""

import os
import sys

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGES = ("api", "boards", "grader", "staff")
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); import grader.finder as own; own.look_only_for_packages(); "
_PYTHONS_OWN = next(finder for finder in sys.meta_path if getattr(finder, "__name__", "") == "PathFinder")


class _Finder:
    """The finder that is asked first for every module."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> object:
        """Where a package of the kit is; None, so that Python goes on looking, for all else."""
        return _PYTHONS_OWN.find_spec(name, [FOLDER]) if path is None and name in PACKAGES else None


def look_only_for_packages() -> None:
    """From here on nothing but its packages is imported from the kit's folder."""
    here = [os.path.realpath(folder) for folder in (FOLDER, os.path.dirname(__file__))]
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) not in here]
    sys.meta_path.insert(0, _Finder)  # type: ignore[arg-type]


def look_no_longer() -> None:
    """From here on nothing is imported from the kit's folder, but for what lies below a package that is."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not _Finder]  # type: ignore[comparison-overlap]
