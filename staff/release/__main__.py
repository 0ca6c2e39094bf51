"""`make release`: makes the student release, checks it, and writes it to a folder.

The folder is build/release, or the one that OUT= names.
"""

import shlex
import sys
from pathlib import Path

from grader.cli import enter
from grader.parser import Parser
from grader.protocol.text import plural
from grader.refusal import tell
from grader.release import read_release
from staff.bank import refuse_what_cannot_be_graded
from staff.course import Course, read_course
from staff.progress import progress
from staff.release.folder import check_folder, in_git, replace_folder
from staff.release.leaks import check_for_leaks
from staff.release.proof import prove, prove_hidden
from staff.release.questions import model_for
from staff.release.shares import course_bank, notes
from staff.release.tree import KIT, release_tree
from staff.strict.bank import check_everything

MAKE_A_TEMPLATE = (
    "3. On GitHub, make it a public template repository, and from it a private one for "
    "each student."
)
NOTHING_ELSE = (
    "3. Nothing else: the workflow takes the newest tag, and students may type make "
    "update."
)


def main(words: list[str]) -> int:
    """Check a release, write it, and say what to do next; return the exit status."""
    parser = Parser("release", "usage: make release OUT=folder")
    parser.add_argument(
        "--out",
        type=Path,
        default=KIT / "build" / "release",
        metavar="FOLDER",
        help="where the release goes",
    )
    out = parser.read(words).out.resolve()
    print(*write_release(out), sep="\n")
    return 0


def write_release(out: Path) -> list[str]:
    """Check a release and write it into a folder; return lines for the instructor.

    If this raises Refusal, the files in the folder stay as they are.
    """
    progress("checking the case files", 1, 4)
    check_everything()
    course = read_course()
    bank = course_bank(course)
    refuse_what_cannot_be_graded(bank)
    check_folder(out, course.version)
    progress("cutting the release, and looking for lines of the solution in it", 2, 4)
    tree = release_tree(course, read_release(out))
    searched = check_for_leaks(tree, KIT / "lab.py")
    with model_for(course) as model:
        progress("grading the model solution with the hidden cases", 3, 4)
        hidden = prove_hidden(bank, model)
        progress(
            "grading the stub and the model solution in a scratch copy of the release",
            4,
            4,
        )
        proved = prove(tree, model, bank)
    replace_folder(out, tree)
    for note in notes(course, bank):
        tell(f"note: {note}")
    if hidden:
        proved += f", and passes {plural(hidden, 'hidden case')}, none of which ships"
    return [
        f"{out}: release {course.version} of {course.title}, {course.term}; "
        f"{len(tree)} files",
        *new_functions(out, course.version),
        f"checked: {proved}; none of {searched} lines of the solution is in it",
        *next_steps(out, course),
    ]


def new_functions(out: Path, version: str) -> list[str]:
    """A line that names the functions that are new in this version.

    There is no line if no function is new, or if all are, as in the first release.
    """
    since = read_release(out).since
    new = [name for name, first in since.items() if first == version]
    if 0 < len(new) < len(since):
        return [f"new in {version}: {', '.join(new)}"]
    return []


def next_steps(out: Path, course: Course) -> list[str]:
    """Say what an instructor should do next with a release, in three lines."""
    enter = f"1. cd {shlex.quote(str(out))} &&"
    tag = f"v{course.version}"
    commit = f'git add -A && git commit -m "Release {course.version}" && git tag {tag}'
    if not (out / ".git").exists():
        origin = f"git remote add origin {course.repository}"
        return [
            f"{enter} git init -b main && {commit}",
            f"2. {origin} && git push origin main {tag}",
            MAKE_A_TEMPLATE,
        ]
    steps = [f"{enter} {commit}", f"2. git push origin HEAD {tag}"]
    if in_git(out, "tag"):
        return [*steps, NOTHING_ELSE]
    return [*steps, MAKE_A_TEMPLATE]


if __name__ == "__main__":
    sys.exit(enter(["release", *sys.argv[1:]]))
