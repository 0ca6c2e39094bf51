"""`make update`: brings the kit files of the newest release, and never touches lab.py.

The newest release is the highest tag such as v1.2.0 in the repository that release.json names, as
in the workflow.  Nothing is written before the new release has been checked, and release.json comes
last, so that an update that was interrupted can be typed again.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path, PurePosixPath

from grader.kit import KIT
from grader.protocol.words import harmless, plural
from grader.refusal import Refusal, tell
from grader.release import MASTER, RELEASE, Release, digest, look_at, read_release

BEFORE, NAMED = "build/before", 10
NOT_OF_THE_KIT = ("lab.py", ".git", ".venv", "build")
_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", re.ASCII)
_REPOSITORY = re.compile(r'"repository": "([^"\\]+)"')


def main(words: list[str], lab: Path, kit: Path = KIT) -> int:
    """Update this kit, or another one; 0 where it is the newest now, 2 where nothing was changed."""
    try:
        own = _read_own(kit)
        tag = newest_tag(own.repository)
        if number(own.version) >= number(tag[1:]):
            tag = f"v{own.version}"
            if not look_at(kit, own).edited:
                print(f"Version {own.version} is the newest there is.")
                return 0
        with tempfile.TemporaryDirectory() as folder:
            _git("clone", "--quiet", "--depth=1", f"--branch={tag}", "--", own.repository, folder)
            print("\n".join(take_over(kit, own, Path(folder), tag)))
    except (Refusal, OSError, ValueError) as error:
        tell(error)
        return 2
    return 0


def number(version: str) -> tuple[int, ...]:
    """A version to compare by; one that is none comes before all others.

    >>> number("1.10.0") > number("1.9.3") > number("master copy")
    True
    """
    found = _VERSION.fullmatch(version)
    return tuple(int(part) for part in found.groups()) if found else ()


def newest_tag(repository: str) -> str:
    """The highest tag such as v1.2.0 of a repository.  Refusal where there is none."""
    lines = _git("ls-remote", "--tags", "--refs", "--", repository, "v*").splitlines()
    tags = [line.rpartition("refs/tags/")[2] for line in lines]
    tag = max(tags, key=lambda tag: number(tag[1:]), default="")
    if not number(tag[1:]):
        raise Refusal(f"{repository} has no release yet (no tag such as v1.2.0)")
    return tag


def take_over(kit: Path, own: Release, folder: Path, tag: str) -> list[str]:
    """Put the release that stands in a folder in place of a kit's files; what to tell of it."""
    new = read_release(folder)
    if f"v{new.version}" != tag:
        raise Refusal(f"{tag} of {own.repository} says it is {new.version}. Tell your course's staff")
    for name, expected in new.files.items():
        if not (_is_kit_file(name) and _is_inside(folder, name) and digest(folder / name) == expected):
            raise Refusal(f"{tag} is broken at {harmless(name)}; nothing was changed. Tell your course's staff")
        if not _is_inside(kit, name) or (kit / name).is_dir():
            raise Refusal(f"{name} is a folder or a link here, where a file belongs; move it away")
    if digest(folder / "lab.py") != new.stub:
        raise Refusal(f"{tag} is broken at lab.py; nothing was changed. Tell your course's staff")
    known = {name for name in own.files if _is_kit_file(name) and _is_inside(kit, name)}
    gone = sorted(name for name in known - set(new.files) if (kit / name).is_file())
    changed = [name for name in new.files if digest(kit / name) != new.files[name]]
    edited = [name for name in [*changed, *gone] if digest(kit / name) not in ("", own.files.get(name))]
    before = f"{BEFORE}-{new.version}"
    for name in edited:
        _copy(kit / name, kit / before / name)
    for name in changed:
        _copy(folder / name, kit / name)
    for name in gone:
        (kit / name).unlink()
    stub = f"build/lab-{new.version}.py" if new.stub != own.stub else ""
    if stub:
        _copy(folder / "lab.py", kit / stub)
    _copy(folder / RELEASE, kit / RELEASE)
    brought = f"{plural(len(changed), 'file')} brought"
    if own.version == new.version:
        told = [f"Version {own.version} is the newest there is; {brought} back: {', '.join(changed[:NAMED])}."]
    else:
        told = [f"Updated from {own.version} to {new.version}: {brought}, {len(gone)} removed."]
    told += [f"You had changed {name}; your version is now {before}/{name}." for name in edited]
    if stub:
        told.append(f"The lab.py that is handed out has changed: compare yours with {stub}.")
    return [*told, "Your lab.py is as it was. Commit the rest: git add -A, then git commit."]


def _read_own(kit: Path) -> Release:
    """The release here; of a garbled one only the repository, if that can be read."""
    try:
        own = read_release(kit)
    except ValueError:
        found = _REPOSITORY.search((kit / RELEASE).read_text(encoding="utf-8", errors="replace"))
        own = Release(version="an unknown version", repository=found[1] if found else "")
    if own == MASTER:
        raise Refusal(f"there is no {RELEASE} here: this is a master copy, and only a release can be updated")
    if not own.repository:
        raise Refusal(f"{RELEASE} names no repository; take that file anew from your course's repository")
    return own


def _git(*words: str) -> str:
    """What git prints.  Refusal where it is missing or fails."""
    command = ["git", "-c", "core.autocrlf=false", "-c", "advice.detachedHead=false", *words]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", errors="replace",
            env={**os.environ, "GIT_TERMINAL_PROMPT": "0"}, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise Refusal("git is not installed, and an update needs it: https://git-scm.com") from None
    if done.returncode:
        complaint = harmless(" ".join(done.stderr.split()))
        raise Refusal(f"the release repository cannot be read; is there a network? git says: {complaint}")
    return done.stdout


def _is_kit_file(name: str) -> bool:
    """Whether a name in a list of files is a path below the kit, and none that is the student's.

    >>> [_is_kit_file(name) for name in ("api/game.py", "../x", "/etc/x", "Lab.py", ".git/config", "c:x")]
    [True, False, False, False, False, False]
    """
    parts = PurePosixPath(name).parts
    plain = "/".join(parts) == name and not re.search(r"[\\:\x00-\x1f]", name)
    return plain and bool(parts) and ".." not in parts and parts[0].lower() not in NOT_OF_THE_KIT


def _is_inside(folder: Path, name: str) -> bool:
    """Whether a path stays in a folder, links and all."""
    return (folder / name).resolve() == folder.resolve() / name


def _copy(source: Path, target: Path) -> None:
    """Copy a file as a whole: it is there, or it is as before."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.name}.new")
    shutil.copy(source, fresh)
    os.replace(fresh, target)
