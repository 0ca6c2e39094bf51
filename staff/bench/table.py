"""Readings as a table of plain text, at most 100 columns wide."""

import os
import platform
from collections.abc import Sequence

from staff.bench.figures import Figure, Reading

LINE = "{:30}  {:>9}  {:19} {:>9}  {:>6}  {:>8}  {}"


def header() -> str:
    """The Python at work, and the titles of the columns."""
    python = f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores"
    titles = LINE.format("what", "this kit", "compared with", "", "ratio", "limit", "").rstrip()
    about = "CPU seconds, side by side; those of a program are the whole machine's (/proc/stat), which is quiet"
    return f"{about}\n{python}\n\n{titles}\n{'-' * 97}"


def row(reading: Reading) -> str:
    """One figure: times, ratio and limit; or what was wrong.

    >>> from staff.bench.figures import Side
    >>> figure = Figure("listing", Side("kit", float), Side("a floor", float), at_most=2)
    >>> " ".join(row(Reading(figure, kit_seconds=0.003, other_seconds=0.002, ratio=1.5)).split())
    'listing 3.00 ms a floor 2.00 ms 1.50 <= 2.00 ok'
    """
    figure = reading.figure
    limit = _limit(figure)
    verdict = "OVER" if reading.is_broken else "ok" if limit else "info"
    kit, other, ratio = _time(reading.kit_seconds), _time(reading.other_seconds), _ratio(reading.ratio)
    if reading.problem:
        kit, other, ratio, verdict = "-", "-", "-", f"WRONG\n    {reading.problem}"
    return LINE.format(figure.what, kit, figure.other.name, other, ratio, limit, verdict)


def footer(readings: Sequence[Reading]) -> str:
    """How to read the table, and the verdict over all."""
    how_to_read = "ratio: this kit / the other; if the limit is >=, the other / this kit."
    broken = sum(reading.is_broken for reading in readings)
    verdict = f"{broken} of {len(readings)} figures are over the limit or wrong." if broken else "All limits hold."
    return f"\n{how_to_read}\n{verdict}"


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
