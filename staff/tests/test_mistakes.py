"""Mistakes in what staff write: each is one line with file, line and what to do
(mistakes.yaml).
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from api import GAMES, Value
from boards.estimators import ESTIMATORS
from boards.graph_games import MOVES
from boards.heuristics import HEURISTICS
from boards.reading import BadFile, read_yaml
from grader.bank.cases import Bank
from grader.bank.points import read_points
from staff.course import read_course
from staff.misconceptions import load_misconceptions
from staff.strict import reading, schema
from staff.strict.bank import case_files, check_everything, check_shares
from staff.strict.cases import check_files
from staff.strict.named import checked_boards, names_of_games, names_of_trees
from staff.strict.points import NAMES, check_points
from staff.strict.shapes import check_shapes
from staff.tests.conftest import KIT
from staff.wrong_labs import load_wrong_labs

MISTAKES: dict[str, Any] = yaml.safe_load(
    Path(__file__).with_name("mistakes.yaml").read_text("utf-8")
)
OF_CASES = [
    (function, row["case"], row["says"])
    for function, rows in MISTAKES["cases"].items()
    for row in rows
]
OF_FILES = [
    (reader, row["text"], row["says"])
    for reader, rows in MISTAKES["files"].items()
    for row in rows
]
PART_OF = {
    function: part.number for part in read_points() for function in part.functions
}
READERS: dict[str, Callable[[Path], object]] = {
    "cases": lambda file: check_files([reading.read_block(file)]),
    "boards": checked_boards,
    "trees": names_of_trees,
    "games": names_of_games,
    "points": check_points,
    "wrong_labs": load_wrong_labs,
    "misconceptions": lambda file: load_misconceptions((), file),
}


def mistake_in(name: str, text: str, reader: str, folder: Path) -> str:
    """What is said of a file, behind its name."""
    file = folder / name
    file.write_text(text, "utf-8")
    with pytest.raises(BadFile) as caught:
        READERS[reader](file)
    said = str(caught.value)
    assert "\n" not in said and said.startswith(f"{file}:")
    return said.removeprefix(f"{file}:")


@pytest.mark.parametrize(("function", "case", "says"), OF_CASES)
def test_a_mistake_in_a_case(
    function: str, case: str, says: str, tmp_path: Path
) -> None:
    head = f"part: {PART_OF[function]}\nfunction: {function}\ncases:\n"
    text = f"{head}  - {{id: a, says: A.,\n\n     {case}}}\n"
    assert (
        mistake_in("9z-new.yaml", text, "cases", tmp_path)
        .split(": ", 1)[1]
        .startswith(says)
    )


@pytest.mark.parametrize(("reader", "text", "says"), OF_FILES)
def test_a_mistake_in_a_file(reader: str, text: str, says: str, tmp_path: Path) -> None:
    assert mistake_in("9z-new.yaml", text, reader, tmp_path).startswith(says)


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (["yyy"], "one: every answer is yes"),
        (["yn", "nny"], "two: 3 calls, and one has 2: the number tells"),
        (["yn", "ny", "yn"], "three: yes and no come in the same order as in one"),
        (["yn", "ny"], ""),
    ],
)
def test_the_shape_of_a_case_does_not_tell_its_answers(
    answers: list[str], says: str
) -> None:
    cases = [
        {
            "id": name,
            "calls": [{"expect": {"value": letter == "y"}} for letter in letters],
        }
        for name, letters in zip(("one", "two", "three"), answers, strict=False)
    ]
    text = json.dumps({"function": "is_game_over_connectfour", "cases": cases})
    root = reading.parse_block(text.replace("},", "},\n"), Path("1a-game-over.yaml"))
    if not says:
        check_shapes([root])
        return
    with pytest.raises(BadFile, match=f"1a-game-over.yaml:[0-9]+: {re.escape(says)}"):
        check_shapes([root])


def test_what_stands_here_is_without_a_mistake() -> None:
    check_everything()
    check_shapes(map(reading.read_block, case_files()))


@pytest.mark.parametrize(
    "name", ["endings.yaml", "2f-endings.yml", "2f-end game.yaml", "2f-Endings.yaml"]
)
def test_a_case_file_has_a_name_that_can_be_typed(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("", "utf-8")
    with pytest.raises(
        BadFile, match=r"a case file has a name such as 2f-endings\.yaml"
    ):
        case_files(tmp_path)


def test_a_file_that_is_not_in_utf_8_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_bytes(b"part: 2\nsays: caf\xe9\n")
    with pytest.raises(
        BadFile,
        match=r"file\.yaml:2: a character here is not in UTF-8; save the file as UTF-8",
    ):
        reading.read_block(file)


def test_a_function_with_points_needs_a_case(bank: Bank) -> None:
    others = tuple(case for case in bank.cases if case.function != "dfs_maximizing")
    with pytest.raises(BadFile, match="dfs_maximizing has points but no case"):
        check_shares(Bank(bank.parts, others))


NAMED = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")


@pytest.mark.parametrize(
    "file",
    [*case_files(), *(KIT / "boards").glob("*.yaml")],
    ids=lambda file: file.name,
)
def test_a_file_is_valid_under_the_schema_that_it_names(file: Path) -> None:
    """So that an editor completes and checks a case while it is written."""
    named = NAMED.match(file.read_text("utf-8"))
    assert named, "its first line names no schema"
    assert (
        list(
            schema.validator((file.parent / named[1]).resolve()).iter_errors(
                read_yaml(file)
            )
        )
        == []
    )


def test_names_in_a_schema_are_those_of_the_code() -> None:
    definitions = {
        kind: json.loads((schema.KINDS / kind / "schema.json").read_text("utf-8"))
        for kind in NAMES
    }
    search, solver, player = (
        definitions[name]["definitions"] for name in ("search", "solver", "player")
    )
    assert search["arguments"]["properties"]["heuristic"]["enum"] == list(HEURISTICS)
    assert set(solver["game"]["properties"]["moves"]["enum"]) == MOVES.keys()
    assert (
        set(solver["expect"]["properties"]["values"]["additionalProperties"]["enum"])
        == Value.__members__.keys()
    )
    assert set(player["call"]["properties"]["game"]["else"]["enum"]) == GAMES.keys()
    assert player["estimator"]["enum"] == list(ESTIMATORS)


COURSE = (KIT / "staff" / "tests" / "support" / "course.yaml").read_text("utf-8")


@pytest.mark.parametrize(("key", "written", "says"), MISTAKES["course"])
def test_a_mistake_in_course_yaml(
    key: str, written: str, says: str, tmp_path: Path
) -> None:
    file = tmp_path / "course.yaml"
    before = re.search(
        rf"^ *{key.replace('versoin', 'version')}: ", COURSE, re.MULTILINE
    )
    assert before
    line = COURSE.count("\n", 0, before.start()) + 1
    after = COURSE[before.start() :].partition("\n")[2]
    indent = "  " if before[0].startswith(" ") else ""
    file.write_text(
        f"{COURSE[: before.start()]}{indent}{key}: {written}\n{after}", "utf-8"
    )
    with pytest.raises(BadFile) as caught:
        read_course(file)
    assert str(caught.value).startswith(f"{file}:{line}: {says}")
