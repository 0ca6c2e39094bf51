"""What a function of lab.py may come to by its text: never less than what it calls."""

import time

import pytest

from grader.grading.mentions import begins_in, code_behind, named_from

WAYS = {
    "itself": "def f(): g()",
    "a helper": "def f(): h()\ndef h(): g()",
    "a default": "def f(search=g): search()",
    "a header of several lines": "def f(\n    a,\n) -> int:\n    return g()",
    "a decorator": "@g\ndef f(): pass",
    "what is decorated": "@register\ndef h(): g()\ndef f(): REGISTERED[0]()",
    "a name at the top": "both = [lambda: g()]\ndef f(): both[0]()",
    "what stands below an if": "if True:\n    def f(): g()",
    "a method": "class A:\n    def run(self): g()\ndef f(it): it.run()",
    "an object": "class A:\n    def __call__(self): g()\na = A()\ndef f(): a()",
    "a patch at the top": "State.over = lambda self: g()\ndef f(state): state.over()",
    "a name in other letters": "def f(): \uff47()",
    "a form feed": "def h(): pass\n\fdef f(): g()",
    "carriage returns": "def h(): pass\rdef f(): g()",
    "an f-string": "def f(): return f'{g()}'",
    "an f-string of three quotes": 'def f(): return f"""{g()}"""\ndef h():\n    """No."""',
    "after quotes in quotes": 'def f():\n    a = \'"""\'\n    g()\n    return \'"""\'',
    "after quotes in a comment": 'def f():\n    a = 1  # """\n    g()\n    b = 1  # """',
    "after a quote in a text": "def f():\n    '''It's \\''' no end'''\n    g()\n    '''end'''",
    "a text": "def f(): return lab['g']",
}
NOT_BY_NAME = {
    "globals": "def f(): globals()['g' + '']()",
    "a helper that asks": "def f(): h()\ndef h(): sys.modules['lab'].__dict__['g']()",
}
NO_WAYS = {
    "a docstring": 'def f():\n    """As g."""',
    "a comment": "def f():\n    # as g does\n    pass",
    "another function": "def h(): g()\ndef f(): pass",
    "what is never run": 'def f(): pass\nif __name__ == "__main__":\n    g()',
}


LARGE = {
    "functions in a chain": "".join(f"def f{number}(): f{number + 1}()\n" for number in range(20_000)),
    "statements": "".join(f"a{number}\n" for number in range(100_000)),
    "methods in a class": "class A:\n" + "".join(f" def m{number}(self): 1\n" for number in range(20_000)),
    "a text without an end": "f" + "'''\\" * 200_000,
    "texts without an end": "a = '\\\n" * 100_000,
}


@pytest.mark.parametrize("source", LARGE.values(), ids=LARGE)
def test_a_large_file_takes_no_longer_than_its_length_asks_for(source: str) -> None:
    started = time.process_time()
    named_from(b"def f(): pass\n" * 10_000, ["f0"])
    unit = time.process_time() - started
    named_from(source.encode(), ["f0", "m0"])
    assert time.process_time() - started < 500 * unit


@pytest.mark.parametrize("source", WAYS.values(), ids=WAYS)
def test_what_a_function_comes_to(source: str) -> None:
    found = named_from(source.encode(), ["f"])
    assert found is not None
    assert "g" in found


@pytest.mark.parametrize("source", NOT_BY_NAME.values(), ids=NOT_BY_NAME)
def test_what_may_be_anything(source: str) -> None:
    assert named_from(source.encode(), ["f"]) is None


@pytest.mark.parametrize("source", NO_WAYS.values(), ids=NO_WAYS)
def test_what_it_does_not_come_to(source: str) -> None:
    found = named_from(source.encode(), ["f"])
    assert found is not None
    assert "g" not in found


def test_what_stands_behind_a_name_changes_with_what_it_comes_to() -> None:
    source = b"import os\ndef f(): return g()\ndef g(): return X\nX = 1\ndef h(): pass\n"
    changed = {name: code_behind(source.replace(b"h(): pass", b"h(): g()"), name) for name in "fgh"}
    assert [name for name in "fgh" if changed[name] != code_behind(source, name)] == ["h"]
    changed = {name: code_behind(source.replace(b"return X", b"return -X"), name) for name in "fgh"}
    assert [name for name in "fgh" if changed[name] != code_behind(source, name)] == ["f", "g"]
    changed = {name: code_behind(source.replace(b"import os", b"import re"), name) for name in "fgh"}
    assert [name for name in "fgh" if changed[name] != code_behind(source, name)] == ["f", "g", "h"]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("def one(): pass\r\n\r\n\r\nasync def one(): pass\r\n", [1, 4]),
        ("\ufeffclass one: pass\none = 3\nclass one(one): pass", [1, 3]),
        ("def one():\n    def one(): pass\nif True:\n    def one(): pass", [1]),
        ("'''\ndef one(): pass\n'''\n# '''\ndef one(): pass\nf'''\ndef one(): pass\n'''", [5]),
        ("def one_more(): pass\nnone = 'def one():'\nundef = one", []),
    ],
)
def test_where_a_name_is_defined(source: str, lines: list[int]) -> None:
    assert begins_in(source.encode()).get("one", []) == lines
