"""Runs compare50, a program that ranks pairs of submissions by the code that they
share.

compare50 needs other versions of some packages than the kit.  So it has an environment
of its own, build/compare50/.  compare50 reads students' code as text and runs none of
it.
"""

import contextlib
import json
import keyword
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boards.reading import write_whole
from grader.kit import KIT
from grader.protocol.text import harmless
from grader.refusal import Refusal
from grader.sandbox.process import end

REQUIREMENTS = Path(__file__).with_name("compare50.txt")
ENVIRONMENT = KIT / "build" / "compare50"
PYTHON = ENVIRONMENT / "bin" / "python"
# A copy of the requirements.  It is written only after all of them have been installed.
# So the environment is complete if this copy equals the requirements.
MARKER = ENVIRONMENT / REQUIREMENTS.name
MOST_PAIRS = 50
LIMIT_SECONDS = 1800.0  # 200 submissions take less than one minute on two cores
# The folder of a comparison contains these folders and files.
CLASS = "class"
EARLIER = "earlier"
GIVEN = "given"
PAGE = "page"
OUTPUT = "output.txt"
# compare50 sees a match between two submissions only if the match has at least this
# many tokens.
WINDOW = 25
# The most pairs of equal windows that a submission may have.  If neither of two
# submissions has more, compare50 finds at most as many pairs of equal windows between
# the two.
MOST_MATCHES = 500_000
_TOKENS = re.compile(
    r"#[^\n]*"
    r"|(?P<text>(?P<quotes>'''|\"\"\")[\s\S]*?(?P=quotes)|'[^'\n]*'|\"[^\"\n]*\")"
    r"|(?P<number>\d\w*)|(?P<word>\w+)|(?P<sign>\S)"
)
_DATA_OF_PAGE = re.compile(r"^\s*var GRAPH = (\{.*\});\s*$", re.MULTILINE)
_NOWHERE = "http://127.0.0.1:9"


@dataclass(frozen=True)
class Pair:
    """Two submissions that share code."""

    first: str  # the folder of one submission
    second: str  # the folder of the other submission
    score: float  # 100 for the pair that shares most; in proportion for the other pairs
    page: str  # the file that shows the two submissions side by side


def set_up() -> None:
    """Make the environment of compare50, unless it is complete already.

    Raises Refusal on Windows, and if the environment cannot be made.
    """
    if os.name == "nt":
        raise Refusal("compare50 needs Linux or macOS: type make similar there")
    if _is_set_up():
        return
    place = ENVIRONMENT.relative_to(KIT).as_posix()
    print(f"setting up {place} (once; this takes a minute)", flush=True)
    pip = ["pip", "--python", str(PYTHON)]
    install = ["install", "-q", "--disable-pip-version-check", "--retries", "2"]
    _make(["venv", "--clear", "--without-pip", str(ENVIRONMENT)], "correct that.")
    _make([*pip, *install, "-r", str(REQUIREMENTS)], "is there an internet connection?")
    write_whole(MARKER, REQUIREMENTS.read_bytes())


def _is_set_up() -> bool:
    """Whether the environment of compare50 is complete."""
    if not PYTHON.exists() or not MARKER.exists():
        return False
    return MARKER.read_bytes() == REQUIREMENTS.read_bytes()


def _make(words: Sequence[str], remedy: str) -> None:
    """Run a module of Python that makes a part of the environment.

    Raises Refusal with the remedy if the module fails.
    """
    command = [sys.executable, "-m", *words]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode:
        reason = _last_line(done.stdout + done.stderr)
        raise Refusal(
            f"compare50 could not be installed ({reason}): {remedy} "
            "Then type make similar again"
        )


def ranked(folder: Path) -> list[Pair]:
    """Rank the pairs of submissions in a folder; the pair that shares most comes first.

    In this folder, the folders CLASS and EARLIER hold a folder for each submission.
    The folder GIVEN holds the code that compare50 ignores in every submission.  An
    earlier submission is compared only with submissions of the class.  compare50 writes
    its pages into the folder PAGE, unless no two submissions share anything.  Equal
    folders always give the same ranking and the same pages.  Raises Refusal if
    compare50 fails or takes too long, or if the kit cannot read its first page.
    """
    words = [*_folders_in(folder, CLASS), "--distro", *_folders_in(folder, GIVEN)]
    earlier = _folders_in(folder, EARLIER)
    if earlier:
        words += ["--archive", *earlier]
    words += ["--passes", "structure", "-n", str(MOST_PAIRS), "--output", PAGE]
    output = folder / OUTPUT
    status = _run(words, folder, output)
    if status:
        reason = _last_line(output.read_text("utf-8", "replace"))
        raise Refusal(f"compare50 failed ({reason}); nothing was written")
    page = folder / PAGE / "index.html"
    if not page.exists():  # no two submissions share anything
        return []
    return _pairs_of(page.read_text("utf-8"))


def _folders_in(folder: Path, name: str) -> list[str]:
    """Return the paths of the folders in CLASS, EARLIER or GIVEN, as words for
    compare50.

    `name` is CLASS, EARLIER or GIVEN.
    """
    return sorted(f"{name}/{inner.name}" for inner in (folder / name).glob("*"))


def _run(words: list[str], folder: Path, output: Path) -> int:
    """Run compare50 in a folder; return the exit status.

    `output` takes what compare50 prints.  Raises Refusal if compare50 takes too long.
    """
    with output.open("wb") as stream:
        process = subprocess.Popen(
            [PYTHON, "-m", "compare50", *words],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            return process.wait(LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            minutes = f"{LIMIT_SECONDS / 60:g}"
            raise Refusal(
                f"compare50 was stopped after {minutes} minutes; nothing was written"
            ) from None
        finally:
            if process.poll() is None:
                end(process)


def _environment() -> dict[str, str]:
    """The environment variables for compare50."""
    ours = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTHON") and not name.lower().endswith("_proxy")
    }
    return ours | {
        "PYTHONHASHSEED": "0",  # compare50 orders pairs by the hashes of texts
        # Without this variable, compare50 reads files in the encoding of the machine.
        "PYTHONUTF8": "1",
        # Without this variable, Python might import a module from a student's folder.
        "PYTHONSAFEPATH": "1",
        # Without this variable, the last line, which says what fails, might not be
        # printed.
        "PYTHONUNBUFFERED": "1",
        "ANSI_COLORS_DISABLED": "1",
        # compare50 asks on the internet whether there is a newer version of itself.
        # With this variable, the question goes nowhere, and compare50 goes on without
        # an answer.
        "https_proxy": _NOWHERE,
    }


def _pairs_of(page: str) -> list[Pair]:
    """Return the pairs in the data that compare50's first page holds.

    Raises Refusal if the page has an unexpected form.
    """
    with contextlib.suppress(ValueError, LookupError, TypeError):
        data: dict[str, Any] = json.loads(_DATA_OF_PAGE.findall(page)[0])
        pairs = []
        for number, link in enumerate(data["links"], start=1):
            score = 10 * float(link["value"])
            page_of_pair = f"match_{number}.html"
            first, second = str(link["source"]), str(link["target"])
            pairs.append(Pair(first, second, score, page_of_pair))
        return pairs
    raise Refusal(
        "compare50 wrote a page that the kit cannot read; delete build/compare50, "
        "then type make similar again"
    )


def repeats_itself(source: str) -> bool:
    """Whether a submission repeats the same tokens so often that compare50 would take
    too long.

    For compare50, all names are the same token, and so are all numbers and all strings.
    A window is a run of WINDOW tokens.  If two submissions share a window, compare50
    compares every place of the window in the first submission with every place of the
    window in the second.  That takes very long if a submission repeats the window
    often.

    >>> repeats_itself("T = [" + "1, 2, " * 50 + "]")
    False
    >>> repeats_itself("T = [" + "1, 2, " * 5000 + "]")
    True
    """
    tokens = list(_tokens(source))
    windows = Counter[int]()
    for start in range(len(tokens) - WINDOW + 1):
        windows[hash(tuple(tokens[start : start + WINDOW]))] += 1
    return sum(places**2 for places in windows.values()) > MOST_MATCHES


def _tokens(source: str) -> Iterator[str]:
    """The tokens of a submission, about as compare50 sees them."""
    for match in _TOKENS.finditer(source):
        token = match[0]
        if match["text"]:
            # compare50 begins a new token at each backslash and at each { in a string.
            cuts = token.count("\\") + token.count("{")
            yield from ['""'] * (cuts + 1)
        elif match["number"]:
            yield "0"
        elif match["word"]:
            yield token if keyword.iskeyword(token) else "v"
        elif match["sign"]:
            yield token


def _last_line(text: str) -> str:
    """Return the last non-empty line that a program has printed, at most 120
    characters.

    If there is no such line, the result says that the program said nothing.
    """
    lines = [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()]
    return harmless(lines[-1], 120) if lines else "it said nothing"
