"""What is known of course systems (systems.yaml), and their times in words.  What reads
two ways is never guessed.
"""

import re
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

import yaml

SYSTEMS: dict[str, Any] = yaml.safe_load(
    Path(__file__).with_name("systems.yaml").read_text("utf-8")
)
_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d|)"
)


def read_moment(text: str, zone: tzinfo | None) -> datetime:
    """The moment that a text states, in the course's zone if it names none.

    Raises ValueError, with the end of a sentence that begins with the text.
    """
    moment = _parsed(" ".join(text.split()))
    if not moment or not 2000 <= moment.year < 2100:
        raise ValueError("cannot be read; write it as 2027-02-12 23:59")
    if moment.tzinfo:
        return moment
    first, second = (moment.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() != second.utcoffset():
        raise ValueError(
            f"is skipped by the clocks of {zone}, or comes twice; add {first:%z} or {second:%z}"
        )
    return first


def _parsed(text: str) -> datetime | None:
    """The time as it stands there: 2027-02-12 23:59, with seconds and an offset or not,
    or in a system's own form.
    """
    iso = _ISO.fullmatch(text)
    for form in SYSTEMS["times"]:
        try:
            return (
                datetime.fromisoformat("".join(iso.groups()))
                if iso
                else datetime.strptime(text, form)
            )
        except ValueError:
            continue
    return None


def shown(moment: datetime, zone: tzinfo | None) -> str:
    """A moment on the zone's clocks, with the offset, so that it reads one way and no
    spreadsheet changes it.
    """
    return moment.astimezone(zone).isoformat(" ", "seconds")
