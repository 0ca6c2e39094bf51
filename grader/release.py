"""Reads release.json, in which a release says its version and facts about its course.

The master copy has no release.json.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

from grader.kit import KIT
from grader.refusal import Refusal

RELEASE = "grader/release.json"


@dataclass(frozen=True)
class Release:
    """The facts in a release.json."""

    version: str = "master copy"
    # When the lab is due, in words.
    due: str = ""
    # Which submission counts, in a sentence or two.
    counts: str = ""
    # A repository that has a tag for each newer version.
    repository: str = ""
    # How much feedback students see: full, place or verdict.
    feedback: str = "full"
    # The names of all files of the release except lab.py and release.json.
    names: tuple[str, ...] = ()
    # The version in which each graded function was new.
    since: dict[str, str] = field(default_factory=dict)
    # The stubs of the functions that came after the first version.
    stubs: dict[str, str] = field(default_factory=dict)


MASTER = Release()


def read_release(folder: Path = KIT) -> Release:
    """Return the release in a folder, by default the release that this kit is.

    The result is MASTER if the folder has no release.json.

    A newer release.json may hold facts that this version of the kit does not know.
    These facts are left out, so that an old copy can still be updated.  Raises Refusal
    if release.json cannot be read.
    """
    file = folder / RELEASE
    if not file.is_file():
        return MASTER
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        facts = {key: data[key] for key in Release.__dataclass_fields__ if key in data}
        facts |= {"version": data["version"], "names": tuple(data["names"])}
        return Release(**facts)
    except (ValueError, TypeError, KeyError) as error:
        raise Refusal(
            f"{RELEASE} cannot be read ({type(error).__name__}): git checkout -- grader"
        ) from None
