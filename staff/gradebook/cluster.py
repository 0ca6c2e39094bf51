"""The same work on several machines: `make grade SCHEDULER=address` sends labs to the workers of a Dask scheduler.

Each worker runs a kit process, from a kit at the same path.  It gets the bytes of one lab.py and gives verdicts back;
the store stays here.  A lab that is lost with its worker is sent twice more, and is ungraded then.
"""

from collections.abc import Iterable, Iterator

from distributed import Client, as_completed

from grader.refusal import Refusal
from staff.gradebook.digests import code_digest
from staff.gradebook.pool import KitProcess, Result, Task, attempts, faults

TRIES = 3
TIMEOUT = 10  # seconds, to reach the scheduler


def run(tasks: Iterable[Task], address: str) -> Iterator[Result]:
    """The results of tasks as they come, one for each function.

    Raises Refusal if the scheduler does not answer, or if a worker has another kit.
    """
    try:
        client = Client(address, timeout=TIMEOUT)
    except (OSError, ValueError) as error:
        raise Refusal(f"SCHEDULER={address} does not answer: {error}") from None
    with client:
        for worker, digest in client.run(code_digest).items():
            if digest != code_digest():
                raise Refusal(f"{worker} has another kit than this one; bring both to the same commit")
        client.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", TRIES - 1))
        sent = {client.submit(graded, task, pure=False): task for task in tasks}
        for future in as_completed(sent):
            if future.status == "finished":
                yield from future.result()
            else:
                task = sent[future]
                yield from faults(task, task.functions, f"It was lost with its worker {TRIES} times.")


def graded(task: Task) -> list[Result]:
    """On a worker: the verdicts on one lab.py."""
    return list(attempts(task, KitProcess()))
