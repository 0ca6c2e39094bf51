"""What people read is plain English: no text has a phrase of tables/phrases.yaml."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from staff.tests.conftest import KIT

TABLE = yaml.safe_load(
    (KIT / "staff" / "tests" / "tables" / "phrases.yaml").read_text("utf-8")
)
PHRASES: dict[str, str] = TABLE["phrases"]
# A phrase may go on in the next line of a comment or of a quotation.
BETWEEN_WORDS = r"[\s#>]+"


def complaints(file: Path, top: Path) -> Iterator[str]:
    """For each rejected phrase in a file: where it is, and what to write instead."""
    text = file.read_text("utf-8")
    for phrase, better in PHRASES.items():
        words = BETWEEN_WORDS.join(map(re.escape, phrase.split()))
        for match in re.finditer(rf"(?<![\w-]){words}(?![\w-])", text, re.IGNORECASE):
            line = text.count("\n", 0, match.start()) + 1
            place = f"{file.relative_to(top).as_posix()}:{line}"
            yield f"{place}: not `{phrase}`, but `{better}`"


@pytest.mark.parametrize("pattern", TABLE["texts"])
def test_no_phrase_has_to_be_read_twice(pattern: str) -> None:
    files = sorted(KIT.glob(pattern))
    assert files
    found = [complaint for file in files for complaint in complaints(file, KIT)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_is_found_in_any_letters_and_across_lines(
    phrase: str, tmp_path: Path
) -> None:
    """It is found by file and line, and not within a longer word."""
    file = tmp_path / "a.py"
    broken = phrase.replace(" ", "\n    # ").capitalize()
    file.write_text(f"first line\nx{phrase} {phrase}x\n# {broken}.\n", "utf-8")
    said = f"a.py:3: not `{phrase}`, but `{PHRASES[phrase]}`"
    assert said in list(complaints(file, tmp_path))


def test_a_word_within_a_longer_one_is_none(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("We recommend that mender-2 amends an-upright-id.", "utf-8")
    assert list(complaints(file, tmp_path)) == []
