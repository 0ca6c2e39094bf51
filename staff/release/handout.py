"""The handout: staff/handout.md, filled in for a course."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import jinja2

from boards.points import Part
from boards.reading import BadFile
from grader.grading.rounding import rounded_now, rounded_parts, shown
from staff.course import Course, percent

HANDOUT = Path(__file__).parent.parent / "handout.md"


def render_handout(context: dict[str, Any], file: Path = HANDOUT) -> str:
    """The handout with these values filled in.  BadFile, with file and line, for a mistake in it."""
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    try:
        return environment.from_string(file.read_text(encoding="utf-8")).render(context)
    except jinja2.TemplateSyntaxError as error:
        raise BadFile(file, error.lineno, f"{error.message}") from None
    except Exception as error:
        raise BadFile(file, _line_of(error), f"the template cannot be filled in: {error}") from None


def _line_of(error: Exception) -> int:
    """The line of the template in which a value was asked for."""
    trace, line = error.__traceback__, 1
    while trace:
        if trace.tb_frame.f_code.co_filename == "<template>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def handout_context(course: Course, parts: tuple[Part, ...], hidden: dict[str, Fraction]) -> dict[str, Any]:
    """The values that the handout speaks of: `parts` are the chosen ones, as the release counts them."""
    rounded = rounded_parts(parts)
    total = sum((points for functions in rounded.values() for points in functions.values()), Fraction(0))
    later = total - sum(rounded_now(parts, hidden).values(), Fraction(0))
    return {
        "course": course,
        "version": course.version,
        "repository": course.repository,
        "parts": {
            part.number: {
                "number": part.number,
                "title": part.title,
                "points": shown(sum(rounded[part.number].values(), Fraction(0))),
                "functions": {name: shown(points) for name, points in rounded[part.number].items()},
            }
            for part in parts
        },
        "total": shown(total),
        "later": shown(later),
        "hidden": {name: percent(share) for name, share in hidden.items()},
        "answers_shown": course.show_answers,
    }
