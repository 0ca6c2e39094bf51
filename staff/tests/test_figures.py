"""`make figures`, on the few mutants of a small function; and what `make check` says of
its page.
"""

import json
from pathlib import Path

import pytest
import yaml

from boards.reading import BadFile
from grader.refusal import Refusal
from staff import check
from staff.figures import __main__ as command
from staff.figures import fresh, measured, reasons
from staff.model import MODEL
from staff.wrong_labs import with_body

pytestmark = pytest.mark.long

pytest.importorskip("cosmic_ray")
FUNCTION = "next_boards_connectfour"  # which has two mutants


@pytest.fixture(autouse=True)
def _leaves_the_kit_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "PAGE", tmp_path / "figures.md")
    monkeypatch.setattr(fresh, "RESULTS", tmp_path / "fresh.yaml")


# --- mutants -------------------------------------------------------------------------


def test_mutants_of_one_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([FUNCTION]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert "... 2 of 2: mutants: " in said.out
    counts = (
        "2 lose points in their own function, 0 elsewhere, 0 nowhere; 0 make another"
    )
    assert f"2 mutants: {counts}" in said.out
    assert "Of the 2, " in said.out
    assert not measured.PAGE.exists()


CONDITION = "if is_game_over_connectfour(board):"
COMPARED = "if is_game_over_connectfour(board) is True:"
# Operators that change nothing in the second condition, and what they make of it.
EQUAL = {
    "ReplaceComparisonOperator_Is_Eq": "if is_game_over_connectfour(board) == True:",
    "ReplaceComparisonOperator_Is_GtE": "if is_game_over_connectfour(board) >= True:",
}
FIRST, SECOND = EQUAL


@pytest.fixture
def equal_mutants(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model solution of whose mutants two are equal to it."""
    lab = tmp_path / "model.py"
    lab.write_text(model.replace(CONDITION, COMPARED), "utf-8")
    monkeypatch.setattr(command, "MODEL", lab)


def write_reasons(folder: Path, reason: str, *mutants: dict[str, str]) -> Path:
    """Write one reason for some mutants; its file."""
    block = {"function": FUNCTION, "reason": reason, "mutants": mutants}
    file = folder / "reasons.yaml"
    file.write_text(json.dumps({"reasons": [block]}), "utf-8")
    return file


def explain(
    operators: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let the kit have a reason for the mutants of these operators alone."""
    mutants = [
        {"operator": operator, "before": COMPARED, "after": EQUAL[operator]}
        for operator in operators
    ]
    file = write_reasons(folder, "equal to the model: it is a bool", *mutants)
    read = reasons.read_reasons
    monkeypatch.setattr(command, "read_reasons", lambda: read(file))


@pytest.mark.usefixtures("equal_mutants")
def test_a_mutant_with_a_full_score_and_no_reason_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    explain([FIRST], tmp_path, monkeypatch)
    assert command.main([FUNCTION]) == 1
    said = capsys.readouterr().err
    complaint = "{} keeps a full score, and reasons.yaml has no reason:"
    assert complaint.format(SECOND) in said
    assert f"+ {EQUAL[SECOND]}" in said
    assert complaint.format(FIRST) not in said


@pytest.mark.usefixtures("equal_mutants")
def test_all_is_well_if_each_mutant_with_a_full_score_has_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    explain([FIRST, SECOND], tmp_path, monkeypatch)
    assert command.main([FUNCTION]) == 0
    assert "keeps a full score" not in capsys.readouterr().err


def test_every_reason_of_the_kit_can_be_read() -> None:
    assert len(reasons.read_reasons()) > 50


MUTANT = {"operator": "AddNot", "before": "a", "after": "b"}


def test_a_reason_of_no_known_kind(tmp_path: Path) -> None:
    file = write_reasons(tmp_path, "it looks fine", MUTANT)
    with pytest.raises(BadFile, match="it begins with `equal to the model: `"):
        reasons.read_reasons(file)


def test_a_mutant_with_two_reasons(tmp_path: Path) -> None:
    file = write_reasons(tmp_path, "equal to the model: it is", MUTANT, MUTANT)
    says = "this mutant has a reason above already; delete one"
    with pytest.raises(BadFile, match=says):
        reasons.read_reasons(file)


def test_a_function_that_there_is_not() -> None:
    with pytest.raises(Refusal, match="do you mean solve"):
        command.main(["solv"])


# --- fresh mistakes ------------------------------------------------------------------


@pytest.fixture
def folder(model: str, tmp_path: Path) -> Path:
    """Two fresh mistakes: one that every case shows, and one that is none."""
    returns_one = with_body(FUNCTION, "return [board]", model)
    (tmp_path / "001.py").write_text(returns_one, "utf-8")
    (tmp_path / "002.py").write_text(model, "utf-8")
    causes = [
        {"file": f"00{number}.py", "function": FUNCTION, "cause": f"cause {number}"}
        for number in (1, 2)
    ]
    (tmp_path / "causes.yaml").write_text(yaml.safe_dump(causes), "utf-8")
    return tmp_path


def said_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What `make figures` prints of a folder of fresh mistakes."""
    assert command.main([FUNCTION, "--fresh", str(folder)]) == 0
    return capsys.readouterr().out


def test_fresh_mistakes_that_nobody_has_read_are_to_be_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = said_of(folder, capsys)
    assert "2 fresh mistakes; 2 screens to read:" in said
    assert "001.py, 002.py\n" in said
    assert not fresh.RESULTS.exists()


def test_each_fresh_mistake_has_a_screen_and_a_line_to_fill_in(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said_of(folder, capsys)
    screen = (folder / "screens" / "001.txt").read_text("utf-8")
    assert "next-boards/" in screen
    assert len(screen.splitlines()) <= 24
    lines = yaml.safe_load((folder / "prefilled.yaml").read_text("utf-8"))
    assert [line["file"] for line in lines] == ["001.py", "002.py"]
    assert lines[1]["verdict"] == "neither"


def test_fresh_mistakes_are_counted_once_a_person_has_read_their_screens(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said_of(folder, capsys)
    lines = yaml.safe_load((folder / "prefilled.yaml").read_text("utf-8"))
    lines[0]["verdict"] = "false"
    (folder / "read.yaml").write_text(yaml.safe_dump(lines), "utf-8")

    assert "2 fresh mistakes; 0 screens to read:" in said_of(folder, capsys)

    kept = yaml.safe_load(fresh.RESULTS.read_text("utf-8"))
    first = {"cause": "cause 1", "verdict": "false", "loses_points": True}
    second = {"cause": "cause 2", "verdict": "neither", "loses_points": False}
    assert kept["mistakes"] == [
        {"function": FUNCTION, **mistake} for mistake in (first, second)
    ]


def test_a_screen_that_has_changed_is_to_be_read_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "screens").mkdir()
    for name in ("001", "002"):
        (folder / "screens" / f"{name}.txt").write_text("another screen\n", "utf-8")
    read = [
        {"file": "001.py", "verdict": "named", "note": ""},
        {"file": "002.py", "verdict": "neither", "note": ""},
    ]
    (folder / "read.yaml").write_text(yaml.safe_dump(read), "utf-8")

    assert "2 fresh mistakes; 2 screens to read:" in said_of(folder, capsys)
    assert not fresh.RESULTS.exists()


ENTRY = f"- {{file: 001.py, function: {FUNCTION}, cause: c}}\n"
# A file of the folder, what it holds then, and what is said of that.
BAD = [
    ("causes.yaml", "", "causes.yaml:1: the file should hold a list of mappings with file, function, cause"),
    ("causes.yaml", "- {file: 1.py, function: x}", "causes.yaml:1: entry 1 should be a mapping of file, function, cause"),
    ("causes.yaml", "- {file: a.py, function: solv, cause: c}", "a.py: there is no graded function `solv`"),
    ("causes.yaml", "- {file: a.py, function: solve, cause: c}", "a.py: there is no such file beside causes.yaml"),
    ("causes.yaml", ENTRY * 2, "causes.yaml:1: 001.py is listed twice"),
    ("causes.yaml", "- [", "causes.yaml:2: this cannot be read as YAML in UTF-8"),
    ("read.yaml", "- {file: 9.py, verdict: named, note: ''}", "read.yaml:1: 9.py is not in causes.yaml"),
    ("read.yaml", "- {file: 001.py, verdict: good, note: ''}", "001.py: `verdict` is one of named, located, neither, false"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "says"), BAD)
def test_a_mistake_in_the_folder_is_one_line(
    name: str, text: str, says: str, folder: Path
) -> None:
    (folder / name).write_text(f"{text}\n", "utf-8")
    with pytest.raises(BadFile) as caught:
        command.main([FUNCTION, "--fresh", str(folder)])
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


# --- the check -----------------------------------------------------------------------

NOW = measured.here()
OUT_OF_DATE = "--- changed since docs/figures.md was made: "


@pytest.fixture
def only_the_page_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the check have no steps."""
    monkeypatch.setattr(check, "STEPS", {})
    monkeypatch.setattr(check, "SLOW_STEPS", {})


@pytest.mark.usefixtures("only_the_page_is_checked")
@pytest.mark.parametrize(
    ("page", "changed"),
    [(NOW.model, "the cases; "), ("", "lab.py and the cases; ")],
)
def test_the_check_says_what_has_changed_since_the_page_was_made(
    page: str, changed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    measured.PAGE.write_text(page, "utf-8")
    assert check.main() == 0
    assert f"{OUT_OF_DATE}{changed}" in capsys.readouterr().out


@pytest.mark.usefixtures("only_the_page_is_checked")
def test_the_check_says_nothing_of_a_page_that_is_up_to_date(
    capsys: pytest.CaptureFixture[str],
) -> None:
    measured.PAGE.write_text(f"{NOW.model} {NOW.cases}", "utf-8")
    assert check.main() == 0
    assert "changed since" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "is_stale"),
    [
        ('"""Uncomment any line', '"""Uncomment every line', False),
        ("# six empty squares", "# six squares are empty", False),
        ("NAME = None  #", "NAME = 1  #", True),
    ],
    ids=["a docstring", "a comment", "code"],
)
def test_only_code_of_the_model_makes_the_page_stale(
    old: str,
    new: str,
    is_stale: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = MODEL.read_text("utf-8")
    assert old in source
    changed = tmp_path / "lab.py"
    changed.write_text(source.replace(old, new, 1), "utf-8")
    monkeypatch.setattr("staff.figures.measured.MODEL", changed)
    assert (measured.here() != NOW) == is_stale
