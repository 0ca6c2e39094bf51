"""A master copy to change and to cut releases from."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from staff.release.tree import KIT, shipped

COURSE = Path(__file__).with_name("course.yaml")
"""The sample course, which the tests use in place of the instructor's own."""

UNPROVED_RELEASE = Path(__file__).with_name("unproved_release.py")
WRITTEN_RIGHT_NOW = "*.pyc.*"
LEFT_OUT = shutil.ignore_patterns(
    "right_labs", "tests", "bench", "hidden", WRITTEN_RIGHT_NOW
)


def copy_master(folder: Path) -> Path:
    """Copy the part of this master copy that a release is cut from.

    The copy is compiled, and in git.  It has the sample course and no hidden cases.
    """
    for name in shipped():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(KIT / name, folder / name)
    shutil.copytree(KIT / "staff", folder / "staff", ignore=LEFT_OUT)
    shutil.copy(COURSE, folder / "staff" / "course.yaml")
    for inner in {Path(name).parent for name in shipped()}:
        compiled = KIT / inner / "__pycache__"
        if compiled.is_dir():
            shutil.copytree(compiled, folder / inner / "__pycache__", ignore=LEFT_OUT)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    return folder


def without_wrong_labs(master: Path) -> Path:
    """Take the wrong labs out of a master copy; they run again if lab.py changes."""
    for name in ("wrong_labs", "misconceptions"):
        (master / "staff" / "submissions" / f"{name}.yaml").write_text(
            f"{name}: []\n", "utf-8"
        )
    shutil.rmtree(master / "boards" / "misconceptions")
    return master


def with_few_cases(master: Path) -> Path:
    """Leave two cases of each function in a master copy, and no wrong labs.

    `make expectations` then takes little time.
    """
    for file in (master / "boards" / "cases").glob("*.yaml"):
        head, *cases = re.split(
            r"^(?=  - id: )", file.read_text("utf-8"), flags=re.MULTILINE
        )
        if "\nfunction: " in head:
            head = re.sub(r"^excerpts:\n(?:  .*\n)+", "", head, flags=re.MULTILINE)
            file.write_text(head + "".join(cases[:2]), "utf-8")
    return without_wrong_labs(master)


def change(file: Path, old: str, new: str) -> None:
    """Replace a text that stands exactly once in a file."""
    text = file.read_text("utf-8")
    assert text.count(old) == 1, (
        f"{old!r} stands {text.count(old)} times in {file.name}"
    )
    file.write_text(text.replace(old, new), "utf-8")


def decide(master: Path, **decisions: str) -> None:
    """Change lines of a master copy's course.yaml."""
    file = master / "staff" / "course.yaml"
    text = file.read_text("utf-8")
    for key, value in decisions.items():
        text, count = re.subn(
            rf"^( *){key}:.*$", rf"\g<1>{key}: {value}", text, flags=re.MULTILINE
        )
        assert count == 1, key
    file.write_text(text, "utf-8")


def cut(master: Path, out: Path) -> "subprocess.CompletedProcess[str]":
    """Cut a release from a master copy with `make release`; its proof takes long."""
    return _run(master, "-m", "grader", "release", "--out", str(out))


def write_release(master: Path, out: Path) -> list[str]:
    """Write a release without its proof; the lines that say what to do next."""
    done = _run(master, "-P", str(UNPROVED_RELEASE), str(out))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def release_from(master: Path, out: Path) -> Path:
    """Write a release of a master copy without its proof; its folder."""
    write_release(master, out)
    return out


def take_as_filled(master: Path) -> None:
    """Let the cases count as filled in; `make expectations` would take a minute."""
    program = "from staff.stored import write_digests; write_digests(check=False)"
    done = _run(master, "-c", program)
    assert done.returncode == 0, done.stderr


def _run(master: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run Python in a master copy, all of whose files git knows."""
    if (master / ".git").exists():
        subprocess.run(["git", "add", "--all"], cwd=master, check=True)
    return subprocess.run(
        [sys.executable, *words], cwd=master, capture_output=True, text=True
    )
