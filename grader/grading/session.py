"""A grading session: the verdicts on one lab.py, function by function.

The way of one function's grade: its cases run together in one process.  A case that
fails, or was not reached, runs once more alone before it counts; if its function is
then seen to call a wrong one, once more with reference answers in that one's place.  So
the mistake is looked for in one place only.
"""

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

from grader.bank.cases import Bank, Case
from grader.bank.points import Function
from grader.diagnosing.diagnosis import Diagnosis, diagnoses
from grader.grading.carried_forward import verdict_alone, waiting
from grader.grading.feedback import concealed
from grader.grading.judge import judge
from grader.grading.runs import RUN_SECONDS, Runs
from grader.grading.sheet import ScoreSheet
from grader.grading.source import read_lab, what_ails
from grader.judging.sentences import sentence_for_import
from grader.judging.verdict import NO_REPROACH, Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.answer import OPEN_CASES, Answer, Ending
from grader.protocol.words import in_utf8
from grader.release import release_here


class Session:
    """Grades one lab.py.  Every verdict is found once and remembered.

    `fork` says how processes are made: None for the way of this system.  `seconds` is
    what a whole run may cost.  Staff alone take `conceals` away: what hidden cases show
    is left out.  Raises OSError if lab.py cannot be read.
    """

    def __init__(
        self,
        lab: Path,
        bank: Bank,
        fork: bool | None = None,
        seconds: float = RUN_SECONDS,
        conceals: bool = True,
    ) -> None:
        self.lab, self.bank, self._conceals = lab, bank, conceals
        self.source = read_lab(lab)
        self._runs = Runs(lab, fork, seconds)
        self._verdicts: dict[str, Verdict] = {}
        self._chosen = list(bank.cases)
        # The functions whose cases are being graded.  The verdict on one function may
        # ask whether another fails, and nobody asks that of a function in this list:
        # two functions that call each other would wait for each other.
        self._in_question: list[str] = []

    def begin(self, cases: Iterable[Case]) -> None:
        """Choose these cases, and have lab.py imported while the caller does something
        else.
        """
        self._chosen = list(cases)
        with contextlib.suppress(OSError):  # which a verdict will meet again
            self._runs.begin()

    def verdict(self, case: Case) -> Verdict:
        """The verdict on a case.  A fault of the grader's own is "ungraded", never a
        0.
        """
        if case.id not in self._verdicts:
            cases = self._graded_with(case)
            self._in_question.append(case.function)
            try:
                self._grade(cases)
            except Exception as fault:
                for each in cases:
                    self.give_up(each, f"{type(fault).__name__}: {fault}")
            finally:
                self._in_question.pop()
        return self._verdicts[case.id]

    def give_up(self, case: Case, fault: str) -> None:
        """Leave a case without a verdict ungraded: the grader failed or was stopped in
        it.
        """
        if case.id not in self._verdicts:
            message = f"A fault of the grader, which a person must look at: {fault}"
            self._verdicts[case.id] = Verdict(case.id, Status.UNGRADED, message=message)
            self._runs.close()

    def is_due(self, case: Case) -> bool:
        """Whether a case is graded: advice only if its function and those that this may
        call have no failing case.
        """
        functions = [case.function, *case.graded.may_call] if case.advice else []
        return not any(self._fails(function, case) for function in functions)

    def sheet(self) -> ScoreSheet:
        """The score sheet over every case of the bank."""
        return self.sheet_of(self.bank.cases)

    def sheet_of(self, cases: Iterable[Case]) -> ScoreSheet:
        """A score sheet on which only these cases have verdicts."""
        verdicts = {
            case.id: self.verdict(case)
            for case in sorted(cases, key=turn)
            if self.is_due(case)
        }
        imported = self._runs.loaded.imported
        return ScoreSheet(
            bank=self.bank,
            verdicts=verdicts,
            source=self.source,
            survey=imported.survey if imported else None,
            import_failure=self._import_failure,
            kit=release_here(),
            isolation=self._runs.isolation,
            diagnoses={} if self._import_failure else self._diagnoses(verdicts),
            lab=str(self.lab.resolve()),
        )

    def _diagnoses(self, verdicts: Mapping[str, Verdict]) -> dict[str, Diagnosis]:
        return diagnoses(self.bank, verdicts, self.run_again, in_utf8(self.source))

    def run_again(self, case: Case) -> tuple[Verdict, Answer] | None:
        """The verdict on a case that runs alone once more, and its answer; None if it
        may not begin any more.
        """
        if self._runs.why_not(case):
            return None
        answer = self._runs.alone(case)
        return judge(case, answer), answer

    def close(self) -> None:
        """End the child processes."""
        self._runs.close()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _graded_with(self, case: Case) -> list[Case]:
        """The cases that are graded together with this one: those of its function,
        public or hidden.

        If it was chosen, these are the chosen ones.
        """
        cases = self._chosen if case in self._chosen else self.bank.of(case.function)
        if case.advice or case not in cases:
            return [case]
        same = [
            other
            for other in cases
            if (other.function, other.hidden) == (case.function, case.hidden)
        ]
        return [
            other
            for other in same
            if not other.advice and other.id not in self._verdicts
        ]

    def _grade(self, cases: Sequence[Case]) -> None:
        """Find the verdicts on cases that are graded together."""
        if refusal := self._refusal(cases[0]):
            self._verdicts |= {
                case.id: replace(refusal, case=case.id) for case in cases
            }
            return
        verdicts: dict[str, Verdict] = {}
        together = _in_one_process(cases)
        if together and not self._runs.why_not(together[0]):
            for case, answer in self._runs.together(together):
                verdicts[case.id] = judge(case, answer)
        for case in cases:
            was_alone = case in together[:1]  # nothing ran before it in that process
            verdict = self._settled(case, verdicts.get(case.id), was_alone)
            self._verdicts[case.id] = (
                concealed(verdict) if case.hidden and self._conceals else verdict
            )

    def _refusal(self, case: Case) -> Verdict | None:
        """The verdict on a case that cannot be run, nor any beside it; None if it
        can.
        """
        if self._runs.loaded.ending is Ending.STALLED:
            return Verdict(
                case.id, Status.UNGRADED, message=sentence_for_import(self._runs.loaded)
            )
        if self._import_failure:
            return Verdict(case.id, Status.CRASH, message=self._import_failure)
        if case.hidden and not self._runs.isolation.keep_cases:
            return Verdict(case.id, Status.UNGRADED, message=OPEN_CASES)
        return None

    @cached_property
    def _import_failure(self) -> str | None:
        """Why lab.py cannot be imported; None if it can, or if that is not known."""
        loaded = self._runs.loaded
        if loaded.imported or loaded.ending is Ending.STALLED:
            return None
        return sentence_for_import(loaded, what_ails(self.source))

    def _settled(self, case: Case, verdict: Verdict | None, was_alone: bool) -> Verdict:
        """The verdict that counts, after a first one from a process with other cases;
        None if that did not come so far.

        A case that does not pass runs once more, alone.
        """
        if verdict and (verdict.passed or _is_not_begun(case, verdict)):
            return verdict
        others = self._others_of_its_kinds(case)
        is_sure = was_alone and verdict and verdict.status is not Status.UNGRADED
        if why_not := self._runs.why_not(case):
            return (
                verdict
                if verdict and is_sure
                else Verdict(case.id, Status.UNGRADED, message=why_not, ran=False)
            )
        if others or not (verdict and is_sure):
            run = partial(self._runs.alone, case)
            verdict = verdict_alone(
                case, others, run, lambda other: self._fails(other.name, case)
            )
        if verdict.status in NO_REPROACH:
            return verdict
        needed = [name for name in case.graded.needs if self._fails(name, case)]
        return waiting(verdict, needed) if needed else verdict

    def _others_of_its_kinds(self, case: Case) -> list[Function]:
        """The other graded functions that the one of this case may come to call, in
        their order.
        """
        if case.advice:
            return []
        kinds = kind_of(case.graded).calls
        alike = [
            other
            for other in self.bank.functions
            if other.kind in kinds and other != case.graded
        ]
        return [other for other in alike if self.bank.of(other.name)]

    def _fails(self, function: str, case: Case) -> bool:
        """Whether a function fails, or waits, in a case that the verdict on this one
        may speak of.
        """
        if function in self._in_question:
            return False
        cases = self._cases_of(function, case)
        return any(self.verdict(other).status not in NO_REPROACH for other in cases)

    def _cases_of(self, function: str, case: Case) -> list[Case]:
        """The graded cases of a function that the verdict on a case may speak of: on a
        public one, the public.
        """
        return [
            other
            for other in self.bank.of(function)
            if not other.advice and other.hidden <= case.hidden
        ]


def turn(case: Case) -> tuple[bool, bool]:
    """When a case is graded, for sorting: advice after the graded cases, and hidden
    cases last.
    """
    return case.hidden, case.advice


def _in_one_process(cases: Sequence[Case]) -> list[Case]:
    """Those of these cases that run one after the other in one process, in the order in
    which they run.

    The process is fresh for the first of them, so one case that asks for a fresh
    process goes first and costs nothing.
    """
    in_the_worker = [
        case for case in cases if not kind_of(case.graded).typed(case.calls[0])
    ]
    fresh = [case for case in in_the_worker if case.process == "own"]
    shared = [case for case in in_the_worker if case.process == "shared"]
    return fresh[:1] + shared


def _is_not_begun(case: Case, verdict: Verdict) -> bool:
    """Whether the function itself is not written yet, whatever it may call."""
    methods = ("", case.function, *kind_of(case.graded).methods)
    return verdict.status is Status.NOT_STARTED and verdict.inside in methods


def grade(lab: Path, bank: Bank, fork: bool | None = None) -> ScoreSheet:
    """The score sheet of one lab.py, from beginning to end."""
    with Session(lab, bank, fork) as session:
        return session.sheet()
