"""Reads the YAML files of staff with PyYAML, the loader that students use.

Every mistake is a BadFile with a line.  yamllint refuses text that YAML would misread,
such as a key that appears twice, `NO` for false, or `010` for 8.
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
from grader.protocol.text import harmless

LONGEST = 600  # characters of a message
_RULES: Any = YamlLintConfig("""
rules:
  comments: {min-spaces-from-content: 2, require-starting-space: false}
  float-values:
    forbid-inf: true
    forbid-nan: true
    require-numeral-before-decimal: true
  key-duplicates: enable
  octal-values: enable
  truthy: {check-keys: true}
""")
_FIXES = {
    None: "line up what belongs together, close brackets, "
    "and put quotes around a text with one of , : [ { in it",
    "comments": "put quotes around a text with ` #` in it, "
    "or two spaces before a comment",
    "key-duplicates": "keep one",
}
"""What to do about a problem, for the rules of yamllint whose fix is not
`_IN_QUOTES`.
"""

_IN_QUOTES = (
    "put quotes around a text, or write a number or true or false as everybody reads it"
)


class Block(dict[str, Any]):
    """A mapping in a YAML file.  It keeps its file, and the line of each key."""

    def __init__(self, file: Path, line: int) -> None:
        super().__init__()
        self.file = file
        self.line = line  # where the mapping begins
        self.lines: dict[str, int] = {}  # the line of each key

    def fail(self, message: str, key: str | None = None, offset: int = 0) -> NoReturn:
        """Raise BadFile at the line of this key; without a key, at the first line of
        the block.

        `offset` is added to the line.
        """
        line = self.lines.get(key or "", self.line)
        raise BadFile(self.file, line + offset, harmless(message, LONGEST))


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The loader that students use, except that it makes a Block of each mapping."""

    file: Path

    def block(self, node: yaml.MappingNode) -> Iterator[Block]:
        """Make a Block of a mapping.  Raises BadFile if a key is not a text."""
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
        """Make a number of a text in YAML.

        Raises BadFile if a person would read another number, such as in `1:30`, which
        YAML takes for 90.
        """
        if ":" in node.value or "_" in node.value:
            problem = f"`{node.value:.60}` reads as another number than it looks"
            line = node.start_mark.line + 1
            raise BadFile(self.file, line, f"{problem}; {_IN_QUOTES}")
        return yaml.SafeLoader.yaml_constructors[node.tag](self, node)


_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.block)
_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.number)
_Loader.add_constructor("tag:yaml.org,2002:float", _Loader.number)


def read_block(file: Path) -> Block:
    """Read the mapping in a YAML file.  Raises BadFile."""
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
    """Read the mapping in a text that comes from this file.  Raises BadFile."""
    for line, problem in _problems(text):
        raise BadFile(file, line, problem)
    loader = _Loader(text)
    loader.file = file
    try:
        block = loader.get_single_data()
    except yaml.YAMLError as error:
        problem = getattr(error, "problem", None) or str(error)
        mark = getattr(error, "problem_mark", None)
        line = 1
        if mark:
            line = mark.line + 1
        message = f"{' '.join(problem.split())}; {_IN_QUOTES}"
        raise BadFile(file, line, message) from None
    if not isinstance(block, Block):
        raise BadFile(file, 1, "the file should hold a mapping: lines of `key: value`")
    return block


# The result is kept, because yamllint is slow, and several checks read the same file.
@functools.lru_cache(maxsize=64)
def _problems(text: str) -> list[tuple[int, str]]:
    """The problems that yamllint finds in a text: a line, and a sentence with the
    fix.
    """
    problems = []
    for problem in linter.run(text, _RULES):
        fix = _FIXES.get(problem.rule, _IN_QUOTES)
        sentence = f"{problem.desc.removesuffix(' (syntax)')}; {fix}"
        problems.append((problem.line, harmless(sentence, LONGEST)))
    return problems


@contextlib.contextmanager
def mistakes_in(file: Path) -> Iterator[None]:
    """Turn any exception in the `with` block into a BadFile about `file`.

    `file` is a module or a schema of a kind.  The exception shows that the file has a
    mistake.  A BadFile is raised again as it is.
    """
    try:
        yield
    except BadFile:
        raise
    except Exception as error:
        problem = " ".join(str(error).split())[:200]
        raise BadFile(file, 1, f"{type(error).__name__}: {problem}") from error


def value_in_words(value: Any) -> str:
    """Write a value for a sentence, in at most 100 characters."""
    if value in (None, "", [], {}):
        return "empty"
    text = repr(value)
    if len(text) <= 100:
        return text
    return f"{text[:99]}…"


def meant(word: object, words: Collection[str]) -> str:
    """Return a question that proposes the most similar of these words.

    The text is empty if none of the words is similar.
    """
    for spelling in (str(word), str(word).upper()):
        for nearest in difflib.get_close_matches(spelling, words, n=1):
            return f"did you mean `{nearest}`?"
    return ""
