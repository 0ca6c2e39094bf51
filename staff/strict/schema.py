"""Checks a file against its JSON schema.  The first mistake becomes a BadFile.

`errorMessage` in a schema says what the schema expects.  Editors show this text too.
The text is the end of a sentence, such as `it is a whole number of 1 or more`.
"""

import difflib
import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator, ValidationError
from referencing import Registry
from referencing.jsonschema import DRAFT7

from boards.reading import BadFile
from grader.protocol.text import harmless
from staff.strict.reading import LONGEST, Block, meant, mistakes_in, value_in_words

KIT = Path(__file__).parent.parent.parent
KINDS = KIT / "grader" / "kinds"
BOARDS = KIT / "boards" / "schemas"
_BELOW = "file:///"  # the address of the kit, which one schema uses to refer to another


def check(root: Block, schema: Path) -> None:
    """Raise BadFile for the first mistake in a file.

    A misspelt key comes before all other mistakes, because others often follow from it.
    """
    mistakes = [_explain(root, error) for error in validator(schema).iter_errors(root)]
    if mistakes:
        first = min(mistakes)
        raise BadFile(root.file, first.line, harmless(first.sentence, LONGEST))


@functools.cache
def validator(schema: Path) -> Draft7Validator:
    """The validator of a schema, and of the schemas to which it refers."""
    with mistakes_in(schema):
        Draft7Validator.check_schema(json.loads(schema.read_text("utf-8")))
    registry: Any = Registry(retrieve=_read)  # type: ignore[call-arg]
    return Draft7Validator(
        {"$ref": _BELOW + schema.relative_to(KIT).as_posix()}, registry=registry
    )


@functools.cache
def _read(uri: str) -> Any:
    """Read the schema at an address in the kit."""
    text = (KIT / uri.removeprefix(_BELOW)).read_text("utf-8")
    return DRAFT7.create_resource(json.loads(text))


@dataclass(frozen=True, order=True)
class _Mistake:
    """A mistake that a schema refuses.

    If a file has several mistakes, the fields of this class order them, and only the
    first is reported.
    """

    is_no_misspelt_key: bool
    line: int
    sentence: str


def _explain(root: Block, error: ValidationError) -> _Mistake:
    """Return the mistake that an error of jsonschema reports."""
    block, key, value = _place_of(root, error)
    schema: Any = error.schema
    if error.validator == "additionalProperties":
        known = schema["properties"]
        unknown = next(name for name in value if name not in known)
        hint = meant(unknown, known) or f"here are {', '.join(known)}"
        return _Mistake(False, value.lines[unknown], f"unknown key `{unknown}`; {hint}")
    if error.validator in ("required", "dependencies"):
        missing = error.message.split("'")[1]
        for near in difflib.get_close_matches(missing, value, n=1, cutoff=0.75):
            sentence = f"unknown key `{near}`; did you mean `{missing}`?"
            return _Mistake(False, value.lines[near], sentence)
        return _Mistake(True, value.line, f"`{missing}` is missing")
    line = block.lines.get(key, block.line)
    sentence = f"`{key}` is {value_in_words(value)}; {_expected(error)}"
    return _Mistake(True, line, sentence)


def _place_of(root: Block, error: ValidationError) -> tuple[Block, str, Any]:
    """Find the value that a schema refuses.

    Return the innermost block around the value, the value's key in that block, and the
    value.
    """
    block = root
    key = ""
    value: Any = root
    for step in error.absolute_path:
        if isinstance(value, Block):
            block = value
            key = str(step)
        value = value[step]
    return block, key, value


def _expected(error: ValidationError) -> str:
    """Say what a value should be, as the end of a sentence."""
    schema: Any = error.schema
    if "errorMessage" in schema:
        return str(schema["errorMessage"])
    if error.validator == "type" and schema["type"] == "string":
        return "put quotes around a text"
    if error.validator == "type":
        return f"the type here is {schema['type']}"
    if error.validator == "enum":
        return f"it is one of {', '.join(map(str, schema['enum']))}"
    return error.message
