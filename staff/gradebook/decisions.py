"""Logs decisions that people write into course.yaml, into the cases and into hand.csv.

A decision is logged when it is new, or has changed, or is gone.
"""

from staff.gradebook.book import Book


def log_decisions(book: Book) -> None:
    """Log each decision that is new, has changed, or is gone since the last log."""
    now = _decisions(book)
    before = dict(book.store.db.execute("SELECT * FROM last_logged").fetchall())
    with book.store.db:
        for what in {**before, **now}:
            old = before.get(what, "")
            new = now.get(what, "")
            if old != new:
                book.store.log(what, old, new)


def _decisions(book: Book) -> dict[str, str]:
    """The decisions as they are now.  The key says what a decision is about."""
    course = book.course
    now = {"the late rule": course.late_text, "which file counts": course.counts_text}
    for id, due in course.extensions.items():
        now[f"extension of {id}"] = course.in_words(due)
    for id, why in course.excused.items():
        now[f"excused, {id}"] = why
    for id, why in course.left.items():
        now[f"left, {id}"] = why
    for case in book.bank.cases:
        if case.void:
            now[f"void of {case.id}"] = f"{case.void}: {case.why}"
    for student, changes in book.changes.items():
        for what, change in changes.items():
            now[f"by hand, {student}, {what}"] = str(change)
    return now
