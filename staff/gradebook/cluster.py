"""The same work on several machines: `make grade SCHEDULER=address` sends labs to the workers of a Dask scheduler.

The store stays here.  A worker gets the bytes of one lab.py, with the digest of all that decides (kit, cases, course),
and gives verdicts back.  A worker whose own digest is another one grades nothing, nor one that is less isolated than
the course needs, whenever it joins.  A lab that is lost with its worker is sent to another one.  If that does not help,
or if a worker fails, nothing is stored for the lab.
"""

import functools
import importlib
import pickle
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from distributed import Client, Future, KilledWorker, wait

from grader.protocol.words import plural
from grader.refusal import Refusal, tell
from staff.gradebook import isolation
from staff.gradebook.digests import digest_of_everything
from staff.gradebook.pool import Failure, KitProcess, Result, Task, attempts

TRIES = 3  # of a lab whose worker is lost
AT_A_TIME = 2  # labs for each thread of a worker, so that it need not wait for us, and memory stays flat
REACH_SECONDS = 10  # for the scheduler to answer
LOOK_SECONDS = 1.0  # between two looks at who has joined, and who has gone
PATIENCE_SECONDS = 20.0  # without any worker: one that is started again needs a moment
LOST = f"its worker was lost while grading it, {TRIES} times"
NOBODY = "no worker is left"
OTHER = "has another kit, other cases or another course than this machine; copy the whole folder anew"


@dataclass(frozen=True)
class Needs:
    """What a worker must have: the digest of all that decides, and an isolation, in the way that ISOLATE names."""

    digest: str
    isolation: str
    way: str


@dataclass(frozen=True)
class Unfit:
    """Why a worker does not grade, as the end of a sentence."""

    why: str


@dataclass
class Crew:
    """The workers that may grade, with the number of their threads; `refused` are the others that are there."""

    client: Client
    needs: Needs
    threads: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    def look(self) -> None:
        """See who has joined and who has gone, and ask the new ones what they have."""
        present = {address: int(facts["nthreads"]) for address, facts in _workers(self.client).items()}
        self.threads = {address: number for address, number in self.threads.items() if address in present}
        new = [address for address in present if address not in self.threads and address not in self.refused]
        if not new:
            return
        data = pickle.dumps(self.needs)
        answers = self.client.run(
            lambda data: importlib.import_module("staff.gradebook.cluster").why_unfit_of(data),
            data, workers=new, on_error="return",
        )  # fmt: skip
        for address, answer in answers.items():
            if answer == "":
                self.threads[address] = present[address]
            else:
                self.refuse(address, answer if isinstance(answer, str) else _what_it_met(answer))

    def refuse(self, address: str, why: str) -> None:
        """Send nothing to a worker any more, and say why, once."""
        self.threads.pop(address, None)
        if address not in self.refused:
            self.refused[address] = why
            tell(f"the worker {address} is refused: it {why}")


@dataclass(frozen=True)
class Sent:
    """A task on its way: to which workers, and how often it was lost before."""

    task: Task
    workers: frozenset[str]
    losses: int


def run(tasks: Iterable[Task], address: str, needed: str, way: str) -> Iterator[Result | Failure]:
    """The results of tasks as they come, one for each function; or a Failure for a task.

    `needed` is the isolation of the course.  Raises Refusal if the scheduler does not answer, or if no worker may
    grade.
    """
    try:
        client = Client(address, timeout=REACH_SECONDS)
    except (OSError, ValueError) as error:
        raise Refusal(f"SCHEDULER={address} does not answer: {error}") from None
    with client:
        client.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", TRIES - 1))
        crew = Crew(client, Needs(digest_of_everything(), needed, way))
        crew.look()
        if not crew.threads:
            raise Refusal(f"SCHEDULER={address} has no worker that may grade; start one in a copy of this folder")
        print(f"{plural(len(crew.threads), 'worker')} may grade; isolation of each: {needed} or better", flush=True)
        yield from _all(iter(tasks), crew)


def _all(tasks: Iterator[Task], crew: Crew) -> Iterator[Result | Failure]:
    """Send tasks as far as the workers have room, and take what comes back, until all is done."""
    again: list[tuple[Task, int]] = []
    on_the_way: dict[Future[Any], Sent] = {}
    last_seen = time.monotonic()
    while True:
        crew.look()
        room = AT_A_TIME * sum(crew.threads.values()) - len(on_the_way)
        for _ in range(max(0, room)):
            task, losses = again.pop() if again else (next(tasks, None), 0)
            if task is None:
                break
            workers = frozenset(crew.threads)
            future = _send(crew, task, workers)
            on_the_way[future] = Sent(task, workers, losses)
        if crew.threads:
            last_seen = time.monotonic()
        elif time.monotonic() - last_seen > PATIENCE_SECONDS:
            yield from (Failure(sent.task, NOBODY) for sent in on_the_way.values())
            yield from (Failure(task, NOBODY) for task, _ in again)
            yield from (Failure(task, NOBODY) for task in tasks)
            return
        elif not on_the_way:
            time.sleep(LOOK_SECONDS)
        if not (on_the_way or again) and room > 0:
            return
        for future in _done(on_the_way, crew):
            sent = on_the_way.pop(future)
            outcome = _outcome(future, sent, crew)
            if outcome is None:
                again.append((sent.task, sent.losses + 1))
            else:
                yield from outcome


def _send(crew: Crew, task: Task, workers: Iterable[str]) -> Future[Any]:
    """Send a task to one of these workers.

    It goes as bytes, with a function that finds the kit on the worker: so the scheduler itself needs no kit.
    """
    return crew.client.submit(
        lambda data: importlib.import_module("staff.gradebook.cluster").graded(*pickle.loads(data)),
        pickle.dumps((task, crew.needs)), workers=[*workers], allow_other_workers=False, pure=False,
    )  # fmt: skip


def _done(on_the_way: Mapping[Future[Any], Sent], crew: Crew) -> list[Future[Any]]:
    """Those that have come back by now, or never will, since all workers that they may go to are gone."""
    if not on_the_way:
        return []
    try:
        done = [*wait([*on_the_way], timeout=LOOK_SECONDS, return_when="FIRST_COMPLETED").done]
    except TimeoutError:
        done = []
    gone = [future for future, sent in on_the_way.items() if sent.workers.isdisjoint(crew.threads)]
    return list(dict.fromkeys([*done, *gone]))


def _outcome(future: Future[Any], sent: Sent, crew: Crew) -> list[Result | Failure] | None:
    """What comes of a task; None if it goes to another worker."""
    if future.status == "finished":
        address, answer = future.result()
        if isinstance(answer, Unfit):
            crew.refuse(address, answer.why)
            return None
        return list(answer)
    if future.status == "error":
        error = future.exception()
        if isinstance(error, KilledWorker):
            return [Failure(sent.task, LOST)]
        return [Failure(sent.task, f"a worker failed: {type(error).__name__}: {error}")]
    future.cancel()
    return None if sent.losses + 1 < TRIES else [Failure(sent.task, LOST)]


def _workers(client: Client) -> Mapping[str, Mapping[str, Any]]:
    """The workers of the scheduler, by their addresses."""
    workers: Mapping[str, Mapping[str, Any]] = client.scheduler_info(n_workers=-1)["workers"]
    return workers


def _what_it_met(error: Any) -> str:
    """Why a worker could not even answer, as the end of a sentence."""
    if isinstance(error, ModuleNotFoundError):
        return f"cannot find the kit ({error}): start it in the folder of the kit"
    return f"answers with {type(error).__name__}: {error}"


def why_unfit(needs: Needs) -> str:
    """On a worker: why it may not grade, as the end of a sentence; empty if it may."""
    if digest_of_everything() != needs.digest:
        return OTHER
    level = _level(needs.way)
    if isolation.LEVELS.index(level) < isolation.LEVELS.index(needs.isolation):
        return f"reaches isolation: {level}, and the course needs {needs.isolation}; {isolation.MENDS[needs.isolation]}"
    return ""


def why_unfit_of(data: bytes) -> str:
    """On a worker: the same, of needs as bytes."""
    return why_unfit(pickle.loads(data))


@functools.cache
def _level(way: str) -> str:
    """On a worker: set up its isolation, once; the level that is reached."""
    try:
        return isolation.choose(way, isolation.NONE)
    except Refusal:
        return isolation.NONE


def graded(task: Task, needs: Needs) -> tuple[str, list[Result] | Unfit]:
    """On a worker: its address, and the verdicts on one lab.py, or why it gives none."""
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
