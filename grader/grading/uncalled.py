"""Finds where lab.py names a method without the parentheses that would call the method.

Python raises no error for `if state.is_game_over:`, which is always true.  This module
only looks at the text of lab.py, so it cannot know whether such a place is a mistake.
The kit mentions the place only if a function fails, and as a question.
"""

import ast
from collections.abc import Iterator

from grader.protocol.text import harmless

OF_STATES = "is_game_over generate_next_states get_endgame_score get_snapshot"
OF_BOARDS = (
    "count_pieces get_all_chains is_column_full get_column_height get_piece add_piece"
)
OF_GAMES = "start get_moves do_move terminal_value moves make_move status"
METHODS = {*OF_STATES.split(), *OF_BOARDS.split(), *OF_GAMES.split()}
# Functions of Python to which code may pass a method, instead of the result of the
# method.
OF_PYTHON = "callable filter hasattr id map partial print repr str type"
TAKES_FUNCTIONS = set(OF_PYTHON.split())
LONGEST = 60  # characters of the code that is quoted


def question_about_parentheses(source: bytes, function: str) -> str:
    """Return a question about the first method that a function names and does not call.

    The functions that this function uses are searched too.  The question is empty if
    there is no such method, or if Python cannot read lab.py.

    >>> code = b"def over(board):\\n    return board.count_pieces == 42"
    >>> question_about_parentheses(code, "over")
    'Line 2 of lab.py says `board.count_pieces` without parentheses: should it be called?'
    """  # noqa: E501
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    uncalled = list(_uncalled_methods(tree, function))
    if not uncalled:
        return ""
    method, is_condition = min(uncalled, key=lambda pair: pair[0].lineno)
    words = harmless(ast.unparse(method), LONGEST)
    says = f"Line {method.lineno} of lab.py says `{words}` without parentheses"
    if is_condition:
        says += ", and a method that is not called counts as true"
    return f"{says}: should it be called?"


def _uncalled_methods(
    tree: ast.Module, function: str
) -> Iterator[tuple[ast.Attribute, bool]]:
    """Yield each place where lab.py names a method without calling it, although only
    the result of a call would make sense there.

    A bool comes with each place: whether Python uses the method as a condition.  The
    search goes through the function, and through all that the function uses.  If lab.py
    itself uses the name of a method for an attribute, that name is left out.
    """
    names = METHODS - _own_names(tree)
    may_take = TAKES_FUNCTIONS | _own_functions(tree)
    for definition in _reachable(tree, function):
        for node in ast.walk(definition):
            conditions = _conditions(node)
            for part in [*conditions, *_values(node, may_take)]:
                if isinstance(part, ast.Attribute) and part.attr in names:
                    yield part, part in conditions


def _own_names(tree: ast.Module) -> set[str]:
    """Return the names that lab.py itself uses for attributes, or for methods that have
    a decorator.

    A decorator such as @property may make it right to leave out the parentheses.
    """
    names = set[str]()
    for node in ast.walk(tree):
        match node:
            case (
                ast.Attribute(attr=name, ctx=ast.Store())
                | ast.FunctionDef(name=name, decorator_list=[_, *_])
                | ast.AnnAssign(target=ast.Name(id=name))
            ):
                names.add(name)
    return names


def _own_functions(tree: ast.Module) -> set[str]:
    """Return the names of all functions and classes of lab.py.

    Each of them may take a method as an argument, and call that method itself.
    """
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


def _reachable(tree: ast.Module, function: str) -> Iterator[ast.stmt]:
    """Yield the definition of a function, and of every function and class of lab.py
    that it uses.

    A definition counts as used if another definition that is yielded mentions its name.
    """
    definitions = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    reached = [function]
    for name in reached:  # the loop appends to this list
        if name in definitions:
            yield definitions[name]
            for node in ast.walk(definitions[name]):
                if isinstance(node, ast.Name) and node.id not in reached:
                    reached.append(node.id)


def _conditions(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a syntax node that Python uses as conditions."""
    match node:
        case ast.If() | ast.While() | ast.IfExp() | ast.Assert():
            return [node.test]
        case ast.BoolOp(values=conditions) | ast.comprehension(ifs=conditions):
            return [*conditions]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand]
    return []


def _values(node: ast.AST, may_take: set[str]) -> list[ast.AST]:
    """Return the parts of a syntax node whose values Python uses, such as an argument
    of a call or a side of a comparison.

    The arguments of a call are left out if `may_take` has the name of the called
    function.
    """
    match node:
        case ast.For() | ast.comprehension():
            return [node.iter]
        case ast.Call(func=func, args=arguments):
            name = ast.unparse(func).rpartition(".")[2]
            return [] if name in may_take else [*arguments]
        case ast.Compare() | ast.BinOp() | ast.Return() | ast.Tuple() | ast.List():
            return [*ast.iter_child_nodes(node)]
    return []
