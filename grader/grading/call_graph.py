"""The call graph of lab.py, out of its syntax tree: which names a function may come to.

It says rather too much than too little.  Code that looks names up by itself may come to any name.
"""

import ast
import functools
from collections import defaultdict

LARGEST = 1 << 18  # bytes
TOP = ""  # what stands at the top of lab.py and defines nothing: it runs at each import
_LOOK_UP = """
    globals locals vars eval exec compile getattr modules importlib inspect gc ctypes operator pickle __dict__
    __globals__ f_globals __getattribute__ __import__ __builtins__ __subclasses__
"""  # what code uses that finds other code by itself
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


def names_from(source: bytes, name: str) -> frozenset[str] | None:
    """All names that a name of lab.py leads to; None if these may be any.

    >>> source = b"LIMIT = 3\\ndef one(): two()\\ndef two(): return LIMIT\\ndef four(): globals()"
    >>> sorted(names_from(source, "one")), names_from(source, "four")
    (['LIMIT', 'one', 'two'], None)
    """
    try:
        found = _reached(source, name)
    except _UNREADABLE:
        return None
    return None if found & {*_LOOK_UP.split()} else frozenset(found - {TOP})


def code_behind(source: bytes, name: str) -> str:
    """What a name of lab.py leads to, and what stands at the top, as text without comments.

    >>> code_behind(b"def one(): two()\\ndef other(): pass\\ndef two(): pass  # nothing", "one")
    'def one():\\n    two()\\ndef two():\\n    pass'
    """
    try:
        found = _reached(source, name)
        _, statements = _graph(source)
    except _UNREADABLE:
        return source.decode("utf-8", "replace")
    return "\n".join(ast.unparse(statement) for defined, statement in statements if defined & found)


def _reached(source: bytes, name: str) -> set[str]:
    graph, _ = _graph(source)
    found, waiting = set[str](), {TOP, name}
    while waiting:
        one = waiting.pop()
        found.add(one)
        waiting |= graph.get(one, set()) - found
    return found


@functools.lru_cache(maxsize=1)
def _graph(source: bytes) -> tuple[dict[str, set[str]], list[tuple[set[str], ast.stmt]]]:
    """For each name defined at the top of lab.py, the names in its definitions; and each statement with its names.

    Raises one of _UNREADABLE.
    """
    if len(source) > LARGEST:
        raise ValueError("too large to be read")
    graph = defaultdict[str, set[str]](set)
    statements = []
    for statement in ast.parse(source).body:
        if _is_for_programs(statement):
            continue
        defined = _defined_in(statement) or {TOP}
        for name in defined:
            graph[name] |= _named_in(statement)
        statements.append((defined, statement))
    return graph, statements


def _is_for_programs(statement: ast.stmt) -> bool:
    """Whether this is `if __name__ == "__main__":`, which never runs while lab.py is graded."""
    return isinstance(statement, ast.If) and ast.unparse(statement.test).startswith("__name__ ==")


def _defined_in(statement: ast.stmt) -> set[str]:
    """The names that a statement at the top defines: a function, a class, or what an assignment names."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        return {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return set()


def _named_in(statement: ast.stmt) -> set[str]:
    """All names that stand in a statement, behind a dot too."""
    nodes = list(ast.walk(statement))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    imported = {alias.name for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}
    return names | attributes | imported
