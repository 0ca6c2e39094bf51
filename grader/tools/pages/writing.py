"""Writes pages as HTML, each as one file.

All pages but that of make board work when they are opened from the disk.
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
    """Make a page.  `body` is HTML.  `name` is the name of the page's script and
    style.
    """
    return written(title, body, _read(f"{name}.css"), _read(f"{name}.js"))


def written(title: str, body: str, style: str, script: str) -> str:
    """Make a page with a style and a script, in addition to those that all pages
    have.
    """
    style = _read("look.css") + style
    script = _read("look.js") + script
    hashes = {"style_hash": _hash(style), "script_hash": _hash(script)}
    return _read("look.html").format(
        title=html.escape(title), body=body, style=style, script=script, **hashes
    )


def paragraphs(*texts: str) -> str:
    """Texts as paragraphs.  An empty text is left out."""
    return "".join(
        f"<p>{html.escape(harmless(text, LONGEST))}</p>\n" for text in texts if text
    )


def as_code(text: str) -> str:
    """Code, or a command, in a block of its own; empty if the text is empty."""
    lines = "\n".join(harmless(line, LONGEST) for line in text.splitlines())
    return f"<pre><code>{html.escape(lines)}</code></pre>\n" if text else ""


def labelled(label: str, text: str) -> str:
    """A paragraph that begins with a label; empty if the text is empty."""
    words = html.escape(harmless(text, LONGEST))
    return f"<p><strong>{html.escape(label)}</strong> {words}</p>\n" if text else ""


def as_drawn(lines: list[str]) -> str:
    """Lines in a block that shows them as a terminal would."""
    text = "\n".join(harmless(line, LONGEST) for line in lines)
    return f'<pre class="drawn">{html.escape(text)}</pre>'


def section(heading: str, body: str, playback: Playback | None = None) -> str:
    """A section of a page: a heading, HTML, and a playback if there is one."""
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
    """Put data into a page, for the script of the page to read."""
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script>'


def has_desktop() -> bool:
    """Whether a browser can be opened on this machine."""
    return sys.platform in ("win32", "darwin") or bool(
        {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & os.environ.keys()
    )


def show(file: Path, screen: Screen) -> None:
    """Say where a page is.  Open it if a person is sitting at this machine."""
    screen.say(f"Open in a browser: {file.relative_to(KIT).as_posix()}")
    if sys.stdin.isatty() and has_desktop():
        webbrowser.open(file.as_uri())


def _read(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
