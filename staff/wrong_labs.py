"""Wrong labs: the model lab with one plausible mistake each, out of wrong_labs.yaml.

It says what to change in its function: `replace` lists texts that stand exactly once in the
code (docstrings do not count), and `body` is a whole new body.  In a text of several lines, the
second and later ones are indented as far as the line in which the first one stands.
"""

import ast
import functools
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

from staff.strict.reading import read_yaml
from staff.strict.schema import check

WRONG_LABS, SCHEMA = (Path(__file__).with_name(f"wrong_labs.{suffix}") for suffix in ("yaml", "schema.json"))
_MARKER = re.compile(r"^ *# (?:BEGIN|END) SOLUTION\n", re.MULTILINE)
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign


@dataclass(frozen=True)
class WrongLab:
    """One mistake.  It has either replacements (pairs of old and new text) or a body.

    One that is caught `by_chance` goes by addresses in memory, or by the size of a stack.
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
            block.fail(f"`{other.id}` stands in line {other.line} already; rename it", "id")
        changes = tuple((change["old"], change["new"]) for change in block.get("replace", ()))
        wrong_labs[block["id"]] = WrongLab(**{**block, "replace": changes, "line": block.line})
    return tuple(wrong_labs.values())


@functools.cache
def build(wrong_lab: WrongLab, source: str) -> str:
    """The text of a wrong lab: `source` with the mistake in one function.

    Raises ValueError, with the wrong lab's line, where the change does not fit the source.

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
        said = f"{error.msg} in `{(error.text or '').strip()}`" if isinstance(error, SyntaxError) else str(error)
        raise ValueError(f"staff/wrong_labs.yaml:{wrong_lab.line}: {wrong_lab.id}: {said}") from None


def with_body(function: str, body: str, source: str) -> str:
    """The source with these statements as the whole body of a function, for every caller.

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
    before, own, after = _cut(source, _definition(wrong_lab.function, source))
    bare = _without_docstrings(own)
    wrong = with_body(wrong_lab.function, wrong_lab.body, bare) if wrong_lab.body else bare
    for old, new in wrong_lab.replace:
        wrong = _replaced(wrong, old, new)
    if ast.dump(ast.parse(wrong)) == ast.dump(ast.parse(bare)):
        raise ValueError("it changes nothing")
    result = before + wrong + after
    compile(result, "lab.py", "exec")
    return result


def _definition(name: str, source: str) -> Definition:
    """The top-level function, class or (last) assignment of this name."""
    found: Definition | None = None
    for node in _parsed(source).body:
        names = [getattr(node, "name", None), *map(ast.unparse, getattr(node, "targets", ()))]
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


def _without_docstrings(source: str) -> str:
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            for number in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1):
                lines[number - 1] = ""
    return "".join(lines)


def _cut(source: str, node: Definition) -> tuple[str, str, str]:
    """What stands before a definition, the definition, and what stands after it."""
    lines = source.splitlines(keepends=True)
    first, end = node.lineno - 1, node.end_lineno
    return "".join(lines[:first]), "".join(lines[first:end]), "".join(lines[end:])


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
        raise ValueError(f"`old` stands {len(places)} times in the function, not once: {old!r}")
    start, margin = places[0]
    return text[:start] + new.replace("\n", margin) + text[start + len(old.replace("\n", margin)) :]
