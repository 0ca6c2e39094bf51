"""`make release`: cuts the student release, proves it, and writes it to build/release
(or OUT=folder).
"""

import shlex
import sys
from pathlib import Path

from grader.cli import enter
from grader.parser import Parser
from grader.protocol.words import plural
from grader.refusal import tell
from grader.release import read_release
from staff.course import Course, read_course
from staff.meanwhile import progress
from staff.release.folder import check_folder, in_git, replace_folder
from staff.release.leaks import check_for_leaks
from staff.release.proof import prove, prove_hidden
from staff.release.shares import course_bank, notes
from staff.release.tree import KIT, release_tree
from staff.strict.bank import check_everything


def main(words: list[str]) -> int:
    """Write a proved release; the exit status."""
    parser = Parser("release", "usage: make release OUT=folder")
    parser.add_argument(
        "--out",
        type=Path,
        default=KIT / "build" / "release",
        metavar="FOLDER",
        help="where the release goes",
    )
    out = parser.read(words).out.resolve()
    progress("checking the case files", 1, 4)
    check_everything()
    course = read_course()
    bank = course_bank(course)
    check_folder(out, course.version)
    progress("cutting the release, and looking for lines of the solution in it", 2, 4)
    tree = release_tree(course, read_release(out))
    searched = check_for_leaks(tree, KIT / "lab.py")
    progress("grading the model solution with the hidden cases", 3, 4)
    hidden = prove_hidden(bank, KIT / "lab.py")
    progress(
        "grading the stub and the model solution in a scratch copy of the release",
        4,
        4,
    )
    proved = prove(tree, KIT / "lab.py")
    replace_folder(out, tree)
    for note in notes(course, bank):
        tell(f"note: {note}")
    print(
        f"{out}: release {course.version} of {course.title}, {course.term}; {len(tree)} files"
    )
    since = read_release(out).since
    new = [name for name, version in since.items() if version == course.version]
    if 0 < len(new) < len(since):
        print(f"new in {course.version}: {', '.join(new)}")
    proved += (
        f", and passes {plural(hidden, 'hidden case')}, of which none ships"
        if hidden
        else ""
    )
    print(f"proved: {proved}; none of {searched} lines of the solution stands in it")
    print("\n".join(next_steps(out, course)))
    return 0


def next_steps(out: Path, course: Course) -> list[str]:
    """What to do next with a release, in three lines."""
    folder = shlex.quote(str(out))
    commit = f'git add -A && git commit -m "Release {course.version}" && git tag v{course.version}'
    template = "3. On GitHub, make it a public template repository, and from it a private one for each student."
    if not (out / ".git").exists():
        return [
            f"1. cd {folder} && git init -b main && {commit}",
            f"2. git remote add origin {course.repository} && git push origin main v{course.version}",
            template,
        ]
    nothing = "3. Nothing else: the workflow takes the newest tag, and students may type make update."
    return [
        f"1. cd {folder} && {commit}",
        f"2. git push origin HEAD v{course.version}",
        nothing if in_git(out, "tag") else template,
    ]


if __name__ == "__main__":
    sys.exit(enter(["release", *sys.argv[1:]]))
