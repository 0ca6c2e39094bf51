"""The folder to which a release is written.

Every file in the folder comes from a release, except for files that git, Python or a
run of the kit has written.  LEFT_ALONE names the folders with such files.
"""

import subprocess
from pathlib import Path

from grader.refusal import Refusal
from grader.release import RELEASE, read_release
from staff.release.tree import KIT, Tree

LEFT_ALONE = {".git", ".venv", "build", "__pycache__", ".pytest_cache"}


def check_folder(out: Path, version: str) -> None:
    """Make a folder, and check that a release of this version may be written into it.

    Raises Refusal if the folder is in the master copy and not in its build/, if the
    folder cannot be made, if it holds a file that comes from no release, or if git has
    a tag for this version in it already.
    """
    if out.is_relative_to(KIT) and not out.is_relative_to(KIT / "build"):
        raise Refusal(
            f"{out} is inside the master copy and would be in the next release; "
            "take another: OUT=folder"
        )
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(
            f"{out} cannot be written ({error.strerror}); "
            "name a folder: make release OUT=folder"
        ) from None
    names = files_in(out)
    if names and RELEASE not in names:
        raise Refusal(
            f"{out} was not made by make release; "
            "give another folder: make release OUT=folder"
        )
    for name in sorted(names - {*read_release(out).names, RELEASE, "lab.py"}):
        raise Refusal(
            f"{out} holds {name}, which make release did not put there; "
            "move it away, or give OUT=folder"
        )
    if in_git(out, "tag", "--list", f"v{version}"):
        raise Refusal(
            f"version {version} is a tag in {out} already; "
            "raise `version` in staff/course.yaml"
        )


def files_in(out: Path) -> set[str]:
    """Return the names of the files in a folder.

    The files that git, Python or a run of the kit has written are left out.
    """
    names = {
        file.relative_to(out).as_posix() for file in out.rglob("*") if not file.is_dir()
    }
    return {name for name in names if not LEFT_ALONE & set(name.split("/"))}


def write_tree(tree: Tree, folder: Path) -> None:
    """Write the files of a tree into a folder."""
    for name, data in tree.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def replace_folder(out: Path, tree: Tree) -> None:
    """Replace the release in a folder.

    The files that git, Python or a run of the kit has written stay.
    """
    for name in files_in(out) - tree.keys():
        (out / name).unlink()
    write_tree(tree, out)


def in_git(folder: Path, *words: str) -> str:
    """Run git in a folder, and return what it prints.

    The text is empty if the folder is not the top of a repository.
    """
    if not (folder / ".git").exists():
        return ""
    command = ["git", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.stdout.strip()
