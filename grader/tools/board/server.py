"""`make board`: serves one page to a browser on this machine.

    GET  /     the page
    POST /     {"game", "board", "moves"}, and also {"player"} if that player is to
               move; the answer is lines of JSON (thinking.py)

Only this page may send requests; other pages in the browser may not.  So each request
must name this server in its header Host.  If a request has a header Origin, that header
must name this server too.
"""

import contextlib
import json
import os
import socketserver
import subprocess
import sys
import threading
import webbrowser
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from boards.reading import BOARDS, read_yaml
from grader.finder import BOOT
from grader.grading.source import read_lab
from grader.kit import KIT
from grader.parser import Parser
from grader.protocol.answer import exited
from grader.protocol.text import harmless
from grader.refusal import Refusal
from grader.tools.pages.writing import HERE, given, has_desktop, page
from grader.verdicts.sentences import sentence_for_ending

MOST_BYTES = 16 * 1024
_BOOT = f"{BOOT} from grader.tools.board.thinking import main; main(*sys.argv[2:])"


def main(words: list[str], lab: Path) -> int:
    """Serve the page until somebody presses Ctrl-C, and return the exit status.

    Raises Refusal for wrong words, and for a port that cannot be used.
    """
    parser = Parser("board", "make board takes only options, such as LAB=file", lab)
    parser.add_argument(
        "--port",
        default=os.environ.get("PORT", "0"),
        metavar="NUMBER",
        help="the port of the page; by default any free port",
    )
    options = parser.read(words)
    read_lab(options.lab)
    try:
        server = BoardServer(options.lab, int(options.port))
    except (OSError, OverflowError, ValueError) as error:
        reason = getattr(error, "strerror", "") or "ports are numbers from 0 to 65535"
        raise Refusal(
            f"PORT={harmless(options.port, 20)} cannot be used ({reason}); "
            "choose another port, or leave PORT out"
        ) from None
    with server, contextlib.suppress(KeyboardInterrupt):
        print(f"Play at {server.url} (press Ctrl-C to stop)", flush=True)
        if has_desktop():
            webbrowser.open(server.url)
        server.serve_forever(poll_interval=0.1)
    print()
    return 0


class BoardServer(socketserver.ThreadingTCPServer):
    """Serves the page on which people play against a lab.py.  Only programs on this
    machine can reach the server.

    If `port` is 0, the system chooses a free port.  Raises OSError if the port is
    taken, and OverflowError if there is no such port.
    """

    # On Windows, this option would let two programs use the same port.
    allow_reuse_address = os.name == "posix"
    daemon_threads = True

    def __init__(self, lab: Path, port: int = 0) -> None:
        self.thinking = set["subprocess.Popen[bytes]"]()
        super().__init__(("127.0.0.1", port), _Handler)
        number = self.server_address[1]
        self.hosts = (f"127.0.0.1:{number}", f"localhost:{number}")
        self.url = f"http://{self.hosts[0]}/"
        self.lab = lab.resolve()
        says = {
            name: board.get("says", "") for name, board in read_yaml(BOARDS).items()
        }
        body = (HERE / "board.html").read_text(encoding="utf-8") + given(says)
        self.page = page("Play against your lab.py", body, "board").encode()

    def server_close(self) -> None:
        """Close the port, and end the processes that still work on a request."""
        super().server_close()
        for process in list(self.thinking):
            process.kill()


class _Handler(BaseHTTPRequestHandler):
    """Answers one request of a browser."""

    server: BoardServer
    timeout = 30

    def do_GET(self) -> None:
        if self._is_ours():
            self._head("text/html; charset=utf-8")
            self.wfile.write(self.server.page)

    def do_POST(self) -> None:
        request = self.rfile.read(
            min(int(self.headers.get("Content-Length", 0)), MOST_BYTES)
        )
        if self._is_ours():
            with contextlib.suppress(OSError):  # the page may have been closed
                self._think(request.decode(errors="replace"))

    def _is_ours(self) -> bool:
        """Whether the request names this server and its only page.  If it does not,
        answer the request with an error.
        """
        host = self.headers.get("Host", "")
        origin = self.headers.get("Origin", f"http://{host}")
        is_ours = host in self.server.hosts and origin == f"http://{host}"
        if is_ours and self.path == "/":
            return True
        self._head(status=404 if is_ours else 403)
        self._write(failed=f"the only page here is {self.server.url}")
        return False

    def _head(self, kind: str = "application/x-ndjson", status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()

    def _write(self, **line: str) -> None:
        self.wfile.write(json.dumps(line).encode() + b"\n")

    def _think(self, request: str) -> None:
        """Start a process that answers a request, and send its lines to the page.

        If the process ends with an error, send a last line that says so.
        """
        python = [sys.executable, "-P", "-B", "-c", _BOOT]
        process = subprocess.Popen(
            [*python, str(KIT), str(self.server.lab), request],
            cwd=KIT,
            env={**os.environ, "PYTHONUTF8": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stdout
        self.server.thinking.add(process)
        threading.Thread(
            target=self._kill_when_left, args=(process,), daemon=True
        ).start()
        try:
            self._head()
            for line in process.stdout:
                self.wfile.write(line)
            if status := process.wait():
                sentence = sentence_for_ending(exited(status))[1]
                self._write(failed=f"lab.py failed: {sentence}")
        finally:
            process.kill()
            process.wait()
            self.server.thinking.discard(process)

    def _kill_when_left(self, process: "subprocess.Popen[bytes]") -> None:
        """Wait until the page closes the connection, and then kill the process that
        answers the request.
        """
        with contextlib.suppress(OSError):
            self.connection.settimeout(None)
            self.connection.recv(1)
        process.kill()

    def log_message(self, format: str, *words: object) -> None:
        """Print nothing about a request, so that the terminal stays quiet."""
