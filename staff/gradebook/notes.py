"""Writes the notes that `make grade` and `make publish` print."""

from grader.protocol.text import plural
from staff.course.standing import LEFT, SETTLE, SEVERAL, Standing, Timing, with_files
from staff.gradebook.book import Account, Book
from staff.strict.twins import twins_left_behind, void_twins

TRY_AGAIN = (
    "make why WHO=id says why, and make grade AGAIN=ungraded tries again; if that does "
    "not help, write the points into grades/hand.csv"
)


def notes_on_class(book: Book, standings: list[Standing]) -> list[str]:
    """The notes on a class that a person should read."""
    return [
        *_on_who_has_left(standings),
        *_on_unsettled(standings),
        *_on_ungraded(standings),
        *_on_times(book, standings),
        *_on_twins(book),
    ]


def notes_on_idle_changes(account: Account) -> list[str]:
    """Return a note if a student has changes by hand but no score.

    Such changes have no effect.
    """
    if not account.changes or account.now.score is not None:
        return []
    return [
        f"hand.csv changes nothing for {account.student.id}, who is "
        f"{account.now.state}: only a line for `total` does"
    ]


def _on_who_has_left(standings: list[Standing]) -> list[str]:
    """The note on the students who have left the class."""
    left = [now.student for now in standings if now.state == LEFT]
    return [f"left: {', '.join(left)}"] if left else []


def _on_unsettled(standings: list[Standing]) -> list[str]:
    """Return the note on the students of whom nobody knows yet which file counts.

    A person must say which file counts.
    """
    unsettled = [
        with_files(now.student, now.unsettled) for now in standings if now.unsettled
    ]
    if not unsettled:
        return []
    return [f"{SEVERAL}: {', '.join(unsettled)}: {SETTLE}, and type make collect"]


def _on_ungraded(standings: list[Standing]) -> list[str]:
    """Return the note on the students whose files have cases without a verdict."""
    students = [now.student for now in standings if now.lacks_verdicts]
    return [f"ungraded: {', '.join(students)}: {TRY_AGAIN}"] if students else []


def _on_times(book: Book, standings: list[Standing]) -> list[str]:
    """Return the note on files that count as on time because their system has not
    marked them as late.

    Nobody knows when such a file was handed in.  There is a note only if the kit
    subtracts points for lateness.
    """
    decided = [now for now in standings if now.timing is Timing.BY_THE_SYSTEM]
    if not decided or book.course.late.by != "kit":
        return []
    systems = " and ".join(sorted({now.handed.system for now in decided if now.handed}))
    return [
        f"{systems}'s own due date decided that {plural(len(decided), 'file')} without "
        "LATE and without a time came on time"
    ]


def _on_twins(book: Book) -> list[str]:
    """Return the notes on hidden cases that were made from public cases.

    One note lists the hidden cases that are void because their public case is void.
    The other lists the hidden cases whose public case asks something else now, or is
    gone.
    """
    notes = []
    void = void_twins(book.bank)
    if void:
        notes.append(f"void like the public case: {', '.join(void)}")
    behind = twins_left_behind()
    if behind:
        notes.append(
            "made of a public case that asks something else now, so look at them: "
            f"{', '.join(behind)}"
        )
    return notes
