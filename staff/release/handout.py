"""The handout: the templates of staff/handout/, filled in for a course.

    handout.md     the frame: what comes first, and where the others stand
    part0.md ...   a part each, with the tools that it needs before it; only those of the chosen parts are read
    working.md     set-up, how to work, the rules
    ending.md      the survey, grading, and what comes last
    game.md ...    tools that two parts need: the first chosen part includes them
    pages/         pages beside the handout, which students look things up in: docs/ of a release

A part's file sets what the frame says of it: `title`, `hours` (fewest and most), a
`word` for K=, and if there is one a sentence on what is built, `build`, and a failing
case: its `screen`, what to `debug` it with, and the names to `look` at there.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2

from boards.reading import BadFile
from grader.bank.points import Part
from grader.grading.sheet import shown
from staff.course import Course
from staff.course.late import percent

HANDOUT = Path(__file__).parent.parent / "handout"
SET_BY_PARTS = ("title", "hours", "word")
LEADING = (2, 1, 0, 4)  # the first of these parts that is chosen shows its failing case


def render_handout(context: dict[str, Any], folder: Path = HANDOUT) -> dict[str, str]:
    """The handout and the pages beside it, by their names in a release, with these
    values filled in.

    BadFile, with file and line, for a mistake in a template.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"in_points": in_points, "in_hours": in_hours}
    pages = sorted(f"pages/{file.name}" for file in (folder / "pages").glob("*.md"))
    files = {"README.md": "handout.md"} | {
        page.replace("pages/", "docs/"): page for page in pages
    }
    try:
        values = context | _of_all_parts(environment, context, folder)
        return {
            name: _tidy(environment.get_template(template).render(values))
            for name, template in files.items()
        }
    except BadFile:
        raise
    except Exception as error:
        raise BadFile(
            *_place_of(error, folder), f"the template cannot be filled in: {error}"
        ) from None


def _tidy(text: str) -> str:
    """The text without the empty lines that a template leaves around what it left
    out.
    """
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _of_all_parts(
    environment: jinja2.Environment, context: dict[str, Any], folder: Path
) -> dict[str, Any]:
    """What the templates ask about the chosen parts together.

    `sections` are their texts, `hours` their sum, `lead` is the part whose failing case
    stands as the example, and `code_parts` says whether a student writes code at all.
    """
    sections = {
        number: _section(environment, number, context, folder)
        for number in context["parts"]
    }
    lead = next(
        (number for number in LEADING if number in sections), next(iter(sections))
    )
    return {
        "sections": sections,
        "hours": tuple(
            sum(section.hours[end] for section in sections.values()) for end in (0, 1)
        ),
        "lead": sections[lead],
        "code_parts": list(sections) != [3],
    }


def in_points(points: str) -> str:
    """
    >>> in_points("1"), in_points("2.5")
    ('1 point', '2.5 points')
    """
    return f"{points} point{'' if points == '1' else 's'}"


def in_hours(hours: tuple[int, int]) -> str:
    """
    >>> in_hours((1, 1)), in_hours((2, 3))
    ('1 hour', '2 to 3 hours')
    """
    low, high = hours
    return (
        f"{low if low == high else f'{low} to {high}'} hour{'' if high == 1 else 's'}"
    )


def _section(
    environment: jinja2.Environment, number: int, context: dict[str, Any], folder: Path
) -> Any:
    """A part of the handout: as a string its text, and what it sets as attributes."""
    file = folder / f"part{number}.md"
    if not file.is_file():
        raise BadFile(
            file,
            1,
            f"part {number} has no section; write this file, with `## Part {number}: …` in it",
        )
    try:
        section = environment.get_template(file.name).make_module(context)
    except Exception:
        environment.handle_exception()  # raises it again, with the template's own lines
    if f"\n## Part {number}: " not in f"\n{section}":
        raise BadFile(
            file, 1, f"part {number} has no section; write one, `## Part {number}: …`"
        )
    for name in SET_BY_PARTS:
        if not hasattr(section, name):
            raise BadFile(
                file,
                1,
                f"the handout must know the {name} of part {number}; write `{{% set {name} = … %}}`",
            )
    return section


def _place_of(error: Exception, folder: Path) -> tuple[Path, int]:
    """The template, and the line in it, that cannot be filled in."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return Path(error.filename or folder), error.lineno
    trace, place = error.__traceback__, (folder / "handout.md", 1)
    while trace:
        file = Path(trace.tb_frame.f_code.co_filename)
        if folder in file.parents:
            place = file, trace.tb_lineno
        trace = trace.tb_next
    return place


def handout_context(course: Course, parts: Sequence[Part]) -> dict[str, Any]:
    """The values that the handout speaks of: `parts` are the chosen ones, as the course
    counts them.
    """
    total = sum(part.points for part in parts)
    later = sum(part.later(function) for part in parts for function in part.functions)
    return {
        "course": course,
        "version": course.version,
        "repository": course.repository,
        "parts": {part.number: _part(part) for part in parts},
        "total": shown(total),
        "later": shown(later),
        "hidden": {
            name: percent(share)
            for part in parts
            for name, share in part.hidden.items()
        },
        "answers_shown": course.show_answers,
    }


def _part(part: Part) -> dict[str, Any]:
    return {
        "number": part.number,
        "title": part.title,
        "points": shown(part.points),
        "functions": {name: shown(points) for name, points in part.functions.items()},
    }
