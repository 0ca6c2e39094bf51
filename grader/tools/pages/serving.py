"""Serves one page to a browser on this machine, and to no other page; or opens it where there is a desktop.

A request that is refused gets one line, {"error": "..."}.  Host and Origin must be this server's own, so that
another web page reaches nothing here, nor a name that is pointed here.
"""

import contextlib
import json
import os
import socketserver
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from grader.kit import KIT
from grader.tools.screen import Screen

HEADERS = {
    "Content-Security-Policy": "frame-ancestors 'none'",  # the rest stands in the page
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
MOST_READ = 1024 * 1024


class Refused(Exception):
    """Raised where a page asks for what there is not; the text is one line for a person, `status` is HTTP's."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


class PageHandler(BaseHTTPRequestHandler):
    """Gives the page to whoever asks for it by the server's own name."""

    server: "PageServer"
    timeout = 30

    def do_GET(self) -> None:
        self._answer(self._send_page)

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        is_known = length.isascii() and length.isdigit() and len(length) < 10
        data = self.rfile.read(min(int(length), MOST_READ) if is_known else 0)  # else nobody hears why it is refused
        self._answer(lambda: self.post(data))

    def post(self, data: bytes) -> None:
        """Send what a page asks for.  Raises Refused."""
        raise Refused("there is nothing to ask here", 404)

    def _answer(self, send: Callable[[], None]) -> None:
        """Send what is asked for, or in a line why not."""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        try:
            if host not in self.server.hosts:
                raise Refused(f"this is {self.server.url} and goes by no other name", 403)
            if origin is not None and origin != f"http://{host}":
                raise Refused("only the page that was served here may ask", 403)
            if self.path != "/":
                raise Refused("there is no such page here", 404)
            send()
        except Refused as refused:
            self.head("application/json", refused.status)
            self.wfile.write(json.dumps({"error": str(refused)}).encode())

    def _send_page(self) -> None:
        self.head("text/html; charset=utf-8")
        self.wfile.write(self.server.page.encode())

    def head(self, kind: str, status: int = 200) -> None:
        """Begin an answer."""
        self.send_response(status)
        for name, value in {"Content-Type": kind, **HEADERS}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *words: object) -> None:
        """Nothing: the terminal is for the game, or for the steps."""


class PageServer(socketserver.ThreadingTCPServer):
    """Listens on the loopback.  OSError where the port cannot be had; port 0 is any free one."""

    allow_reuse_address = os.name == "posix"  # elsewhere it would let two programs share a port
    daemon_threads = True

    def __init__(self, page: str, port: int = 0, handler: type[PageHandler] = PageHandler) -> None:
        super().__init__(("127.0.0.1", port), handler)
        self.page = page
        self.hosts = names_of_server(self.server_address[1])
        self.url = f"http://{self.hosts[0]}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that has gone away is no error; anything else is shown."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def names_of_server(port: int) -> list[str]:
    """What a browser may call this server in Host; it leaves port 80 out."""
    ports = ["", ":80"] if port == 80 else [f":{port}"]
    return [f"{name}{port}" for port in ports for name in ("127.0.0.1", "localhost")]


def has_desktop() -> bool:
    """Whether a browser can be opened here."""
    return sys.platform in ("win32", "darwin") or bool({"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & os.environ.keys())


@contextlib.contextmanager
def showing(file: Path, screen: Screen) -> Iterator[None]:
    """Say where a page is, and open it; where there is no desktop, serve it to whoever plays in the terminal."""
    screen.say(f"As a page: {file.relative_to(KIT).as_posix()}")
    if not (sys.stdin and sys.stdin.isatty()):
        yield
    elif has_desktop():
        webbrowser.open(file.as_uri())
        yield
    else:
        with PageServer(file.read_text(encoding="utf-8")) as server:
            screen.say(f"and until you quit here: {server.url}")
            threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
            yield
            server.shutdown()
