"""`make trace`: plays a search back, the student's next to the reference search.

    python grader trace --case alphabeta/equal-bounds
    python grader trace --case alphabeta/equal-bounds --call 2 --plain 1

Writes build/trace/NAME.html and opens it.  With `--plain 1` the terminal lists every
step in a line, for ssh and screen readers.  The exit status is 1 if nothing can be
played back, and 2 for a bad word.
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
from grader.judging.sentences import sentence_for_import
from grader.kinds.kind import kind_of
from grader.kinds.playback import NOWHERE, RETURNED, Playback
from grader.kit import KIT
from grader.parser import Parser
from grader.protocol.plain import Garbled
from grader.refusal import Refusal
from grader.release import release_here
from grader.showing.style import indented
from grader.tools.named import find_call
from grader.tools.pages.writing import as_code, page, paragraphs, player, show
from grader.tools.screen import Screen
from grader.tools.student import CannotPlay

MOST_EVENTS, SECONDS = 20_000, 5
USAGE = "make trace takes a CASE=, such as alphabeta/equal-bounds, and CALL=2 for its second call"


def main(words: list[str], lab: Path, bank: Bank | None = None) -> int:
    """Play a search back; the exit status.  Raises Refusal, and OSError for no
    lab.py.
    """
    parser = Parser("trace", USAGE)
    parser.add_argument("--case", metavar="NAME")
    parser.add_argument("--call", metavar="NUMBER")
    parser.add_argument("--plain", metavar="1")
    options = vars(parser.parse_args(words))
    case, at = find_call(options, bank, USAGE)
    screen = Screen.of_terminal()
    try:
        playback, at = played(case, lab, at if "call" in options else None)
    except CannotPlay as failed:
        screen.say(str(failed))
        return 1
    heading, says, call = about(case, at)
    name = re.sub(r"\W+", "-", heading.replace(" of ", "-"))
    file = KIT / "build" / "trace" / f"{name}.html"
    write_whole(file, trace_page(case, at, playback).encode())
    screen.tell("\n".join([heading, *indented(says), *indented(call), ""]))
    if "plain" in options:
        for line in in_words(playback):
            screen.say(line, indent=" " * 6)
        screen.tell("")
    if playback.mark:
        screen.say(playback.mark[1])
    show(file, screen)
    return 0


def about(case: Case, at: int) -> tuple[str, str, str]:
    """A heading for a call of a case, what the case is about, and the call in
    Python.
    """
    which = f", call {at + 1} of {len(case.calls)}" if len(case.calls) > 1 else ""
    return (
        f"{case.id}{which}",
        case.says,
        kind_of(case.graded).signature(case.calls[at]),
    )


def trace_page(case: Case, at: int, playback: Playback) -> str:
    """The page on which a call of a case is played back."""
    heading, says, call = about(case, at)
    return page(
        "A search played back",
        player(heading, paragraphs(says) + as_code(call), playback),
    )


def played(
    case: Case, lab: Path, at: int | None = None, most: int = MOST_EVENTS
) -> tuple[Playback, int]:
    """What lab.py does in a call of a case, and which call that is: by default the
    first that is not right.

    Raises CannotPlay, and Refusal for a case that cannot be played back.
    """
    kind = kind_of(case.graded)
    if not kind.plays_back(case.calls[at or 0]):
        instead = (
            "; make debug steps into it" if kind.pasted(case.calls[at or 0]) else ""
        )
        raise Refusal(f"{case.id} cannot be played back{instead}")
    source = read_lab(lab)
    with contextlib.closing(Runs(lab)) as runs:
        if not runs.loaded.imported:
            raise CannotPlay(sentence_for_import(runs.loaded, what_ails(source)))
        timed = dataclasses.replace(
            traced(case, most), seconds=max(SECONDS, case.seconds)
        )
        answer = runs.alone(timed)
    verdict = judge(timed, answer, release_here())
    if at is None:
        at = verdict.call if release_here().feedback != "verdict" else 0
    with contextlib.suppress(
        Garbled, LookupError
    ):  # if the call did not end, or if lab.py forged this
        if playback := kind.playback(case.calls[at], kind.read(answer.outcomes[at])):
            if (
                answer.raised and answer.raised.type != "Enough"
            ):  # that ends a search which goes on for too long
                playback = dataclasses.replace(
                    playback, mark=(_where_raised(playback), verdict.message)
                )
            return playback, at
    raise CannotPlay(
        verdict.message
        or f"Nothing was seen of {case.function} that can be played back."
    )


def _where_raised(playback: Playback) -> int:
    """The node where a search raised something; NOWHERE if it had gone another way
    before that.

    After that nothing happens but that calls end.
    """
    steps = next(iter(playback.sides.values()))[playback.in_common :]
    only_ends = all(step.what == RETURNED for step in steps)
    return steps[0].node if steps and only_ends else NOWHERE


def in_words(playback: Playback) -> list[str]:
    """The steps, in a line each: once while all searches do the same, and from there on
    those of each search alone.
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
