"""`make report`: the whole score sheet as one page, with a failing case of each function; searches are played back.

    python grader report

Writes build/report.html; the workflow does so too.
"""

import contextlib
import html
from collections.abc import Sequence
from pathlib import Path

from boards.cases import Bank, Case, load_bank
from boards.reading import write_whole
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.kinds.playback import Playback
from grader.kit import KIT
from grader.parser import refuse_words
from grader.protocol.words import harmless
from grader.release import release_here
from grader.showing.console import reminders, score_line, table_of_parts
from grader.showing.failing import can_be_played, hint, known_mistakes
from grader.showing.markdown import PLAIN, explained
from grader.showing.style import Style
from grader.tools.pages.writing import LONGEST, as_drawn, page, paragraphs, player
from grader.tools.trace import played

REPORT = KIT / "build" / "report.html"
MOST_EVENTS = 2_000


def main(words: list[str], lab: Path, bank: Bank | None = None) -> int:
    """Grade lab.py, by this kit's cases or by others, and write the page; the exit status.

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
    write_whole(file, page(f"{score_line(sheet)}", "\n".join(_body(sheet, style))).encode())


def _body(sheet: ScoreSheet, style: Style) -> list[str]:
    notes = "".join(f"<li>{_text(style.typed(note))}</li>" for note in reminders(sheet))
    blocks = [_table(table_of_parts(sheet)), f"<ul>{notes}</ul>" if notes else ""]
    if sheet.import_failure:
        return [*blocks, player("lab.py", paragraphs(sheet.import_failure))]
    for case, lines in explained(sheet, style):
        playback = _playback(sheet, case)
        blocks.append(player(case.function, _facts(sheet, case, style) if playback else as_drawn(lines), playback))
    verdicts = [(case, sheet.verdict(case)) for case in sheet.graded]
    every = [(case.id, one.status.value, str(sheet.points(case)), style.typed(one.message)) for case, one in verdicts]
    table = _table([("Case", "Verdict", "Points", ""), *every])
    return [*blocks, f'<section class="case"><details><summary>Every case</summary>{table}</details></section>']


def _facts(sheet: ScoreSheet, case: Case, style: Style) -> str:
    """What a picture does not show: the known mistake with its hint, the case, and expected beside yours."""
    verdict = sheet.verdict(case)
    known = " ".join(line.strip() for line in [*known_mistakes(sheet, case.function), *hint(sheet, case.function)])
    about = f"{verdict.status.value.upper()} {case.id} ({sheet.points(case)} points). {case.says}"
    table = _table([("", "expected", "yours"), *verdict.rows]) if verdict.rows else ""
    return paragraphs(known, about) + table + paragraphs(style.typed(verdict.message))


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
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in others)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(text: str) -> str:
    return html.escape(harmless(text, LONGEST))
