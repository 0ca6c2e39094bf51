"""How patient a session is: with a case, with the cases of a function, and with a whole run.

What counts is what a case *costs* (Answer.cost): what its processes compute, and the time in which
they sleep.  The time in which a busy machine runs others counts for nobody.

A case has its own seconds.  After two slow failures of a function its other cases have half a
second, and after 8.5 seconds of them, or one crowd of processes, none; a failure for which lab.py has
to be imported anew counts as two seconds.  A whole run has 30 seconds, about 28 more than the model
takes.  When half of them are gone, every case has half a second; one that needs more then, or that
finds nothing left, is not wrong: nobody has judged it, and it is "ungraded".
"""

import dataclasses
from collections import Counter, defaultdict

from boards.cases import Case
from grader.judging.verdict import Status, Verdict

TIME_OUTS_WITH_PATIENCE = 2
IMPATIENT_SECONDS = 0.5
MOST_SECONDS_OF_TIME_OUTS = 8.5
END_SECONDS = 2.0
HURRIED_AFTER = 15.0
RUN_SECONDS = 30.0
OWN_FAULT = (Status.FAIL, Status.PARTIAL, Status.CRASH, Status.TIME_OUT)

FUNCTION_USED_UP = "Not run: other cases of this function have used up its time. Mend those first."
_NOBODY = "Nobody has judged it yet: run it alone, and look at what is slow."
_BEFORE = f"the cases before it have used up half of the {RUN_SECONDS:g} seconds of a whole run"
RUN_USED_UP = f"Not run: the cases before it have used up the {RUN_SECONDS:g} seconds of a whole run. {_NOBODY}"
SHORT_OF_TIME = f"Not run: {_BEFORE}, and others of its function needed more than {IMPATIENT_SECONDS:g}. {_NOBODY}"
CUT_OFF = f"Not run to its end: {_BEFORE}, and it needs more than {IMPATIENT_SECONDS:g}. {_NOBODY}"


class Patience:
    """The clocks of one session; `spent` is what the run has cost so far, in seconds."""

    def __init__(self) -> None:
        self.spent = 0.0
        self._wasted: defaultdict[str, float] = defaultdict(float)
        self._slow: Counter[str] = Counter()
        self._cut_off: Counter[str] = Counter()
        self._ended: set[str] = set()

    def refusal(self, case: Case) -> Verdict | None:
        """The verdict on a case that there is no time for; None where there is."""
        if self._wasted[case.function] > MOST_SECONDS_OF_TIME_OUTS:
            return Verdict(case.id, Status.TIME_OUT, message=FUNCTION_USED_UP, ran=False)
        if self.spent >= RUN_SECONDS:
            return Verdict(case.id, Status.UNGRADED, message=RUN_USED_UP, ran=False)
        if self._cut_off[case.function] >= TIME_OUTS_WITH_PATIENCE:
            return Verdict(case.id, Status.UNGRADED, message=SHORT_OF_TIME, ran=False)
        return None

    def seconds(self, case: Case) -> float:
        """The CPU seconds that a case gets now."""
        return min(self._own_seconds(case), IMPATIENT_SECONDS) if self.is_hurried else self._own_seconds(case)

    @property
    def is_hurried(self) -> bool:
        """Whether the run is short of time."""
        return self.spent >= HURRIED_AFTER

    def _own_seconds(self, case: Case) -> float:
        """What a case gets as long as the run has time."""
        has_failed_slowly = self._slow[case.function] >= TIME_OUTS_WITH_PATIENCE
        return min(case.seconds, IMPATIENT_SECONDS) if has_failed_slowly else case.seconds

    def note_hang_elsewhere(self, case: Case) -> None:
        """Count that a case came to no end in another function than its own: no waste, but slow."""
        self._slow[case.function] += 1

    def note_crowd(self, case: Case) -> None:
        """Count that a case had to be stopped for its many processes: the others of its function do the same."""
        self._wasted[case.function] = 2 * MOST_SECONDS_OF_TIME_OUTS

    def note_end(self, case: Case) -> None:
        """Count that a case has ended what the next ones come from, or flooded: to start anew takes long."""
        self._ended.add(case.id)

    def excused(self, case: Case, verdict: Verdict, given: float) -> Verdict:
        """The verdict on a case that had `given` seconds: to be stopped early for the sake of the run is no fault."""
        if given >= self._own_seconds(case) or verdict.status not in (Status.TIME_OUT, Status.UNGRADED):
            return verdict
        stalls = verdict.status is Status.UNGRADED
        self._cut_off[case.function] += TIME_OUTS_WITH_PATIENCE if stalls else 1
        return dataclasses.replace(verdict, status=Status.UNGRADED, message=CUT_OFF, ran=False)

    def noted(self, case: Case, verdict: Verdict) -> Verdict:
        """The verdict, once it is counted whether its function has failed slowly."""
        seconds = max(verdict.seconds, END_SECONDS * (case.id in self._ended))
        is_slow = verdict.status is Status.TIME_OUT or seconds > IMPATIENT_SECONDS
        if is_slow and verdict.ran and verdict.status in OWN_FAULT:
            self._slow[case.function] += 1
            self._wasted[case.function] += seconds
        return verdict
