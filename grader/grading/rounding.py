"""Points as people read them: in hundredths, and so that what is shown adds up to what is shown."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from boards.cases import Bank, Case, Part

Name = TypeVar("Name", int, str)
HUNDREDTH = Fraction(1, 100)


def total(amounts: Iterable[Fraction]) -> Fraction:
    """The sum of amounts, exactly."""
    return sum(amounts, Fraction(0))


def hundredths(amounts: Mapping[Name, Fraction], to: Fraction | None = None) -> dict[Name, Fraction]:
    """Amounts in whole hundredths that add up to `to`, or to their own sum rounded down.

    Each is rounded down or up; up goes what loses most by rounding down (the largest remainder).

    >>> rounded = hundredths({"a": Fraction(2, 3), "b": Fraction(1, 3), "c": Fraction(2, 3), "d": Fraction(1, 3)})
    >>> [float(each) for each in rounded.values()]
    [0.67, 0.33, 0.67, 0.33]
    """
    near = {name: int(amount * 100) for name, amount in amounts.items()}
    left_over = int((total(amounts.values()) if to is None else to) * 100) - sum(near.values())
    most_lost_first = sorted(near, key=lambda name: near[name] - amounts[name] * 100)
    least_lost_first = [name for name in reversed(most_lost_first) if near[name]]  # what is nothing stays that
    in_turn = itertools.cycle(most_lost_first if left_over > 0 else least_lost_first)
    for name in itertools.islice(in_turn, abs(left_over)):
        near[name] += 1 if left_over > 0 else -1
    return {name: each * HUNDREDTH for name, each in near.items()}


def rounded_parts(parts: Sequence[Part]) -> dict[int, dict[str, Fraction]]:
    """For each part, by its number, the points of its functions, which add up to the part's; parts add up too."""
    totals = hundredths({part.number: part.points for part in parts})
    return {part.number: hundredths(part.functions, totals[part.number]) for part in parts}


def rounded_now(parts: Sequence[Part], hidden: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The points of each function that public cases carry, where hidden ones have these shares of it."""
    rounded = {name: points for functions in rounded_parts(parts).values() for name, points in functions.items()}
    exact = {name: points for part in parts for name, points in part.functions.items()}
    now = {name: points for name, points in rounded.items() if not hidden.get(name)}
    shared = {name: points * (1 - hidden[name]) for name, points in exact.items() if name not in now}
    left = total(points * (1 - hidden.get(name, 0)) for name, points in exact.items()) - total(now.values())
    return now | hundredths(shared, left)


def _shares(bank: Bank) -> Iterator[tuple[list[Case], Fraction]]:
    """The cases that share points, those of a function that are hidden or that are not, and what they are worth."""
    now = rounded_now(bank.parts, {name: share for part in bank.parts for name, share in part.hidden.items()})
    for functions in rounded_parts(bank.parts).values():
        for function, points in functions.items():
            for hidden, worth in ((False, now[function]), (True, points - now[function])):
                if cases := [case for case in bank.of(function) if case.hidden is hidden and not case.advice]:
                    yield cases, worth


def as_shown(bank: Bank, credit: dict[str, Fraction]) -> dict[str, tuple[Fraction, Fraction]]:
    """What each graded case earned for its credit, and what it is worth, in hundredths.

    What a function's cases are worth adds up to its points; what they earned, all in all, to the
    score rounded down.  What passes shows its full worth, and what does not shows less.
    """
    shares, seen = list(_shares(bank)), dict[str, tuple[Fraction, Fraction]]()
    earned = {case.id: bank.worth(case) * credit[case.id] for cases, _ in shares for case in cases}
    missed = {at: cases for at, (cases, _) in enumerate(shares) if any(credit[case.id] != 1 for case in cases)}
    left = total(earned.values()) - total(worth for at, (_, worth) in enumerate(shares) if at not in missed)
    scores = hundredths({at: total(earned[case.id] for case in cases) for at, cases in missed.items()}, left)
    for at, (cases, worth) in enumerate(shares):
        full = {case.id: bank.worth(case) for case in cases if credit[case.id] == 1}
        rest = {case.id: bank.worth(case) for case in cases if credit[case.id] != 1}
        partial = {case: earned[case] for case in rest}
        score = max(Fraction(0), min(scores[at], worth - HUNDREDTH)) if rest else worth
        of = hundredths({"full": total(full.values()), "rest": total(partial.values())}, score)
        points = hundredths(partial, of["rest"])
        seen |= {case: (its_worth, its_worth) for case, its_worth in hundredths(full, of["full"]).items()}
        for case, its_worth in hundredths(rest, worth - of["full"]).items():
            seen[case] = (max(Fraction(0), min(points[case], its_worth - HUNDREDTH)), its_worth)
    return seen


def two_decimals(points: Fraction) -> float:
    """Points with two decimals, rounded down, so that almost full is not full.

    >>> two_decimals(Fraction(2, 3)), two_decimals(Fraction(3))
    (0.66, 3.0)
    """
    return int(points * 100) / 100


def shown(points: Fraction) -> str:
    """Points as a person reads them.

    >>> shown(Fraction(2, 3)), shown(Fraction(3))
    ('0.66', '3')
    """
    return f"{two_decimals(points):g}"
