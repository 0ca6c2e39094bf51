"""`make expectations`: writes what the model says, keeps comments, never touches what was done by hand."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boards.cases import Bank, Function
from boards.reading import BadFile
from grader.sandbox.opening import open_sandbox
from staff.model import MODEL, Model
from staff.shapes import Shape, check_shapes
from staff.strict.kind import Names, writing_of
from staff.strict.reading import parse_yaml
from staff.tests.conftest import KIT
from staff.tests.support.filling import fill_in
from staff.tests.support.masters import copy_master, with_few_cases
from staff.wrong_labs import WRONG_LABS

CASES = """\
# A comment at the top.
part: 2
function: minimax_search
cases:
  - id: new   # a comment behind
    says: 'Quoted: as it was.'
    state: {tree: FOUR_BY_FOUR}
    arguments: {depth_limit: INF}
"""


@pytest.fixture
def model() -> Iterator[Model]:
    sandbox = open_sandbox(MODEL)
    yield Model(sandbox)
    sandbox.close()


def test_a_new_case_is_filled_in(tmp_path: Path, model: Model) -> None:
    file = tmp_path / "2z-new.yaml"
    file.write_text(CASES, encoding="utf-8")
    differences = fill_in(file, model, write=True)
    assert len(differences) == 1
    assert "new: {'path': [1, 0], 'score': 4, 'evaluations': 16}" in differences[0]
    assert file.read_text(encoding="utf-8") == f"{CASES}    expect: {{path: [1, 0], score: 4, evaluations: 16}}\n"
    assert fill_in(file, model, write=True) == []


def test_a_wrong_expectation_is_corrected(tmp_path: Path, model: Model) -> None:
    file = tmp_path / "2z-new.yaml"
    file.write_text(f"{CASES}    expect: {{path: [1, 0], score: 5, evaluations: 16}}\n", encoding="utf-8")
    assert len(fill_in(file, model, write=False)) == 1
    assert "score: 5" in file.read_text(encoding="utf-8")
    assert len(fill_in(file, model, write=True)) == 1
    assert "score: 4" in file.read_text(encoding="utf-8")


def test_what_was_computed_by_hand_stays(tmp_path: Path, model: Model) -> None:
    file = tmp_path / "2z-new.yaml"
    text = f"{CASES}    expect: {{path: [1, 0], score: 5, evaluations: 16, by_hand: true}}\n"
    file.write_text(text, encoding="utf-8")
    contradiction = r"computed by hand, but the model contradicts it: score wanted 5, the model says 4$"
    with pytest.raises(BadFile, match=contradiction):  # and not that path and count agree
        fill_in(file, model, write=True)
    assert file.read_text(encoding="utf-8") == text
    file.write_text(text.replace("score: 5", "score: 4"), encoding="utf-8")
    assert fill_in(file, model, write=True) == []


@pytest.mark.parametrize(
    ("function", "board", "state"),
    [
        ("endgame_score_connectfour", "BOARD_UHOH", "over"),
        ("endgame_score_connectfour_faster", "BOARD_UHOH", "over"),
        ("heuristic_connectfour", "BOARD_REDFISH_WON_FAST", "not over yet"),
    ],
)
def test_a_function_is_asked_what_it_is_for(
    function: str, board: str, state: str, tmp_path: Path, model: Model
) -> None:
    """Of an end score where the game goes on, and of an estimate where it is over, the handout says nothing."""
    file = tmp_path / "1z-new.yaml"
    case = f"  - id: new\n    says: New.\n    board: {board}\n    maximizer: true\n"
    file.write_text(f"part: 1\nfunction: {function}\ncases:\n{case}", "utf-8")
    with pytest.raises(BadFile, match=rf"1z-new\.yaml:6: {function} is asked of a game that is {state}; take another"):
        fill_in(file, model, write=True)


@pytest.mark.parametrize(
    ("returns", "board", "state"),
    [
        ("score", "BOARD_UHOH", "over"),
        ("bounds", "BOARD_UHOH", "over"),
        ("estimate", "BOARD_REDFISH_WON_FAST", "not over yet"),
    ],
)
def test_what_a_new_function_is_asked_does_not_go_by_its_name(returns: str, board: str, state: str) -> None:
    function = Function("heuristic_of_mine" if returns != "estimate" else "endgame_score_of_mine", "board", (), returns)
    call = parse_yaml(f"board: {board}\nmaximizer: true\n", Path("2z-new.yaml"))
    with pytest.raises(BadFile, match=f"{function.name} is asked of a game that is {state}"):
        writing_of(function).check(function, call, Names())


def test_a_case_that_the_model_cannot_finish_is_named(
    tmp_path: Path, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("staff.model.MOST_SECONDS", 0.2)
    file = tmp_path / "2z-new.yaml"
    file.write_text(CASES.replace("{tree: FOUR_BY_FOUR}", "{nim: 60}"), encoding="utf-8")
    with pytest.raises(BadFile, match=r"2z-new\.yaml:5: new: the model's minimax_search: It was stopped after 0\.2"):
        fill_in(file, model, write=True)


def test_every_expectation_can_be_made_again(tmp_path: Path, model: Model) -> None:
    """Of every stored case, without its expectation, the tool writes the same file again; that it finds nothing to do
    where nothing is wrong, make check itself says."""
    for file in sorted((KIT / "boards" / "cases").glob("*.yaml")):
        if "questions" in file.name:
            continue
        copy = tmp_path / file.name
        shutil.copy(file, copy)
        before = copy.read_text(encoding="utf-8")
        copy.write_text(re.sub(r"(evaluations|score): -?\d+", r"\1: 77777", before), encoding="utf-8")
        fill_in(copy, model, write=True)
        assert copy.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("says: 'Quoted: as it was.'", "say: 'Quoted: as it was.'"),
        ("arguments: {depth_limit: INF}", "arguments: {depth_limit: INF}\n    by_hand: true\n    expect: {score: 1}"),
        ("arguments: {depth_limit: INF}", "expect: {path: [7], score: 4, evaluations: 16}"),
        ("id: new", "id: two-by-two"),
        ("id: new", "id: new\n    order: [one, two]"),
    ],
)
def test_nothing_is_written_where_anything_is_wrong(old: str, new: str, tmp_path: Path) -> None:
    master = copy_master(tmp_path / "master")
    text = CASES.replace(old, new)
    file = master / "boards" / "cases" / "2c-minimax.yaml"
    before = file.read_text("utf-8")
    cases = before + text.partition("cases:\n")[2]
    file.write_text(cases, "utf-8")
    words = [sys.executable, "-m", "grader", "expectations"]
    done = subprocess.run(words, cwd=master, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("boards/cases/2c-minimax.yaml:")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert file.read_text("utf-8") == cases


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (CASES.replace("part: 2", "part: 2\nhidden: true"), "6: new/new is hidden, and no points are left to such"),
        ("part: 2\nfunction: minimax_search\ncases: []\n", "3: `cases` is empty; write a case, `- id: …`, or delete"),
    ],
)
def test_nothing_is_printed_that_is_then_refused(text: str, complaint: str, tmp_path: Path) -> None:
    master = copy_master(tmp_path / "master")
    file = master / "boards" / "cases" / "2z-new.yaml"
    file.write_text(text, "utf-8")
    words = [sys.executable, "-m", "grader", "expectations"]
    done = subprocess.run(words, cwd=master, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"boards/cases/2z-new.yaml:{complaint}")
    assert file.read_text("utf-8") == text


ORDER = """\
  - id: upside-down
    says: The sooner win is to score lower.
    order: [later, sooner]
    calls:
      - {name: sooner, board: BOARD_REDFISH_WON_FAST, maximizer: false}
      - {name: later, board: BOARD_REDFISH_WON_LESS_FAST, maximizer: false}
"""


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        (
            "boards/cases/1d-faster.yaml",
            ORDER,
            "upside-down: the model contradicts `order`: `later` should score higher than `sooner`.",
        ),
        (
            "staff/wrong_labs.yaml",
            '- {id: a, function: solve, mistake: "It ends.", body: "return )"}',
            "a: unmatched ')' in `return )`",
        ),
        ("staff/misconceptions.yaml", "- {name: a, hint: b, wrong_labs: []}", "`question` is missing"),
    ],
)
def test_all_that_is_written_by_hand_is_read_first(name: str, text: str, complaint: str, tmp_path: Path) -> None:
    """Nothing is written for the new case where a mistake stands elsewhere."""
    master = with_few_cases(copy_master(tmp_path / "master"))
    new, file = master / "boards" / "cases" / "2z-new.yaml", master / name
    new.write_text(CASES, "utf-8")
    before = file.read_text("utf-8").removesuffix("[]\n")
    file.write_text(f"{before}\n{text}\n", "utf-8")
    line = len(before.splitlines()) + (4 if text == ORDER else 1)
    done = subprocess.run([sys.executable, "-m", "grader", "expectations"], cwd=master, capture_output=True, text=True)
    assert (done.returncode, done.stdout, new.read_text("utf-8")) == (2, "", CASES)
    assert done.stderr == f"{name}:{line}: {complaint}\n"


def test_what_was_written_is_said_whatever_comes_after(tmp_path: Path) -> None:
    master = with_few_cases(copy_master(tmp_path / "master"))
    file = master / "boards" / "cases" / "1c-endgame.yaml"
    case = "  - id: new\n    says: New.\n    board: BOARD_REDFISH_WON_FAST\n    maximizer: false\n"
    file.write_text(file.read_text("utf-8") + case, "utf-8")
    walks = master / "boards" / "reference_traces"
    shutil.rmtree(walks)
    walks.write_text("", "utf-8")
    words = [sys.executable, "-m", "grader", "expectations"]
    done = subprocess.run(words, cwd=master, capture_output=True, text=True)
    assert done.returncode != 0 and ": new: new: {'score': 1000}\n" in done.stdout
    walks.unlink()
    for text, said in ((case, "1 new, 0 changed"), ("", "0 new, 0 changed")):
        file.write_text(re.sub(r"  - id: new\n(?s:.*)", text, file.read_text("utf-8")), "utf-8")
        done = subprocess.run(words, cwd=master, capture_output=True, text=True)
        assert f"; expectations: {said}\n" in done.stdout and "before has changed" not in done.stdout


def test_the_example_of_the_readme(tmp_path: Path) -> None:
    """The case is written as it stands there, and what is printed is what stands there."""
    readme = (KIT / "README.md").read_text("utf-8")
    (file,) = re.findall(r"write them into `(boards/cases/\S+)`", readme)
    (case,) = re.findall(r"```yaml\n(  - id: .*?)```", readme, re.DOTALL)
    (told,) = re.findall(r"```text\n\$ make expectations\n(.*?)```", readme, re.DOTALL)
    master = with_one_case_file(copy_master(tmp_path / "master"), Path(file).stem)
    before = (master / file).read_text("utf-8")
    (master / file).write_text(f"{before}{case}", "utf-8")
    words = [sys.executable, "-m", "grader", "expectations"]
    done = subprocess.run(words, cwd=master, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ours = re.compile(r"^(\S+):\d+: ", re.MULTILINE)
    counted = re.compile(r"^\d+ cases", re.MULTILINE)

    def timeless(text: str) -> str:
        return counted.sub("N cases", ours.sub(r"\1: ", text))

    assert timeless(done.stdout) == timeless(told)
    (expect,) = re.findall(r"new: (\{.*\})$", told, re.MULTILINE)
    after = (master / file).read_text("utf-8")
    assert after == f"{before}{case}    expect: {expect.replace(chr(39), '')}\n"
    assert subprocess.run([*words, "--check"], cwd=master, capture_output=True).returncode == 0


def with_one_case_file(master: Path, name: str) -> Path:
    """The master copy with one case file, and two wrong labs of its function."""
    for folder in ("cases", "reference_traces"):
        for file in (master / "boards" / folder).iterdir():
            if file.is_file() and file.stem != name:
                file.unlink()
    (function,) = re.findall(r"^function: (\w+)$", (master / "boards" / "cases" / f"{name}.yaml").read_text(), re.M)
    wrong_labs = re.split(r"^(?=- id: )", WRONG_LABS.read_text("utf-8"), flags=re.M)
    own = [wrong_lab for wrong_lab in wrong_labs if f"\n  function: {function}\n" in wrong_lab]
    (master / "staff" / "wrong_labs.yaml").write_text("wrong_labs:\n" + "".join(own[:2]), "utf-8")
    (master / "staff" / "misconceptions.yaml").write_text("misconceptions: []\n", "utf-8")
    for file in (master / "boards" / "misconceptions").iterdir():
        if file.stem != function:
            file.unlink()
    return master


def shape(case: str, answers: str, function: str = "is_game_over_connectfour") -> Shape:
    """A case with an answer a letter, y or n."""
    return Shape(Path("1a-game-over.yaml"), 7, case, function, tuple(answer == "y" for answer in answers))


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        ([shape("one", "yyy")], "one: every answer is yes"),
        ([shape("one", "yn"), shape("two", "nny")], "two: 3 calls, where one has 2: the number tells"),
        ([shape("one", "yn"), shape("two", "ny"), shape("three", "yn")], "three: yes and no come in the same order"),
    ],
)
def test_the_shape_of_a_case_does_not_tell_its_answers(shapes: list[Shape], words: str) -> None:
    with pytest.raises(BadFile, match=f"^1a-game-over.yaml:7: {words}"):
        check_shapes(shapes)


def test_cases_of_other_functions_may_have_the_same_shape() -> None:
    check_shapes([shape("one", "yn"), shape("two", "nyy", "MinimaxPlayer"), shape("three", "ny")])


def test_who_counts_calls_is_right_in_one_case_at_most(bank: Bank) -> None:
    """Whatever the answer to each (number of calls, index of the call)."""
    cases = [case for case in bank.cases if case.function == "is_game_over_connectfour"]
    answers = [tuple(call.expect["value"] for call in case.calls) for case in cases]
    assert len(cases) >= 8
    assert len({len(given) for given in answers}) == 1
    assert len(set(answers)) == len(answers)


def test_a_case_that_its_shape_tells_is_not_written(tmp_path: Path) -> None:
    master = with_few_cases(copy_master(tmp_path / "master"))
    file = master / "boards" / "cases" / "1a-game-over.yaml"
    cases = f"{file.read_text('utf-8')}  - id: new\n    says: New.\n    board: BOARD_UHOH\n"
    file.write_text(cases, "utf-8")
    words = [sys.executable, "-m", "grader", "expectations"]
    done = subprocess.run(words, cwd=master, capture_output=True, text=True)
    assert done.returncode == 2
    assert "new: every answer is no, which is right without looking" in done.stderr
    assert file.read_text("utf-8") == cases
