"""The handout: what it promises is true, whatever parts a course chooses and however much it tells."""

import ast
import dataclasses
import doctest
import re
from fractions import Fraction
from pathlib import Path

import pytest

import api
import lab
from boards.cases import Bank
from boards.points import read_points
from grader.grading.session import Session
from grader.showing.console import Style, report
from grader.showing.feedback import LEVELS, with_feedback
from staff.course import read_course
from staff.release.handout import HANDOUT, handout_context, render_handout
from staff.release.leaks import solution_lines
from staff.tests.conftest import KIT
from staff.tests.support.handouts import PARTS, SUBSETS, WHOLE, blocks, rendered

WIDEST = 90


def functions_of(*parts: int) -> set[str]:
    return {name for part in read_points() if part.number in parts for name in part.functions}


@pytest.mark.parametrize(
    ("hand_in", "counts"),
    [
        ("GitHub", "What counts is the `lab.py` that you have pushed."),
        ("Gradescope", "What counts is the `lab.py` that you have uploaded to Gradescope."),
        ("Classroom 50", "What counts is the `lab.py` that you have submitted in Classroom 50."),
    ],
)
def test_it_says_where_one_hands_in(hand_in: str, counts: str) -> None:
    text = rendered(hand_in=hand_in)
    assert counts in text
    assert len(re.findall(r"^\| You hand in \| .*" + hand_in, text, re.MULTILINE)) == 1
    assert ("A push hands in nothing: w" + counts[1:] in text) == (hand_in != "GitHub")


# --- what it promises ------------------------------------------------------------------------------


@pytest.mark.parametrize("example", blocks("pycon", WHOLE), ids=lambda text: text.splitlines()[0][4:])
def test_examples_run_as_they_stand(example: str) -> None:
    assert set(re.findall(r"^>>> (?:from|import) (\w+)", example, re.MULTILINE)) <= {"api", "boards"}
    test = doctest.DocTestParser().get_doctest(example, {}, "example", str(HANDOUT), 0)
    printed: list[str] = []
    assert doctest.DocTestRunner().run(test, out=printed.append).failed == 0, "".join(printed)


def test_results_on_the_tree_are_the_model_s() -> None:
    source = next(example for example in blocks("pycon", WHOLE) if "parse_tree" in example)
    names = {**vars(api), **vars(lab)}
    for example in doctest.DocTestParser().get_examples(source):
        if "print" not in example.source:
            exec(compile(example.source, "handout", "single"), names)
    rows = re.findall(r"^\| `(\w+\(state.*?\))` \| (.*?) \| (.*?) \| (.*?) \|$", WHOLE, re.MULTILINE)
    assert len(rows) == 5
    for call, *wanted in rows:
        path, score, evaluations = eval(call, names)
        assert [", ".join(state.snapshot.name for state in path), str(score), str(evaluations)] == wanted, call
    history = lab.progressive_deepening(names["state"], api.tree_estimate, depth_limit=2).history
    assert [(path[1].snapshot.name, score, count) for path, score, count in history] == [("B", 9, 3), ("A", 4, 4)]


def test_small_table_of_values_is_the_model_s() -> None:
    rows = re.findall(r"^ {4}(\d) {8}(.*?) +(WIN|LOSE)\b", WHOLE, re.MULTILINE)
    game = lab.ZeroBy(6, (1, 3, 4))
    assert {int(items): value for items, _, value in rows} == {
        position: value.name for position, value in lab.solve(game).items()
    }
    for items, leaves, _ in rows[1:]:
        after = {game.do_move(int(items), move) for move in game.get_moves(int(items))}
        assert {int(word) for word in leaves.split(",")} == after


def test_the_drawn_horizon_is_the_model_s() -> None:
    drawing = next(block for block in blocks("text", WHOLE) if "Maxie, 4 left" in block)
    game = api.VeryDumbNim(4)
    player = lab.MinimaxPlayer(game, 2)
    worth = {"Guess(0)": api.Guess(0), "Maxie wins": api.Definitely(api.Winner(api.Player.MAXIE))}
    _, root, *below = drawing.splitlines()
    shallow, deep = (player.search(depth, game.start()) for depth in (1, 2))
    found = re.findall(r"take (\d), (Guess\(0\)|Maxie wins)", root)
    assert [(int(move), worth[estimate]) for move, estimate in found] == [shallow, deep]
    states = [game.start()]
    for line in below:
        level = line.index("- ") // 4 + 1
        [(move, label)] = re.findall(r"- (\d): (over|\w+, \d left)", line)
        del states[level:]
        assert int(move) in game.moves(states[-1])
        states.append(game.make_move(states[-1], int(move)))
        over = game.status(states[-1]) is not api.IN_PLAY
        assert label == ("over" if over else f"{states[-1].player}, {states[-1].pieces} left")
        told = [worth[text] for text in re.findall(r"Guess\(0\)|Maxie wins", line)]
        assert told == [player.evaluate(depth - level, states[-1]) for depth in (1, 2) if depth >= level]
    assert len(below) == 9


def signatures(text: str) -> dict[str, str]:
    """The bases of each class, and the parameters of each function and method, that are defined there."""
    found = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = ast.unparse(node.args)
        elif isinstance(node, ast.ClassDef):
            found[node.name] = ", ".join(map(ast.unparse, node.bases))
            methods = [method for method in node.body if isinstance(method, ast.FunctionDef)]
            found |= {f"{node.name}.{method.name}": ast.unparse(method.args) for method in methods}
    return found


def test_signatures_are_those_of_lab_py() -> None:
    code = "\n".join(block for block in blocks("python", WHOLE) if "def " in block)
    code = re.sub(r" +# [\d.]+ points?$", "", code, flags=re.MULTILINE)
    told = signatures(re.sub(r"^(    )?(def [^:]*:)$", r"\1\2 ...", code, flags=re.MULTILINE))
    real = signatures((KIT / "lab.py").read_text(encoding="utf-8"))
    assert told == {name: real.get(name) for name in told}
    for name in functions_of(0, 4) & set(told):
        assert {method for method in real if method.startswith(f"{name}.")} <= set(told), name
    answers = {name for name in functions_of(3) if f"`{name}`" in WHOLE.partition("## Part 3")[2].partition("\n## ")[0]}
    assert functions_of(*PARTS) == (set(told) & functions_of(*PARTS)) | answers | {"make_run"}


def test_names_of_the_api_exist() -> None:
    told = WHOLE.partition("\n## The API\n")[2].partition("\n## ")[0]
    names = set(re.findall(r"^\| `(\w+)\(.*?\|", told, re.MULTILINE))
    members = {name for kind in (api.ConnectFourBoard, api.AbstractGameState, api.TwoPlayerGame) for name in dir(kind)}
    assert {"Nim", "Referee", "check_game", "two_player_state", "make_move"} <= names <= members | set(api.__all__)
    assert {name for name in vars(api.TwoPlayerGame) if name[0] != "_"} <= set(re.findall(r"`(\w+)", told))


SCREENS = [
    ((0, 1, 2, 3), "if alpha >= beta:", "if alpha > beta:"),
    ((0, 1), "-1000 if is_current_player_maximizer else 1000", "1000 if is_current_player_maximizer else -1000"),
    ((0,), "{min(removal, position) for removal in self.removals}", "[r for r in self.removals if r <= position]"),
    ((4,), "if isinstance(status, Over):", "if depth and isinstance(status, Over):"),
]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("parts", "right", "wrong"), SCREENS, ids=lambda value: str(value)[:12])
def test_the_screen_is_what_make_test_shows(
    parts: tuple[int, ...], right: str, wrong: str, level: str,
    bank: Bank, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    assert model.count(right) == 1
    (tmp_path / "lab.py").write_text(model.replace(right, wrong), encoding="utf-8")
    screen = blocks("text", rendered(parts, feedback=level))[0].splitlines()
    word = screen[0].partition("K=")[2]
    chosen = [case for case in bank.cases if word in case.id]
    monkeypatch.setenv("MAKELEVEL", "1")
    with Session(tmp_path / "lab.py", bank) as session:
        sheet = with_feedback(session.sheet_of(chosen), level)
    shown = report(sheet, chosen, verbose=False, style=Style(colour=False, ascii_only=True))
    shown = re.sub(r" +\([\d.]+ of [\d.]+ points\)$", "", shown, flags=re.MULTILINE)
    assert [line for line in screen[1:] if line] == [line for line in shown.splitlines() if line in screen and line]
    assert (level == "full") == ("wanted" in shown)


def test_no_line_of_the_solution() -> None:
    lines = solution_lines((KIT / "lab.py").read_text(encoding="utf-8"), KIT / "lab.py")
    squeezed = "".join(HANDOUT.read_text(encoding="utf-8").split()) + "".join(WHOLE.split())
    assert lines
    assert not [line for line in lines if line in squeezed]


# --- whatever a course decides ---------------------------------------------------------------------


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def check_links(text: str) -> None:
    bare = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    anchors = [slug(heading) for heading in re.findall(r"^#+ (.*)$", bare, re.MULTILINE)]
    assert len(set(anchors)) == len(anchors)
    for target in re.findall(r"\]\((.*?)\)", bare):
        assert target.startswith("#") and target[1:] in anchors, target


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
    check_links(text)
    check_form(text)
    assert {name for name in functions_of(*PARTS) if mentions(name, text)} == functions_of(*parts)
    assert {int(number) for number in re.findall(r"\b[Pp]art (\d)", text)} <= set(parts)
    assert not re.search(r"\{[{%#]|[#%}]\}|Undefined", text)
    assert text.endswith("\n") and not text.endswith("\n\n")


@pytest.mark.parametrize("answers", [True, False])
@pytest.mark.parametrize("feedback", LEVELS)
def test_however_much_is_told(feedback: str, answers: bool) -> None:
    hidden = {"solve": Fraction(1, 2), "minimax_search": Fraction(1, 2)}
    if not answers:
        hidden |= dict.fromkeys(functions_of(3), Fraction(1))
    text = rendered(feedback=feedback, answers=answers, hidden=hidden)
    check_links(text)
    check_form(text)
    assert ("Once it is," in text) == (feedback == "full" and answers)
    assert "| `solve` | 8 | 50 % |" in text
    assert ("| `ANSWER_1` | 2 | 100 % |" in text) == (not answers)
    assert f"{'16.5' if not answers else '8.5'} points" in text


def test_points_stand_nowhere_but_in_the_context() -> None:
    course = read_course()
    parts = tuple(
        dataclasses.replace(part, functions={name: points * 7 for name, points in part.functions.items()})
        for part in read_points()
    )
    text = render_handout(handout_context(course, parts, {}))
    for part in parts:
        for name, points in part.functions.items():
            assert f"| `{name.replace('make_run', 'make run')}` | {points} |" in text
    known = {points for part in parts for points in (part.points, *part.functions.values())}
    total = sum(part.points for part in parts)
    assert f"| | all | {total} |" in text
    assert set(map(int, re.findall(r"(\d+) points?\b", text))) <= {*known, total}


def test_a_mistake_in_the_template_has_a_line(tmp_path: Path) -> None:
    file = tmp_path / "handout.md"
    for mistake in ("{{ course.titel }}", "{% if 0 in parts %}"):
        file.write_text(f"# A heading\n\n{mistake}\n", encoding="utf-8")
        with pytest.raises(ValueError, match=r"handout\.md:3: "):
            render_handout(handout_context(read_course(), read_points(), {}), file)
