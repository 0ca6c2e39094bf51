"""The correct and the incorrect submissions in this repository."""

from collections.abc import Iterator

from staff.figures.outcome import Submission
from staff.model import MODEL
from staff.submissions.rows import Row, read_rows
from staff.wrong_labs import build, load_wrong_labs

RIGHT_LABS = MODEL.parent / "staff" / "submissions" / "right_labs"
NO_SUBMISSION = "heuristics.py"  # a collection of heuristics


def incorrect() -> Iterator[Submission]:
    """The submissions of wrong_labs.yaml and of labs/wrong.yaml.  Raises BadFile."""
    model = MODEL.read_text("utf-8")
    for wrong_lab in load_wrong_labs():
        yield Submission(wrong_lab.id, build(wrong_lab, model), (wrong_lab.function,))
    for row in read_rows("wrong"):
        yield Submission(row.id, row.text(model), _wrong_functions(row))


def correct() -> Iterator[Submission]:
    """The model solution, and the submissions of right_labs/ and labs/right.yaml."""
    model = MODEL.read_text("utf-8")
    yield Submission("the model solution", model)
    for file in sorted(RIGHT_LABS.glob("*.py")):
        if file.name != NO_SUBMISSION:
            yield Submission(file.stem, file.read_text("utf-8"))
    for row in read_rows("right"):
        yield Submission(row.id, row.text(model))


def _wrong_functions(row: Row) -> tuple[str, ...]:
    """Return the functions that are incorrect according to a row of labs/wrong.yaml."""
    by_status = [
        function for function, status in row.status.items() if status != "pass"
    ]
    return tuple(dict.fromkeys([*by_status, *row.failing, *row.told]))
