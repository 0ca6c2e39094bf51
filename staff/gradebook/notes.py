"""What `make grade` and `make publish` tell the person who types them."""

from grader.protocol.text import plural
from staff.course.standing import LEFT, SETTLE, SEVERAL, Standing, Timing, with_files
from staff.gradebook.book import Account, Book
from staff.strict.twins import twins_left_behind, void_twins


def notes_on_class(book: Book, standings: list[Standing]) -> list[str]:
    """What a person should know of the class, besides how many are in which state."""
    return [
        *_on_who_has_left(standings),
        *_on_unsettled(standings),
        *_on_times(book, standings),
        *_on_twins(book),
    ]


def notes_on_idle_changes(account: Account) -> list[str]:
    """That a change by hand has no effect for a student without a score."""
    if not account.changes or account.now.score is not None:
        return []
    return [
        f"hand.csv changes nothing for {account.student.id}, who is "
        f"{account.now.state}: only a line for `total` does"
    ]


def _on_who_has_left(standings: list[Standing]) -> list[str]:
    """The students who have left, whom nobody sees anywhere else."""
    left = [now.student for now in standings if now.state == LEFT]
    return [f"left: {', '.join(left)}"] if left else []


def _on_unsettled(standings: list[Standing]) -> list[str]:
    """The students for whom a person must say which file counts."""
    unsettled = [
        with_files(now.student, now.unsettled) for now in standings if now.unsettled
    ]
    if not unsettled:
        return []
    return [f"{SEVERAL}: {', '.join(unsettled)}: {SETTLE}, and type make collect"]


def _on_times(book: Book, standings: list[Standing]) -> list[str]:
    """That the due date of a system decides, if nobody wrote a time into the form."""
    decided = [now for now in standings if now.timing is Timing.BY_THE_SYSTEM]
    if not decided or book.course.late.by != "kit":
        return []
    systems = " and ".join(sorted({now.handed.system for now in decided if now.handed}))
    return [
        f"{systems}'s own due date decided that {plural(len(decided), 'file')} without "
        "LATE and without a time came on time"
    ]


def _on_twins(book: Book) -> list[str]:
    """The hidden cases that are void like their public twins, or made of older ones."""
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
