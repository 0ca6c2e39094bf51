"""`make publish`: freezes what comes out as grades/published/N/, unless that lowers somebody or a time is not known."""

import shutil
import sys
from pathlib import Path
from typing import NoReturn

from grader.refusal import Refusal
from staff.gradebook.book import open_book
from staff.gradebook.outputs import write_outputs
from staff.gradebook.store import GRADES, opened
from staff.parser import Parser

_STOPS = "SELECT student FROM lowered", "SELECT student FROM no_time"
_FILL_IN = "fill in `submitted` in grades/collected.csv and type make collect, or make publish ONTIME=1"


def main(words: list[str]) -> int:
    """Publish, and say what differs from the last time; 0.  Raises Refusal and BadFile; then nothing is published."""
    parser = Parser(prog="make publish", usage='make publish LOWER="reason" ONTIME=1 OVER=1')
    parser.add_argument("--lower", default="")
    parser.add_argument("--ontime", default="")
    parser.add_argument("--over", default="")
    options = parser.parse_args(words)
    with opened("publish", writes=True) as store:
        book = open_book(store)
        (number,) = store.db.execute("SELECT 1 + coalesce(max(number), 0) FROM published").fetchone()
        folder = GRADES / "published" / str(number)
        shutil.rmtree(folder, ignore_errors=True)  # of one that was stopped
        lines = write_outputs(book, folder, over=options.over not in ("", "0"))
        lowered, unknown = (", ".join(row[0] for row in store.db.execute(query)) for query in _STOPS)
        if lowered and not options.lower.strip():
            _refuse(folder, f'these would have less than before: {lowered}; make publish LOWER="the reason"')
        if unknown and options.ontime in ("", "0"):
            _refuse(folder, f"no time is known of what counts for {unknown}: {_FILL_IN}")
        with store.db:
            store.db.execute("INSERT INTO published SELECT ?, student, state, sums, made_of FROM now", (number,))
            if lowered:
                store.log(f"publication {number} lowers", lowered, options.lower)
            if unknown:
                store.log(f"publication {number} takes as on time", new=unknown)
            store.log(f"publication {number}", new=lines[-1])
    print(*lines, f"published: grades/published/{number}/", sep="\n")
    return 0


def _refuse(folder: Path, why: str) -> NoReturn:
    shutil.rmtree(folder)
    raise Refusal(f"nothing is published: {why}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
