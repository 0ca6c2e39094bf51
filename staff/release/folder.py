"""The folder that a release is written to: nothing in it is lost that a release did not put there."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from grader.commands.update import number
from grader.release import RELEASE, read_release
from staff.release.proof import write_tree
from staff.release.tree import KIT, Tree

NOT_OURS_TO_JUDGE = {".git", ".venv", "build", "__pycache__", ".pytest_cache"}


class Refused(ValueError):
    """A release that is not written.  Its text is one line that says why."""


def check_folder(out: Path, version: str) -> None:
    """Raises Refused where a folder holds anything that a release did not put there."""
    if out.is_relative_to(KIT) and not out.is_relative_to(KIT / "build"):
        raise Refused(f"{out} lies in the master copy, and would be in the next release; take another: OUT=folder")
    if out.exists() and not out.is_dir():
        raise Refused(f"{out} is a file; name a folder: make release OUT=folder")
    _check_that_it_can_be_written(out)
    if not out.exists() or {file.name for file in out.iterdir()} <= {".git"}:  # a new repository may be cloned first
        return
    if not (out / RELEASE).is_file():
        raise Refused(f"{out} was not made by make release; give another folder: make release OUT=folder")
    old = read_release(out)
    for file in sorted(out.rglob("*")):
        name = file.relative_to(out).as_posix()
        if NOT_OURS_TO_JUDGE & set(file.relative_to(out).parts) or file.is_dir():
            continue
        if name not in {*old.names, "lab.py", RELEASE}:
            raise Refused(f"{out} holds {name}, which make release did not put there; move it away, or give OUT=folder")
    if in_git(out, "tag", "--list", f"v{version}"):
        raise Refused(f"version {version} is a tag in {out} already; raise `version` in staff/course.yaml")
    if number(version) < number(old.version):
        raise Refused(f"{out} holds version {old.version}, which is newer; raise `version` in staff/course.yaml")


def _check_that_it_can_be_written(out: Path) -> None:
    """Raises Refused where a folder cannot be made, or a file in it; nothing of the try is left."""
    is_new = not out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=out).close()
        if is_new:
            out.rmdir()
    except OSError as error:
        raise Refused(f"{out} cannot be written ({error.strerror}); name a folder: make release OUT=folder") from None


def replace_folder(out: Path, tree: Tree) -> None:
    """Put the release in place of the one that is there.  What git keeps in the folder stays."""
    if out.exists():
        for name in [*read_release(out).names, "lab.py", RELEASE]:
            (out / name).unlink(missing_ok=True)
        for folder in sorted((path for path in out.rglob("*") if path.is_dir()), reverse=True):
            if not NOT_OURS_TO_JUDGE & set(folder.relative_to(out).parts) and not any(folder.iterdir()):
                shutil.rmtree(folder)
    write_tree(tree, out)


def in_git(folder: Path, *words: str) -> str:
    """What git prints in a folder; nothing in one without a repository of its own."""
    if not (folder / ".git").exists():
        return ""
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True).stdout.strip()
