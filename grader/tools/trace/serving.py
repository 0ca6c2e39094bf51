"""Shows a page that is one file: in the browser of a desktop, elsewhere on the loopback while one plays."""

import contextlib
import socketserver
import sys
import threading
import webbrowser
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from grader.kit import KIT
from grader.tools.board.server import has_desktop, names_of_server
from grader.tools.screen import Screen


@contextlib.contextmanager
def showing(file: Path, screen: Screen) -> Iterator[None]:
    """Say where the page is, and open it; where there is no desktop, serve it to whoever plays in the terminal."""
    screen.say(f"As a page: {file.relative_to(KIT).as_posix()}")
    if not (sys.stdin and sys.stdin.isatty()):
        yield
    elif has_desktop():
        webbrowser.open(file.as_uri())
        yield
    else:
        with _server(file) as server:
            screen.say(f"and until you quit here: http://{names_of_server(server.server_address[1])[0]}/")
            threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
            yield
            server.shutdown()


def _server(file: Path) -> socketserver.ThreadingTCPServer:
    """A server of this page alone, for this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_known = self.headers.get("Host", "") in names_of_server(server.server_address[1])
            data = file.read_bytes() if is_known and self.path == "/" else b""
            self.send_response(200 if data else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *words: object) -> None:
            """Nothing: the terminal is for the steps."""

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    return server
