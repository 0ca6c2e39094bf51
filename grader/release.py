"""What a release says of itself, in release.json beside this file, which the master
copy does not have.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

from grader.kit import KIT
from grader.refusal import Refusal

RELEASE = "grader/release.json"


@dataclass(frozen=True)
class Release:
    """A release.

    `counts` says in a sentence or two which submission counts; `feedback` is full,
    place or verdict; `repository` is where newer versions are, as tags; `names` are
    those of all its files, but for lab.py and release.json.  `since` says in which
    version each graded function was new, and `stubs` has the text of those that came
    after the first.
    """

    version: str = "master copy"
    course: str = ""
    help: str = ""
    due: str = ""
    counts: str = ""
    repository: str = ""
    feedback: str = "full"
    names: tuple[str, ...] = ()
    since: dict[str, str] = field(default_factory=dict)
    stubs: dict[str, str] = field(default_factory=dict)


MASTER = Release()


def read_release(folder: Path = KIT) -> Release:
    """The release in a folder; the master copy if it is none.  Raises Refusal if
    release.json cannot be read.

    Facts that this version does not know yet are left out, so that an old copy can be
    updated.
    """
    file = folder / RELEASE
    if not file.is_file():
        return MASTER
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        facts = {key: data[key] for key in Release.__dataclass_fields__ if key in data}
        return Release(
            **facts | {"version": data["version"], "names": tuple(data["names"])}
        )
    except (ValueError, TypeError, KeyError) as error:
        raise Refusal(
            f"{RELEASE} cannot be read ({type(error).__name__}): git checkout -- grader"
        ) from None


def release_here() -> Release:
    """The release that this kit is.  Raises Refusal as read_release does."""
    return read_release(KIT)
