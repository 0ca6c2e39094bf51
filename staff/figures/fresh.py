"""Fresh mistakes, which somebody made without knowing the names of known mistakes.

The mistakes are in a folder that is not in this repository:

    001.py ...       each is a whole lab.py with one mistake
    causes.yaml      the causes, written down before anything was graded:
                     `- {file: 001.py, function: minimax_search, cause: "..."}`
    screens/001.txt  the last lines of each screen, for a person to read
    prefilled.yaml   the verdicts that can be given without reading the screens
    read.yaml        the verdicts of the person:
                     `- {file: 001.py, verdict: named, note: "..."}`

`make figures` writes screens/ and prefilled.yaml.  A verdict is `named` if the screen
names the cause, and `located` if it shows the place of the cause.  It is `neither` if
the screen does neither, and `false` if a sentence on the screen is wrong.  fresh.yaml
beside this module keeps the results, without any code.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from boards.reading import BadFile
from staff.figures.counting import Share
from staff.figures.outcome import Outcome, Submission

RESULTS = Path(__file__).with_name("fresh.yaml")
CAUSES = "causes.yaml"
READ = "read.yaml"
PREFILLED = "prefilled.yaml"
SCREENS = "screens"
VERDICTS = ("named", "located", "neither", "false")
HEAD = (
    "# What came of mistakes that were made without knowing the names.  "
    "`make figures FRESH=folder` writes this file.\n"
)


@dataclass(frozen=True)
class Mistake:
    """A submission with one mistake."""

    file: str  # its name in the folder
    function: str  # the function with the mistake
    cause: str  # the cause, written down before the submission was graded


@dataclass(frozen=True)
class Read:
    """One mistake, with the verdict on what the screen says about the mistake."""

    function: str
    cause: str
    verdict: str  # the verdict of the person who read the screen
    loses_points: bool  # whether the function with the mistake loses points


@dataclass(frozen=True)
class Results:
    """The results for all mistakes, and the kit that graded them."""

    version: str  # the version of the release
    model: str  # a digest of the model solution, as on the page
    cases: str  # a digest of the cases, as on the page
    mistakes: tuple[Read, ...]

    def share(self, *verdicts: str) -> Share:
        """The share of the mistakes that have one of these verdicts."""
        count = sum(mistake.verdict in verdicts for mistake in self.mistakes)
        return Share(count, len(self.mistakes))


def read_mistakes(folder: Path, functions: Sequence[str]) -> list[Mistake]:
    """Read the mistakes that causes.yaml lists.  Raises BadFile."""
    file = folder / CAUSES
    mistakes = [
        Mistake(**entry) for entry in _entries(file, ("file", "function", "cause"))
    ]
    for mistake in mistakes:
        if mistake.function not in functions:
            raise BadFile(
                file,
                1,
                f"{mistake.file}: there is no graded function `{mistake.function}`",
            )
        if not (folder / mistake.file).is_file():
            raise BadFile(
                file, 1, f"{mistake.file}: there is no such file beside {CAUSES}"
            )
    return mistakes


def submission(folder: Path, mistake: Mistake) -> Submission:
    """Make a submission of a mistake, so that it can be graded.  Raises BadFile."""
    file = folder / mistake.file
    try:
        return Submission(mistake.file, file.read_text("utf-8"), (mistake.function,))
    except UnicodeDecodeError:
        raise BadFile(file, 1, "this is not in UTF-8; save the file as UTF-8") from None


def write_screens(folder: Path, outcomes: Sequence[Outcome]) -> None:
    """Write the screens, and the verdicts that can be given without reading them.

    A screen has the last lines that `make test` prints.  If a screen has not changed,
    its file is not written, and keeps its time.  So the time shows which screens have
    changed since a person read them.
    """
    screens = folder / SCREENS
    screens.mkdir(exist_ok=True)
    entries = []
    for outcome in outcomes:
        name = outcome.submission.label
        file = _screen(folder, name)
        text = f"{outcome.screen}\n"
        if not file.is_file() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
        entries.append({"file": name, "verdict": told(outcome), "note": ""})
    lines = [f"- {json.dumps(entry)}\n" for entry in entries]
    (folder / PREFILLED).write_text("".join(lines), "utf-8")


def told(outcome: Outcome) -> str:
    """Return the verdict that the kit can give although nobody has read the screen.

    The verdict only says whether the screen shows some name or some place, and not
    whether it is the right one.
    """
    if outcome.is_named:
        return "named"
    if outcome.is_located:
        return "located"
    return "neither"


def read_verdicts(folder: Path, mistakes: Sequence[Mistake]) -> dict[str, str]:
    """Read the verdicts of the person.  The key is the file of the mistake.

    There are none if nobody has read the screens yet.  Raises BadFile.
    """
    file = folder / READ
    if not file.is_file():
        return {}
    files = [mistake.file for mistake in mistakes]
    verdicts = {}
    for entry in _entries(file, ("file", "verdict", "note")):
        if entry["file"] not in files:
            raise BadFile(file, 1, f"{entry['file']} is not in {CAUSES}")
        if entry["verdict"] not in VERDICTS:
            raise BadFile(
                file, 1, f"{entry['file']}: `verdict` is one of {', '.join(VERDICTS)}"
            )
        verdicts[entry["file"]] = entry["verdict"]
    return verdicts


def unread(
    folder: Path, mistakes: Sequence[Mistake], verdicts: Mapping[str, str]
) -> list[str]:
    """Return the files of the mistakes whose screens a person still has to read.

    Either the person has written no verdict on the mistake, or its screen has changed
    since the verdicts were written.
    """
    files = [mistake.file for mistake in mistakes]
    if not verdicts:
        return files
    saved = (folder / READ).stat().st_mtime_ns
    return [
        file
        for file in files
        if file not in verdicts or _screen(folder, file).stat().st_mtime_ns > saved
    ]


def _screen(folder: Path, file: str) -> Path:
    """The file for the screen of a mistake."""
    return (folder / SCREENS / file).with_suffix(".txt")


def keep(results: Results) -> None:
    """Write the results into fresh.yaml."""
    mistakes = [asdict(mistake) for mistake in results.mistakes]
    data = asdict(results) | {"mistakes": mistakes}
    text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=1000)
    RESULTS.write_text(HEAD + text, "utf-8")


def kept() -> Results | None:
    """Read the last results that fresh.yaml keeps; None if it keeps none."""
    if not RESULTS.is_file():
        return None
    data = yaml.safe_load(RESULTS.read_text("utf-8"))
    mistakes = tuple(Read(**mistake) for mistake in data.pop("mistakes"))
    return Results(**data, mistakes=mistakes)


def _entries(file: Path, keys: Sequence[str]) -> list[dict[str, str]]:
    """Read a list of mappings that have exactly these keys, each with a text.

    One of the keys is `file`.  No file may be listed twice.  Raises BadFile.
    """
    try:
        entries: Any = yaml.safe_load(file.read_text("utf-8"))
    except FileNotFoundError:
        raise BadFile(file, 1, "there is no such file") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        line = 1
        if mark:
            line = mark.line + 1
        raise BadFile(file, line, "this cannot be read as YAML in UTF-8") from None
    if not isinstance(entries, list) or not entries:
        raise BadFile(
            file, 1, f"the file should hold a list of mappings with {', '.join(keys)}"
        )
    files = set[str]()
    for number, entry in enumerate(entries, start=1):
        if not _is_entry(entry, keys):
            raise BadFile(
                file,
                1,
                f"entry {number} should be a mapping of {', '.join(keys)}, "
                "each with a text",
            )
        if entry["file"] in files:
            raise BadFile(file, 1, f"{entry['file']} is listed twice")
        files.add(entry["file"])
    return entries


def _is_entry(entry: object, keys: Sequence[str]) -> bool:
    """Whether an entry is a mapping of exactly these keys, each with a text."""
    if not isinstance(entry, dict) or {*entry} != {*keys}:
        return False
    return all(isinstance(text, str) for text in entry.values())
