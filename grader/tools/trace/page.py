"""Pages that open from disk: everything in one file, and nothing in it runs but the kit's own script."""

import base64
import hashlib
import html
import json
from pathlib import Path

from grader.kinds.playback import Playback
from grader.tools.board.server import HERE as BOARD

HERE = Path(__file__).parent
PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '{style_hash}'; \
script-src '{script_hash}'; img-src data:; base-uri 'none'; form-action 'none'">
  <title>{title}</title>
  <link rel="icon" href="data:,">
  <style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
<script>{script}</script>
</body>
</html>
"""


def page(title: str, body: str) -> str:
    """A page; `body` is HTML."""
    style, script = (
        "".join((folder / f"{name}.{end}").read_text("utf-8") for folder, name in ((BOARD, "look"), (HERE, "page")))
        for end in ("css", "js")
    )
    hashes = {"style_hash": _hash(style), "script_hash": _hash(script)}
    return PAGE.format(title=html.escape(title), body=body, style=style, script=script, **hashes)


def player(heading: str, lines: list[str], playback: Playback | None = None) -> str:
    """A part of a page: a heading, lines below it, and the playback of what they are about, where there is one."""
    if playback is None:
        return f"""<section class="case">
<h2>{html.escape(heading)}</h2>
<pre>{html.escape(chr(10).join(lines))}</pre>
</section>"""
    data = json.dumps(playback.as_data(), separators=(",", ":")).replace("<", "\\u003c")
    mark = f'<p class="found">{html.escape(playback.mark[1])}</p>' if playback.mark else ""
    return f"""<section class="trace" tabindex="0" aria-label="{html.escape(heading)}">
<h2>{html.escape(heading)}</h2>
<pre>{html.escape(chr(10).join(lines))}</pre>
{mark}
<script type="application/json">{data}</script>
</section>"""


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
