"""make board: serves the page to a browser on this machine, and to no other page.

    GET  /     the page
    POST /     {"game", "board", "moves"} -> what the page shows of it, as a line of JSON; with {"player"} then
               a line for each thing that is found out (thinking.py)

A POST carries the token that stands in the page.  The page is given under this server's own name alone, so that no
other web page comes to read the token.
"""

import contextlib
import hmac
import json
import os
import secrets
import signal
import socketserver
import subprocess
import sys
import threading
import webbrowser
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from boards.reading import BOARDS, read_yaml
from grader.finder import BOOT
from grader.judging.sentences import sentence_for_ending
from grader.kit import KIT
from grader.protocol.answer import exited
from grader.protocol.words import harmless
from grader.refusal import Refusal
from grader.tools.pages.writing import HERE, given, has_desktop, page

MOST_BYTES = 16 * 1024
HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'",  # the rest stands in the page
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
_BOOT = f"{BOOT} from grader.tools.board.thinking import main; main(*sys.argv[2:])"


def main(words: list[str], lab: Path) -> int:
    """Serve until Ctrl-C; the exit status.  The environment variable PORT asks for a port.  Raises Refusal."""
    try:
        server = BoardServer(lab, int(os.environ.get("PORT", "0")))
    except (OSError, OverflowError, ValueError) as error:
        raise Refusal(f"PORT cannot be used ({harmless(error)}); name another port, or leave PORT out") from None
    with server, contextlib.suppress(KeyboardInterrupt):
        print(f"Play at {server.url} (Ctrl-C ends it)", flush=True)
        if has_desktop():
            webbrowser.open(server.url)
        server.serve_forever(poll_interval=0.1)
    print()
    return 0


class BoardServer(socketserver.ThreadingTCPServer):
    """Serves the page for a lab.py on the loopback.  OSError where the port cannot be had; port 0 is any free one."""

    allow_reuse_address = os.name == "posix"  # elsewhere it would let two programs share a port
    daemon_threads = True

    def __init__(self, lab: Path, port: int = 0) -> None:
        self.thinking = set["subprocess.Popen[bytes]"]()
        super().__init__(("127.0.0.1", port), _Handler)
        number = self.server_address[1]
        self.hosts = (f"127.0.0.1:{number}", f"localhost:{number}")
        self.url = f"http://{self.hosts[0]}/"
        self.lab, self.token = lab.resolve(), secrets.token_urlsafe(24)
        says = {name: board.get("says", "") for name, board in read_yaml(BOARDS).items()}
        body = (HERE / "board.html").read_text(encoding="utf-8") + given({"token": self.token, "boards": says})
        self.page = page("Play against your lab", body, "board").encode()

    def server_close(self) -> None:
        """Close the port, and end all that still thinks."""
        super().server_close()
        for process in list(self.thinking):
            end(process)


class _Handler(BaseHTTPRequestHandler):
    """Answers one request of the page."""

    server: BoardServer
    timeout = 30

    def do_GET(self) -> None:
        if self._is_allowed():
            self._head("text/html; charset=utf-8")
            self.wfile.write(self.server.page)

    def do_POST(self) -> None:
        data = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), MOST_BYTES))
        if not self._is_allowed():
            return
        if not hmac.compare_digest(self.headers.get("X-Token", "").encode(), self.server.token.encode()):
            self._refuse("the server was started anew; reload the page", 403)
            return
        with contextlib.suppress(OSError):  # the page has gone away
            self._think(data.decode(errors="replace"))

    def _is_allowed(self) -> bool:
        """Whether the request names this very server, and its one page; else it is refused."""
        if self.headers.get("Host", "") not in self.server.hosts:
            self._refuse(f"this is {self.server.url} and goes by no other name", 403)
            return False
        if self.path != "/":
            self._refuse("there is no such page here", 404)
            return False
        return True

    def _refuse(self, why: str, status: int) -> None:
        self._head(status=status)
        self._write(refused=why)

    def _head(self, kind: str = "application/x-ndjson", status: int = 200) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **HEADERS}.items():
            self.send_header(name, value)
        self.end_headers()

    def _write(self, **line: str) -> None:
        self.wfile.write(json.dumps(line).encode() + b"\n")

    def _think(self, request: str) -> None:
        """Have a process think about a request, and send on what it tells."""
        process = subprocess.Popen(
            [sys.executable, "-P", "-B", "-c", _BOOT, str(KIT), str(self.server.lab), request],
            cwd=KIT, env={**os.environ, "PYTHONUTF8": "1"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        assert process.stdout
        self.server.thinking.add(process)
        threading.Thread(target=self._end_when_left, args=(process,), daemon=True).start()
        try:
            self._head()
            for line in process.stdout:
                self.wfile.write(line)
            if status := process.wait():
                self._write(failed=f"lab.py failed: {sentence_for_ending(exited(status), 0)[1]}")
        finally:
            end(process)
            self.server.thinking.discard(process)

    def _end_when_left(self, process: "subprocess.Popen[bytes]") -> None:
        """Wait until the page has closed the connection, and end the process."""
        with contextlib.suppress(OSError):
            self.connection.settimeout(None)
            self.connection.recv(1)
        end(process)

    def log_message(self, format: str, *words: object) -> None:
        """Nothing: the terminal stays quiet."""


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a process, with the others of its group, and wait for it."""
    if process.poll() is None and hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
