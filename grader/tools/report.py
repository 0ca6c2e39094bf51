"""`make report`: the whole score sheet as one page, with the searches of its failing cases played back.

    python grader report

Writes build/report.html; the workflow does so too.  Of each function one failing search is played.
"""

import contextlib
import html
import tempfile
from collections.abc import Sequence
from pathlib import Path

from boards.cases import Case, load_bank
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.judging.status import Status
from grader.kinds.known import kind_of
from grader.kinds.playback import Playback
from grader.kit import KIT
from grader.pipe.words import harmless
from grader.refusal import Refusal
from grader.release import release_here
from grader.showing.causes import cause
from grader.showing.console import IDLE, in_words, part_rows, reminders, score_line
from grader.showing.failing import explain, points_of, to_explain
from grader.showing.layout import wrapped
from grader.showing.style import Style
from grader.tools.pages.writing import page, player
from grader.tools.trace.verb import played

REPORT = KIT / "build" / "report.html"
PLAIN = Style(colour=False, ascii_only=False, make=True)
MOST_EVENTS, SECONDS = 2_000, 5
PLAYED = (Status.FAIL, Status.PARTIAL)


def main(words: list[str], lab: Path) -> int:
    """Grade lab.py and write the page; the exit status.  Raises Refusal, and OSError for no lab.py."""
    if words:
        raise Refusal(f"make report takes no words, but got {harmless(words[0], 40)!r}")
    with Session(lab, load_bank()) as session:
        sheet = with_feedback(session.sheet(), release_here().feedback)
    write_report(sheet)
    print(f"{score_line(sheet)}. As a page: {REPORT.relative_to(KIT).as_posix()}")
    return 0


def write_report(sheet: ScoreSheet, file: Path = REPORT) -> None:
    """Write the page of a sheet."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page(f"{score_line(sheet)}", "\n".join(_body(sheet))), encoding="utf-8")


def _body(sheet: ScoreSheet) -> list[str]:
    parts = [
        (f"{part.number} {part.title}", points, later, in_words(counts))
        for part, points, later, counts in part_rows(sheet, sheet.bank.cases)
    ]
    notes = "".join(f"<li>{_text(note)}</li>" for note in reminders(sheet))
    blocks = [_table(("Part", "Points", "At the deadline", "Cases"), parts), f"<ul>{notes}</ul>" if notes else ""]
    if sheet.import_failure:
        return [*blocks, player("lab.py", wrapped(sheet.import_failure))]
    run = [case for case in sheet.bank.cases if case.id in sheet.verdicts and not case.advice]
    wrong = [case for case in run if not sheet.verdict(case).passed and sheet.verdict(case).status not in IDLE]
    for function in dict.fromkeys(case.function for case in wrong):
        case = to_explain(sheet, [case for case in wrong if case.function == function])
        lines = [*cause(sheet, function), *explain(sheet, case, sheet.verdict(case), PLAIN)]
        blocks.append(player(function, [harmless(line, 1000) for line in lines], _playback(sheet, case)))
    every = [
        (case.id, sheet.verdict(case).status.value, points_of(sheet, [case]), sheet.verdict(case).message)
        for case in sheet.bank.cases
        if not case.advice
    ]
    table = _table(("Case", "Verdict", "Points", ""), every)
    return [*blocks, f'<section class="case"><details><summary>Every case</summary>{table}</details></section>']


def _playback(sheet: ScoreSheet, case: Case) -> Playback | None:
    """The failing call of a case played back, where it is a search, and public."""
    verdict = sheet.verdict(case)
    if case.hidden or verdict.status not in PLAYED or not kind_of(case.graded).plays_back(case.calls[verdict.call]):
        return None
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(Exception):  # it is for show
        lab = Path(folder, "lab.py")
        lab.write_bytes(sheet.source)
        return played(case, verdict.call, lab, MOST_EVENTS, SECONDS)
    return None


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(text: str) -> str:
    return html.escape(harmless(text, 1000))
