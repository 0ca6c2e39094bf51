"""`make expectations`: writes what the model says, keeps comments, never touches what
was done by hand.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boards.reading import BadFile, read_boards
from grader.bank.cases import Bank
from grader.bank.points import read_points
from grader.bank.reading import CASES as CASE_FILES
from grader.kinds.kind import REFERENCE_TRACES
from staff import reference_traces
from staff.expectations import fill_in
from staff.model import Model
from staff.strict.bank import case_files
from staff.strict.cases import check_files
from staff.strict.reading import read_block
from staff.tests.conftest import KIT
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
EXPECT = "    expect: {path: [1, 0], score: 4, evaluations: 16}\n"


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    with Model() as model:
        yield model


def filled(text: str, folder: Path, model: Model) -> str:
    """A case file with this text as it is filled in.  Raises BadFile."""
    file = folder / "2z-new.yaml"
    file.write_text(text, "utf-8")
    check_files([read_block(file)], unfilled=True)
    found = fill_in(file, text, model)
    assert bool(found.differences) is (found.text != text)
    return found.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (CASES, CASES + EXPECT),
        (CASES + EXPECT, CASES + EXPECT),
        (CASES + EXPECT.replace("score: 4", "score: 5"), CASES + EXPECT),
        (
            CASES + EXPECT.replace("}", ", by_hand: true}"),
            CASES + EXPECT.replace("}", ", by_hand: true}"),
        ),
    ],
    ids=["new", "right", "wrong", "by hand"],
)
def test_what_the_model_says_is_written(
    before: str, after: str, tmp_path: Path, model: Model
) -> None:
    assert filled(before, tmp_path, model) == after


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            CASES + EXPECT.replace("score: 4", "score: 5, by_hand: true"),
            "9: computed by hand, but the model contradicts it: ",
        ),
        (
            CASES.replace("{tree: FOUR_BY_FOUR}", "{nim: 60}"),
            "5: new: the model's minimax_search: It was stopped",
        ),
        (
            CASES.replace("{tree: FOUR_BY_FOUR}", "{board: BOARD_UHOH}"),
            "5: more than 2,000 boards lie below ",
        ),
    ],
)
def test_what_the_model_cannot_say(
    text: str, says: str, tmp_path: Path, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("staff.model.MOST_SECONDS", 0.4)
    with pytest.raises(BadFile) as caught:
        filled(text, tmp_path, model)
    assert f"2z-new.yaml:{says}" in str(caught.value)


def test_an_ending_of_connect_four_is_kept_as_data(
    tmp_path: Path, model: Model
) -> None:
    text = filled(
        CASES.replace("{tree: FOUR_BY_FOUR}", "{board: NEARLY_OVER}"), tmp_path, model
    )
    name = "/".join(read_boards()["NEARLY_OVER"]["board"])
    assert re.search(rf"^excerpts:\n  '?{re.escape(name)}'?: 05 ", text, re.MULTILINE)
    assert filled(text, tmp_path, model) == text


@pytest.mark.parametrize("file", case_files(), ids=lambda file: file.stem)
def test_every_expectation_can_be_made_again(
    file: Path, tmp_path: Path, model: Model
) -> None:
    """Of every stored case, with wrong numbers in its expectation."""
    before = file.read_text("utf-8")
    if "questions" not in file.name:
        wrong = re.sub(r"\b(evaluations|score): -?\d+", r"\1: 77777", before)
        assert filled(wrong, tmp_path, model) == before


def typed(master: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """`make expectations` in a copy of the master."""
    command = [sys.executable, "-m", "grader", "expectations", *words]
    return subprocess.run(command, cwd=master, capture_output=True, text=True)


def refused(done: "subprocess.CompletedProcess[str]") -> str:
    """The one line of a command that refuses, and printed nothing else but what it was
    doing.
    """
    assert done.returncode == 2 and all(
        line.startswith("... ") for line in done.stdout.splitlines()
    )
    said = [line for line in done.stderr.splitlines() if not line.startswith("... ")]
    assert len(said) == 1, done.stderr
    return said[0]


ORDER = """\
  - id: upside-down
    says: The sooner win is to score lower.
    order: [later, sooner]
    calls:
      - {name: sooner, board: BOARD_REDFISH_WON_FAST, maximizer: false}
      - {name: later, board: BOARD_REDFISH_WON_LESS_FAST, maximizer: false}
"""
ODD = """\
  - id: three
    says: Three boards.
    opposite: [one, two, three]
    calls:
      - {name: one, board: SECOND_PLAYER_AHEAD, maximizer: true}
      - {name: two, board: SECOND_PLAYER_AHEAD, maximizer: false}
      - {name: three, board: CROWDED_AND_AHEAD, maximizer: true}
"""
ALL_YES = "  - id: new\n    says: New.\n    board: BOARD_UHOH\n"


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        (
            "boards/cases/2c-minimax.yaml",
            "  - {id: new, say: New.}\n",
            "unknown key `say`; did you mean `says`?",
        ),
        (
            "boards/cases/1d-faster.yaml",
            ORDER,
            "upside-down: the model contradicts `order`: `later` should score",
        ),
        (
            "boards/cases/1e-heuristic.yaml",
            ODD,
            "`opposite` names pairs of different calls",
        ),
        (
            "boards/cases/1a-game-over.yaml",
            ALL_YES,
            "new: every answer is no, which is right without looking",
        ),
        (
            "staff/submissions/misconceptions.yaml",
            "- {name: a, hint: b, wrong_labs: []}\n",
            "`question` is missing",
        ),
        (
            "staff/submissions/wrong_labs.yaml",
            '- {id: a, function: solve, mistake: "It ends.", body: "return )"}\n',
            "a: unmatched ')' in `return )`",
        ),
    ],
)
def test_nothing_is_written_if_anything_is_wrong(
    name: str, text: str, complaint: str, tmp_path: Path
) -> None:
    master = with_few_cases(copy_master(tmp_path / "master"))
    new, file = master / "boards" / "cases" / "2z-new.yaml", master / name
    new.write_text(CASES, "utf-8")
    file.write_text(
        file.read_text("utf-8").removesuffix("[]\n") + f"\n{text}"[name[0] == "b" :],
        "utf-8",
    )
    said = refused(typed(master))
    assert re.match(rf"{re.escape(name)}:\d+: {re.escape(complaint)}", said), said
    assert new.read_text("utf-8") == CASES


def test_the_example_of_the_docs(tmp_path: Path) -> None:
    """The case is written as it stands there, what is printed is what stands there, and
    only what is new is run.
    """
    page = (KIT / "docs" / "cases.md").read_text("utf-8")
    (file,) = re.findall(r"In `(boards/cases/\S+)`, append:", page)
    (case,) = re.findall(r"```yaml\n(  - id: .*?)```", page, re.DOTALL)
    (told,) = re.findall(r"```text\n\$ make expectations\n(.*?)```", page, re.DOTALL)
    master = with_one_case_file(copy_master(tmp_path / "master"), Path(file).stem)
    assert typed(master).returncode == 0
    before = (master / file).read_text("utf-8")
    (master / file).write_text(f"{before}{case}", "utf-8")
    done = typed(master)
    assert done.returncode == 0, done.stderr
    assert "... 2 of 2: running the wrong lab " in done.stdout
    (expect,) = re.findall(r"new: (\{.*\})$", told, re.MULTILINE)
    assert told.splitlines()[0] in done.stdout.splitlines()
    assert (master / file).read_text(
        "utf-8"
    ) == f"{before}{case}    expect: {expect.replace(chr(39), '')}\n"
    assert "running" not in typed(master).stderr
    assert typed(master, "--check").returncode == 0


def test_a_case_file_that_has_changed_is_named_by_make_test(tmp_path: Path) -> None:
    master, file = (
        with_few_cases(copy_master(tmp_path / "master")),
        "boards/cases/2a-dfs.yaml",
    )
    assert (typed(master).returncode, graded(master).stderr) == (0, "")
    (master / file).write_text(
        f"# A note.\n{(master / file).read_text('utf-8')}", "utf-8"
    )
    stale = f"{file} has changed since its expectations were filled in: type python grader expectations\n"
    assert (graded(master).stderr, typed(master, "--check").returncode) == (stale, 1)
    assert (typed(master).returncode, graded(master).stderr) == (0, "")


def graded(master: Path) -> "subprocess.CompletedProcess[str]":
    """`make test` of a case in a copy of the master."""
    return subprocess.run(
        [sys.executable, "grader", "test", "--k", "dfs/two-by-two"],
        cwd=master,
        capture_output=True,
        text=True,
    )


def with_one_case_file(master: Path, name: str) -> Path:
    """The master copy with one case file, and two wrong labs of its function."""
    for file in (master / "boards" / "cases").glob("*.yaml"):
        if file.stem != name:
            file.unlink()
    (function,) = re.findall(
        r"^function: (\w+)$",
        (master / "boards" / "cases" / f"{name}.yaml").read_text(),
        re.M,
    )
    wrong_labs = re.split(r"^(?=- id: )", WRONG_LABS.read_text("utf-8"), flags=re.M)
    own = [
        wrong_lab
        for wrong_lab in wrong_labs
        if f"\n  function: {function}\n" in wrong_lab
    ]
    (master / "staff" / "submissions" / "wrong_labs.yaml").write_text(
        "wrong_labs:\n" + "".join(own[:2]), "utf-8"
    )
    (master / "staff" / "submissions" / "misconceptions.yaml").write_text(
        "misconceptions: []\n", "utf-8"
    )
    return master


def test_a_reference_trace_that_is_out_of_date_is_named_and_written(
    tmp_path: Path, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = (REFERENCE_TRACES / "2a-dfs.json").read_text("utf-8")
    (tmp_path / "2a-dfs.json").write_text(stored.replace("9", "8", 1), "utf-8")
    (tmp_path / "2z-gone.json").write_text("{}", "utf-8")
    monkeypatch.setattr(reference_traces, "REFERENCE_TRACES", tmp_path)
    monkeypatch.setattr(
        reference_traces, "case_files", lambda: [CASE_FILES / "2a-dfs.yaml"]
    )
    said = [
        f"{tmp_path}/2a-dfs.json: changed",
        f"{tmp_path}/2z-gone.json: of nothing any more",
    ]
    assert reference_traces.bring_up_to_date(model, check=True) == said
    assert reference_traces.bring_up_to_date(model, check=False) == said
    assert reference_traces.bring_up_to_date(model, check=True) == []
    assert {file.name: file.read_text("utf-8") for file in tmp_path.glob("*")} == {
        "2a-dfs.json": stored
    }


def test_who_counts_calls_is_right_in_one_case_at_most(bank: Bank) -> None:
    """Whatever the answer to each (number of calls, index of the call)."""
    cases = bank.of("is_game_over_connectfour")
    answers = [tuple(call.expect["value"] for call in case.calls) for case in cases]
    assert len(cases) >= 8
    assert len({len(given) for given in answers}) == 1
    assert len(set(answers)) == len(answers)


def test_part_2_needs_nothing_of_part_1(bank: Bank) -> None:
    """A search on a Connect Four board has an excerpt of the game as data."""
    searches = {
        function.name
        for part in read_points()
        for function in part.graded.values()
        if part.number == 2
    }
    calls = [
        call for case in bank.cases for call in case.calls if case.function in searches
    ]
    on_boards = [call for call in calls if "board" in call.inputs.get("state", {})]
    assert len(on_boards) >= 5 and all(call.excerpt for call in on_boards)
