"""`make report`: the whole score sheet as one page, with a failing case of each
function; searches are played back.

    python grader report

Writes build/report.html; the workflow does so too.
"""

import contextlib
import html
from collections.abc import Sequence
from pathlib import Path

from boards.reading import write_whole
from grader.bank.cases import Bank, Case
from grader.bank.reading import load_bank
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.kinds.kind import kind_of
from grader.kinds.playback import Playback
from grader.kit import KIT
from grader.parser import refuse_words
from grader.protocol.words import harmless, harmless_lines
from grader.release import release_here
from grader.showing.console import NOTHING_GRADED, reminders, score_line, table_of_parts
from grader.showing.excerpt import unreadable_shown
from grader.showing.failing import NOTHING_KNOWN, can_be_played
from grader.showing.markdown import PLAIN, explained
from grader.showing.style import Style
from grader.tools.pages.writing import (
    LONGEST,
    as_code,
    as_drawn,
    labelled,
    page,
    paragraphs,
    player,
)
from grader.tools.trace import played

REPORT = KIT / "build" / "report.html"
MOST_EVENTS = 2_000
MOST_PRINTED = 200  # lines


def main(words: list[str], lab: Path, bank: Bank | None = None) -> int:
    """Grade lab.py, by this kit's cases or by others, and write the page; the exit
    status.

    Raises Refusal for words that it does not take, and OSError for no lab.py.
    """
    refuse_words("report", words)
    with Session(lab, bank or load_bank()) as session:
        sheet = with_feedback(session.sheet(), release_here().feedback)
    write_report(sheet, style=Style(colour=False, ascii_only=False))
    print(f"{score_line(sheet)}. As a page: {REPORT.relative_to(KIT).as_posix()}")
    return 0


def write_report(sheet: ScoreSheet, file: Path = REPORT, style: Style = PLAIN) -> None:
    """Write the page of a sheet, with commands as this style shows them."""
    write_whole(
        file, page(f"{score_line(sheet)}", "\n".join(_body(sheet, style))).encode()
    )


def _body(sheet: ScoreSheet, style: Style) -> list[str]:
    notes = "".join(f"<li>{_text(style.typed(note))}</li>" for note in reminders(sheet))
    blocks = [_table(table_of_parts(sheet)), f"<ul>{notes}</ul>" if notes else ""]
    if sheet.import_failure:
        code = unreadable_shown(sheet.source)
        shown = as_drawn(code) if code else ""
        return [
            *blocks,
            player(
                "lab.py",
                paragraphs(sheet.import_failure) + shown + paragraphs(NOTHING_GRADED),
            ),
        ]
    for case, _ in explained(sheet, style):
        playback = _playback(sheet, case)
        blocks.append(
            player(
                case.function,
                _known(sheet, case.function) + _facts(sheet, case, style, playback),
                playback,
            )
        )
    verdicts = [(case, sheet.verdict(case)) for case in sheet.graded]
    every = [
        (case.id, one.status.value, str(sheet.points(case)), style.typed(one.message))
        for case, one in verdicts
    ]
    table = _table([("Case", "Verdict", "Points", "What is wrong"), *every])
    return [
        *blocks,
        f'<section class="case"><details><summary>Every case</summary>{table}</details></section>',
    ]


def _known(sheet: ScoreSheet, function: str) -> str:
    """The known mistake that fits all of a function's failing cases, the hint and the
    question, a paragraph each.

    If two mistakes fit, only their questions help.
    """
    names = sheet.diagnoses.get(function, NOTHING_KNOWN).names
    label = (
        "A known mistake fits every failing case:"
        if len(names) == 1
        else "Two known mistakes fit every failing case:"
    )
    mistakes = (
        f"{function} {'; or it '.join(each.name for each in names)}." if names else ""
    )
    hint = labelled("Hint:", names[0].hint) if len(names) == 1 else ""
    questions = [labelled("Ask yourself:", each.question) for each in names]
    return "".join([labelled(label, mistakes), hint, *questions])


def _facts(
    sheet: ScoreSheet, case: Case, style: Style, playback: Playback | None
) -> str:
    """The case, its call, expected beside yours, and the place.  A playback shows the
    call and the place itself.
    """
    verdict, known = (
        sheet.verdict(case),
        sheet.diagnoses.get(case.function, NOTHING_KNOWN),
    )
    here = known if known.case == case.id else NOTHING_KNOWN
    title = f"{case.id} ({sheet.points(case)} points)."
    blocks = [labelled(verdict.status.value.upper(), f"{title} {case.says}")]
    if playback:
        blocks.append(as_code(kind_of(case.graded).signature(case.calls[verdict.call])))
    else:
        blocks.append(
            as_drawn(style.typed(here.picture or verdict.picture).splitlines())
        )
    if verdict.rows:
        blocks.append(_table([("", "expected", "yours"), *verdict.rows]))
    if not (
        playback and playback.mark and playback.mark[1] == verdict.message
    ):  # which then stands beside the mark
        blocks.append(paragraphs(style.typed(verdict.message)))
    if here.where and not playback:
        sides = [
            (word, text)
            for word, text in (("yours", here.yours), ("expected", here.expected))
            if text
        ]
        blocks.append(
            labelled(
                f"{here.where}:", "; ".join(f"{word}: {text}" for word, text in sides)
            )
        )
    blocks.append(paragraphs(here.note))
    if printed := harmless_lines(verdict.printed, MOST_PRINTED):
        at_the_end = (
            ", at the end" if len(verdict.printed.splitlines()) > MOST_PRINTED else ""
        )
        blocks += [paragraphs(f"It printed{at_the_end}:"), as_drawn(printed)]
    if not case.hidden:
        blocks.append(
            f"<p>This case alone: <code>{_text(style.command(k=case.id))}</code></p>\n"
        )
    return "".join(blocks)


def _playback(sheet: ScoreSheet, case: Case) -> Playback | None:
    """The failing call of a case played back, if it is a search, and public."""
    verdict = sheet.verdict(case)
    if can_be_played(case, verdict):
        with contextlib.suppress(Exception):  # it is for show
            return played(case, Path(sheet.lab), verdict.call, MOST_EVENTS)[0]
    return None


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    """A table; the first row has the heads."""
    heads, *others = rows
    head = "".join(
        f'<th scope="col">{name}</th>' if name else "<td></td>" for name in heads
    )
    body = "".join(
        f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>"
        for row in others
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(text: str) -> str:
    return html.escape(harmless(text, LONGEST))
