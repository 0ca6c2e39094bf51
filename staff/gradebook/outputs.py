"""What comes out of a class: gradebook.csv, the course system's export, feedback, the summary, and what has changed."""

import io
import json
import re
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from boards.reading import write_whole
from grader.diagnosing.diagnosis import ANSWERED
from grader.showing.failing import NOTHING_KNOWN
from staff.course.standing import EXCUSED, MISSING, UNKNOWN_TIME, Standing
from staff.gradebook.book import Account, Book, decimals
from staff.gradebook.pages import feedback, rendered
from staff.gradebook.tables import as_csv

EMPTY = ("", "-")  # cells that take a grade
CHANGED = ("id", "published state", "published score", "state", "score", "cause")
VIEWS = ("failing", "mistakes", "alike", "hidden_only", "survey")


def write_outputs(book: Book, folder: Path, over: bool) -> list[str]:
    """Write all of it into a folder, in place of what is there; what a person should know.

    The same store gives the same bytes.  What outputs.sql reads off it can be asked of the store then.
    """
    db = book.store.db
    db.executescript(Path(__file__).with_name("outputs.sql").read_text("utf-8"))
    _log_decisions(book)
    book.store.bring_back()
    parts = [f"part {part.number}" for part in book.bank.parts]
    rows = [["id", "name", "state", "raw", "penalty", "score", *parts, "hidden", "ungraded", "note"]]
    originals, standings, idle = dict[str, Path](), {}, list[str]()
    for name in ("feedback", "upload"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for student in book.roster.students.values():
        account = Account(book, student)
        standings[student.id] = account.now
        rows.append(_row(account))
        db.execute("INSERT INTO now VALUES (?, ?, ?, ?, ?)", _published(account))
        db.executemany("INSERT INTO wrong VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _wrong(account))
        answers = (account.sheet.survey or {}).items()
        db.executemany("INSERT INTO survey VALUES (?, ?, ?)", ((student.id, *answer) for answer in answers))
        if account.changes and account.now.score is None:
            idle.append(f"hand.csv changes nothing for {student.id}, who is {account.now.state}: write `total`")
        file = quote(student.id, safe=" @")
        for ending, page in feedback(account).items():
            write_whole(folder / "feedback" / f"{file}.{ending}", page)
        originals.setdefault(_original_name(account), folder / "feedback" / f"{file}.html")
    exports, notes = _filled(book, standings, over)
    views = {view: db.execute(f"SELECT * FROM {view}").fetchall() for view in VIEWS}
    files = {
        "gradebook.csv": as_csv(rows),
        "changes.csv": as_csv([CHANGED, *db.execute("SELECT * FROM changed")]),
        "summary.html": rendered("summary.html", book=book, standings=standings.values(), **views),
        **{f"upload/{name}": data for name, data in exports.items()},
        "upload/feedback.zip": _zipped(originals),
    }
    for name, data in files.items():
        if data:
            write_whole(folder / name, data)
    (states,), (difference,) = (db.execute(f"SELECT * FROM {view}").fetchone() for view in ("states", "difference"))
    return [states, *filter(None, notes), *idle, difference]


def _row(account: Account) -> list[str]:
    """A student's row of gradebook.csv; without a score the sum so far alone."""
    student, now, sheet = account.student, account.now, account.sheet
    hidden = sum(account.earned(sheet, case) for case in sheet.graded if case.hidden)
    points = [now.raw, now.penalty, now.score, *account.parts.values(), Fraction(hidden, 100)]
    if not account.parts:
        points = [now.raw, None, now.score, *(None for _ in account.book.bank.parts), None]
    ungraded, notes = ", ".join(account.sums[account.lab].ungraded) if sheet.graded else "", "; ".join(now.notes)
    return [student.id, student.name, now.state, *map(decimals, points), ungraded, notes]


def _published(account: Account) -> tuple[object, ...]:
    """A student's row in the table `now` of outputs.sql: what would be published, and whether no time is known."""
    now, sheet = account.now, account.sheet
    made_of = {"file": f"{now.handed.source} ({account.lab[:12]})"} if now.handed else {}
    made_of["state"] = "; ".join([now.state, *now.notes])
    made_of["time"] = account.book.course.late.note(now.begun) if now.begun else "on time"
    made_of |= {f"by hand, {what}": str(change) for what, change in account.changes.items()}
    for case in sheet.graded:
        made_of[f"case {case.id}"] = f"{sheet.verdict(case).status.value}, {sheet.points(case)} points"
        made_of |= {f"void, {case.id}": f"{case.void}: {case.why}"} if case.void else {}
    sums = {"raw": decimals(now.raw), "penalty": decimals(now.penalty), "score": decimals(now.score)}
    return account.student.id, now.state, json.dumps(sums), json.dumps(made_of), UNKNOWN_TIME in now.notes


def _wrong(account: Account) -> Iterator[tuple[object, ...]]:
    """A student's rows in the table `wrong`: the cases that do not pass."""
    sheet = account.sheet
    for case in sheet.graded:
        verdict, points = sheet.verdict(case), sheet.points(case)
        if not verdict.passed:
            known = " or it ".join(each.name for each in sheet.diagnoses.get(case.function, NOTHING_KNOWN).names)
            answer = f"{verdict.message} {verdict.rows}" if verdict.status in ANSWERED else ""
            lost = points.out_of - points.score
            yield account.student.id, account.lab, case.function, case.id, case.hidden, lost, answer, known


def _log_decisions(book: Book) -> None:
    """Log the voids, changes by hand and rules that are new or other than before, and what is taken back."""
    now = {"the late rule": book.course.late_text, "which file counts": book.course.counts_text}
    now |= {f"extension of {id}": book.course.in_words(due) for id, due in book.course.extensions.items()}
    now |= {f"excused, {id}": why for id, why in book.course.excused.items()}
    now |= {f"void of {case.id}": f"{case.void}: {case.why}" for case in book.bank.cases if case.void}
    for student, changes in book.changes.items():
        now |= {f"by hand, {student}, {what}": str(change) for what, change in changes.items()}
    before = dict(book.store.db.execute("SELECT * FROM last_logged").fetchall())
    with book.store.db:
        for what in {**before, **now}:
            if before.get(what, "") != now.get(what, ""):
                book.store.log(what, before.get(what, ""), now.get(what, ""))


def _filled(book: Book, standings: Mapping[str, Standing], over: bool) -> tuple[dict[str, bytes], list[str]]:
    """The course system's export with grades, by its name, none if it takes none; and what a person should know."""
    export, name, table = book.roster.export, book.roster.name, book.roster.table
    found = [head for head in table.heads if export.takes and re.fullmatch(export.takes, head)]
    chosen = [at for at, head in enumerate(table.heads) if head in found and book.course.column in ("", head)]
    if len(chosen) != 1:
        fitting = f"write the heading to fill as `column` in staff/course.yaml: {' or '.join(found)}"
        return {}, [f"{name} is not filled in; {fitting}" if found else export.otherwise]
    cells, left, excused = {}, list[str](), list[str]()
    for student in book.roster.students.values():
        now, line = standings[student.id], table.lines[student.line]
        text = _cell(now, export.excused, book.course.missing)
        before = line[chosen[0]].text.strip() if len(line) > chosen[0] else None
        if not text:
            excused += [student.id] if now.state == EXCUSED else []
        elif before in EMPTY or (over and before is not None):
            cells[student.line, chosen[0]] = text
        elif before not in (text, text.removesuffix("0"), text.removesuffix(".00")):
            left.append(student.id)
    notes = {f"excuse them by hand in {export.system}": excused, f"left as they are in {name}; OVER=1 fills them": left}
    return {name: table.filled(cells)}, [f"{note}: {', '.join(names)}" for note, names in notes.items() if names]


def _cell(now: Standing, excused: str, missing: int | None) -> str:
    """What goes into an empty cell; nothing if it stays so."""
    if now.state == EXCUSED:
        return excused
    if now.state == MISSING and missing is not None:
        return f"{missing}.00"
    return decimals(now.score)


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
