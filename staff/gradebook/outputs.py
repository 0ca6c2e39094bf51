"""What comes out of a class: gradebook.csv, the course system's export, feedback, the summary, and what has changed."""

import io
import re
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from boards.reading import write_whole
from staff.gradebook import exports
from staff.gradebook.account import Account, account_of, published_of, wrong_of
from staff.gradebook.book import Book
from staff.gradebook.pages import feedback, rendered

CHANGED = ("id", "published state", "published score", "state", "score", "cause")
VIEWS = ("failing", "mistakes", "alike", "hidden_only", "survey")


def write_outputs(book: Book, folder: Path, over: bool) -> list[str]:
    """Write all of it into a folder, in place of what is there; what a person should know.

    The same store gives the same bytes.  What outputs.sql reads off it can be asked of the store then.
    """
    db = book.store.db
    db.executescript(Path(__file__).with_name("outputs.sql").read_text("utf-8"))
    _log_decisions(book)
    rows, originals, standings = [exports.heads(book)], dict[str, Path](), {}
    for name in ("feedback", "upload"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for student in book.roster.students:
        account = account_of(book, student)
        standings[student.id] = account.now
        rows.append(exports.row(account))
        db.execute("INSERT INTO now VALUES (?, ?, ?, ?, ?)", published_of(account))
        db.executemany("INSERT INTO wrong VALUES (?, ?, ?, ?, ?, ?, ?, ?)", wrong_of(account))
        answers = (account.sheet.survey or {}).items()
        db.executemany("INSERT INTO survey VALUES (?, ?, ?)", ((student.id, *answer) for answer in answers))
        originals.setdefault(_original_name(account), _write_feedback(folder / "feedback", account))
    filled, notes = exports.filled(book, standings, over)
    views = {view: db.execute(f"SELECT * FROM {view}").fetchall() for view in VIEWS}
    files = {
        "gradebook.csv": exports.as_csv(rows),
        "changes.csv": exports.as_csv([CHANGED, *db.execute("SELECT * FROM changed")]),
        "summary.html": rendered("summary.html", book=book, standings=standings.values(), **views),
        **{f"upload/{name}": data for name, data in filled.items()},
        "upload/feedback.zip": _zipped(originals),
    }
    for name, data in files.items():
        if data:
            write_whole(folder / name, data)
    return [
        *db.execute("SELECT * FROM states").fetchone(),
        *filter(None, notes),
        *db.execute("SELECT * FROM difference").fetchone(),
    ]


def _log_decisions(book: Book) -> None:
    """Log the voids and the changes by hand that are new or other than before, and those that are taken back."""
    now = {f"void of {case.id}": f"{case.void}: {case.why}" for case in book.bank.cases if case.void}
    now |= {f"by hand, {change.student}, {change.what}": str(change) for change in book.changes}
    before = dict(book.store.db.execute("SELECT * FROM last_logged").fetchall())
    with book.store.db:
        for what in {**before, **now}:
            if before.get(what, "") != now.get(what, ""):
                book.store.log(what, before.get(what, ""), now.get(what, ""))


def _write_feedback(folder: Path, account: Account) -> Path:
    """Write the pages of a student; the one for a browser."""
    name = quote(account.student.id, safe=" @")
    for ending, page in feedback(account).items():
        write_whole(folder / f"{name}.{ending}", page)
    return folder / f"{name}.html"


def _original_name(account: Account) -> str:
    """By which name the course's system knows what a student handed in, as a page; empty if it takes none."""
    export, handed = account.book.roster.export, account.now.handed
    if not (export.feedback and handed and handed.found.split(", ")[0] == export.system):
        return ""
    return str(PurePosixPath(re.sub(r" \(\d+\)$", "", handed.source)).with_suffix(".html"))


def _zipped(files: Mapping[str, Path]) -> bytes:
    """A zip of files by their names, without any time; nothing if there are none."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, file in files.items():
            if name:
                archive.writestr(zipfile.ZipInfo(name), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return stream.getvalue() if any(files) else b""
