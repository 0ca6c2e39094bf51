"""A master copy to change and to cut releases from, and labs for the students of its course."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from staff.release.tree import KIT, shipped

LEFT_OUT = shutil.ignore_patterns("__pycache__", "wheats", "tests", "bench")


def copy_master(folder: Path) -> Path:
    """A copy of this master copy, as far as a release is cut from it."""
    for name in shipped():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(KIT / name, folder / name)
    shutil.copytree(KIT / "staff", folder / "staff", ignore=LEFT_OUT)
    return folder


def change(file: Path, old: str, new: str) -> None:
    """Replace a text that stands exactly once in a file."""
    text = file.read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file.name}"
    file.write_text(text.replace(old, new), "utf-8")


def decide(master: Path, **decisions: str) -> None:
    """Change lines of a master copy's course.yaml."""
    file = master / "staff" / "course.yaml"
    text = file.read_text("utf-8")
    for key, value in decisions.items():
        text, found = re.subn(rf"^( *){key}:.*$", rf"\g<1>{key}: {value}", text, flags=re.MULTILINE)
        assert found == 1, key
    file.write_text(text, "utf-8")


def cut(master: Path, out: Path) -> "subprocess.CompletedProcess[str]":
    """Cut a release from a master copy."""
    return subprocess.run(
        [sys.executable, "-m", "grader", "release", "--out", str(out)], cwd=master, capture_output=True, text=True
    )  # fmt: skip


def release_from(master: Path, out: Path) -> Path:
    """A release that was cut from a master copy, in its folder."""
    done = cut(master, out)
    assert done.returncode == 0, done.stderr
    return out
