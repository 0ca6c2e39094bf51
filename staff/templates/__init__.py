"""Fills in the templates of texts and pages about a class.

Every other file in this folder is a template.
"""

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import jinja2

from grader.protocol.text import plural
from grader.refusal import as_typed
from grader.showing.markdown import fenced, inert
from staff.course.numbers import decimals, percent
from staff.course.standing import Timing

WIDTH = 79  # columns of a line that make collect and make similar print
MOST_LINES = 3  # lines of the screen for one sentence

_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent),
    autoescape=jinja2.select_autoescape(["html"]),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


def in_lines(names: Sequence[str], common: str) -> str:
    """Say how many names share something, and list as many names as fit into three
    lines.

    `common` says what they share, as in `on time`.
    """
    return in_lines_of_text(f"{len(names):5} {common}: {', '.join(names)}")


def in_lines_of_text(text: str) -> str:
    """Fold a sentence into at most three lines.

    A longer sentence is cut, and then ends with `and more`.
    """
    return fill(
        text,
        WIDTH,
        subsequent_indent=" " * 6,
        max_lines=MOST_LINES,
        placeholder=" and more",
        break_on_hyphens=False,
    )


_TEMPLATES.filters |= {
    "as_typed": as_typed,
    "decimals": decimals,
    "fenced": fenced,
    "in_lines": in_lines,
    "in_lines_of_text": in_lines_of_text,
    "inert": inert,
    "percent": percent,
    "plural": plural,
}
_TEMPLATES.globals["Timing"] = Timing


def rendered(template: str, **values: Any) -> bytes:
    """Fill in a template with these values.  In HTML, the values are escaped."""
    text = _TEMPLATES.get_template(template).render(values)
    return text.encode("utf-8", "backslashreplace")
