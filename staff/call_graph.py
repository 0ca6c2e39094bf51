"""The call graph of lab.py, out of its syntax tree: which names a function may come to.

It says rather too much than too little.  Code that looks names up by itself may come to
any name.
"""

import ast
import functools
from collections import defaultdict

LARGEST = 1 << 18  # bytes
TOP = ""  # the name of a statement that defines none: it runs at each import
_LOOK_UP = """
    globals locals vars eval exec compile getattr modules importlib inspect gc ctypes operator pickle __dict__
    __globals__ f_globals __getattribute__ __import__ __builtins__ __subclasses__
"""  # what code uses that finds other code by itself


def names_from(source: bytes, name: str) -> set[str] | None:
    """All names that a name of lab.py leads to; None if these may be any.

    >>> source = b"LIMIT = 3\\ndef one(): two()\\ndef two(): return LIMIT\\ndef four(): globals()"
    >>> sorted(names_from(source, "one") - {TOP}), names_from(source, "four")
    (['LIMIT', 'one', 'two'], None)
    """
    try:
        names = reached(source, name)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return names if names.isdisjoint(_LOOK_UP.split()) else None


def reached(source: bytes, name: str) -> set[str]:
    """The names that stand in the definitions of a name and of what these lead to.

    Raises ValueError if lab.py is large, and what `ast.parse` raises.
    """
    graph = _graph(source)
    names, waiting = set[str](), {TOP, name}
    while waiting:
        one = waiting.pop()
        names.add(one)
        waiting |= graph.get(one, set()) - names
    return names


@functools.lru_cache(maxsize=1)
def _graph(source: bytes) -> dict[str, set[str]]:
    """For each name that lab.py defines at its top, the names in its definitions."""
    if len(source) > LARGEST:
        raise ValueError("too large to be read")
    graph = defaultdict[str, set[str]](set)
    for defined, statement in definitions(source):
        for name in defined:
            graph[name] |= _named_in(statement)
    return graph


def definitions(source: bytes) -> list[tuple[set[str], ast.stmt]]:
    """The statements at the top of lab.py, each with the names that it defines, or with
    TOP.

    `if __name__ == "__main__":` is left out: it never runs while lab.py is graded.
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
    """The names that a statement defines: a function, a class, or what an assignment
    names.
    """
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        return {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return set()


def _named_in(statement: ast.stmt) -> set[str]:
    """All names that stand in a statement, behind a dot too."""
    names = set[str]()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                names.add(name)
    return names
