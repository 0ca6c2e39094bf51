"""make board: serves the page to a browser on this machine, and to no other page.

    GET  /, /look.css, /page.js …  the page
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
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from api.games import GAMES
from boards.named import HERE as BOARDS
from boards.reading import read_yaml
from grader.pipe.words import harmless
from grader.refusal import Refusal
from grader.tools.board.thinker import Thinker
from grader.tools.board.view import BadRequest, reached, read_request, shown

HERE = Path(__file__).parent
FILES = {
    "/": ("page.html", "html"),
    "/look.css": ("look.css", "css"),
    "/page.css": ("page.css", "css"),
    "/look.js": ("look.js", "javascript"),
    "/page.js": ("page.js", "javascript"),
}
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
    """Serve until Ctrl-C; the exit status.  The environment variable PORT asks for a port.  Raises Refusal."""
    if words:
        raise Refusal(f"make board takes no words, but got {harmless(words[0], 40)!r}; choose on the page")
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


def has_desktop() -> bool:
    """Whether a browser can be opened here."""
    return sys.platform in ("win32", "darwin") or bool({"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & os.environ.keys())


def names_of_server(port: int) -> list[str]:
    """What a browser may call this server in Host; it leaves port 80 out."""
    ports = ["", ":80"] if port == 80 else [f":{port}"]
    return [f"{name}{port}" for port in ports for name in ("127.0.0.1", "localhost")]


class _Handler(BaseHTTPRequestHandler):
    server: BoardServer
    timeout = 30

    def do_GET(self) -> None:
        self._answer(self._send_file)

    def do_POST(self) -> None:
        self._answer(self._send_what_is_asked)

    def _answer(self, send: Callable[[bytes], None]) -> None:
        try:
            data = self._read() if self.command == "POST" else b""
            self._check_origin()
            send(data)
        except BadRequest as bad:
            self._send_json({"error": str(bad)}, bad.status)

    def _read(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 10):
            raise BadRequest("the request does not say how long it is", 411)
        data = self.rfile.read(min(int(length), MOST_READ))  # who is not read does not hear the answer
        if len(data) > MOST_BYTES:
            raise BadRequest(f"the request is longer than {MOST_BYTES} bytes", 413)
        return data

    def _check_origin(self) -> None:
        """Refuse a request that another page makes, or that came by another name."""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        if host not in self.server.hosts:
            raise BadRequest(f"this is {self.server.url} and goes by no other name", 403)
        if origin is not None and origin != f"http://{host}":
            raise BadRequest("only the page that was served here may ask", 403)

    def _send_file(self, data: bytes) -> None:
        if self.path not in FILES:
            raise BadRequest("there is no such page here", 404)
        name, kind = FILES[self.path]
        text = (HERE / name).read_text(encoding="utf-8").replace("{{token}}", self.server.token)
        self._send(text.encode(), f"text/{kind}; charset=utf-8")

    def _send_what_is_asked(self, data: bytes) -> None:
        if not hmac.compare_digest(self.headers.get("X-Token", "").encode(), self.server.token.encode()):
            raise BadRequest("the server was started anew; reload the page", 403)
        answers = {"/boards": self._boards, "/position": self._position, "/think": self._think}
        if self.path not in answers:
            raise BadRequest("there is nothing to ask here", 404)
        answers[self.path](_parse(data))

    def _boards(self, body: dict[str, Any]) -> None:
        named = read_yaml(BOARDS / "boards.yaml")
        self._send_json({name: board.get("says", "") for name, board in named.items()})

    def _position(self, body: dict[str, Any]) -> None:
        """What the position shows: of Connect Four, by the student's rules."""
        name, board, moves = read_request(body)
        if board is None:
            return self._send_json(shown(reached(GAMES[name](), moves)))
        request = {key: body[key] for key in ("game", "board", "moves")}
        with self._thinking_about(request, MOST_SECONDS) as thinker:
            line = next(thinker.lines())
            if thinker.was_stopped:
                raise BadRequest(f"your part 1 takes longer than {MOST_SECONDS} seconds on this board")
        return self._send_json(_shown(line))

    def _think(self, body: dict[str, Any]) -> None:
        read_request(body)
        if not isinstance(body.get("player"), str):
            raise BadRequest("a player is wanted, such as alphabeta:4")
        if not self.server.free.acquire(blocking=False):
            wait = "searches are under way already; stop one of them, or close its page"
            raise BadRequest(f"{MOST_THINKERS} {wait}", 429)
        try:
            with self._thinking_about(body) as thinker:
                lines = thinker.lines()
                position = _shown(next(lines))
                if position.get("over") or "waits" in position:
                    raise BadRequest(position.get("waits") or "the game is over, and there is no move to think about")
                self._head("application/x-ndjson")
                for line in lines:
                    self.wfile.write(json.dumps(line).encode() + b"\n")
        finally:
            self.server.free.release()

    @contextlib.contextmanager
    def _thinking_about(self, request: dict[str, Any], seconds: float | None = None) -> Iterator[Thinker]:
        """Where the student's code thinks, until the page has what it wants, or leaves, or time is up."""
        thinker = Thinker(self.server.lab, request)
        self.server.thinkers.add(thinker)
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
