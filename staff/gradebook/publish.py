"""`make publish`: freezes what comes out as grades/published/N/, unless a person has to
say something first.

It writes the preview in grades/ first, as `make grade` does, and the publication is a
copy of that.
"""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from grader.parser import Parser
from grader.refusal import Refusal, as_typed
from staff.course.changes import lowered
from staff.course.standing import GRADED, SETTLE, SEVERAL, UNGRADED, Timing, with_files
from staff.gradebook import exports, publications
from staff.gradebook.book import Book, open_book
from staff.gradebook.outputs import Outputs, copy_outputs, write_outputs
from staff.gradebook.store import GRADES, Store
from staff.testing import refuse_changed_cases

_FILL_IN = (
    "write the time into `submitted` in grades/collected.csv, and type make collect"
)
_TYPE_LOWER, _TYPE_UNGRADED = (
    f'make publish {option}="the reason"' for option in ("LOWER", "UNGRADED")
)


@dataclass(frozen=True)
class Stop:
    """Why a publication waits for a person: for whom, what to do, and what the log has
    if a person lets it go on.

    `option` is the word that lets it go on; empty if nothing does.  `shown` is how the
    students are named, if not by their ids alone.
    """

    students: list[str]
    problem: str
    remedy: str
    option: str
    logged: str
    shown: tuple[str, ...] = ()


USAGE = '[LOWER="reason"] [UNGRADED="reason"] [ONTIME=1] [OVER=1]'


def add_options(parser: Parser) -> None:
    """Declare the options of make publish."""
    parser.add_argument(
        "--lower", default="", metavar="REASON", help="why some get less than before"
    )
    parser.add_argument(
        "--ungraded", default="", metavar="REASON", help="why some go ungraded"
    )
    parser.add_switch("ONTIME", "whose time is unknown was in time")
    parser.add_switch("OVER", "write over tables that were edited")


def main(store: Store, options: dict[str, str]) -> None:
    """Publish, and say what differs from the last time.  Raises Refusal and BadFile;
    then nothing is published.
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
    for leftover in publications.FOLDER.glob(".*"):  # of a publication that was killed
        if leftover.is_dir():  # and no .DS_Store
            shutil.rmtree(leftover)
    with tempfile.TemporaryDirectory(prefix=".", dir=publications.FOLDER) as aside:
        folder = Path(aside, "publication")
        copy_outputs(GRADES, folder)
        if publications.is_as_last(store, outputs.entries, folder):
            print(
                *map(as_typed, outputs.notes),
                f"nothing has changed since publication {publications.last_number(store)}",
                sep="\n",
            )
            return
        stops = [stop for stop in stops_of(book, outputs) if stop.students]
        refuse_what_waits(stops, options)
        number = _freeze(store, outputs, folder, stops, options)
    print(
        *map(as_typed, outputs.lines),
        f"published: grades/published/{number}/",
        sep="\n",
    )


def stops_of(book: Book, outputs: Outputs) -> list[Stop]:
    """What may keep these from being published."""
    less = lowered(outputs.pairs)
    unsettled = {
        now.student: with_files(now.student, now.unsettled)
        for now in outputs.standings
        if now.unsettled
    }
    ungraded = [
        now.student
        for now in outputs.standings
        if now.state == UNGRADED and now.student not in unsettled
    ]
    is_subtracted = book.course.late.by == "kit"
    marked = _with(outputs, Timing.LATE_WITHOUT_TIME) if is_subtracted else []
    unknown = _with(outputs, Timing.UNKNOWN) if is_subtracted else []
    again = f"type make grade AGAIN=ungraded, or, to go on, {_TYPE_UNGRADED}"
    settle = f"{SETTLE}, and type make collect, or, to go on, {_TYPE_UNGRADED}"
    shown = tuple(unsettled.values())
    on_time = f"{_FILL_IN}, or type make publish ONTIME=1"
    return [
        Stop(
            less,
            "would have less than before",
            f"grades/changes.csv says why; to go on, type {_TYPE_LOWER}",
            "LOWER",
            "lowers",
        ),
        Stop(
            [*unsettled],
            f"have {SEVERAL}",
            settle,
            "UNGRADED",
            "leaves ungraded",
            shown,
        ),
        Stop(ungraded, "are ungraded", again, "UNGRADED", "leaves ungraded"),
        Stop(marked, "are marked LATE, and no time is known", _FILL_IN, "", ""),
        Stop(
            unknown,
            "have a file without a time",
            on_time,
            "ONTIME",
            "takes as on time, without a time",
        ),
    ]


def _with(outputs: Outputs, timing: Timing) -> list[str]:
    """Whose file that counts has a time that is known in this way."""
    return [
        now.student
        for now in outputs.standings
        if now.timing is timing and now.state in (GRADED, UNGRADED)
    ]


def refuse_what_waits(stops: list[Stop], options: dict[str, str]) -> None:
    """Raise Refusal, with all that nobody has let go on."""
    waiting = [
        stop for stop in stops if not (stop.option and options[stop.option].strip())
    ]
    if waiting:
        told = [
            f"these {stop.problem}: {', '.join(stop.shown or stop.students)}: {stop.remedy}"
            for stop in waiting
        ]
        raise Refusal(f"nothing is published: {'; '.join(told)}")


def _freeze(
    store: Store,
    outputs: Outputs,
    folder: Path,
    stops: list[Stop],
    options: dict[str, str],
) -> int:
    """Keep a publication in the store, and then put its folder in its place; its
    number.

    If this is stopped in between, the next command writes the folder.
    """
    number = publications.last_number(store) + 1
    place = publications.FOLDER / str(number)
    with store.db:
        publications.keep(store, number, outputs.entries, folder)
        for stop in stops:
            reason = "" if stop.option == "ONTIME" else options[stop.option].strip()
            store.log(
                f"publication {number} {stop.logged}: {', '.join(stop.students)}",
                new=reason,
            )
        store.log(f"publication {number}", new=outputs.difference)
    shutil.rmtree(place, ignore_errors=True)
    folder.rename(place)
    return number
