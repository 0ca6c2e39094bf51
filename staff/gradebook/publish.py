"""`make publish`: keeps the results as they are now, in grades/published/N/.

The command first writes the results into grades/, as `make grade` does.  The
publication is a copy of them.  If a person has to decide something first, the command
publishes nothing.
"""

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from grader.parser import Parser
from grader.refusal import Refusal, as_typed
from staff.bank import refuse_changed_cases
from staff.course.changes import lowered
from staff.course.standing import (
    GRADED,
    SETTLE,
    SEVERAL,
    UNGRADED,
    Timing,
    with_files,
)
from staff.gradebook import exports, publications
from staff.gradebook.book import Book, open_book
from staff.gradebook.notes import TRY_AGAIN
from staff.gradebook.outputs import Outputs, copy_outputs, write_outputs
from staff.store import GRADES, Store

LOWER = "LOWER"
TAKEN_AS_UNGRADED = "UNGRADED"
ON_TIME = "ONTIME"
_FILL_IN = (
    "write the time into `submitted` in grades/collected.csv, and type make collect"
)
_TYPE_LOWER = f'make publish {LOWER}="the reason"'
_TYPE_UNGRADED = f'make publish {TAKEN_AS_UNGRADED}="the reason"'


@dataclass(frozen=True)
class Stop:
    """A reason why a publication must wait until a person has decided something."""

    problem: str  # what is wrong with these students, as the end of a sentence
    remedy: str  # what a person can do about it
    # The students.  The key is the id, and the value names the student for a person.
    students: dict[str, str] = field(default_factory=dict)
    option: str = ""  # the option that lifts the stop; empty if none does
    logged: str = ""  # what the log says if the option has lifted the stop


USAGE = '[LOWER="reason"] [UNGRADED="reason"] [ONTIME=1] [OVER=1]'


def add_options(parser: Parser) -> None:
    """Declare the options of make publish."""
    parser.add_argument(
        "--lower", default="", metavar="REASON", help="why some get less than before"
    )
    parser.add_argument(
        "--ungraded",
        default="",
        metavar="REASON",
        help="why some are published ungraded",
    )
    parser.add_switch("ONTIME", "treat files without a known time as on time")
    parser.add_switch("OVER", "fill even the cells of the export that are not empty")


def main(store: Store, options: dict[str, str]) -> None:
    """Publish, and print how the results differ from the last publication.

    If nothing has changed, nothing is published, and the command says so.  If this
    raises Refusal or BadFile, nothing is published.
    """
    refuse_changed_cases()
    publications.refuse_unknown_ones(store)
    book = open_book(store)
    exports.refuse_unfilled(book)
    exports.refuse_another_maximum(book)
    for line in publications.bring_back(store):
        print(line, flush=True)
    outputs = write_outputs(book, GRADES, over=bool(options["OVER"]))
    publications.FOLDER.mkdir(parents=True, exist_ok=True)
    _remove_leftovers()
    with tempfile.TemporaryDirectory(prefix=".", dir=publications.FOLDER) as aside:
        folder = Path(aside, "publication")
        copy_outputs(GRADES, folder)
        if publications.is_as_last(store, outputs.entries, folder):
            number = publications.last_number(store)
            last_line = f"nothing has changed since publication {number}"
            print(*map(as_typed, outputs.notes), last_line, sep="\n")
            return
        stops = [stop for stop in stops_of(book, outputs) if stop.students]
        refuse_what_waits(stops, options)
        number = _freeze(store, outputs, folder, stops, options)
    last_line = f"published: grades/published/{number}/"
    print(*map(as_typed, outputs.lines), last_line, sep="\n")


def _remove_leftovers() -> None:
    """Remove the hidden folders in grades/published/, which killed commands have left.

    Hidden files such as .DS_Store stay.
    """
    for leftover in publications.FOLDER.glob(".*"):
        if leftover.is_dir():
            shutil.rmtree(leftover)


def stops_of(book: Book, outputs: Outputs) -> list[Stop]:
    """Return every reason for which a publication may have to wait.

    If a reason concerns no student now, its `students` are empty, and nothing waits for
    it.
    """
    return [
        Stop(
            "would get less than before",
            f"grades/changes.csv says why; to publish anyway, type {_TYPE_LOWER}",
            _by_id(lowered(outputs.pairs)),
            LOWER,
            "lowers",
        ),
        *_stops_for_ungraded(outputs),
        *_stops_for_times(book, outputs),
    ]


def _stops_for_ungraded(outputs: Outputs) -> list[Stop]:
    """Return the stops for ungraded students.

    The first has the students of whom nobody knows which file counts.  The second has
    the other ungraded students.
    """
    unsettled = {
        now.student: with_files(now.student, now.unsettled)
        for now in outputs.standings
        if now.unsettled
    }
    return [
        Stop(
            f"have {SEVERAL}",
            f"{SETTLE}, and type make collect; or, to publish anyway, type "
            f"{_TYPE_UNGRADED}",
            unsettled,
            TAKEN_AS_UNGRADED,
            "leaves ungraded",
        ),
        Stop(
            "are ungraded",
            f"{TRY_AGAIN}; or, to publish anyway, type {_TYPE_UNGRADED}",
            _by_id([now.student for now in outputs.standings if now.lacks_verdicts]),
            TAKEN_AS_UNGRADED,
            "leaves ungraded",
        ),
    ]


def _stops_for_times(book: Book, outputs: Outputs) -> list[Stop]:
    """The stops for files without a time, if the kit subtracts points for lateness."""
    if book.course.late.by != "kit":
        return []
    return [
        Stop(
            "are marked LATE, and no time is known",
            _FILL_IN,
            _by_id(_with(outputs, Timing.LATE_WITHOUT_TIME)),
        ),
        Stop(
            "have a file without a time",
            f"{_FILL_IN}, or type make publish {ON_TIME}=1",
            _by_id(_with(outputs, Timing.UNKNOWN)),
            ON_TIME,
            "takes as on time, without a time",
        ),
    ]


def _by_id(students: list[str]) -> dict[str, str]:
    """Return students in the form of `Stop.students`; both the key and the value are
    the id.
    """
    return {student: student for student in students}


def _with(outputs: Outputs, timing: Timing) -> list[str]:
    """Return the students whose file has this Timing, which says what is known of its
    time.

    Students who are neither graded nor ungraded are left out.
    """
    return [
        now.student
        for now in outputs.standings
        if now.timing is timing and now.state in (GRADED, UNGRADED)
    ]


def refuse_what_waits(stops: list[Stop], options: dict[str, str]) -> None:
    """Raise Refusal with all stops that no option of the command line has lifted."""
    sentences = []
    for stop in stops:
        if not (stop.option and options[stop.option].strip()):
            names = ", ".join(stop.students.values())
            sentences.append(f"these {stop.problem}: {names}: {stop.remedy}")
    if sentences:
        raise Refusal(f"nothing is published: {'; '.join(sentences)}")


def _freeze(
    store: Store,
    outputs: Outputs,
    folder: Path,
    stops: list[Stop],
    options: dict[str, str],
) -> int:
    """Keep a publication in the store, then move its folder into grades/published/.

    Return the number of the publication.  The log says which stops were lifted.  If the
    command is killed before the folder is moved, the next `make publish` writes the
    folder again from the store.
    """
    number = publications.last_number(store) + 1
    place = publications.FOLDER / str(number)
    with store.db:
        publications.keep(store, number, outputs.entries, folder)
        for stop in stops:
            # ONTIME=1 is a switch, so it gives no reason to log.
            reason = "" if stop.option == ON_TIME else options[stop.option].strip()
            students = ", ".join(stop.students)
            store.log(f"publication {number} {stop.logged}: {students}", new=reason)
        store.log(f"publication {number}", new=outputs.difference)
    shutil.rmtree(place, ignore_errors=True)
    folder.rename(place)
    return number
