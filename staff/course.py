"""What a course decides: course.yaml, read and checked.

due      the moment up to which a submission is on time, with its time zone
grace    minutes after it that cost nothing
late     what each day begun after that costs, and after how many days nothing counts
"""

import re
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from boards.cases import read_points
from staff.strict.reading import Block, read_yaml

COURSE = Path(__file__).with_name("course.yaml")
AS_THEY_ARE = "as they are"
_KEYS = {
    "title", "term", "help", "due", "zone", "grace", "late", "extensions", "hand_in", "parts", "points", "hidden_share",
    "feedback", "show_answers", "rules", "release",
}  # fmt: skip
HAND_IN = {
    "GitHub": ("pushed to your repository on GitHub", "that you have pushed"),
    "Gradescope": ("uploaded to the assignment on Gradescope", "that you have uploaded to Gradescope"),
    "Classroom 50": ("submitted in Classroom 50", "that you have submitted in Classroom 50"),
}
LEVELS = ("full", "place", "verdict")  # grader/grading/feedback.py says what each of them is
_PAGES = "tree|blob|commits?|releases|tags|actions|settings|-"  # of a repository, which cannot be cloned
_REPOSITORY = rf"https://[\w.-]+(:\d+)?(?!/[^/]+/.+/({_PAGES})(/|$))(/[\w.~-]+)+"
_VERSION = r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}"


@dataclass(frozen=True)
class Course:
    """The decisions of one course.

    `late_per_day` and `hidden_share` are shares, 0 to 1; `late_days` is how many days late still
    count; `scaled_to` is None where points stay as they are.
    """

    title: str
    term: str
    help: str
    due: datetime
    grace: int
    late_per_day: Fraction
    late_days: int
    extensions: dict[str, datetime]
    hand_in: str
    parts: tuple[int, ...]
    scaled_to: Fraction | None
    hidden_share: Fraction
    feedback: str
    show_answers: bool
    rules: str
    repository: str
    version: str

    @property
    def due_text(self) -> str:
        """The due date as a person reads it."""
        return f"{self.due:%A} {self.due.day} {self.due:%B %Y, %H:%M} ({self.due.tzinfo})"

    @property
    def hand_in_text(self) -> tuple[str, str]:
        """How one hands in, and what then counts, each as the end of a sentence."""
        return HAND_IN[self.hand_in]

    @property
    def late_text(self) -> str:
        """Grace and late rule in a sentence or two."""
        grace = f"The first {self.grace} minutes after it cost nothing. " if self.grace else ""
        if not self.late_days:
            return f"{grace}Nothing counts that comes later."
        days = "one day" if self.late_days == 1 else f"{self.late_days} days"
        return (
            f"{grace}Each day begun after that costs {percent(self.late_per_day)} of your points; "
            f"nothing counts that is more than {days} late."
        )


def percent(share: Fraction) -> str:
    """A share as percent.

    >>> percent(Fraction(1, 8))
    '12.5 %'
    """
    return f"{float(share * 100):g} %"


def read_course(file: Path = COURSE) -> Course:
    """The course that a file describes.  BadFile, with file and line, where it cannot be used.

    >>> read_course().parts[0]
    0
    """
    root = read_yaml(file)
    root.allow(_KEYS)
    late = _mapping(root, "late", "{per_day: 10, days: 3}")
    late.allow({"per_day", "days"})
    release = _mapping(root, "release", "{repository: https://…, version: 1.0.0}")
    release.allow({"repository", "version"})
    extensions = _mapping(root, "extensions", "{alice: 2027-02-19 23:59}, or {} for none")
    if not re.fullmatch(_VERSION, str(release.take("version", object))):
        release.fail(f"`version` is {release['version']}; write three numbers, such as 1.2.0", "version")
    if not re.fullmatch(_REPOSITORY, release.take("repository", str), re.ASCII):
        release.fail(
            f"`repository` is {release['repository']!r}; write an address such as https://…/games-lab, for git clone",
            "repository",
        )
    due = _moment(root, "due", _zone(root))
    longer = {name: _moment(extensions, name, _zone(root)) for name in extensions}
    for name, moment in longer.items():
        if moment <= due:
            extensions.fail(f"the extension of {name} is not after the due date", name)
    return Course(
        title=_text(root, "title"),
        term=_text(root, "term"),
        help=_text(root, "help"),
        due=due,
        grace=_between(root, "grace", 0, 7 * 24 * 60),
        late_per_day=Fraction(_between(late, "per_day", 0, 100), 100),
        late_days=_between(late, "days", 0, 365),
        extensions=longer,
        hand_in=_one_of(root, "hand_in", tuple(HAND_IN)),
        parts=_parts(root),
        scaled_to=_scaled_to(root),
        hidden_share=Fraction(_between(root, "hidden_share", 0, 90), 100),
        feedback=_one_of(root, "feedback", LEVELS),
        show_answers=root.take("show_answers", bool),
        rules=_text(root, "rules"),
        repository=_text(release, "repository"),
        version=release["version"],
    )


def _mapping(root: Block, key: str, example: str) -> Block:
    block = root.take(key, object)
    if not isinstance(block, Block):
        root.fail(f"`{key}` is {block!r}; write a mapping, such as {example}", key)
    return block


def _text(block: Block, key: str) -> str:
    text: str = block.take(key, str).strip()
    if not text or (key != "rules" and "\n" in text):
        block.fail(f"`{key}` is {'empty' if not text else 'more than one line'}", key)
    return text


def _between(block: Block, key: str, least: int, most: int) -> int:
    number: int = block.take(key, int)
    if not least <= number <= most:
        block.fail(f"`{key}` is {number}; it lies between {least} and {most}", key)
    return number


def _one_of(block: Block, key: str, words: tuple[str, ...]) -> str:
    word: str = block.take(key, str)
    if word not in words:
        block.fail(f"`{key}` is {word!r}; it is one of {', '.join(words)}", key)
    return word


def _zone(root: Block) -> ZoneInfo:
    name = _text(root, "zone")
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        root.fail(f"there is no time zone {name!r}; write one such as Europe/Zurich or America/New_York", "zone")


def _moment(block: Block, key: str, zone: ZoneInfo) -> datetime:
    """A date with a time, in the course's zone.  YAML reads it as text where it has no seconds."""
    given = block.take(key, object)
    if not re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d(:00)?", str(given)):
        block.fail(f"`{key}` is {given}; write a date and a time, such as 2027-02-12 23:59", key)
    try:
        moment = datetime.fromisoformat(str(given)).replace(tzinfo=zone)
    except ValueError as error:
        block.fail(f"`{key}` is {given}: {error}", key)
    if moment.year < 2000:
        block.fail(f"`{key}` is {given}, long ago", key)
    if datetime.fromtimestamp(moment.timestamp(), zone).replace(tzinfo=None) != moment.replace(tzinfo=None):
        block.fail(f"`{key}` is {given}, which the clocks of {zone} skip; take another hour", key)
    return moment


def _parts(root: Block) -> tuple[int, ...]:
    known = [part.number for part in read_points()]
    parts = root.take("parts", list)
    if (
        not parts
        or len(set(map(str, parts))) < len(parts)
        or any(type(part) is not int or part not in known for part in parts)
    ):
        root.fail(f"`parts` is {parts}; list one or more of {known}, each once", "parts")
    return tuple(sorted(parts))


def _scaled_to(root: Block) -> Fraction | None:
    points = root.take("points", object)
    if points == AS_THEY_ARE:
        return None
    if isinstance(points, bool) or not isinstance(points, int) or not 0 < points < 1000:
        root.fail(f"`points` is {points!r}; write `{AS_THEY_ARE}`, or a whole number from 1 to 999", "points")
    return Fraction(points)
