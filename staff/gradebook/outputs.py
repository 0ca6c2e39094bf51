"""What comes out of a class: gradebook.csv, the course system's export, feedback, the
summary, and what has changed.

The same store gives the same bytes.
"""

import io
import re
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from boards.reading import write_whole
from grader.protocol.words import plural
from staff.course import changes
from staff.course.changes import Entry
from staff.course.numbers import decimals
from staff.course.standing import LEFT, SETTLE, SEVERAL, Standing, Timing, with_files
from staff.gradebook import exports, publications
from staff.gradebook.book import Account, Book
from staff.gradebook.decisions import log_decisions
from staff.gradebook.pages import feedback
from staff.gradebook.summary import Gleaned, glean, summary_of
from staff.intake.tables import as_csv
from staff.strict.twins import twins_left_behind, void_twins
from staff.templates import rendered

CHANGED = (
    "id",
    "published state",
    "published score",
    "state",
    "score",
    "cause",
    "cases",
)
FOLDERS = ("feedback", "upload")  # which are written anew
FILES = ("gradebook.csv", "changes.csv", "summary.html")


@dataclass(frozen=True)
class Outputs:
    """What was written: each student's entry and standing, what a person should know,
    and what differs.
    """

    entries: list[Entry]
    standings: list[Standing]
    notes: list[str]
    pairs: list[changes.Pair]
    difference: str

    @property
    def lines(self) -> list[str]:
        """What a person should know, in the order in which it is printed."""
        return [*self.notes, self.difference]


def write_outputs(book: Book, folder: Path, over: bool) -> Outputs:
    """Write all of it into a folder, in place of what is there.  `over` also fills full
    cells of the export.
    """
    log_decisions(book)
    for name in FOLDERS:
        _remove(folder / name)
    class_, rows, entries = list[Gleaned](), [_heads(book)], list[Entry]()
    idle, originals = list[str](), dict[str, Path]()
    for student in book.students.values():
        account = Account(book, student)
        class_.append(glean(account))
        rows.append(_row(account))
        entries.append(_entry(account))
        if account.changes and account.now.score is None:
            idle.append(
                f"hand.csv changes nothing for {student.id}, who is {account.now.state}: only a line for `total` does"
            )
        if account.now.state != LEFT:
            page = _write_feedback(account, folder)
            originals.setdefault(_original_name(account), page)
    standings = {each.standing.student: each.standing for each in class_}
    filled = exports.fill(book, standings, over)
    summary = summary_of(class_, book.bank)
    pairs = changes.pairs(publications.last_entries(book.store), entries)
    number = publications.last_number(book.store)
    changed = changes.changed(pairs) if number else []
    files = {
        "gradebook.csv": as_csv(rows),
        "changes.csv": as_csv([CHANGED, *map(_changed_row, changed)]),
        "summary.html": rendered("summary.html", book=book, summary=summary),
        f"upload/{filled.name}": filled.data,
        "upload/feedback.zip": _zipped(originals),
    }
    for name, data in files.items():
        if data:
            write_whole(folder / name, data)
    states = ", ".join(f"{count} {state}" for state, count in summary.states.items())
    notes = [states, *_people(summary.look_at), *_unsettled([*standings.values()])]
    notes += [*_times(book, [*standings.values()]), *_twins(book), *filled.lines, *idle]
    return Outputs(
        entries, [*standings.values()], notes, pairs, changes.difference(pairs, number)
    )


def copy_outputs(origin: Path, folder: Path) -> None:
    """Copy what write_outputs has written into a folder to another one, which is
    made.
    """
    folder.mkdir()
    for name in FILES:
        shutil.copyfile(origin / name, folder / name)
    for name in FOLDERS:
        if (origin / name).exists():
            shutil.copytree(origin / name, folder / name, copy_function=shutil.copyfile)


def _remove(folder: Path) -> None:
    """Remove a folder, so that nothing old stays in it.  Raises OSError, which names it
    in full.
    """
    try:
        if folder.is_dir():
            shutil.rmtree(folder)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(folder)) from None


def _heads(book: Book) -> list[str]:
    """The headings of gradebook.csv."""
    parts = [f"part {part.number}" for part in book.bank.parts]
    return [
        "id",
        "name",
        "state",
        "raw",
        "penalty",
        "score",
        *parts,
        "hidden",
        "ungraded",
        "note",
        "staff note",
    ]


def _row(account: Account) -> list[str]:
    """A student's row of gradebook.csv; without a score the sum so far alone."""
    student, now, sheet = account.student, account.now, account.sheet
    hidden = sum(account.earned(sheet, case) for case in sheet.graded if case.hidden)
    points: list[Fraction | None] = [
        now.raw,
        now.penalty,
        now.score,
        *account.parts.values(),
        Fraction(hidden, 100),
    ]
    if not account.parts:
        points = [
            now.raw,
            None,
            now.score,
            *(None for _ in account.book.bank.parts),
            None,
        ]
    ungraded = (
        ", ".join(account.sums[account.lab].ungraded)
        if account.lab in account.sums
        else ""
    )
    notes, of_staff = "; ".join(now.notes), "; ".join(account.notes_of_staff)
    return [
        student.id,
        student.name,
        now.state,
        *map(decimals, points),
        ungraded,
        notes,
        of_staff,
    ]


def _entry(account: Account) -> Entry:
    """What would be published of a student, and what the score is made of."""
    now, sheet, course = account.now, account.sheet, account.book.course
    made_of = {}
    if now.handed:
        made_of["file"] = f"{now.handed.source} ({account.lab[:12]})"
    made_of["state"] = "; ".join([now.state, *now.notes])
    made_of["time"] = course.late.note(now.begun) if now.begun else "on time"
    for what, change in account.changes.items():
        made_of[f"by hand, {what}"] = str(change)
    for case in sheet.graded:
        made_of[f"{changes.CASE}{case.id}"] = (
            f"{sheet.verdict(case).status.value}, {sheet.points(case)} points"
        )
        if case.void:
            made_of[f"void, {case.id}"] = f"{case.void}: {case.why}"
    sums = {
        "raw": decimals(now.raw),
        "penalty": decimals(now.penalty),
        "score": decimals(now.score),
    }
    return Entry(account.student.id, now.state, sums, changes.held_once(made_of))


def _changed_row(change: changes.Change) -> tuple[object, ...]:
    """A row of changes.csv."""
    before, now = change.before, change.now
    scores = before.sums.get("score", ""), now.sums.get("score", "")
    return (
        now.student,
        before.state,
        scores[0],
        now.state,
        scores[1],
        change.cause,
        change.cases,
    )


def _people(look_at: Mapping[str, list[str]]) -> list[str]:
    """Who has left: nobody sees them anywhere else."""
    return [f"left: {', '.join(look_at['left'])}"] if "left" in look_at else []


def _unsettled(standings: list[Standing]) -> list[str]:
    """The students of whose files nothing says which one counts, with these files, and
    what to do.
    """
    students = [
        with_files(now.student, now.unsettled) for now in standings if now.unsettled
    ]
    return (
        [f"{SEVERAL}: {', '.join(students)}: {SETTLE}, and type make collect"]
        if students
        else []
    )


def _times(book: Book, standings: list[Standing]) -> list[str]:
    """That a system's own due date has decided, if nobody wrote a time into the
    form.
    """
    decided = [now for now in standings if now.timing is Timing.BY_THE_SYSTEM]
    if not decided or book.course.late.by != "kit":
        return []
    files = plural(len(decided), "file")
    systems = " and ".join(sorted({now.handed.system for now in decided if now.handed}))
    return [
        f"{systems}'s own due date decided that {files} without LATE and without a time came on time"
    ]


def _twins(book: Book) -> list[str]:
    """The hidden cases that are void because their public twins are, and those whose
    twins ask something else now.
    """
    lines = []
    void, behind = void_twins(book.bank), twins_left_behind()
    if void:
        lines.append(f"void like the public case: {', '.join(void)}")
    if behind:
        lines.append(
            f"made of a public case that asks something else now, so look at them: {', '.join(behind)}"
        )
    return lines


def _write_feedback(account: Account, folder: Path) -> Path:
    """Write a student's pages; the one in HTML."""
    file = folder / "feedback" / f"{quote(account.student.id, safe=' @')}.html"
    for ending, page in feedback(account).items():
        write_whole(file.with_name(f"{file.stem}.{ending}"), page)
    return file


def _original_name(account: Account) -> str:
    """By which name the course's system knows what a student handed in, as a page;
    empty if it takes none.
    """
    export, handed = account.book.roster.export, account.now.handed
    if not (export.feedback and handed and handed.system == export.system):
        return ""
    return str(
        PurePosixPath(re.sub(r" \(\d+\)$", "", handed.source)).with_suffix(".html")
    )


def _zipped(files: Mapping[str, Path]) -> bytes:
    """A zip of files by their names, without any time; nothing if there are none."""
    if not any(files):
        return b""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, file in files.items():
            if name:
                archive.writestr(
                    zipfile.ZipInfo(name), file.read_bytes(), zipfile.ZIP_DEFLATED
                )
    return stream.getvalue()
