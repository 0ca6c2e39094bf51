"""Puts the questions of a course into the lab.py and the cases of a release.

This module also makes a copy of the model solution that answers these questions.  If a
course has no questions of its own, a release has those of the master copy's lab.py.
"""

import base64
import hashlib
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from boards.reading import BadFile
from grader.kinds.question.kind import hash_answer
from grader.kit import KIT
from staff.course import Course
from staff.course.questions import QuestionSet

CASES = "3-questions.yaml"  # in boards/cases/
BEGIN = "# BEGIN QUESTIONS"
END = "# END QUESTIONS"
WIDTH = 98  # columns of a line in lab.py
HOW_TO_ANSWER = (
    "An answer is the number of a choice, as a string: '1', '2', '3', '4' or '5'."
)


def with_questions(lab: str, course: Course, file: Path) -> str:
    """The text of lab.py with the questions of a course, without the markers BEGIN and
    END.

    Raises BadFile unless each of the two markers is in the file exactly once.
    """
    lines = lab.splitlines()
    if lines.count(BEGIN) != 1 or lines.count(END) != 1:
        raise BadFile(file, 1, f"`{BEGIN}` and `{END}` have to stand here once each")
    begin = lines.index(BEGIN)
    end = lines.index(END)
    between = lines[begin + 1 : end]
    if course.questions:
        between = in_comments(course.questions)
    return "\n".join([*lines[:begin], *between, *lines[end + 1 :]]) + "\n"


def in_comments(asked: QuestionSet) -> list[str]:
    """Write the questions and their choices as comment lines for lab.py."""
    lines = _folded(f"{asked.about}  {HOW_TO_ANSWER}".strip())
    for number, question in enumerate(asked.questions, 1):
        lines += ["#", *_folded(f"Question {number}.  {question.text}"), "#"]
        for choice, text in enumerate(question.choices, 1):
            lines += _folded(text, f"    {choice}  ", "       ")
    return lines


def _folded(text: str, first: str = "", rest: str = "") -> list[str]:
    """Fold a text into comment lines.

    `first` comes before the first line, and `rest` before every other line.
    """
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"# {first}",
        subsequent_indent=f"# {rest}",
        break_on_hyphens=False,
    )


def case_text(asked: QuestionSet) -> str:
    """Write a case file for these questions, with hashed answers.

    The ids of its cases differ from those in the master copy.  Otherwise the answers of
    known mistakes, which are stored by id, would seem to belong to these cases.
    """
    cases = []
    for number, question in enumerate(asked.questions, 1):
        salt = hashlib.sha256(question.text.encode()).hexdigest()[:8]
        expected = {
            "salt": salt,
            "digest": hash_answer(salt, question.right),
            "explanation": base64.b64encode(question.why.encode()).decode(),
        }
        cases.append(
            {
                "id": f"course-question-{number}",
                "function": f"ANSWER_{number}",
                "says": f"Question {number} of part 3.",
                "expect": expected,
            }
        )
    return yaml.safe_dump({"part": 3, "cases": cases}, sort_keys=False, width=10_000)


@contextmanager
def case_files_of(course: Course, files: list[Path]) -> Iterator[list[Path]]:
    """Yield these case files, with the questions of a course in place of the
    kit's own.
    """
    if not course.questions:
        yield files
        return
    with tempfile.TemporaryDirectory(prefix="questions-") as folder:
        own = Path(folder, CASES)
        own.write_text(case_text(course.questions), "utf-8")
        yield [own if file.name == CASES else file for file in files]


@contextmanager
def model_for(course: Course) -> Iterator[Path]:
    """Yield the path of a model solution that answers the questions of a course."""
    model = KIT / "lab.py"
    if not course.questions:
        yield model
        return
    text = model.read_text("utf-8")
    for name, answer in course.questions.answers.items():
        text += f"{name} = {answer!r}\n"
    with tempfile.TemporaryDirectory(prefix="model-") as folder:
        answering = Path(folder, model.name)
        answering.write_text(text, "utf-8")
        yield answering
