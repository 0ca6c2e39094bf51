"""Wrong labs: the model lab with one plausible mistake each, out of wrong_labs.yaml.

Each says what to change in its function: `replace` lists texts that stand exactly once
there, and `body` is a whole new body.  In a text of several lines, the later ones are
indented as far as the line in which the first one stands.
"""

import ast
import functools
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

from boards.reading import BadFile
from staff.strict.reading import read_yaml
from staff.strict.schema import check

WRONG_LABS, SCHEMA = (
    Path(__file__).with_name(f"wrong_labs.{suffix}")
    for suffix in ("yaml", "schema.json")
)
_MARKER = re.compile(r"^ *# (?:BEGIN|END) SOLUTION\n", re.MULTILINE)
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign


@dataclass(frozen=True)
class WrongLab:
    """One mistake.  It has either replacements (pairs of old and new text) or a body.

    One that is caught `by_chance` goes by addresses in memory, or by the size of a
    stack.
    """

    id: str
    function: str
    mistake: str
    line: int
    replace: tuple[tuple[str, str], ...] = ()
    body: str = ""
    by_chance: bool = False


@functools.cache
def load_wrong_labs(file: Path = WRONG_LABS) -> tuple[WrongLab, ...]:
    """All wrong labs, in the order of the file.  Raises BadFile.

    >>> all(wrong_lab.mistake.startswith("It ") for wrong_lab in load_wrong_labs())
    True
    """
    check(root := read_yaml(file), SCHEMA)
    wrong_labs: dict[str, WrongLab] = {}
    for block in root["wrong_labs"]:
        if other := wrong_labs.get(block["id"]):
            block.fail(
                f"`{other.id}` stands in line {other.line} already; rename it", "id"
            )
        changes = tuple(
            (change["old"], change["new"]) for change in block.get("replace", ())
        )
        wrong_labs[block["id"]] = WrongLab(
            **{**block, "replace": changes, "line": block.line}
        )
    return tuple(wrong_labs.values())


@functools.cache
def build(wrong_lab: WrongLab, source: str) -> str:
    """The text of a wrong lab: `source` with the mistake in one function.

    Raises BadFile, with the wrong lab's line, if the change does not fit the source.

    >>> source = "def one(n):\\n    return n + 1\\ndef two(n):\\n    return one(one(n))\\n"
    >>> print(build(WrongLab("off", "one", "It adds 2.", 1, (("n + 1", "n + 2"),)), source), end="")
    def one(n):
        return n + 2
    def two(n):
        return one(one(n))
    """
    try:
        return _build(wrong_lab, _MARKER.sub("", source))
    except (ValueError, SyntaxError) as error:
        said = (
            f"{error.msg} in `{(error.text or '').strip()}`"
            if isinstance(error, SyntaxError)
            else str(error)
        )
        raise BadFile(WRONG_LABS, wrong_lab.line, f"{wrong_lab.id}: {said}") from None


def with_body(function: str, body: str, source: str) -> str:
    """The source with these statements as the whole body of a function, for every
    caller.

    For a class they are the body of each of its methods but `__init__`.

    >>> print(with_body("one", "return None", "def one(n):\\n    return n + 1\\n"), end="")
    def one(n):
        return None
    """
    source = _MARKER.sub("", source)
    lines = source.splitlines(keepends=True)
    for node in reversed(_functions_of(_definition(function, source))):
        indent = " " * (node.col_offset + 4)
        new = textwrap.indent(textwrap.dedent(body).strip("\n") + "\n", indent)
        lines[node.body[0].lineno - 1 : node.end_lineno] = [new]
    return "".join(lines)


def _build(wrong_lab: WrongLab, source: str) -> str:
    node, lines = (
        _definition(wrong_lab.function, source),
        source.splitlines(keepends=True),
    )
    place = slice(node.lineno - 1, node.end_lineno)
    right = "".join(lines[place])
    wrong = (
        with_body(wrong_lab.function, wrong_lab.body, right)
        if wrong_lab.body
        else right
    )
    for old, new in wrong_lab.replace:
        wrong = _replaced(wrong, old, new)
    lines[place] = [wrong]
    result = "".join(lines)
    compile(result, "lab.py", "exec")
    return result


def _definition(name: str, source: str) -> Definition:
    """The top-level function, class or (last) assignment of this name."""
    found: Definition | None = None
    for node in _parsed(source).body:
        names = [
            getattr(node, "name", None),
            *map(ast.unparse, getattr(node, "targets", ())),
        ]
        if isinstance(node, Definition) and name in names:
            found = node
    if found is None:
        raise ValueError(f"the lab defines no {name}")
    return found


@functools.lru_cache(maxsize=4)  # the model's, again and again
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def _functions_of(node: Definition) -> list[ast.FunctionDef]:
    if isinstance(node, ast.FunctionDef):
        return [node]
    if isinstance(node, ast.Assign):
        raise ValueError(f"line {node.lineno} assigns a value, and defines no function")
    methods = [inner for inner in node.body if isinstance(inner, ast.FunctionDef)]
    return [method for method in methods if method.name != "__init__"]


def _replaced(text: str, old: str, new: str) -> str:
    """The text with `new` in place of `old`, which stands there exactly once."""
    first_line = old.splitlines()[0]
    places = []
    for match in re.finditer(re.escape(first_line), text):
        line = text[text.rfind("\n", 0, match.start()) + 1 :]
        margin = "\n" + " " * (len(line) - len(line.lstrip(" ")))
        if text.startswith(old.replace("\n", margin), match.start()):
            places.append((match.start(), margin))
    if len(places) != 1:
        raise ValueError(
            f"`old` stands {len(places)} times in the function, not once: {old!r}"
        )
    start, margin = places[0]
    return (
        text[:start]
        + new.replace("\n", margin)
        + text[start + len(old.replace("\n", margin)) :]
    )
