"""`make publish`: freezes what comes out as grades/published/N/, unless that lowers somebody or a time is not known."""

import shutil

from grader.refusal import Refusal
from staff.gradebook.book import open_book
from staff.gradebook.outputs import write_outputs
from staff.gradebook.store import GRADES, Store

_FILL_IN = "write it into grades/collected.csv and type make collect, or type make publish ONTIME=1"


def main(store: Store, options: dict[str, str]) -> None:
    """Publish, and say what differs from the last time.  Raises Refusal and BadFile; then nothing is published."""
    book = open_book(store)
    (number,) = store.db.execute("SELECT 1 + coalesce(max(number), 0) FROM published").fetchone()
    folder = GRADES / "published" / str(number)
    lines = write_outputs(book, folder, over=bool(options["OVER"]))
    lowered = ", ".join(row["student"] for row in store.db.execute("SELECT * FROM lowered"))
    unknown = ", ".join(row["student"] for row in store.db.execute("SELECT * FROM no_time"))
    stops = []
    if lowered and not options["LOWER"].strip():
        stops.append(f'these would have less than before: {lowered}; make publish LOWER="the reason"')
    if unknown and not options["ONTIME"]:
        stops.append(f"no time is known for {unknown}: {_FILL_IN}")
    if stops:
        shutil.rmtree(folder)
        raise Refusal(f"nothing is published: {'; '.join(stops)}")
    with store.db:
        store.db.execute("INSERT INTO published SELECT ?, student, state, sums, made_of FROM now", (number,))
        frozen = ((str(file.relative_to(GRADES)), file.read_bytes()) for file in folder.rglob("*") if file.is_file())
        store.db.executemany("INSERT INTO frozen VALUES (?, ?)", frozen)
        if lowered:
            store.log(f"publication {number} lowers {lowered}", new=options["LOWER"])
        if unknown:
            store.log(f"publication {number} takes as on time, without a time", new=unknown)
        store.log(f"publication {number}", new=lines[-1])
    print(*lines, f"published: grades/published/{number}/", sep="\n")
