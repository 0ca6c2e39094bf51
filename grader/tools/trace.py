"""`make trace`: replays a student's search next to the reference search.

    python grader trace --case alphabeta/equal-bounds
    python grader trace --case alphabeta/equal-bounds --call 2 --plain 1

The page is build/trace/NAME.html.  If there is a desktop, `make trace` opens the page.
With `--plain 1`, the command also prints every step as a line on the terminal, for
people who use ssh or a screen reader.  The exit status is 1 if lab.py leaves nothing to
replay.  It is 2 if a word is wrong, or if cases of this kind cannot be replayed.
"""

import contextlib
import dataclasses
import re
from pathlib import Path

from boards.reading import write_whole
from grader.bank.cases import Bank, Case
from grader.grading.diagnosis import traced
from grader.grading.judge import judge
from grader.grading.runs import Runs
from grader.grading.source import read_lab, what_ails
from grader.kinds.kind import kind_of
from grader.kinds.playback import NOWHERE, RETURNED, Playback
from grader.kit import KIT
from grader.parser import Parser
from grader.protocol.plain import Garbled
from grader.refusal import Refusal
from grader.release import read_release
from grader.showing.style import indented
from grader.tools.named import add_case_and_call, find_call, heading_of
from grader.tools.pages.writing import as_code, page, paragraphs, section, show
from grader.tools.screen import Screen
from grader.tools.student import CannotPlay
from grader.verdicts.sentences import sentence_for_import

MOST_IN_TRACE = 20_000  # events
SECONDS = 5  # of CPU; the call gets at least so many
USAGE = (
    "make trace takes a CASE=, such as alphabeta/equal-bounds, "
    "and CALL=2 for its second call"
)


def main(words: list[str], lab: Path, bank: Bank | None = None) -> int:
    """Replay a search, and return the exit status.

    Raises Refusal for wrong words or a case that cannot be replayed, and OSError if
    lab.py cannot be read.
    """
    parser = Parser("trace", USAGE, lab)
    add_case_and_call(parser)
    parser.add_switch("PLAIN", "each step on its own line, for ssh and screen readers")
    options = parser.read(words)
    case, at = find_call(options.case, options.call, bank)
    screen = Screen.of_terminal()
    try:
        playback, at = played(case, options.lab, at if options.call else None)
    except CannotPlay as failed:
        screen.say(str(failed))
        return 1
    heading = heading_of(case, at)
    call = kind_of(case.graded).signature(case.calls[at])
    name = re.sub(r"\W+", "-", heading.replace(" of ", "-"))
    file = KIT / "build" / "trace" / f"{name}.html"
    write_whole(file, trace_page(case, at, playback).encode())
    screen.tell("\n".join([heading, *indented(case.says), *indented(call), ""]))
    if options.plain:
        for line in in_words(playback):
            screen.say(line, indent=" " * 6)
        screen.tell("")
    if playback.mark:
        screen.say(playback.mark[1])
    show(file, screen)
    return 0


def trace_page(case: Case, at: int, playback: Playback) -> str:
    """Return the page that replays a call of a case, as HTML."""
    call = as_code(kind_of(case.graded).signature(case.calls[at]))
    body = section(heading_of(case, at), paragraphs(case.says) + call, playback)
    return page("A search replayed", body)


def played(
    case: Case, lab: Path, at: int | None = None, most: int = MOST_IN_TRACE
) -> tuple[Playback, int]:
    """Run a case, and have the child record its calls.  Return the playback of one of
    these calls, and the index of that call.

    `at` is the index of the call.  None means the call that decides the verdict, or the
    first call if the course shows only verdicts.  A search is stopped after `most`
    events.

    Raises Refusal if the kind of the case cannot play this call back, or if the file is
    not a lab.py.  Raises OSError if the file cannot be read.  Raises CannotPlay if
    lab.py cannot be imported, or if the child recorded nothing that can be replayed.
    """
    kind = kind_of(case.graded)
    call = case.calls[at or 0]
    if not kind.plays_back(call):
        instead = ""
        if kind.pasted(call):
            instead = f"; make debug CASE={case.id} steps into it"
        raise Refusal(f"{case.id} cannot be replayed{instead}")
    source = read_lab(lab)
    with contextlib.closing(Runs(lab)) as runs:
        if not runs.loaded.imported:
            raise CannotPlay(sentence_for_import(runs.loaded, what_ails(source)))
        timed = dataclasses.replace(
            traced(case, most), seconds=max(SECONDS, case.seconds)
        )
        answer = runs.alone(timed)
    verdict = judge(timed, answer, read_release())
    if at is None:
        at = verdict.call if read_release().feedback != "verdict" else 0
    playback = None
    # If the call did not end, it has no outcome.  lab.py may also have forged its
    # outcome.
    with contextlib.suppress(Garbled, LookupError):
        playback = kind.playback(case.calls[at], kind.read(answer.outcomes[at]))
    if playback is None:
        nothing = f"Nothing of {case.function} was seen that could be replayed."
        raise CannotPlay(verdict.message or nothing)
    if answer.raised and playback.is_complete:
        mark = _where_raised(playback), verdict.message
        playback = dataclasses.replace(playback, mark=mark, shown_by=None)
    return playback, at


def _where_raised(playback: Playback) -> int:
    """Return the number of the node at which a student's search raised an exception.

    Return NOWHERE if the search had left the steps of the reference search before the
    exception.  That is so if, after the last step that both searches have in common,
    the student's search does anything else than end its open calls.  Also return
    NOWHERE if the student's search has no step after that one.
    """
    steps = next(iter(playback.sides.values()))[playback.in_common :]
    only_ends = all(step.what == RETURNED for step in steps)
    return steps[0].node if steps and only_ends else NOWHERE


def in_words(playback: Playback) -> list[str]:
    """Return the steps of all searches, each as a line.

    First come the steps that all searches have in common.  After them come the other
    steps of each search.
    """
    lines = list[str]()
    for name, steps in playback.sides.items():
        numbered = [
            f"{number:4}  {step.words}" for number, step in enumerate(steps, start=1)
        ]
        lines = lines or numbered[: playback.in_common]
        if alone := numbered[playback.in_common :]:
            lines += [f"{name.capitalize()}, from here on:", *alone]
    return lines
