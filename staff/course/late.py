"""The late rule: how late a moment is, and how many points that costs.

Moments are compared in UTC.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from grader.protocol.text import plural
from staff.course.numbers import percent
from staff.strict.reading import Block


@dataclass(frozen=True)
class Late:
    """The late rule of a course."""

    rate: Fraction  # the share that each unit costs as soon as it has begun
    unit: str  # day or hour
    most: int  # submissions that are more units late do not count
    of: str = "score"  # what the share is of: the score, or the maximum
    cap: Fraction = Fraction(1)  # lateness costs at most this share
    by: str = "kit"  # who subtracts the penalty: the kit, or the course's system

    @property
    def text(self) -> str:
        """The rule in a sentence or two, for students."""
        if not self.most:
            return "Late work is not accepted."
        most = plural(self.most, self.unit)
        if self.most == 1:
            most = f"one {self.unit}"
        points = "all points"
        if self.of == "score":
            points = "your score"
        cap = ""
        if self.cap < min(Fraction(1), self.rate * self.most):
            cap = f", at most {percent(self.cap)}"
        return (
            f"Each {self.unit} late, or part of one, costs "
            f"{percent(self.rate)} of {points}{cap}. "
            f"We ignore work that is more than {most} late."
        )

    def note(self, units: int) -> str:
        """Say how late a submission is if `units` of lateness have begun."""
        if units > self.most:
            return f"more than {plural(self.most, self.unit)} late"
        return f"late, counts as {plural(units, self.unit)}"


def read_late(block: Block) -> Late:
    """Read the rule that `late` of course.yaml states.

    Raises BadFile unless it states exactly one rate.
    """
    if ("per_day" in block) == ("per_hour" in block):
        block.fail(
            "`late` has one rate: "
            "write {per_day: 10, days: 3} or {per_hour: 2, hours: 48}"
        )
    unit = "day" if "per_day" in block else "hour"
    return Late(
        rate=Fraction(block[f"per_{unit}"], 100),
        unit=unit,
        most=block[f"{unit}s"],
        of=block.get("of", "score"),
        cap=Fraction(block.get("cap", 100), 100),
        by=block.get("by", "kit"),
    )


def begun(moment: datetime, due: datetime, grace: int, unit: str) -> int:
    """Count the days or hours of lateness that have begun; 0 if a moment is on time.

    `due` lasts to the end of its minute, and `grace` minutes follow.  A day of lateness
    ends when the clocks in the zone of `due` show the same time on the next day.  An
    hour of lateness is always 3,600 seconds.
    """
    limit = due.astimezone(UTC) + timedelta(minutes=1 + grace)
    moment = moment.astimezone(UTC)
    if moment < limit:
        return 0
    if unit == "hour":
        return (moment - limit) // timedelta(hours=1) + 1
    clock = limit.astimezone(due.tzinfo)
    days = (moment.astimezone(due.tzinfo).date() - clock.date()).days
    last_day = clock.replace(tzinfo=None) + timedelta(days=days)
    # In autumn, the clocks show an hour twice.  If a day begins in that hour, the later
    # of the two moments decides.
    day_begins = max(
        last_day.replace(tzinfo=due.tzinfo, fold=fold).astimezone(UTC)
        for fold in (0, 1)
    )
    if day_begins <= moment:
        days += 1
    return max(1, days)


def penalty(late: Late, units: int, raw: Fraction, maximum: Fraction) -> Fraction:
    """Return the points that the kit subtracts for lateness.

    `raw` are the points before lateness, and `maximum` are all points of the course.
    The penalty is a share of one of these, rounded down to whole hundredths.  It is
    never more than `raw`.  If the submission is too late to count, the penalty is
    `raw`.  If the course's system subtracts the penalty, it is 0 here.
    """
    if late.by != "kit":
        return Fraction(0)
    if units > late.most:
        return raw
    base = raw if late.of == "score" else maximum
    share = min(units * late.rate, late.cap)
    return min(raw, Fraction(int(base * share * 100), 100))
