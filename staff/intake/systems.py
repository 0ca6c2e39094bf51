"""Reads the facts about course systems (systems.yaml), and times as systems write them.

If a time can be read in two ways, the kit refuses it.
"""

import contextlib
import re
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

import yaml

_FILE = Path(__file__).with_name("systems.yaml")
SYSTEMS: dict[str, Any] = yaml.safe_load(_FILE.read_text("utf-8"))
_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d|)"
)
_YEARS = range(2000, 2100)  # any other year is a typing error


def read_moment(text: str, zone: tzinfo | None) -> datetime:
    """Return the moment that a text states.  `zone` counts if the text names no zone.

    Raises ValueError if the text states no time in the years 2000 to 2099.  Also raises
    it if the clocks of `zone` skip the time, or show it twice.  The text of the error
    is the end of a sentence that begins with `text`.
    """
    moment = _parsed(" ".join(text.split()))
    if not moment or moment.year not in _YEARS:
        raise ValueError("cannot be read; write it as 2027-02-12 23:59")
    if moment.tzinfo:
        return moment
    first = moment.replace(tzinfo=zone, fold=0)
    second = moment.replace(tzinfo=zone, fold=1)
    if first.utcoffset() != second.utcoffset():
        raise ValueError(
            f"is skipped by the clocks of {zone}, or comes twice; "
            f"add {first:%z} or {second:%z}"
        )
    return first


def _parsed(text: str) -> datetime | None:
    """Return the time that a text states; None if it states no time.

    The text has the form 2027-02-12 23:59, with or without seconds, or a form in
    systems.yaml.  If the text has an offset from UTC, the time has it too.
    """
    iso = _ISO.fullmatch(text)
    if iso:
        with contextlib.suppress(ValueError):
            return datetime.fromisoformat("".join(iso.groups()))
        return None
    for form in SYSTEMS["times"]:
        with contextlib.suppress(ValueError):
            return datetime.strptime(text, form)
    return None


def moment_as_text(moment: datetime, zone: tzinfo | None) -> str:
    """Write a moment as the clocks of a zone show it, with the offset from UTC.

    Because of the offset, the text can be read in only one way, and spreadsheets do not
    change it.
    """
    return moment.astimezone(zone).isoformat(" ", "seconds")
