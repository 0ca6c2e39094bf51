"""`make pushes ORG=… BEFORE=…`: fetches lab.py of every student, as it was at a moment.

A student can forge the time of a commit.  Nobody can forge the times in GitHub's own
list of pushes, which GitHub calls the activity of a repository.  So that list decides.
The command keeps each lab.py as soon as it has fetched it, with a line in pushes.csv.
So the command can be stopped at any time, and goes on when somebody types it again.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from boards.reading import write_whole
from grader.parser import Parser
from grader.protocol.text import plural
from grader.refusal import Refusal, as_typed, show_progress, tell
from staff.course import Course, read_course
from staff.intake.github import RAW, Failed, Limited, Missing, ask, read_list
from staff.intake.naming import begins_with
from staff.intake.spreadsheet import moment_of
from staff.intake.systems import moment_as_text
from staff.intake.tables import as_csv, parse_table, unsafe
from staff.store import GRADES

FOLDER = "pushes"  # in grades/
FILE = "pushes.csv"
LAB = "lab.py"
FETCHED = "fetched"
KEPT = "already here"
WITHOUT = f"without {LAB}"
FAILED = "failed"
_ORGANIZATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
# The prefix becomes the name of a folder.  This pattern makes sure that this folder is
# inside the folder of the organization, so it allows no slash and no dot at the
# beginning.
_PREFIX = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_REPOSITORY = re.compile(r"[A-Za-z0-9._-]+")
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_WITH_SECONDS = re.compile(r":\d\d:\d\d")
_WRITE_PREFIX = (
    "write PREFIX=, with what the names of the students' repositories begin with"
)


@dataclass(frozen=True)
class Row:
    """A line of pushes.csv: the last push to a repository before a moment."""

    repository: str
    login: str
    commit: str
    pushed: str  # the time of the push, in UTC
    before: str  # the moment before which pushes count, in UTC


COLUMNS = tuple(field.name for field in fields(Row))


@dataclass(frozen=True)
class Repository:
    """A repository of the organization."""

    name: str
    branch: str  # the branch whose pushes count


@dataclass(frozen=True)
class Push:
    """A push, as GitHub lists it."""

    moment: datetime
    commit: str  # the commit to which the push set the branch


class Nothing(Exception):
    """Raised if a repository has no lab.py to fetch.

    The text says why, as the end of a sentence.
    """


USAGE = 'ORG=organization BEFORE="2027-02-16 00:14" [PREFIX=classroom-games-lab]'


def add_options(parser: Parser) -> None:
    """Declare the options of make pushes."""
    parser.add_argument(
        "--org", required=True, metavar="NAME", help="the organization on GitHub"
    )
    parser.add_argument(
        "--before",
        required=True,
        metavar="TIME",
        help="only what was pushed before this time",
    )
    parser.add_argument(
        "--prefix",
        default="",
        metavar="NAME",
        help="how the names of the repositories begin",
    )


def main(options: dict[str, str]) -> int:
    """Fetch lab.py from the students' repositories.

    Return 1 if something is still to be fetched, and otherwise 0.  Raises Refusal or
    BadFile if the command cannot do its work.
    """
    course = read_course()
    organization = _checked("ORG", options["ORG"], _ORGANIZATION)
    before = moment_before(options["BEFORE"], course)
    try:
        listed = repositories(organization)
        title = _title(listed, options["PREFIX"], course, organization)
        folder = Folder.opened(GRADES / FOLDER / organization / title)
        fetcher = Fetcher(organization, title, before, folder)
        own = [
            repository
            for repository in listed
            if begins_with(repository.name, f"{title}-")
        ]
        return _report(fetcher, _fetch_all(fetcher, own), course)
    except Limited as limit:
        again = moment_as_text(limit.until, course.due.tzinfo)
        tell(
            f"GitHub accepts no more requests before {again}: "
            "type the command again then, and it continues"
        )
        return 1


def _fetch_all(fetcher: "Fetcher", own: list[Repository]) -> Counter[str]:
    """Fetch lab.py from these repositories; return how often each outcome occurred.

    If a repository has no lab.py to fetch, or if fetching fails, say why, and go on
    with the next repository.
    """
    count = Counter[str]()
    for number, repository in enumerate(own, start=1):
        show_progress(f"{number} of {len(own)}: {repository.name}")
        outcome, why = fetcher.outcome(repository)
        show_progress("")
        if why:
            tell(f"{repository.name}: {why}")
        count[outcome] += 1
    return count


def _report(fetcher: "Fetcher", count: Counter[str], course: Course) -> int:
    """Say what was fetched, and what to type next; return the exit status."""
    folder = fetcher.folder.place.relative_to(GRADES.parent).as_posix()
    before = moment_as_text(fetcher.before, course.due.tzinfo)
    how_many = plural(count.total(), "repository", "repositories")
    print(f"{how_many} {fetcher.title}-…, as they were before {before}:")
    for outcome, number in count.items():
        print(f"  {number} {outcome}")
    if count[FAILED]:
        print(f"Type the command again: what is in {folder} is kept.")
        return 1
    print(as_typed(f"Next: make collect FROM={folder}"))
    return 0


def moment_before(text: str, course: Course) -> datetime:
    """Return the moment before which a push counts.

    A time without seconds means the end of its minute, like the due time.  Raises
    Refusal if the text states no time, or a time in the future.
    """
    try:
        moment = moment_of(text, course.due.tzinfo).astimezone(UTC)
    except ValueError as error:
        raise Refusal(f"BEFORE: {text!r} {error}") from None
    if not _WITH_SECONDS.search(text):
        moment += timedelta(minutes=1)
    if moment > datetime.now(UTC):
        when = moment_as_text(moment, course.due.tzinfo)
        raise Refusal(
            f"BEFORE: students can still push before {when}; "
            "wait until then, or write an earlier time"
        )
    return moment


def _checked(name: str, text: str, pattern: re.Pattern[str]) -> str:
    """Return a name that was typed.  Raises Refusal if GitHub cannot have such a
    name.
    """
    if not pattern.fullmatch(text):
        raise Refusal(
            f"{name}: GitHub has no name such as {text!r}; "
            "write it as it is after github.com/"
        )
    return text


def repositories(organization: str) -> list[Repository]:
    """Return the repositories of an organization.

    These are the repositories that GitHub shows to the person who is signed in.  Raises
    Refusal or Limited.
    """
    try:
        entries = read_list(f"orgs/{organization}/repos?per_page=100")
        return [_repository(entry) for entry in entries]
    except Missing:
        raise Refusal(
            f"GitHub shows no organization {organization} to whoever is signed in with "
            "gh"
        ) from None
    except Failed as failure:
        raise Refusal(
            f"the repositories of {organization} could not be listed: {failure}; "
            "type the command again"
        ) from None


def _repository(entry: Any) -> Repository:
    """Read an entry in a list of repositories.

    Raises Failed if the entry is no repository.
    """
    match entry:
        case {"name": str(name), "default_branch": str(branch)}:
            if _REPOSITORY.fullmatch(name):
                return Repository(name, branch)
    raise Failed("GitHub's answer is not a list of repositories")


def _title(
    listed: list[Repository], prefix: str, course: Course, organization: str
) -> str:
    """Return the text before the logins in the names of repositories.

    An example is `games-lab`, without `-` at the end.  `prefix` is what somebody typed
    behind PREFIX=; empty if nobody typed it.  Raises Refusal if no repository fits, or
    if several texts are possible.
    """
    names = [repository.name for repository in listed]
    if prefix:
        title = _checked("PREFIX", prefix.removesuffix("-"), _PREFIX)
        if not any(begins_with(name, f"{title}-") for name in names):
            raise Refusal(
                f"no repository of {organization} begins with {title}-: {_WRITE_PREFIX}"
            )
        return title
    titles = titles_of(names, course.assignment)
    if not titles:
        named = f"{course.assignment}-LOGIN or CLASSROOM-{course.assignment}-LOGIN"
        raise Refusal(
            f"no repository of {organization} is named {named}: {_WRITE_PREFIX}"
        )
    if len(titles) > 1:
        several = " and ".join(f"{title}-" for title in titles)
        raise Refusal(
            f"the repositories of {organization} begin with {several}: {_WRITE_PREFIX}"
        )
    return titles[0]


def titles_of(names: Iterable[str], assignment: str) -> list[str]:
    """Return the texts before the logins in the names of repositories.

    Such a text ends with the name of the assignment.  In Classroom 50, it begins with
    the name of the classroom.

    >>> names = ["games-lab-ada", "Games-Lab-bob", "ai-games-lab-ada", "games-lab"]
    >>> titles_of([*names, "quiz-ada"], "games-lab")
    ['ai-games-lab', 'games-lab']
    """
    titles = dict[str, str]()
    separator = f"-{assignment.casefold()}-"
    for name in sorted(names):
        classroom, _, login = f"-{name}".casefold().partition(separator)
        if login:
            title = name[: len(classroom) + len(assignment)]
            titles[title.casefold()] = title
    return sorted(titles.values(), key=str.casefold)


@dataclass(frozen=True)
class Folder:
    """The folder that holds pushes.csv, and lab.py of each repository."""

    place: Path
    # The rows of pushes.csv; the key is the name of the repository.
    rows: dict[str, Row]

    @classmethod
    def opened(cls, place: Path) -> "Folder":
        """Open the folder, with the rows that an earlier command wrote.

        Raises Refusal if pushes.csv cannot be read, or has other columns.
        """
        GRADES.mkdir(mode=0o700, exist_ok=True)
        place.mkdir(parents=True, exist_ok=True)
        rows = dict[str, Row]()
        file = place / FILE
        if file.exists():
            for _, cells in parse_table(file.read_bytes(), file.name, COLUMNS).rows():
                row = Row(**{name: unsafe(cells[name]) for name in COLUMNS})
                rows[row.repository] = row
        return cls(place, rows)

    def has(self, name: str, before: str) -> bool:
        """Whether the folder has the lab.py of a repository, as it was before a moment.

        `before` is that moment.
        """
        row = self.rows.get(name)
        if row is None or row.before != before:
            return False
        return (self.place / name / LAB).is_file()

    def put(self, row: Row, lab: bytes) -> None:
        """Write a lab.py into the folder, and then its row into pushes.csv.

        So every row describes the lab.py that the folder has, even if the command is
        killed in between.
        """
        if row.repository in self.rows:
            self.drop(row.repository)
        (self.place / row.repository).mkdir(exist_ok=True)
        write_whole(self.place / row.repository / LAB, lab, 0o600)
        self.rows[row.repository] = row
        self._write()

    def drop(self, name: str) -> None:
        """Delete the row of a repository, and then the repository's lab.py."""
        if self.rows.pop(name, None):
            self._write()
        (self.place / name / LAB).unlink(missing_ok=True)

    def _write(self) -> None:
        rows = sorted(self.rows.values(), key=lambda row: row.repository)
        write_whole(self.place / FILE, as_csv([COLUMNS, *map(astuple, rows)]), 0o600)


@dataclass(frozen=True)
class Fetcher:
    """Fetches the repositories of an assignment, as they were before a moment."""

    organization: str
    title: str  # the text that comes before the logins
    before: datetime
    folder: Folder

    def outcome(self, repository: Repository) -> tuple[str, str]:
        """Fetch lab.py from a repository, unless the folder has it already.

        Return the outcome, and a text that says why lab.py was not fetched.  The text
        is empty if the folder has lab.py, as it was before the moment.  Raises Refusal
        or Limited if GitHub will not answer other requests either.
        """
        if self.folder.has(repository.name, self._before):
            return KEPT, ""
        try:
            row, lab = self._fetch(repository)
        except Nothing as nothing:
            self.folder.drop(repository.name)
            return WITHOUT, str(nothing)
        except Failed as failure:
            return FAILED, str(failure)
        self.folder.put(row, lab)
        return FETCHED, ""

    @property
    def _before(self) -> str:
        """The moment, in the form in which GitHub writes times."""
        return _in_utc(self.before)

    def _fetch(self, repository: Repository) -> tuple[Row, bytes]:
        """Fetch lab.py of a repository; return its row and its bytes.

        Raises Nothing, or the same errors as `ask`.
        """
        name = repository.name
        address = f"repos/{self.organization}/{name}"
        last = self._last_push(repository, address)
        try:
            lab = ask(f"{address}/contents/{LAB}?ref={last.commit}", RAW).body
        except Missing:
            raise Nothing(
                f"there is no {LAB} in commit {last.commit[:7]}, "
                f"the last one before {self._before}"
            ) from None
        login = name[len(self.title) + 1 :]
        pushed = _in_utc(last.moment)
        return Row(name, login, last.commit, pushed, self._before), lab

    def _last_push(self, repository: Repository, address: str) -> Push:
        """Find the last push before the moment.

        Raises Nothing, or the same errors as `ask`.
        """
        branch = quote(f"refs/heads/{repository.branch}", safe="")
        activity = read_list(f"{address}/activity?ref={branch}&per_page=100")
        pushes = [
            push for push in map(_push, activity) if push and push.moment < self.before
        ]
        if not pushes:
            raise Nothing(
                f"nothing was pushed to {repository.branch} before {self._before}"
            )
        # GitHub lists the newest push first.  If several pushes came at the same
        # moment, max() takes the first in the list, which is the newest.
        return max(pushes, key=lambda push: push.moment)


def _push(entry: Any) -> Push | None:
    """Read an entry in the list of pushes to a repository.

    Return None if the push deleted the branch.  Raises Failed if the entry is no push.
    """
    try:
        match entry:
            case {"activity_type": "branch_deletion"}:
                return None
            case {"timestamp": str(time), "after": str(commit)}:
                if _COMMIT.fullmatch(commit):
                    return Push(datetime.fromisoformat(time).astimezone(UTC), commit)
    except (ValueError, OverflowError):
        pass
    raise Failed("GitHub's answer is not a list of pushes")


def _in_utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
