"""Grades on several machines: `make grade SCHEDULER=address`.

The command sends submissions to the workers of a Dask scheduler.  The store stays on
this machine.  With each submission, a worker gets the digest of kit, cases and course.
It returns verdicts.  A worker grades nothing if its own digest differs, or if its
isolation is weaker than the course needs.  The worker checks this when it joins, and
before each submission.  If a worker is lost while it grades a submission, another
worker gets the submission.  If that happens TRIES times, or if the grading on a worker
ends with an error, nothing is stored for the submission.
"""

import contextlib
import functools
import importlib
import pickle
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from distributed import Client, Future, KilledWorker, wait

from grader.protocol.text import plural
from grader.refusal import Refusal, tell
from staff.farm import isolation
from staff.farm.digests import digest_of_everything
from staff.farm.pool import Failure, KitProcess, Result, Task, attempts

TRIES = 3  # how often a submission is sent whose worker is lost
# How many submissions may be on their way for each thread of a worker.  While the
# thread grades one of them, the next one is already there.
AT_A_TIME = 2
REACH_SECONDS = 10  # seconds in which the scheduler has to answer
LOOK_SECONDS = 1.0  # between two looks at who has joined, and who has gone
# Seconds to wait if there is no worker, so that somebody can start one.
PATIENCE_SECONDS = 20.0
LOST = f"its worker was lost while grading it, {TRIES} times"
NOBODY = "no worker is left"
OTHER = (
    "has another kit, other cases or another course than this machine; "
    "copy the whole folder again"
)


@dataclass(frozen=True)
class Needs:
    """What a worker must have in order to grade."""

    digest: str  # the digest of kit, cases and course
    isolation: str  # the level of isolation
    way: str  # the word of ISOLATE; empty for the strongest way that works


@dataclass(frozen=True)
class Unfit:
    """The answer of a worker that may not grade, with the reason."""

    why: str  # says why, as the end of a sentence


@dataclass
class Crew:
    """The workers of the scheduler."""

    client: Client
    needs: Needs
    # How many threads each worker has, if it may grade.  The key is the address of the
    # worker.
    threads: dict[str, int] = field(default_factory=dict)
    # Why a worker that was refused may not grade.  The key is the address of the
    # worker.
    refused: dict[str, str] = field(default_factory=dict)

    def look(self) -> None:
        """Find out which workers have joined or gone.

        Ask the new workers whether they may grade.
        """
        present = {
            address: int(facts["nthreads"])
            for address, facts in _workers(self.client).items()
        }
        self.threads = {
            address: number
            for address, number in self.threads.items()
            if address in present
        }
        known = self.threads.keys() | self.refused.keys()
        new = [address for address in present if address not in known]
        if not new:
            return
        data = pickle.dumps(self.needs)
        answers = self.client.run(
            lambda data: importlib.import_module("staff.farm.cluster").why_unfit_of(
                data
            ),
            data,
            workers=new,
            on_error="return",
        )
        for address, answer in answers.items():
            if answer == "":
                self.threads[address] = present[address]
            elif isinstance(answer, str):
                self.refuse(address, answer)
            else:
                self.refuse(address, _what_it_met(answer))

    def refuse(self, address: str, why: str) -> None:
        """Send no more tasks to a worker.  Print why, if that is not printed yet."""
        self.threads.pop(address, None)
        if address not in self.refused:
            self.refused[address] = why
            tell(f"the worker {address} is refused: it {why}")


@dataclass(frozen=True)
class Sent:
    """A task that was sent to the workers and that has not come back yet."""

    task: Task
    workers: frozenset[str]  # the workers to which the task may go
    losses: int  # how often the task was lost before


@dataclass
class Work:
    """The tasks of a command: those to send, and those on their way.

    The command sends only as many tasks as the workers have room for.  So a worker that
    joins later finds tasks that are not sent yet.
    """

    crew: Crew
    tasks: Iterator[Task]  # the tasks that are not sent yet
    # The tasks to send again, each with how often it was lost.
    again: list[tuple[Task, int]] = field(default_factory=list)
    on_the_way: dict[Future[Any], Sent] = field(default_factory=dict)
    # The last moment at which there was a worker.
    seen: float = field(default_factory=time.monotonic)

    def send(self) -> None:
        """Send tasks until the workers have no more room, or until no task is left."""
        room = AT_A_TIME * sum(self.crew.threads.values()) - len(self.on_the_way)
        for _ in range(room):
            task, losses = self._next()
            if task is None:
                return
            workers = frozenset(self.crew.threads)
            future = _send(self.crew, task, workers)
            self.on_the_way[future] = Sent(task, workers, losses)

    def _next(self) -> tuple[Task | None, int]:
        """Return the next task to send, and how often it was lost.

        The task is None if all tasks are sent.
        """
        if self.again:
            return self.again.pop()
        return next(self.tasks, None), 0

    def is_left_alone(self) -> bool:
        """Whether there has been no worker for more than PATIENCE_SECONDS."""
        if self.crew.threads:
            self.seen = time.monotonic()
        return time.monotonic() - self.seen > PATIENCE_SECONDS

    def given_up(self) -> Iterator[Failure]:
        """Yield a Failure for each task that has no result yet."""
        for sent in self.on_the_way.values():
            yield Failure(sent.task, NOBODY)
        for task, _ in self.again:
            yield Failure(task, NOBODY)
        for task in self.tasks:
            yield Failure(task, NOBODY)

    def back(self) -> list[Future[Any]]:
        """Wait a moment, and return the tasks that need no more waiting.

        Such a task has come back, or can never come back.  It can never come back if
        all workers to which it may go have gone.
        """
        if not self.on_the_way:
            time.sleep(LOOK_SECONDS)
            return []
        done = list[Future[Any]]()
        with contextlib.suppress(TimeoutError):
            done += wait(
                [*self.on_the_way], timeout=LOOK_SECONDS, return_when="FIRST_COMPLETED"
            ).done
        gone = [
            future
            for future, sent in self.on_the_way.items()
            if sent.workers.isdisjoint(self.crew.threads)
        ]
        return list(dict.fromkeys([*done, *gone]))

    def taken(self, future: Future[Any]) -> list[Result] | list[Failure]:
        """Return the results of a task that needs no more waiting.

        If the task has to be sent again, return no results, and keep it in `again`.
        """
        sent = self.on_the_way.pop(future)
        if future.status == "finished":
            address, answer = future.result()
            if not isinstance(answer, Unfit):
                return list(answer)
            self.crew.refuse(address, answer.why)
            self.again.append((sent.task, sent.losses))
            return []
        if future.status == "error":
            return [Failure(sent.task, _why_failed(future.exception()))]
        future.cancel()
        if sent.losses + 1 == TRIES:
            return [Failure(sent.task, LOST)]
        self.again.append((sent.task, sent.losses + 1))
        return []


def _why_failed(error: Any) -> str:
    """Say why a task failed on its worker, as the end of a sentence."""
    if isinstance(error, KilledWorker):
        return LOST
    return f"a worker failed: {type(error).__name__}: {error}"


def run(
    tasks: Iterable[Task], address: str, needed: str, way: str
) -> Iterator[Result | Failure]:
    """Yield the results of tasks as they come.

    A task gives one Result for each function, or else a Failure.  `needed` is the level
    of isolation that the course needs.  `way` is the word that was typed behind
    ISOLATE=.  Raises Refusal if the scheduler does not answer, or if at the beginning
    no worker may grade.
    """
    try:
        client = Client(address, timeout=REACH_SECONDS)
    except (OSError, ValueError) as error:
        raise Refusal(f"SCHEDULER={address} does not answer: {error}") from None
    with client:
        client.run_on_scheduler(
            lambda dask_scheduler: setattr(
                dask_scheduler, "allowed_failures", TRIES - 1
            )
        )
        crew = Crew(client, Needs(digest_of_everything(), needed, way))
        crew.look()
        if not crew.threads:
            raise Refusal(
                f"SCHEDULER={address} has no worker that may grade; "
                "start one in a copy of this folder"
            )
        workers = plural(len(crew.threads), "worker")
        print(f"{workers} may grade; isolation of each: {needed} or better", flush=True)
        yield from _all(Work(crew, iter(tasks)))


def _all(work: Work) -> Iterator[Result | Failure]:
    """Send all tasks, and yield their results as they come back.

    If there is no worker for too long, yield a Failure for each task that is left.
    """
    while True:
        work.crew.look()
        work.send()
        if work.is_left_alone():
            yield from work.given_up()
            return
        if work.crew.threads and not work.on_the_way:
            return
        for future in work.back():
            yield from work.taken(future)


def _send(crew: Crew, task: Task, workers: Iterable[str]) -> Future[Any]:
    """Send a task to one of these workers.

    The task is sent as bytes, together with a function that finds the kit on the
    worker.  So the scheduler itself needs no kit.
    """
    return crew.client.submit(
        lambda data: importlib.import_module("staff.farm.cluster").graded(
            *pickle.loads(data)
        ),
        pickle.dumps((task, crew.needs)),
        workers=[*workers],
        allow_other_workers=False,
        pure=False,
    )


def _workers(client: Client) -> Mapping[str, Mapping[str, Any]]:
    """Return the workers of the scheduler.  The key is the address of the worker."""
    facts = client.scheduler_info(n_workers=-1)
    workers: Mapping[str, Mapping[str, Any]] = facts["workers"]
    return workers


def _what_it_met(error: Any) -> str:
    """Say which error kept a worker from answering whether it may grade.

    The text is the end of a sentence about the worker.
    """
    if isinstance(error, ModuleNotFoundError):
        return f"cannot find the kit ({error}): start it in the folder of the kit"
    return f"answers with {type(error).__name__}: {error}"


def why_unfit(needs: Needs) -> str:
    """On a worker: say why this worker may not grade; empty if it may.

    The text is the end of a sentence.
    """
    if digest_of_everything() != needs.digest:
        return OTHER
    level = _level(needs.way)
    if isolation.is_weaker(level, needs.isolation):
        advice = isolation.how_to_reach(needs.isolation, needs.way)
        return (
            f"reaches isolation: {level}, and the course needs {needs.isolation}; "
            f"{advice}"
        )
    return ""


def why_unfit_of(data: bytes) -> str:
    """On a worker: call `why_unfit` with the Needs that these bytes hold."""
    return why_unfit(pickle.loads(data))


@functools.cache
def _level(way: str) -> str:
    """On a worker: return the level of isolation of this machine.

    The first call with a `way` sets up the isolation.  Later calls return the same
    level.  If the way does not work, the level is `none`.
    """
    try:
        return isolation.choose(way, isolation.NONE)
    except Refusal:
        return isolation.NONE


def graded(task: Task, needs: Needs) -> tuple[str, list[Result] | Unfit]:
    """On a worker: grade one submission.

    Return the address of this worker, and the results.  If the worker may not grade,
    return the reason in place of the results.
    """
    from distributed import get_worker

    address: str = get_worker().address
    why = why_unfit(needs)
    if why:
        return address, Unfit(why)
    process = KitProcess()
    try:
        return address, list(attempts(task, process))
    finally:
        process.end()
