"""Two functions that the kit has never seen: one more search, and one of a shape of its own.

The search needs no line of the kit's Python; the other one is a folder in grader/kinds/ more.  Each
step that is left out is one line that says which.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from staff.tests.conftest import adds_part_5
from staff.tests.support.masters import change, copy_master, decide, with_few_cases

pytestmark = adds_part_5
Step = Callable[[Path], None]

LAB = '''
# BEGIN PART 5
# --- Part 5: two more -------------------------------------------------------------------


def negamax_search(state, maximize=True):
    """(path, score, evaluations) of the best leaf, as minimax to the end of the game finds it."""
    # BEGIN SOLUTION
    if state.is_game_over():
        return [state], state.get_endgame_score(maximize), 1
    sign = 1 if maximize else -1
    found = [negamax_search(child, not maximize) for child in state.generate_next_states()]
    path, score, _ = max(found, key=lambda result: sign * result[1])
    return [state, *path], score, sum(result[2] for result in found)
    # END SOLUTION


def count_leaves(state):
    """How many ways of playing on there are from a state, each to its end."""
    # BEGIN SOLUTION
    return sum(map(count_leaves, state.generate_next_states())) if not state.is_game_over() else 1
    # END SOLUTION


# END PART 5
'''

POINTS = """\
  - part: 5
    title: Two more
    points: 10
    functions:
      negamax_search: {points: 7, kind: search, arguments: [maximize]}
      count_leaves: {points: 3, kind: leaves}
"""

NEGAMAX = """\
part: 5
function: negamax_search
cases:
  - id: four-by-four
    says: Two levels, four by four.
    calls:
      - {state: {tree: FOUR_BY_FOUR}, arguments: {maximize: true}}
      - {state: {tree: FOUR_BY_FOUR}, arguments: {maximize: false}}
  - id: three-plies
    says: Three plies with three children everywhere.
    state: {tree: THREE_BY_THREE_BY_THREE}
"""

LEAVES = """\
part: 5
function: count_leaves
cases:
  - id: trees
    says: The leaves of two trees.
    calls:
      - {tree: FOUR_BY_FOUR}
      - {tree: EQUAL_BOUNDS}
"""

TESTS = '''\
"""Part 5: two more.  The cases stand in boards/cases/5a-negamax.yaml and 5b-leaves.yaml."""


def test_negamax_search(case, grade):
    """Minimax, with one branch for both players."""
    grade(case)


def test_count_leaves(case, grade):
    """Every leaf is counted."""
    grade(case)
'''

HANDOUT = """\
{% set title, hours, word = "two more", (1, 2), "negamax" %}
## Part 5: {{ title }}

*{{ parts[5].points | in_points }}, about {{ hours | in_hours }}*

**You learn** that one branch is enough for both players.

- `negamax_search(state, maximize=True)`, {{ parts[5].functions.negamax_search | in_points }}
- `count_leaves(state)`, {{ parts[5].functions.count_leaves | in_points }}
"""

KIND = '''\
"""Functions from a tree to a number that is counted in it."""

from typing import Any

from api import draw_tree, parse_tree
from boards.cases import Call
from boards.cases import Function
from grader.judging.verdict import NOTHING, RIGHT, Finding
from grader.kinds.kind import Kind
from grader.protocol.plain import Garbled, encoded, is_number
from grader.protocol.words import returned, show


class Leaves(Kind[Any]):
    """A function from a state to a whole number."""

    def read(self, outcome: dict[str, Any]) -> Any:
        if "value" not in outcome:
            raise Garbled
        return encoded(outcome["value"])

    def judge(self, function: Function, call: Call, answer: Any) -> Finding:
        wanted = call.expect["leaves"]
        if is_number(answer) and answer == wanted:
            return RIGHT
        rows = (("leaves", str(wanted), show(answer)),)
        if not is_number(answer):
            return Finding(NOTHING, f"It {returned(answer)}; it should return a number.", rows)
        return Finding(NOTHING, "The number of leaves is wrong.", rows)

    def signature(self, function: Function, call: Call) -> str:
        return f"{function.name}(state)"

    def picture(self, function: Function, call: Call, answer: Any) -> list[str]:
        tree = parse_tree(call.inputs["tree"], call.inputs["negates"])
        return [f"  {line}" for line in draw_tree(tree, None, {}).splitlines()]


KIND = Leaves()
'''

CHILD = '''\
"""In the child: has the leaves of a tree counted."""

from types import ModuleType
from typing import Any

from boards.built import state_of
from grader.calls.encode import encode
from grader.calls.written import function_of


def call(lab: ModuleType, function: str, inputs: dict[str, Any]) -> dict[str, Any]:
    """What the function makes of the root."""
    return {"value": encode(function_of(lab, function)(state_of(inputs)))}
'''

STAFF = '''\
"""How cases of counted leaves are written.  Never ships."""

from collections.abc import Mapping
from typing import Any

from boards.cases import Function
from staff.strict.kind import Ask, Names, Writing
from staff.strict.reading import Block


class LeavesCases(Writing):
    """A `tree`, by its name."""

    def check(self, function: Function, call: Block, names: Names) -> None:
        names.check(call, "tree")

    def fill(self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
        return {"leaves": ask(function.name, inputs)}


WRITING = LeavesCases()
'''

SCHEMA = """\
{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "Cases of counted leaves",
  "allOf": [{"$ref": "../schema.json"}],
  "properties": {
    "cases": {
      "items": {
        "if": {"required": ["calls"]},
        "then": {"properties": {"calls": {"items": {"$ref": "#/definitions/one_of_several"}}}},
        "else": {"$ref": "#/definitions/alone"}
      }
    }
  },
  "definitions": {
    "alone": {
      "allOf": [{"$ref": "#/definitions/call"}],
      "properties": {
        "id": true, "says": true, "function": true, "weight": true, "seconds": true, "advice": true,
        "order": true, "opposite": true, "calls": true,
        "tree": true, "expect": true
      },
      "additionalProperties": false
    },
    "one_of_several": {
      "allOf": [{"$ref": "#/definitions/call"}],
      "properties": {"name": true, "tree": true, "expect": true},
      "additionalProperties": false
    },
    "call": {
      "properties": {"tree": {"type": "string"}, "expect": {"$ref": "#/definitions/expect"}},
      "required": ["tree"]
    },
    "expect": {
      "type": "object",
      "properties": {"leaves": {"type": "integer"}, "by_hand": {"$ref": "../schema.json#/definitions/by_hand"}},
      "additionalProperties": false,
      "anyOf": [{"required": ["leaves"]}]
    }
  }
}
"""

MODULES = {
    "__init__.py": '"""Counted leaves."""\n',
    "kind.py": KIND,
    "worker.py": CHILD,
    "schema.json": SCHEMA,
    "staff.py": STAFF,
}


def write(name: str, text: str) -> Step:
    def step(master: Path) -> None:
        (master / name).parent.mkdir(exist_ok=True)
        (master / name).write_text(text, "utf-8")

    return step


def write_lab(master: Path) -> None:
    change(master / "lab.py", "\ndef try_it", f"{LAB}\n\ndef try_it")


def write_points(master: Path) -> None:
    file = master / "boards" / "points.yaml"
    file.write_text(file.read_text("utf-8").replace("total: 100", "total: 110") + POINTS, "utf-8")


def write_kind(master: Path) -> None:
    for name, text in MODULES.items():
        write(f"grader/kinds/leaves/{name}", text)(master)


STEPS: dict[str, Step] = {
    "lab": write_lab,
    "points": write_points,
    "kind": write_kind,
    "negamax cases": write("boards/cases/5a-negamax.yaml", NEGAMAX),
    "leaves cases": write("boards/cases/5b-leaves.yaml", LEAVES),
    "tests": write("tests/test_part5.py", TESTS),
    "handout": write("staff/handout/part5.md", HANDOUT),
    "course": lambda master: decide(master, parts="[0, 1, 2, 3, 4, 5]"),
}


def master_without(left_out: str, folder: Path) -> Path:
    """A copy of this master copy with the two functions, but for one step."""
    master = with_few_cases(copy_master(folder))
    for name, step in STEPS.items():
        if name != left_out:
            step(master)
    return master


def typed(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "grader", *words], cwd=folder, capture_output=True, text=True)


def made(master: Path, out: Path) -> "subprocess.CompletedProcess[str]":
    """What is typed to have a release of it: up to the first command that fails."""
    done = typed(master, "expectations")
    return done if done.returncode else typed(master, "release", "--out", str(out))


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with the two functions, whose model is beside it."""
    folder = tmp_path_factory.mktemp("new")
    master = master_without("", folder / "master")
    done = made(master, folder / "release")
    assert done.returncode == 0, done.stderr
    shutil.copy(master / "lab.py", folder / "model.py")
    return folder / "release"


def grade(release: Path, lab: str) -> dict[str, object]:
    (release / "lab.py").write_text(lab, "utf-8")
    typed(release, "test")
    results: dict[str, object] = json.loads((release / "build" / "results.json").read_text("utf-8"))
    return results


def test_a_release_grades_both(release: Path) -> None:
    model = (release.parent / "model.py").read_text("utf-8")
    assert grade(release, model)["score"] == 110
    wrong = model.replace("sum(map(count_leaves", "len(list(map(count_leaves").replace(
        "_states())) if", "_states()))) if"
    )
    assert grade(release, wrong)["score"] == 107
    assert "leaves 16 4" in " ".join(typed(release, "test", "--part", "5").stdout.split())
    assert grade(release, model.replace("sign * result[1]", "result[1]"))["score"] == 103


def test_what_is_staffs_does_not_ship(release: Path) -> None:
    names = {file.relative_to(release).as_posix() for file in release.rglob("*.py")}
    assert "grader/kinds/leaves/worker.py" in names
    assert not [name for name in names if "staff" in name]
    assert "def negamax_search" in (release.parent / "model.py").read_text("utf-8")


def test_a_kind_is_a_short_folder() -> None:
    assert sum(len(text.splitlines()) for text in MODULES.values()) <= 150


@pytest.mark.parametrize(
    ("left_out", "said"),
    [
        ("lab", "boards/cases/5a-negamax.yaml:7: four-by-four: lab.py has no negamax_search"),
        ("points", "boards/cases/5a-negamax.yaml:1: points.yaml has no part 5"),
        ("kind", "`count_leaves` is of the kind `leaves`; grader/kinds/ has board, command, "),
        ("negamax cases", "negamax_search has points but no case in boards/cases/; add one"),
        ("tests", "tests/test_part5.py:1: negamax_search has no test; write `def test_negamax_search(case, grade):`"),
        ("handout", "part 5 has no section"),
    ],
)
def test_a_step_left_out_is_one_line(left_out: str, said: str, tmp_path: Path) -> None:
    done = made(master_without(left_out, tmp_path / "master"), tmp_path / "release")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert said in done.stderr
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize("name", sorted(MODULES.keys() - {"__init__.py"}))
def test_a_file_of_a_kind_left_out_is_one_line(name: str, tmp_path: Path) -> None:
    master = master_without("", tmp_path / "master")
    (master / "grader" / "kinds" / "leaves" / name).unlink()
    done = made(master, tmp_path / "release")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert f"grader/kinds/leaves has no {name}; " in done.stderr


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("staff.py", "WRITING = ", "OTHER = ", "grader/kinds/leaves/staff.py:1: AttributeError"),
        ("staff.py", '{"leaves": ask(', '{"leaves": lambda: (', "grader/kinds/leaves/staff.py:1: RepresenterError"),
        (
            "kind.py",
            "import returned, show",
            "import returns",
            "grader/kinds/leaves/kind.py:1: cannot import name 'retu",
        ),
        (
            "kind.py",
            "def judge(",
            "def jugde(",
            "grader/kinds/leaves/kind.py:1: Can't instantiate abstract class Leaves",
        ),
        ("kind.py", "def read(self,", "def read(self", "grader/kinds/leaves/kind.py:1: "),
        (
            "worker.py",
            '{"value": ',
            '{"values": ',
            "kind.py of `leaves` cannot read what worker.py sends: {'values': 16}",
        ),
        ("staff.py", "def check(self, function", "def check(self", "grader/kinds/leaves/staff.py:1: TypeError"),
        ("schema.json", '"anyOf"', '"allOf"', "grader/kinds/leaves/schema.json:1: KeyError: 'anyOf'"),
        ("schema.json", '"title": ', '"title" ', "grader/kinds/leaves/schema.json:1: JSONDecodeError"),
    ],
)
def test_a_mistake_in_a_kind_is_one_line(name: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    master = master_without("", tmp_path / "master")
    change(master / "grader" / "kinds" / "leaves" / name, old, new)
    done = typed(master, "expectations")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert said in done.stderr


def test_a_function_without_a_kind_is_a_line_wherever_cases_are_checked(tmp_path: Path) -> None:
    master = copy_master(tmp_path / "master")
    change(master / "boards" / "points.yaml", "solve: {points: 8, kind: solver}", "solve: {points: 8}")
    for words in (("test",), ("expectations",), ("release", "--out", str(tmp_path / "release"))):
        done = typed(master, *words)
        assert done.returncode == 2
        assert re.fullmatch(r"boards/points\.yaml:\d\d: `kind` is missing\n", done.stderr), done.stderr
