"""Runs a command of the kit, and prints its peaks of memory in KiB.

    python -m staff.bench.programs.peak_of_memory grade

The last line has the peak of this process, and the peak of the largest process that
graded for it.  The program needs Linux, where a file in /proc has the peak of each
process.  getrusage is no help, because the peak that it gives for a process may be the
peak of the parent of that process.
"""

import re
import sys
from pathlib import Path

from grader.finder import look_only_for_packages

look_only_for_packages()

from grader.cli import enter  # noqa: E402
from staff.farm.pool import KitProcess  # noqa: E402


class Peaks:
    """Notes the peak of memory of each process that grades, just before that process is
    asked to end.
    """

    def __init__(self) -> None:
        self.largest = 0
        self._ask_to_end = KitProcess.ask_to_end

    def ask_to_end(self, process: KitProcess) -> None:
        """Note the peak of memory of a process, and ask the process to end."""
        if process._process:
            self.largest = max(self.largest, peak_of(str(process._process.pid)))
        self._ask_to_end(process)


def peak_of(process: str) -> int:
    """Return the most memory that a process has used so far, in KiB.

    Return 0 if the process has ended but its parent has not waited for its end yet.
    """
    text = Path("/proc", process, "status").read_text()
    return max(map(int, re.findall(r"VmHWM:\s*(\d+)", text)), default=0)


def main(words: list[str]) -> object:
    """Carry out the command and print the peaks; return the exit status."""
    peaks = Peaks()

    def ask_to_end(self: KitProcess) -> None:
        peaks.ask_to_end(self)

    KitProcess.ask_to_end = ask_to_end  # type: ignore[method-assign]
    try:
        status: object = enter(words)
    except SystemExit as end:
        status = end.code
    print(peak_of("self"), peaks.largest)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))  # type: ignore[arg-type]
