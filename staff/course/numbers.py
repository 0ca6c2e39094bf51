"""Numbers as people read them: points with two decimals, and shares as percent."""

from fractions import Fraction


def decimals(points: Fraction | None) -> str:
    """Return points with both decimals; an empty text for None.

    >>> decimals(Fraction(25, 2)), decimals(None)
    ('12.50', '')
    """
    return "" if points is None else f"{float(points):.2f}"


def percent(share: Fraction) -> str:
    """Return a share as percent.

    >>> percent(Fraction(1, 8))
    '12.5%'
    """
    return f"{float(share * 100):g}%"
