"""`make tests-of SUBMISSIONS=folder`: what the students' own cases are good for.

The folder has a folder for each submission, with a my_cases.yaml in it, or a file.yaml for each.  A line
of the table says how many wrong labs (staff/wrong_labs.yaml) the cases of one catch: of those that are wrong
in a function that has cases, and of all.  A case that a right lab contradicts is named, and catches nothing; so is a
mistake in a file.  Nothing of a student's is run here, and no grade hangs on it.
"""

import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from boards.cases import Bank, Case
from grader.grading.own import OwnSession, read_own_cases
from grader.judging.verdict import Status, Verdict
from grader.kit import MY_CASES
from grader.protocol.words import harmless, plural
from grader.showing.style import wrapped
from staff.model import MODEL
from staff.parser import Parser
from staff.strict.bank import checked_bank
from staff.wrong_labs import WrongLab, build, load_wrong_labs

RIGHT = {"the model": MODEL, "another right lab": Path(__file__).parent / "right_labs" / "iterative.py"}
SECONDS = 0.5  # of CPU for a case, of which a right lab needs a few hundredths
WIDEST = 24


@dataclass(frozen=True)
class Worth:
    """What the cases of one submission are worth; `remarks` name what is wrong with them."""

    name: str
    cases: int = 0
    caught: frozenset[str] = frozenset()
    concerned: int = 0
    remarks: tuple[str, ...] = ()


class WrongLabs:
    """All wrong labs, each written into a folder."""

    def __init__(self, folder: Path) -> None:
        self.wrong_labs = load_wrong_labs()
        self._folder, self._model = folder, MODEL.read_text("utf-8")

    def of(self, function: str) -> Iterator[tuple[WrongLab, Path]]:
        """The labs that are wrong in a function."""
        for wrong_lab in self.wrong_labs:
            if wrong_lab.function == function:
                file = self._folder / wrong_lab.id / "lab.py"
                if not file.exists():
                    file.parent.mkdir()
                    file.write_text(build(wrong_lab, self._model), "utf-8")
                yield wrong_lab, file


def worth_of(submission: Path, kit: Bank, wrong: WrongLabs) -> Worth:
    """What the cases of a submission are worth."""
    file = submission / MY_CASES if submission.is_dir() else submission
    if file.is_symlink() or not file.is_file():
        return Worth(submission.name, remarks=(f"there is no {MY_CASES}",))
    own = read_own_cases(file, kit)
    remarks = [mistake.replace(str(file), MY_CASES) for mistake in own.mistakes]
    cases = [replace(case, seconds=SECONDS) for case in own.bank.cases]
    sound = list(cases)
    for name, lab in RIGHT.items():
        for case, verdict in _failures(lab, own.bank, sound):
            remarks.append(_against(case, name, verdict))
            sound.remove(case)
    caught = set()
    for function in {case.function for case in sound}:
        asked = [case for case in sound if case.function == function]
        for wrong_lab, lab in wrong.of(function):
            if next(_failures(lab, own.bank, asked), None):
                caught.add(wrong_lab.id)
    functions = {case.function for case in cases}
    concerned = sum(wrong_lab.function in functions for wrong_lab in wrong.wrong_labs)
    return Worth(submission.name, len(cases), frozenset(caught), concerned, tuple(remarks))


def _failures(lab: Path, bank: Bank, cases: Sequence[Case]) -> Iterator[tuple[Case, Verdict]]:
    """The cases that a lab fails, one after the other."""
    with OwnSession(lab, replace(bank, cases=tuple(cases))) as session:
        for case in list(cases):
            verdict = session.verdict(case)
            if not verdict.passed and (verdict.status is not Status.UNGRADED or lab in RIGHT.values()):
                yield case, verdict


def _against(case: Case, lab: str, verdict: Verdict) -> str:
    """What a right lab says against a case that it fails: where it differs, or why there was nothing to compare."""
    wrong = f"{case.id} is wrong, or asks for too much: "
    rows = [(what, wanted, found) for what, wanted, found in verdict.rows if wanted != found]
    if not rows:
        return f"{wrong}{lab} fails it. {verdict.message}"
    return wrong + "; ".join(f"{what} {wanted} ({lab}: {found})" for what, wanted, found in rows)


def table(names: Sequence[str], found: Iterable[Worth], wrong_labs: int) -> Iterator[str]:
    """What is known of submissions with these names: a line each, and below it what is to be said of them."""
    width = max([len("submission"), *(min(len(name), WIDEST) for name in names)])
    yield f"{'submission':{width}}  cases  wrong labs caught: of their functions, of all"
    for worth in found:
        caught, name = len(worth.caught), harmless(worth.name, WIDEST)
        of_all = f"{caught} of {wrong_labs}"
        yield f"{name:{width}}  {worth.cases:5}  {f'{caught} of {worth.concerned}':>12}  {of_all:>12}"
        yield from (f"    {line}" for remark in worth.remarks for line in wrapped(harmless(remark)))


def main() -> int:
    """Print the table; 2 where there is no folder."""
    parser = Parser(usage="make tests-of SUBMISSIONS=folder", description="What students' own cases catch.")
    parser.add_argument("--submissions", type=Path, metavar="FOLDER")
    folder: Path | None = parser.parse_args().submissions
    if folder is None:
        print("name a folder with a folder for each submission: SUBMISSIONS=folder", file=sys.stderr)
        return 2
    if not folder.is_dir():
        print(f"{folder} is no folder; name one with a folder for each submission", file=sys.stderr)
        return 2
    submissions = sorted(path for path in folder.iterdir() if path.is_dir() or path.suffix in (".yaml", ".yml"))
    if not submissions:
        print(f"{folder} holds no folder and no file.yaml; name one with a folder for each submission", file=sys.stderr)
        return 2
    kit = checked_bank()
    with tempfile.TemporaryDirectory() as scratch:
        wrong = WrongLabs(Path(scratch))
        found = (worth_of(submission, kit, wrong) for submission in submissions)
        for line in table([path.name for path in submissions], found, len(wrong.wrong_labs)):
            print(line, flush=True)  # each as soon as it is known, which takes a while
    print(f"{plural(len(submissions), 'submission')}; nothing here is a grade")
    return 0


if __name__ == "__main__":
    sys.exit(main())
