"""`make doctor`: harmless probes from inside a worker, and what holds here.

Each probe tries what a hostile lab.py might try.  It prints its name if it gets through, and does no harm then.
"""

import os
import socket
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from boards.cases import CASES, load_bank
from grader.kit import KIT
from grader.protocol.answer import Request
from grader.sandbox.sandbox import Sandbox
from staff.gradebook import isolation
from staff.gradebook.store import GRADES
from staff.parser import Parser

THROUGH, SLEEPS = "the probe got through", 20


@dataclass(frozen=True)
class Probe:
    """What is tried, in words and as code that runs to its end if it gets through; `of_the_machine` says whether only a
    box promises to refuse it."""

    words: str
    code: str
    of_the_machine: bool = False


def probes(port: int, outside: Path) -> list[Probe]:
    """The probes, with what they try to reach."""
    case, store = next(CASES.glob("*.yaml")), GRADES / "grades.db"
    store = store if store.exists() else KIT / "staff" / "course.yaml"  # which is as private, and is there
    return [
        Probe("read the cases", f"open({str(case)!r}).read(1)"),
        Probe("read the hidden cases", f"os.listdir({str(KIT / 'staff')!r})"),
        Probe("read the store of grades", f"open({str(store)!r}, 'rb').read(1)"),
        Probe("read a home folder", f"os.listdir({str(Path.home())!r})"),
        Probe("write outside its folder", f"open({str(outside / 'written')!r}, 'w').write('x')"),
        Probe("connect to a server", f"socket.create_connection(('127.0.0.1', {port}), 2).close()"),
        Probe("signal the grader", f"os.kill({os.getpid()}, 0)"),
        Probe("read the grader's environment", f"open('/proc/{os.getpid()}/environ').read(1)"),
        Probe("start a process", "os.fork() or os._exit(0)"),
        Probe("outlive its function", f"os.fork() or (os.setsid(), time.sleep({SLEEPS}), os._exit(0))"),
        Probe("fill memory", "bytearray(2 << 30)"),
        Probe("fill the disk", "open('large', 'wb').write(bytes(80 << 20))"),
        Probe("see other processes", f"os.stat('/proc/{os.getpid()}')", of_the_machine=True),
        Probe("see the files of others", f"os.stat({str(outside)!r})", of_the_machine=True),
    ]


def main(words: list[str]) -> int:
    """Print what holds, probe by probe, and the level that is reached; the exit status."""
    parser = Parser(prog="make doctor", usage="make doctor [ISOLATE=lock]")
    parser.add_argument("--isolate", default="", choices=("", *isolation.WAYS))
    level = isolation.choose(parser.parse_args(words).isolate, "none")
    with socket.create_server(("127.0.0.1", 0)) as server, tempfile.TemporaryDirectory() as outside:
        tried = probes(server.getsockname()[1], Path(outside))
        through = {probe.words for probe in tried if gets_through(probe)}
    for probe in tried:
        refused = "refused" if probe.words not in through else "NOT REFUSED"
        note = "   (only a box refuses that)" if probe.of_the_machine and probe.words in through else ""
        print(f"  {probe.words:<32}{refused}{note}")
    print(f"isolation: {level}")
    broken = [probe for probe in tried if probe.words in through and not probe.of_the_machine]
    return 1 if broken and level != "none" else 0


def gets_through(probe: Probe) -> bool:
    """Whether a probe gets through, tried in a worker of its own."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        case = load_bank().cases[0]
        lines = "import os, socket, time", probe.code, f"print({THROUGH!r})"
        lab.write_text(f"def {case.function}(*given):\n" + "".join(f"    {line}\n" for line in lines), "utf-8")
        sandbox = Sandbox(lab)
        try:
            request = Request(case.id, case.graded.kind, case.function, (case.calls[0].inputs,), case.seconds)
            return any(THROUGH in answer.printed for answer in sandbox.run([request]))
        finally:
            sandbox.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
