"""Sends the cases of a function to a child process, and returns the Answers.

A child process imports lab.py, and forks a process for each function.  If the system
cannot fork, each function gets a new child process.  The child sends plain data.  The
grader checks this data before it believes any of it.  If a case ends its process, the
Answer to that case says so, and the later cases get no Answer.
"""

import os
import signal
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.protocol.answer import (
    NOTHING_HOLDS,
    Answer,
    Ending,
    Import,
    Request,
    exited,
)
from grader.protocol.limits import IMPORT_SECONDS, IMPORT_WALL
from grader.protocol.replies import Reply, answered, split_last_words
from grader.protocol.survey import read_survey
from grader.sandbox.child import Child, Stopped
from grader.sandbox.process import as_student

TIME_IS_UP = getattr(signal, "SIGPROF", None)


class NeverStarted(RuntimeError):
    """Raised if the child ended before it tried to import lab.py.

    The cause lies in the grader or in the machine.
    """


class Sandbox:
    """Runs the functions of one lab.py, one after the other.

    If `fork` is False, every function gets a child of its own, as on Windows.  If
    `plays` is True, the sandbox plays games instead of running cases.  Then each game
    is treated like a function.  The thread that starts a child must live longer than
    the child, because on Linux the child ends together with that thread.
    """

    def __init__(self, lab: Path, fork: bool = True, plays: bool = False) -> None:
        self.lab = lab.resolve()
        # What protects the machine from student code, as the child that last imported
        # lab.py has reported it.
        self.isolation = NOTHING_HOLDS
        self._wishes = []
        if fork:
            self._wishes.append("fork")
        if plays:
            self._wishes.append("games")
        self._child: Child | None = None
        # The Answer to the import of lab.py by the current child.  It is None before
        # the import, and if the import has failed.
        self._loaded: Answer | None = None

    def start(self) -> Child:
        """Return a child that imports lab.py or has imported it.  Do not wait for the
        import.

        If there is no child yet, one is started.  Raises OSError if the child cannot be
        started, for example because the user that GRADER_USER names does not exist.
        """
        if self._child is None:
            self._child = Child(self.lab, self._wishes)
        return self._child

    def load(self) -> Answer:
        """Wait until the child has imported lab.py, and return the Answer to the
        import.

        If there was no error, the Answer has `imported`.  Raises NeverStarted if the
        child ended before it tried to import lab.py, and OSError if the child cannot be
        started.
        """
        if self._loaded:
            return self._loaded
        loaded = self._import(self.start())
        if loaded.imported:
            self._loaded = loaded
        else:
            self.close()
        return loaded

    def _import(self, child: Child) -> Answer:
        replies, answer = self.wait(
            child, "", ("imported",), IMPORT_SECONDS, IMPORT_WALL
        )
        # Only the first reply is certain to come from the grader's own code.  Student
        # code may have written any later reply.
        if replies and replies[0].isolation:
            other_user = bool(as_student())
            self.isolation = replace(replies[0].isolation, other_user=other_user)
        elif answer.ending is not Ending.STALLED:
            last_line = answer.printed.strip().rpartition("\n")[2]
            raise NeverStarted(
                f"the process for lab.py could not be started: {last_line:.200}"
            )
        answer = replace(answer, limit=IMPORT_SECONDS)
        if answer.ending is not Ending.ANSWERED:
            return answer
        last = replies[-1]
        if last.raised:
            return replace(answer, raised=last.raised)
        return replace(answer, imported=Import(read_survey(last.survey), last.forks))

    def run(self, requests: Sequence[Request]) -> Iterator[Answer]:
        """Send the cases of one function now, before anybody asks for an Answer.
        Return an iterator over the Answers.

        If the process ends while a case runs, the Answer to that case says so, and no
        further Answer follows.  If lab.py cannot be imported, the Answer to the import
        is the only one.  An earlier run that has not ended yet is ended now.
        """
        # If no filter is in force, a function may have started a process that still
        # runs.
        may_fork = self._loaded and not self.isolation.seccomp
        if self._child and (
            self._child.busy or (may_fork and self._child.leaves_somebody)
        ):
            self.close()
        child = self.start()
        run = os.urandom(16).hex()
        child.send(run, requests)
        return self._answers(child, run, requests)

    def take_turn(self, turn: Mapping[str, Any]) -> Answer:
        """Send a turn of a game to the child, and return the Answer to the import of
        lab.py.

        If there is no child, a new one is started.  If the import fails, the turn is
        not sent.
        """
        child = self.start()
        loaded = self.load()
        if loaded.imported:
            child.send_turn(turn)
        return loaded

    @property
    def plays(self) -> bool:
        """Whether there is a child, and it is busy with a game."""
        return self._child is not None and self._child.busy

    def _answers(
        self, child: Child, run: str, requests: Sequence[Request]
    ) -> Iterator[Answer]:
        loaded = self.load()
        if not loaded.imported:
            yield loaded
            return
        for number, request in enumerate(requests, start=1):
            if child is not self._child:
                return
            answer = self._answer(child, run, request)
            if number == len(requests) and loaded.imported.forks:
                child.busy = False
            yield answer
            if answer.ending is not Ending.ANSWERED:
                return

    def _answer(self, child: Child, run: str, request: Request) -> Answer:
        """Wait until the next case of the run has ended, and return the Answer to
        it.
        """
        wall = request.seconds * request.wall_per_second
        replies, answer = self.wait(child, run, ("answered",), request.seconds, wall)
        outcomes = [reply.outcome for reply in replies if reply.outcome is not None]
        if answer.ending is Ending.ANSWERED:
            _, printed = split_last_words(replies[-1].printed, self.lab)
            answer = replace(
                answered(outcomes, len(request.calls)),
                seconds=answer.seconds,
                cpu=max(0.0, replies[-1].cpu),
                printed=printed,
            )
        else:
            answer = replace(answer, outcomes=outcomes)
        return replace(
            answer,
            limit=request.seconds,
            called=_named_in("called", replies),
            unknown=_named_in("unknown", replies),
        )

    def wait(
        self, child: Child, run: str, last: Collection[str], cpu: float, wall: float
    ) -> tuple[list[Reply], Answer]:
        """Wait for a reply of the run whose `what` is one of the words in `last`.

        Return all replies up to that one, and an Answer.  If such a reply has come, the
        Answer is ANSWERED.  Otherwise the Answer says how the process ended, or why the
        grader has stopped it.
        """
        replies = list[Reply]()
        began = time.monotonic()
        try:
            for reply in child.replies(run, cpu, wall):
                replies.append(reply)
                if reply.what in last:
                    seconds = time.monotonic() - began
                    return replies, Answer(Ending.ANSWERED, seconds=seconds)
                if reply.what == "ended":
                    child.busy = False
                    status = reply.status or -reply.signal
                    return replies, self._gone(child, began, status)
        except Stopped as stopped:
            answer = self._gone(child, began)
            return replies, replace(answer, ending=stopped.ending, cpu=stopped.cpu)
        return replies, self._gone(child, began)

    def _gone(self, child: Child, began: float, status: int | None = None) -> Answer:
        """Return the Answer for a process that has ended.

        If `status` is given, the process of a function has ended with this exit status.
        If `status` is None, the child itself has ended, or the grader ends it now.
        """
        seconds = time.monotonic() - began
        text, is_flood = child.printed()
        frames, printed = split_last_words(text, self.lab)
        if status is None:
            status = self.close()
        answer = exited(status)
        if is_flood:
            answer = replace(answer, ending=Ending.FLOODED)
        elif -status == TIME_IS_UP:
            answer = replace(answer, ending=Ending.CPU_TIME_UP)
        return replace(answer, printed=printed, frames=frames, seconds=seconds)

    def close(self) -> int:
        """End the child, and return its exit status; 0 if there is no child."""
        child = self._child
        self._child = None
        self._loaded = None
        return child.end() if child else 0


def _named_in(what: str, replies: Sequence[Reply]) -> frozenset[str]:
    """Return the names of the functions in those replies whose `what` equals this
    word.
    """
    return frozenset(reply.name for reply in replies if reply.what == what)
