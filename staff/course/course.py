"""Reads and checks course.yaml, which says what a course decides."""

import codecs
import re
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from grader.bank.points import read_points
from staff.course.late import Late, read_late
from staff.course.questions import QuestionSet, read_questions
from staff.strict.reading import Block, read_block
from staff.strict.schema import check

COURSE = Path(__file__).parent.with_name("course.yaml")
SCHEMA = Path(__file__).parent.with_name("course.schema.json")
AS_THEY_ARE = "as they are"
FIRST_YEAR = 2000  # an earlier year is a typing error
IN_A_PUSH = "that you pushed to the main branch"
HAND_IN = {
    "GitHub": ("pushed to your repository on GitHub", IN_A_PUSH),
    "Classroom 50": (
        "pushed to the repository that you accepted in Classroom 50",
        IN_A_PUSH,
    ),
}
for _system in ("Gradescope", "Canvas", "Moodle", "Blackboard"):
    HAND_IN[_system] = (
        f"uploaded to the assignment on {_system}",
        f"that you have uploaded to {_system}",
    )
COUNTS = {
    "last": "If you hand in several versions, we grade the last one.",
    "last on time": (
        "If you hand in several versions, we grade the last one that is on time; "
        "if none is on time, we grade the last one."
    ),
    "best": "If you hand in several versions, we grade the one with the best score.",
}
# grader/grading/feedback.py says what students see at each level.
LEVELS = ("full", "place", "verdict")


@dataclass(frozen=True)
class Course:
    """The decisions of one course.  The key for a student is always the student's
    id.
    """

    title: str
    term: str
    help: str  # where students get help
    due: datetime  # until when a submission is on time, in the time zone of the course
    grace: int  # for so many minutes after `due`, lateness costs nothing
    late: Late
    counts: str  # which one of several submissions counts; a key of COUNTS
    extensions: dict[str, datetime]  # the due moment of each student who has more time
    excused: dict[str, str]  # for each excused student, the reason
    notes: dict[str, str]  # what only the staff read about an excuse
    left: dict[str, str]  # for each student who has left the class, the reason
    # The score of a student who handed in nothing; None if such a student has no score.
    missing: int | None
    column: str  # the title of the column for grades; empty if the kit has to find it
    # The encoding of those rosters that do not name their encoding; empty if the kit
    # has to find it.
    encoding: str
    isolation: str  # none, lock or box
    hand_in: str  # a key of HAND_IN
    parts: tuple[int, ...]
    # The sum to which the points of all parts are scaled; None if they stay as they
    # are.
    scaled_to: Fraction | None
    # The share of the points that hidden cases carry, from 0 to 1.
    hidden_share: Fraction
    feedback: str  # one of LEVELS
    show_answers: bool
    # The course's own questions; None for those of the master copy's lab.py.
    questions: QuestionSet | None
    rules: str  # the rules of working together
    repository: str  # the repository of the release
    version: str

    def due_of(self, student: str) -> datetime:
        """The due moment of a student.  An extension replaces the due moment of the
        course.
        """
        return self.extensions.get(student, self.due)

    def in_words(self, moment: datetime) -> str:
        """Write a moment as a person reads it, in the time zone of the course."""
        here = moment.astimezone(self.due.tzinfo)
        return f"{here:%A} {here.day} {here:%B %Y, %H:%M} ({self.due.tzinfo})"

    @property
    def assignment(self) -> str:
        """The name of the assignment.  Names of students' repositories contain it."""
        return self.repository.rpartition("/")[2].removesuffix(".git")

    @property
    def hand_in_text(self) -> tuple[str, str]:
        """Say where students hand in lab.py, and which lab.py is graded.

        Each of the two texts is the end of a sentence.
        """
        return HAND_IN[self.hand_in]

    @property
    def a_push_hands_in(self) -> bool:
        """Whether students hand in by a push to GitHub."""
        return self.hand_in_text[1] == IN_A_PUSH

    @property
    def late_text(self) -> str:
        """Say what lateness costs, and how long the grace is if there is one."""
        if not self.grace:
            return self.late.text
        return (
            f"Lateness is counted from {self.grace} minutes after the deadline. "
            f"{self.late.text}"
        )

    @property
    def counts_text(self) -> str:
        """Say in a sentence which one of several submissions counts."""
        return COUNTS[self.counts]


def read_course(file: Path = COURSE) -> Course:
    """Read the course that a file describes.

    Raises BadFile, with file and line, if a value cannot be used.

    >>> read_course().parts[0]
    0
    """
    root = read_block(file)
    check(root, SCHEMA)
    zone = _zone(root)
    known = [part.number for part in read_points()]
    if not set(known).issuperset(root["parts"]):
        root.fail(f"`parts` is {root['parts']}; there are {known}", "parts")
    due = _moment(root, "due", zone)
    extensions = _extensions(root["extensions"], due, zone)
    excuses = root.get("excused", {})
    notes = {
        name: excuse["note"] for name, excuse in excuses.items() if "note" in excuse
    }
    release = root["release"]
    return Course(
        title=root["title"].strip(),
        term=root["term"].strip(),
        help=root["help"].strip(),
        due=due,
        grace=root["grace"],
        late=read_late(root["late"]),
        counts=root.get("counts", "last"),
        extensions=extensions,
        excused={name: _reason(excuse) for name, excuse in excuses.items()},
        notes=notes,
        left=dict(root.get("left", {})),
        missing=root.get("missing"),
        column=root.get("column", ""),
        encoding=_encoding(root),
        isolation=root.get("isolation", "lock"),
        hand_in=root["hand_in"],
        parts=tuple(sorted(root["parts"])),
        scaled_to=_scaled_to(root),
        hidden_share=Fraction(root["hidden_share"], 100),
        feedback=root["feedback"],
        show_answers=root["show_answers"],
        questions=_questions(root),
        rules=root["rules"].strip(),
        repository=release["repository"],
        version=release["version"],
    )


def _extensions(block: Block, due: datetime, zone: ZoneInfo) -> dict[str, datetime]:
    """Return the new due moment of each student who has an extension.

    Raises BadFile if an extension is no moment, or is not after the due date.
    """
    extensions = {name: _moment(block, name, zone) for name in block}
    for name, moment in extensions.items():
        if moment.timestamp() <= due.timestamp():
            block.fail(f"the extension of {name} is not after the due date", name)
    return extensions


def _reason(excuse: str | Block) -> str:
    """Return the reason why a student is excused.  The student may read it."""
    return excuse if isinstance(excuse, str) else str(excuse["reason"])


def _scaled_to(root: Block) -> Fraction | None:
    """Return the sum to which the points of all parts are scaled.

    Return None if the points stay as they are.  Raises BadFile if the sum has more than
    two decimals.
    """
    if root["points"] == AS_THEY_ARE:
        return None
    points = Fraction(str(root["points"]))
    if (points * 100).denominator != 1:
        root.fail(f"`points` is {root['points']}; write at most two decimals", "points")
    return points


def _questions(root: Block) -> QuestionSet | None:
    """Return the course's own questions; None if it has none.

    course.yaml names the file that has the questions, as a path that begins at the
    folder of course.yaml.  Raises BadFile if that file cannot be used.
    """
    if "questions" not in root:
        return None
    return read_questions(root.file.parent / root["questions"])


def _zone(root: Block) -> ZoneInfo:
    """Return the time zone of the course.  Raises BadFile if there is no such zone."""
    name = root["zone"].strip()
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        root.fail(
            f"there is no time zone {name!r}; "
            "write one such as Europe/Zurich or America/New_York",
            "zone",
        )


def _encoding(root: Block) -> str:
    """Return the encoding of those rosters that do not name their encoding.

    The text is empty if course.yaml names no encoding.  Raises BadFile if Python does
    not know the encoding.
    """
    name = str(root.get("encoding", ""))
    if not name:
        return ""
    try:
        return codecs.lookup(name).name
    except LookupError:
        root.fail(
            f"there is no encoding {name!r}; write one such as cp1252 or mac-roman",
            "encoding",
        )


def _moment(block: Block, key: str, zone: ZoneInfo) -> datetime:
    """Return the moment that a key of a block states, in the time zone of the course.

    In autumn, the clocks show an hour twice.  A time in that hour means the later of
    its two moments.  Raises BadFile if the text is no time, if the year is too early,
    or if the clocks skip the time.
    """
    text = str(block[key])
    if not re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", text):
        block.fail(
            f"`{key}` is {text}; write a date and a time, such as 2027-02-12 23:59", key
        )
    try:
        clock = datetime.fromisoformat(text)
    except ValueError as error:
        block.fail(f"`{key}` is {text}: {error}", key)
    moment = clock.replace(tzinfo=zone, fold=1)
    if moment.year < FIRST_YEAR:
        block.fail(f"`{key}` is {text}, long ago", key)
    if datetime.fromtimestamp(moment.timestamp(), zone).replace(tzinfo=None) != clock:
        block.fail(
            f"`{key}` is {text}, which the clocks of {zone} skip; take another hour",
            key,
        )
    return moment
