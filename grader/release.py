"""What a release says of itself, in release.json beside this file: version, course, and file hashes.

The master copy is no release and has no such file.  A student's copy may be older than the kit
that grades, or have files that the student changed: `Checkout` says so.
"""

import contextlib
import hashlib
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from grader.kit import KIT
from grader.protocol.words import harmless

RELEASE = "grader/release.json"
LARGEST, LONGEST = 1 << 20, 1_000
INSTALLED = ("yaml", "pytest")


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


@dataclass(frozen=True)
class Checkout:
    """A copy of the kit, as a student has it: its version, the kit files that were changed, and
    files beside lab.py that bear the name of a library, which `python lab.py` would import instead."""

    version: str
    edited: tuple[str, ...] = ()
    hiding: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "version", harmless(self.version, LONGEST))
        object.__setattr__(self, "edited", tuple(harmless(name, LONGEST) for name in self.edited))


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
        data = json.loads(_contents(file) or b"")
        known = {key: data[key] for key in Release.__dataclass_fields__ if key in data}
        release = Release(**known | {"version": data["version"]})
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"{file} cannot be read ({harmless(error)}); make update writes it anew") from None
    *facts, files = vars(release).values()
    in_order = isinstance(files, dict) and all(isinstance(text, str) for text in (*files, *files.values()))
    if not in_order or not all(isinstance(t, str) and len(t) <= LONGEST and t.isprintable() for t in facts):
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
    hiding = tuple(sorted(_hiding(folder)))
    try:
        own = read_release(folder)
    except ValueError:
        return Checkout(UNKNOWN, (RELEASE,), hiding)
    listed = kit if own.version == kit.version else own
    edited = (name for name, expected in listed.files.items() if digest(folder / name) != expected)
    return Checkout(own.version, tuple(sorted(edited)), hiding)


def _hiding(folder: Path) -> list[str]:
    """Files in a folder by whose names a library is imported; of Python's own, what the kit itself uses."""
    used = (sys.modules[name] for name in sys.stdlib_module_names & sys.modules.keys())
    found = [module.__name__ for module in used if (getattr(module, "__file__", None) or "").endswith(".py")]
    files = (f"{name}{end}" for name in (*found, *INSTALLED) for end in (".py", "/__init__.py"))
    return [name for name in files if (folder / name).is_file()]


def digest(file: Path) -> str:
    """The SHA-256 of a text file with normal line ends; empty where there is none, or none that could be ours."""
    data = _contents(file)
    return "" if data is None else hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def _contents(file: Path) -> bytes | None:
    """What stands in a file, which may be a link to anything of this machine's; None where that cannot be ours."""
    with contextlib.suppress(OSError):
        if file.is_file():
            with open(file, "rb", opener=lambda name, how: os.open(name, how | getattr(os, "O_NONBLOCK", 0))) as stream:
                data = stream.read(LARGEST + 1) or b""
                return data if len(data) <= LARGEST else None
    return None
