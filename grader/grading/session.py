"""A grading session: the verdicts on one lab.py, function by function.

The way of one function's grade: what it needs comes first; its cases run together in one process; a case that fails,
or was not reached, runs once more alone; if it may call a wrong function, the mistake is looked for in one place only.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from boards.cases import Bank, Case, Function
from grader.diagnosing.diagnosis import diagnoses
from grader.grading.call_graph import names_from
from grader.grading.carried_forward import called_in, carried_forward, waiting
from grader.grading.feedback import concealed
from grader.grading.judge import judge
from grader.grading.runs import NO_TIME, Runs
from grader.grading.sheet import ScoreSheet
from grader.grading.source import read_lab, what_ails
from grader.judging.sentences import sentence_for_import
from grader.judging.verdict import Status, Verdict
from grader.kinds.kind import kind_of
from grader.protocol.answer import Answer, Ending
from grader.protocol.isolation import OPEN_CASES
from grader.release import release_here

NO_REPROACH = {Status.PASS, Status.UNGRADED}  # what could not be graded says nothing of a function
FAILED_TOGETHER = {Status.FAIL, Status.PARTIAL, Status.CRASH, Status.TIME_OUT}


class Session:
    """Grades one lab.py.  Every verdict is found once and remembered.

    `fork` says how processes are made: None for the way of this system.  Raises OSError if lab.py cannot be read.
    """

    def __init__(self, lab: Path, bank: Bank, fork: bool | None = None) -> None:
        self.lab, self.bank = lab, bank
        self.source = read_lab(lab)
        self._runs = Runs(lab, fork)
        self._verdicts: dict[str, Verdict] = {}
        self._loaded: Answer | None = None
        self._chosen = list(bank.cases)
        self._taken_up: set[str] = set()
        self._in_question: set[str] = set()

    def begin(self, cases: Iterable[Case]) -> None:
        """Choose these cases, and have the first of them run while the caller does something else."""
        self._chosen = list(cases)
        with contextlib.suppress(OSError):  # which a verdict will meet again
            self._begin_next()
            self._runs.begin_long([case for case in self._chosen if not case.hidden])

    def verdict(self, case: Case) -> Verdict:
        """The verdict on a case.  A fault of the grader's own is "ungraded", never a 0."""
        if case.id not in self._verdicts:
            cases = self._beside(case)
            self._taken_up |= {each.id for each in cases}
            try:
                self._grade(cases)
                self._begin_next()
            except Exception as fault:
                for each in cases:
                    self._verdicts.setdefault(each.id, _ungraded(each, f"{type(fault).__name__}: {fault}"))
        return self._verdicts[case.id]

    def give_up(self, case: Case, reason: str) -> None:
        """Leave a case without a verdict ungraded: the grader was stopped in it, and starts anew for the others."""
        if case.id not in self._verdicts:
            self._verdicts[case.id] = _ungraded(case, reason)
            self._runs.close()

    def is_due(self, case: Case) -> bool:
        """Advice is for functions whose graded cases all pass, and with no wrong function behind them."""
        if not case.advice:
            return True
        own = self._graded_cases(case, case.function)
        passes = all(self.verdict(other).passed for other in own)
        return passes and not any(self._failures(case, name) for name in case.graded.may_call)

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
        loaded = self._load()
        survey = loaded.imported.survey if loaded.imported else None
        found = {} if self._import_failure else diagnoses(self.bank, verdicts, self.run_again)
        return ScoreSheet(
            bank=self.bank,
            verdicts=verdicts,
            source=self.source,
            survey=survey,
            import_failure=self._import_failure,
            kit=release_here(),
            isolation=self._runs.isolation,
            diagnoses=found,
            lab=str(self.lab.resolve()),
        )

    def run_again(self, case: Case) -> tuple[Verdict, Answer] | None:
        """The verdict on a case that runs alone once more; None without time, or if what it uses is wrong."""
        called = [other.name for other in self._may_call(case)]
        used = [*case.graded.needs, *(name for name in called if name in case.graded.may_call)]
        if not self._runs.has_time or any(self._failures(case, name) for name in used):
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

    def _grade(self, cases: Sequence[Case]) -> None:
        """Find the verdicts on cases that stand beside each other: those of one function, public or hidden."""
        first = cases[0]
        if refused := self._refused(first):
            self._verdicts |= {case.id: replace(refused, case=case.id) for case in cases}
            return
        waits_for = [name for name in first.graded.needs if self._failures(first, name)]
        found = {} if self._calls_one_that_hangs(first) else self._run(cases)
        for case in cases:
            verdict = found.get(case.id)
            if verdict is None or verdict.status not in NO_REPROACH:
                verdict = waiting(verdict, waits_for) if verdict and waits_for else self._carried_forward(case, verdict)
            self._verdicts[case.id] = concealed(verdict) if case.hidden else verdict

    def _beside(self, case: Case) -> list[Case]:
        """The chosen cases that are graded together with this one, which is one of them."""
        alike = [
            other
            for other in self._chosen
            if (other.function, other.hidden, other.advice) == (case.function, case.hidden, False)
            and other.id not in self._taken_up
        ]
        return alike if case in alike else [case]

    def _begin_next(self) -> None:
        """Have the next function run that is still to be graded."""
        if self._in_question:
            return
        waiting_cases = (case for case in self._chosen if not (case.advice or case.hidden))
        next_case = next((case for case in waiting_cases if case.id not in self._taken_up), None)
        if next_case:
            self._runs.begin(_in_one_process(self._beside(next_case)))

    def _refused(self, case: Case) -> Verdict | None:
        """The verdict on a case that cannot be run, nor any beside it; None if it can."""
        loaded = self._load()
        if loaded.ending is Ending.STALLED:
            return Verdict(case.id, Status.UNGRADED, message=sentence_for_import(loaded))
        if self._import_failure:
            return Verdict(case.id, Status.CRASH, message=self._import_failure)
        if case.hidden and not self._runs.isolation.keep_cases:
            return Verdict(case.id, Status.UNGRADED, message=OPEN_CASES)
        return None

    def _load(self) -> Answer:
        """The Answer to the import of lab.py."""
        self._loaded = self._loaded or self._runs.load()
        return self._loaded

    @property
    def _import_failure(self) -> str | None:
        """Why lab.py cannot be imported; None if it can, or if that is not known."""
        loaded = self._load()
        if loaded.imported or loaded.ending is Ending.STALLED:
            return None
        return sentence_for_import(loaded, what_ails(self.source))

    def _run(self, cases: Sequence[Case]) -> dict[str, Verdict]:
        """The verdicts on cases of one function: together, and alone if one fails or was not reached."""
        found = {}
        together = _in_one_process(cases)
        if together and self._runs.has_time:
            for case, answer in zip(together, self._runs.together(together), strict=False):
                found[case.id] = judge(case, answer)
        for case in cases:
            verdict = found.get(case.id)
            was_alone = case is together[0] if together else False
            if verdict is None or _runs_again(case, verdict, was_alone):
                found[case.id] = self._alone(case)
        return found

    def _alone(self, case: Case) -> Verdict:
        if not self._runs.has_time:
            return _not_run(case)
        timed = replace(case, seconds=self._runs.seconds(case))
        return judge(timed, self._runs.alone(timed))

    def _carried_forward(self, case: Case, verdict: Verdict | None) -> Verdict:
        """The verdict on a case that has failed, or was not run yet, once it is known whose mistake it is."""
        if verdict and self._is_its_own(case, verdict):
            return verdict
        if not self._runs.has_time:
            return verdict or _not_run(case)
        timed = replace(case, seconds=self._runs.seconds(case))
        with self._asking_about_others(case.function):
            others = self._may_call_one_way(timed)
            wrong = [other for other in others if self._failures(case, other.name)]
        if verdict and not wrong:
            return verdict
        again = carried_forward(timed, wrong, partial(self._runs.alone, timed))
        is_chance = verdict is not None and again.passed and not again.message
        return verdict if verdict and is_chance else again

    def _is_its_own(self, case: Case, verdict: Verdict) -> bool:
        """Whether a failure is the function's own, whatever others it calls: advice, or one that has not begun."""
        own = ("", case.function, *kind_of(case.graded).methods)
        return case.advice or (verdict.status is Status.NOT_STARTED and verdict.inside in own)

    def _calls_one_that_hangs(self, case: Case) -> bool:
        """Whether the function of a case may call one that hangs, as far as that is known: it would hang again."""
        others = [other for function in self._may_call(case) for other in self._graded_cases(case, function.name)]
        known = [self._verdicts[other.id].status for other in others if other.id in self._verdicts]
        return not case.advice and Status.TIME_OUT in known

    @contextlib.contextmanager
    def _asking_about_others(self, function: str) -> Iterator[None]:
        """In here nobody asks how this function fails, so that two that call each other are not asked in a circle."""
        self._in_question.add(function)
        try:
            yield
        finally:
            self._in_question.discard(function)

    def _may_call_one_way(self, case: Case) -> list[Function]:
        """What the function of a case may call.

        Of two that may call each other, the one that is graded first is only believed to call the other if it is seen
        to do so: else each would wait for the other.
        """
        others = self._may_call(case)
        entangled = [
            other.name
            for other in others
            if self._reaches(other.name, case.function) and not self._is_graded(case, other.name)
        ]
        called = called_in(self._runs.alone(case, {"functions": entangled, "answers": {}})) if entangled else set()
        return [other for other in others if other.name in called or other.name not in entangled]

    def _may_call(self, case: Case) -> list[Function]:
        """The other graded functions that the one of this case may come to call, in their order."""
        kinds = kind_of(case.graded).calls
        alike = [other for other in self.bank.functions if other.kind in kinds and other != case.graded]
        graded = [other for other in alike if self.bank.of(other.name)]
        return [other for other in graded if self._reaches(case.function, other.name)]

    def _reaches(self, function: str, other: str) -> bool:
        """Whether a function of lab.py may come to call another one, as its call graph has it."""
        names = names_from(self.source, function)
        return names is None or other in names

    def _failures(self, case: Case, function: str) -> set[Status]:
        """How the cases of a function fail; nothing of one that is just being asked about."""
        if function in self._in_question:
            return set()
        return {self.verdict(other).status for other in self._graded_cases(case, function)} - NO_REPROACH

    def _is_graded(self, case: Case, function: str) -> bool:
        return all(other.id in self._verdicts for other in self._graded_cases(case, function))

    def _graded_cases(self, case: Case, function: str) -> list[Case]:
        """The cases of a function that the verdict on a case may speak of: on a public one, the public."""
        return [other for other in self.bank.of(function) if not other.advice and other.hidden <= case.hidden]


def _in_one_process(cases: Sequence[Case]) -> list[Case]:
    """Those of these cases that have no process of their own."""
    return [case for case in cases if not kind_of(case.graded).takes_long(case)]


def _runs_again(case: Case, verdict: Verdict, was_alone: bool) -> bool:
    """Whether a verdict out of a process with others must be confirmed alone."""
    if verdict.status is Status.UNGRADED:
        return True
    return verdict.status in FAILED_TOGETHER and not was_alone and kind_of(case.graded).is_code


def _not_run(case: Case) -> Verdict:
    return Verdict(case.id, Status.UNGRADED, message=NO_TIME, ran=False)


def _ungraded(case: Case, fault: str) -> Verdict:
    message = f"A fault of the grader, which a person must look at: {fault}"
    return Verdict(case.id, Status.UNGRADED, message=message)


def grade(lab: Path, bank: Bank, fork: bool | None = None) -> ScoreSheet:
    """The score sheet of one lab.py, from beginning to end."""
    with Session(lab, bank, fork) as session:
        return session.sheet()
