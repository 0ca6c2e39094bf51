"""Reads release.json.  It holds the version of a release, and facts about its course.

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
    # When students have to hand in the lab, in words.
    due: str = ""
    # Which submission of a student counts, in a sentence or two.
    counts: str = ""
    # The address of a repository that has a tag for each newer version.
    repository: str = ""
    # How much feedback students see: full, place or verdict.
    feedback: str = "full"
    # The names of all files of the release except lab.py and release.json.
    names: tuple[str, ...] = ()
    # For each graded function, the version of the kit that first had the function.
    since: dict[str, str] = field(default_factory=dict)
    # The stubs of the functions that the first version did not have.  The key is the
    # name of the function.
    stubs: dict[str, str] = field(default_factory=dict)


MASTER = Release()


def read_release(folder: Path = KIT) -> Release:
    """Return the facts in the release.json of a kit.  `folder` is the folder of the
    kit.

    Return MASTER if the kit has no release.json.

    A newer release.json may hold facts that this version of the kit does not know.
    Such facts are ignored, so that an old copy can still be updated.  Raises Refusal if
    release.json cannot be read.
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
