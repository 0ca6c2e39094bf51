"""compare50, which ranks pairs of submissions by the code that they share.

Its packages do not fit beside ours, so that it has an environment of its own in
build/compare50/.  It reads students' code as text and runs none of it.
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
from grader.protocol.words import harmless
from grader.refusal import Refusal
from grader.sandbox.process import end

REQUIREMENTS = Path(__file__).with_name("compare50.txt")
ENVIRONMENT = KIT / "build" / "compare50"
PYTHON = ENVIRONMENT / "bin" / "python"
MARKER = (
    ENVIRONMENT / REQUIREMENTS.name
)  # a copy of the requirements, which is written when all are installed
MOST_PAIRS = 50
LIMIT_SECONDS = 1800.0  # 200 submissions take less than one minute on two cores
CLASS, EARLIER, GIVEN, PAGE, OUTPUT = (
    "class",
    "earlier",
    "given",
    "page",
    "output.txt",
)  # in the folder of a comparison
WINDOW = 25  # tokens that two submissions must share in a row, for compare50 to see it
MOST_MATCHES = (
    500_000  # of the windows of one submission with themselves; no pair then has more
)
_TOKENS = re.compile(
    r"#[^\n]*"
    r"|(?P<text>(?P<quotes>'''|\"\"\")[\s\S]*?(?P=quotes)|'[^'\n]*'|\"[^\"\n]*\")"
    r"|(?P<number>\d\w*)|(?P<word>\w+)|(?P<sign>\S)"
)
_DATA_OF_PAGE = re.compile(r"^\s*var GRAPH = (\{.*\});\s*$", re.MULTILINE)
_NOWHERE = "http://127.0.0.1:9"


@dataclass(frozen=True)
class Pair:
    """Two submissions that share code.

    `first` and `second` are their folders.  `score` is 100 for the pair that shares
    most, and less in proportion for the others.  `page` is the file that shows the two
    side by side.
    """

    first: str
    second: str
    score: float
    page: str


def set_up() -> None:
    """Make the environment of compare50, unless it is complete.  Raises Refusal."""
    if os.name == "nt":
        raise Refusal("compare50 needs Linux or macOS: type make similar there")
    if (
        PYTHON.exists()
        and MARKER.exists()
        and MARKER.read_bytes() == REQUIREMENTS.read_bytes()
    ):
        return
    print(
        f"setting up {ENVIRONMENT.relative_to(KIT).as_posix()} (once; this takes a minute)",
        flush=True,
    )
    pip = [
        "pip",
        "--python",
        str(PYTHON),
        "install",
        "-q",
        "--disable-pip-version-check",
        "--retries",
        "2",
    ]
    _make(["venv", "--clear", "--without-pip", str(ENVIRONMENT)], "correct that.")
    _make([*pip, "-r", str(REQUIREMENTS)], "is there a network?")
    write_whole(MARKER, REQUIREMENTS.read_bytes())


def _make(words: Sequence[str], remedy: str) -> None:
    """Run a module of this Python that sets up a part of the environment.  Raises
    Refusal if it fails.
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
            f"compare50 could not be installed ({reason}): {remedy} Then type make similar again"
        )


def ranked(folder: Path) -> list[Pair]:
    """The pairs that compare50 finds in a folder, those that share most first; its page
    is then in PAGE.

    CLASS and EARLIER hold a folder for each submission, and GIVEN holds what students
    were given.  Earlier submissions are compared with those of the class only.  The
    same folder gives the same bytes.  Raises Refusal if compare50 fails, or takes too
    long.
    """
    words = [*_folders_in(folder, CLASS), "--distro", *_folders_in(folder, GIVEN)]
    if earlier := _folders_in(folder, EARLIER):
        words += ["--archive", *earlier]
    words += ["--passes", "structure", "-n", str(MOST_PAIRS), "--output", PAGE]
    output = folder / OUTPUT
    status = _run(words, folder, output)
    if status:
        raise Refusal(
            f"compare50 failed ({_last_line(output.read_text('utf-8', 'replace'))}); nothing was written"
        )
    page = folder / PAGE / "index.html"
    if not page.exists():  # no two submissions share anything
        return []
    return _pairs_of(page.read_text("utf-8"))


def _folders_in(folder: Path, name: str) -> list[str]:
    """The folders in one of the folders of a comparison, as compare50 is told them."""
    return sorted(f"{name}/{inner.name}" for inner in (folder / name).glob("*"))


def _run(words: list[str], folder: Path, output: Path) -> int:
    """Run compare50 in a folder; the exit status.  Raises Refusal if it takes too
    long.
    """
    with output.open("wb") as stream:
        process = subprocess.Popen(
            [PYTHON, "-m", "compare50", *words], cwd=folder, env=_environment(), stdin=subprocess.DEVNULL,
            stdout=stream, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
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
    """The environment variables of compare50."""
    ours = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTHON") and not name.lower().endswith("_proxy")
    }
    return (
        ours
        | {
            "PYTHONHASHSEED": "0",  # compare50 ranks by the hashes of texts
            "PYTHONUTF8": "1",  # compare50 reads files in the encoding of the machine
            "PYTHONSAFEPATH": "1",  # no student's folder is a module
            "PYTHONUNBUFFERED": "1",  # what compare50 says last is why it fails
            "ANSI_COLORS_DISABLED": "1",
            "https_proxy": _NOWHERE,  # compare50 asks whether there is a newer version, and goes on without an answer
        }
    )


def _pairs_of(page: str) -> list[Pair]:
    """The pairs that the data in compare50's first page has.  Raises Refusal if the
    page has another form.
    """
    with contextlib.suppress(ValueError, LookupError, TypeError):
        data: dict[str, Any] = json.loads(_DATA_OF_PAGE.findall(page)[0])
        return [
            Pair(
                str(link["source"]),
                str(link["target"]),
                10 * float(link["value"]),
                f"match_{number}.html",
            )
            for number, link in enumerate(data["links"], start=1)
        ]
    raise Refusal(
        "compare50 wrote a page that the kit cannot read; delete build/compare50, then type make similar again"
    )


def repeats_itself(source: str) -> bool:
    """Whether a submission repeats the same tokens so often that compare50 would not
    come to an end.

    compare50 sees all names as the same token, and so all numbers and all strings.  It
    looks at each place of a window in one submission beside each place in the other
    one.

    >>> repeats_itself("T = [" + "1, 2, " * 50 + "]"), repeats_itself("T = [" + "1, 2, " * 5000 + "]")
    (False, True)
    """
    tokens = list(_tokens(source))
    windows = Counter(
        hash(tuple(tokens[n : n + WINDOW])) for n in range(len(tokens) - WINDOW + 1)
    )
    return sum(places**2 for places in windows.values()) > MOST_MATCHES


def _tokens(source: str) -> Iterator[str]:
    """The tokens of a submission, about as compare50 sees them."""
    for match in _TOKENS.finditer(source):
        token = match[0]
        if match["text"]:
            cuts = token.count("\\") + token.count(
                "{"
            )  # at each of which another token begins
            yield from ['""'] * (cuts + 1)
        elif match["number"]:
            yield "0"
        elif match["word"]:
            yield token if keyword.iskeyword(token) else "v"
        elif match["sign"]:
            yield token


def _last_line(text: str) -> str:
    """The last line of what a program has printed that says something."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()]
    return harmless(lines[-1], 120) if lines else "it said nothing"
