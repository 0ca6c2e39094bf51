"""`make doctor`: harmless probes from inside a worker (probes.yaml), and what holds here."""

import os
import socket
import tempfile
from pathlib import Path

import yaml

from boards.cases import CASES, load_bank
from grader.kit import KIT
from grader.protocol.answer import Request
from staff.gradebook import isolation
from staff.gradebook.store import GRADES

THROUGH = "the probe got through"


def main(options: dict[str, str]) -> int:
    """Print what holds, probe by probe, and the level that is reached; the exit status."""
    level = isolation.choose(options["ISOLATE"], isolation.NONE)
    broken = False
    store = GRADES / "grades.db"
    places = {"case": next(CASES.glob("*.yaml")), "kit": KIT, "home": Path.home()}
    places["store"] = store if store.exists() else KIT / "staff" / "course.yaml"  # which is as private, and is there
    with socket.create_server(("127.0.0.1", 0)) as server, tempfile.TemporaryDirectory() as outside:
        facts = {name: str(place) for name, place in places.items()} | {"outside": outside, "pid": os.getpid()}
        for probe in yaml.safe_load(Path(__file__).with_name("probes.yaml").read_text("utf-8")):
            through = gets_through(probe["code"].format(**facts, port=server.getsockname()[1]))
            needs_box = " (only a box refuses that)" if through and "box" in probe else ""
            print(f"  {probe['tries']:<32}{'NOT REFUSED' if through else 'refused'}{needs_box}", flush=True)
            broken |= through and (level == isolation.BOX or not needs_box)
    print(f"isolation: {level}")
    return int(broken and level != isolation.NONE)


def gets_through(code: str) -> bool:
    """Whether a line runs to its end in a worker of its own, as the function of a case."""
    case = load_bank().cases[0]
    lines = "import os, socket, time", code, f"print({THROUGH!r})"
    request = Request(case.id, case.graded.kind, case.function, (case.calls[0].inputs,), case.seconds)
    with isolation.sandbox_of(
        f"def {case.function}(*given):\n" + "".join(f"    {line}\n" for line in lines)
    ) as sandbox:
        return any(THROUGH in answer.printed for answer in sandbox.run([request]))
