"""A grading session: finds the verdicts on one lab.py, function by function.

The cases of a function first run together in one process.  A case that fails there, or
was not reached, usually runs by itself before it counts.  If the function of the case
then calls a wrong function, the case waits for that function, or runs again with
reference answers in place of that function (carried_forward.py).  So a student has to
look for a mistake in only one place.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

from grader.bank.cases import Bank, Case
from grader.bank.points import Function
from grader.bank.reading import load_bank
from grader.grading.carried_forward import verdict_alone, waiting
from grader.grading.diagnosis import diagnoses
from grader.grading.feedback import concealed
from grader.grading.judge import judge
from grader.grading.runs import RUN_SECONDS, Runs
from grader.grading.sheet import ScoreSheet
from grader.grading.source import read_lab, what_ails
from grader.kinds.kind import kind_of
from grader.protocol.answer import (
    OPEN_CASES,
    WATCH_NOTHING,
    Answer,
    Ending,
    Watch,
    inside,
)
from grader.protocol.text import in_utf8
from grader.release import read_release
from grader.verdicts.sentences import sentence_for_import
from grader.verdicts.verdict import NO_REPROACH, Status, Verdict


class Session:
    """Grades one lab.py.

    The session finds the verdict on each case only once, and remembers the verdict.
    """

    def __init__(
        self,
        lab: Path,
        bank: Bank | None = None,
        fork: bool = True,
        seconds: float = RUN_SECONDS,
        conceals: bool = True,
    ) -> None:
        """Read lab.py, and the release that grades.

        If `bank` is None, the session grades with the cases of this kit.  If `fork` is
        False, every function gets a child process of its own.  All cases together may
        cost `seconds` of CPU.  If `conceals` is True, the verdicts on hidden cases
        leave out what student code has printed, raised or named.  Only staff set
        `conceals` to False.

        Raises NotALab or OSError if lab.py cannot be read, and Refusal if release.json
        cannot be read.
        """
        self.lab = lab
        self._bank = bank
        self.source = read_lab(lab)
        self.kit = read_release()
        self._conceals = conceals
        self._runs = Runs(lab, fork, seconds)
        self._verdicts: dict[str, Verdict] = {}
        self._chosen = list[Case]()
        # The names of the functions whose cases are being graded at this moment.  While
        # one function is graded, the session may ask whether another function fails.
        # If that function is in this list too, the answer is no.  Otherwise two
        # functions that call each other would wait for each other.
        self._in_question: list[str] = []

    def __enter__(self) -> "Session":
        """Have the child import lab.py, without waiting for the import."""
        self._runs.begin()
        return self

    @cached_property
    def bank(self) -> Bank:
        """The cases and points with which this session grades."""
        return self._bank or load_bank()

    def begin(self, cases: Iterable[Case]) -> None:
        """Choose the cases of this session, and begin to run some of them.

        These are cases of one function.  It is the function of the public case with the
        longest time limit.  The cases run in the background, while the caller goes on.
        """
        self._chosen = list(cases)
        public = [case for case in self._chosen if not case.hidden]
        if public:
            longest = max(public, key=lambda case: case.seconds)
            self._runs.begin(_in_one_process(self._graded_with(longest)))

    def begin_typed(self) -> None:
        """Start `make run` for each chosen public case that tests this command.

        Do not wait until the commands end.
        """
        for case in self._chosen:
            command = kind_of(case.graded).typed(case.calls[0])
            if command and not case.hidden:
                self._runs.begin_typed(case, command)

    def verdict(self, case: Case) -> Verdict:
        """Return the verdict on a case.

        If the grader itself fails, the verdict is "ungraded", and never a fail.
        """
        if case.id not in self._verdicts:
            cases = self._graded_with(case)
            self._in_question.append(case.function)
            try:
                self._grade(cases)
            except Exception as fault:
                for graded in cases:
                    self.give_up(graded, f"{type(fault).__name__}: {fault}")
            finally:
                self._in_question.pop()
        return self._verdicts[case.id]

    def give_up(self, case: Case, fault: str) -> None:
        """Leave a case ungraded, because the grader itself has failed.

        `fault` says how the grader has failed.  If the case already has a verdict,
        nothing changes.
        """
        if case.id not in self._verdicts:
            message = f"A fault of the grader, which a person must look at: {fault}"
            self._verdicts[case.id] = Verdict(case.id, Status.UNGRADED, message=message)
            self._runs.close()

    def is_due(self, case: Case) -> bool:
        """Whether a case should be graded now.

        A graded case always should.  Advice should be graded only if its function fails
        in no graded case.  The functions that its function may call must fail in no
        graded case either.
        """
        if not case.advice:
            return True
        functions = [case.function, *case.graded.may_call]
        return not any(self._fails(function, case) for function in functions)

    def sheet(self) -> ScoreSheet:
        """Grade all cases of the bank, and return the score sheet."""
        return self.sheet_of(self.bank.cases)

    def sheet_of(self, cases: Iterable[Case]) -> ScoreSheet:
        """Grade only these cases, and return the score sheet.

        On this sheet, the other cases have no verdict.  Advice that is not due has none
        either.
        """
        verdicts = {
            case.id: self.verdict(case)
            for case in sorted(cases, key=turn)
            if self.is_due(case)
        }
        imported = self._runs.loaded.imported
        known = {}
        if not self._import_failure:
            source = in_utf8(self.source)
            known = diagnoses(self.bank, verdicts, self._run_again, source)
        return ScoreSheet(
            bank=self.bank,
            verdicts=verdicts,
            source=self.source,
            survey=imported.survey if imported else None,
            import_failure=self._import_failure,
            kit=self.kit,
            isolation=self._runs.isolation,
            diagnoses=known,
            lab=str(self.lab.resolve()),
        )

    def close(self) -> None:
        """End the child processes."""
        self._runs.close()

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _graded_with(self, case: Case) -> list[Case]:
        """Return the cases that are graded together with this case, including the case
        itself.

        All of them are cases of the same function, all are public or all are hidden,
        and none has a verdict yet.  If `begin` has chosen this case, all of them are
        chosen cases.  Advice is graded alone.
        """
        cases = self._chosen if case in self._chosen else self.bank.of(case.function)
        if case.advice or case not in cases:
            return [case]
        return [
            other
            for other in cases
            if other.function == case.function
            and other.hidden == case.hidden
            and not other.advice
            and other.id not in self._verdicts
        ]

    def _grade(self, cases: Sequence[Case]) -> None:
        """Find the verdicts on these cases.  All of them are cases of one function."""
        if refusal := self._refusal(cases[0]):
            for case in cases:
                self._verdicts[case.id] = replace(refusal, case=case.id)
            return
        verdicts: dict[str, Verdict] = {}
        together = _in_one_process(cases)
        if together and not self._runs.why_not(together[0]):
            for case, answer in self._runs.together(together):
                verdicts[case.id] = judge(case, answer, self.kit)
        for case in cases:
            # True if this case was the first of those that ran together in one process.
            was_alone = case in together[:1]
            verdict = self._verdict_that_counts(case, verdicts.get(case.id), was_alone)
            if case.hidden and self._conceals:
                verdict = concealed(verdict)
            self._verdicts[case.id] = verdict

    def _refusal(self, case: Case) -> Verdict | None:
        """Return the verdict on all public or all hidden cases of a function, if none
        of them can be run.

        Return None if they can be run.  `case` is one of these cases.
        """
        loaded = self._runs.loaded
        if loaded.ending is Ending.STALLED:
            message = sentence_for_import(loaded)
            return Verdict(case.id, Status.UNGRADED, message=message)
        if self._import_failure:
            return Verdict(case.id, Status.CRASH, message=self._import_failure)
        if case.hidden and not self._runs.isolation.keep_cases:
            return Verdict(case.id, Status.UNGRADED, message=OPEN_CASES)
        return None

    @cached_property
    def _import_failure(self) -> str | None:
        """A sentence that says why lab.py cannot be imported.

        None if lab.py can be imported, or if nobody knows because the import has
        stalled.
        """
        loaded = self._runs.loaded
        if loaded.imported or loaded.ending is Ending.STALLED:
            return None
        return sentence_for_import(loaded, what_ails(self.source))

    def _verdict_that_counts(
        self, case: Case, first: Verdict | None, was_alone: bool
    ) -> Verdict:
        """Return the final verdict on a case.

        `first` is the verdict from the run together with other cases.  It is None if
        the case did not run there.  `was_alone` says whether the case was the first one
        in that process.

        A case that did not pass runs once more by itself if another case may have
        influenced `first`, or if other functions have to be watched.  It does not run
        again if its function is not begun, or if it may not be run any more.
        """
        if first and (first.passed or _is_not_begun(case, first)):
            return first
        sure = None  # the first verdict, if no other case can have influenced it
        if first and was_alone and first.status is not Status.UNGRADED:
            sure = first
        if why_not := self._runs.why_not(case):
            return sure or Verdict(case.id, Status.UNGRADED, message=why_not, ran=False)
        others = self._others_of_its_kinds(case)
        if sure is None or others:
            sure = verdict_alone(
                case,
                others,
                run=partial(self._alone, case),
                is_wrong=lambda other: self._fails(other.name, case),
            )
        if sure.status in NO_REPROACH:
            return sure
        needed = [name for name in case.graded.needs if self._fails(name, case)]
        return waiting(sure, needed) if needed else sure

    def _alone(
        self, case: Case, watch: Watch = WATCH_NOTHING
    ) -> tuple[Verdict, Answer]:
        """Run a case by itself; return its verdict and its answer."""
        answer = self._runs.alone(case, watch)
        return judge(case, answer, self.kit), answer

    def _run_again(self, case: Case) -> tuple[Verdict, Answer] | None:
        """Run a case once more, for a diagnosis.

        Return None if the case may not be run any more.
        """
        if self._runs.why_not(case):
            return None
        return self._alone(case)

    def _others_of_its_kinds(self, case: Case) -> list[Function]:
        """Return the other graded functions that the function of a case may call, in
        the order of points.yaml.

        The kind of the case lists the kinds of functions that may be called.  Functions
        without cases are left out.  For advice the list is empty.
        """
        if case.advice:
            return []
        kinds = kind_of(case.graded).calls
        return [
            other
            for other in self.bank.functions
            if other.kind in kinds and other != case.graded and self.bank.of(other.name)
        ]

    def _fails(self, function: str, case: Case) -> bool:
        """Whether `function` fails, or has to wait, in one of its own graded cases.

        If `case` is public, only public cases of `function` count.  So the verdict on
        `case` reveals nothing about hidden cases.  The answer is False while `function`
        itself is being graded.
        """
        if function in self._in_question:
            return False
        counting = [
            other
            for other in self.bank.of(function)
            if not other.advice and (case.hidden or not other.hidden)
        ]
        return any(self.verdict(other).status not in NO_REPROACH for other in counting)


def turn(case: Case) -> tuple[bool, bool]:
    """Return a sort key: graded cases come before advice, and hidden cases come
    last.
    """
    return case.hidden, case.advice


def _in_one_process(cases: Sequence[Case]) -> list[Case]:
    """Choose the cases that run one after the other in one process.

    Only the first of them runs in a process that no case has used before.  So at most
    one case that needs a process of its own is chosen, and it comes first.  A case that
    tests `make run` is never chosen.  The cases that are left out run later.
    """
    in_the_worker = [
        case for case in cases if not kind_of(case.graded).typed(case.calls[0])
    ]
    fresh = [case for case in in_the_worker if case.process == "own"]
    shared = [case for case in in_the_worker if case.process == "shared"]
    return fresh[:1] + shared


def _is_not_begun(case: Case, verdict: Verdict) -> bool:
    """Whether the verdict says that the function of the case itself is not written yet.

    The function may be written and call another function that is not written.  Then
    return False.
    """
    methods = ("", case.function, *kind_of(case.graded).methods)
    return verdict.status is Status.NOT_STARTED and inside(verdict.frames) in methods


def grade(lab: Path, bank: Bank, fork: bool = True) -> ScoreSheet:
    """Grade one lab.py, and return its score sheet."""
    with Session(lab, bank, fork) as session:
        return session.sheet()
