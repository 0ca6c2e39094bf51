"""`python -m staff.bench`: measure every figure, print the table, and say whether a limit broke."""

import sys
from dataclasses import replace

from staff.bench import board, grading, playing, recording, searches, solving
from staff.bench.figures import Figure, measure
from staff.bench.table import footer, header, row
from staff.parser import Parser

TOPICS = (searches, board, solving, recording, playing, grading)


def main(arguments: list[str] | None = None) -> int:
    """Run the bench; the exit status is 1 where a limit is broken or a result is wrong."""
    options = _parser().parse_args(arguments)
    chosen = [figure for figure in _all_figures(options.quick) if _mentions(figure, options.words)]
    if not chosen:
        print(f"no figure mentions {' or '.join(options.words)}", file=sys.stderr)
        return 2
    print(header(chosen))
    broken = 0
    for figure in chosen:
        reading = measure(figure)
        broken += reading.is_broken
        print(row(reading, chosen), flush=True)
    print(footer(chosen, broken, enforced=not options.quick))
    return 1 if broken else 0


def _all_figures(quick: bool) -> list[Figure]:
    figures = [figure for topic in TOPICS for figure in topic.figures(quick)]
    if quick:
        return [replace(figure, repeats=1, warm_up=False, at_most=None, at_least=None) for figure in figures]
    return figures


def _mentions(figure: Figure, words: list[str]) -> bool:
    text = f"{figure.what} {figure.other.name}".lower()
    return not words or any(word.lower() in text for word in words)


def _parser() -> Parser:
    parser = Parser(prog="python -m staff.bench", description="How fast the kit is, as ratios of CPU seconds.")
    parser.add_argument("words", nargs="*", help="only the rows that mention one of these words")
    parser.add_argument("--quick", action="store_true", help="small sizes, one repetition, no limits")
    return parser


if __name__ == "__main__":
    sys.exit(main())
