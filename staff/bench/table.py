"""Readings as a table of plain text, at most 100 columns wide."""

import os
import platform
from collections.abc import Sequence

from staff.bench.figures import Figure, Reading

LINE = "{:30}  {:>9}  {:19} {:>9}  {:>6}  {:>8}  {}"


def header() -> str:
    """The Python at work, and the titles of the columns."""
    python = f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores"
    titles = LINE.format(
        "what", "this kit", "compared with", "", "ratio", "limit", ""
    ).rstrip()
    about = "CPU seconds, side by side; those of a program are the whole machine's (/proc/stat)"
    return f"{about}\n{python}\n\n{titles}\n{'-' * 97}"


def row(reading: Reading) -> str:
    """One figure: times, ratio and limit; or what was wrong, or why nobody can tell.

    >>> from staff.bench.figures import Side
    >>> figure = Figure("listing", Side("kit", float), Side("a floor", float), at_most=2)
    >>> " ".join(row(Reading(figure, kit_seconds=0.003, other_seconds=0.002, ratio=1.5)).split())
    'listing 3.00 ms a floor 2.00 ms 1.50 <= 2.00 ok'
    >>> figure = Figure("memory", Side("", float), Side("a few", float), at_most=2, unit="MiB")
    >>> " ".join(row(Reading(figure, kit_seconds=90, other_seconds=30, ratio=3)).split())
    'memory 90.0 MiB a few 30.0 MiB 3.00 <= 2.00 OVER'
    """
    figure = reading.figure
    limit = _limit(figure)
    verdict = _verdict(reading, limit)
    if reading.problem or not reading.ratio:
        return LINE.format(
            figure.what, "-", figure.other.name, "-", "-", limit, verdict
        )
    kit, other = (
        _amount(reading.kit_seconds, figure.unit),
        _amount(reading.other_seconds, figure.unit),
    )
    return LINE.format(
        figure.what,
        kit,
        figure.other.name,
        other,
        _ratio(reading.ratio),
        limit,
        verdict,
    )


def footer(readings: Sequence[Reading]) -> str:
    """How to read the table, and the verdict over all."""
    how_to_read = (
        "ratio: this kit / the other; if the limit is >=, the other / this kit."
    )
    verdicts = []
    if broken := sum(reading.is_broken for reading in readings):
        verdicts.append(
            f"{broken} of {len(readings)} figures are over the limit or wrong."
        )
    if is_open := sum(reading.is_open for reading in readings):
        verdicts.append(
            f"{is_open} of {len(readings)} figures have no verdict, as the machine was not quiet: run them again."
        )
    return "\n".join(["", how_to_read, *(verdicts or ["All limits hold."])])


def _verdict(reading: Reading, limit: str) -> str:
    """A word, and where there is more to say, a line below the row."""
    if reading.problem:
        return f"WRONG\n    {reading.problem}"
    if reading.is_open:
        return f"CANNOT TELL\n    {reading.disturbed}"
    if reading.is_broken:
        return "OVER"
    return "ok" if limit else "info"


def _limit(figure: Figure) -> str:
    if figure.at_most is not None:
        return f"<= {_ratio(figure.at_most)}"
    return f">= {_ratio(figure.at_least)}" if figure.at_least is not None else ""


def _ratio(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}"


def _amount(value: float, unit: str) -> str:
    return _time(value) if unit == "s" else f"{value:.1f} {unit}"


def _time(seconds: float) -> str:
    """Three digits and a unit.

    >>> _time(0.0571), _time(4.5e-7), _time(2.31)
    ('57.1 ms', '0.45 us', '2.31 s')
    """
    scale, unit = (
        (1, "s") if seconds >= 1 else (1e3, "ms") if seconds >= 1e-3 else (1e6, "us")
    )
    value = seconds * scale
    return f"{value:.1f} {unit}" if value >= 10 else f"{value:.2f} {unit}"
