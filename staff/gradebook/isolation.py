"""How well the machine is protected from the labs that it grades: none, lock or box; and `make doctor`, which tries it.

none   time and memory are limited, and nothing more
lock   the kit's own: Landlock and seccomp keep cases, store and grader out of reach
box    that inside bubblewrap or a container: it protects the machine too
"""

import contextlib
import os
import shlex
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from boards.cases import CASES, load_bank
from grader.kit import KIT
from grader.protocol.answer import Request
from grader.refusal import Refusal
from grader.sandbox.sandbox import NeverStarted, Sandbox
from grader.sandbox.worker import AROUND, LIBRARIES
from staff.course import read_course
from staff.gradebook.store import GRADES

NONE, LOCK, BOX = LEVELS = ("none", "lock", "box")
WAYS = {"bwrap": BOX, "container": BOX, "lock": LOCK, "none": NONE}
SHOWN = ("api", "grader", "boards/*.py", *(f"boards/{name}.yaml" for name in ("boards", "trees", "games", "points")))
SYSTEM = (sys.base_prefix, sys.prefix, LIBRARIES, "/usr", "/lib", "/lib64", "/etc/localtime")
TMP_BYTES = 64 << 20
THROUGH = "the probe got through"
MENDS = {
    LOCK: "grade on Linux with Landlock (5.13 or newer), or in a container",
    BOX: "install bubblewrap, or grade in a container and say ISOLATE=container",
}


def choose(way: str, needed: str) -> str:
    """Set up the way of isolation that ISOLATE names, or the strongest that holds; the level that is reached.

    Raises Refusal if it does not hold, or is weaker than the course needs.
    """
    ways = [way] if way else ["bwrap", "lock", "none"]
    level = next((WAYS[each] for each in ways if _holds(each)), "")
    if not level:
        raise Refusal(f"ISOLATE={way} does not hold here; make doctor says what does. {MENDS[WAYS[way]]}")
    if LEVELS.index(level) < LEVELS.index(needed):
        raise Refusal(f"the course needs isolation: {needed}, and here holds {level}: {MENDS[needed]}")
    return level


def _holds(way: str) -> bool:
    """Set up a way of isolation; whether a worker is held by it."""
    os.environ[AROUND] = shlex.join(bubblewrap()) if way == "bwrap" else ""
    if way == "none":
        return True
    with sandbox_of("") as sandbox:
        with contextlib.suppress(NeverStarted, OSError):
            sandbox.load()
        return sandbox.isolation.tier == "closed"


@contextlib.contextmanager
def sandbox_of(code: str) -> Iterator[Sandbox]:
    """A sandbox for a lab.py with this code, held as it is set up now."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text(code, "utf-8")
        with contextlib.closing(Sandbox(lab)) as sandbox:
            yield sandbox


def bubblewrap() -> list[str]:
    """The command that shows a worker Python, the kit without its cases, and one lab.py.

    The worker may write in its folder alone.  The words {lab} and {folder} are filled in for each worker.
    """
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--dev", "/dev", "--proc", "/proc"]
    words += ["--size", str(TMP_BYTES), "--tmpfs", "/tmp"]
    kit = [file for top in {KIT, KIT.resolve()} for pattern in SHOWN for file in top.glob(pattern)]  # KIT may be a link
    for place in sorted({*map(str, SYSTEM), *map(str, kit)}):
        words += ["--ro-bind-try", place, place]
    return [*words, "--ro-bind", "{lab}", "{lab}", "--bind", "{folder}", "{folder}", "--chdir", "{folder}"]


def doctor(way: str) -> int:
    """Print what holds, probe by probe, and whether the level is enough for the course; the exit status."""
    level, needed = choose(way, NONE), read_course().isolation
    is_enough, broken = LEVELS.index(level) >= LEVELS.index(needed), False
    print("What a hostile lab.py may try while this machine grades it, and whether that is refused:\n")
    private = (GRADES / "grades.db", KIT / "staff" / "course.yaml")  # of which the second is there in any case
    store = next(file for file in private if file.exists())
    places = {"case": next(CASES.glob("*.yaml")), "kit": KIT, "home": Path.home(), "store": store}
    with socket.create_server(("127.0.0.1", 0)) as server, tempfile.TemporaryDirectory() as outside:
        facts = {name: str(place) for name, place in places.items()} | {"outside": outside, "pid": os.getpid()}
        for probe in yaml.safe_load(Path(__file__).with_name("probes.yaml").read_text("utf-8")):
            through = gets_through(probe["code"].format(**facts, port=server.getsockname()[1]))
            needs_box = " (only a box refuses that)" if through and "box" in probe else ""
            print(f"  {probe['tries']:<32}{'NOT REFUSED' if through else 'refused'}{needs_box}", flush=True)
            broken |= through and (level == BOX or not needs_box)
    print(f"\nisolation: {level}; the course needs {needed}{'' if is_enough else f': {MENDS[needed]}'}")
    return int(not is_enough or (broken and level != NONE))


def gets_through(code: str) -> bool:
    """Whether a line runs to its end in a worker of its own, as the function of a case."""
    case = load_bank().cases[0]
    lines = "import os, socket, time", code, f"print({THROUGH!r})"
    request = Request(case.id, case.graded.kind, case.function, (case.calls[0].inputs,), case.seconds)
    with sandbox_of(f"def {case.function}(*given):\n" + "".join(f"    {line}\n" for line in lines)) as sandbox:
        return any(THROUGH in answer.printed for answer in sandbox.run([request]))
