"""What people decide in course.yaml, in the cases and in hand.csv goes into the log
when it changes.
"""

from staff.gradebook.book import Book


def log_decisions(book: Book) -> None:
    """Log the voids, changes by hand and rules that are new or other than before, and
    what is taken back.
    """
    now = _decisions(book)
    before = dict(book.store.db.execute("SELECT * FROM last_logged").fetchall())
    with book.store.db:
        for what in {**before, **now}:
            if before.get(what, "") != now.get(what, ""):
                book.store.log(what, before.get(what, ""), now.get(what, ""))


def _decisions(book: Book) -> dict[str, str]:
    """What is decided now, by what it is about."""
    course = book.course
    now = {"the late rule": course.late_text, "which file counts": course.counts_text}
    now |= {
        f"extension of {id}": course.in_words(due)
        for id, due in course.extensions.items()
    }
    now |= {f"excused, {id}": why for id, why in course.excused.items()}
    now |= {f"left, {id}": why for id, why in course.left.items()}
    now |= {
        f"void of {case.id}": f"{case.void}: {case.why}"
        for case in book.bank.cases
        if case.void
    }
    for student, changes in book.changes.items():
        now |= {
            f"by hand, {student}, {what}": str(change)
            for what, change in changes.items()
        }
    return now
