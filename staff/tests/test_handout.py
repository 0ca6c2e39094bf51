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
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import api
from boards.reading import BadFile
from grader.bank.cases import Bank
from grader.bank.points import read_points
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.release import Release
from grader.showing.console import report
from grader.showing.style import Style
from staff.course import LEVELS, read_course
from staff.release.handout import HANDOUT, handout_context, render_handout
from staff.release.leaks import solution_lines
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


@pytest.mark.parametrize(
    ("hand_in", "counts"),
    [
        (
            "GitHub",
            "We grade the `lab.py` in a commit that you pushed to the main branch.",
        ),
        (
            "Gradescope",
            "We grade the `lab.py` that you have uploaded to Gradescope.",
        ),
        (
            "Classroom 50",
            "We grade the `lab.py` in a commit that you pushed to the main branch.",
        ),
    ],
)
def test_it_says_where_one_hands_in(hand_in: str, counts: str) -> None:
    text = rendered(hand_in=hand_in)
    assert counts in text
    assert len(re.findall(r"^\| You hand in \| .*" + hand_in, text, re.MULTILINE)) == 1
    assert ("a push does not hand in your work: w" + counts[1:] in text) == (
        hand_in == "Gradescope"
    )
    assert ("*Upload files*" in text) == (hand_in != "Gradescope")


# --- what it promises ------------------------------------------------------------------------------


def signatures(text: str) -> dict[str, str]:
    """The bases of each class, and the parameters of each function and method, that are
    defined there.
    """
    found = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = ast.unparse(node.args)
        elif isinstance(node, ast.ClassDef):
            found[node.name] = ", ".join(map(ast.unparse, node.bases))
            methods = [
                method for method in node.body if isinstance(method, ast.FunctionDef)
            ]
            found |= {
                f"{node.name}.{method.name}": ast.unparse(method.args)
                for method in methods
            }
    return found


def test_signatures_are_those_of_lab_py() -> None:
    code = "\n".join(block for block in blocks("python", WHOLE) if "def " in block)
    code = re.sub(r" +# [\d.]+ points?$", "", code, flags=re.MULTILINE)
    told = signatures(
        re.sub(r"^(    )?(def [^:]*:)$", r"\1\2 ...", code, flags=re.MULTILINE)
    )
    real = signatures((KIT / "lab.py").read_text(encoding="utf-8"))
    assert told == {name: real.get(name) for name in told}
    for name in functions_of(0, 4) & set(told):
        assert {method for method in real if method.startswith(f"{name}.")} <= set(
            told
        ), name
    answers = {
        name
        for name in functions_of(3)
        if f"`{name}`" in WHOLE.partition("## Part 3")[2].partition("\n## ")[0]
    }
    assert functions_of(*PARTS) == (set(told) & functions_of(*PARTS)) | answers | {
        "make_run"
    }


def test_parameters_in_tables_are_those_of_the_api() -> None:
    """Whoever passes an argument by the name that stands there is understood."""
    owners = [
        api,
        *(
            getattr(api, name)
            for name in api.__all__
            if isinstance(getattr(api, name), type)
        ),
    ]
    cells = re.findall(r"^\|([^|]*)\|", WHOLE, flags=re.MULTILINE)
    calls = [
        call for cell in cells for call in re.findall(r"`([A-Za-z_]+\([^`]*\))`", cell)
    ]
    known = 0
    for call in (ast.parse(call, mode="eval").body for call in calls):
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Name)
        found = [
            getattr(owner, call.func.id)
            for owner in owners
            if hasattr(owner, call.func.id)
        ]
        told = {part.id for part in call.args if isinstance(part, ast.Name)} | {
            str(part.arg) for part in call.keywords
        }
        known += bool(found)
        assert not found or any(
            told <= set(inspect.signature(each).parameters) for each in found
        ), ast.unparse(call)
    assert known > 30


def test_names_of_the_api_exist() -> None:
    told = rendered_files()["docs/reference.md"]
    names = set(re.findall(r"^\| `(\w+)\(.*?\|", told, re.MULTILINE))
    kinds = (
        api.Game,
        api.ConnectFourBoard,
        api.AbstractGameState,
        api.AnytimeValue,
        api.TwoPlayerGame,
        api.Referee,
    )
    members = {name for kind in kinds for name in dir(kind)}
    assert (
        {"Nim", "Referee", "two_player_state", "make_move"}
        <= names
        <= members | set(api.__all__)
    )
    assert {name for name in vars(api.TwoPlayerGame) if name[0] != "_"} <= set(
        re.findall(r"`(\w+)", told)
    )


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


@pytest.mark.parametrize(
    ("parts", "right", "wrong"), SCREENS, ids=lambda value: str(value)[:12]
)
def test_the_screen_is_what_make_test_shows(
    parts: tuple[int, ...],
    right: str,
    wrong: str,
    bank: Bank,
    model: str,
    tmp_path: Path,
) -> None:
    assert model.count(right) == 1
    (tmp_path / "lab.py").write_text(model.replace(right, wrong), encoding="utf-8")
    screens = {
        level: blocks("text", rendered(parts, feedback=level))[0].splitlines()
        for level in LEVELS
    }
    (word,) = {screen[0].partition("K=")[2] for screen in screens.values()}
    chosen = [case for case in bank.cases if word in case.id]
    with Session(tmp_path / "lab.py", bank) as session:
        sheet = session.sheet_of(chosen)
    for level, screen in screens.items():
        told = dataclasses.replace(
            with_feedback(sheet, level), kit=Release(feedback=level)
        )
        shown = report(told, False, Style(colour=False, ascii_only=True, make=True))
        shown = re.sub(r" +\([\d.]+ of [\d.]+ points\)$", "", shown, flags=re.MULTILINE)
        assert [line for line in screen[1:] if line] == [
            line for line in shown.splitlines() if line in screen and line
        ]
        assert (level == "full") == ("expected" in shown)


def test_no_line_of_the_solution() -> None:
    lines = solution_lines((KIT / "lab.py").read_text(encoding="utf-8"), KIT / "lab.py")
    texts = [file.read_text(encoding="utf-8") for file in sorted(HANDOUT.glob("*.md"))]
    squeezed = "".join("".join([*texts, WHOLE]).split())
    assert lines
    assert not [line for line in lines if line in squeezed]


# --- when a case fails -----------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [PARTS, (1, 3), (2,), (3, 4)], ids=str)
def test_the_case_that_fails_stops_in_the_debugger(parts: tuple[int, ...]) -> None:
    told = rendered(parts).partition("\n## In the debugger\n")[2].partition("\n## ")[0]
    [command] = blocks("sh", told)
    typed = re.findall(r"^\| `(.*?)` \|", told, re.MULTILINE)
    assert [words.split()[0] for words in typed] == [*"snplubcq"]
    step, skip, look, listing, up, stop_at, onward, leave = typed
    done = subprocess.run(
        [sys.executable, "-m", "grader", *command.split()[1:]],
        cwd=KIT, input="\n".join([look, listing, stop_at, step, skip, up, leave, onward]), capture_output=True, text=True, timeout=LONG,
    )  # fmt: skip
    names = {2: "(-inf, inf)", 1: "False", 0: "(25, (1, 3, 4))", 4: "(0, 'XXXOO....')"}
    assert (
        f"(Pdb) {names[next(part for part in (0, 1, 2, 4) if part in parts)]}\n"
        in done.stdout
    ), done.stdout
    assert not re.search(r"^\*\*\* ", done.stdout, re.MULTILINE), done.stdout
    assert done.returncode == 0


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
        name: [
            slug(heading)
            for heading in re.findall(r"^#+ (.*)$", bare[name], re.MULTILINE)
        ]
        for name in bare
    }
    for name, text in bare.items():
        assert len(set(anchors[name])) == len(anchors[name]), name
        for link in re.findall(r"\]\((?!https?:)(.*?)\)", text):
            path, _, anchor = link.partition("#")
            target = (
                posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
                if path
                else name
            )
            assert target in files and anchor in ["", *anchors[target]], (
                f"{name}: {link}"
            )


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
    if not answers:
        hidden |= dict.fromkeys(functions_of(3), Fraction(1))
    decisions: dict[str, Any] = {
        "feedback": feedback,
        "answers": answers,
        "hidden": tuple(hidden.items()),
    }
    text = rendered(**decisions)
    check_links(rendered_files(**decisions))
    check_form(text)
    assert ("Once it is," in text) == (feedback == "full" and answers)
    assert "| `solve` | 8 | 50 % |" in text
    assert ("| `ANSWER_1` | 2 | 100 % |" in text) == (not answers)
    assert f"{'16.5' if not answers else '8.5'} points" in text


def test_points_stand_nowhere_but_in_the_context() -> None:
    course = read_course(COURSE)
    parts = tuple(
        dataclasses.replace(
            part,
            functions={name: points * 7 for name, points in part.functions.items()},
        )
        for part in read_points()
    )
    text = "\n".join(render_handout(handout_context(course, parts)).values())
    for part in parts:
        for name, points in part.functions.items():
            assert (
                f"| `{name.replace('make_run', 'make run')}` | {points / 100:g} |"
                in text
            )
    known = {
        points // 100
        for part in parts
        for points in (part.points, *part.functions.values())
    }
    total = sum(part.points for part in parts) // 100
    assert f"| | all | {total} |" in text
    assert set(map(int, re.findall(r"(\d+) points?\b", text))) <= {*known, total}


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
        render_handout(handout_context(read_course(COURSE), read_points()), folder)
    assert str(raised.value).startswith(
        f"{folder}/{name}:{len(text.splitlines()) + 2}: the template cannot be filled in"
    )


def test_a_part_is_one_file(tmp_path: Path) -> None:
    """A part of which no other file knows has its place in the contents, in the hours
    and among the parts.
    """
    folder = shutil.copytree(HANDOUT, tmp_path / "handout")
    set_up = '{% set title, hours, word = "More to do", (3, 5), "more" %}\n## Part 7: {{ title }}\n\nWork.\n'
    (folder / "part7.md").write_text(set_up, encoding="utf-8")
    part = dataclasses.replace(read_points()[0], number=7, functions={"more": 500})
    files = render_handout(handout_context(read_course(COURSE), (part,)), folder)
    check_links(files)
    text = files["README.md"]
    check_form(text)
    assert "- [Part 7: More to do](#part-7-more-to-do)\n" in text
    assert "about 3 to 5 hours in total" in text
    both = render_handout(
        handout_context(read_course(COURSE), (*read_points(), part)), folder
    )["README.md"]
    assert (
        both.index("## Part 4: ")
        < both.index("## Part 7: ")
        < both.index("## The survey")
    )
    change(folder / "part7.md", "hours, word", "hours, words")
    with pytest.raises(
        BadFile, match=r"part7\.md:1: the handout must know the word of part 7"
    ):
        render_handout(handout_context(read_course(COURSE), (part,)), folder)
