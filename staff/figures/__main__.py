"""`make figures`: measures, prints the results, and writes docs/figures.md."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.bank.reading import load_bank
from grader.cli import enter
from grader.parser import Parser
from grader.protocol.text import plural
from grader.refusal import Refusal, like, tell
from staff.course import read_course
from staff.figures import fresh, measured, own
from staff.figures.counting import Share, counted
from staff.figures.mutants import Change, Mutant, mutants
from staff.figures.outcome import Outcome, Submission, outcomes
from staff.figures.page import Figures, page
from staff.figures.reasons import REASONS, read_reasons
from staff.model import MODEL


def main(words: list[str]) -> int:
    """Measure what the words ask for; return the exit status.

    The status is 1 if a mutant keeps a full score although reasons.yaml gives no
    reason.  Raises Refusal.
    """
    parser = Parser("figures", "usage: make figures [FRESH=folder] [ARGS=functions]")
    parser.add_argument(
        "functions",
        nargs="*",
        help="only mistakes in these functions; docs/figures.md is not written",
    )
    parser.add_argument(
        "--fresh",
        type=Path,
        help="a folder of new mistakes, made by somebody who has not seen the known ones",
    )
    options = parser.read(words)
    graded = [function.name for function in load_bank().functions]
    functions = _chosen(options.functions, graded)
    reasons = read_reasons()
    if options.fresh:
        measure_fresh_ones(options.fresh, graded, functions)
    all_mutants = mutants(MODEL.read_text("utf-8"), graded, functions)
    of_mutants = outcomes([_as_submission(mutant) for mutant in all_mutants], "mutants")
    full = [
        mutant.change
        for mutant, outcome in zip(all_mutants, of_mutants, strict=True)
        if not outcome.lost
    ]
    without_reason = [change for change in full if change not in reasons]
    explained = {change for change in reasons if change.function in functions}
    _tell_of_mutants(of_mutants)
    _tell_of_reasons(full, without_reason, explained)
    if not options.functions:
        figures = Figures(
            measured.here(),
            of_mutants,
            reasons={change: reasons[change] for change in full if change in reasons},
            without_reason=without_reason,
            incorrect=outcomes(list(own.incorrect()), "incorrect submissions"),
            correct=outcomes(list(own.correct()), "correct submissions"),
            fresh=fresh.kept(),
        )
        measured.PAGE.write_text(page(figures), "utf-8")
        print(f"wrote docs/{measured.PAGE.name}")
    if without_reason:
        return 1
    return 0


def measure_fresh_ones(
    folder: Path, graded: Sequence[str], functions: Sequence[str]
) -> None:
    """Grade the mistakes in a folder, write their screens, and count the verdicts.

    A person reads the screens and writes the verdicts.  The results are kept only if
    all mistakes in the folder were graded, and a person has read all their screens.
    Raises BadFile.
    """
    mistakes = fresh.read_mistakes(folder, graded)
    verdicts = fresh.read_verdicts(folder, mistakes)
    chosen = [mistake for mistake in mistakes if mistake.function in functions]
    graded_ones = outcomes(
        [fresh.submission(folder, mistake) for mistake in chosen], "fresh mistakes"
    )
    fresh.write_screens(folder, graded_ones)
    results = _results(chosen, graded_ones, verdicts)
    unread = fresh.unread(folder, chosen, verdicts)
    screens = plural(len(unread), "screen")
    print(f"{plural(len(chosen), 'fresh mistake')}; {screens} to read:")
    print(_line("named or located", results.share("named", "located")))
    for verdict in fresh.VERDICTS:
        print(_line(verdict, results.share(verdict)))
    if unread:
        print(f"Read in {folder / fresh.SCREENS}: {', '.join(unread)}")
        print(
            f"Write what you find into {folder / fresh.READ}; {fresh.PREFILLED} has "
            "what can be told without reading."
        )
    elif len(chosen) == len(mistakes):
        fresh.keep(results)


def _results(
    mistakes: Sequence[fresh.Mistake],
    graded_ones: Sequence[Outcome],
    verdicts: Mapping[str, str],
) -> fresh.Results:
    """Return the results for these mistakes.

    If a person has written a verdict on a mistake, that verdict counts.  For any other
    mistake, the verdict is the one that the kit can give although nobody has read the
    screen.
    """
    read = []
    for mistake, outcome in zip(mistakes, graded_ones, strict=True):
        verdict = verdicts.get(mistake.file, fresh.told(outcome))
        read.append(
            fresh.Read(mistake.function, mistake.cause, verdict, outcome.is_caught)
        )
    now = measured.here()
    return fresh.Results(read_course().version, now.model, now.cases, tuple(read))


def _line(what: str, share: Share) -> str:
    """Write a line with a count, its share in percent, and the interval of the share.

    If there is nothing to count, the line has only the count 0.
    """
    if not share.of:
        return f"  {what:18}    0"
    return f"  {what:18} {share.count:4}   {share.percent:>5}   ({share.interval})"


def _chosen(words: Sequence[str], graded: Sequence[str]) -> list[str]:
    """The functions that were named; all graded functions if none was named.

    Raises Refusal for an unknown name.
    """
    for word in words:
        if word not in graded:
            hint = like(word, graded, "boards/points.yaml has them")
            raise Refusal(f"no function is called {word[:40]!r}{hint}")
    return list(words or graded)


def _as_submission(mutant: Mutant) -> Submission:
    """Make a submission of a mutant, so that it can be graded."""
    change = mutant.change
    label = f"{change.operator} in line {mutant.line}"
    return Submission(label, mutant.text, (change.function,))


def _tell_of_mutants(of_mutants: Sequence[Outcome]) -> None:
    """Print how many mutants lose points.

    Also print for how many of these the screen names the mistake, and for how many it
    shows the place.
    """
    counts = counted(of_mutants, "all")
    print(
        f"{plural(counts.submissions, 'mutant')}: "
        f"{counts.caught} lose points in their own function, "
        f"{counts.spilled} elsewhere, {counts.nowhere} nowhere; "
        f"{counts.waiting} make another function wait."
    )
    print(
        f"Of the {counts.caught}, {counts.named} are named, "
        f"{counts.located} located, {counts.explained} one or both."
    )


def _tell_of_reasons(
    full: Sequence[Change], without_reason: Sequence[Change], explained: set[Change]
) -> None:
    """Print each mutant that keeps a full score although no reason for it is written
    down.

    Also print each reason whose mutant does not keep a full score.
    """
    for change in without_reason:
        tell(
            f"{change.function}: {change.operator} keeps a full score, and "
            f"{REASONS.name} has no reason:"
        )
        tell(f"  - {change.before}\n  + {change.after}")
    for change in explained - {*full}:
        tell(
            f"{change.function}: {REASONS.name} has a reason that is no longer needed: "
            f"{change.operator}:"
        )
        tell(f"  - {change.before}\n  + {change.after}")


if __name__ == "__main__":
    sys.exit(enter(["figures", *sys.argv[1:]]))
