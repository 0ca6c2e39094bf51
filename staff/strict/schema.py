"""Checks what a file holds against its JSON schema; the first mistake is a sentence with file, line and what to do.

A schema says what is wanted in `errorMessage`, which editors show too.  It is the end of a sentence:
`is a whole number of 1 or more`, or `it is 0 or more` after what stands there.  With a `title`, an
enumeration is of things that have a name.
"""

import difflib
import functools
import json
import math
from collections.abc import Collection
from pathlib import Path
from typing import Any, cast

from jsonschema import Draft7Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT7

from boards.reading import BadFile
from grader.protocol.words import harmless
from staff.strict.reading import ADVICE, LONGEST, NOTHING, Block, meant, mistakes_in, shown, unknown_key

KIT = Path(__file__).parent.parent.parent
KINDS, BOARDS = KIT / "grader" / "kinds", KIT / "boards" / "schemas"
_BELOW = "file:///"
_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "array": list, "object": Block}

# As YAML has it: 1.0 is no whole number, and what is no finite number is none at all.
_numbers = Draft7Validator.TYPE_CHECKER.redefine_many(
    {
        "integer": lambda _, value: type(value) is int,
        "number": lambda _, value: type(value) is int or (type(value) is float and math.isfinite(value)),
    }
)
_Validator: Any = extend(  # type: ignore[no-untyped-call]
    Draft7Validator, type_checker=_numbers
)


def check(root: Block, schema: Path, left_out: Collection[str] = ()) -> None:
    """Raise BadFile for the first thing in a file that its schema refuses.

    `left_out` has the keys whose `anyOf` is left to whoever can say more of it.
    """
    found = [
        _explain(root, error)
        for error in validator(schema).iter_errors(root)
        if not (error.validator == "anyOf" and error.absolute_path[-1] in left_out)
    ]
    if found:
        _, line, said = min(found, key=lambda mistake: mistake[:2])
        raise BadFile(root.file, line, harmless(said, LONGEST))


@functools.cache
def validator(schema: Path) -> Any:
    """What checks against a schema, with those beside it that it refers to."""
    with mistakes_in(schema):
        Draft7Validator.check_schema(read_schema(schema))
    uri = _BELOW + schema.relative_to(KIT).as_posix()
    return _Validator({"$ref": uri}, registry=Registry(retrieve=_read))  # type: ignore[call-arg]


@functools.cache
def _read(uri: str) -> Any:
    schema = read_schema(KIT / uri.removeprefix(_BELOW))
    del schema["$schema"]  # else jsonschema goes on with its own idea of a number
    return DRAFT7.create_resource(schema)


def read_schema(file: Path) -> Any:
    """What a schema says."""
    return json.loads(file.read_text("utf-8"))


def _explain(root: Block, error: ValidationError) -> tuple[bool, int, str]:
    """Whether a mistake is another than a misspelt key, which comes first; its line, and a sentence about it."""
    block, key = root, ""
    value: Any = root
    path = list(error.absolute_path)
    for step in path:
        if isinstance(value, Block):
            block, key = value, str(step)
        value = value[step]
    if isinstance(value, Block) and error.validator in ("required", "dependencies", "additionalProperties"):
        return error.validator != "additionalProperties", *_of_keys(value, error)
    in_list = bool(path) and isinstance(path[-1], int)
    return True, block.lines.get(key, block.line), _sentence(key, "holds" if in_list else "is", value, error)


def _of_keys(block: Block, error: ValidationError) -> tuple[int, str]:
    """What is said of keys that are missing, and of those that nobody knows."""
    if error.validator == "additionalProperties":
        known = error.schema["properties"]  # type: ignore[index]
        key = next(key for key in block if key not in known)
        if "calls" in block and not meant(key, known):
            return block.lines[key], f"`{key}` has no place beside `calls`; write it into each of them"
        return block.lines[key], unknown_key(key, known)
    wanted: Any = error.validator_value
    if error.validator == "dependencies":
        wanted = [one for key in wanted.keys() & block.keys() for one in wanted[key]]
    missing = next(key for key in wanted if key not in block)
    for near in difflib.get_close_matches(missing, [key for key in block if key not in wanted], n=1, cutoff=0.75):
        return block.lines[near], unknown_key(near, [missing])
    return block.line, f"`{missing}` is missing"


def _sentence(key: str, verb: str, value: Any, error: ValidationError) -> str:
    schema, expected = cast(Any, error.schema), cast(Any, error.validator_value)
    said = schema.get("errorMessage", "")
    if error.validator == "not":
        return f"`{key}` {said}"
    if error.validator == "enum" and "title" in schema:
        known = [str(one) for one in expected]
        return f"no {schema['title']} `{value}`; {meant(value, known) or said or 'there are ' + ', '.join(known)}"
    if error.validator == "enum" and not said:
        said = f"it is one of {', '.join(expected)}"
    if error.validator == "type" and (not said or expected not in ("array", "object")):
        said = NOTHING if value is None and expected == "string" else ADVICE[_TYPES[expected]]
    if said.startswith("is "):
        return f"`{key}` {said}, not {shown(value)}"
    written = value if isinstance(value, str) and "\n" not in value and error.validator == "enum" else shown(value)
    return f"`{key}` {verb} {written}; {said or error.message}"
