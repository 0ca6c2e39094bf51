"""make board: serves the page to a browser on this machine, and to no other page.

    GET  /     the page
    POST /     {"game", "board", "moves"} -> what the page shows of it, as a line of JSON; with {"player"} then
               a line for each thing that is found out (mind.py)

A POST carries the token that stands in the page.
"""

import contextlib
import hmac
import json
import os
import secrets
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boards.reading import BOARDS, read_yaml
from grader.finder import BOOT
from grader.judging.sentences import sentence_for_ending
from grader.kit import KIT
from grader.protocol.answer import exited
from grader.protocol.reading import decode
from grader.protocol.words import harmless
from grader.refusal import Refusal
from grader.sandbox.start import end
from grader.tools.pages import writing
from grader.tools.pages.serving import PageHandler, PageServer, Refused, has_desktop

MOST_BYTES = 16 * 1024
MOST_SECONDS = 10
LONGEST_LINE = 1 << 16
LAST = {"move", "failed", "refused"}
_BOOT = f"{BOOT} from grader.tools.board.mind import main; main(*sys.argv[2:])"


def main(words: list[str], lab: Path) -> int:
    """Serve until Ctrl-C; the exit status.  The environment variable PORT asks for a port.  Raises Refusal."""
    port = os.environ.get("PORT", "0")
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) < 65_536):
        raise Refusal(f"PORT is {harmless(port, 40)!r}; a port is a number up to 65535, or leave PORT out")
    try:
        server = BoardServer(lab, int(port))
    except OSError as error:
        refusal = f"port {port} cannot be used ({error.strerror}); name another, or leave PORT out"
        raise Refusal(refusal) from None
    with server, contextlib.suppress(KeyboardInterrupt):
        print(f"Play at {server.url} (Ctrl-C ends it)", flush=True)
        if has_desktop():
            webbrowser.open(server.url)
        server.serve_forever(poll_interval=0.1)
    print()
    return 0


class Thinker:
    """The process that a student's code runs in (mind.py), which can be ended at any moment.

    It thinks about one request, {"game", "board", "moves"} and perhaps {"player"}, until it has told
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


class BoardServer(PageServer):
    """Serves the page for a lab.py, and knows who thinks."""

    def __init__(self, lab: Path, port: int = 0) -> None:
        self.lab, self.thinkers, self.token = lab.resolve(), set[Thinker](), secrets.token_urlsafe(24)
        says = {name: board.get("says", "") for name, board in read_yaml(BOARDS).items()}
        body, data = (writing.HERE / "board.html").read_text(encoding="utf-8"), {"token": self.token, "boards": says}
        super().__init__(writing.page("Play against your lab", body + writing.given(data), "board"), port, _Handler)

    def server_close(self) -> None:
        """Close the port, and end all that still thinks."""
        super().server_close()
        for thinker in list(self.thinkers):
            thinker.stop()


class _Handler(PageHandler):
    server: BoardServer

    def _read(self, data: bytes) -> dict[str, Any]:
        """What the page asks for.  Raises Refused."""
        if not hmac.compare_digest(self.headers.get("X-Token", "").encode(), self.server.token.encode()):
            raise Refused("the server was started anew; reload the page", 403)
        if len(data) > MOST_BYTES:
            raise Refused(f"the request is longer than {MOST_BYTES} bytes", 413)
        with contextlib.suppress(ValueError, RecursionError):
            if isinstance(request := json.loads(data), dict):
                return request
        raise Refused("the request is no JSON object")

    def post(self, data: bytes) -> None:
        """What a position shows, by the student's rules where it is Connect Four, and what a player thinks of it."""
        request = self._read(data)
        with self._thinking_about(request) as thinker:
            lines = thinker.lines()
            first = next(lines)
            if thinker.was_stopped:
                raise Refused(f"your part 1 takes longer than {MOST_SECONDS} seconds on this board")
            if "shown" not in first:
                raise Refused(harmless(first.get("refused") or first.get("failed")))
            self.head("application/x-ndjson")
            self.wfile.write(json.dumps(first).encode() + b"\n")
            for line in lines if "player" in request else ():
                self.wfile.write(json.dumps(line).encode() + b"\n")

    @contextlib.contextmanager
    def _thinking_about(self, request: dict[str, Any]) -> Iterator[Thinker]:
        """Where the student's code thinks, until the page has what it wants, or leaves, or time is up."""
        thinker = Thinker(self.server.lab, request)
        self.server.thinkers.add(thinker)
        seconds = None if "player" in request else MOST_SECONDS
        threading.Thread(target=self._stop_when_left, args=(thinker, seconds), daemon=True).start()
        try:
            yield thinker
        finally:
            thinker.stop()
            self.server.thinkers.discard(thinker)

    def _stop_when_left(self, thinker: Thinker, seconds: float | None) -> None:
        """Wait until the page has closed the connection, or time is up, and end what it has asked for."""
        with contextlib.suppress(OSError):
            self.connection.settimeout(seconds)
            self.connection.recv(1)
        thinker.stop()
