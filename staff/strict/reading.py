"""Strict reading of YAML: every mistake is an error with file, line and what to do.

YAML has teeth: of two equal keys the last one wins in silence, and its readers do not agree.  The
students' loader (PyYAML, YAML 1.1) reads `12:30` as 750 and `NO` as false, an editor and ruamel.yaml
(YAML 1.2) read texts.  Whatever two readers read differently is an error here.  What is read is a
`Block`, a dict that knows the line of each of its keys.
"""

import contextlib
import difflib
import functools
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NoReturn

import yaml
from ruamel.yaml import YAML, MappingNode, ScalarNode, SequenceNode
from ruamel.yaml.error import YAMLError

from boards.reading import BadFile
from grader.protocol.words import harmless

MOST_DIGITS, LONGEST = 300, 600
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TEXT = "tag:yaml.org,2002:str"
_old, _new = yaml.SafeLoader(""), YAML(typ="safe", pure=True)


@contextlib.contextmanager
def mistakes_in(file: Path) -> Iterator[None]:
    """Whatever goes wrong in here is a mistake in this file of a kind, and a BadFile that names it."""
    try:
        yield
    except BadFile:
        raise
    except Exception as error:
        raise BadFile(file, 1, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error


class Block(dict[str, Any]):
    """A mapping out of a YAML file, with the file, and the line of each key."""

    def __init__(self, file: Path, line: int) -> None:
        super().__init__()
        self.file = file
        self.line = line
        self.lines: dict[str, int] = {}

    def fail(self, message: str, key: str | None = None, offset: int = 0) -> NoReturn:
        """Raise BadFile at a key's line (plus `offset` lines), or at the block's own."""
        raise BadFile(self.file, self.lines.get(key or "", self.line) + offset, harmless(message, LONGEST))

    def allow(self, keys: Collection[str]) -> None:
        """Raise BadFile where a key is none of these."""
        for key in self:
            if key not in keys:
                self.fail(unknown_key(key, keys), key)

    def take(self, key: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        """The value of a key, of this type.  BadFile where it is missing or of another type."""
        if key not in self:
            if default is ...:
                self.fail(f"`{key}` is missing")
            return default
        value = self[key]
        if value is None and kind is str:
            self.fail(f"`{key}` is empty; {NOTHING}", key)
        wrong_bool = isinstance(value, bool) and kind is not bool and kind is not object
        if not isinstance(value, kind) or wrong_bool:
            self.fail(f"`{key}` is {shown(value)}; {ADVICE.get(kind, 'another type is wanted')}", key)
        return value

    def texts(self, key: str, default: Any = ...) -> tuple[str, ...]:
        """A list of texts.  BadFile where one of them is something else."""
        values = self.take(key, list, default)
        for value in values:
            if not isinstance(value, str):
                self.fail(f"`{key}` holds {value!r}; {ADVICE[str]}", key)
        return tuple(values)

    def blocks(self, key: str, default: Any = ...) -> "list[Block]":
        """A list of mappings.  BadFile where one of them is something else."""
        values: list[Block] = self.take(key, list, default)
        for value in values:
            if not isinstance(value, Block):
                self.fail(f"`{key}` holds {shown(value)}; write a mapping: lines of `key: value`", key)
        return values


NOTHING = "write a text"
ADVICE: dict[Any, str] = {
    str: "YAML does not read that as text; put quotes around it, or write a block with `|`",
    int: "a whole number is wanted",
    float: "a number is wanted",
    (int, float): "a number is wanted",
    bool: "true or false is wanted",
    list: "a list is wanted: [one, two], or a line `- one` for each",
    Block: "a mapping is wanted: {key: value}, or lines of `key: value`",
}

_HINTS = {  # words of a YAML reader, and what helps
    "mapping values": "begin this line where the one above begins, put quotes around a text with a colon in it, or "
    "a colon behind a key of the line above",
    "but found '<stream end>'": "a bracket or a brace is not closed above",
    "but found ','": "take the comma away, or put quotes around a text with a comma in it",
    "but found '<scalar>'": "put quotes around the whole text, or begin this line where the one above begins",
    "<block end>": "begin this line as far to the right as those that it belongs with",
    r"'\t'": "write spaces in place of the tab",
    "but got": "a bracket or a brace is not closed, or a text with one of , : [ ] { } in it has no quotes",
    "cannot start any token": "put quotes around a text that begins with a sign; a drawing stands below its `key: |`",
    "another document": "take the line `---` away",
    "could not find expected ':'": "write a colon and a space behind the key",
}


def shown(value: Any) -> str:
    """A value in a sentence, in a few words."""
    text = "empty" if value in (None, "", [], {}) else repr(value)
    return text if len(text) <= 100 else f"{text[:99]}…"


def unknown_key(key: str, keys: Collection[str]) -> str:
    """What is said of a key that is none of these."""
    return f"unknown key `{key}`; {meant(key, keys) or 'allowed here: ' + ', '.join(sorted(keys))}"


def meant(word: Any, words: Collection[str]) -> str:
    """Which of some words was meant, as a question; nothing where none is near."""
    near = [
        *difflib.get_close_matches(str(word), words, n=1),
        *difflib.get_close_matches(str(word).upper(), words, n=1),
    ]
    return f"did you mean `{near[0]}`?" if near else ""


def read_yaml(file: Path) -> Block:
    """The mapping that a YAML file holds.  Raises BadFile."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadFile(file, 1, "no such file") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadFile(file, line, "a character here is not in UTF-8; save the file as UTF-8") from None
    return parse_yaml(text, file)


def parse_yaml(text: str, file: Path) -> Block:
    """The mapping that a text in YAML holds, which stands in this file.  Raises BadFile."""
    try:
        node = _nodes(text)
        block = _value(node, file) if node else Block(file, 1)
        loaded = yaml.load(text, _Loader) or {}
    except (YAMLError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = " ".join((getattr(error, "problem", None) or str(error)).split())
        hint = next((f"; {hint}" for words, hint in _HINTS.items() if words in problem), "")
        raise BadFile(file, mark.line + 1 if mark else 1, f"not YAML: {problem}{hint}") from None
    except RecursionError:
        raise BadFile(file, 1, "something in this file holds itself; write it out, without & and *") from None
    if not isinstance(block, Block):
        raise BadFile(file, 1, "the file should hold a mapping: lines of `key: value`")
    if repr(loaded) != repr(block):
        raise BadFile(file, 1, "two readers of YAML do not agree on this file; write it more simply")
    return block


@functools.lru_cache(maxsize=64)  # it takes long, and a file is read for more than one check
def _nodes(text: str) -> Any:
    return _new.compose(text)


def _value(node: Any, file: Path) -> Any:
    if isinstance(node, MappingNode):
        block = Block(file, node.start_mark.line + 1)
        for key_node, value_node in node.value:
            key, line = _value(key_node, file), key_node.start_mark.line + 1
            if not isinstance(key, str):
                written = harmless(key_node.value, 60)
                raise BadFile(file, line, f"the key {written} reads as {key!r:.60}; put quotes around it")
            if key in block:
                raise BadFile(file, line, f"`{key}` stands twice here, first in line {block.lines[key]}; keep one")
            block[key], block.lines[key] = _value(value_node, file), line
        return block
    if isinstance(node, SequenceNode):
        return [_value(item, file) for item in node.value]
    try:
        end = node.end_mark
        if end.buffer.startswith(" #", end.pointer) and node.tag == _TEXT and not node.style:
            raise ValueError("` #` ends this text, as of a comment; quote the text, or put two spaces before a comment")
        return node.value if node.style else _plain(node.value, node.tag)
    except ValueError as error:
        raise BadFile(file, node.start_mark.line + 1, str(error)) from None


@functools.cache
def _plain(text: str, tag: str) -> Any:
    """What a text without quotes is to both readers.  ValueError where they do not agree."""
    old_tag = _old.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    if tag == old_tag == _TEXT:
        return text
    if len(text) > MOST_DIGITS:
        raise ValueError(f"a number of {len(text):,} digits stands here; at most {MOST_DIGITS} are read")
    try:
        old, new = (
            _old.construct_object(yaml.ScalarNode(old_tag, text)),
            _new.constructor.construct_object(ScalarNode(tag, text)),
        )
    except (YAMLError, yaml.YAMLError):
        raise ValueError(
            f"`{text}` means something of its own in YAML; put quotes around it, or write it out"
        ) from None
    if "_" in text and not isinstance(new, str):
        new = text
    if repr(old) != repr(new):
        both = f"{old!r} to the reader that students have, and {new!r} to others"
        plainly = f"`{str(old).lower()}`" if isinstance(old, bool) else "it as all read it"
        raise ValueError(f"`{text}` is {both}; put quotes around it, or write {plainly}")
    return old
