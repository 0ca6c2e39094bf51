"""Thinker: the process that a student's code runs in (mind.py), which can be ended at any moment."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.finder import BOOT
from grader.judging.sentences import sentence_for_ending
from grader.kit import KIT
from grader.pipe.answer import exited
from grader.pipe.reading import decode
from grader.sandbox.start import end

LONGEST_LINE = 1 << 16
LAST = {"move", "failed", "refused"}
_BOOT = f"{BOOT} from grader.tools.board.mind import main; main(*sys.argv[2:])"


class Thinker:
    """Thinks about one request, {"game", "board", "moves"} and perhaps {"player"}, until it has told
    all or `was_stopped`."""

    def __init__(self, lab: Path, request: dict[str, Any]) -> None:
        self._who = request.get("player", "lab.py")
        self.was_stopped = False
        self._one_at_a_time = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-B", "-c", _BOOT, str(KIT), str(lab), json.dumps(request)],
            cwd=KIT, env={**os.environ, "PYTHONUTF8": "1"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip

    def lines(self) -> Iterator[dict[str, Any]]:
        """What it tells, as it comes.  Where it ends without a last word, that is {"failed": "..."}."""
        assert self._process.stdout
        while data := self._process.stdout.readline(LONGEST_LINE):
            line = decode(data) or {"failed": f"{self._who} wrote where only the kit writes."}
            yield line
            if LAST & line.keys():
                return
        yield {"failed": f"{self._who} failed: {sentence_for_ending(exited(self._process.wait()), 0)[1]}"}

    def stop(self) -> None:
        """End the process and everything below it."""
        self.was_stopped = True
        with self._one_at_a_time:
            if self._process.poll() is None:
                end(self._process)
