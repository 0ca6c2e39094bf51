"""The recipes of CONTRIBUTING.md and of the pages that it links, as steps that a
program can follow.

A recipe is a section of a text.  Its paragraphs name a file and say what is done
there, and its blocks of code hold what is written or typed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from staff.tests.conftest import KIT

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"\bIn\s`([\w/.-]+)`")
ANCHOR = re.compile(r"\badd\safter\s(`+)(.*?)\1:", re.DOTALL)
SETTING = re.compile(r"\bIn\s`([\w/.-]+)`,[^.]*?\bset\s`(\w+): ([^`]+)`")
REPLACING = re.compile(
    r"\bIn\s`([\w/.-]+)`,[^.]*?\breplace\s`([^`]+)`\swith\s`([^`]+)`"
)
HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
SHELL = "sh"
SHOWN = "text"  # the language of a block that shows what a command prints


@dataclass(frozen=True)
class Written:
    """A text that goes into a file: at its end, or behind one of its lines."""

    file: str
    text: str
    after: str  # this line, or nothing for the end of the file

    def do(self, folder: Path) -> None:
        """Write the text into the file of this folder."""
        file = folder / self.file
        file.parent.mkdir(parents=True, exist_ok=True)
        text = ""
        if file.exists():
            text = file.read_text("utf-8")
        if self.after:
            line = f"\n{self.after}\n"
            assert text.count(line) == 1, (self.after, self.file)
            gap = "\n\n" if file.suffix == ".py" else ""
            text = text.replace(line, f"{line}{gap}{self.text}")
        else:
            text += self.text
        file.write_text(text, "utf-8")


@dataclass(frozen=True)
class Set:
    """A key of a YAML file that gets another value."""

    file: str
    key: str
    value: str

    def do(self, folder: Path) -> None:
        """Change the only line with this key in the file of this folder."""
        file = folder / self.file
        line = re.compile(rf"^( *{self.key}:).*$", re.MULTILINE)
        text, count = line.subn(rf"\g<1> {self.value}", file.read_text("utf-8"))
        assert count == 1, (self.key, self.file)
        file.write_text(text, "utf-8")


@dataclass(frozen=True)
class Replaced:
    """A text of a file that another one replaces."""

    file: str
    old: str
    new: str

    def do(self, folder: Path) -> None:
        """Replace the text, which stands once in the file of this folder."""
        file = folder / self.file
        text = file.read_text("utf-8")
        assert text.count(self.old) == 1, (self.old, self.file)
        file.write_text(text.replace(self.old, self.new), "utf-8")


@dataclass(frozen=True)
class Typed:
    """Commands of a shell."""

    commands: str


Step = Written | Set | Replaced | Typed


def steps_of(name: str, heading: str = "") -> list[Step]:
    """The steps of a text of the kit, or of one of its sections, in their order."""
    text = (KIT / name).read_text("utf-8")
    if heading:
        text = section_of(text, heading)
    return list(_steps_in(text))


def section_of(text: str, heading: str) -> str:
    """The text below a heading; what looks like a heading within a block is none."""
    blocks = [range(*block.span()) for block in FENCE.finditer(text)]
    headings = [
        match
        for match in HEADING.finditer(text)
        if not any(match.start() in block for block in blocks)
    ]
    titles = [match[1] for match in headings]
    number = titles.index(heading)
    ends = [match.start() for match in headings] + [len(text)]
    return text[headings[number].end() : ends[number + 1]]


def _steps_in(text: str) -> Iterator[Step]:
    """The steps of a text."""
    end = 0
    for block in FENCE.finditer(text):
        said = text[end : block.start()]
        end = block.end()
        yield from _settings_in(said)
        language, content = block.groups()
        if language == SHELL:
            yield Typed(content)
        elif language != SHOWN:
            yield _written(said, content)
    yield from _settings_in(text[end:])


def _settings_in(said: str) -> Iterator[Set | Replaced]:
    """The keys that a paragraph tells to set, and the texts to replace."""
    for replacing in REPLACING.finditer(said):
        yield Replaced(*replacing.groups())
    for setting in SETTING.finditer(said):
        yield Set(*setting.groups())


def _written(said: str, content: str) -> Written:
    """Where a block goes, which the paragraph above it says: in the file that it names
    last.
    """
    *_, file = FILE.finditer(said)
    anchor = ANCHOR.search(said, file.end())
    after = ""
    if anchor:
        after = " ".join(anchor[2].split())
    return Written(file[1], content, after)
