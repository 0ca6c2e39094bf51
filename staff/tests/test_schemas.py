"""The schemas of data files: an editor completes and checks a case by them while it is written, and so does the kit."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest
from jsonschema import Draft7Validator
from referencing import Registry, Resource

from api import GAMES, Value
from boards.estimators import ESTIMATORS
from boards.graph_games import MOVES
from boards.heuristics import HEURISTICS
from boards.reading import BadFile, read_yaml
from grader.kinds.kind import KINDS
from staff.strict.bank import case_files
from staff.strict.cases import check_files
from staff.strict.reading import parse_yaml
from staff.tests.conftest import KIT

NAMED = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")
OF_KINDS = {name: KIT / "grader" / "kinds" / name / "schema.json" for name in KINDS}
SCHEMAS = [KIT / "grader" / "kinds" / "schema.json", *OF_KINDS.values(), *(KIT / "boards" / "schemas").glob("*.json")]
FILES = [*case_files(), *(KIT / "boards").glob("*.yaml")]


def read(schema: Path) -> Any:
    return json.loads(schema.read_text("utf-8"))


def as_an_editor(schema: Path) -> Draft7Validator:
    """What an editor checks with: the schema and those it refers to, by the places of their files."""

    def retrieve(uri: str) -> Any:
        return Resource.from_contents(read(Path(url2pathname(urlparse(uri).path))))

    registry: Any = Registry(retrieve=retrieve)  # type: ignore[call-arg]
    return Draft7Validator({"$ref": schema.as_uri()}, registry=registry)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_is_valid_under_the_schema_that_it_names(file: Path) -> None:
    named = NAMED.match(file.read_text("utf-8"))
    assert named, "its first line names no schema"
    schema = (file.parent / named[1]).resolve()
    assert schema in SCHEMAS
    assert [error.message for error in as_an_editor(schema).iter_errors(read_yaml(file))] == []


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.relative_to(KIT).as_posix())
def test_a_schema_is_one(schema: Path) -> None:
    Draft7Validator.check_schema(read(schema))


def parts_of(schema: Any) -> Iterator[dict[str, Any]]:
    """A schema and those in it, but for its conditions, whose own words nobody sees."""
    if isinstance(schema, dict):
        yield schema
        for key in schema.keys() - {"if", "anyOf", "oneOf"}:
            yield from parts_of(schema[key])


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.relative_to(KIT).as_posix())
def test_what_a_library_says_badly_is_said_by_the_schema(schema: Path) -> None:
    """Where a value is wrong, and not just of another type, there is a sentence."""
    of_values = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "pattern", "minItems", "maxItems"}
    for part in parts_of(read(schema)):
        if part.keys() & (of_values | {"anyOf", "oneOf", "const", "not", "minProperties", "maxProperties"}):
            assert "errorMessage" in part, part


def test_names_in_a_schema_are_those_of_the_code() -> None:
    search, solver, player = (read(OF_KINDS[name])["definitions"] for name in ("search", "solver", "player"))
    assert search["arguments"]["properties"]["heuristic"]["enum"] == list(HEURISTICS)
    assert set(solver["game"]["properties"]["moves"]["enum"]) == MOVES.keys()
    assert solver["game"]["properties"]["positions"]["enum"] == ["names", "tuples", "numbers"]
    assert set(solver["expect"]["properties"]["values"]["additionalProperties"]["enum"]) == Value.__members__.keys()
    assert set(player["call"]["properties"]["game"]["else"]["enum"]) == GAMES.keys()
    assert player["estimator"]["enum"] == list(ESTIMATORS)


@pytest.mark.parametrize("kind", KINDS)
def test_an_expectation_has_one_of_several_forms(kind: str) -> None:
    """A form is closed, and made of what the schema describes."""
    expect = read(OF_KINDS[kind])["definitions"]["expect"]
    for form in expect["anyOf"]:
        assert set(form["required"]) <= expect["properties"].keys()
        if "propertyNames" in form:
            assert set(form["propertyNames"]["enum"]) - {"by_hand"} == set(form["required"])
    assert all("propertyNames" in form for form in expect["anyOf"][:-1])


HEAD = {
    "zero_by": "part: 0\nfunction: ZeroBy\n",
    "solver": "part: 0\nfunction: solve\n",
    "command": "part: 0\nfunction: make_run\n",
    "board": "part: 1\nfunction: endgame_score_connectfour\n",
    "search": "part: 2\nfunction: minimax_search\n",
    "question": "part: 3\nfunction: ANSWER_1\n",
    "player": "part: 4\nfunction: MinimaxPlayer\n",
}
GOOD = {
    "zero_by": "n: 3, removals: [1]",
    "solver": "game: {graph: DIAMOND}",
    "command": "command: zero_by 10 1 2",
    "board": "board: BOARD_REDFISH_WON_FAST, maximizer: true",
    "search": "state: {tree: FOUR_BY_FOUR}",
    "question": "expect: {explain: It is so.}",
    "player": "game: nim, position: 3, depth: 1",
}
MISTAKES = [
    ("zero_by", "n: 3, removals: []", "`removals` is a list of positive whole numbers, not empty"),
    ("zero_by", "n: three, removals: [1]", "`n` is 'three'; a whole number is wanted"),
    ("zero_by", "n: 3, removal: [1]", "unknown key `removal`; did you mean `removals`?"),
    ("solver", "game: {staircase: 3, chain: 3}", "`game` is one of {graph: NAME}"),
    ("solver", "game: {graph: DIAMOND, moves: array}", "`moves` is array; it is one of list, tuple, set"),
    ("solver", "game: DIAMOND", "`game` is one of {graph: NAME}"),
    ("command", "command: zero_by 10 1, through: shell", "`through` is shell; it is `make`, or left out"),
    ("command", "command: [zero_by, 10]", "`command` is ['zero_by', 10]; YAML does not read that as text"),
    ("board", "board: NEARLY_OVER, maximizer: 1", "`maximizer` is 1; true or false is wanted"),
    ("board", "board: NEARLY_OVER, maximizer: true, expect: {columns: [7]}", "`columns` holds 7; they are whole"),
    ("search", "state: {tree: FOUR_BY_FOUR, nim: 3}", "`state` is one of {tree: NAME}"),
    ("search", "state: {tic_tac_toe: XO}", "`tic_tac_toe` is no position: nine of `X`, `O` and `.`"),
    ("search", "state: {nim: 3}, arguments: {heuristic: open_line}", "no heuristic `open_line`; did you mean `open_l"),
    ("search", "state: {nim: 3}, arguments: {depth_limit: -1}", "`depth_limit` is -1; it is a whole number of 0"),
    ("search", "state: {nim: 3}, expect: {score: high}", "`score` is 'high'; a number is wanted"),
    ("search", "state: {nim: 3}, expect: ", "`expect` is empty; leave it out, and `make expectations` fills it in"),
    ("search", "state: {nim: 3}, weight: 0", "`weight` is a whole number of 1 or more, not 0"),
    ("search", "state: {nim: 3}, seconds: 61", "`seconds` is above 0 and at most 60, not 61"),
    ("search", "calls: [{state: {nim: 3}}], state: {nim: 3}", "`state` has no place beside `calls`; write it into"),
    ("search", "calls: ", "`calls` is a list of one call or more, each a mapping, not empty"),
    ("question", "expect: ", "`expect` is empty; write `expect: {explain: why this answer is right}`"),
    ("question", "expect: {explained: It is so.}", "unknown key `explained`; did you mean `explain`?"),
    ("player", "game: nim, depth: 1", "`position` is missing"),
    ("player", "game: {tree: HORIZON}, position: 3, depth: 1", "`position` has no place here: a tree is played from"),
    ("player", "game: nim, position: 3, depth: 0", "`depth` is 0; next_move or search takes a higher one"),
    ("player", "game: chess, position: 3, depth: 1", "no game `chess`; there are nim, tic_tac_toe, very_dumb_nim and"),
    ("player", "game: nim, position: 3, depth: 1, before: [{call: next_move, depth: 1}]", "`depth` has no place here"),
    ("player", "game: nim, position: 3, depth: 1, expect: {estimate: {}}", "`estimate` is empty; an estimate is {sure"),
]


def case_file(kind: str, case: str) -> str:
    return f"{HEAD[kind]}cases:\n  - {{id: a, says: A., {case}}}\n"


@pytest.mark.parametrize("kind", GOOD)
def test_a_case_that_is_not_filled_in_yet_is_valid(kind: str) -> None:
    """An editor does not miss an expectation."""
    root = parse_yaml(case_file(kind, GOOD[kind]), Path("9z-new.yaml"))
    check_files([root], unfilled=True)
    assert as_an_editor(OF_KINDS[kind]).is_valid(root)


@pytest.mark.parametrize(("kind", "case", "said"), MISTAKES)
def test_a_mistake_is_refused_by_an_editor_and_by_the_kit(kind: str, case: str, said: str) -> None:
    root = parse_yaml(case_file(kind, case), Path("9z-new.yaml"))
    assert not as_an_editor(OF_KINDS[kind]).is_valid(root)
    with pytest.raises(BadFile, match=rf"^9z-new\.yaml:4: {re.escape(said)}"):
        check_files([root], unfilled=True)


def test_an_argument_of_a_function_that_takes_none_is_to_be_listed_first() -> None:
    text = "part: 2\nfunction: dfs_maximizing\ncases:\n  - id: a\n    says: A.\n"
    text += "    state: {tree: FOUR_BY_FOUR}\n    arguments: {maximize: true}\n"
    said = r"9z-new\.yaml:7: boards/points\.yaml gives dfs_maximizing no `arguments`; list them there"
    with pytest.raises(BadFile, match=said):
        check_files([parse_yaml(text, Path("9z-new.yaml"))], unfilled=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("part: 2\n", "1: `cases` is missing"),
        ("part: 2\ncases:\n", "2: `cases` is empty; write a case, `- id: …`, or delete this file"),
        ("part: 2\ncases: [3]\n", "2: `cases` holds 3; a case is a mapping: `- id: …`, and the rest below it"),
        ("part: two\ncases: [{id: a, says: A.}]\n", "1: `part` is 'two'; a whole number is wanted"),
        ("part: 2\ncase: []\n", "2: unknown key `case`; did you mean `cases`?"),
        ("part: 2\ncases: [{id: A b, says: A.}]\n", "2: `id` is 'A b'; it is of small letters and digits, with - betw"),
    ],
)
def test_a_mistake_in_a_file_as_a_whole(text: str, said: str) -> None:
    root = parse_yaml(text, Path("9z-new.yaml"))
    assert not as_an_editor(OF_KINDS["search"]).is_valid(root)
    with pytest.raises(BadFile, match=rf"^9z-new\.yaml:{re.escape(said)}"):
        check_files([root])


def test_a_file_with_functions_of_two_kinds_is_checked_by_the_schema_of_each() -> None:
    text = "part: 0\ncases:\n  - {id: a, says: A., function: ZeroBy, n: 3, removals: [1]}\n"
    check_files(
        [parse_yaml(f"{text}  - {{id: b, says: A., function: solve, game: {{chain: 3}}}}\n", Path("9-z.yaml"))], True
    )
    with pytest.raises(BadFile, match=r"9-z\.yaml:4: `chain` is a whole number of 1 or more, not 0"):
        check_files(
            [parse_yaml(f"{text}  - {{id: b, says: A., function: solve, game: {{chain: 0}}}}\n", Path("9-z.yaml"))]
        )
