"""The call graph of lab.py, from its syntax tree: which names a function may reach.

In doubt, the graph has too many names.  If code looks up names while it runs, for
example with globals(), it may reach any name.
"""

import ast
import functools
from collections import defaultdict

LARGEST = 1 << 18  # bytes
TOP = ""  # the name of a statement that defines no name, and that runs at each import
_LOOK_UP = """
    globals locals vars eval exec compile getattr modules importlib inspect gc ctypes
    operator pickle __dict__ __globals__ f_globals __getattribute__ __import__
    __builtins__ __subclasses__
"""  # code uses these names to look up other code by itself


def names_from(source: bytes, name: str) -> set[str] | None:
    """Return all names that a name of lab.py may reach.

    Return None if the name may reach any name.  Also return None if lab.py is too large
    or cannot be parsed.

    >>> source = b"def one(): two()\\ndef two(): return LIMIT\\ndef four(): globals()"
    >>> sorted(names_from(source, "one") - {TOP}), names_from(source, "four")
    (['LIMIT', 'one', 'two'], None)
    """
    try:
        names = reached(source, name)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if names.isdisjoint(_LOOK_UP.split()):
        return names
    return None


def reached(source: bytes, name: str) -> set[str]:
    """Return every name that a name of lab.py may reach, directly or through other
    names.

    The result has the name itself, the names in its definitions, the names in the
    definitions of those names, and so on.  Some statements at the top level define no
    name, but run at each import.  The names that these statements reach are in the
    result too.  Raises ValueError if lab.py is too large, and the exceptions of
    `ast.parse`.
    """
    graph = _graph(source)
    names: set[str] = set()
    waiting = {TOP, name}
    while waiting:
        next_name = waiting.pop()
        names.add(next_name)
        waiting |= graph.get(next_name, set()) - names
    return names


@functools.lru_cache(maxsize=1)
def _graph(source: bytes) -> dict[str, set[str]]:
    """Map each name that lab.py defines at its top level to the names in its
    definitions.
    """
    if len(source) > LARGEST:
        raise ValueError("too large to be read")
    graph = defaultdict[str, set[str]](set)
    for defined, statement in definitions(source):
        for name in defined:
            graph[name] |= _named_in(statement)
    return graph


def definitions(source: bytes) -> list[tuple[set[str], ast.stmt]]:
    """Return the statements at the top level of lab.py, each with the names that it
    defines.

    A statement that defines no name has the name TOP.  `if __name__ == "__main__":` is
    left out, because it never runs while lab.py is graded.
    """
    statements = []
    for statement in ast.parse(source).body:
        is_for_programs = isinstance(statement, ast.If) and ast.unparse(
            statement.test
        ).startswith("__name__ ==")
        if not is_for_programs:
            statements.append((_defined_in(statement) or {TOP}, statement))
    return statements


def _defined_in(statement: ast.stmt) -> set[str]:
    """Return the names that a statement defines.

    The set is empty unless the statement is a `def`, a `class` or an assignment with
    `=`.
    """
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        return {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return set()


def _named_in(statement: ast.stmt) -> set[str]:
    """Return all names in a statement, including the names after a dot."""
    names = set[str]()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                names.add(name)
    return names
