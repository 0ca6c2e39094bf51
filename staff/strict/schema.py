"""Checks what a file holds against its JSON schema; the first mistake is a line with
file, line and what to do.

A schema says what is expected in `errorMessage`, which editors show too: the end of a
sentence, such as `it is a whole number of 1 or more`.
"""

import difflib
import functools
import json
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator, ValidationError
from referencing import Registry
from referencing.jsonschema import DRAFT7

from boards.reading import BadFile
from grader.protocol.words import harmless
from staff.strict.reading import LONGEST, Block, meant, mistakes_in, value_in_words

KIT = Path(__file__).parent.parent.parent
KINDS, BOARDS = KIT / "grader" / "kinds", KIT / "boards" / "schemas"
_BELOW = "file:///"


def check(root: Block, schema: Path) -> None:
    """Raise BadFile for the first thing in a file that its schema refuses."""
    mistakes = [_explain(root, error) for error in validator(schema).iter_errors(root)]
    if mistakes:
        _, line, sentence = min(mistakes)
        raise BadFile(root.file, line, harmless(sentence, LONGEST))


@functools.cache
def validator(schema: Path) -> Draft7Validator:
    """What checks against a schema, with those beside it that it refers to."""
    with mistakes_in(schema):
        Draft7Validator.check_schema(json.loads(schema.read_text("utf-8")))
    registry: Any = Registry(retrieve=_read)  # type: ignore[call-arg]
    return Draft7Validator(
        {"$ref": _BELOW + schema.relative_to(KIT).as_posix()}, registry=registry
    )


@functools.cache
def _read(uri: str) -> Any:
    return DRAFT7.create_resource(
        json.loads((KIT / uri.removeprefix(_BELOW)).read_text("utf-8"))
    )


def _explain(root: Block, error: ValidationError) -> tuple[bool, int, str]:
    """Whether a mistake is another than a misspelt key, which comes first; its line,
    and a sentence about it.
    """
    block, key, value = root, "", root
    schema: Any = error.schema
    for step in error.absolute_path:
        if isinstance(value, Block):
            block, key = value, str(step)
        value = value[step]  # type: ignore[index]
    if error.validator == "additionalProperties":
        key, known = (
            next(key for key in value if key not in schema["properties"]),
            schema["properties"],
        )
        return (
            False,
            value.lines[key],
            f"unknown key `{key}`; {meant(key, known) or 'here are ' + ', '.join(known)}",
        )
    if error.validator in ("required", "dependencies"):
        missing = error.message.split("'")[1]
        for near in difflib.get_close_matches(missing, value, n=1, cutoff=0.75):
            return (
                False,
                value.lines[near],
                f"unknown key `{near}`; did you mean `{missing}`?",
            )
        return True, value.line, f"`{missing}` is missing"
    said = schema.get("errorMessage")
    if error.validator == "type" and not said:
        said = (
            "put quotes around a text"
            if schema["type"] == "string"
            else f"the type here is {schema['type']}"
        )
    if error.validator == "enum" and not said:
        said = f"it is one of {', '.join(map(str, schema['enum']))}"
    return (
        True,
        block.lines.get(key, block.line),
        f"`{key}` is {value_in_words(value)}; {said or error.message}",
    )
