"""Where lab.py names a method without the parentheses that would call it.

Python raises nothing at `if state.is_game_over:`, which is always true.  This module
looks at the text of lab.py, so it knows what is written there, and not whether it is a
mistake.  The kit speaks of it only if a function fails, and as a question.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from grader.protocol.words import harmless

OF_STATES = {
    "is_game_over",
    "generate_next_states",
    "get_endgame_score",
    "get_snapshot",
}
OF_BOARDS = {
    "count_pieces",
    "get_all_chains",
    "is_column_full",
    "get_column_height",
    "get_piece",
    "add_piece",
}
OF_GAMES = {
    "start",
    "get_moves",
    "do_move",
    "terminal_value",
    "moves",
    "make_move",
    "status",
}
METHODS = OF_STATES | OF_BOARDS | OF_GAMES
TAKES_FUNCTIONS = {
    "callable",
    "filter",
    "hasattr",
    "id",
    "map",
    "partial",
    "print",
    "repr",
    "str",
    "type",
}
LONGEST = 60


@dataclass(frozen=True)
class Uncalled:
    """A method that lab.py names without parentheses: the line, the words there, and
    whether they are a condition.
    """

    line: int
    words: str
    is_condition: bool


def question_about_parentheses(source: bytes, function: str) -> str:
    """A question about the first method that a function, or what it uses, does not
    call; empty if there is none.

    >>> question_about_parentheses(b"def over(board):\\n    return board.count_pieces == 42", "over")
    'Line 2 of lab.py says `board.count_pieces` without parentheses: should it be called?'
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    uncalled = sorted(_uncalled_methods(tree, function), key=lambda method: method.line)
    if not uncalled:
        return ""
    first = uncalled[0]
    always = (
        ", and a method that is not called counts as true" if first.is_condition else ""
    )
    return f"Line {first.line} of lab.py says `{first.words}` without parentheses{always}: should it be called?"


def _uncalled_methods(tree: ast.Module, function: str) -> Iterator[Uncalled]:
    """The methods that a function, or what it uses, names where only their result makes
    sense.

    A name that lab.py gives to an attribute of its own is left out.
    """
    names = METHODS - _own_names(tree)
    may_take = TAKES_FUNCTIONS | _own_functions(tree)
    for definition in _reachable(tree, function):
        for node, is_condition in _bare(definition, may_take):
            if node.attr in names:
                yield Uncalled(
                    node.lineno, harmless(ast.unparse(node), LONGEST), is_condition
                )


def _own_names(tree: ast.Module) -> set[str]:
    """The names that lab.py gives to attributes, and to methods with a decorator such
    as property.
    """
    names = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        if isinstance(node, ast.ClassDef):
            functions = [
                each for each in node.body if isinstance(each, ast.FunctionDef)
            ]
            names |= {each.name for each in functions if each.decorator_list}
            names |= {each.target.id for each in node.body if isinstance(each, ast.AnnAssign)
                      if isinstance(each.target, ast.Name)}  # fmt: skip
    return names


def _own_functions(tree: ast.Module) -> set[str]:
    """The names of all functions and classes of lab.py, which may be meant to be handed
    a method.
    """
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


def _reachable(tree: ast.Module, function: str) -> Iterator[ast.stmt]:
    """The definition of a function, and of every function and class of lab.py that its
    names lead to.
    """
    definitions = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    waiting = [function]
    for name in waiting:  # which grows
        if name in definitions:
            yield definitions[name]
            used = [
                node.id
                for node in ast.walk(definitions[name])
                if isinstance(node, ast.Name)
            ]
            waiting += [
                each
                for each in dict.fromkeys(used)
                if each in definitions and each not in waiting
            ]


def _bare(
    definition: ast.stmt, may_take: set[str]
) -> Iterator[tuple[ast.Attribute, bool]]:
    """Every method that stands where only its result makes sense, and whether it stands
    there as a condition.

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
        case (
            ast.If(test=test)
            | ast.While(test=test)
            | ast.IfExp(test=test)
            | ast.Assert(test=test)
        ):
            return [test]
        case ast.BoolOp(values=values):
            return values
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand]
        case ast.comprehension(ifs=ifs):
            return ifs
    return []


def _values(node: ast.AST, may_take: set[str]) -> list[ast.expr]:
    """The parts of a node that are used as a value: counted with, compared, looped
    over, handed on or returned.
    """
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
