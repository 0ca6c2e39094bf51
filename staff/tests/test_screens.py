"""The screens of make test: some to the last character, and what stands on others.

A file of screens/ holds the id of a wrong submission, a command, and what the command
prints.  `python -m staff.tests.test_screens` writes the files anew: read `git diff`
then.
"""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from grader.bank.cases import Bank, Case
from grader.grading.diagnosis import Diagnosis, Misconception
from grader.grading.feedback import concealed, with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.release import Release
from grader.showing.console import report
from grader.showing.failing import explain, known_mistake
from grader.showing.style import Style
from grader.verdicts.verdict import FULL, Status, Verdict
from staff.tests.conftest import KIT, TOTAL, Submit, case_named
from staff.tests.support.releases import SAFE
from staff.tests.support.tables import table_of
from staff.tests.support.typed import clone_into
from staff.wrong_labs import build, load_wrong_labs, with_body

SCREENS = Path(__file__).with_name("screens")
STYLE = Style(colour=False, ascii_only=True, make=True)
WIDTH = 79
WRONG_LABS = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}
MODEL = (KIT / "lab.py").read_text(encoding="utf-8")
DFS = "dfs_maximizing"
TWO_BY_TWO = "dfs/two-by-two"
EQUAL_BOUNDS = "alphabeta/equal-bounds"

Lines = Callable[..., list[str]]


# --- whole screens -------------------------------------------------------------------


def printed(file: Path, folder: Path, kit: Path) -> str:
    """A file of screens/ as it would be written now, in a copy of the kit that has no
    results yet.
    """
    (kit / "build" / "results.json").unlink(missing_ok=True)
    lab_id, command = file.read_text(encoding="utf-8").splitlines()[:2]
    text = MODEL
    if lab_id in WRONG_LABS:
        text = build(WRONG_LABS[lab_id], MODEL)
    lab = folder / "lab.py"
    lab.write_text(text, encoding="utf-8")
    environment = {**SAFE, "VENV": sys.prefix, "LAB": str(lab), "MAKEFLAGS": ""}
    words = ["sh", "-c", command.removeprefix("$ ")]
    done = subprocess.run(
        words, cwd=kit, capture_output=True, text=True, env=environment
    )
    return f"{lab_id}\n{command}\n{done.stdout}"


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the kit, in which nothing has been graded."""
    return clone_into(tmp_path_factory.mktemp("copy"))


@pytest.mark.parametrize(
    "file", sorted(SCREENS.glob("*.txt")), ids=lambda file: file.stem
)
def test_a_whole_screen(file: Path, kit: Path, tmp_path: Path) -> None:
    shown = printed(file, tmp_path, kit)
    assert shown == file.read_text(encoding="utf-8")
    assert shown.isascii()
    assert max(map(len, shown.splitlines())) <= WIDTH


# --- what the tests below look at ----------------------------------------------------


def in_a_line(lines: Iterable[str]) -> str:
    """Lines of a screen as one line."""
    return " ".join(" ".join(lines).split())


@pytest.fixture
def lines(submit: Submit, bank: Bank) -> Lines:
    """The lines of the screen of a lab.py with this text.

    They are about the cases or functions of these names.
    """

    def lines(text: str, *names: str, seconds: float | None = None) -> list[str]:
        cases = [
            replace(case, seconds=seconds or case.seconds)
            for case in bank.cases
            if case.id in names or case.function in names
        ]
        with Session(submit(text), bank) as session:
            return report(session.sheet_of(cases), False, STYLE).splitlines()

    return lines


def all_pass(bank: Bank) -> list[Verdict]:
    """A verdict on each case, all of which pass."""
    return [Verdict(case.id, Status.PASS, FULL) for case in bank.cases]


def verdicts_on(
    function: str, status: Status, bank: Bank, **facts: Any
) -> list[Verdict]:
    """The same verdict on each case of a function."""
    return [Verdict(case.id, status, **facts) for case in bank.of(function)]


def sheet(bank: Bank, *verdicts: Verdict, **facts: Any) -> ScoreSheet:
    """The sheet with these verdicts; of several on a case, the last one counts."""
    by_case = {verdict.case: verdict for verdict in verdicts}
    return ScoreSheet(bank, by_case, facts.pop("source", b""), **facts)


def screen(bank: Bank, *verdicts: Verdict, **facts: Any) -> str:
    """The screen of the sheet with these verdicts."""
    return report(sheet(bank, *verdicts, **facts), False, STYLE)


def screen_in_a_line(bank: Bank, *verdicts: Verdict, **facts: Any) -> str:
    """That screen as one line."""
    return in_a_line(screen(bank, *verdicts, **facts).splitlines())


def explained(case: Case, bank: Bank, **facts: Any) -> str:
    """What is shown of a case that has a verdict with these facts, as one line."""
    verdict = Verdict(case.id, **{"status": Status.FAIL, "message": "Wrong.", **facts})
    return in_a_line(explain(sheet(bank, verdict), case, STYLE))


# --- crashes and what Python cannot read ---------------------------------------------


def check_row(shown: list[str], row: dict[str, Any]) -> None:
    """Check that the words are on the screen, and the lines in their order."""
    text = in_a_line(shown)
    assert [said for said in row.get("says", []) if said not in text] == [], text
    rest = iter(shown)
    missing = [line for line in row.get("shows", []) if line not in rest]
    assert missing == [], "\n".join(shown)
    assert max(map(len, shown)) <= WIDTH


CRASH = """\
def best(node):
    return helper(node)
def helper(node):
    return node.nothing  # here
return best(state)
"""


def number_of(line: str, text: str) -> int:
    """The number of the line of a text that begins so, behind its blanks."""
    numbered = enumerate(text.splitlines(), start=1)
    return next(number for number, each in numbered if each.strip().startswith(line))


def test_a_crash_shows_each_line_from_the_function_that_was_called_to_the_last(
    lines: Lines, model: str
) -> None:
    text = with_body(DFS, CRASH, model)
    shown = in_a_line(lines(text, TWO_BY_TWO))
    called = number_of("return best(state)", text)
    inner = number_of("return helper(node)", text)
    last = number_of("return node.nothing", text)
    assert f"lab.py:{called}, in {DFS}: return best(state) lab.py:" in shown
    assert (
        f"lab.py:{inner}, in best: return helper(node) lab.py:{last}, in helper: return"
        in shown
    )
    assert "in helper: return node.nothing # here ^^^^^^^^^^^^ " in shown
    assert shown.count(f"lab.py:{last}") == 1
    assert f"Debug it: make debug CASE={TWO_BY_TWO}" in shown


@pytest.mark.parametrize("row", table_of("crashed"))
def test_a_crash_is_shown_with_its_line(
    row: dict[str, Any], lines: Lines, model: str
) -> None:
    shown = lines(with_body(DFS, row["body"], model), DFS)
    check_row([re.sub(r"lab\.py:\d{3},", "lab.py:NNN,", line) for line in shown], row)


@pytest.mark.parametrize("row", table_of("unreadable"))
def test_what_python_cannot_read_is_shown(row: dict[str, Any], lines: Lines) -> None:
    shown = lines(row["written"], DFS)
    check_row(shown, row)
    *_, nothing, blank, points = shown
    assert (nothing, blank) == ("  Nothing could be graded.", "")
    assert points.startswith("0 of ")


@pytest.mark.parametrize(
    "broken",
    [
        "import os\nos.write = os.lseek = None",
        "import signal\nsignal.signal = None",
        "import builtins\nbuiltins.isinstance = lambda *words: 1 / 0",
        "import contextlib\ncontextlib.suppress = None",
    ],
)
@pytest.mark.parametrize("where", ["in the file", "in the function"])
def test_what_breaks_the_grader_is_said_without_its_traceback(
    where: str, broken: str, lines: Lines, model: str
) -> None:
    text = f"{model}\n{broken}\n"
    if where == "in the function":
        text = with_body(DFS, broken, model)
    shown = in_a_line(lines(text, TWO_BY_TWO))
    says = "lab.py has changed how Python itself works, and after that the grader's own code failed."
    assert says in shown
    assert "Traceback" not in shown
    assert "worker" not in shown


@pytest.mark.skipif(
    not hasattr(os, "fork"), reason="where there is no fork, nobody knows the line"
)
def test_a_time_out_shows_the_line(lines: Lines, model: str) -> None:
    text = with_body(DFS, "while True:\n    state = state", model)
    shown = in_a_line(lines(text, TWO_BY_TWO, seconds=0.3))
    assert f"TIME-OUT {TWO_BY_TWO}" in shown
    assert shown.count(f", in {DFS}") == 1


LEAVES_RETURN_NOTHING = """\
for child in state.generate_next_states():
    path, *_ = dfs_maximizing(child)
"""


def test_a_line_that_calls_itself_stands_there_once(lines: Lines, model: str) -> None:
    text = with_body(DFS, LEAVES_RETURN_NOTHING, model)
    assert in_a_line(lines(text, TWO_BY_TWO)).count(f", in {DFS}: ") == 1


PRINTS = "for n in range(150):\n    print('print', n)"


def test_of_a_function_the_last_prints_are_shown(lines: Lines, model: str) -> None:
    shown = in_a_line(lines(with_body(DFS, PRINTS, model), DFS))
    assert "The last 10 lines that it printed: | print 140 " in shown


def test_prints_are_whole_if_a_case_is_chosen(lines: Lines, model: str) -> None:
    shown = in_a_line(lines(with_body(DFS, PRINTS, model), TWO_BY_TWO))
    assert "It printed: | print 0 | print 1 " in shown


def test_the_four_that_won_are_marked(lines: Lines, model: str) -> None:
    text = with_body("is_game_over_connectfour", "return False", model)
    shown = in_a_line(lines(text, "game-over/four-in-a-row"))
    assert "_*1*1*1*1 _" in shown
    assert "; * marks a win" in shown


def test_without_a_four_nothing_is_marked(lines: Lines, model: str) -> None:
    text = with_body("is_game_over_connectfour", "return True", model)
    assert "marks" not in in_a_line(lines(text, "game-over/three-in-a-row"))


# --- which case is explained ---------------------------------------------------------


def test_a_crash_in_a_known_line_is_explained_before_a_fail(bank: Bank) -> None:
    first, second, *_ = bank.of(DFS)
    fails = Verdict(first.id, Status.FAIL, message="Wrong.", picture="a\nb")
    crash = Verdict(second.id, Status.CRASH, message="KeyError: 3", frames=((1, "f"),))
    nowhere = replace(crash, frames=())
    assert f"CRASH  {second.id}" in screen(bank, fails, crash)
    assert f"FAIL  {first.id}" in screen(bank, fails, nowhere)


def test_what_was_not_run_is_not_explained_first(bank: Bank) -> None:
    first, second, *_ = bank.of(DFS)
    drawn = Verdict(second.id, Status.TIME_OUT, message="Stopped.", picture="a\nb")
    skipped = Verdict(first.id, Status.UNGRADED, message="Not run.", ran=False)
    shown = screen(bank, skipped, drawn)
    assert f"TIME-OUT  {second.id}" in shown
    assert f"\nUNGRADED: {DFS} (1 case). Not run.\n" in shown


@pytest.fixture
def too_deep(bank: Bank) -> Verdict:
    """The verdict on the deepest game of solve, too deep for any recursion."""
    *_, deep = (case for case in bank.of("solve") if not case.advice)
    return Verdict(
        deep.id,
        Status.CRASH,
        message="RecursionError: function calls",
        frames=((57, "solve"),),
        ran_out=True,
    )


def test_a_case_that_ran_out_is_not_the_one_that_is_explained(
    bank: Bank, too_deep: Verdict
) -> None:
    """A mistake shows in the smaller games."""
    fails = [
        verdict
        for verdict in verdicts_on("solve", Status.FAIL, bank, message="Wrong.")
        if verdict.case != too_deep.case
    ]
    shown = screen(bank, too_deep, *fails)
    assert f"FAIL  {fails[0].case} " in shown
    assert too_deep.case not in shown


def test_a_case_that_ran_out_alone_is_explained(bank: Bank, too_deep: Verdict) -> None:
    assert f"CRASH  {too_deep.case} " in screen(bank, too_deep)


# --- what is explained of a case -----------------------------------------------------


@pytest.mark.parametrize(("drawn_lines", "calls"), [(3, 1), (30, 2)])
def test_the_call_stands_below_the_status_again_if_its_drawing_scrolls_away(
    drawn_lines: int, calls: int, bank: Bank
) -> None:
    call = "dfs_maximizing(state)"
    picture = "\n".join([call, *["  a leaf"] * drawn_lines])
    case = bank.of(DFS)[0]
    fails = Verdict(case.id, Status.FAIL, message="Wrong.", picture=picture)
    assert screen(bank, fails).count(call) == calls


def test_every_explanation_ends_with_its_commands(bank: Bank) -> None:
    for case in bank.cases:
        fails = Verdict(case.id, Status.FAIL, message="Wrong.", picture="a picture")
        lines = explain(sheet(bank, *all_pass(bank), fails), case, STYLE)
        run = "    Run only this case:"
        first = next(at for at, line in enumerate(lines) if line.startswith(run))
        commands = lines[first:]
        assert len(commands) <= 4, case.id
        assert f"make test K={case.id}" in in_a_line(commands)
        is_call = not case.function.startswith(("ANSWER", "make_run"))
        assert ("CASE=" in commands[-1]) == is_call, case.id


def test_an_explanation_of_alpha_beta_ends_with_make_trace(bank: Bank) -> None:
    for case in bank.of("minimax_search_alphabeta"):
        assert explained(case, bank).endswith(f"make trace CASE={case.id}")


@pytest.mark.parametrize(
    ("name", "status", "level", "says"),
    [
        (EQUAL_BOUNDS, Status.FAIL, "full", "For a diagnosis, run all cases: make test K=minimax_search_alphabeta"),
        (EQUAL_BOUNDS, Status.FAIL, "place", f"Run only this case: make test K={EQUAL_BOUNDS}"),
        (EQUAL_BOUNDS, Status.WAITS, "full", f"Run only this case: make test K={EQUAL_BOUNDS}"),
        ("questions/question-2", Status.FAIL, "full", "Run only this case: make test K=questions/question-2"),
    ],
)  # fmt: skip
def test_a_known_mistake_is_looked_for_in_all_cases(
    name: str, status: Status, level: str, says: str, bank: Bank
) -> None:
    failed = sheet(bank, Verdict(name, status), kit=Release(feedback=level))
    assert says in in_a_line(explain(failed, case_named(name, bank), STYLE))


@pytest.mark.parametrize(("call", "is_named"), [(0, False), (2, True)])
def test_its_commands_are_about_the_call_that_failed(
    call: int, is_named: bool, bank: Bank
) -> None:
    case = case_named("player/two-players-at-once", bank)
    shown = explained(case, bank, call=call, picture="a picture")
    assert f"make debug CASE={case.id}" in shown
    assert ("CALL=3" in shown) == is_named


def test_a_hidden_case_says_the_kind_of_mistake_alone(bank: Bank) -> None:
    hidden = replace(case_named(EQUAL_BOUNDS, bank), hidden=True)
    crash = Verdict(
        hidden.id,
        Status.CRASH,
        message="secret",
        picture="drawn",
        printed="secret",
        frames=((1, "secret"),),
    )
    kept = sheet(Bank(bank.parts, (hidden,)), concealed(crash))
    shown = in_a_line(explain(kept, hidden, STYLE))
    assert f"CRASH {EQUAL_BOUNDS}" in shown
    assert "secret" not in shown


@dataclass(frozen=True)
class Told:
    """How much a course tells of a crash and of an alpha-beta that cuts off late."""

    of_crash: str  # its status
    of_late: str
    has_lines: bool  # of lab.py
    has_counts: bool  # the expected one, and yours
    has_words: bool  # what the case is about


@pytest.mark.parametrize(
    ("level", "told"),
    [
        ("full", Told("CRASH", "PARTLY RIGHT", True, True, True)),
        ("place", Told("CRASH", "PARTLY RIGHT", True, False, True)),
        ("verdict", Told("FAIL", "FAIL", False, False, False)),
    ],
)
def test_a_course_decides_how_much_is_told(
    level: str, told: Told, bank: Bank, model: str, submit: Submit
) -> None:
    cuts_late = build(WRONG_LABS["alphabeta-cuts-only-when-greater"], model)
    lab = submit(with_body(DFS, CRASH, cuts_late))
    cases = [case_named(name, bank) for name in (TWO_BY_TWO, EQUAL_BOUNDS)]
    with Session(lab, bank) as session:
        limited = with_feedback(session.sheet_of(cases), level)
    crash, late = (
        "\n".join(explain(limited, case_named(case.id, limited.bank), STYLE))
        for case in cases
    )
    assert f"\n{told.of_crash}  dfs/" in f"\n{crash}"
    assert f"\n{told.of_late}  alphabeta/" in f"\n{late}"
    assert ("return node.nothing" in crash) == told.has_lines
    assert ("in helper:" in crash) == told.has_lines
    assert ("evaluations   4" in late) == told.has_counts
    assert ("too many" in late) == told.has_counts
    assert (cases[0].says in in_a_line(crash.splitlines())) == told.has_words


def test_long_words_stay_on_a_screen(bank: Bank) -> None:
    long = "x" * 300
    verdict = Verdict(
        TWO_BY_TWO,
        Status.CRASH,
        message=long,
        rows=((long, long, f"{long}y"), ("a", "b", f"{long} {long}")),
        picture=long,
        printed=long,
        frames=((1, long),),
    )
    shown = report(sheet(bank, verdict, source=long.encode()), True, STYLE)
    assert shown.count("expected   ") == 2
    assert max(map(len, shown.splitlines())) <= WIDTH


# --- known mistakes and places -------------------------------------------------------

ADDS_ONE = Misconception("adds one", "Count again.", "Why?")
ADDS_TWO = Misconception("adds two", "Never shown.")
BOTH = "Either of two known mistakes explains every failing case of solve: it adds one; or it adds two."


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ((), []),
        (
            (ADDS_ONE,),
            [
                "One known mistake explains every failing case of solve: it adds one.",
                "Hint: Count again.",
                "Ask yourself: Why?",
            ],
        ),
        ((ADDS_ONE, ADDS_TWO), [BOTH, "Ask yourself: Why?"]),
    ],
)
def test_known_mistakes_are_named_and_one_alone_has_a_hint(
    names: tuple[Misconception, ...], shown: list[str], bank: Bank
) -> None:
    known = sheet(bank, diagnoses={"solve": Diagnosis(names=names)})
    assert [" ".join(text) for text in known_mistake(known, "solve")] == shown


def test_two_known_mistakes_without_a_question_ask_nothing(bank: Bank) -> None:
    known = sheet(bank, diagnoses={"solve": Diagnosis(names=(ADDS_TWO, ADDS_TWO))})
    assert len(known_mistake(known, "solve")) == 1


DEEP = "alphabeta/deep-cut-offs"
BRANCH = "   |- MIN {0}\n   |   |- MAX {0}1\n   |   |   `- {0}11"
BRANCHES = "\n".join(BRANCH.format(name) for name in "ABCDEFGH")
LARGE_TREE = f"called(\n      here)\n  MAX root\n{BRANCHES}\n  (a note)"
MARKED = LARGE_TREE.replace("MAX G1", "MAX G1   <-- goes wrong here")


def drawn(picture: str, bank: Bank, whole: bool = False) -> list[str]:
    """The lines that are shown of a large tree with this picture of a place."""
    case = case_named(DEEP, bank)
    place = Diagnosis(case.id, "At G1", "1", "2", picture)
    fails = Verdict(case.id, Status.FAIL)
    located = sheet(bank, fails, diagnoses={case.function: place})
    return [line.strip() for line in explain(located, case, STYLE, whole)]


def test_of_a_large_tree_the_part_around_the_place_is_shown(bank: Bank) -> None:
    """The nodes that lead there are in it."""
    shown = drawn(MARKED, bank)
    at = shown.index("called(")
    top = ["called(", "here)", "MAX root", "…", "|   |   `- E11", "|- MIN F"]
    assert shown[at : at + 6] == top
    assert "|   |- MAX G1   <-- goes wrong here" in shown
    assert "(a note)" in shown
    assert "|- MIN A" not in shown
    assert "(14 lines are left out; run only this case to see them.)" in shown


def test_the_whole_tree_is_shown_if_the_case_runs_alone(bank: Bank) -> None:
    whole = drawn(MARKED, bank, whole=True)
    assert "|- MIN A" in whole
    two_lines_about_that = 2
    assert len(whole) == len(drawn(MARKED, bank)) + 14 - two_lines_about_that


def test_the_whole_tree_is_shown_if_no_place_is_marked(bank: Bank) -> None:
    assert "|- MIN A" in drawn(LARGE_TREE, bank)


# --- what comes next, and the last lines ---------------------------------------------


def test_an_untouched_stub_says_where_to_begin(lines: Lines, model: str) -> None:
    stub = model
    for function in ("ZeroBy", "solve", DFS):
        stub = with_body(function, "raise NotImplementedError", stub)
    number = number_of(f"def {DFS}", stub)
    assert f"    Next, write {DFS}: lab.py:{number}." in lines(stub, DFS)


def test_what_comes_next_is_said_when_something_passes(bank: Bank) -> None:
    not_started = Verdict(TWO_BY_TWO, Status.NOT_STARTED)
    source = b"\n\ndef dfs_maximizing(): pass"
    shown = screen(bank, *all_pass(bank), not_started, source=source)
    assert f"\n    Next, write {DFS}: lab.py:3.\n" in shown


def test_full_marks_lead_on(bank: Bank) -> None:
    shown = screen_in_a_line(bank, *all_pass(bank))
    assert "make board opens a page on which you play against it." in shown


def test_less_than_full_marks_do_not_lead_on(bank: Bank) -> None:
    shown = screen(bank, *all_pass(bank), Verdict(TWO_BY_TWO, Status.FAIL))
    assert "make play" not in shown
    assert "make board" not in shown


def test_what_an_import_raised_is_no_line_of_the_graders(bank: Bank) -> None:
    """However the reason is broken into lines, none of them is at the left edge."""
    forged = f"{TOTAL} of {TOTAL} points: everything passes."
    reason = f"lab.py cannot be imported. ValueError: {'x' * 73} {forged} {'x' * 73}"
    crashes = [Verdict(case.id, Status.CRASH, message=reason) for case in bank.cases]
    shown = screen(bank, *crashes, import_failure=reason).splitlines()
    about_points = [line for line in shown if f"of {TOTAL}" in line]
    assert about_points == [f"  {forged}", f"0 of {TOTAL} points."]


@pytest.fixture
def wrong_dfs(bank: Bank) -> list[Verdict]:
    """Verdicts by which all cases of dfs_maximizing fail."""
    return verdicts_on(DFS, Status.FAIL, bank)


@pytest.fixture
def idle_answers(bank: Bank) -> list[Verdict]:
    """Verdicts by which no question is answered."""
    return [
        Verdict(case.id, Status.NOT_STARTED)
        for case in bank.cases
        if case.function.startswith("ANSWER")
    ]


def test_what_else_is_wrong_is_counted(bank: Bank, wrong_dfs: list[Verdict]) -> None:
    why = f"It waits for {DFS} to be right."
    shown = screen_in_a_line(
        bank,
        *wrong_dfs,
        *verdicts_on("minimax_search", Status.WAITS, bank, message=why),
        *verdicts_on("solve", Status.NOT_STARTED, bank),
        *verdicts_on("make_run", Status.UNGRADED, bank),
    )
    others = f"solve is not written yet. At least one case of minimax_search waits for {DFS} to be right. make_run has at least one ungraded case."
    more = f"{len(wrong_dfs) - 1} more cases of {DFS} do not pass. {others} List all: make test V=1"
    assert f"{more} Part 0: 0/" in shown
    ungraded = f"make_run ({len(bank.of('make_run'))} cases)"
    assert f"UNGRADED, needs a human: {ungraded}." in shown


def test_answers_that_are_not_written_are_counted(
    bank: Bank, wrong_dfs: list[Verdict], idle_answers: list[Verdict]
) -> None:
    shown = screen_in_a_line(bank, *wrong_dfs, *idle_answers)
    count = f"{len(idle_answers)} other answers are not written yet"
    assert f". {count}. List all: " in shown


def test_functions_and_answers_that_are_not_written_are_counted_together(
    bank: Bank, wrong_dfs: list[Verdict], idle_answers: list[Verdict]
) -> None:
    solve = verdicts_on("solve", Status.NOT_STARTED, bank)
    shown = screen_in_a_line(bank, *wrong_dfs, *solve, *idle_answers)
    count = f"{len(idle_answers) + 1} other functions and answers are not written yet"
    assert f". {count}. List all: " in shown


def test_a_reason_why_cases_are_not_graded_is_said_once(bank: Bank) -> None:
    """Cases that have run and cases that have not are listed apart."""
    stalled: dict[str, Any] = {
        "status": Status.UNGRADED,
        "message": "It did not answer.",
    }
    not_run: dict[str, Any] = {**stalled, "message": "Not run: no time.", "ran": False}
    shown = screen_in_a_line(
        bank,
        *verdicts_on(DFS, bank=bank, **stalled),
        *verdicts_on("solve", bank=bank, **stalled),
        *verdicts_on("ZeroBy", bank=bank, **not_run),
    )
    dfs, solve, zero_by = (
        f"{function} ({len(bank.of(function))} cases)"
        for function in (DFS, "solve", "ZeroBy")
    )
    assert f"UNGRADED, needs a human: {solve}, {dfs}. It did not answer. " in shown
    assert f"UNGRADED: {zero_by}. Not run: no time. " in shown
    assert shown.count("It did not answer.") == 1
    assert "time was up" not in shown


SURVEY = {"NAME": "so"}


@pytest.fixture
def ignored_advice(bank: Bank) -> Verdict:
    """The verdict on advice that a submission does not follow."""
    advice = next(case for case in bank.cases if case.advice)
    return Verdict(advice.id, Status.FAIL, message="It loops.")


def test_if_all_passes_the_survey_is_remembered(bank: Bank) -> None:
    assert "survey" in screen(bank, *all_pass(bank), survey=SURVEY)


def test_if_all_passes_advice_is_given(bank: Bank, ignored_advice: Verdict) -> None:
    shown = screen_in_a_line(bank, *all_pass(bank), ignored_advice, survey=SURVEY)
    assert f"Advice (no points) on {ignored_advice.case}: " in shown
    assert shown.endswith("everything passes.")


def test_advice_without_words_is_only_named(bank: Bank) -> None:
    """As in a course whose feedback is `verdict`."""
    cases = tuple(replace(case, says="") for case in bank.cases)
    wordless = replace(bank, cases=cases)
    advice = next(case for case in cases if case.advice)
    ignored = Verdict(advice.id, Status.FAIL)
    shown = screen(wordless, *all_pass(wordless), ignored, survey=SURVEY)
    assert f"Advice (no points) on {advice.id}\n" in shown


def test_if_a_case_fails_there_are_no_reminders(
    bank: Bank, ignored_advice: Verdict
) -> None:
    fails = Verdict(TWO_BY_TWO, Status.FAIL)
    shown = screen(bank, *all_pass(bank), ignored_advice, fails, survey=SURVEY)
    assert "survey" not in shown
    assert "Advice" not in shown


@pytest.mark.parametrize("status", [Status.WAITS, Status.UNGRADED])
def test_a_score_that_may_grow_says_at_least(status: Status, bank: Bank) -> None:
    shown = screen(bank, *all_pass(bank), Verdict(TWO_BY_TWO, status))
    assert shown.splitlines()[-1].startswith("At least ")


def test_a_score_that_stays_does_not_say_at_least(bank: Bank) -> None:
    shown = screen(bank, *all_pass(bank), Verdict(TWO_BY_TWO, Status.FAIL))
    assert "At least" not in shown


# --- terminals and commands ----------------------------------------------------------


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_a_terminal_has_colours_and_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", Terminal())
    style = Style.of_terminal()
    assert style.paint("x", Status.PASS) == "\x1b[32mx\x1b[0m"
    assert style.finish("…") == "…"


def test_whoever_wants_no_colours_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    assert Style.of_terminal().paint("x", Status.PASS) == "x"


def test_a_file_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert Style.of_terminal().finish("…") == "..."


def test_without_make_hints_are_in_the_form_that_python_takes() -> None:
    style = Style(colour=False, ascii_only=True)
    assert style.command(k="dfs") == "python grader test --k dfs"
    said = style.typed("Then make test V=1 lists them.")
    assert said == "Then python grader test V=1 lists them."


def test_below_make_hints_keep_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKELEVEL", "1")
    monkeypatch.setenv("MAKEFLAGS", " -- COURSE=1 LAB=a\\ b.py K=dfs")
    style = Style(colour=False, ascii_only=True)
    assert style.command(k="dfs") == "make test K=dfs COURSE=1 LAB=a\\ b.py"


if __name__ == "__main__":
    import tempfile

    for file in SCREENS.glob("*.txt"):
        with tempfile.TemporaryDirectory() as scratch:
            fresh_copy = clone_into(Path(scratch, "kit"))
            text = printed(file, Path(scratch), fresh_copy)
            file.write_text(text, encoding="utf-8")
