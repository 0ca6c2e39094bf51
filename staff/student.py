"""What a student gets, for docs/student/: the stub and the handout, as a release of the
sample course has them.
"""

from pathlib import Path

from grader.bank.points import read_points
from grader.kit import KIT
from staff.course import read_course
from staff.release.handout import handout_context, render_handout
from staff.release.regions import only_parts, without_solutions

SAMPLE = (
    KIT / "staff" / "tests" / "support" / "course.yaml"
)  # not the instructor's own, which may change


def student_files() -> dict[str, str]:
    """The text of each file, by its name in a release."""
    course, lab = read_course(SAMPLE), KIT / "lab.py"
    stub = only_parts(without_solutions(lab.read_text("utf-8"), lab), course.parts, lab)
    parts = [part for part in read_points() if part.number in course.parts]
    return {"lab.py": stub} | render_handout(handout_context(course, parts))


def write_student_files(folder: Path) -> None:
    """Write them into a folder."""
    for name, text in student_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
