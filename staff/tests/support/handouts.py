"""The handout of any course, and what stands in its code blocks: for the tests."""

import dataclasses
import functools
import itertools
import re
from fractions import Fraction
from typing import Any

from grader.bank.points import Part
from staff.course import read_course
from staff.release.handout import handout_context, render_handout
from staff.strict.bank import public_bank
from staff.tests.support.masters import COURSE

PARTS = (0, 1, 2, 3, 4)
SUBSETS = [
    chosen for size in range(1, 6) for chosen in itertools.combinations(PARTS, size)
]


def rendered(parts: tuple[int, ...] = PARTS, **more: Any) -> str:
    """The handout and its pages, one after the other."""
    return "\n".join(rendered_files(parts, **more).values())


@functools.cache
def rendered_files(
    parts: tuple[int, ...] = PARTS,
    feedback: str = "full",
    answers: bool = True,
    hidden: tuple[tuple[str, Fraction], ...] = (),
    hand_in: str = "GitHub",
) -> dict[str, str]:
    """The handout and its pages, by name; `hidden` are functions, and the share of
    their points in hidden cases.
    """
    decisions: dict[str, Any] = {
        "parts": parts,
        "feedback": feedback,
        "show_answers": answers,
        "hand_in": hand_in,
    }
    course = dataclasses.replace(read_course(COURSE), **decisions)
    bank = public_bank()
    chosen = (part for part in bank.parts if part.number in parts)
    chosen_parts = tuple(with_hidden(part, dict(hidden)) for part in chosen)
    return render_handout(
        handout_context(course, dataclasses.replace(bank, parts=chosen_parts))
    )


def with_hidden(part: Part, shares: dict[str, Fraction]) -> Part:
    """The part with these shares of its functions' points in hidden cases."""
    return dataclasses.replace(
        part,
        hidden={
            name: share for name, share in shares.items() if name in part.functions
        },
    )


def blocks(language: str, text: str) -> list[str]:
    """What stands in the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


WHOLE = rendered()
