"""Strict reading: what two readers of YAML read differently is an error, and every error has a line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from boards.reading import BadFile
from staff.misconceptions import load_misconceptions
from staff.strict.reading import parse_yaml
from staff.wrong_labs import load_wrong_labs

FILE = Path("file.yaml")
DIGITS = "1" * 5000


@pytest.mark.parametrize(
    ("written", "students", "others"),
    [
        ("12:30", "750", "'12:30'"),
        ("NO", "False", "'NO'"),
        ("on", "True", "'on'"),
        ("1_000", "1000", "'1_000'"),
        ("1_0.5", "10.5", "'1_0.5'"),
        ("0o7", "'0o7'", "7"),
        ("010", "8", "10"),
        ("08", "'08'", "8"),
        ("1e30", "'1e30'", "1e+30"),
    ],
)
def test_readers_that_do_not_agree(written: str, students: str, others: str) -> None:
    """PyYAML, which students have, is one of them."""
    assert repr(yaml.safe_load(written)) == students
    with pytest.raises(BadFile) as caught:
        parse_yaml(f"first: 1\nsecond: [two, {written}]\n", FILE)
    plainly = {"True": "`true`", "False": "`false`"}.get(students, "it as all read it")
    assert str(caught.value) == (
        f"file.yaml:2: `{written}` is {students} to the reader that students have, and {others} to others; "
        f"put quotes around it, or write {plainly}"
    )


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("INF", "INF"),
        ("-INF", "-INF"),
        ("'12:30'", "12:30"),
        ('"NO"', "NO"),
        (".211222", 0.211222),
        ("-100000000000000000000", -(10**20)),
        ("1.5e+3", 1500.0),
        ("true", True),
        ("~", None),
        ("y", "y"),
        ("[a, {b: c}]", ["a", {"b": "c"}]),
        ("|\n  .1.\n  NO", ".1.\nNO\n"),
    ],
)
def test_what_all_read_alike(written: str, value: Any) -> None:
    text = f"key: {written}\n"
    assert parse_yaml(text, FILE) == yaml.safe_load(text) == {"key": value}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "`a` stands twice here, first in line 1; keep one"),
        ("a:\n  1: b\n", 2, "the key 1 reads as 1; put quotes around it"),
        ("a:\n  12:30: b\n", 2, "`12:30` is 750 to the reader that students have"),
        (f"a:\n  depth_limit: {DIGITS}\n", 2, "a number of 5,000 digits stands here; at most 300 are read"),
        (f"a: 0x{DIGITS}\n", 1, "a number of 5,002 digits stands here"),
        (f"{DIGITS}: a\n", 1, "not YAML"),  # a key of more than 1,024 letters
        ("a: b: c\n", 1, "put quotes around a text with a colon in it"),
        ("- id a\n  says: B\n", 2, "or a colon behind a key of the line above"),
        ("- id: a\n   says: B\n", 2, "begin this line where the one above begins"),
        ("a: [b\nc: d\n", 2, "a bracket or a brace is not closed"),
        ("a: {b: c\n", 2, "a bracket or a brace is not closed"),
        ("a: [\n", 2, "a bracket or a brace is not closed"),
        ("c:\n  - a: 1\n- a: 2\n", 3, "begin this line as far to the right as those that it belongs with"),
        ("c:\n  - a: 1\n   b: 2\n", 3, "begin this line as far to the right"),
        ("a:\n\t- b\n", 2, "write spaces in place of the tab"),
        ("a: {b: |\n  c\n }\n", 1, "a drawing stands below its `key: |`"),
        ("a: @b\n", 1, "put quotes around a text that begins with a sign"),
        ("a: 1\nb\n", 3, "write a colon and a space behind the key"),
        ("a: 'b\n", 2, "not YAML: found unexpected end of stream"),
        ("a: &x [*x]\n", 1, "something in this file holds itself"),
        ("a: {b: &x 1, c: &x 2}\n", 1, "not YAML: second occurrence"),
        ("b: 1\na: !mine 2\n", 2, "`2` means something of its own in YAML"),
        ("a: {<<: {b: 1}}\n", 1, "`<<` means something of its own in YAML; put quotes around it"),
        ("a: 2027-02-31\n", 1, "day is out of range for month"),
        ("a: !!set {b, c}\n", 1, "two readers of YAML do not agree on this file"),
        ("a: !!python/object:os.x {}\n", 1, "not YAML: could not determine a constructor"),
        ("a: \x07\n", 1, "not YAML: unacceptable character #x0007"),
        ("a: 1\n---\nb: 2\n", 2, "not YAML: but found another document; take the line `---` away"),
        ('a: "b" c\n', 1, "put quotes around the whole text"),
        ("a: [b] c\n", 1, "put quotes around the whole text"),
        ("- a: 1\n- a: Case # 3\n", 2, "` #` ends this text, as of a comment; quote the text, or put two spaces"),
        ("- a\n", 1, "the file should hold a mapping"),
    ],
)
@pytest.mark.filterwarnings("ignore::ruamel.yaml.error.ReusedAnchorWarning")
def test_a_mistake_is_a_line(text: str, line: int, words: str) -> None:
    with pytest.raises(BadFile) as caught:
        parse_yaml(text, FILE)
    said = str(caught.value)
    assert said.startswith(f"file.yaml:{line}: ")
    assert words in said
    assert "\n" not in said


def test_whatever_stands_there_a_mistake_is_a_line_that_can_be_seen() -> None:
    with pytest.raises(BadFile, match=r"file.yaml:1: no tree is named `a\\nb\\x1b") as caught:
        parse_yaml("a: 1\n", FILE).fail(f"no tree is named `a\nb\x1b{'c' * 9_000}`", "a")
    assert str(caught.value).isprintable() and len(str(caught.value)) < 700


@pytest.mark.parametrize(
    ("text", "read", "said"),
    [
        ("wrong_labs:\n  - {}\n  - x\n", load_wrong_labs, "`wrong_labs` holds 'x'"),
        ("wrong_labs:\n  - {id: a, replace: [1]}\n", load_wrong_labs, "`replace` holds 1; write a mapping"),
        ("misconceptions:\n  - [x]\n", lambda file: load_misconceptions((), file), "`misconceptions` holds ['x']"),
    ],
)
def test_what_is_no_mapping_in_a_list_of_them_is_a_line(
    text: str, read: Callable[[Path], Any], said: str, tmp_path: Path
) -> None:
    (tmp_path / "file.yaml").write_text(text)
    with pytest.raises(BadFile) as caught:
        read(tmp_path / "file.yaml")
    assert said in str(caught.value)
