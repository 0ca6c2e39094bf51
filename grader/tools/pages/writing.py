"""Pages that are one file, which opens from disk too; nothing in it runs but the kit's own script."""

import base64
import hashlib
import html
import json
import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

from grader.kinds.playback import Playback
from grader.kit import KIT
from grader.tools.screen import Screen

HERE = Path(__file__).parent
MARK = """<p class="found">{}</p>
<p class="quiet">It is shown here as it stands at this place; First goes back to the beginning.</p>
"""


def page(title: str, body: str, name: str = "trace") -> str:
    """A page; `body` is HTML, and `name` that of the files that it looks and works by."""
    style, script = (f"{_read(f'look.{end}')}{_read(f'{name}.{end}')}" for end in ("css", "js"))
    hashes = {"style_hash": _hash(style), "script_hash": _hash(script)}
    return _read("look.html").format(title=html.escape(title), body=body, style=style, script=script, **hashes)


def player(heading: str, lines: list[str], playback: Playback | None = None) -> str:
    """A part of a page: a heading, lines below it, and the playback of what they are about, where there is one."""
    name, text = html.escape(heading), html.escape("\n".join(lines))
    drawn = ' class="drawn"' if any(line.startswith(" ") for line in lines) else ""
    head = f"<h2>{name}</h2>\n<pre{drawn}>{text}</pre>"
    if playback is None:
        return f'<section class="case">\n{head}\n</section>'
    mark = MARK.format(html.escape(playback.mark[1])) if playback.mark else ""
    data = given(playback.as_data())
    return f'<section class="trace" tabindex="0" aria-label="{name}">\n{head}\n{mark}{data}\n</section>'


def given(data: Any) -> str:
    """Data for the script of a page."""
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json">{text}</script>'


def has_desktop() -> bool:
    """Whether a browser can be opened here."""
    return sys.platform in ("win32", "darwin") or bool({"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & os.environ.keys())


def show(file: Path, screen: Screen) -> None:
    """Say where a page is, and open it if somebody sits there."""
    screen.say(f"As a page: {file.relative_to(KIT).as_posix()}")
    if sys.stdin.isatty() and has_desktop():
        webbrowser.open(file.as_uri())


def _read(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
