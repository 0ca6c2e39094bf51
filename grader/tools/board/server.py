"""make board: serves the page to a browser on this machine, and to no other page.

    GET  /, /page.css, /page.js    the page
    POST /boards                   what each of the named boards shows
    POST /position                 {"game", "board", "moves"} -> what the page shows of it
    POST /think                    the same and {"player"} -> a line of JSON for each thing that is found out

A request that is refused gets one line, {"error": "..."}.  Another web page reaches none of this: Host
and Origin must be this server's own (so that a name that is pointed here does not help), and a POST
carries the token that stands in the page.
"""

import contextlib
import hmac
import json
import os
import secrets
import socketserver
import sys
import threading
import webbrowser
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, NoReturn

from api.games import GAMES
from boards.named import HERE as BOARDS
from boards.reading import read_yaml
from grader.pipe.words import harmless
from grader.tools.board.thinker import Thinker
from grader.tools.board.view import BadRequest, reached, read_request, shown

HERE = Path(__file__).parent
FILES = {"/": ("page.html", "html"), "/page.css": ("page.css", "css"), "/page.js": ("page.js", "javascript")}
MOST_BYTES, MOST_READ = 16 * 1024, 1024 * 1024
MOST_THINKERS, MOST_SECONDS = 4, 10
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def main(words: list[str], lab: Path) -> int:
    """Serve until Ctrl-C; the exit status.  The environment variable PORT asks for a port."""
    if words:
        print(f"make board takes no words, but got {harmless(words[0], 40)!r}; choose on the page", file=sys.stderr)
        return 2
    port = os.environ.get("PORT", "0")
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) < 65_536):
        print(f"PORT is {harmless(port, 40)!r}; a port is a number up to 65535, or leave PORT out", file=sys.stderr)
        return 2
    try:
        server = BoardServer(lab, int(port))
    except OSError as error:
        print(f"port {port} cannot be used ({error.strerror}); name another, or leave PORT out", file=sys.stderr)
        return 2
    with server, contextlib.suppress(KeyboardInterrupt):
        print(f"Play at {server.url} (Ctrl-C ends it)", flush=True)
        if sys.platform in ("win32", "darwin") or {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & os.environ.keys():
            webbrowser.open(server.url)
        server.serve_forever(poll_interval=0.1)
    print()
    return 0


class BoardServer(socketserver.ThreadingTCPServer):
    """Listens on the loopback.  OSError where the port cannot be had; port 0 is any free one."""

    allow_reuse_address = os.name == "posix"  # elsewhere it would let two programs share a port
    daemon_threads = True

    def __init__(self, lab: Path, port: int = 0) -> None:
        self.thinkers: set[Thinker] = set()
        self.free = threading.Semaphore(MOST_THINKERS)
        super().__init__(("127.0.0.1", port), _Handler)
        self.lab = lab.resolve()
        self.hosts = names_of_server(self.server_address[1])
        self.url = f"http://{self.hosts[0]}/"
        self.token = secrets.token_urlsafe(24)

    def server_close(self) -> None:
        """Close the port, and end all that still thinks."""
        super().server_close()
        for thinker in list(self.thinkers):
            thinker.stop()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that has gone away is no error; anything else is shown."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def names_of_server(port: int) -> list[str]:
    """What a browser may call this server in Host; it leaves port 80 out."""
    ports = ["", ":80"] if port == 80 else [f":{port}"]
    return [f"{name}{port}" for port in ports for name in ("127.0.0.1", "localhost")]


class _Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    server: BoardServer
    timeout = 30

    def do_GET(self) -> None:
        try:
            self._check_origin()
            name, kind = FILES.get(self.path) or _refuse(404, "there is no such page here")
        except _Refused as refused:
            return self._send_json({"error": str(refused)}, refused.status)
        text = (HERE / name).read_text(encoding="utf-8").replace("{{token}}", self.server.token)
        return self._send(text.encode(), f"text/{kind}; charset=utf-8")

    def do_POST(self) -> None:
        try:
            data = self._read()
            self._check_origin()
            if not hmac.compare_digest(self.headers.get("X-Token", "").encode(), self.server.token.encode()):
                _refuse(403, "the server was started anew; reload the page")
            answers = {"/boards": self._boards, "/position": self._position, "/think": self._think}
            answer = answers.get(self.path) or _refuse(404, "there is nothing to ask here")
            answer(_parse(data))
        except _Refused as refused:
            self._send_json({"error": str(refused)}, refused.status)
        except BadRequest as bad:
            self._send_json({"error": str(bad)}, 400)

    def _check_origin(self) -> None:
        """Refuse a request that another page makes, or that came by another name."""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        if host not in self.server.hosts:
            _refuse(403, f"this is {self.server.url} and goes by no other name")
        if origin is not None and origin != f"http://{host}":
            _refuse(403, "only the page that was served here may ask")

    def _read(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 10):
            _refuse(411, "the request does not say how long it is")
        data = self.rfile.read(min(int(length), MOST_READ))  # who is not read does not hear the answer
        return data if len(data) <= MOST_BYTES else _refuse(413, f"the request is longer than {MOST_BYTES} bytes")

    def _boards(self, body: dict[str, Any]) -> None:
        named = read_yaml(BOARDS / "boards.yaml")
        self._send_json({name: board.take("says", str, "") for name, board in named.items()})

    def _position(self, body: dict[str, Any]) -> None:
        """What the position shows: of Connect Four, by the student's rules."""
        name, board, moves = read_request(body)
        if board is None:
            return self._send_json(shown(reached(GAMES[name](), moves)))
        request = {key: body[key] for key in ("game", "board", "moves")}
        with self._thinking_about(request) as lines:
            timer = threading.Timer(MOST_SECONDS, self.thinker.stop)
            timer.start()
            line = next(lines)
            if self.thinker.was_stopped:
                raise BadRequest(f"your part 1 takes longer than {MOST_SECONDS} seconds on this board")
            timer.cancel()
        return self._send_json(_shown(line))

    def _think(self, body: dict[str, Any]) -> None:
        read_request(body)
        if not isinstance(body.get("player"), str):
            raise BadRequest("a player is wanted, such as alphabeta:4")
        if not self.server.free.acquire(blocking=False):
            _refuse(429, f"{MOST_THINKERS} searches are under way already; stop one of them, or close its page")
        try:
            with self._thinking_about(body) as lines:
                shown = _shown(next(lines))
                if shown.get("over") or "waits" in shown:
                    raise BadRequest(shown.get("waits") or "the game is over, and there is no move to think about")
                self._head("application/x-ndjson")
                for line in lines:
                    self.wfile.write(json.dumps(line).encode() + b"\n")
        finally:
            self.server.free.release()

    @contextlib.contextmanager
    def _thinking_about(self, request: dict[str, Any]) -> Iterator[Iterator[dict[str, Any]]]:
        """What the student's code tells of a request, until the page has what it wants, or leaves."""
        self.thinker = Thinker(self.server.lab, request)
        self.server.thinkers.add(self.thinker)
        threading.Thread(target=self._stop_when_left, args=(self.thinker,), daemon=True).start()
        try:
            yield self.thinker.lines()
        finally:
            self.thinker.stop()
            self.server.thinkers.discard(self.thinker)

    def _stop_when_left(self, thinker: Thinker) -> None:
        """Wait until the page has closed the connection, and end what it has asked for."""
        with contextlib.suppress(OSError):
            self.connection.settimeout(None)
            self.connection.recv(1)
        thinker.stop()

    def _send_json(self, data: dict[str, Any], status: int = 200) -> None:
        self._send(json.dumps(data).encode(), "application/json", status)

    def _send(self, data: bytes, kind: str, status: int = 200) -> None:
        self._head(kind, status)
        self.wfile.write(data)

    def _head(self, kind: str, status: int = 200) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **HEADERS}.items():
            self.send_header(name, value)
        self.end_headers()

    def version_string(self) -> str:
        return "board"

    def log_message(self, format: str, *words: Any) -> None:
        """Nothing: the terminal is for what the student's code prints."""


def _refuse(status: int, message: str) -> NoReturn:
    raise _Refused(status, message)


def _parse(data: bytes) -> dict[str, Any]:
    with contextlib.suppress(ValueError, RecursionError):
        if isinstance(body := json.loads(data), dict):
            return body
    raise BadRequest("the request is no JSON object")


def _shown(line: dict[str, Any]) -> dict[str, Any]:
    """What a position shows, out of the first line on it.  Raises BadRequest."""
    if isinstance(line.get("shown"), dict):
        return dict(line["shown"])
    raise BadRequest(harmless(line.get("refused") or line.get("failed")))
