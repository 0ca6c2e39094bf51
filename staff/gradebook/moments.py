"""When something was handed in: the texts of course systems as moments.  What reads two ways is never guessed."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo

_DATE = re.compile(
    r"(?:[A-Z][a-z]+, )?(?:(\d\d? [A-Z][a-z]+)|(\d\d?)[/.](\d\d?))[ /.](\d{4}),? (\d\d?:\d\d)(?: ?([AaPp][Mm]))?"
)


class Unclear(ValueError):
    """A text that is no moment; `reason` says why not, as the end of a sentence that begins with the text."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"{text[:60]!r} {reason}")
        self.reason = reason


def read_moment(text: str, zone: tzinfo | None) -> datetime:
    """The moment that a text states, in the course's zone if it names none.  Raises Unclear."""
    text = " ".join(text.split())
    readings = {_parsed(f"{day} {rest}", form) for day, rest, form in _forms(text)} - {None}
    if len(readings) > 1:
        raise Unclear(text, "reads two ways; write it as 2027-02-12 23:59")
    moment = readings.pop() if readings else _iso(text)
    if not moment or not 2000 <= moment.year < 2100:
        raise Unclear(text, "is no time that can be read; write it as 2027-02-12 23:59")
    return moment if moment.tzinfo else placed(moment, zone, text)


def _forms(text: str) -> Iterator[tuple[str, str, str]]:
    """The ways in which a date in words or in numbers may read: day, the rest, and the form of both."""
    if found := _DATE.fullmatch(text):
        words, one, other, year, clock, half = found.groups()
        rest, form = f"{year} {clock} {half or ''}".strip(), "%Y %I:%M %p" if half else "%Y %H:%M"
        if words:
            yield words, rest, f"%d %B {form}"
        else:
            yield f"{one} {other}", rest, f"%d %m {form}"
            yield f"{other} {one}", rest, f"%d %m {form}"


def _parsed(said: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(said, form)
    except ValueError:
        return None


def _iso(text: str) -> datetime | None:
    """The moment of 2027-02-12 23:59, with seconds, parts of them and an offset or not, or of Blackboard's stamp."""
    text = re.sub(r"^(\d{4}-\d\d-\d\d)-(\d\d)-(\d\d)-(\d\d)$", r"\1 \2:\3:\4", text)
    text = re.sub(r"(\.\d{6})\d+", r"\1", re.sub(r" (?=[+-]\d|Z$)", "", re.sub(r" ?UTC$", "Z", text)))
    try:
        return datetime.fromisoformat(text) if re.match(r"\d{4}-\d\d-\d\d[T ]\d", text) else None
    except ValueError:
        return None


def placed(clock: datetime, zone: tzinfo | None, text: str) -> datetime:
    """A time on the clocks of a zone as a moment.  Raises Unclear if they skip it, or show it twice."""
    first, second = (clock.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != clock:
        raise Unclear(text, f"is skipped by the clocks of {zone}")
    offsets = " or ".join(f"{one:%z}" for one in (first, second))
    raise Unclear(text, f"comes twice in {zone}; add {offsets}")


def shown(moment: datetime, zone: tzinfo | None) -> str:
    """A moment on the zone's clocks, with the offset, so that it reads one way and no spreadsheet changes it."""
    return moment.astimezone(zone).isoformat(" ", "seconds")
