"""A release repository as a course has it, with a tag for each version, and a student's
checkout.
"""

import dataclasses
import functools
import json
import os
import subprocess
from fractions import Fraction
from pathlib import Path

from grader.bank.points import read_points
from grader.release import RELEASE
from staff.course import read_course
from staff.release.folder import write_tree
from staff.release.tree import WORKFLOW, Tree, release_tree
from staff.tests.support.masters import COURSE

SAFE = {
    key: value
    for key, value in os.environ.items()
    if key.startswith(("PATH", "HOME", "LANG", "GIT_CONFIG_", "COVERAGE_"))
}


def release(version: str, repository: Path) -> Tree:
    """The files of a release that names a repository."""
    tree = dict(_release(version))
    tree[WORKFLOW] = tree[WORKFLOW].replace(
        read_course(COURSE).repository.encode(), repository.as_uri().encode()
    )
    facts = json.loads(tree[RELEASE]) | {"repository": repository.as_uri()}
    return tree | {RELEASE: json.dumps(facts, indent=1).encode()}


@functools.cache
def _release(version: str) -> Tree:
    """The files of a release with all parts, no hidden share and full feedback."""
    parts = tuple(part.number for part in read_points())
    course = dataclasses.replace(
        read_course(COURSE),
        version=version,
        parts=parts,
        scaled_to=None,
        hidden_share=Fraction(0),
        feedback="full",
    )
    return release_tree(course)


def git(folder: Path, *words: str) -> None:
    """Run git in a folder, as somebody."""
    somebody = [
        "-c",
        "user.name=course",
        "-c",
        "user.email=course@example.edu",
        "-c",
        "init.defaultBranch=main",
    ]
    subprocess.run(
        ["git", *somebody, *words],
        cwd=folder,
        check=True,
        capture_output=True,
        env=SAFE,
    )


def publish(repository: Path, tree: Tree, tag: str) -> None:
    """Commit a release to a repository in place of what it has, and tag it."""
    if not repository.exists():
        repository.mkdir()
        git(repository, "init", "--quiet")
    else:
        git(repository, "rm", "--quiet", "-r", "--ignore-unmatch", ".")
    write_tree(tree, repository)
    git(repository, "add", "--all", "--force")
    git(repository, "commit", "--quiet", "--allow-empty", "--message", tag)
    git(repository, "tag", tag)


def checkout(folder: Path, tree: Tree, lab: str) -> Path:
    """A student's copy of a release, with this lab.py."""
    write_tree(tree, folder)
    (folder / "lab.py").write_text(lab, encoding="utf-8")
    return folder
