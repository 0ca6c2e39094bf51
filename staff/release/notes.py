"""What an instructor should know of a course, and what is yet no mistake: release and bundles say it."""

from datetime import UTC, datetime

from boards.cases import Bank
from grader.grading.rounding import shown
from grader.kinds.kind import kind_of
from staff.course import Course
from staff.release.shares import heavy_cases

EXAMPLES = ("forum.example.edu", "github.com/your-course")
NO_HIDDEN_CASES = (
    "there are no hidden cases: a lab.py that holds a table of the answers to the public ones earns everything; "
    "the README says how to write some (Add a case)"
)


def notes(course: Course, bank: Bank) -> list[str]:
    """A line for each thing that is odd about a course or its cases."""
    return [*_on_the_course(course), *notes_on_cases(bank)]


def _on_the_course(course: Course) -> list[str]:
    found = [
        f"staff/course.yaml still has the example {word}"
        for word in EXAMPLES
        if word in course.help + course.repository
    ]
    return [*found, "the due date has passed"] if course.due < datetime.now(UTC) else found


def notes_on_cases(bank: Bank) -> list[str]:
    """What is easily had, and what costs much."""
    found = [
        f"{case.id} alone carries {shown(bank.worth(case))} points; write more cases of {case.function}"
        for case in heavy_cases(bank)
    ]
    hidden = any(case.hidden for case in bank.cases if kind_of(case.graded).is_code)
    return found if hidden else [*found, NO_HIDDEN_CASES]
