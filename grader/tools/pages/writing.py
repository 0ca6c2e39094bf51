"""Writes pages as HTML, each as one file.

A browser can open each page from the disk, except the page of make board.  That page
needs the server of make board.
"""

import base64
import hashlib
import html
import json
import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

from grader.kinds.lines import winning_cells
from grader.kinds.playback import Playback
from grader.kit import KIT
from grader.protocol.text import harmless
from grader.tools.screen import Screen

HERE = Path(__file__).parent
LONGEST = 1000  # characters of one text


def page(title: str, body: str, name: str = "trace") -> str:
    """Return a whole page as HTML.

    `body` is the HTML of its content.  `name` chooses its style and its script, such as
    trace.css and trace.js.
    """
    return written(title, body, _read(f"{name}.css"), _read(f"{name}.js"))


def written(title: str, body: str, style: str, script: str) -> str:
    """Return a whole page with this style and this script.

    The page also has the style and the script of all pages, look.css and look.js.
    """
    style = _read("look.css") + style
    script = _read("look.js") + script
    hashes = {"style_hash": _hash(style), "script_hash": _hash(script)}
    return _read("look.html").format(
        title=html.escape(title), body=body, style=style, script=script, **hashes
    )


def paragraphs(*texts: str) -> str:
    """Return texts as HTML, each as a paragraph.  An empty text is left out."""
    return "".join(
        f"<p>{html.escape(harmless(text, LONGEST))}</p>\n" for text in texts if text
    )


def as_code(text: str) -> str:
    """Return code, or a command, as a block of HTML; empty if the text is empty."""
    lines = "\n".join(harmless(line, LONGEST) for line in text.splitlines())
    return f"<pre><code>{html.escape(lines)}</code></pre>\n" if text else ""


def labelled(label: str, text: str) -> str:
    """Return a text as a paragraph of HTML that begins with a label; empty if the text
    is empty.
    """
    words = html.escape(harmless(text, LONGEST))
    return f"<p><strong>{html.escape(label)}</strong> {words}</p>\n" if text else ""


def as_drawn(lines: list[str]) -> str:
    """Return lines as a block of HTML, in which they look as on a terminal."""
    text = "\n".join(harmless(line, LONGEST) for line in lines)
    return f'<pre class="drawn">{html.escape(text)}</pre>'


def section(heading: str, body: str, playback: Playback | None = None) -> str:
    """Return a section of a page as HTML.

    It has a heading, and `body`, which is HTML.  If there is a playback, the section
    shows it.
    """
    name = html.escape(heading)
    head = f"<h2>{name}</h2>\n{body}"
    if playback is None:
        return f'<section class="case">\n{head}\n</section>'
    mark = ""
    if playback.mark:
        mark = f'<p class="found">{html.escape(playback.mark[1])}</p>'
    winning = [
        winning_cells(playback.layout, playback.columns, node.cells)
        for node in playback.nodes
    ]
    data = given(playback.as_data() | {"winning": winning})
    return (
        f'<section class="trace" tabindex="0" aria-label="{name}">\n'
        f"{head}\n{mark}{data}\n</section>"
    )


def given(data: Any) -> str:
    """Return HTML that holds data.  The script of the page reads the data."""
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script>'


def has_desktop() -> bool:
    """Whether this machine probably has a desktop on which a browser can be opened."""
    return sys.platform in ("win32", "darwin") or bool(
        {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & os.environ.keys()
    )


def show(file: Path, screen: Screen) -> None:
    """Tell the person where a page is.

    If the command runs at a terminal on a machine with a desktop, also open the page in
    a browser.
    """
    screen.say(f"Open in a browser: {file.relative_to(KIT).as_posix()}")
    if sys.stdin.isatty() and has_desktop():
        webbrowser.open(file.as_uri())


def _read(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
