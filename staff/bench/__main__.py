"""`python -m staff.bench`: measures every figure and prints the table."""

import sys

from grader.cli import enter
from grader.parser import Parser
from grader.refusal import Refusal
from staff.bench import classes, contest, grading, recording, searches, solving
from staff.bench.figures import Figure
from staff.bench.quiet import QuietBench, adopt_orphans
from staff.bench.table import footer, header, row

TOPICS = (searches, solving, recording, grading, contest, classes)


def main(words: list[str], bench: QuietBench | None = None) -> int:
    """Run the bench; return the exit status.

    The status is 1 if a limit is broken or a result is wrong.  Otherwise it is 2 if a
    row has no verdict because the machine was not quiet.  Otherwise it is 0.  Raises
    Refusal for wrong words, or if no row mentions one of the words.
    """
    parser = Parser("bench", "usage: make bench [RIVALS=1] [ARGS=words]")
    parser.add_argument(
        "words", nargs="*", help="only the rows that mention one of these words"
    )
    parser.add_switch("RIVALS", "measure other libraries too (make installs them)")
    words = parser.read(words).words
    chosen = []
    for topic in TOPICS:
        chosen += [figure for figure in topic.figures() if _mentions(figure, words)]
    if not chosen:
        raise Refusal(f"no figure mentions {' or '.join(words)}")
    print(header(), flush=True)
    if bench is None:
        adopt_orphans()
        bench = QuietBench()
    readings = []
    for figure in chosen:
        reading = bench.measure(figure)
        readings.append(reading)
        print(row(reading), flush=True)
    print(footer(readings))
    if any(reading.is_broken for reading in readings):
        return 1
    if any(reading.is_open for reading in readings):
        return 2
    return 0


def _mentions(figure: Figure, words: list[str]) -> bool:
    """Whether the row of a figure mentions one of these words.

    Without any words, every row counts.
    """
    text = f"{figure.what} {figure.other.name}".lower()
    return not words or any(word.lower() in text for word in words)


if __name__ == "__main__":
    sys.exit(enter(["bench", *sys.argv[1:]]))
