"""Reads what staff write in YAML, as the students' loader reads it (PyYAML); every
mistake is a line of a file.

yamllint refuses what YAML reads otherwise than it looks: a key that stands twice, `NO`
for false, `010` for 8.
"""

import contextlib
import difflib
import functools
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NoReturn

import yaml
from yamllint import linter
from yamllint.config import YamlLintConfig

from boards.reading import BadFile
from grader.protocol.words import harmless

LONGEST = 600
_RULES: Any = YamlLintConfig("""
rules:
  comments: {min-spaces-from-content: 2, require-starting-space: false}
  float-values: {forbid-inf: true, forbid-nan: true, require-numeral-before-decimal: true}
  key-duplicates: enable
  octal-values: enable
  truthy: {check-keys: true}
""")
_FIXES = {
    None: "line up what belongs together, close brackets, and put quotes around a text with one of , : [ { in it",
    "comments": "put quotes around a text with ` #` in it, or two spaces before a comment",
    "key-duplicates": "keep one",
}
_IN_QUOTES = (
    "put quotes around a text, or write a number or true or false as everybody reads it"
)


class Block(dict[str, Any]):
    """A mapping out of a YAML file, with the file, and the line of each key."""

    def __init__(self, file: Path, line: int) -> None:
        super().__init__()
        self.file = file
        self.line = line
        self.lines: dict[str, int] = {}

    def fail(self, message: str, key: str | None = None, offset: int = 0) -> NoReturn:
        """Raise BadFile at a key's line (plus `offset` lines), or at the block's
        own.
        """
        raise BadFile(
            self.file,
            self.lines.get(key or "", self.line) + offset,
            harmless(message, LONGEST),
        )


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The students' loader, which makes a Block of a mapping."""

    file: Path

    def block(self, node: yaml.MappingNode) -> Iterator[Block]:
        block = Block(self.file, node.start_mark.line + 1)
        yield block
        block.update(self.construct_mapping(node))
        for (key_node, _), key in zip(node.value, block, strict=False):
            line = key_node.start_mark.line + 1
            if not isinstance(key, str):
                raise BadFile(
                    self.file,
                    line,
                    f"a key here reads as {key!r:.60}; put quotes around it",
                )
            block.lines[key] = line

    def number(self, node: yaml.ScalarNode) -> Any:
        if ":" in node.value or "_" in node.value:
            said = f"`{node.value:.60}` reads as another number than it looks; {_IN_QUOTES}"
            raise BadFile(self.file, node.start_mark.line + 1, said)
        return yaml.SafeLoader.yaml_constructors[node.tag](self, node)


_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.block)
_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.number)
_Loader.add_constructor("tag:yaml.org,2002:float", _Loader.number)


def read_block(file: Path) -> Block:
    """The mapping that a YAML file holds.  Raises BadFile."""
    try:
        return parse_block(file.read_text("utf-8"), file)
    except FileNotFoundError:
        raise BadFile(file, 1, "no such file") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadFile(
            file, line, "a character here is not in UTF-8; save the file as UTF-8"
        ) from None


def parse_block(text: str, file: Path) -> Block:
    """The mapping that a text in YAML holds, which stands in this file.  Raises
    BadFile.
    """
    for line, problem in _problems(text):
        raise BadFile(file, line, problem)
    loader = _Loader(text)
    loader.file = file
    try:
        block = loader.get_single_data()
    except yaml.YAMLError as error:
        mark, problem = (
            getattr(error, "problem_mark", None),
            getattr(error, "problem", None) or str(error),
        )
        raise BadFile(
            file,
            mark.line + 1 if mark else 1,
            f"{' '.join(problem.split())}; {_IN_QUOTES}",
        ) from None
    if not isinstance(block, Block):
        raise BadFile(file, 1, "the file should hold a mapping: lines of `key: value`")
    return block


@functools.lru_cache(
    maxsize=64
)  # it takes long, and a file is read for more than one check
def _problems(text: str) -> list[tuple[int, str]]:
    """What yamllint finds in a text: lines, and what to do there."""
    found = []
    for problem in linter.run(text, _RULES):
        sentence = f"{problem.desc.removesuffix(' (syntax)')}; {_FIXES.get(problem.rule, _IN_QUOTES)}"
        found.append((problem.line, harmless(sentence, LONGEST)))
    return found


@contextlib.contextmanager
def mistakes_in(file: Path) -> Iterator[None]:
    """Whatever goes wrong in here is a mistake in this file of a kind, and a BadFile
    that names it.
    """
    try:
        yield
    except BadFile:
        raise
    except Exception as error:
        raise BadFile(
            file, 1, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        ) from error


def value_in_words(value: Any) -> str:
    """A value in a sentence, in a few words."""
    text = "empty" if value in (None, "", [], {}) else repr(value)
    return text if len(text) <= 100 else f"{text[:99]}…"


def meant(word: object, words: Collection[str]) -> str:
    """Which of some words was meant, as a question; nothing if none is near."""
    for near in (str(word), str(word).upper()):
        for found in difflib.get_close_matches(near, words, n=1):
            return f"did you mean `{found}`?"
    return ""
