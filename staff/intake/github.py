"""Asks GitHub by means of its command line `gh`, and reads the answers.

`gh` knows who is signed in.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from grader.protocol.text import harmless
from grader.refusal import Refusal

SECONDS = 120  # seconds to wait for an answer
LONGEST = 200  # characters of what gh says
NOT_SIGNED_IN = 4  # the exit status of gh
UNAUTHORIZED = 401
FORBIDDEN = 403
NOT_FOUND = 404
TOO_MANY = 429
ERROR = 400  # this status and every higher one is an error
JSON = "application/vnd.github+json"
RAW = "application/vnd.github.raw"
_REPLY = re.compile(rb"HTTP/[\d.]+ (\d{3})([^\r\n]*)\r?\n((?:[^\r\n]+\r?\n)*)\r?\n")
_NEXT_PAGE = re.compile(r'<([^<>]+)>; *rel="next"')
# GitHub states times as numbers of seconds.  This pattern takes at most ten digits,
# which reach until the year 2286.
_NUMBER = re.compile(r"\d{1,10}", re.ASCII)
# With these variables, gh prints text that a program can read.
_PLAIN = {"NO_COLOR": "1", "CLICOLOR_FORCE": "0", "GH_PROMPT_DISABLED": "1"}


@dataclass(frozen=True)
class Reply:
    """GitHub's answer to one request."""

    status: int
    reason: str  # the words after the status
    headers: dict[str, str]  # the key is the name of a header in lower case
    body: bytes


class Failed(Exception):
    """Raised if GitHub did not give what was asked for.

    The text says why, as the end of a sentence.
    """


class Missing(Failed):
    """Raised if GitHub has nothing at an address, or does not show it to the person who
    is signed in.
    """


class Limited(Exception):
    """Raised if GitHub accepts no more requests before the moment `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


def read_list(address: str) -> Iterator[Any]:
    """Yield all entries of a list on GitHub.  Raises the same errors as `ask`."""
    while address:
        reply = ask(address)
        yield from _entries(reply.body)
        following = _NEXT_PAGE.search(reply.headers.get("link", ""))
        address = following.group(1) if following else ""


def ask(address: str, accept: str = JSON) -> Reply:
    """Send one request to GitHub, and return the answer.

    Raises Limited, Missing or Failed if GitHub does not give what was asked for.
    Raises Refusal if every request would fail: because gh is missing, because nobody is
    signed in, or because GitHub refuses the token of gh.
    """
    program = shutil.which("gh")
    if program is None:
        raise Refusal(
            "`gh` is not on this machine: "
            "install GitHub's command line, https://cli.github.com"
        )
    command = [program, "api", "--include", "-H", f"Accept: {accept}", address]
    environment = {**os.environ, **_PLAIN}
    try:
        done = subprocess.run(
            command, capture_output=True, env=environment, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"gh did not answer within {SECONDS} seconds") from None
    reply = _reply(done.stdout)
    if reply is None:
        if done.returncode == NOT_SIGNED_IN:
            raise Refusal("nobody is signed in to GitHub here: type gh auth login")
        lines = done.stderr.decode("utf-8", "replace").splitlines()
        said = lines[0] if lines else "gh prints nothing that can be read"
        raise Failed(harmless(said, LONGEST))
    _raise_for(reply)
    return reply


def _reply(data: bytes) -> Reply | None:
    """Read the answer that `gh api --include` prints; None if it prints none."""
    match = _REPLY.match(data)
    if match is None:
        return None
    status, reason, lines = (part.decode("latin-1") for part in match.groups())
    headers = {}
    for line in lines.splitlines():
        name, _, value = line.partition(":")
        headers[name.strip().casefold()] = value.strip()
    return Reply(int(status), reason.strip(), headers, data[match.end() :])


def _raise_for(reply: Reply) -> None:
    """Raise the error that an answer reports.  If it reports none, do nothing."""
    if reply.status < ERROR:
        return
    if reply.status == UNAUTHORIZED:
        raise Refusal(
            "GitHub does not accept the token that gh has: type gh auth login"
        )
    until = _limited_until(reply)
    if until:
        raise Limited(until)
    answer = f"{reply.status} {harmless(reply.reason, LONGEST)}".rstrip()
    error = Missing if reply.status == NOT_FOUND else Failed
    raise error(f"GitHub answers {answer}")


def _limited_until(reply: Reply) -> datetime | None:
    """Return when GitHub will accept requests again.

    Return None unless the answer says that there were too many requests.
    """
    if reply.status not in (FORBIDDEN, TOO_MANY):
        return None
    now = datetime.now(UTC)
    wait = reply.headers.get("retry-after", "")
    if _NUMBER.fullmatch(wait):
        return now + timedelta(seconds=int(wait))
    reset = reply.headers.get("x-ratelimit-reset", "")
    if reply.headers.get("x-ratelimit-remaining") == "0" and _NUMBER.fullmatch(reset):
        return datetime.fromtimestamp(int(reset), UTC)
    if reply.status == FORBIDDEN:
        return None
    # GitHub's rule for an answer that names no time: wait at least a minute.
    return now + timedelta(minutes=1)


def _entries(body: bytes) -> list[Any]:
    """Return the entries on one page of a list.  Raises Failed if there is no list."""
    try:
        entries = json.loads(body)
    except ValueError:
        entries = None
    if not isinstance(entries, list):
        raise Failed("GitHub's answer is not a list in JSON")
    return entries
