"""What a course decides: course.yaml, read and checked.

due      the moment up to which a submission is on time, with its time zone
grace    minutes after it that cost nothing
late     what each day or hour begun after that costs, and after how many nothing counts
counts   which one of several submissions decides
"""

import codecs
import re
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from grader.bank.points import read_points
from staff.course.late import Late, read_late
from staff.strict.reading import Block, read_yaml
from staff.strict.schema import check

COURSE, SCHEMA = (
    Path(__file__).parent.with_name(name)
    for name in ("course.yaml", "course.schema.json")
)
AS_THEY_ARE = "as they are"
IN_A_PUSH = "in a commit that you pushed to the main branch"
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
    "last": "Of several, the last one counts.",
    "last on time": "Of several, the last one that is on time counts; if none is, the last one.",
    "best": "Of several, the one with the best score counts.",
}
LEVELS = (
    "full",
    "place",
    "verdict",
)  # grader/grading/feedback.py says what each of them is


@dataclass(frozen=True)
class Course:
    """The decisions of one course.

    `hidden_share` is a share, 0 to 1; `scaled_to` is None where points stay as they
    are.  By the names in the roster, `extensions` has who has longer, `excused` and
    `left` have the reason of each, and `notes` has what the staff alone read about an
    excuse; `missing` is the score of whoever handed in nothing, or None; `column` is
    the heading under which the course's system takes grades, or empty; `encoding` is
    that of a roster that names none itself, or empty.
    """

    title: str
    term: str
    help: str
    due: datetime
    grace: int
    late: Late
    counts: str
    extensions: dict[str, datetime]
    excused: dict[str, str]
    notes: dict[str, str]
    left: dict[str, str]
    missing: int | None
    column: str
    encoding: str
    isolation: str
    hand_in: str
    parts: tuple[int, ...]
    scaled_to: Fraction | None
    hidden_share: Fraction
    feedback: str
    show_answers: bool
    rules: str
    repository: str
    version: str

    def due_of(self, student: str) -> datetime:
        """The due moment of a student: an extension takes the place of the course's."""
        return self.extensions.get(student, self.due)

    def in_words(self, moment: datetime) -> str:
        """A moment on the course's clocks, as a person reads it."""
        here = moment.astimezone(self.due.tzinfo)
        return f"{here:%A} {here.day} {here:%B %Y, %H:%M} ({self.due.tzinfo})"

    @property
    def assignment(self) -> str:
        """The name of the assignment, with which the repositories of students begin."""
        return self.repository.rpartition("/")[2].removesuffix(".git")

    @property
    def hand_in_text(self) -> tuple[str, str]:
        """How one hands in, and what then counts, each as the end of a sentence."""
        return HAND_IN[self.hand_in]

    @property
    def a_push_hands_in(self) -> bool:
        """Whether students hand in by pushing, so that what they push counts."""
        return self.hand_in_text[1] == IN_A_PUSH

    @property
    def late_text(self) -> str:
        """Grace and late rule in a sentence or two."""
        grace = (
            f"The first {self.grace} minutes after it cost nothing. "
            if self.grace
            else ""
        )
        return f"{grace}{self.late.text}"

    @property
    def counts_text(self) -> str:
        """Which one of several submissions counts, in a sentence."""
        return COUNTS[self.counts]


def read_course(file: Path = COURSE) -> Course:
    """The course that a file describes.  BadFile, with file and line, where it cannot
    be used.

    >>> read_course().parts[0]
    0
    """
    check(root := read_yaml(file), SCHEMA)
    release, zone = root["release"], _zone(root)
    known = [part.number for part in read_points()]
    if not set(known).issuperset(root["parts"]):
        root.fail(f"`parts` is {root['parts']}; there are {known}", "parts")
    due = _moment(root, "due", zone)
    extensions = {
        name: _moment(root["extensions"], name, zone) for name in root["extensions"]
    }
    for name, moment in extensions.items():
        if moment.timestamp() <= due.timestamp():
            root["extensions"].fail(
                f"the extension of {name} is not after the due date", name
            )
    return Course(
        title=root["title"].strip(),
        term=root["term"].strip(),
        help=root["help"].strip(),
        due=due,
        grace=root["grace"],
        late=read_late(root["late"]),
        counts=root.get("counts", "last"),
        extensions=extensions,
        excused={
            name: _reason(excuse) for name, excuse in root.get("excused", {}).items()
        },
        notes={
            name: excuse["note"]
            for name, excuse in root.get("excused", {}).items()
            if "note" in excuse
        },
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
        rules=root["rules"].strip(),
        repository=release["repository"],
        version=release["version"],
    )


def _reason(excuse: str | Block) -> str:
    """Why somebody is excused, which the student reads."""
    return excuse if isinstance(excuse, str) else str(excuse["reason"])


def _scaled_to(root: Block) -> Fraction | None:
    """The number that the points are scaled to, in whole hundredths; None if they stay
    as they are.
    """
    if root["points"] == AS_THEY_ARE:
        return None
    points = Fraction(str(root["points"]))
    if (points * 100).denominator != 1:
        root.fail(f"`points` is {root['points']}; write at most two decimals", "points")
    return points


def _zone(root: Block) -> ZoneInfo:
    name = root["zone"].strip()
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        root.fail(
            f"there is no time zone {name!r}; write one such as Europe/Zurich or America/New_York",
            "zone",
        )


def _encoding(root: Block) -> str:
    """The encoding of a roster that names none itself; empty if the kit is to find
    out.
    """
    name = str(root.get("encoding", ""))
    try:
        return codecs.lookup(name).name if name else ""
    except LookupError:
        root.fail(
            f"there is no encoding {name!r}; write one such as cp1252 or mac-roman",
            "encoding",
        )


def _moment(block: Block, key: str, zone: ZoneInfo) -> datetime:
    """A date with a time, in the course's zone; the later one if the clocks show it
    twice.
    """
    given = block[key]
    if not re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", str(given)):
        block.fail(
            f"`{key}` is {given}; write a date and a time, such as 2027-02-12 23:59",
            key,
        )
    try:
        moment = datetime.fromisoformat(str(given)).replace(tzinfo=zone, fold=1)
    except ValueError as error:
        block.fail(f"`{key}` is {given}: {error}", key)
    if moment.year < 2000:
        block.fail(f"`{key}` is {given}, long ago", key)
    if datetime.fromtimestamp(moment.timestamp(), zone).replace(
        tzinfo=None
    ) != moment.replace(tzinfo=None):
        block.fail(
            f"`{key}` is {given}, which the clocks of {zone} skip; take another hour",
            key,
        )
    return moment
