"""Readings as a table of plain text, at most 100 columns wide."""

import os
import platform
from collections.abc import Sequence

from staff.bench.bare import NODES_TO_DEPTH_7, REFERENCE_SECONDS
from staff.bench.figures import Figure, Reading


def header(figures: Sequence[Figure]) -> str:
    """The Python at work, and the titles of the columns."""
    python = f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores"
    titles = _line(figures, "what", "this kit", "compared with", "", "ratio", "limit", "")
    return f"CPU seconds, side by side ({python})\n\n{titles}\n{'-' * len(_line(figures, *[''] * 6, 'info'))}"


def row(reading: Reading, figures: Sequence[Figure]) -> str:
    """One figure: times, ratio and limit; or that it could not be measured, and why.

    >>> from staff.bench.figures import Side
    >>> figure = Figure("listing", Side("kit"), Side("a floor"), at_most=2)
    >>> row(Reading(figure, kit_seconds=0.003, other_seconds=0.002, ratio=1.5), [figure])
    'listing    3.00 ms  a floor         2.00 ms    1.50   <= 2.00  ok'
    """
    figure = reading.figure
    if reading.problem:
        blame = reading.problem if reading.is_missing else f"WRONG\n    {reading.problem}"
        return _line(figures, figure.what, "-", figure.other.name, "-", "-", _limit(figure), blame)
    return _line(
        figures,
        figure.what,
        _time(reading.kit_seconds),
        figure.other.name,
        _time(reading.other_seconds),
        _ratio(reading.ratio),
        _limit(figure),
        reading.verdict,
    )


def footer(figures: Sequence[Figure], broken: int, enforced: bool) -> str:
    """How to read the table, and the verdict over all."""
    lines = ["", "ratio: this kit / the other; where the limit is >=, the other / this kit."]
    if any("node" in figure.other.name for figure in figures):
        node = REFERENCE_SECONDS / NODES_TO_DEPTH_7 * 1e6
        lines.append("Limits in microseconds are held in nodes of the bare recursion, one of which took")
        lines.append(f"{node:.3f} us on the machine where those limits were set.")
    if broken:
        lines.append(f"{broken} of {len(figures)} figures over the limit or wrong.")
    else:
        lines.append("All limits hold." if enforced else "A quick run: limits were not looked at.")
    return "\n".join(lines)


def _line(figures: Sequence[Figure], *cells: str) -> str:
    what, kit, other, other_time, ratio, limit, verdict = cells
    wide = max(len(figure.what) for figure in figures)
    beside = max(len("compared with"), *(len(figure.other.name) for figure in figures))
    line = f"{what:{wide}}  {kit:>9}  {other:{beside}} {other_time:>9}  {ratio:>6}  {limit:>8}  {verdict}"
    return line.rstrip()


def _limit(figure: Figure) -> str:
    if figure.at_most is not None:
        return f"<= {_ratio(figure.at_most)}"
    return f">= {_ratio(figure.at_least)}" if figure.at_least is not None else ""


def _ratio(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}"


def _time(seconds: float) -> str:
    """Three digits and a unit.

    >>> _time(0.0571), _time(4.5e-7), _time(2.31)
    ('57.1 ms', '0.45 us', '2.31 s')
    """
    scale, unit = (1, "s") if seconds >= 1 else (1e3, "ms") if seconds >= 1e-3 else (1e6, "us")
    value = seconds * scale
    return f"{value:.1f} {unit}" if value >= 10 else f"{value:.2f} {unit}"
