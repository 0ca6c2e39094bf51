"""`make update`: fetches the files of the newest release, and never touches lab.py.

The newest release is the highest tag such as v1.2.0 in the repository that release.json
names.  The workflow on GitHub chooses its release in the same way.  Before `make
update` overwrites a file, it requires that the file is committed in its present form.
So `git diff` shows all changes afterwards, and git can undo them.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from grader.kit import BRINGS_BACK, KIT
from grader.parser import Parser
from grader.protocol.text import harmless
from grader.refusal import Refusal
from grader.release import MASTER, RELEASE, read_release

_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", re.ASCII)


def main(words: list[str], lab: Path, kit: Path = KIT) -> int:
    """Update the kit in the folder `kit`, and return the exit status.

    If the kit has the newest version already, only say so.  Raises Refusal if the kit
    cannot be updated, and OSError if git is not installed or a file cannot be written.
    """
    Parser("update", "make update takes no words").read(words)
    old = read_release(kit)
    if old == MASTER:
        raise Refusal("this is the master copy; make update is for a student's copy")
    tag = newest_tag(old.repository)
    if number(old.version) >= number(tag[1:]):
        print(f"You have the newest version, {old.version}.")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        options = ["--quiet", "--depth=1", f"--branch={tag}"]
        _git(kit, "clone", *options, "--", old.repository, folder)
        new = read_release(Path(folder))
        _check_that_all_is_committed(kit, {*old.names, *new.names, RELEASE})
        for name in set(old.names).difference(new.names):
            (kit / name).unlink(missing_ok=True)
        # release.json, which has the version, is copied last.  If an update is
        # interrupted, the kit still has its old version, and the next update copies all
        # files again.
        for name in [*new.names, RELEASE]:
            (kit / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(folder, name), kit / name)
    print(f"Updated from {old.version} to {new.version}. Your lab.py is as it was.")
    print("Commit the rest: git add -A, then git commit -m 'Update the kit'.")
    return 0


def number(version: str) -> tuple[int, ...]:
    """Return a version as a tuple of numbers, so that versions can be compared.

    A text that is no version counts as lower than all versions.

    >>> number("1.10.0") > number("1.9.3") > number("master copy")
    True
    """
    match = _VERSION.fullmatch(version)
    return tuple(map(int, match.groups())) if match else ()


def newest_tag(repository: str) -> str:
    """Return the highest tag of a repository among the tags such as v1.2.0.

    Raises Refusal if the repository has no such tag, or if git cannot read the
    repository.  Raises OSError if git is not installed.
    """
    lines = _git(
        KIT, "ls-remote", "--tags", "--refs", "--", repository, "v*"
    ).splitlines()
    tags = [line.rpartition("refs/tags/")[2] for line in lines]
    tag = max(tags, key=lambda tag: number(tag[1:]), default="")
    if not number(tag[1:]):
        raise Refusal(f"{repository} has no release yet (no tag such as v1.2.0)")
    return tag


def _check_that_all_is_committed(kit: Path, names: set[str]) -> None:
    """Raise Refusal if one of these files has changes that are not committed."""
    changed = _git(
        kit, "status", "--porcelain", "--untracked-files=all", "--", *sorted(names)
    ).splitlines()
    if changed:
        raise Refusal(
            f"{harmless(changed[0][3:])} has changes that git does not know, "
            f"and would be overwritten: commit it, or {BRINGS_BACK}"
        )


def _git(folder: Path, *words: str) -> str:
    """Run git in a folder, and return what git prints.

    Raises Refusal if git fails, and OSError if git is not installed.
    """
    settings = ["-c", "core.autocrlf=false", "-c", "advice.detachedHead=false"]
    command = ["git", "-C", str(folder), *settings, *words]
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        complaint = harmless(" ".join(done.stderr.decode(errors="replace").split()))
        raise Refusal(f"git {words[0]} does not work here: {complaint}")
    return done.stdout.decode(errors="replace")
