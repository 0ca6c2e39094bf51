"""How well the machine is protected from the labs that it grades: none, lock or box;
and `make doctor`, which tries it.

none   time and memory are limited, and nothing more
lock   the kit's own: Landlock and seccomp keep cases, store and grader out of reach
box    that inside bubblewrap, or in a container (ISOLATE=container): it protects the machine too
"""

import contextlib
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from grader.bank.reading import CASES, load_bank
from grader.kit import KIT
from grader.protocol.answer import Request
from grader.protocol.words import harmless
from grader.refusal import Refusal
from grader.sandbox.sandbox import NeverStarted, Sandbox
from grader.sandbox.worker import AROUND, LIBRARIES
from staff.course import read_course
from staff.gradebook.store import GRADES

NONE, LOCK, BOX = LEVELS = ("none", "lock", "box")
WAYS = {"bwrap": BOX, "container": BOX, "lock": LOCK, "none": NONE}
SHOWN = (
    "api",
    "grader",
    "boards/*.py",
    *(f"boards/{name}.yaml" for name in ("boards", "trees", "games", "points")),
)
SYSTEM = (
    sys.base_prefix,
    sys.prefix,
    LIBRARIES,
    "/usr",
    "/lib",
    "/lib64",
    "/etc/localtime",
)
TMP_BYTES = 64 << 20
THROUGH = "the probe got through"
CONTAINER_MARKS = (
    Path("/run/.containerenv"),
    Path("/.dockerenv"),
)  # what Podman and Docker put into a container
APPARMOR_FORBIDS = Path(
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
)  # 1 on Ubuntu 24.04 and later
NOT_INSTALLED = "bubblewrap is not installed here"
REACHES_LOCK = "grade on Linux with Landlock (5.13 or newer), or in a container"
IN_A_CONTAINER = "grade in a container with ISOLATE=container"


def choose(way: str, needed: str) -> str:
    """Set up the way of isolation that ISOLATE names, or the strongest that holds; the
    level that is reached.

    Raises Refusal if it does not hold, or is weaker than the course needs.
    """
    if way == "container" and not in_container():
        marks = " nor ".join(map(str, CONTAINER_MARKS))
        raise Refusal(
            f"ISOLATE=container is for a command that runs in a container, and here is neither {marks}"
        )
    ways = [way] if way else ["bwrap", "lock", "none"]
    level = next((WAYS[each] for each in ways if _holds(each)), "")
    if not level:
        reach = how_to_reach(WAYS[way], way)
        raise Refusal(
            f"ISOLATE={way} does not work on this machine (make doctor says what works): {reach}"
        )
    if LEVELS.index(level) < LEVELS.index(needed):
        reach = how_to_reach(needed, way)
        raise Refusal(
            f"the course asks for isolation: {needed}, and this machine has {level}: {reach}"
        )
    return level


def in_container() -> bool:
    """Whether this process runs in a container of Podman or Docker.  Nobody can see
    what else the container lets in.
    """
    return any(mark.exists() for mark in CONTAINER_MARKS)


def how_to_reach(level: str, way: str) -> str:
    """What to do on this machine so that a level holds that ISOLATE, as it is, did not
    reach.
    """
    if level == LOCK:
        return REACHES_LOCK
    if sys.platform != "linux":
        return IN_A_CONTAINER
    complaint = complaint_of_bubblewrap()
    if not complaint:
        return (
            REACHES_LOCK
            if WAYS.get(way, BOX) == BOX
            else "leave ISOLATE out: bubblewrap works here"
        )
    if in_container():
        return f"{complaint}, and this is a container: say ISOLATE=container"
    remedies = ["install bubblewrap"] if complaint == NOT_INSTALLED else []
    if (
        APPARMOR_FORBIDS.is_file()
        and APPARMOR_FORBIDS.read_text("ascii").strip() == "1"
    ):
        complaint += ", and AppArmor allows bubblewrap only with a profile"
        remedies = [" and ".join([*remedies, "load staff/bwrap.apparmor"])]
    return f"{complaint}: {', or '.join([*remedies, IN_A_CONTAINER])} (see docs/gradebook.md)"


def complaint_of_bubblewrap() -> str:
    """Why bubblewrap makes no box here; empty if it makes one."""
    if not shutil.which("bwrap"):
        return NOT_INSTALLED
    done = subprocess.run(
        ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"],
        capture_output=True,
        text=True,
    )
    if done.returncode == 0:
        return ""
    last_line = done.stderr.strip().rpartition("\n")[2]
    return f"bubblewrap fails here ({harmless(last_line, 100)})"


def _holds(way: str) -> bool:
    """Set up a way of isolation; whether a worker is held by it."""
    if way == "bwrap" and not shutil.which("bwrap"):
        return False
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
    """The command that shows a worker Python, the kit without its cases, and one
    lab.py.

    The worker may write in its folder alone.  The words {lab} and {folder} are filled
    in for each worker.  A worker has another PATH, so bubblewrap is named with its
    folder.
    """
    words = [
        str(shutil.which("bwrap")),
        "--unshare-all",
        "--die-with-parent",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
    ]
    words += ["--size", str(TMP_BYTES), "--tmpfs", "/tmp"]
    kit = [
        file
        for top in {KIT, KIT.resolve()}
        for pattern in SHOWN
        for file in top.glob(pattern)
    ]  # KIT may be a link
    for place in sorted({*map(str, SYSTEM), *map(str, kit)}):
        words += ["--ro-bind-try", place, place]
    return [
        *words,
        "--ro-bind",
        "{lab}",
        "{lab}",
        "--bind",
        "{folder}",
        "{folder}",
        "--chdir",
        "{folder}",
    ]


def doctor(way: str) -> int:
    """Print what holds, probe by probe, and whether the level is enough for the course;
    the exit status.
    """
    level, needed = choose(way, NONE), read_course().isolation
    is_enough, broken = LEVELS.index(level) >= LEVELS.index(needed), False
    print(
        "What a hostile lab.py may try while this machine grades it, and whether that is refused:\n"
    )
    private = (
        GRADES / "grades.db",
        KIT / "staff" / "course.yaml",
    )  # of which the second is there in any case
    store = next(file for file in private if file.exists())
    places = {
        "case": next(CASES.glob("*.yaml")),
        "kit": KIT,
        "home": Path.home(),
        "store": store,
    }
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        tempfile.TemporaryDirectory() as outside,
    ):
        facts = {name: str(place) for name, place in places.items()} | {
            "outside": outside,
            "pid": os.getpid(),
        }
        for probe in yaml.safe_load(
            Path(__file__).with_name("probes.yaml").read_text("utf-8")
        ):
            through = gets_through(
                probe["code"].format(**facts, port=server.getsockname()[1])
            )
            outcome = "refused"
            if through and way == "container" and "box" in probe:
                outcome = "NOT REFUSED (within this container)"
            elif through:
                outcome = (
                    "NOT REFUSED (only a box refuses that)"
                    if "box" in probe
                    else "NOT REFUSED"
                )
                broken |= level == BOX or "box" not in probe
            print(f"  {probe['tries']:<32}{outcome}", flush=True)
    print(f"\nisolation: {level}, {_compared(level, needed, way)}")
    if is_enough and not way and level != BOX:
        print(f"no box: {how_to_reach(BOX, way)}")
    if broken and level != NONE:
        print(
            f"This machine does not keep what {level} promises: see NOT REFUSED above."
        )
    return int(not is_enough or (broken and level != NONE))


def _compared(level: str, needed: str, way: str) -> str:
    """How a level compares with the least that the course asks for, as the end of a
    sentence.
    """
    if level == needed:
        return "which is what the course asks for"
    if LEVELS.index(level) > LEVELS.index(needed):
        return f"which is enough: it is stronger than {needed}, the least that the course asks for"
    return f"which is not enough, since the course asks for {needed}: {how_to_reach(needed, way)}"


def gets_through(code: str) -> bool:
    """Whether a line runs to its end in a worker of its own, as the function of a
    case.
    """
    case = load_bank().cases[0]
    lines = "import os, socket, time", code, f"print({THROUGH!r})"
    request = Request(
        case.id, case.graded.kind, case.function, (case.calls[0].inputs,), case.seconds
    )
    with sandbox_of(
        f"def {case.function}(*given):\n" + "".join(f"    {line}\n" for line in lines)
    ) as sandbox:
        return any(THROUGH in answer.printed for answer in sandbox.run([request]))
