"""Protects a machine from the submissions that it grades.

`make doctor`, which is here too, shows how well a machine is protected.

There are three levels:

none   only time and memory are limited
lock   Landlock and seccomp keep cases, store and grader out of reach
box    bubblewrap or a container around the lock protects the rest of the machine too
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
from typing import Any

import yaml

from grader.bank.reading import CASES, load_bank
from grader.kit import KIT
from grader.parser import Parser
from grader.protocol.answer import Request
from grader.protocol.text import harmless
from grader.refusal import Refusal
from grader.sandbox.child import AROUND, LIBRARIES
from grader.sandbox.sandbox import NeverStarted, Sandbox
from staff.course import read_course
from staff.store import GRADES

NONE = "none"
LOCK = "lock"
BOX = "box"
LEVELS = (NONE, LOCK, BOX)  # the weakest first
WAYS = {"bwrap": BOX, "container": BOX, "lock": LOCK, "none": NONE}
"""The ways of isolation that ISOLATE names, with the level that each reaches."""
SHOWN = (  # files of the kit that a child in bubblewrap sees
    "api",
    "grader",
    "boards/*.py",
    "boards/boards.yaml",
    "boards/trees.yaml",
    "boards/games.yaml",
    "boards/points.yaml",
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
# Podman and Docker put these files into a container.
CONTAINER_MARKS = (Path("/run/.containerenv"), Path("/.dockerenv"))
# This file of Linux holds 1 if AppArmor keeps ordinary users from using bubblewrap, as
# on Ubuntu 24.04 and later.
APPARMOR_FORBIDS = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
PROBES = Path(__file__).with_name("probes.yaml")
NOT_INSTALLED = "bubblewrap is not installed here"
REACHES_LOCK = "grade on Linux with Landlock (5.13 or newer), or in a container"
IN_A_CONTAINER = "grade in a container with ISOLATE=container"


def choose(way: str, needed: str) -> str:
    """Set up the isolation of this machine, and return the level that it reaches.

    `way` is the word that was typed behind ISOLATE=.  If it is empty, the kit chooses
    the strongest way that works.  Raises Refusal if the way does not work, or if its
    level is weaker than `needed`, the level that the course needs.
    """
    if way == "container" and not in_container():
        marks = " nor ".join(map(str, CONTAINER_MARKS))
        raise Refusal(
            "ISOLATE=container is for a command that runs in a container, "
            f"and here is neither {marks}"
        )
    level = _set_up([way] if way else ["bwrap", "lock", "none"])
    if not level:
        reach = how_to_reach(WAYS[way], way)
        raise Refusal(
            f"ISOLATE={way} does not work on this machine "
            f"(make doctor says what works): {reach}"
        )
    if is_weaker(level, needed):
        reach = how_to_reach(needed, way)
        raise Refusal(
            f"the course asks for isolation: {needed}, and this machine has {level}: "
            f"{reach}"
        )
    return level


def is_weaker(level: str, needed: str) -> bool:
    """Whether a level of isolation is weaker than the level `needed`."""
    return LEVELS.index(level) < LEVELS.index(needed)


def _set_up(ways: list[str]) -> str:
    """Set up the first of these ways of isolation that works on this machine.

    Return the level that the way reaches, or an empty text if no way works.
    """
    for way in ways:
        if _holds(way):
            return WAYS[way]
    return ""


def in_container() -> bool:
    """Whether this process runs in a container of Podman or Docker.

    The kit cannot find out how well the container protects the machine.
    """
    return any(mark.exists() for mark in CONTAINER_MARKS)


def how_to_reach(level: str, way: str) -> str:
    """Say what to do on this machine to reach a level of isolation.

    The chosen `way` does not reach that level.
    """
    if level == LOCK:
        return REACHES_LOCK
    if sys.platform != "linux":
        return IN_A_CONTAINER
    complaint = complaint_of_bubblewrap()
    if not complaint:
        if WAYS.get(way, BOX) == BOX:
            return REACHES_LOCK
        return "leave ISOLATE out: bubblewrap works here"
    if in_container():
        return f"{complaint}, and this is a container: say ISOLATE=container"
    remedies = ["install bubblewrap"] if complaint == NOT_INSTALLED else []
    if _apparmor_forbids():
        complaint += ", and AppArmor allows bubblewrap only with a profile"
        remedies = [" and ".join([*remedies, "load staff/bwrap.apparmor"])]
    what_to_do = ", or ".join([*remedies, IN_A_CONTAINER])
    return f"{complaint}: {what_to_do} (see docs/gradebook.md)"


def _apparmor_forbids() -> bool:
    """Whether AppArmor keeps ordinary users from using bubblewrap."""
    file = APPARMOR_FORBIDS
    return file.is_file() and file.read_text("ascii").strip() == "1"


def complaint_of_bubblewrap() -> str:
    """Say why bubblewrap does not work here; empty if it works."""
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
    """Set up a way of isolation, and return whether it works on this machine.

    The way `none` confines nothing, so it always works.
    """
    if way == "bwrap" and not shutil.which("bwrap"):
        return False
    os.environ[AROUND] = ""
    if way == "bwrap":
        os.environ[AROUND] = shlex.join(bubblewrap())
    if way == "none":
        return True
    with sandbox_of("") as sandbox:
        with contextlib.suppress(NeverStarted, OSError):
            sandbox.load()
        return sandbox.isolation.tier == "closed"


@contextlib.contextmanager
def sandbox_of(code: str) -> Iterator[Sandbox]:
    """Yield a sandbox for a lab.py with this code, in the isolation that is set
    up now.
    """
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text(code, "utf-8")
        with contextlib.closing(Sandbox(lab)) as sandbox:
            yield sandbox


def bubblewrap() -> list[str]:
    """Return the command that runs a child of the grader in bubblewrap.

    The child sees Python, the system's libraries, the files of the kit in SHOWN, and
    one lab.py.  It may write only in its own folder, and in a small /tmp of its own.
    The command has the words {lab} and {folder}.  The sandbox replaces these words for
    each child.
    """
    # A child has another PATH, so the command names the folder of bubblewrap too.
    words = [str(shutil.which("bwrap")), "--unshare-all", "--die-with-parent"]
    words += ["--dev", "/dev", "--proc", "/proc"]
    words += ["--size", str(TMP_BYTES), "--tmpfs", "/tmp"]
    places = set(map(str, SYSTEM))
    for top in {KIT, KIT.resolve()}:  # KIT may be a link
        for pattern in SHOWN:
            places.update(map(str, top.glob(pattern)))
    for place in sorted(places):
        words += ["--ro-bind-try", place, place]
    words += ["--ro-bind", "{lab}", "{lab}", "--bind", "{folder}", "{folder}"]
    return [*words, "--chdir", "{folder}"]


USAGE = f"[ISOLATE={'|'.join(WAYS)}]"


def add_options(parser: Parser) -> None:
    """Declare the options of make doctor."""
    parser.add_argument(
        "--isolate", default="", choices=[*WAYS], help="what protects this machine"
    )


def doctor(way: str) -> int:
    """Print which probes this machine refuses, and which level of isolation it has.

    A probe is a line of code that a hostile lab.py may try.  The exit status is 1 if
    the level is too weak for the course.  It is also 1 if a probe gets through although
    the level promises to refuse that probe.
    """
    level = choose(way, NONE)
    needed = read_course().isolation
    is_enough = not is_weaker(level, needed)
    is_broken = False
    print(
        "What a hostile lab.py may try while this machine grades it, and whether that "
        "is refused:\n"
    )
    for probe, is_through in _tried():
        for_box_alone = "box" in probe
        outcome = "refused"
        if is_through:
            outcome = _not_refused(way, for_box_alone)
            is_within_container = way == "container" and for_box_alone
            is_promised = level == BOX or not for_box_alone
            is_broken |= is_promised and not is_within_container
        print(f"  {probe['tries']:<32}{outcome}", flush=True)
    print(f"\nisolation: {level}, {_compared(level, needed, way)}")
    if is_enough and not way and level != BOX:
        print(f"no box: {how_to_reach(BOX, way)}")
    is_broken = is_broken and level != NONE
    if is_broken:
        print(
            f"This machine does not keep what {level} promises: see NOT REFUSED above."
        )
    return int(is_broken or not is_enough)


def _not_refused(way: str, for_box_alone: bool) -> str:
    """Say that a probe gets through.

    `for_box_alone` says that only a box refuses this probe.
    """
    if not for_box_alone:
        return "NOT REFUSED"
    if way == "container":
        return "NOT REFUSED (within this container)"
    return "NOT REFUSED (only a box refuses that)"


def _tried() -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield each probe of probes.yaml, and whether it gets through."""
    # One of the probes tries to read the store.  If nothing has been collected, there
    # is no store yet, and course.yaml takes its place.
    private = (GRADES / "grades.db", KIT / "staff" / "course.yaml")
    store = next(file for file in private if file.exists())
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        tempfile.TemporaryDirectory() as outside,
    ):
        values = {
            "case": str(next(CASES.glob("*.yaml"))),
            "kit": str(KIT),
            "home": str(Path.home()),
            "store": str(store),
            "outside": outside,
            "pid": os.getpid(),
            "port": server.getsockname()[1],
        }
        for probe in yaml.safe_load(PROBES.read_text("utf-8")):
            yield probe, gets_through(probe["code"].format(**values))


def _compared(level: str, needed: str, way: str) -> str:
    """Say how a level compares with the level that the course asks for.

    The text is the end of a sentence.
    """
    if level == needed:
        return "which is what the course asks for"
    if is_weaker(needed, level):
        return (
            f"which is enough: it is stronger than {needed}, the least that the course "
            "asks for"
        )
    return (
        f"which is not enough, since the course asks for {needed}: "
        f"{how_to_reach(needed, way)}"
    )


def gets_through(code: str) -> bool:
    """Whether a line of code runs to its end when a submission contains it.

    The line is the body of a graded function, which a child of the grader calls.
    """
    case = load_bank().cases[0]
    lines = ("import os, socket, time", code, f"print({THROUGH!r})")
    body = "".join(f"    {line}\n" for line in lines)
    inputs = (case.calls[0].inputs,)
    request = Request(case.graded.kind, case.function, inputs, case.seconds)
    with sandbox_of(f"def {case.function}(*given):\n{body}") as sandbox:
        return any(THROUGH in answer.printed for answer in sandbox.run([request]))
