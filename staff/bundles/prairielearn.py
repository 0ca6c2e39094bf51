"""`make prairielearn`: build/prairielearn.zip, a question that PrairieLearn's external grader grades.

Every case is shown there at each of many attempts, so hidden cases are refused.
"""

import json
import sys
import uuid
from pathlib import Path

from grader.refusal import Refusal, tell
from staff.bundles.archive import prove, write_zip
from staff.bundles.contents import PROGRAMS, without_hidden
from staff.course import Course, read_course
from staff.release.notes import notes_on_cases
from staff.release.shares import course_bank
from staff.release.tree import KIT, Tree

FILE = KIT / "build" / "prairielearn.zip"
QUESTION = "question.html"
GRADING = {
    "enabled": True,
    "image": "python:3.12",
    "entrypoint": "/grade/tests/grade.sh",
    "timeout": 300,
    "enableNetworking": True,  # by which setup.sh has pytest and PyYAML; lab.py has none
}


def main(file: Path = FILE) -> int:
    """Write a proved bundle; 0, or 2 where a mistake or a hidden case is in the way."""
    try:
        course = read_course()
        tree = without_hidden("prairielearn", course, "PrairieLearn shows every case at each attempt")
        prove(tree, KIT / "lab.py")
        tree = question(tree, course)
    except (ValueError, OSError) as error:
        tell(error)
        return 2
    write_zip(tree, file)
    for note in notes_on_cases(course_bank(course)):
        tell(f"note: {note}")
    print(f"{file}: {len(tree)} files, none of them secret; the model solution gets everything")
    print("1. Unpack it into a folder below questions/ of your PrairieLearn course, and push that.")
    print("2. Sync the course, and hand in lab.py of the master copy: it gets everything.")
    return 0


def question(tree: Tree, course: Course) -> Tree:
    """The folder of a question: what grades stands in its tests/, which the service copies to /grade/tests."""
    info = {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, course.repository)),
        "title": "Games and adversarial search",
        "topic": "Games and adversarial search",
        "type": "v3",
        "singleVariant": True,
        "gradingMethod": "External",
        "externalGradingOptions": GRADING,
    }
    below = {f"tests/{name}": data for name, data in tree.items() if name != QUESTION}
    below["tests/setup.sh"] = (PROGRAMS / "gradescope" / "setup.sh").read_bytes()
    return {"info.json": json.dumps(info, indent=2).encode(), QUESTION: tree[QUESTION], **below}


if __name__ == "__main__":
    if sys.argv[1:]:
        raise Refusal(f"make prairielearn takes no words, but got {sys.argv[1][:40]!r}")
    sys.exit(main())
