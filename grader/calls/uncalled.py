"""In the worker: where lab.py names a method of a state without the brackets that would call it.

Python raises nothing at `if state.is_game_over:`, which is always true.  This looks at the text of lab.py, so it knows
what is written there, and not whether it is a mistake: it is only told of a function that fails, and as a question.
"""

import ast
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

METHODS = {"is_game_over", "generate_next_states", "get_endgame_score", "get_snapshot"}
TAKES_FUNCTIONS = {"callable", "filter", "hasattr", "id", "map", "partial", "print", "repr", "str", "type"}
MOST_TOLD, LONGEST = 3, 60


def uncalled_methods(lab: str, function: str) -> list[dict[str, Any]]:
    """The methods that a function, or what it uses, names where only their result makes sense, in order of their lines.

    Nothing is said of a name that lab.py gives to an attribute of its own.
    """
    with contextlib.suppress(Exception):  # whatever a file holds by now
        tree = ast.parse(Path(lab).read_bytes())
        names = METHODS - _own_names(tree)
        may_take = TAKES_FUNCTIONS | _own_functions(tree)
        bare = [each for node in _reachable(tree, function) for each in _bare(node, may_take) if each[0].attr in names]
        told = {(node.lineno, ast.unparse(node)[:LONGEST]): is_condition for node, is_condition in bare}
        lines = sorted(told.items())[:MOST_TOLD]
        return [{"line": line, "words": words, "is_condition": said} for (line, words), said in lines]
    return []


def _own_names(tree: ast.Module) -> set[str]:
    """The names of attributes and methods that lab.py defines itself."""
    names = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        if isinstance(node, ast.ClassDef):
            names |= {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            names |= {each.target.id for each in node.body if isinstance(each, ast.AnnAssign)
                      if isinstance(each.target, ast.Name)}  # fmt: skip
    return names


def _own_functions(tree: ast.Module) -> set[str]:
    """The names of all functions and classes of lab.py, which may be meant to be handed a method."""
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def _reachable(tree: ast.Module, function: str) -> Iterator[ast.stmt]:
    """The definition of a function, and of every function and class of lab.py that its names lead to."""
    definitions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    waiting = [function]
    for name in waiting:  # which grows
        if name in definitions:
            yield definitions[name]
            used = [node.id for node in ast.walk(definitions[name]) if isinstance(node, ast.Name)]
            waiting += [each for each in dict.fromkeys(used) if each in definitions and each not in waiting]


def _bare(definition: ast.stmt, may_take: set[str]) -> Iterator[tuple[ast.Attribute, bool]]:
    """Every method that stands where only its result makes sense, and whether it stands there as a condition.

    The functions of these names `may_take` a method.
    """
    for node in ast.walk(definition):
        for part in _conditions(node):
            if isinstance(part, ast.Attribute):
                yield part, True
        for part in _values(node, may_take):
            if isinstance(part, ast.Attribute):
                yield part, False


def _conditions(node: ast.AST) -> list[ast.expr]:
    """The parts of a node that Python asks whether they are true."""
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return [test]
        case ast.BoolOp(values=values):
            return values
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand]
        case ast.comprehension(ifs=ifs):
            return ifs
    return []


def _values(node: ast.AST, may_take: set[str]) -> list[ast.expr]:
    """The parts of a node that are used as a value: counted with, compared, looped over, handed on or returned."""
    match node:
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.For(iter=source) | ast.comprehension(iter=source):
            return [source]
        case ast.Return(value=ast.expr() as value):
            return [value]
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return parts
        case ast.Call(func=func, args=arguments):
            name = ast.unparse(func).rpartition(".")[2]
            return [] if name in may_take else arguments
    return []
