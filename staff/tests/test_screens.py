"""The screens of make test: some to the last character, and what stands on others.

A file of screens/ holds the id of a wrong submission, a command, and what the command
prints.  `python -m staff.tests.test_screens` writes the files anew: read `git diff`
then.
"""

import io
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
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
from staff.tests.conftest import KIT, TOTAL
from staff.tests.support.releases import SAFE
from staff.tests.support.tables import table_of
from staff.tests.support.typed import clone_into
from staff.wrong_labs import build, load_wrong_labs, with_body

SCREENS = Path(__file__).with_name("screens")
STYLE = Style(colour=False, ascii_only=True, make=True)
WRONG_LABS = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}
MODEL = (KIT / "lab.py").read_text(encoding="utf-8")

Screen = Callable[..., str]


def printed(file: Path, folder: Path) -> str:
    """A file of screens/ as it would be written now, in a fresh copy of the kit."""
    lab_id, command = file.read_text(encoding="utf-8").splitlines()[:2]
    kit = clone_into(folder / "kit")
    lab = folder / "lab.py"
    lab.write_text(
        build(WRONG_LABS[lab_id], MODEL) if lab_id in WRONG_LABS else MODEL,
        encoding="utf-8",
    )
    environment = {**SAFE, "VENV": sys.prefix, "LAB": str(lab), "MAKEFLAGS": ""}
    words = ["sh", "-c", command.removeprefix("$ ")]
    done = subprocess.run(
        words, cwd=kit, capture_output=True, text=True, env=environment
    )
    return f"{lab_id}\n{command}\n{done.stdout}"


@pytest.mark.parametrize(
    "file", sorted(SCREENS.glob("*.txt")), ids=lambda file: file.stem
)
def test_a_whole_screen(file: Path, tmp_path: Path) -> None:
    shown = printed(file, tmp_path)
    assert shown == file.read_text(encoding="utf-8")
    assert shown.isascii() and max(map(len, shown.splitlines())) <= 79


@pytest.fixture
def screen(tmp_path: Path, bank: Bank) -> Screen:
    """The screen of a lab.py with this text, in one line.

    It is about the cases or functions of these names.
    """

    def screen(text: str, *names: str, seconds: float | None = None) -> str:
        lab = tmp_path / "lab.py"
        lab.write_text(text, encoding="utf-8")
        chosen = [
            case for case in bank.cases if case.id in names or case.function in names
        ]
        with Session(lab, bank) as session:
            sheet = session.sheet_of(
                [replace(case, seconds=seconds or case.seconds) for case in chosen]
            )
        return words(report(sheet, False, STYLE))

    return screen


@pytest.fixture
def lines(tmp_path: Path, bank: Bank) -> Callable[[str], list[str]]:
    """The lines of the screen of a lab.py with this text, about dfs_maximizing."""

    def lines(text: str) -> list[str]:
        lab = tmp_path / "lab.py"
        lab.write_text(text, encoding="utf-8")
        with Session(lab, bank) as session:
            return report(
                session.sheet_of(bank.of("dfs_maximizing")), False, STYLE
            ).splitlines()

    return lines


def check_row(shown: list[str], row: dict[str, Any]) -> None:
    """Check that the words are on the screen, and the lines in their order."""
    text = words(" ".join(shown))
    assert [said for said in row.get("says", []) if said not in text] == [], text
    rest = iter(shown)
    assert [line for line in row.get("shows", []) if line not in rest] == [], "\n".join(
        shown
    )
    assert max(map(len, shown)) <= 79


def words(text: str) -> str:
    """A screen without its line breaks."""
    return " ".join(text.split())


def case_named(bank: Bank, name: str) -> Case:
    return next(case for case in bank.cases if case.id == name)


def sheet(bank: Bank, *verdicts: Verdict, **facts: Any) -> ScoreSheet:
    by_case = {verdict.case: verdict for verdict in verdicts}
    return ScoreSheet(bank, by_case, b"", **facts)


def all_pass(bank: Bank) -> list[Verdict]:
    return [Verdict(case.id, Status.PASS, FULL) for case in bank.cases]


CRASH = "def best(node):\n    return helper(node)\ndef helper(node):\n    return node.nothing  # here\nreturn best(state)"


def test_a_crash_shows_the_function_that_was_called_and_the_last_lines(
    screen: Screen, model: str
) -> None:
    text = with_body("dfs_maximizing", CRASH, model)
    at = {line.strip(): number for number, line in enumerate(text.splitlines(), 1)}
    shown = screen(text, "dfs/two-by-two")
    place = at["return node.nothing  # here"]
    assert (
        f"lab.py:{at['return helper(node)']}, in best: return helper(node) lab.py:{place}, in helper: return"
        in shown
    )
    assert shown.count(f"lab.py:{place}") == 1
    assert (
        f"lab.py:{at['return best(state)']}, in dfs_maximizing: return best(state) lab.py:"
        in shown
    )
    assert "in helper: return node.nothing # here ^^^^^^^^^^^^ " in shown
    assert "Debug it: make debug CASE=dfs/two-by-two" in shown


@pytest.mark.parametrize("row", table_of("crashed"))
def test_a_crash_is_shown_with_its_line(
    row: dict[str, Any], lines: Callable[[str], list[str]], model: str
) -> None:
    shown = lines(with_body("dfs_maximizing", row["body"], model))
    check_row([re.sub(r"lab\.py:\d{3},", "lab.py:NNN,", line) for line in shown], row)


@pytest.mark.parametrize("row", table_of("unreadable"))
def test_what_python_cannot_read_is_shown(
    row: dict[str, Any], lines: Callable[[str], list[str]]
) -> None:
    shown = lines(row["written"])
    check_row(shown, row)
    assert shown[-3:-1] == ["  Nothing could be graded.", ""] and shown[-1].startswith(
        "0 of "
    )


def test_an_untouched_stub_says_where_to_begin(
    lines: Callable[[str], list[str]], model: str
) -> None:
    stub = model
    for function in ("ZeroBy", "solve", "dfs_maximizing"):
        stub = with_body(function, "raise NotImplementedError", stub)
    number = next(
        number
        for number, line in enumerate(stub.splitlines(), 1)
        if line.startswith("def dfs_maximizing")
    )
    assert f"    Next, write dfs_maximizing: lab.py:{number}." in lines(stub)


def test_what_comes_next_is_said_when_something_passes(bank: Bank) -> None:
    verdicts = [*all_pass(bank), Verdict("dfs/two-by-two", Status.NOT_STARTED)]
    written = ScoreSheet(
        bank,
        {verdict.case: verdict for verdict in verdicts},
        b"\n\ndef dfs_maximizing(): pass",
    )
    assert "\n    Next, write dfs_maximizing: lab.py:3.\n" in report(
        written, False, STYLE
    )


def test_a_crash_in_a_known_line_is_shown_before_a_fail(bank: Bank) -> None:
    first, second, *_ = bank.of("dfs_maximizing")
    fails = Verdict(first.id, Status.FAIL, message="Wrong.", picture="a\nb")
    crash = Verdict(
        second.id, Status.CRASH, message="KeyError: 3", frames=((1, "solve"),)
    )
    assert f"CRASH  {second.id}" in report(sheet(bank, fails, crash), False, STYLE)
    assert f"FAIL  {first.id}" in report(
        sheet(bank, fails, replace(crash, frames=())), False, STYLE
    )


def test_the_four_that_won_are_marked(screen: Screen, model: str) -> None:
    text = with_body("is_game_over_connectfour", "return False", model)
    shown = screen(text, "game-over/four-in-a-row")
    assert "_*1*1*1*1 _" in shown and "; * marks 4 in a row" in shown
    assert "marks" not in screen(
        with_body("is_game_over_connectfour", "return True", model),
        "game-over/three-in-a-row",
    )


def test_full_marks_lead_on(bank: Bank) -> None:
    shown = words(report(sheet(bank, *all_pass(bank)), False, STYLE))
    assert "make board opens a page on which you play against it." in shown
    wrong = Verdict("dfs/two-by-two", Status.FAIL)
    assert "make play" not in report(sheet(bank, *all_pass(bank), wrong), False, STYLE)


@pytest.mark.parametrize(
    "broken",
    [
        "import os\nos.write = os.lseek = None",
        "import signal\nsignal.signal = None",
        "import builtins\nbuiltins.isinstance = lambda *words: 1 / 0",
        "import contextlib\ncontextlib.suppress = None",
    ],
)
def test_what_breaks_the_grader_is_said_without_its_traceback(
    screen: Screen, model: str, broken: str
) -> None:
    for text in (f"{model}\n{broken}\n", with_body("dfs_maximizing", broken, model)):
        shown = screen(text, "dfs/two-by-two")
        assert (
            "lab.py has changed how Python itself works, and after that the grader's own code failed."
            in shown
        )
        assert "Traceback" not in shown and "worker" not in shown


@pytest.mark.skipif(
    "not hasattr(__import__('os'), 'fork')",
    reason="where there is no fork, nobody knows the line",
)
def test_a_time_out_shows_the_line(screen: Screen, model: str) -> None:
    shown = screen(
        with_body("dfs_maximizing", "while True:\n    state = state", model),
        "dfs/two-by-two",
        seconds=0.3,
    )
    assert (
        "TIME-OUT dfs/two-by-two" in shown and shown.count(", in dfs_maximizing") == 1
    )


def test_a_line_that_calls_itself_stands_there_once(screen: Screen, model: str) -> None:
    """Its leaves return nothing."""
    body = "for child in state.generate_next_states():\n    path, *_ = dfs_maximizing(child)"
    text = with_body("dfs_maximizing", body, model)
    assert screen(text, "dfs/two-by-two").count(", in dfs_maximizing: ") == 1


def test_prints_are_whole_if_a_case_is_chosen(screen: Screen, model: str) -> None:
    text = with_body(
        "dfs_maximizing", "for n in range(150):\n    print('print', n)", model
    )
    assert "It printed: | print 0 | print 1 " in screen(text, "dfs/two-by-two")
    assert "The last 10 lines that it printed: | print 140 " in screen(
        text, "dfs_maximizing"
    )


def test_what_an_import_raised_is_no_line_of_the_graders(bank: Bank) -> None:
    """However the reason is broken into lines, none of them is at the left edge."""
    forged = f"{TOTAL} of {TOTAL} points: everything passes."
    reason = f"lab.py cannot be imported. ValueError: {'x' * 73} {forged} {'x' * 73}"
    crashes = [Verdict(case.id, Status.CRASH, message=reason) for case in bank.cases]
    lines = report(
        sheet(bank, *crashes, import_failure=reason), False, STYLE
    ).splitlines()
    assert [line for line in lines if f"of {TOTAL}" in line] == [
        f"  {forged}",
        f"0 of {TOTAL} points.",
    ]


def test_every_screen_ends_with_its_commands(bank: Bank) -> None:
    for case in bank.cases:
        verdict = Verdict(case.id, Status.FAIL, message="Wrong.", picture="a picture")
        lines = explain(sheet(bank, *all_pass(bank), verdict), case, STYLE)
        at = next(
            index
            for index, line in enumerate(lines)
            if line.startswith("    Run only this case:")
        )
        assert (
            f"make test K={case.id}" in words(" ".join(lines[at:]))
            and len(lines[at:]) <= 4
        )
        tool = f"make {'trace' if 'alphabeta/' in case.id else 'debug'} CASE={case.id}"
        is_call = not case.function.startswith(("ANSWER", "make_run"))
        assert ("CASE=" in lines[-1]) is is_call and (
            tool in lines[-1] or "alphabeta/" not in case.id
        )


@pytest.mark.parametrize(
    ("name", "status", "level", "word"),
    [
        (
            "alphabeta/equal-bounds",
            Status.FAIL,
            "full",
            "For a diagnosis, run all cases: make test K=minimax_search_alphabeta",
        ),
        (
            "alphabeta/equal-bounds",
            Status.FAIL,
            "place",
            "Run only this case: make test K=alphabeta/equal-bounds",
        ),
        (
            "alphabeta/equal-bounds",
            Status.WAITS,
            "full",
            "Run only this case: make test K=alphabeta/equal-bounds",
        ),
        (
            "questions/question-2",
            Status.FAIL,
            "full",
            "Run only this case: make test K=questions/question-2",
        ),
    ],
)
def test_a_known_mistake_is_looked_for_in_all_cases(
    name: str, status: Status, level: str, word: str, bank: Bank
) -> None:
    failed = sheet(bank, Verdict(name, status), kit=Release(feedback=level))
    assert word in words(" ".join(explain(failed, case_named(bank, name), STYLE)))


def test_its_commands_are_about_the_call_that_failed(bank: Bank) -> None:
    case = case_named(bank, "player/two-players-at-once")
    for at in (0, 2):
        verdict = Verdict(
            case.id, Status.FAIL, message="Wrong.", call=at, picture="a picture"
        )
        shown = words(" ".join(explain(sheet(bank, verdict), case, STYLE)))
        assert f"make debug CASE={case.id}" in shown and ("CALL=3" in shown) is (
            at == 2
        )


def test_a_hidden_case_says_the_kind_of_mistake_alone(bank: Bank) -> None:
    hidden = replace(case_named(bank, "alphabeta/equal-bounds"), hidden=True)
    frames = ((1, "secret"),)
    verdict = Verdict(
        hidden.id,
        Status.CRASH,
        message="secret",
        picture="drawn",
        printed="secret",
        frames=frames,
    )
    shown = words(
        " ".join(
            explain(
                sheet(Bank(bank.parts, (hidden,)), concealed(verdict)), hidden, STYLE
            )
        )
    )
    assert "CRASH alphabeta/equal-bounds" in shown and "secret" not in shown


@pytest.mark.parametrize(
    ("level", "frames", "count", "words_"),
    [
        ("full", True, True, ("CRASH", "PARTLY RIGHT")),
        ("place", True, False, ("CRASH", "PARTLY RIGHT")),
        ("verdict", False, False, ("FAIL", "FAIL")),
    ],
)
def test_a_course_decides_how_much_is_told(
    level: str,
    frames: bool,
    count: bool,
    words_: tuple[str, str],
    bank: Bank,
    model: str,
    tmp_path: Path,
) -> None:
    lab = tmp_path / "lab.py"
    text = with_body(
        "dfs_maximizing",
        CRASH,
        build(WRONG_LABS["alphabeta-cuts-only-when-greater"], model),
    )
    lab.write_text(text, encoding="utf-8")
    names = ("dfs/two-by-two", "alphabeta/equal-bounds")
    with Session(lab, bank) as session:
        limited = with_feedback(
            session.sheet_of([case_named(bank, name) for name in names]), level
        )
    crash, late = (
        "\n".join(explain(limited, case_named(limited.bank, name), STYLE))
        for name in names
    )
    assert ("return node.nothing" in crash, "in helper:" in crash) == (frames, frames)
    assert ("evaluations   4" in late, "too many" in late) == (count, count)
    assert (
        f"\n{words_[0]}  dfs/" in f"\n{crash}",
        f"\n{words_[1]}  alphabeta/" in f"\n{late}",
    ) == (True, True)
    assert (case_named(bank, names[0]).says in words(crash)) == (level != "verdict")


def test_known_mistakes_are_named_and_one_alone_has_a_hint(bank: Bank) -> None:
    adds_one = Misconception("adds one", "Count again.", "Why?")
    adds_two = Misconception("adds two", "Never shown.")

    def shown(*names: Misconception) -> list[str]:
        known = sheet(bank, diagnoses={"solve": Diagnosis(names=names)})
        return [" ".join(text) for text in known_mistake(known, "solve")]

    explains = "One known mistake explains every failing case: solve adds one."
    assert shown(adds_one) == [explains, "Hint: Count again.", "Ask yourself: Why?"]
    both = "Either of two known mistakes explains every failing case: solve adds one; or it adds two."
    assert shown(adds_one, adds_two) == [both, "Ask yourself: Why?"]
    assert len(shown(adds_two, adds_two)) == 1 and shown() == []


def test_a_case_that_ran_out_is_not_the_one_that_is_explained(bank: Bank) -> None:
    """The deepest game is too deep for any recursion.

    A mistake shows in the smaller games.
    """
    *small, deep = [case for case in bank.of("solve") if not case.advice]
    frames = ((57, "solve"),)
    too_deep = Verdict(
        deep.id,
        Status.CRASH,
        message="RecursionError: function calls",
        frames=frames,
        ran_out=True,
    )
    wrong = [
        Verdict(case.id, Status.FAIL, message="The value of `top` is wrong.")
        for case in small
    ]
    shown = report(sheet(bank, too_deep, *wrong), False, STYLE)
    assert f"FAIL  {small[0].id} " in shown and deep.id not in shown
    assert f"CRASH  {deep.id} " in report(sheet(bank, too_deep), False, STYLE)


def test_the_call_stands_below_the_status_again_where_its_drawing_has_scrolled_away(
    bank: Bank,
) -> None:
    case = bank.of("dfs_maximizing")[0]
    call = "dfs_maximizing(state)"

    def calls(lines: int) -> int:
        verdict = Verdict(
            case.id,
            Status.FAIL,
            message="Wrong.",
            picture="\n".join([call, *["  a leaf"] * lines]),
        )
        return report(sheet(bank, verdict), False, STYLE).count(call)

    assert (calls(3), calls(30)) == (1, 2)


def test_what_else_is_wrong_is_counted(bank: Bank) -> None:
    wrong = [Verdict(case.id, Status.FAIL) for case in bank.of("dfs_maximizing")]
    idle = [
        ("minimax_search", Status.WAITS),
        ("solve", Status.NOT_STARTED),
        ("make_run", Status.UNGRADED),
    ]
    verdicts = [
        Verdict(case.id, status) for name, status in idle for case in bank.of(name)
    ]
    shown = words(report(sheet(bank, *wrong, *verdicts), False, STYLE))
    others = "1 other function is not written yet; 1 other function is waiting for another function; 1 other function is ungraded."
    more = f"{len(wrong) - 1} more cases of dfs_maximizing fail; {others} List all: make test V=1"
    assert f"{more} Part 0: 0/" in shown
    assert (
        f"UNGRADED, needs a human: make_run ({len(bank.of('make_run'))} cases)."
        in shown
    )
    answers = [
        Verdict(case.id, Status.NOT_STARTED)
        for case in bank.cases
        if case.function.startswith("ANSWER")
    ]
    shown = words(report(sheet(bank, *wrong, *answers), False, STYLE))
    assert f"; {len(answers)} other answers are not written yet. List all: " in shown
    solve = [Verdict(case.id, Status.NOT_STARTED) for case in bank.of("solve")]
    shown = words(report(sheet(bank, *wrong, *solve, *answers), False, STYLE))
    assert (
        f"; {len(answers) + 1} other functions and answers are not written yet. List all: "
        in shown
    )


def test_of_a_large_tree_the_part_around_the_place_is_shown(bank: Bank) -> None:
    """The nodes that lead there are in it.

    The whole tree is shown if the case runs alone, and if no place is known.
    """
    case = case_named(bank, "alphabeta/deep-cut-offs")
    branches = [
        f"   |- MIN {name}\n   |   |- MAX {name}1\n   |   |   `- {name}11"
        for name in "ABCDEFGH"
    ]
    tree = "\n".join(["called(", "      here)", "  MAX root", *branches, "  (a note)"])
    place = Diagnosis(
        case.id,
        "At G1",
        "1",
        "2",
        tree.replace("MAX G1", "MAX G1   <-- goes wrong here"),
    )

    def shown(known: Diagnosis, whole: bool) -> list[str]:
        located = sheet(
            bank, Verdict(case.id, Status.FAIL), diagnoses={case.function: known}
        )
        return [line.strip() for line in explain(located, case, STYLE, whole)]

    part, whole = shown(place, False), shown(place, True)
    at = part.index("called(")
    top = ["called(", "here)", "MAX root", "…", "|   |   `- E11", "|- MIN F"]
    assert part[at : at + 6] == top
    assert (
        "|   |- MAX G1   <-- goes wrong here" in part
        and "(a note)" in part
        and "|- MIN A" not in part
    )
    assert "(14 lines are left out; run only this case to see them.)" in part
    assert len(whole) == len(part) + 14 - 2 and "|- MIN A" in whole
    assert "|- MIN A" in shown(replace(place, picture=tree), False)


def test_what_was_not_run_is_not_shown_first(bank: Bank) -> None:
    first, second, *_ = bank.of("dfs_maximizing")
    drawn = Verdict(second.id, Status.TIME_OUT, message="Stopped.", picture="a\nb")
    skipped = Verdict(first.id, Status.UNGRADED, message="Not run.", ran=False)
    shown = report(sheet(bank, skipped, drawn), False, STYLE)
    assert (
        f"TIME-OUT  {second.id}" in shown
        and f"\nUNGRADED: {first.function} (1 case). Not run.\n" in shown
    )


def test_a_reason_why_cases_are_not_graded_is_said_once(bank: Bank) -> None:
    """Cases that have run and cases that have not are listed apart."""
    reasons = {
        "dfs_maximizing": "It did not answer.",
        "solve": "It did not answer.",
        "ZeroBy": "Not run: no time.",
    }
    verdicts = [
        Verdict(
            case.id, Status.UNGRADED, message=reason, ran=reason != "Not run: no time."
        )
        for function, reason in reasons.items()
        for case in bank.of(function)
    ]
    shown = words(report(sheet(bank, *verdicts), False, STYLE))
    counts = {
        function: f"{function} ({len(bank.of(function))} cases)" for function in reasons
    }
    assert (
        f"UNGRADED, needs a human: {counts['solve']}, {counts['dfs_maximizing']}. It did not answer. "
        in shown
    )
    assert f"UNGRADED: {counts['ZeroBy']}. Not run: no time. " in shown
    assert "time was up" not in shown and shown.count("It did not answer.") == 1


def test_reminders_wait_for_a_run_that_passes(bank: Bank) -> None:
    survey = dict.fromkeys(("NAME",), "so")
    advice = next(case.id for case in bank.cases if case.advice)
    passes = [verdict for verdict in all_pass(bank) if verdict.case != advice]
    ignored = Verdict(advice, Status.FAIL, message="It loops.")
    wrong = Verdict("dfs/two-by-two", Status.FAIL)
    assert "survey" in report(sheet(bank, *passes, survey=survey), False, STYLE)
    shown = words(report(sheet(bank, *passes, ignored, survey=survey), False, STYLE))
    assert f"Advice (no points) on {advice}: " in shown and shown.endswith(
        "everything passes."
    )
    shown = report(sheet(bank, *passes, ignored, wrong, survey=survey), False, STYLE)
    assert "survey" not in shown and "Advice" not in shown


def test_a_score_that_may_grow_says_at_least(bank: Bank) -> None:
    for status, start in (
        (Status.WAITS, "At least "),
        (Status.UNGRADED, "At least "),
        (Status.FAIL, ""),
    ):
        shown = report(
            sheet(bank, *all_pass(bank), Verdict("dfs/two-by-two", status)),
            False,
            STYLE,
        )
        assert shown.splitlines()[-1].startswith(start) and (
            "At least" in shown
        ) is bool(start)


def test_long_words_stay_on_a_screen(bank: Bank) -> None:
    long = "x" * 300
    case = case_named(bank, "dfs/two-by-two")
    rows = ((long, long, f"{long}y"), ("a", "b", f"{long} {long}"))
    frames = ((1, long),)
    verdict = Verdict(
        case.id,
        Status.CRASH,
        message=long,
        rows=rows,
        picture=long,
        printed=long,
        frames=frames,
    )
    crowded = ScoreSheet(bank, {case.id: verdict}, long.encode())
    shown = report(crowded, True, STYLE)
    assert shown.count("expected   ") == 2 and max(map(len, shown.splitlines())) <= 79


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_what_a_terminal_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", Terminal())
    assert Style.of_terminal().paint("x", Status.PASS) == "\x1b[32mx\x1b[0m"
    assert Style.of_terminal().finish("…") == "…"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Style.of_terminal().paint("x", Status.PASS) == "x"
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert Style.of_terminal().finish("…") == "..."


def test_hints_are_in_the_form_that_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    style = Style(colour=False, ascii_only=True)
    assert style.command(k="dfs") == "python grader test --k dfs"
    assert (
        style.typed("Then make test V=1 lists them.")
        == "Then python grader test V=1 lists them."
    )
    monkeypatch.setenv("MAKELEVEL", "1")
    monkeypatch.setenv("MAKEFLAGS", " -- COURSE=1 LAB=a\\ b.py K=dfs")
    assert (
        Style(colour=False, ascii_only=True).command(k="dfs")
        == "make test K=dfs COURSE=1 LAB=a\\ b.py"
    )


if __name__ == "__main__":
    import tempfile

    for file in SCREENS.glob("*.txt"):
        with tempfile.TemporaryDirectory() as scratch:
            file.write_text(printed(file, Path(scratch)), encoding="utf-8")
