"""The late rule: how late a moment is, and what that costs.  Moments are compared in
UTC.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from grader.protocol.words import plural
from staff.course.numbers import percent
from staff.strict.reading import Block


@dataclass(frozen=True)
class Late:
    """What being late costs.

    `rate` is a share for each `unit` (day or hour) begun, `of` the score or the
    maximum, up to the share `cap`; after `most` units nothing counts.  `by` is who
    subtracts: kit, or course system.
    """

    rate: Fraction
    unit: str
    most: int
    of: str = "score"
    cap: Fraction = Fraction(1)
    by: str = "kit"

    @property
    def text(self) -> str:
        """The rule in a sentence or two, for students."""
        if not self.most:
            return "What comes later does not count."
        most = f"one {self.unit}" if self.most == 1 else plural(self.most, self.unit)
        points = "your points" if self.of == "score" else "all points"
        cap = (
            f", at most {percent(self.cap)}"
            if self.cap < min(Fraction(1), self.rate * self.most)
            else ""
        )
        costs = f"For each {self.unit} after that, or part of one, you lose {percent(self.rate)} of {points}{cap}"
        return f"{costs}. What comes more than {most} late does not count."

    def note(self, units: int) -> str:
        """How late somebody is, of whom so many days or hours have begun."""
        if units > self.most:
            return f"more than {plural(self.most, self.unit)} late"
        return f"late, counts as {plural(units, self.unit)}"


def read_late(block: Block) -> Late:
    """The rule that `late` of course.yaml states.  Raises BadFile."""
    if ("per_day" in block) == ("per_hour" in block):
        block.fail(
            "`late` has one rate: write {per_day: 10, days: 3} or {per_hour: 2, hours: 48}"
        )
    unit = "day" if "per_day" in block else "hour"
    rate, cap = (Fraction(block.get(key, 100), 100) for key in (f"per_{unit}", "cap"))
    return Late(
        rate,
        unit,
        block[f"{unit}s"],
        block.get("of", "score"),
        cap,
        block.get("by", "kit"),
    )


def begun(moment: datetime, due: datetime, grace: int, unit: str) -> int:
    """How many days or hours of lateness have begun; 0 is on time.

    `due` lasts to the end of its minute, and `grace` minutes follow.  A day ends at the
    same clock time of the next day in due's zone; an hour is 3,600 seconds.
    """
    limit = due.astimezone(UTC) + timedelta(minutes=1 + grace)
    moment = moment.astimezone(UTC)
    if moment < limit:
        return 0
    if unit == "hour":
        return (moment - limit) // timedelta(hours=1) + 1
    clock = limit.astimezone(due.tzinfo)
    days = (moment.astimezone(due.tzinfo).date() - clock.date()).days
    same = clock.replace(tzinfo=None) + timedelta(days=days)
    same_clock = max(
        same.replace(tzinfo=due.tzinfo, fold=fold).astimezone(UTC) for fold in (0, 1)
    )
    return max(1, days + (same_clock <= moment))


def penalty(late: Late, units: int, raw: Fraction, maximum: Fraction) -> Fraction:
    """The points that lateness costs, in whole hundredths, rounded down; never more
    than `raw`.
    """
    if late.by != "kit":
        return Fraction(0)
    if units > late.most:
        return raw
    base = raw if late.of == "score" else maximum
    share = min(units * late.rate, late.cap)
    return min(raw, Fraction(int(base * share * 100), 100))
