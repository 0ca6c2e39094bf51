"""The handout: what it promises is true, whatever parts a course chooses and however
much it tells.
"""

import ast
import dataclasses
import inspect
import posixpath
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import api
from boards.reading import BadFile
from grader.bank.cases import Bank
from grader.bank.points import Part, read_points
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.release import Release
from grader.showing.console import report
from grader.showing.style import Style
from staff.course import LEVELS, read_course
from staff.release.handout import HANDOUT, handout_context, render_handout
from staff.release.leaks import solution_lines
from staff.strict.bank import public_bank
from staff.tests.conftest import KIT
from staff.tests.support.handouts import (
    PARTS,
    SUBSETS,
    WHOLE,
    blocks,
    rendered,
    rendered_files,
)
from staff.tests.support.masters import COURSE, change
from staff.tests.support.waiting import LONG

WIDEST = 90


def functions_of(*parts: int) -> set[str]:
    return {
        name
        for part in read_points()
        if part.number in parts
        for name in part.functions
    }


A_COMMIT = "We grade the `lab.py` that you pushed to the main branch."
AN_UPLOAD = "We grade the `lab.py` that you have uploaded to Gradescope."


@pytest.mark.parametrize(
    ("hand_in", "counts"),
    [("GitHub", A_COMMIT), ("Gradescope", AN_UPLOAD), ("Classroom 50", A_COMMIT)],
)
def test_it_says_where_one_hands_in(hand_in: str, counts: str) -> None:
    text = rendered(hand_in=hand_in)
    assert counts in text
    rows = re.findall(r"^\| You hand in \| .*$", text, re.MULTILINE)
    assert len(rows) == 1
    assert hand_in in rows[0]


@pytest.mark.parametrize(
    ("hand_in", "says_so"),
    [("GitHub", False), ("Gradescope", True), ("Classroom 50", False)],
)
def test_it_says_whether_a_push_hands_in(hand_in: str, says_so: bool) -> None:
    text = rendered(hand_in=hand_in)
    assert ("a push does not hand in your work: we grade" in text) == says_so
    assert ("*Upload files*" in text) == (not says_so)


# --- what it promises ------------------------------------------------------------------------------


def signatures(text: str) -> dict[str, str]:
    """The bases of each class, and the parameters of each function and method, that are
    defined there.
    """
    signatures = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            signatures[node.name] = ast.unparse(node.args)
        elif isinstance(node, ast.ClassDef):
            signatures[node.name] = ", ".join(map(ast.unparse, node.bases))
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    name = f"{node.name}.{method.name}"
                    signatures[name] = ast.unparse(method.args)
    return signatures


def told_signatures() -> dict[str, str]:
    """Those in the blocks of Python, without the points beside them."""
    code = "\n".join(block for block in blocks("python", WHOLE) if "def " in block)
    code = re.sub(r" +# [\d.]+ points?$", "", code, flags=re.MULTILINE)
    with_bodies = re.sub(
        r"^(    )?(def [^:]*:)$", r"\1\2 ...", code, flags=re.MULTILINE
    )
    return signatures(with_bodies)


TOLD = told_signatures()
REAL = signatures((KIT / "lab.py").read_text(encoding="utf-8"))


def test_signatures_are_those_of_lab_py() -> None:
    assert {name: REAL.get(name) for name in TOLD} == TOLD


@pytest.mark.parametrize("name", sorted(functions_of(0, 4) & TOLD.keys()))
def test_every_method_of_a_class_is_told(name: str) -> None:
    methods = {method for method in REAL if method.startswith(f"{name}.")}
    assert methods <= TOLD.keys()


def test_every_function_with_points_is_told() -> None:
    """Part 3 names its answers; `make_run` is a command."""
    part_3 = WHOLE.partition("## Part 3")[2].partition("\n## ")[0]
    answers = {name for name in functions_of(3) if f"`{name}`" in part_3}
    assert functions_of(*PARTS) <= {*TOLD, *answers, "make_run"}


Call = tuple[str, set[str]]  # the name of a function, and those of its arguments


def calls_in_tables() -> list[Call]:
    """The calls in the first cells of the rows of tables."""
    cells = re.findall(r"^\|([^|]*)\|", WHOLE, flags=re.MULTILINE)
    texts = re.findall(r"`([A-Za-z_]+\([^`]*\))`", "\n".join(cells))
    calls = []
    for text in texts:
        call = ast.parse(text, mode="eval").body
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Name)
        names = {part.id for part in call.args if isinstance(part, ast.Name)}
        names |= {str(part.arg) for part in call.keywords}
        calls.append((call.func.id, names))
    return calls


def of_the_api(name: str) -> list[Any]:
    """The functions of the api, and the methods of its classes, with this name."""
    public = [getattr(api, name) for name in api.__all__]
    owners = [api, *(each for each in public if isinstance(each, type))]
    named = [getattr(owner, name, None) for owner in owners]
    return [each for each in named if callable(each)]


CALLS = [call for call in calls_in_tables() if of_the_api(call[0])]


def test_tables_have_many_calls_of_the_api() -> None:
    assert len(CALLS) > 30


@pytest.mark.parametrize(("function", "arguments"), CALLS)
def test_parameters_in_tables_are_those_of_the_api(
    function: str, arguments: set[str]
) -> None:
    """Whoever passes an argument by the name that stands there is understood."""
    parameters = [inspect.signature(each).parameters for each in of_the_api(function)]
    assert any(arguments <= set(names) for names in parameters)


REFERENCE = rendered_files()["docs/reference.md"]
TOLD_CLASSES = (
    api.Game,
    api.ConnectFourBoard,
    api.AbstractGameState,
    api.AnytimeValue,
    api.TwoPlayerGame,
    api.Referee,
)


def test_names_of_the_api_exist() -> None:
    names = set(re.findall(r"^\| `(\w+)\(.*?\|", REFERENCE, re.MULTILINE))
    members = {name for each in TOLD_CLASSES for name in dir(each)}
    assert names >= {"Nim", "Referee", "two_player_state", "make_move"}
    assert names <= members | set(api.__all__)


def test_every_method_of_a_game_for_two_is_told() -> None:
    methods = {name for name in vars(api.TwoPlayerGame) if not name.startswith("_")}
    assert methods <= set(re.findall(r"`(\w+)", REFERENCE))


SCREENS = [
    ((2, 3), "if alpha >= beta:", "if alpha > beta:"),
    (
        (1, 2),
        "-1000 if is_current_player_maximizer else 1000",
        "1000 if is_current_player_maximizer else -1000",
    ),
    (
        PARTS,
        "{min(removal, position) for removal in self.removals}",
        "[r for r in self.removals if r <= position]",
    ),
    ((4,), "if isinstance(status, Over):", "if depth and isinstance(status, Over):"),
]


def typed_and_shown(parts: tuple[int, ...], level: str) -> tuple[str, list[str]]:
    """The first screen of the handout: the words of K=, and the lines below."""
    command, *lines = blocks("text", rendered(parts, feedback=level))[0].splitlines()
    return command.partition("K=")[2], [line for line in lines if line]


@dataclass(frozen=True)
class WrongCourse:
    """A course with some parts, and the sheet of the mistake that its handout shows."""

    parts: tuple[int, ...]
    sheet: ScoreSheet


@pytest.fixture(scope="module", params=SCREENS, ids=lambda screen: str(screen[0]))
def wrong_course(
    request: pytest.FixtureRequest,
    bank: Bank,
    model: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> WrongCourse:
    """Each screen above."""
    parts, right, wrong = request.param
    assert model.count(right) == 1
    lab = tmp_path_factory.mktemp("wrong") / "lab.py"
    lab.write_text(model.replace(right, wrong), encoding="utf-8")
    word, _ = typed_and_shown(parts, "full")
    with Session(lab, bank) as session:
        cases = [case for case in bank.cases if word in case.id]
        return WrongCourse(parts, session.sheet_of(cases))


@pytest.mark.parametrize("level", LEVELS)
def test_the_screen_is_what_make_test_shows(
    level: str, wrong_course: WrongCourse
) -> None:
    word, screen = typed_and_shown(wrong_course.parts, level)
    assert word == typed_and_shown(wrong_course.parts, "full")[0]
    limited = with_feedback(wrong_course.sheet, level)
    sheet = dataclasses.replace(limited, kit=Release(feedback=level))
    shown = report(sheet, False, Style(colour=False, ascii_only=True, make=True))
    assert [line for line in shown.splitlines() if line in screen] == screen
    assert ("expected" in shown) == (level == "full")


def test_a_case_of_the_handout_may_be_removed() -> None:
    bank = dataclasses.replace(public_bank(), cases=())
    files = render_handout(handout_context(read_course(COURSE), bank))
    example = blocks("text", files["README.md"])[0]
    assert "FAIL  zeroby/twenty-five-by-one-three-or-four   (0 of 0 points)" in example


def test_no_line_of_the_solution() -> None:
    lines = solution_lines((KIT / "lab.py").read_text(encoding="utf-8"), KIT / "lab.py")
    texts = [file.read_text(encoding="utf-8") for file in sorted(HANDOUT.glob("*.md"))]
    squeezed = "".join("".join([*texts, WHOLE]).split())
    assert lines
    assert not [line for line in lines if line in squeezed]


# --- when a case fails -----------------------------------------------------------------------------


FIRST_NAMES = {
    PARTS: "(25, (1, 3, 4))",
    (1, 3): "False",
    (2,): "(-inf, inf)",
    (3, 4): "(0, 'XXXOO....')",
}
"""What the names are that the handout has printed first, by the parts of the course."""


@pytest.mark.parametrize("parts", FIRST_NAMES, ids=str)
def test_the_case_that_fails_stops_in_the_debugger(parts: tuple[int, ...]) -> None:
    told = rendered(parts).partition("\n## In the debugger\n")[2].partition("\n## ")[0]
    [command] = blocks("sh", told)
    typed = re.findall(r"^\| `(.*?)` \|", told, re.MULTILINE)
    assert [words.split()[0] for words in typed] == [*"snplubcq"]
    step, skip, look, listing, up, stop_at, onward, leave = typed
    lines = [look, listing, stop_at, step, skip, up, leave, onward]
    done = subprocess.run(
        [sys.executable, "-m", "grader", *command.split()[1:]],
        cwd=KIT, input="\n".join(lines), capture_output=True, text=True, timeout=LONG,
    )  # fmt: skip
    assert done.returncode == 0
    assert f"(Pdb) {FIRST_NAMES[parts]}\n" in done.stdout
    errors = re.findall(r"^\*\*\* .*$", done.stdout, re.MULTILINE)
    assert errors == []


# --- whatever a course decides ---------------------------------------------------------------------


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def check_links(files: dict[str, str]) -> None:
    """Each link within the handout and its pages leads to a file and a heading that are
    there.
    """
    bare = {
        name: re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
        for name, text in files.items()
    }
    anchors = {
        name: list(map(slug, re.findall(r"^#+ (.*)$", text, re.MULTILINE)))
        for name, text in bare.items()
    }
    for name, text in bare.items():
        assert len(set(anchors[name])) == len(anchors[name]), name
        for link in re.findall(r"\]\((?!https?:)(.*?)\)", text):
            path, _, anchor = link.partition("#")
            target = name
            if path:
                folder = posixpath.dirname(name)
                target = posixpath.normpath(posixpath.join(folder, path))
            assert target in files, f"{name}: {link}"
            assert anchor in ["", *anchors[target]], f"{name}: {link}"


def check_form(text: str) -> None:
    """Code that needs no scrolling, and tables whose rows are all as long."""
    for block in re.findall(r"^```\w+\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        assert all(len(line) <= WIDEST for line in block.splitlines())
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        rows = table.splitlines()
        assert len({row.count("|") for row in rows}) == 1, rows[0]
        assert re.fullmatch(r"(\|---)+\|", rows[1]), rows[1]
    assert not re.search(r"\n\n\n", text)


def mentions(name: str, text: str) -> bool:
    """Whether the text speaks of a function; `solve` is also a word."""
    if name == "solve":
        return bool(re.search(r"`solve\b|\bsolve\(", text))
    return bool(re.search(rf"\b{name.replace('make_run', 'make run')}\b", text))


@pytest.mark.parametrize("parts", SUBSETS, ids=str)
def test_any_parts_make_a_whole(parts: tuple[int, ...]) -> None:
    text = rendered(parts)
    check_links(rendered_files(parts))
    check_form(text)
    assert {
        name for name in functions_of(*PARTS) if mentions(name, text)
    } == functions_of(*parts)
    numbers = re.findall(r"(?<!Homefun )\b[Pp]art (\d)", text)
    assert {int(number) for number in numbers} <= set(parts)
    assert not re.search(r"\{[{%#]|[#%}]\}|Undefined", text)
    assert text.endswith("\n") and not text.endswith("\n\n")


@pytest.mark.parametrize("answers", [True, False])
@pytest.mark.parametrize("feedback", LEVELS)
def test_however_much_is_told(feedback: str, answers: bool) -> None:
    hidden = {"solve": Fraction(1, 2), "minimax_search": Fraction(1, 2)}
    later = "8.5"
    if not answers:
        hidden |= dict.fromkeys(functions_of(3), Fraction(1))
        later = "16.5"
    decisions: dict[str, Any] = {
        "feedback": feedback,
        "answers": answers,
        "hidden": tuple(hidden.items()),
    }
    text = rendered(**decisions)
    check_links(rendered_files(**decisions))
    check_form(text)
    assert ("Once it is," in text) == (feedback == "full" and answers)
    assert "| `solve` | 8 | 50% |" in text
    assert ("| `ANSWER_1` | 2 | 100% |" in text) == (not answers)
    assert f"{later} points" in text


def times_seven(part: Part) -> Part:
    """The part with seven times its points, which are then in no text."""
    points = {name: points * 7 for name, points in part.functions.items()}
    return dataclasses.replace(part, functions=points)


@pytest.fixture(scope="module")
def seven_times() -> tuple[tuple[Part, ...], str]:
    """Parts with seven times their points, and their handout."""
    bank = public_bank()
    parts = tuple(map(times_seven, bank.parts))
    bank = dataclasses.replace(bank, parts=parts)
    files = render_handout(handout_context(read_course(COURSE), bank))
    return parts, "\n".join(files.values())


def test_the_table_has_the_points_of_each_function(
    seven_times: tuple[tuple[Part, ...], str],
) -> None:
    parts, text = seven_times
    for part in parts:
        for name, points in part.functions.items():
            said = name.replace("make_run", "make run")
            assert f"| `{said}` | {points / 100:g} |" in text
    total = sum(part.points for part in parts)
    assert f"| | total | {total / 100:g} |" in text


def test_points_stand_nowhere_but_in_the_context(
    seven_times: tuple[tuple[Part, ...], str],
) -> None:
    parts, text = seven_times
    known = {sum(part.points for part in parts)}
    for part in parts:
        known |= {part.points, *part.functions.values()}
    of_cases = r"\([\d.]+ of [\d.]+ points\)"
    told = re.findall(r"(\d+) points?\b", re.sub(of_cases, "", text))
    assert {int(points) * 100 for points in told} <= known


@pytest.mark.parametrize(
    "mistake", ["{{ course.titel }}", "{% if 0 in parts %}", '{% include "gone.md" %}']
)
@pytest.mark.parametrize("name", ["handout.md", "part2.md", "pages/limits.md"])
def test_a_mistake_in_a_template_has_its_line(
    name: str, mistake: str, tmp_path: Path
) -> None:
    folder = shutil.copytree(HANDOUT, tmp_path / "handout")
    text = (folder / name).read_text(encoding="utf-8")
    (folder / name).write_text(f"{text}\n{mistake}\n", encoding="utf-8")
    with pytest.raises(BadFile) as raised:
        render_handout(handout_context(read_course(COURSE), public_bank()), folder)
    assert str(raised.value).startswith(
        f"{folder}/{name}:{len(text.splitlines()) + 2}: the template cannot be filled in"
    )


PART_7 = """\
{% set title, hours, word = "More to do", (3, 5), "more" %}
## Part 7: {{ title }}

Work.
"""


@pytest.fixture
def with_part_7(tmp_path: Path) -> Path:
    """The templates of the handout with a part of which no other file knows."""
    folder = shutil.copytree(HANDOUT, tmp_path / "handout")
    (folder / "part7.md").write_text(PART_7, encoding="utf-8")
    return Path(folder)


def rendered_with_part_7(folder: Path, *others: Part) -> dict[str, str]:
    """The handout of these parts and of part 7."""
    part = dataclasses.replace(read_points()[0], number=7, functions={"more": 500})
    bank = dataclasses.replace(public_bank(), parts=(*others, part))
    return render_handout(handout_context(read_course(COURSE), bank), folder)


def test_a_part_is_one_file(with_part_7: Path) -> None:
    """It has its place in the contents and in the hours."""
    files = rendered_with_part_7(with_part_7)
    text = files["README.md"]
    check_links(files)
    check_form(text)
    assert "- [Part 7: More to do](#part-7-more-to-do)\n" in text
    assert "about 3 to 5 hours in total" in text


def test_a_part_has_its_place_among_the_parts(with_part_7: Path) -> None:
    text = rendered_with_part_7(with_part_7, *read_points())["README.md"]
    headings = re.findall(r"^## (Part [47]: |The survey)", text, re.MULTILINE)
    assert headings == ["Part 4: ", "Part 7: ", "The survey"]


def test_what_a_part_must_set_is_named(with_part_7: Path) -> None:
    change(with_part_7 / "part7.md", "hours, word", "hours, words")
    says = r"part7\.md:1: the handout must know the word of part 7"
    with pytest.raises(BadFile, match=says):
        rendered_with_part_7(with_part_7)
