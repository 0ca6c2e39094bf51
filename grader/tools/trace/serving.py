"""Shows a page that is one file: in the browser of a desktop, elsewhere on the loopback while one plays."""

import contextlib
import sys
import threading
import webbrowser
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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
        with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
            _Handler.page, _Handler.hosts = file.read_bytes(), names_of_server(server.server_port)
            screen.say(f"and until you quit here: http://{_Handler.hosts[0]}/")
            threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
            yield
            server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    """Gives the page to whoever asks for it by the server's own name."""

    page, hosts = b"", list[str]()

    def do_GET(self) -> None:
        is_known = self.headers.get("Host", "") in self.hosts and self.path == "/"
        self.send_response(200 if is_known else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.page if is_known else b"")

    def log_message(self, format: str, *words: object) -> None:
        """Nothing: the terminal is for the steps."""
