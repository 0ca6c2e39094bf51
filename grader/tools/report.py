"""`make report`: writes the whole score sheet as a page.  For each function that fails,
the page explains one failing case.

If the kit can replay the failing case, which is mostly so for a search, the page
replays it.  The page is build/report.html.  The workflow on GitHub writes this page
too.
"""

import contextlib
import html
from collections.abc import Sequence
from pathlib import Path

from boards.reading import write_whole
from grader.bank.cases import Bank, Case
from grader.bank.reading import load_bank
from grader.grading.feedback import with_feedback
from grader.grading.session import grade
from grader.grading.sheet import ScoreSheet
from grader.kinds.kind import kind_of
from grader.kinds.playback import Playback
from grader.kit import KIT
from grader.parser import Parser
from grader.protocol.text import harmless
from grader.showing.console import NOTHING_GRADED, reminders, score_line, table_of_parts
from grader.showing.excerpt import unreadable_shown
from grader.showing.failing import can_be_played, known_here, known_mistake, printed
from grader.showing.markdown import PLAIN, to_show
from grader.showing.style import Style
from grader.tools.pages.writing import (
    LONGEST,
    as_code,
    as_drawn,
    labelled,
    page,
    paragraphs,
    section,
)
from grader.tools.trace import played

REPORT = KIT / "build" / "report.html"
MOST_IN_REPORT = 2_000  # events of each search
MOST_PRINTED = 200  # lines


def main(words: list[str], lab: Path, bank: Bank | None = None) -> int:
    """Grade lab.py, write the page, and return the exit status.

    If `bank` is given, its cases replace those of this kit.  Raises Refusal for wrong
    words or a file that is not a lab.py, and OSError if lab.py cannot be read.
    """
    lab = (
        Parser("report", "make report takes only options, such as LAB=file", lab)
        .read(words)
        .lab
    )
    sheet = with_feedback(grade(lab, bank or load_bank()))
    write_report(sheet, style=Style(colour=False, ascii_only=False))
    page = REPORT.relative_to(KIT).as_posix()
    print(f"{score_line(sheet)}. Open in a browser: {page}")
    return 0


def write_report(sheet: ScoreSheet, file: Path = REPORT, style: Style = PLAIN) -> None:
    """Write the page about a score sheet.

    `style` decides in which form the page shows commands.
    """
    body = "\n".join(_body(sheet, style))
    write_whole(file, page(score_line(sheet), body).encode())


def _body(sheet: ScoreSheet, style: Style) -> list[str]:
    """Return the blocks of the page as HTML, from the top of the page.

    They are the table of the parts, the reminders, a failing case of each function that
    fails, and the table of all cases.  If lab.py cannot be imported, a block that says
    why replaces the failing cases and the table of all cases.
    """
    remarks = paragraphs(*map(style.typed, reminders(sheet)))
    blocks = [_table(table_of_parts(sheet)), remarks]
    if sheet.import_failure:
        return [*blocks, _not_imported(sheet)]
    for case in to_show(sheet):
        playback = _playback(sheet, case)
        facts = _facts(sheet, case, style, playback)
        blocks.append(section(case.function, facts, playback))
    return [*blocks, _every_case(sheet, style)]


def _not_imported(sheet: ScoreSheet) -> str:
    """Return the section that says why lab.py cannot be imported.

    If Python cannot read the text of lab.py, the section also shows that place.
    """
    code = unreadable_shown(sheet.source)
    drawn = as_drawn(code) if code else ""
    why = paragraphs(sheet.import_failure or "")
    return section("lab.py", why + drawn + paragraphs(NOTHING_GRADED))


def _every_case(sheet: ScoreSheet, style: Style) -> str:
    """Return the table of all graded cases as HTML.

    The page shows only the heading of the table, until somebody clicks on it.
    """
    rows = [("Case", "Verdict", "Points", "Remarks")]
    for case in sheet.graded:
        verdict = sheet.verdict(case)
        points = str(sheet.points(case))
        message = style.typed(verdict.message)
        rows.append((case.id, verdict.status.value, points, message))
    return (
        '<section class="case"><details><summary>Every case</summary>'
        f"{_table(rows)}</details></section>"
    )


def _facts(
    sheet: ScoreSheet, case: Case, style: Style, playback: Playback | None
) -> str:
    """Return what the page says about a failing case.

    That is the verdict, the call, what is expected beside what came back, the message
    of the verdict, the place where the code goes wrong or else a note, the known
    mistake, and what lab.py printed.  For a public case, the command that runs only
    this case comes last.  If there is a playback, the call is not drawn and the place
    is not named, because the playback shows both.  The message is left out if the
    playback says the same.
    """
    verdict = sheet.verdict(case)
    here = known_here(sheet, case)
    title = f"{case.id} ({sheet.points(case)} points)."
    blocks = [labelled(verdict.status.value.upper(), f"{title} {case.says}")]
    if playback:
        blocks.append(as_code(kind_of(case.graded).signature(case.calls[verdict.call])))
    else:
        picture = style.typed(here.picture or verdict.picture)
        blocks.append(as_drawn(picture.splitlines()))
    if verdict.rows:
        blocks.append(_table([("", "expected", "yours"), *verdict.rows]))
    marked = playback.mark[1] if playback and playback.mark else ""
    if marked != verdict.message:
        blocks.append(paragraphs(style.typed(verdict.message)))
    if here.where and not playback:
        sides = {"yours": here.yours, "expected": here.expected}
        given = [f"{name}: {text}" for name, text in sides.items() if text]
        blocks.append(labelled(f"{here.where}:", "; ".join(given)))
    blocks.append(paragraphs(here.note))
    blocks += [labelled(*text) for text in known_mistake(sheet, case.function)]
    label, lines = printed(verdict, MOST_PRINTED)
    if lines:
        blocks += [paragraphs(label), as_drawn(lines)]
    if not case.hidden:
        command = _text(style.command(k=case.id))
        blocks.append(f"<p>Run only this case: <code>{command}</code></p>\n")
    return "".join(blocks)


def _playback(sheet: ScoreSheet, case: Case) -> Playback | None:
    """Return the playback of the call that decided the verdict, if the call can be
    played back.

    Return None if the call cannot be played back.  If making the playback raises an
    exception, return None too, because a page without a playback is better than no
    page.
    """
    verdict = sheet.verdict(case)
    if can_be_played(case, verdict):
        with contextlib.suppress(Exception):
            return played(case, Path(sheet.lab), verdict.call, MOST_IN_REPORT)[0]
    return None


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    """Return a table as HTML.  The first of its rows has the titles of the columns."""
    heads, *others = rows
    head = "".join(map(_head, heads))
    body = ""
    for row in others:
        cells = "".join(f"<td>{_text(cell)}</td>" for cell in row)
        body += f"<tr>{cells}</tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _head(name: str) -> str:
    """Return the cell above a column as HTML.  The cell is empty if the column has no
    title.
    """
    return f'<th scope="col">{name}</th>' if name else "<td></td>"


def _text(text: str) -> str:
    """Return a text as HTML.  The text may come from a student."""
    return html.escape(harmless(text, LONGEST))
