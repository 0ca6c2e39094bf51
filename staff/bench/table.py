"""Writes the table of the bench as plain text, with a row for each figure."""

import os
import platform
from collections.abc import Sequence

from staff.bench.figures import Figure, Reading

LINE = "{:30}  {:>9}  {:19} {:>9}  {:>6}  {:>8}  {}"
TITLES = ("what", "this kit", "compared with", "", "ratio", "limit", "")
WIDTH = 97
ABOUT = (
    "CPU seconds, side by side; those of a program are the whole machine's (/proc/stat)"
)
HOW_TO_READ = "ratio: this kit / the other; if the limit is >=, the other / this kit."


def header() -> str:
    """Return the lines above the rows.

    They name the version of Python and the number of cores, and have the titles of the
    columns.
    """
    python = f"{platform.python_implementation()} {platform.python_version()}"
    titles = LINE.format(*TITLES).rstrip()
    line = "-" * WIDTH
    return f"{ABOUT}\n{python}, {os.cpu_count()} cores\n\n{titles}\n{line}"


def row(reading: Reading) -> str:
    """Return the row of a figure: its times, its ratio, its limit and the verdict.

    If the result is wrong, or if the machine was not quiet, a second line says what
    happened.

    >>> from staff.bench.figures import Side
    >>> kit, floor = Side("kit", float), Side("a floor", float)
    >>> figure = Figure("listing", kit, floor, at_most=2)
    >>> " ".join(row(Reading(figure, 0.003, 0.002, ratio=1.5)).split())
    'listing 3.00 ms a floor 2.00 ms 1.50 <= 2.00 ok'
    >>> figure = Figure("memory", kit, floor, at_most=2, unit="MiB")
    >>> " ".join(row(Reading(figure, 90, 30, ratio=3)).split())
    'memory 90.0 MiB a floor 30.0 MiB 3.00 <= 2.00 OVER'
    """
    figure = reading.figure
    limit = _limit(figure)
    verdict = _verdict(reading, limit)
    if reading.problem or not reading.ratio:
        return LINE.format(
            figure.what, "-", figure.other.name, "-", "-", limit, verdict
        )
    kit = _amount(reading.kit_seconds, figure.unit)
    other = _amount(reading.other_seconds, figure.unit)
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
    """Return the last lines: how to read the table, and the verdict on all figures."""
    verdicts = []
    broken = sum(reading.is_broken for reading in readings)
    if broken:
        verdicts.append(
            f"{broken} of {len(readings)} figures are over the limit or wrong."
        )
    undecided = sum(reading.is_open for reading in readings)
    if undecided:
        verdicts.append(
            f"{undecided} of {len(readings)} figures have no verdict, as the machine "
            "was not quiet: run them again."
        )
    if not verdicts:
        verdicts.append("All limits hold.")
    return "\n".join(["", HOW_TO_READ, *verdicts])


def _verdict(reading: Reading, limit: str) -> str:
    """Return the verdict on a row in a word, such as `OVER`.

    If a result is wrong or the machine was not quiet, a second line says what happened.
    """
    if reading.problem:
        return f"WRONG\n    {reading.problem}"
    if reading.is_open:
        return f"CANNOT TELL\n    {reading.disturbed}"
    if reading.is_broken:
        return "OVER"
    if limit:
        return "ok"
    return "info"


def _limit(figure: Figure) -> str:
    """Return the limit of a figure as text; empty if the figure has no limit."""
    if figure.at_most is not None:
        return f"<= {_ratio(figure.at_most)}"
    if figure.at_least is not None:
        return f">= {_ratio(figure.at_least)}"
    return ""


def _ratio(ratio: float) -> str:
    """Return a ratio as text, with two decimals below 10, and with one from 10 on."""
    if ratio >= 10:
        return f"{ratio:.1f}"
    return f"{ratio:.2f}"


def _amount(value: float, unit: str) -> str:
    """Return an amount with its unit.  Seconds are shown in s, ms or us."""
    if unit == "s":
        return _time(value)
    return f"{value:.1f} {unit}"


def _time(seconds: float) -> str:
    """Return a time as text, in s, ms or us.

    >>> _time(0.0571), _time(4.5e-7), _time(2.31)
    ('57.1 ms', '0.45 us', '2.31 s')
    """
    if seconds >= 1:
        return f"{_ratio(seconds)} s"
    if seconds >= 1e-3:
        return f"{_ratio(seconds * 1e3)} ms"
    return f"{_ratio(seconds * 1e6)} us"
