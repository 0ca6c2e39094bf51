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
from staff.wrong_labs import with_body

pytestmark = pytest.mark.long

pytest.importorskip("cosmic_ray")
FUNCTION = "next_boards_connectfour"  # which has two mutants


@pytest.fixture(autouse=True)
def _leaves_the_kit_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "PAGE", tmp_path / "figures.md")
    monkeypatch.setattr(fresh, "RESULTS", tmp_path / "fresh.yaml")


def test_mutants_of_one_function(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([FUNCTION]) == 0
    said = capsys.readouterr()
    assert "... 2 of 2: mutants: " in said.out
    assert (
        "2 mutants: 2 lose points in their own function, 0 elsewhere, 0 nowhere; 0 make another"
        in said.out
    )
    assert "Of the 2, " in said.out
    assert said.err == "" and not measured.PAGE.exists()


CONDITION = "if is_game_over_connectfour(board):"
EQUAL = {  # operators that change nothing in the condition above, where that is compared with True
    "ReplaceComparisonOperator_Is_Eq": "if is_game_over_connectfour(board) == True:",
    "ReplaceComparisonOperator_Is_GtE": "if is_game_over_connectfour(board) >= True:",
}


@pytest.mark.parametrize("explained", [[*EQUAL][:1], [*EQUAL]])
def test_a_mutant_with_a_full_score_needs_a_reason(
    explained: list[str],
    model: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    compared = CONDITION.replace(":", " is True:")
    (tmp_path / "model.py").write_text(model.replace(CONDITION, compared), "utf-8")
    monkeypatch.setattr(command, "MODEL", tmp_path / "model.py")
    mutants = [
        {"operator": operator, "before": compared, "after": EQUAL[operator]}
        for operator in explained
    ]
    block = {
        "function": FUNCTION,
        "reason": "equal to the model: it is a bool",
        "mutants": mutants,
    }
    (tmp_path / "reasons.yaml").write_text(json.dumps({"reasons": [block]}), "utf-8")
    monkeypatch.setattr(
        command, "read_reasons", lambda: reasons.read_reasons(tmp_path / "reasons.yaml")
    )
    status = command.main([FUNCTION])
    said = capsys.readouterr().err
    missing = [operator for operator in EQUAL if operator not in explained]
    assert status == int(bool(missing)), said
    for operator, after in EQUAL.items():
        is_named = (
            f"{operator} keeps a full score, and reasons.yaml has no reason:" in said
            and f"+ {after}" in said
        )
        assert is_named is (operator in missing)


def test_every_reason_of_the_kit_can_be_read() -> None:
    assert len(reasons.read_reasons()) > 50


@pytest.fixture
def folder(model: str, tmp_path: Path) -> Path:
    """Two fresh mistakes: one that every case shows, and one that is none."""
    (tmp_path / "001.py").write_text(
        with_body(FUNCTION, "return [board]", model), "utf-8"
    )
    (tmp_path / "002.py").write_text(model, "utf-8")
    causes = [
        {"file": f"00{number}.py", "function": FUNCTION, "cause": f"cause {number}"}
        for number in (1, 2)
    ]
    (tmp_path / "causes.yaml").write_text(yaml.safe_dump(causes), "utf-8")
    return tmp_path


def test_a_screen_that_has_changed_is_to_be_read_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "screens").mkdir()
    for name, verdict in (("001", "named"), ("002", "neither")):
        (folder / "screens" / f"{name}.txt").write_text("another screen\n", "utf-8")
        with (folder / "read.yaml").open("a", encoding="utf-8") as read:
            read.write(f"- {{file: {name}.py, verdict: {verdict}, note: ''}}\n")
    assert command.main([FUNCTION, "--fresh", str(folder)]) == 0
    assert "2 fresh mistakes; 2 screens to read:" in capsys.readouterr().out
    assert not fresh.RESULTS.exists()


def test_fresh_mistakes_are_counted_once_a_person_has_read_their_screens(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([FUNCTION, "--fresh", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "2 fresh mistakes; 2 screens to read:" in said and "001.py, 002.py\n" in said
    screen = (folder / "screens" / "001.txt").read_text("utf-8")
    assert "next-boards/" in screen and len(screen.splitlines()) <= 24
    prefilled = yaml.safe_load((folder / "prefilled.yaml").read_text("utf-8"))
    assert [entry["file"] for entry in prefilled] == ["001.py", "002.py"]
    assert prefilled[1]["verdict"] == "neither"
    assert not fresh.RESULTS.exists()

    prefilled[0]["verdict"] = "false"
    (folder / "read.yaml").write_text(yaml.safe_dump(prefilled), "utf-8")
    assert command.main([FUNCTION, "--fresh", str(folder)]) == 0
    assert "2 fresh mistakes; 0 screens to read:" in capsys.readouterr().out
    kept = yaml.safe_load(fresh.RESULTS.read_text("utf-8"))
    assert kept["mistakes"] == [
        {
            "function": FUNCTION,
            "cause": "cause 1",
            "verdict": "false",
            "loses_points": True,
        },
        {
            "function": FUNCTION,
            "cause": "cause 2",
            "verdict": "neither",
            "loses_points": False,
        },
    ]


BAD = [
    (
        "causes.yaml",
        "",
        "causes.yaml:1: the file should hold a list of mappings with file, function, cause",
    ),
    (
        "causes.yaml",
        "- {file: 1.py, function: x}",
        "causes.yaml:1: entry 1 should be a mapping of file, function, cause",
    ),
    (
        "causes.yaml",
        "- {file: a.py, function: solv, cause: c}",
        "a.py: there is no graded function `solv`",
    ),
    (
        "causes.yaml",
        "- {file: a.py, function: solve, cause: c}",
        "a.py: there is no such file beside causes.yaml",
    ),
    (
        "causes.yaml",
        f"- {{file: 001.py, function: {FUNCTION}, cause: c}}\n- {{file: 001.py, function: {FUNCTION}, cause: d}}",
        "causes.yaml:1: 001.py is listed twice",
    ),
    ("causes.yaml", "- [", "causes.yaml:2: this cannot be read as YAML in UTF-8"),
    (
        "read.yaml",
        "- {file: 9.py, verdict: named, note: ''}",
        "read.yaml:1: 9.py is not in causes.yaml",
    ),
    (
        "read.yaml",
        "- {file: 001.py, verdict: good, note: ''}",
        "001.py: `verdict` is one of named, located, neither, false",
    ),
]


@pytest.mark.parametrize(("name", "text", "says"), BAD)
def test_a_mistake_in_the_folder_is_one_line(
    name: str, text: str, says: str, folder: Path
) -> None:
    (folder / name).write_text(f"{text}\n", "utf-8")
    with pytest.raises(BadFile) as caught:
        command.main([FUNCTION, "--fresh", str(folder)])
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_a_function_that_there_is_not() -> None:
    with pytest.raises(Refusal, match="do you mean solve"):
        command.main(["solv"])


def test_a_reason_of_no_known_kind(tmp_path: Path) -> None:
    mutant = {"operator": "AddNot", "before": "a", "after": "b"}
    block = {"function": FUNCTION, "reason": "it looks fine", "mutants": [mutant]}
    (tmp_path / "reasons.yaml").write_text(json.dumps({"reasons": [block]}), "utf-8")
    with pytest.raises(BadFile, match="it begins with `equal to the model: `"):
        reasons.read_reasons(tmp_path / "reasons.yaml")


def test_a_mutant_with_two_reasons(tmp_path: Path) -> None:
    mutant = {"operator": "AddNot", "before": "a", "after": "b"}
    block = {
        "function": FUNCTION,
        "reason": "equal to the model: it is",
        "mutants": [mutant, mutant],
    }
    (tmp_path / "reasons.yaml").write_text(json.dumps({"reasons": [block]}), "utf-8")
    with pytest.raises(
        BadFile, match="this mutant has a reason above already; delete one"
    ):
        reasons.read_reasons(tmp_path / "reasons.yaml")


def test_the_check_says_if_the_page_is_out_of_date(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = measured.here()
    monkeypatch.setattr(check, "STEPS", {})
    monkeypatch.setattr(check, "SLOW_STEPS", {})
    pages = {
        f"{now.model} {now.cases}": "",
        f"{now.model}": "--- changed since docs/figures.md was made: the cases; ",
        "": "--- changed since docs/figures.md was made: lab.py and the cases; ",
    }
    for page, line in pages.items():
        measured.PAGE.write_text(page, "utf-8")
        assert check.main() == 0
        said = capsys.readouterr().out
        assert ("changed since" in said) is bool(line) and line in said
