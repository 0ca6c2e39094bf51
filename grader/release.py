"""What a release says of itself, in release.json beside this file: version, course, and file hashes.

The master copy is no release and has no such file.  A student's copy may be older than the kit
that grades, or have files that the student changed: `Checkout` says so.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from grader.sandbox import KIT

RELEASE = "grader/release.json"


@dataclass(frozen=True)
class Release:
    """A release.  `files` has the digest of every kit file, `stub` that of the lab.py handed out;
    `feedback` is full, place or verdict; `repository` is where newer versions are, as tags."""

    version: str = "master copy"
    course: str = ""
    help: str = ""
    due: str = ""
    repository: str = ""
    feedback: str = "full"
    stub: str = ""
    files: dict[str, str] = field(default_factory=dict)

    @property
    def tag(self) -> str:
        """The tag of this version in the release repository."""
        return f"v{self.version}"


@dataclass(frozen=True)
class Checkout:
    """A copy of the kit, as a student has it: its version, and the kit files that were changed."""

    version: str
    edited: tuple[str, ...] = ()


UNKNOWN = "unknown"
MASTER = Release()
UNCHANGED = Checkout(MASTER.version)


def read_release(folder: Path = KIT) -> Release:
    """The release in a folder; the master copy where it is none.  ValueError where it is garbled.

    Facts that this version does not know yet are left out, so that an old copy can be updated.
    """
    file = folder / RELEASE
    if not file.is_file():
        return MASTER
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        known = {key: data[key] for key in Release.__dataclass_fields__ if key in data}
        release = Release(**known | {"version": data["version"]})
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"{file} cannot be read ({error}); make update writes it anew") from None
    files = release.files
    texts = [*files, *files.values(), *list(vars(release).values())[:-1]] if isinstance(files, dict) else [files]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{file} does not hold what it should; make update writes it anew")
    return release


def release_here() -> Release:
    """The release that this kit is; of an unknown version where its release.json is garbled."""
    try:
        return read_release()
    except ValueError:
        return Release(version=UNKNOWN)


def look_at(folder: Path, kit: Release) -> Checkout:
    """The student's copy in a folder, beside the kit that grades.

    Of the same version, its files are compared with the kit's; of another one, with its own list.
    """
    try:
        own = read_release(folder)
    except ValueError:
        return Checkout(UNKNOWN, (RELEASE,))
    listed = kit if own.version == kit.version else own
    edited = (name for name, expected in listed.files.items() if digest(folder / name) != expected)
    return Checkout(own.version, tuple(sorted(edited)))


def digest(file: Path) -> str:
    """The SHA-256 of a text file with normal line ends; empty where there is no such file."""
    if not file.is_file():
        return ""
    return hashlib.sha256(file.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
