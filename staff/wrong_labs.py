"""Wrong labs: copies of the model solution, each with one plausible mistake.

submissions/wrong_labs.yaml lists them.  Each wrong lab changes one function.  `replace`
is a list of pairs: an old text, which is in the function exactly once, and the new text
for it.  `body` is a new body for the whole function.  If a text of `replace` has
several lines, this module indents the later lines as far as the line of lab.py in which
the text begins.
"""

import ast
import functools
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

from boards.reading import BadFile
from staff.strict.reading import read_block
from staff.strict.schema import check

SUBMISSIONS = Path(__file__).with_name("submissions")
WRONG_LABS = SUBMISSIONS / "wrong_labs.yaml"
SCHEMA = SUBMISSIONS / "wrong_labs.schema.json"
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign
_MARKER = re.compile(r"^ *# (?:BEGIN|END) SOLUTION\n", re.MULTILINE)


@dataclass(frozen=True)
class WrongLab:
    """A submission with one mistake in one function.  It has replacements or a new
    body.
    """

    id: str
    function: str  # the function that the mistake is in
    mistake: str  # a sentence that a student may read
    line: int  # the line in wrong_labs.yaml
    replace: tuple[tuple[str, str], ...] = ()  # pairs of old and new text
    body: str = ""  # the new statements of the function
    by_chance: bool = False
    """Whether the mistake depends on addresses in memory, or on the size of a stack."""


@functools.cache
def load_wrong_labs(file: Path = WRONG_LABS) -> tuple[WrongLab, ...]:
    """Read all wrong labs, in the order of the file.  Raises BadFile."""
    root = read_block(file)
    check(root, SCHEMA)
    wrong_labs: dict[str, WrongLab] = {}
    for block in root["wrong_labs"]:
        earlier = wrong_labs.get(block["id"])
        if earlier:
            block.fail(
                f"`{earlier.id}` is in line {earlier.line} already; rename it", "id"
            )
        changes = [
            (change["old"], change["new"]) for change in block.get("replace", ())
        ]
        fields = {**block, "replace": tuple(changes), "line": block.line}
        wrong_labs[block["id"]] = WrongLab(**fields)
    return tuple(wrong_labs.values())


@functools.cache
def build(wrong_lab: WrongLab, source: str) -> str:
    """Make the text of a wrong lab: `source` with the mistake in one function.

    The markers of solutions are removed.  Raises BadFile if the change does not fit the
    source.

    >>> source = "def add(n):\\n    return n + 1\\nprint(add(3) + 1)\\n"
    >>> off = WrongLab("off", "add", "It adds 2.", 1, replace=(("n + 1", "n + 2"),))
    >>> print(build(off, source), end="")
    def add(n):
        return n + 2
    print(add(3) + 1)
    """
    try:
        return _build(wrong_lab, _MARKER.sub("", source))
    except SyntaxError as error:
        problem = f"{error.msg} in `{(error.text or '').strip()}`"
    except ValueError as error:
        problem = str(error)
    raise BadFile(WRONG_LABS, wrong_lab.line, f"{wrong_lab.id}: {problem}")


def with_body(function: str, body: str, source: str) -> str:
    """Give a function in the source a new body, and return the new source.

    If `function` names a class, every method except `__init__` gets this body.  Raises
    ValueError if the source defines no such function or class.

    >>> source = "def add(n):\\n    return n + 1\\n"
    >>> print(with_body("add", "return None", source), end="")
    def add(n):
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
    """Make the text of a wrong lab, from a source without markers of solutions.

    Raises ValueError if the change does not fit, and SyntaxError if the text is not
    Python.
    """
    node = _definition(wrong_lab.function, source)
    lines = source.splitlines(keepends=True)
    place = slice(node.lineno - 1, node.end_lineno)
    text = "".join(lines[place])
    if wrong_lab.body:
        text = with_body(wrong_lab.function, wrong_lab.body, text)
    for old, new in wrong_lab.replace:
        text = _replaced(text, old, new)
    lines[place] = [text]
    result = "".join(lines)
    compile(result, "lab.py", "exec")
    return result


def _definition(name: str, source: str) -> Definition:
    """Return the last definition of a name at the top level of the source.

    It is a function, a class or an assignment.  Raises ValueError if there is none.
    """
    last: Definition | None = None
    for node in _parsed(source).body:
        targets = getattr(node, "targets", ())
        names = [getattr(node, "name", None), *map(ast.unparse, targets)]
        if isinstance(node, Definition) and name in names:
            last = node
    if last is None:
        raise ValueError(f"the lab defines no {name}")
    return last


@functools.lru_cache(maxsize=4)  # most wrong labs are made of the same model solution
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def _functions_of(node: Definition) -> list[ast.FunctionDef]:
    """Return the functions that a definition contains.

    These are the methods of a class, except `__init__`.  For a function, it is the
    function itself.  Raises ValueError for an assignment.
    """
    if isinstance(node, ast.FunctionDef):
        return [node]
    if isinstance(node, ast.Assign):
        raise ValueError(f"line {node.lineno} assigns a value, and defines no function")
    methods = [inner for inner in node.body if isinstance(inner, ast.FunctionDef)]
    return [method for method in methods if method.name != "__init__"]


def _replaced(text: str, old: str, new: str) -> str:
    """Return a text in which `new` has replaced `old`.

    Raises ValueError unless `old` is in the text exactly once.
    """
    first_line = old.splitlines()[0]
    places = []
    for match in re.finditer(re.escape(first_line), text):
        line = text[text.rfind("\n", 0, match.start()) + 1 :]
        margin = "\n" + " " * (len(line) - len(line.lstrip(" ")))
        if text.startswith(old.replace("\n", margin), match.start()):
            places.append((match.start(), margin))
    if len(places) != 1:
        raise ValueError(
            f"`old` is in the function {len(places)} times, not once: {old!r}"
        )
    start, margin = places[0]
    end = start + len(old.replace("\n", margin))
    return text[:start] + new.replace("\n", margin) + text[end:]
