"""Writes the results of a class: tables, pages of feedback, and the filled-in export.

As long as nothing about the class changes, the files have the same bytes each time.
"""

import io
import re
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from boards.reading import write_whole
from staff.course import changes
from staff.course.changes import Entry
from staff.course.standing import LEFT, Standing
from staff.gradebook import exports, publications
from staff.gradebook.book import Account, Book
from staff.gradebook.decisions import log_decisions
from staff.gradebook.notes import notes_on_class, notes_on_idle_changes
from staff.gradebook.pages import feedback
from staff.gradebook.rows import CHANGED, changed_row, entry, heads, row
from staff.gradebook.summary import Gleaned, glean, summary_of
from staff.intake.tables import as_csv
from staff.templates import rendered

# `write_outputs` removes these folders before it writes the results.
FOLDERS = ("feedback", "upload")
FILES = ("gradebook.csv", "changes.csv", "summary.html")


@dataclass(frozen=True)
class Outputs:
    """What was written, for the command that prints or publishes it."""

    entries: list[Entry]  # what a publication keeps of each student
    standings: list[Standing]  # the state and the score of each student
    notes: list[str]  # what a person should know, in the order in which it is printed
    # Each student's entry in the last publication, and the student's entry now.
    pairs: list[changes.Pair]
    # Says how many students have gone up and down since the last publication.
    difference: str

    @property
    def lines(self) -> list[str]:
        """Return the notes, and a line about how many scores went up and down."""
        return [*self.notes, self.difference]


@dataclass
class _Class:
    """What `write_outputs` keeps of all students until the end.

    It does not keep whole accounts, because these are too large.
    """

    gleaned: list[Gleaned] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)  # the rows of gradebook.csv
    entries: list[Entry] = field(default_factory=list)
    # The notes on changes by hand that have no effect.
    idle: list[str] = field(default_factory=list)
    # The pages of feedback.  The key is the file name that the course's system expects.
    pages: dict[str, Path] = field(default_factory=dict)

    def add(self, account: Account, folder: Path) -> None:
        """Add a student, and write the student's pages of feedback into a folder.

        A student who has left gets no pages.
        """
        self.gleaned.append(glean(account))
        self.rows.append(row(account))
        self.entries.append(entry(account))
        self.idle += notes_on_idle_changes(account)
        if account.now.state != LEFT:
            page = _write_feedback(account, folder)
            self.pages.setdefault(_name_for_system(account), page)


def write_outputs(book: Book, folder: Path, over: bool) -> Outputs:
    """Write the results of a class into a folder, in place of earlier results.

    This also logs the decisions of people that are new.  `over` also fills those cells
    of the export that are not empty.
    """
    log_decisions(book)
    for name in FOLDERS:
        _remove(folder / name)
    students = _Class()
    for student in book.students.values():
        students.add(Account(book, student), folder)
    in_order = [gleaned.standing for gleaned in students.gleaned]
    standings = {now.student: now for now in in_order}
    filled = exports.fill(book, standings, over)
    summary = summary_of(students.gleaned, book.bank)
    pairs = changes.pairs(publications.last_entries(book.store), students.entries)
    number = publications.last_number(book.store)
    changed = changes.changed(pairs) if number else []
    files = {
        "gradebook.csv": as_csv([heads(book), *students.rows]),
        "changes.csv": as_csv([CHANGED, *map(changed_row, changed)]),
        "summary.html": rendered("summary.html", book=book, summary=summary),
        f"upload/{filled.name}": filled.data,
        "upload/feedback.zip": _zipped(students.pages),
    }
    for name, data in files.items():
        if data:
            write_whole(folder / name, data)
    states = ", ".join(f"{count} {state}" for state, count in summary.states.items())
    notes = [states, *notes_on_class(book, in_order), *filled.notes, *students.idle]
    difference = changes.difference(pairs, number)
    return Outputs(students.entries, in_order, notes, pairs, difference)


def copy_outputs(origin: Path, folder: Path) -> None:
    """Copy the outputs of write_outputs from their folder into a new folder."""
    folder.mkdir()
    for name in FILES:
        shutil.copyfile(origin / name, folder / name)
    for name in FOLDERS:
        if (origin / name).exists():
            shutil.copytree(origin / name, folder / name, copy_function=shutil.copyfile)


def _remove(folder: Path) -> None:
    """Remove a folder, so that no old file stays in it.

    Raises OSError that names the whole path of the folder.
    """
    try:
        if folder.is_dir():
            shutil.rmtree(folder)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(folder)) from None


def _write_feedback(account: Account, folder: Path) -> Path:
    """Write a student's pages of feedback; return the path of the page in HTML."""
    file = folder / "feedback" / f"{quote(account.student.id, safe=' @')}.html"
    for ending, page in feedback(account).items():
        write_whole(file.with_name(f"{file.stem}.{ending}"), page)
    return file


def _name_for_system(account: Account) -> str:
    """The file name under which the course's system takes the feedback for a student.

    It is the name of the file that counts, with the ending `.html`.  It is empty if the
    system takes no feedback, if no file counts, or if the file came from another
    system.
    """
    export = account.book.roster.export
    handed = account.now.handed
    if not (export.feedback and handed and handed.system == export.system):
        return ""
    original = re.sub(r" \(\d+\)$", "", handed.source)
    return str(PurePosixPath(original).with_suffix(".html"))


def _zipped(pages: Mapping[str, Path]) -> bytes:
    """Pack these pages into a zip that stores no times, so that equal pages give equal
    bytes.

    A page without a name is left out.  If no page is left, the result has no bytes.
    """
    named = {name: file for name, file in pages.items() if name}
    if not named:
        return b""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, file in named.items():
            info = zipfile.ZipInfo(name)
            archive.writestr(info, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return stream.getvalue()
