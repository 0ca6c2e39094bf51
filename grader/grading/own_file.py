"""A student's own file of cases as plain data, with lines: nobody has checked it, and a mistake in it is a line.

YAML has teeth: it reads `.211222` as a number and `NO` as false, and keeps the last of two equal keys.
"""

from pathlib import Path
from typing import Any

import yaml

from boards.reading import BadFile
from grader.protocol.words import visible

MOST_BYTES, LARGEST, MOST_PIECES = 50_000, 1_000_000, 100
Place = tuple[str | int, ...]


class Written:
    """What a file says, as plain data, and the line of each place in it: keys and indices from the top.

    Raises BadFile, and OSError where the file cannot be read.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lines: dict[Place, int] = {(): 1}
        self._met: set[int] = set()
        if not file.is_file():
            raise self.mistake((), "this is no ordinary file")
        with file.open("rb") as opened:
            text = opened.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise self.mistake((), f"this is longer than {MOST_BYTES:,} bytes; keep the cases that tell most")
        try:
            self._loader = yaml.SafeLoader(text.decode("utf-8-sig"))
            node = self._loader.get_single_node()
            self.data = self._value(node, ()) if node else None
        except BadFile:
            raise
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise BadFile(file, line, "a character here is not in UTF-8; save the file as UTF-8") from None
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            mark = getattr(error, "problem_mark", None)
            problem = " ".join(str(getattr(error, "problem", None) or error).split())[:200]
            hint = "; put quotes around a text with a colon in it" if "mapping values" in problem else ""
            raise BadFile(file, mark.line + 1 if mark else 1, f"not YAML: {problem}{hint}") from None

    def mistake(self, at: Place, message: str) -> BadFile:
        """A mistake at a place, or at the next one above it that has a line."""
        while at not in self._lines:
            at = at[:-1]
        return BadFile(self.file, self._lines[at], message)

    def _value(self, node: yaml.Node, at: Place) -> Any:
        self._lines[at] = node.start_mark.line + 1
        if id(node) in self._met:
            raise self.mistake(at, "the same thing stands here again; write it out, without & and *")
        self._met.add(id(node))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, at)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(item, (*at, index)) for index, item in enumerate(node.value)]
        value = self._loader.construct_object(node)
        if value is not None and type(value) not in (str, int, float, bool):
            raise self.mistake(at, f"YAML takes {node.value[:40]!r} for something else; put quotes around it")
        here = "here; for bounds there are INF and -INF"
        most, where = (MOST_PIECES, "in a state") if "state" in at else (LARGEST, here)
        if "expect" not in at and type(value) in (int, float) and not abs(value) <= most:
            raise self.mistake(at, f"a number beyond {most:,} has no place {where}")
        return visible(value, besides="\n") if type(value) is str else value

    def _mapping(self, node: yaml.MappingNode, at: Place) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        for key_node, value in node.value:
            key = self._value(key_node, (*at, "?"))
            if type(key) is not str:
                raise self.mistake((*at, "?"), f"YAML takes the key {key!r:.40} for no text; put quotes around it")
            if key in entries:
                raise self.mistake((*at, "?"), f"`{key[:40]}` stands twice here; keep one")
            entries[key] = self._value(value, (*at, key))
        return entries
