"""How strongly the machine is kept from the labs that are graded: none, lock or box.

none   time and memory are limited, and nothing more
lock   the kit's own: Landlock and seccomp keep cases, store and grader out of reach
box    that inside bubblewrap or a container: it protects the machine too
"""

import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from grader.kit import KIT
from grader.protocol.answer import Isolation
from grader.refusal import Refusal
from grader.sandbox.sandbox import NeverStarted, Sandbox
from grader.sandbox.worker import AROUND, LIBRARIES

NONE, LOCK, BOX = LEVELS = ("none", "lock", "box")
WAYS = {"none": NONE, "lock": LOCK, "bwrap": BOX, "container": BOX}
SHOWN = ("api", "grader", "boards/*.py", *(f"boards/{name}.yaml" for name in ("boards", "trees", "games", "points")))
TMP_BYTES = 64 << 20
MENDS = {
    LOCK: "grade on Linux with Landlock (5.13 or newer), or in a container",
    BOX: "install bubblewrap, or grade in a container and say ISOLATE=container",
}


def choose(way: str, needed: str) -> str:
    """Set up the way of isolation that ISOLATE names, or the strongest that holds; the level that is reached.

    Raises Refusal if it does not hold, or is weaker than the course needs.
    """
    ways = [way] if way else ["bwrap", "lock", "none"]
    level = next((level for level in map(_reached, ways) if level), "")
    if not level:
        raise Refusal(f"ISOLATE={way} does not hold here; make doctor says what does. {MENDS[WAYS[way]]}")
    if LEVELS.index(level) < LEVELS.index(needed):
        raise Refusal(f"the course needs isolation: {needed}, and here holds {level}: {MENDS[needed]}")
    return level


def _reached(way: str) -> str:
    """The level that a way reaches here, and is set up for; empty if it does not hold."""
    os.environ[AROUND] = ""
    if way == "none":
        return NONE
    if way == "bwrap":
        if not shutil.which("bwrap"):
            return ""
        os.environ[AROUND] = shlex.join(bubblewrap())
    return WAYS[way] if what_holds().tier == "closed" else ""


def bubblewrap() -> list[str]:
    """The command that shows a worker Python, the kit without its cases, and one lab.py.

    The worker may write in its folder alone.  The words {lab} and {folder} are filled in for each worker.
    """
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--dev", "/dev", "--proc", "/proc"]
    words += ["--size", str(TMP_BYTES), "--tmpfs", "/tmp"]
    places = {
        Path(sys.base_prefix),
        Path(sys.prefix),
        LIBRARIES,
        *map(Path, ("/usr", "/lib", "/lib64", "/etc/localtime")),
    }
    places |= {file for pattern in SHOWN for file in KIT.glob(pattern)}
    for place in sorted(place for place in places if place.exists()):
        words += ["--ro-bind", str(place), str(place)]
    return [*words, "--ro-bind", "{lab}", "{lab}", "--bind", "{folder}", "{folder}", "--chdir", "{folder}"]


def what_holds() -> Isolation:
    """What holds a worker, as it is set up now; nothing if none can be started."""
    with tempfile.TemporaryDirectory() as folder:
        lab = Path(folder, "lab.py")
        lab.write_text("", "utf-8")
        sandbox = Sandbox(lab)
        try:
            sandbox.load()
            return sandbox.isolation
        except (NeverStarted, OSError):
            return Isolation()
        finally:
            sandbox.close()
