"""A master copy to change and to cut releases from, and labs for the students of its course."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from staff.release.tree import KIT, shipped
from staff.strict.bank import CHECKED, check_everything

COURSE = Path(__file__).with_name("course.yaml")  # of the tests, whatever this master copy's is
LEFT_OUT = shutil.ignore_patterns("right_labs", "tests", "bench", "*.pyc.*")  # the last are written at this moment


def copy_master(folder: Path) -> Path:
    """A copy of this master copy, as far as a release is cut from it: checked as this one is, and compiled.

    Its course is that of the tests, without hidden cases.
    """
    check_everything()
    for name in [*shipped(), CHECKED.relative_to(KIT).as_posix()]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(KIT / name, folder / name)
    shutil.copytree(KIT / "staff", folder / "staff", ignore=LEFT_OUT)
    shutil.rmtree(folder / "staff" / "hidden", ignore_errors=True)
    shutil.copy(COURSE, folder / "staff" / "course.yaml")
    for compiled in (folder / name / "__pycache__" for name in {Path(name).parent for name in shipped()}):
        if (there := KIT / compiled.relative_to(folder)).is_dir():
            shutil.copytree(there, compiled, ignore=LEFT_OUT)
    return folder


def without_wrong_labs(master: Path) -> Path:
    """The master copy without its wrong labs, all of which run again where lab.py has changed: some 60 s of CPU."""
    for name in ("wrong_labs", "misconceptions"):
        (master / "staff" / f"{name}.yaml").write_text(f"{name}: []\n", "utf-8")
    shutil.rmtree(master / "boards" / "misconceptions")
    return master


def with_few_cases(master: Path) -> Path:
    """The master copy without its wrong labs, and with two cases a function, for `make expectations` to fill in:
    of all cases it takes some 12 s of CPU."""
    for file in (master / "boards" / "cases").glob("*.yaml"):
        head, *cases = re.split(r"^(?=  - id: )", file.read_text("utf-8"), flags=re.MULTILINE)
        if "\nfunction: " in head:
            head = re.sub(r"^excerpts:\n(?:  .*\n)+", "", head, flags=re.MULTILINE)
            file.write_text(head + "".join(cases[:2]), "utf-8")
    return without_wrong_labs(master)


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
    """Cut a release from a master copy, as `make release` does: with the proof, which takes long."""
    return subprocess.run(
        [sys.executable, "-m", "grader", "release", "--out", str(out)], cwd=master, capture_output=True, text=True
    )  # fmt: skip


WRITE = """
import sys
from pathlib import Path
from staff.course import read_course
from staff.release.__main__ import next_steps
from staff.release.folder import check_folder, replace_folder
from staff.release.leaks import check_for_leaks
from staff.release.tree import release_tree

out, course = Path(sys.argv[1]).resolve(), read_course()
check_folder(out, course.version)
tree = release_tree(course)
check_for_leaks(tree, Path("lab.py"))
replace_folder(out, tree)
print(*next_steps(out, course), sep="\\n")
"""


def write_release(master: Path, out: Path) -> list[str]:
    """Write the release of a master copy into a folder, without the proof; the lines that say what to do next."""
    done = subprocess.run([sys.executable, "-c", WRITE, str(out)], cwd=master, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def release_from(master: Path, out: Path) -> Path:
    """The release of a master copy, in its folder; nobody has proved it."""
    write_release(master, out)
    return out
