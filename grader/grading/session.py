"""A grading session: which case runs when, and what waits for what.

A case that uses other functions of the student's *waits* for them: where one of those fails and the
case does not come out right, the mistake is looked for in one place only.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from boards.cases import Bank, Case, Function
from grader.diagnosing.diagnosis import diagnoses
from grader.grading.asking import Asking
from grader.grading.consequences import Watch, can_be_stood_in, trace_back
from grader.grading.feedback import concealed
from grader.grading.judge import judge
from grader.grading.mentions import named_from, words_of
from grader.grading.sheet import ScoreSheet
from grader.grading.source import read_lab, what_ails
from grader.judging.sentences import sentence_for_import
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.kit import KIT
from grader.protocol.answer import Answer, Ending
from grader.protocol.locks import OPEN_CASES
from grader.release import release_here
from grader.signals import check_for_signal

GIVEN_UP = {Status.TIME_OUT, Status.CRASH, Status.NOT_STARTED}
NEEDS_ANOTHER = {Status.TIME_OUT, Status.WAITS}  # whose callers are run with the asked answers at once
NO_REPROACH = {Status.PASS, Status.UNGRADED}  # what could not be graded says nothing
NOT_BY_TIME = (Status.FAIL, Status.PARTIAL, Status.CRASH)


class Session:
    """Grades one lab.py.  Every verdict is found once and remembered.

    `checkout` is the student's own copy of the kit, which is looked at and never run; `asking` may have
    begun before.
    Raises OSError where lab.py cannot be read.
    """

    def __init__(
        self, lab: Path, bank: Bank, fork: bool | None = None, checkout: Path = KIT, asking: Asking | None = None
    ) -> None:
        self.lab, self.bank, self.checkout = lab, bank, checkout
        self.source = read_lab(lab)
        self._verdicts: dict[str, Verdict] = {}
        self._asking = asking or Asking(lab, fork)
        self._patience = self._asking.patience
        self._import_failure: str | None = None
        self._survey: dict[str, str] | None = None
        self._in_question: set[str] = set()

    def begin(self, cases: Iterable[Case]) -> None:
        """Let lab.py be imported, and the public ones of these cases run, while the caller does something else.

        What fails here is told when a case is run.
        """
        self._asking.begin(cases)

    def verdict(self, case: Case) -> Verdict:
        """The verdict on a case.  A fault of the grader's own is "ungraded", never a 0; raises Ended after a signal."""
        check_for_signal()
        if case.id not in self._verdicts:
            try:
                self._verdicts[case.id] = self._patience.noted(case, self._grade(case))
            except Exception as fault:
                self._verdicts[case.id] = _ungraded(case, f"{type(fault).__name__}: {fault}")
        return self._verdicts[case.id]

    def give_up(self, case: Case, reason: str) -> None:
        """Leave a case without a verdict ungraded: the grader was stopped in it, and starts anew for the others."""
        if case.id not in self._verdicts:
            self._verdicts[case.id] = _ungraded(case, reason)
            self._asking.start_anew()

    def sheet(self) -> ScoreSheet:
        """The score sheet over every case of the bank."""
        return self.sheet_of(self.bank.cases)

    def sheet_of(self, cases: Iterable[Case], before: Callable[[Case], None] = lambda case: None) -> ScoreSheet:
        """A score sheet on which only these cases have verdicts; `before` is called before each."""
        verdicts = {}
        for case in sorted(cases, key=lambda case: case.hidden):
            before(case)
            if self.is_due(case):
                verdicts[case.id] = self.verdict(case)
        kit = release_here()
        known = {} if self._import_failure else diagnoses(self.bank, verdicts, self._run_again)
        held = (self._import_failure, kit, self._asking.locks, known, str(self.lab.resolve()))
        return ScoreSheet(self.bank, verdicts, self.source, self._survey, *held)

    def _run_again(self, case: Case) -> tuple[Verdict, Answer] | None:
        """The verdict on a case that runs in a new process; None without time, or where what it runs on is wrong."""
        named = {other.name for other in self._callable_from(case)}
        others = (*case.graded.needs, *named.intersection(case.graded.may_call))
        if self._patience.is_hurried or any(self._failures(case, function) for function in others):
            return None
        self._asking.renew(case)
        answer = self._asking.answer(case)
        return judge(case, answer), answer

    def close(self) -> None:
        """End the child processes."""
        self._asking.close()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def is_waiting(self, case: Case) -> list[str]:
        """The functions that a case needs and that are not right yet, for all that this kind of case may tell."""
        return [name for name in case.graded.needs if not all(s in NO_REPROACH for s in self._statuses(case, name))]

    def known_to(self, case: Case, function: str) -> list[Case]:
        """The graded cases of a function that the verdict on a case may speak of: on a public one, the public."""
        return [other for other in self.bank.of(function) if not other.advice and other.hidden <= case.hidden]

    def _statuses(self, case: Case, function: str) -> Iterator[Status]:
        """How these cases come out, one by one as it is asked for."""
        return (self.verdict(other).status for other in self.known_to(case, function))

    def _statuses_so_far(self, case: Case, function: str) -> list[Status | None]:
        """The same as far as it is known already; None where it is not."""
        found = (self._verdicts.get(other.id) for other in self.known_to(case, function))
        return [verdict.status if verdict else None for verdict in found]

    def is_due(self, case: Case) -> bool:
        """Advice is for functions whose graded cases all pass, with nobody standing in for an earlier one."""
        if not case.advice:
            return True
        passes = all(status is Status.PASS for status in self._statuses(case, case.function))
        return passes and not any(self._failures(case, name) for name in case.graded.may_call)

    def _grade(self, case: Case) -> Verdict:
        if loading := self._load(case):
            return loading
        if case.hidden and not self._asking.locks.keep_cases:
            return Verdict(case.id, Status.UNGRADED, message=OPEN_CASES)
        for name in case.graded.needs:
            found = map(self.verdict, self.known_to(case, name))
            if any(each.status is Status.UNGRADED and each.ran for each in found):  # it would take all the time again
                message = f"Not run: it runs on {name}, of which a case could not be judged."
                return Verdict(case.id, Status.UNGRADED, message=message, ran=False)
        waits_for = self.is_waiting(case)
        if waits_for and self._is_hopeless(case, waits_for):
            return Verdict(case.id, Status.WAITS, message=f"Waits for {waits_for[0]}, which does not run yet.")
        if refusal := self._patience.refusal(case):
            return refusal
        verdict = self._judged(case, waits_for)
        return concealed(verdict) if case.hidden else verdict

    def _judged(self, case: Case, waits_for: list[str]) -> Verdict:
        """The verdict on a case that is to be run."""
        if any(NEEDS_ANOTHER & {*self._statuses_so_far(case, name)} for name in can_be_stood_in(case)):
            return self._trace_back(case, None)
        verdict = self._run(case)
        if self._may_be_a_consequence(case, verdict):
            traced = self._trace_back(case, verdict)
            if verdict.status is Status.TIME_OUT and traced.status is Status.WAITS:
                self._patience.note_hang_elsewhere(case)
            verdict = traced
        if waits_for and not verdict.passed and verdict.status is not Status.UNGRADED:
            message = f"Waits for {' and '.join(waits_for)}, which this case runs on."
            return dataclasses.replace(verdict, status=Status.WAITS, message=message)
        return verdict

    def _may_be_a_consequence(self, case: Case, verdict: Verdict) -> bool:
        """Whether a case has failed, and not for want of a beginning, in a function that may call a wrong one."""
        own = ("", case.function, *kind_of(case.graded).methods)
        started = verdict.status is not Status.NOT_STARTED or verdict.inside not in own
        failed = not verdict.passed and verdict.status is not Status.UNGRADED
        if not failed or not started or case.advice:
            return False
        known = (self._statuses_so_far(case, other.name) for other in self._callable_from(case))
        return any(set(statuses) - {Status.PASS} for statuses in known)

    def _callable_from(self, case: Case) -> list[Function]:
        """The other graded functions that this one may well call, in their order."""
        kinds = kind_of(case.graded).calls
        alike = [other for other in self.bank.functions if other.kind in kinds and other != case.graded]
        named = named_from(self.source, [case.function, *words_of([call.inputs for call in case.calls])])
        return [other for other in alike if self.bank.of(other.name) and (named is None or other.name in named)]

    def _trace_back(self, case: Case, verdict: Verdict | None) -> Verdict:
        others = self._callable_from(case)
        given = self._patience.seconds(case)
        timed = dataclasses.replace(case, seconds=given)

        def run(watch: Watch) -> Answer:
            nonlocal given
            given = self._patience.seconds(case)
            return self._asking.answer(case, watch)

        hangs = verdict is None or verdict.status is Status.TIME_OUT  # and would do so again
        asks = hangs and not self._in_question  # in the answer to another question, that may lead back to it
        self._in_question.add(case.function)
        try:
            known = (other.name for other in others if asks or None not in self._statuses_so_far(case, other.name))
            found = trace_back(timed, verdict, others, run, partial(self._failures, case), {*known})
        finally:
            self._in_question.discard(case.function)
        return found if found is verdict else self._patience.excused(case, found, given)

    def _failures(self, case: Case, function: str) -> set[Status]:
        """How the cases of a function fail, or wait, as far as one does not ask in a circle."""
        return set() if function in self._in_question else {*self._statuses(case, function)} - NO_REPROACH

    def _load(self, case: Case) -> Verdict | None:
        """The verdict on a case of a lab.py that is not imported; None where it is."""
        loaded = self._asking.load()
        if loaded.imported:
            self._survey = loaded.imported.survey
            return None
        if loaded.ending is Ending.STALLED:
            return Verdict(case.id, Status.UNGRADED, message=sentence_for_import(loaded))
        self._import_failure = self._import_failure or sentence_for_import(loaded, what_ails(self.source))
        return Verdict(case.id, Status.CRASH, message=self._import_failure)

    def _is_hopeless(self, case: Case, functions: list[str]) -> bool:
        """Whether one of these functions hangs somewhere, or never runs to its end."""
        found = [{*self._statuses(case, name)} for name in functions]
        return any(Status.TIME_OUT in statuses or statuses <= GIVEN_UP for statuses in found)

    def _run(self, case: Case) -> Verdict:
        """The verdict on a case, which runs twice where its function may not be to blame for the first."""
        verdict = self._run_once(case)
        stalled = verdict.status is Status.UNGRADED and verdict.ran and not self._patience.is_hurried
        is_code = kind_of(case.graded).is_code  # an answer is given once
        shared = verdict.status in NOT_BY_TIME and not self._asking.sandbox.last_was_fresh and is_code
        if stalled or shared:
            self._asking.renew(case)
            verdict = self._run_once(case)
        return verdict

    def _run_once(self, case: Case) -> Verdict:
        given = self._patience.seconds(case)
        answer = self._asking.plain(case, given)
        if answer.ending is Ending.CROWDED:
            self._patience.note_crowd(case)
        verdict = judge(dataclasses.replace(case, seconds=given), answer)
        return self._patience.excused(case, verdict, given)


def _ungraded(case: Case, fault: str) -> Verdict:
    message = f"A fault of the grader, which a person must look at: {fault}"
    return Verdict(case.id, Status.UNGRADED, message=message)


def grade(lab: Path, bank: Bank, fork: bool | None = None) -> ScoreSheet:
    """The score sheet of one lab.py, from beginning to end."""
    with Session(lab, bank, fork) as session:
        return session.sheet()
