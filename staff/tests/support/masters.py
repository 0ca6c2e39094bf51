"""A master copy to change and to cut releases from."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from staff.release.tree import KIT, shipped

COURSE = Path(__file__).with_name(
    "course.yaml"
)  # of the tests, whatever this master copy's is
LEFT_OUT = shutil.ignore_patterns(
    "right_labs", "tests", "bench", "hidden", "*.pyc.*"
)  # the last: written right now


def copy_master(folder: Path) -> Path:
    """A copy of this master copy, as far as a release is cut from it: compiled, and in
    git.

    Its course is that of the tests, without hidden cases.
    """
    for name in shipped():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(KIT / name, folder / name)
    shutil.copytree(KIT / "staff", folder / "staff", ignore=LEFT_OUT)
    shutil.copy(COURSE, folder / "staff" / "course.yaml")
    for compiled in (
        folder / name / "__pycache__"
        for name in {Path(name).parent for name in shipped()}
    ):
        if (there := KIT / compiled.relative_to(folder)).is_dir():
            shutil.copytree(there, compiled, ignore=LEFT_OUT)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    return folder


def without_wrong_labs(master: Path) -> Path:
    """The master copy without its wrong labs, all of which run again if lab.py has
    changed.
    """
    for name in ("wrong_labs", "misconceptions"):
        (master / "staff" / "submissions" / f"{name}.yaml").write_text(
            f"{name}: []\n", "utf-8"
        )
    shutil.rmtree(master / "boards" / "misconceptions")
    return master


def with_few_cases(master: Path) -> Path:
    """The master copy without its wrong labs, and with two cases a function, for `make
    expectations` to fill in.
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
        text, found = re.subn(
            rf"^( *){key}:.*$", rf"\g<1>{key}: {value}", text, flags=re.MULTILINE
        )
        assert found == 1, key
    file.write_text(text, "utf-8")


def cut(master: Path, out: Path) -> "subprocess.CompletedProcess[str]":
    """Cut a release from a master copy, as `make release` does: with the proof, which
    takes long.
    """
    return _run(master, "-m", "grader", "release", "--out", str(out))


WRITE = """
import sys
from pathlib import Path
from staff.course import read_course
from staff.release.__main__ import next_steps
from staff.release.folder import check_folder, replace_folder
from staff.release.tree import release_tree

out, course = Path(sys.argv[1]).resolve(), read_course()
check_folder(out, course.version)
replace_folder(out, release_tree(course))
print(*next_steps(out, course), sep="\\n")
"""


def write_release(master: Path, out: Path) -> list[str]:
    """Write the release of a master copy into a folder, without the proof; the lines
    that say what to do next.
    """
    done = _run(master, "-c", WRITE, str(out))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def release_from(master: Path, out: Path) -> Path:
    """The release of a master copy, in its folder; nobody has proved it."""
    write_release(master, out)
    return out


def take_as_filled(master: Path) -> None:
    """Let the cases count as filled in, without a `make expectations`, which would take
    a minute.
    """
    done = _run(
        master,
        "-c",
        "from staff.stored import write_digests; write_digests(check=False)",
    )
    assert done.returncode == 0, done.stderr


def _run(master: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    if (master / ".git").exists():
        subprocess.run(["git", "add", "--all"], cwd=master, check=True)
    return subprocess.run(
        [sys.executable, *words], cwd=master, capture_output=True, text=True
    )
