"""Fills in the templates of the handout, staff/handout/, for a course.

    handout.md     the frame: how the handout begins, and where the other files go
    part0.md ...   one for each part; only the chosen parts are read
    working.md     the files, first steps, how to work, the rules
    ending.md      the survey, grading, and how the handout ends
    pages/         pages for looking things up, which become docs/ of a release

The file of a part sets variables for the other templates.  It must set the `title` of
the part, the `hours` for it (the fewest and the most), and a `word` that students type
after K=.  It may set `build`, which says what students build.  It may also set the
example of a failing case: `screen` is what `make test` prints of the case.  `reading`
is a sentence about the screen.  `debug` is the case for `make debug`, and `look` are
the names whose values students print there.
"""

import re
from pathlib import Path
from typing import Any

import jinja2

from boards.reading import BadFile
from grader.bank.cases import Bank
from grader.bank.points import Part
from grader.grading.sheet import as_points
from grader.protocol.text import plural
from staff.course import Course
from staff.course.numbers import percent

HANDOUT = Path(__file__).parent.parent / "handout"
SET_BY_PARTS = ("title", "hours", "word")
# The handout shows the failing case of one part: the first part in this list that the
# course has chosen.
LEADING = (0, 1, 2, 4)


def render_handout(context: dict[str, Any], folder: Path = HANDOUT) -> dict[str, str]:
    """Fill in the handout and its pages; return their texts.

    The key is the name of the file in a release.  Raises BadFile for a mistake in a
    template.
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
    """Reduce several empty lines in a row to one, and end the text with one line break.

    Templates leave such lines where they leave out text.
    """
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _of_all_parts(
    environment: jinja2.Environment, context: dict[str, Any], folder: Path
) -> dict[str, Any]:
    """The values that concern all chosen parts together.

    `sections` are the texts of the parts.  `hours` are the fewest and the most hours
    for all parts together.  `lead` is the section whose failing case is the example of
    the handout.  `code_parts` says whether students write any code.
    """
    sections = {
        number: _section(environment, number, context, folder)
        for number in context["parts"]
    }
    leading = [number for number in LEADING if number in sections]
    lead = [*leading, *sections][0]
    fewest = sum(section.hours[0] for section in sections.values())
    most = sum(section.hours[1] for section in sections.values())
    return {
        "sections": sections,
        "hours": (fewest, most),
        "lead": sections[lead],
        "code_parts": list(sections) != [3],
    }


def in_points(points: str) -> str:
    """A number of points, in words.

    >>> in_points("1"), in_points("2.5")
    ('1 point', '2.5 points')
    """
    if points == "1":
        return "1 point"
    return f"{points} points"


def in_hours(hours: tuple[int, int]) -> str:
    """The fewest and the most hours, in words.

    >>> in_hours((1, 1)), in_hours((2, 2)), in_hours((2, 3))
    ('1 hour', '2 hours', '2 to 3 hours')
    """
    low, high = hours
    if low < high:
        return f"{low} to {high} hours"
    return plural(high, "hour")


def _section(
    environment: jinja2.Environment, number: int, context: dict[str, Any], folder: Path
) -> Any:
    """Fill in the file of a part, and return the section of the part.

    `str` gives the text of the section.  Each value that the file sets is an attribute
    of the section.  Raises BadFile if the file, the heading of the part or a value is
    missing.  Raises the error of jinja2 if the template cannot be filled in.
    """
    file = folder / f"part{number}.md"
    if not file.is_file():
        raise BadFile(
            file,
            1,
            f"part {number} has no section; "
            f"write this file, with `## Part {number}: …` in it",
        )
    try:
        section = environment.get_template(file.name).make_module(context)
    except Exception:
        environment.handle_exception()  # raises the error with the template's lines
    if f"\n## Part {number}: " not in f"\n{section}":
        raise BadFile(
            file, 1, f"part {number} has no section; write one, `## Part {number}: …`"
        )
    for name in SET_BY_PARTS:
        if not hasattr(section, name):
            raise BadFile(
                file,
                1,
                f"the handout must know the {name} of part {number}; "
                f"write `{{% set {name} = … %}}`",
            )
    return section


def _place_of(error: Exception, folder: Path) -> tuple[Path, int]:
    """The template that cannot be filled in, and the line in it."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return Path(error.filename or folder), error.lineno
    trace = error.__traceback__
    place = (folder / "handout.md", 1)
    while trace:
        file = Path(trace.tb_frame.f_code.co_filename)
        if folder in file.parents:
            place = file, trace.tb_lineno
        trace = trace.tb_next
    return place


def handout_context(course: Course, bank: Bank) -> dict[str, Any]:
    """The values that the templates use.

    `bank` has the chosen parts and their cases, with the points of the course.
    `points_of_case(id, credit)` gives the points as `make test` prints them beside a
    case that earns this share of its points.  A case outside the bank is worth 0.
    """
    parts = bank.parts
    worth = {case.id: bank.worth(case) for case in bank.cases}

    def points_of_case(case: str, credit: float = 0) -> str:
        points = worth.get(case, 0)
        earned = as_points(int(points * credit))
        return f"   ({earned} of {as_points(points)} points)"

    total = sum(part.points for part in parts)
    later = sum(part.later(function) for part in parts for function in part.functions)
    return {
        "course": course,
        "version": course.version,
        "repository": course.repository,
        "parts": {part.number: _part(part) for part in parts},
        "total": as_points(total),
        "later": as_points(later),
        "hidden": {
            name: percent(share)
            for part in parts
            for name, share in part.hidden.items()
        },
        "answers_shown": course.show_answers,
        "points_of_case": points_of_case,
    }


def _part(part: Part) -> dict[str, Any]:
    """The values that the templates use about a part."""
    return {
        "number": part.number,
        "title": part.title,
        "points": as_points(part.points),
        "functions": {
            name: as_points(points) for name, points in part.functions.items()
        },
    }
