"""Strict reading of YAML: every mistake is an error with file, line and what to do.

YAML has teeth: `12:30` reads as 750, `NO` as false, and of two equal keys the last one wins in
silence.  What is read here is therefore a `Block`, a dict that knows the line of each of its keys
and that asks for the type it expects.
"""

import difflib
from collections.abc import Collection
from pathlib import Path
from typing import Any, NoReturn

import yaml

from boards.reading import BadFile

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Block(dict[str, Any]):
    """A mapping out of a YAML file, with the file, and the line of each key."""

    def __init__(self, file: Path, line: int) -> None:
        super().__init__()
        self.file = file
        self.line = line
        self.lines: dict[str, int] = {}

    def fail(self, message: str, key: str | None = None, offset: int = 0) -> NoReturn:
        """Raise BadFile at a key's line (plus `offset` lines), or at the block's own."""
        raise BadFile(self.file, self.lines.get(key or "", self.line) + offset, message)

    def allow(self, keys: Collection[str]) -> None:
        """Raise BadFile where a key is none of these."""
        for key in self:
            if key not in keys:
                near = difflib.get_close_matches(key, keys, n=1)
                hint = f"did you mean `{near[0]}`?" if near else f"allowed here: {', '.join(sorted(keys))}"
                self.fail(f"unknown key `{key}`; {hint}", key)

    def take(self, key: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        """The value of a key, of this type.  BadFile where it is missing or of another type."""
        if key not in self:
            if default is ...:
                self.fail(f"`{key}` is missing")
            return default
        value = self[key]
        wrong_bool = isinstance(value, bool) and kind is not bool and kind is not object
        if not isinstance(value, kind) or wrong_bool:
            self.fail(f"`{key}` is {value!r}; {_ADVICE.get(kind, 'another type is wanted')}", key)
        return value

    def texts(self, key: str, default: Any = ...) -> tuple[str, ...]:
        """A list of texts.  BadFile where one of them is something else."""
        values = self.take(key, list, default)
        for value in values:
            if not isinstance(value, str):
                self.fail(f"`{key}` holds {value!r}, which YAML does not read as text; put quotes around it", key)
        return tuple(values)


_ADVICE: dict[Any, str] = {
    str: "YAML does not read that as text; put quotes around it, or write a block with `|`",
    int: "a whole number is wanted",
    (int, float): "a number is wanted",
    bool: "true or false is wanted",
    list: "a list is wanted, such as [0, 1]",
    Block: "a mapping is wanted, such as {tree: FOUR_BY_FOUR}",
}


def read_yaml(file: Path) -> Block:
    """The mapping that a YAML file holds.  Raises BadFile."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadFile(file, 1, "no such file") from None
    except UnicodeDecodeError as error:
        raise BadFile(file, 1, f"not YAML: {error}") from None
    return parse_yaml(text, file)


def parse_yaml(text: str, file: Path) -> Block:
    """The mapping that a text in YAML holds, which stands in this file.  Raises BadFile."""
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        hint = "; put quotes around a text with a colon in it" if "mapping values" in problem else ""
        raise BadFile(file, mark.line + 1 if mark else 1, f"not YAML: {problem}{hint}") from None
    try:
        block = _value(node, file) if node else Block(file, 1)
    except yaml.YAMLError as error:
        raise BadFile(file, error.problem_mark.line + 1, f"{error.problem}; write it out") from None  # type: ignore[attr-defined]
    except RecursionError:
        raise BadFile(file, 1, "something in this file holds itself; write it out, without & and *") from None
    if not isinstance(block, Block):
        raise BadFile(file, 1, "the file should hold a mapping: lines of `key: value`")
    return block


_constructor = yaml.SafeLoader("")


def _value(node: Any, file: Path) -> Any:
    if isinstance(node, yaml.MappingNode):
        block = Block(file, node.start_mark.line + 1)
        for key_node, value_node in node.value:
            key, line = _value(key_node, file), key_node.start_mark.line + 1
            if not isinstance(key, str):
                raise BadFile(file, line, f"the key {key_node.value} reads as {key!r}; put quotes around it")
            if key in block:
                raise BadFile(file, line, f"`{key}` stands twice here, first in line {block.lines[key]}; keep one")
            block[key], block.lines[key] = _value(value_node, file), line
        return block
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, file) for item in node.value]
    if node.tag == "tag:yaml.org,2002:str":
        return node.value
    return _constructor.construct_object(node, deep=True)
