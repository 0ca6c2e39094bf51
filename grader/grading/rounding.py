"""Points as people read them: in hundredths, and so that what is shown adds up to what is shown."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from boards.cases import Bank, Case, Part

HUNDREDTH = Fraction(1, 100)


def total(amounts: Iterable[Fraction]) -> Fraction:
    """The sum of amounts, exactly."""
    return sum(amounts, Fraction(0))


def hundredths(amounts: Sequence[Fraction], to: Fraction | None = None) -> list[Fraction]:
    """Amounts in whole hundredths that add up to `to`, or to their own sum rounded down.

    Each is rounded down or up; up goes what loses most by rounding down (the largest remainder).

    >>> [float(each) for each in hundredths([Fraction(2, 3), Fraction(1, 3), Fraction(2, 3), Fraction(1, 3)])]
    [0.67, 0.33, 0.67, 0.33]
    """
    near = [int(amount * 100) for amount in amounts]
    left_over = int((total(amounts) if to is None else to) * 100) - sum(near)
    most_lost_first = sorted(range(len(amounts)), key=lambda index: near[index] - amounts[index] * 100)
    in_turn = itertools.cycle(most_lost_first if left_over > 0 else reversed(most_lost_first))
    for index in itertools.islice(in_turn, abs(left_over)):
        near[index] += 1 if left_over > 0 else -1
    return [each * HUNDREDTH for each in near]


def rounded_parts(parts: Sequence[Part]) -> dict[int, dict[str, Fraction]]:
    """For each part, by its number, the points of its functions, which add up to the part's; parts add up too."""
    totals = hundredths([part.points for part in parts])
    rounded = {}
    for part, points in zip(parts, totals, strict=True):
        shares = hundredths(list(part.functions.values()), points)
        rounded[part.number] = dict(zip(part.functions, shares, strict=True))
    return rounded


def rounded_now(parts: Sequence[Part], hidden: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The points of each function that public cases carry, where hidden ones have these shares of it."""
    rounded = {name: points for functions in rounded_parts(parts).values() for name, points in functions.items()}
    exact = {name: points for part in parts for name, points in part.functions.items()}
    now = {name: points for name, points in rounded.items() if not hidden.get(name)}
    shared = {name: points * (1 - hidden[name]) for name, points in exact.items() if name not in now}
    left = total(points * (1 - hidden.get(name, 0)) for name, points in exact.items()) - total(now.values())
    return now | dict(zip(shared, hundredths(list(shared.values()), left), strict=True))


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
    shares, seen = list(_shares(bank)), {}
    earned = {case.id: bank.worth(case) * credit[case.id] for cases, _ in shares for case in cases}
    missed = [cases for cases, _ in shares if any(credit[case.id] != 1 for case in cases)]
    left = total(earned.values()) - total(worth for cases, worth in shares if cases not in missed)
    scores = hundredths([total(earned[case.id] for case in cases) for cases in missed], left)
    for cases, worth in shares:
        full = [case for case in cases if credit[case.id] == 1]
        rest = [case for case in cases if credit[case.id] != 1]
        score = max(Fraction(0), min(scores.pop(0), worth - HUNDREDTH)) if rest else worth
        partial = [earned[case.id] for case in rest]
        of_full, of_rest = hundredths([total(map(bank.worth, full)), total(partial)], score)
        for case, its_worth in zip(full, hundredths(list(map(bank.worth, full)), of_full), strict=True):
            seen[case.id] = (its_worth, its_worth)
        worths = hundredths(list(map(bank.worth, rest)), worth - of_full)
        for case, points, its_worth in zip(rest, hundredths(partial, of_rest), worths, strict=True):
            seen[case.id] = (max(Fraction(0), min(points, its_worth - HUNDREDTH)), its_worth)
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
