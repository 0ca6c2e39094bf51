"""Code that is plain: no room breaks a rule of staff/plain_code.py more often than its
table allows.
"""

from pathlib import Path

import pytest

from staff import plain_code, tokens

PLAIN = """
numbers = [number for row in rows for number in row]
parts = value if value else []
for part in parts:
    count += 1 if part else 0
    count += part or 0
    is_odd = (part > 1) & (part < 3)
total = sum(part is None for part in parts)
"""
BROKEN = [
    (plain_code.HEADER, "for part in parts if parts else ():\n    print(part)"),
    (plain_code.HEADER, "lines = [part for part in (parts if parts else ())]"),
    (plain_code.NESTED, "sign = 1 if n > 0 else -1 if n < 0 else 0"),
    (plain_code.NESTED, "text = shown(a if b else c) if d else ''"),
    (
        plain_code.FORS,
        "cells = [cell for table in tables for row in table for cell in row]",
    ),
    (
        plain_code.FORS,
        "cells = [[[cell] for cell in row if cell] for row in rows if [each for each in row]]",
    ),
    (plain_code.ARITHMETIC, "count = 1 + (part is None)"),
    (plain_code.ARITHMETIC, "count += part > 1"),
    (plain_code.ARITHMETIC, "count -= not part or part is None"),
    (plain_code.ARITHMETIC, "word = ('even', 'odd')[n % 2 == 1]"),
]


@pytest.fixture
def kit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of a kit that has no other Python, and whose table allows nothing."""
    monkeypatch.setattr(tokens, "KIT", tmp_path)
    monkeypatch.setattr(plain_code, "ALLOWED", tmp_path / "allowed.yaml")
    plain_code.ALLOWED.write_text("{}\n", "utf-8")
    (tmp_path / "lab.py").write_text("", "utf-8")
    (tmp_path / "grader").mkdir()
    return tmp_path / "grader" / "code.py"


def test_no_room_of_the_kit_breaks_a_rule_more_often_than_it_may(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert plain_code.main(["no-file-has-this-name"]) == 0, capsys.readouterr().out


def test_plain_code_breaks_no_rule(
    kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    statements = "print()\n" * 100  # for the few conditional expressions
    kit.write_text(PLAIN + statements, "utf-8")
    assert plain_code.main([]) == 0
    assert "code.py" not in capsys.readouterr().out


@pytest.mark.parametrize(("rule", "code"), BROKEN)
def test_each_rule_is_enforced_and_its_place_is_printed(
    rule: str, code: str, kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    statements = "print()\n" * 100
    kit.write_text(statements + code, "utf-8")
    assert plain_code.main(["code"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"grader/code.py:101: {rule}: ")
    assert said[-1] == f"TOO MANY in grader: {rule}: 1, not more than 0"


@pytest.mark.parametrize(("statements", "status"), [(39, 0), (38, 1)])
def test_a_room_has_few_conditional_expressions(
    statements: int, status: int, kit: Path
) -> None:
    kit.write_text("print()\n" * statements + "n = 1 if n else 2\n", "utf-8")
    assert plain_code.main([]) == status


def test_what_is_allowed_falls_with_the_code_and_never_rises(kit: Path) -> None:
    statements, broken = "print()\n" * 100, "count += part > 1\n"
    plain_code.ALLOWED.write_text(f"grader: {{{plain_code.ARITHMETIC}: 3}}\n", "utf-8")
    kit.write_text(statements + 2 * broken, "utf-8")
    assert plain_code.main(["--lower"]) == 0
    assert plain_code.read_allowed() == {"grader": {plain_code.ARITHMETIC: 2}}
    kit.write_text(statements + 3 * broken, "utf-8")
    assert plain_code.main(["--lower"]) == 1
    assert plain_code.read_allowed() == {"grader": {plain_code.ARITHMETIC: 2}}
    kit.write_text(statements, "utf-8")
    assert plain_code.main(["--lower"]) == 0
    assert plain_code.read_allowed() == {}
