"""The screen of a failing case: what stands there, and what does not, for mistakes of every sort."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from boards.cases import Bank, Case
from grader.diagnosing.diagnosis import Diagnosis, Misconception
from grader.grading.feedback import concealed, with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import FULL, Status, Verdict
from grader.kinds.kind import Kind
from grader.release import UNCHANGED, Release
from grader.showing.console import about_the_kit, report
from grader.showing.failing import cause, explain, in_a_line
from grader.showing.style import Style
from staff.tests.conftest import TOTAL
from staff.tests.support.tracing import REMEMBERS
from staff.wrong_labs import build, load_wrong_labs, with_body

STYLE = Style(colour=False, ascii_only=True, make=True)
WRONG_LABS = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}

Screen = Callable[..., str]


@pytest.fixture
def screen(tmp_path: Path, bank: Bank) -> Screen:
    """The screen of a lab.py with this text, of the cases of these names."""

    def screen(text: str, *names: str, seconds: float | None = None) -> str:
        lab = tmp_path / "lab.py"
        lab.write_text(text, encoding="utf-8")
        chosen = [case for case in bank.cases if case.id in names or case.function in names]
        cases = [replace(case, seconds=seconds or case.seconds) for case in chosen]
        with Session(lab, bank) as session:
            return report(session.sheet_of(cases), cases, False, STYLE)

    return screen


def words(text: str) -> str:
    """A screen without its line breaks."""
    return " ".join(text.split())


def test_a_crash_shows_two_lines_of_lab_py(screen: Screen, model: str) -> None:
    body = "def best(node):\n    return helper(node)\ndef helper(node):\n    return node.nothing  # here\n"
    text = with_body("dfs_maximizing", f"{body}return best(state)", model)
    shown = screen(text, "dfs/two-by-two")
    at = {line.strip(): number for number, line in enumerate(text.splitlines(), 1)}
    place = at["return node.nothing  # here"]
    assert f"lab.py:{place}, in helper:\n        return node.nothing  # here\n" in shown
    assert f"lab.py:{at['return helper(node)']}, in best:\n        return helper(node)\n" in shown
    assert f"lab.py:{at['return best(state)']}" not in shown


def test_a_crash_in_another_graded_function_shows_where_that_was_called(screen: Screen, model: str) -> None:
    call = "minimax_search_alphabeta(state, heuristic_fn=estimate, depth_limit=depth, maximize=maximize)"
    wrong = "minimax_search_alphabeta(state, heuristic_fn, depth, maximize)"
    shown = screen(model.replace(call, wrong), "progressive/two-by-two")
    assert f", in progressive_deepening:\n        result = {wrong[:40]}" in shown
    assert ", in minimax_search_alphabeta:\n        if alpha >= beta:" in shown


@pytest.mark.skipif("not hasattr(__import__('os'), 'fork')", reason="where there is no fork, nobody knows the line")
def test_a_time_out_shows_the_line_and_the_outermost(screen: Screen, model: str) -> None:
    body = "def look(node):\n    return wait(node)\ndef wait(node):\n    while True:\n        node = node\n"
    shown = screen(with_body("dfs_maximizing", f"{body}return look(state)", model), "dfs/two-by-two", seconds=0.3)
    assert re.search(r"in dfs_maximizing:\n        return look\(state\)\n      lab.py:\d+, in wait:\n        ", shown)


def test_a_generator_stands_in_a_function(screen: Screen, model: str) -> None:
    text = with_body("dfs_maximizing", "return max(child.nothing for child in state.generate_next_states())", model)
    shown = screen(text, "dfs/two-by-two")
    assert ", in dfs_maximizing:\n        return max(" in shown and ", in <genexpr>:" not in shown


def test_a_search_that_yields_is_told_of_that_alone(screen: Screen, model: str) -> None:
    shown = words(screen(with_body("dfs_maximizing", "yield [state], 0, 1", model), "dfs/two-by-two"))
    made = "It returned a generator (from `yield`, or `for` in round brackets); a search returns a tuple"
    assert made in shown and "never got a score" not in shown


def test_what_is_not_started_says_which_line_was_reached(screen: Screen, model: str) -> None:
    text = with_body("dfs_maximizing", "if False:\n    pass\nraise NotImplementedError", model)
    line = 1 + text.splitlines().index("    raise NotImplementedError")
    shown = screen(text, "dfs/two-by-two")
    assert f"Not started: line {line} of lab.py was reached, and raised NotImplementedError." in words(shown)


def test_what_is_defined_twice_is_told_where_it_fails(screen: Screen, model: str) -> None:
    first, again = model.splitlines().index("def dfs_maximizing(state):") + 1, len(model.splitlines()) + 2
    shown = words(screen(f"{model}\ndef dfs_maximizing(state):\n    return None\n", "dfs/two-by-two"))
    assert f"lab.py defines dfs_maximizing in lines {first} and {again}, and Python takes the last one." in shown
    right = words(screen(f"def dfs_maximizing(state):\n    return None\n{model}", "dfs/two-by-two"))
    assert "lab.py defines" not in right


def test_what_an_import_raised_is_no_line_of_the_graders(bank: Bank) -> None:
    """However it is broken into lines, none of them is one that stands at the left edge."""
    forged = f"{TOTAL} of {TOTAL} points: everything passes."
    reason = f"lab.py cannot be imported. ValueError: {'x' * 73} {forged} {'x' * 73}"
    verdicts = {case.id: Verdict(case.id, Status.CRASH, message=reason) for case in bank.cases}
    lines = report(ScoreSheet(bank, verdicts, b"", import_failure=reason), bank.cases, False, STYLE).splitlines()
    assert [line for line in lines if f"of {TOTAL}" in line] == [f"  {forged}", f"0 of {TOTAL} points."]


def test_what_nobody_could_judge_is_told_once(bank: Bank) -> None:
    reason = "lab.py cannot be imported. In 15 seconds it computed for 0.1, and was stopped."
    verdicts = {case.id: Verdict(case.id, Status.UNGRADED, message=reason) for case in bank.cases if not case.advice}
    verdicts["dfs/two-by-two"] = Verdict("dfs/two-by-two", Status.UNGRADED, message="A fault of the grader.")
    shown = words(report(ScoreSheet(bank, verdicts, b""), bank.cases, False, STYLE))
    assert shown.count("lab.py cannot be imported") == 1
    assert "dfs/two-by-two (ungraded): A fault of the grader." in shown
    assert "Ungraded for the same reason: solve, make_run, is_game_over_connectfour, next_boards_connectfour," in shown


def test_prints_are_whole_where_a_case_is_chosen(screen: Screen, model: str) -> None:
    text = with_body("dfs_maximizing", "for n in range(150):\n    print('print', n)", model)
    alone = screen(text, "dfs/two-by-two")
    assert "It printed:\n    | print 0\n" in alone and "| print 149\n" in alone
    among_others = screen(text, "dfs_maximizing")
    assert "It printed, at the end:\n    | print 140\n" in among_others
    flood = screen(text.replace("range(150)", "range(40_000)"), "dfs/two-by-two")
    assert "It printed, at the end:\n    | print 39800\n" in flood and "| print 39999\n" in flood


@pytest.mark.parametrize(
    "wrong_lab", ["faster-prefers-later", "heuristic-divides-by-zero", "heuristic-own-chains-only"]
)
def test_both_boards_are_drawn_where_two_scores_are_compared(
    wrong_lab: str, bank: Bank, model: str, tmp_path: Path
) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(build(WRONG_LABS[wrong_lab], model), encoding="utf-8")
    compared = 0
    with Session(lab, bank) as session:
        for case in bank.of(WRONG_LABS[wrong_lab].function):
            verdict = session.verdict(case)
            if "should score higher" in verdict.message or "each other's negative" in verdict.message:
                shown = "\n".join(explain(session.sheet_of([case]), case, verdict, STYLE))
                assert shown.count("0 1 2 3 4 5 6") == 2
                for what, *_ in verdict.rows:
                    assert f": `{what}`)" in words(shown)
                assert shown.count(f"\n{case.function}(") == 2 or f"make debug CASE={case.id}" in shown
                compared += 1
    assert compared or wrong_lab == "heuristic-divides-by-zero"


def test_earlier_calls_that_were_right_are_mentioned(screen: Screen, model: str) -> None:
    text = model + "\n_right = minimax_search_alphabeta\ndef minimax_search_alphabeta(*words, **named):\n"
    text += "    return _right(*words, **named) if named.get('maximize') is not False else None\n"
    second = words(screen(text, "alphabeta/equal-bounds"))
    first = words(screen(text.replace("is not False", "is not True"), "alphabeta/equal-bounds"))
    assert "(call 2 of 2; call 1 was right)" in second and "(call 1 of 2)" in first


def test_a_call_that_is_right_alone_is_told(screen: Screen, model: str) -> None:
    alone = "This call alone, in a new process, is right: does an earlier one leave something behind, or is it chance?"
    lab = f"{model}\n_seen, _right = {{}}, is_game_over_connectfour\ndef is_game_over_connectfour(board):\n    return "
    shown = words(screen(f"{lab}_seen.setdefault(board.count_pieces(), _right(board))\n", "is_game_over_connectfour"))
    assert "were right)" in shown and alone in shown
    shown = words(screen(f"{lab}_right(board) or board.count_pieces() == 41\n", "game-over/full-board"))
    assert "call 1 was right)" in shown and alone not in shown
    counts = "return end.get_endgame_score()"
    body = "def score(end):\n    counted.append(end)\n    " + counts + "\nif state.is_game_over():\n"
    body += "    return [state], score(state), len(counted)\n"
    body += "found = [dfs_maximizing(child) for child in state.generate_next_states()]\n"
    body += "path, score, _ = max(found, key=lambda one: one[1])\nreturn [state, *path], score, len(counted)\n"
    shown = words(screen(with_body("dfs_maximizing", body, f"counted = []\n{model}"), "dfs/no-choice"))
    assert alone in shown and "your call on it returned a count of 2" not in shown  # which is true, and not the cause


def test_of_a_call_that_is_right_alone_only_that_is_told(screen: Screen, model: str) -> None:
    shown = words(screen(f"{model}{REMEMBERS}", "alphabeta/equal-bounds"))
    assert "another one should be chosen. This call alone, in a new process, is right: does an earlier" in shown
    assert "in which the maximizer moves first" not in shown


def test_what_comes_out_otherwise_is_told(screen: Screen, model: str) -> None:
    body = "import time\nreturn [state], time.time_ns(), 1"
    shown = words(screen(with_body("dfs_maximizing", body, model), "dfs/two-by-two"))
    assert "Run once more, this case gave another answer: is there chance in it?" in shown


def test_a_recursion_by_another_name_is_located_too(screen: Screen, model: str) -> None:
    text = model.replace("minimax_search_alphabeta(child, alpha, beta,", "_SEARCHES[0](child, -INF, INF,")
    shown = words(screen(f"{text}\n_SEARCHES = [minimax_search_alphabeta]\n", "alphabeta/two-by-two"))
    assert text != model and "At root alpha should be 3 by then; your call on B has alpha = -INF." in shown


def test_a_score_that_is_another_alone_is_told(screen: Screen, model: str) -> None:
    lab = f"{model}\n_seen, _right = {{}}, heuristic_connectfour\ndef heuristic_connectfour(board, flag):\n    return "
    shown = words(screen(f"{lab}_seen.setdefault(board, _right(board, flag))\n", "heuristic/opposite"))
    assert "both score the same. Alone, in a new process, `minimizer-moves` scores -" in shown
    shown = words(screen(f"{lab}_right(board, flag) + 1\n", "heuristic/opposite"))
    assert "each other's negative." in shown and "Alone, in a new process" not in shown


def test_the_smallest_drawn_case_comes_first(screen: Screen, bank: Bank, model: str) -> None:
    shown = screen(build(WRONG_LABS["alphabeta-cuts-only-when-greater"], model), "minimax_search_alphabeta")
    assert "alphabeta/equal-bounds " in shown  # and not nim, whose picture is short and whose tree is not
    shown = screen(build(WRONG_LABS["alphabeta-forgets-the-last-count"], model), "minimax_search_alphabeta")
    assert "alphabeta/two-by-two " in shown


def test_what_was_not_run_is_not_shown_first(bank: Bank) -> None:
    first, second, *_ = bank.of("dfs_maximizing")
    drawn = Verdict(second.id, Status.TIME_OUT, message="Stopped.", picture="a\nb")
    skipped = Verdict(first.id, Status.TIME_OUT, message="Not run.", ran=False)
    shown = report(ScoreSheet(bank, {first.id: skipped, second.id: drawn}, b""), [first, second], False, STYLE)
    assert f"TIME-OUT  {second.id}" in shown


def failing(bank: Bank, case: Case) -> str:
    """The screen of a case that fails."""
    verdict = Verdict(case.id, Status.FAIL, message="Wrong.", picture="a picture")
    return "\n".join(explain(ScoreSheet(bank, {case.id: verdict}, b""), case, verdict, STYLE))


def test_every_screen_has_the_command_and_then_the_call_to_paste(bank: Bank) -> None:
    for case in bank.cases:
        shown = failing(bank, case)
        if case.function.startswith("ANSWER") or case.function == "make_run":
            assert shown.endswith(f"make test K={case.id}")
        elif "In a Python of your own:" in shown:
            assert shown.index(f"make test K={case.id}") < shown.index("from lab import *; from api import *")
        else:
            assert f"The call as Python, and the debugger: make debug CASE={case.id}" in words(shown), case.id
    (equal_bounds,) = (case for case in bank.cases if case.id == "alphabeta/equal-bounds")
    pasted = "\nminimax_search_alphabeta(tree_state(EQUAL_BOUNDS), maximize=True)"
    assert failing(bank, equal_bounds).endswith(pasted), "what is copied with spaces before it does not run"


def test_a_function_in_a_line_is_told_by_the_case_in_which_its_mistake_was_located(bank: Bank) -> None:
    first, *_, other = (case for case in bank.cases if case.function == "minimax_search")
    (begins,) = (case for case in bank.cases if case.id == "dfs/two-by-two")
    verdicts = {case.id: Verdict(case.id, Status.FAIL, message=f"Of {case.id}.") for case in (begins, first, other)}
    known = {"minimax_search": Diagnosis(other.id, sentence="There.")}
    sheet = ScoreSheet(bank, verdicts, b"", diagnoses=known)
    shown = words(report(sheet, (begins, first, other), False, STYLE))
    assert f"minimax_search: 2 cases, such as {other.id} (fail): Of {other.id}. There." in shown


def test_its_commands_are_about_the_call_that_failed(bank: Bank) -> None:
    (case,) = (case for case in bank.cases if case.id == "player/two-players-at-once")
    for at in (0, 2):
        verdict = Verdict(case.id, Status.FAIL, message="Wrong.", call=at, picture="a picture")
        shown = words("\n".join(explain(ScoreSheet(bank, {case.id: verdict}, b""), case, verdict, STYLE)))
        assert f"make debug CASE={case.id}" in shown and ("CALL=3" in shown) is (at == 2)


def test_reminders_wait_for_a_run_that_passes(bank: Bank) -> None:
    survey = {"NAME": ""}
    passes = {case.id: Verdict(case.id, Status.PASS, FULL) for case in bank.cases}
    assert "survey" in report(ScoreSheet(bank, passes, b"", survey), bank.cases, False, STYLE)
    passes["solve/remoteness"] = Verdict("solve/remoteness", Status.FAIL)
    assert "Advice" in report(ScoreSheet(bank, passes, b"", survey), bank.cases, False, STYLE)
    wrong = {**passes, "dfs/two-by-two": Verdict("dfs/two-by-two", Status.FAIL)}
    shown = report(ScoreSheet(bank, wrong, b"", survey), bank.cases, False, STYLE)
    assert "survey" not in shown and "Advice" not in shown


CRASH = "def help(node):\n    return node.nothing\nreturn help(state)"
LATE = "alphabeta-cuts-only-when-greater"


@pytest.mark.parametrize(
    ("level", "has_frames", "has_call", "has_count"),
    [("full", True, True, True), ("place", True, True, False), ("verdict", False, False, False)],
)
def test_a_course_decides_how_much_is_told(
    level: str, has_frames: bool, has_call: bool, has_count: bool, bank: Bank, model: str, tmp_path: Path
) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("dfs_maximizing", CRASH, build(WRONG_LABS[LATE], model)), encoding="utf-8")
    names = ("dfs/two-by-two", "alphabeta/equal-bounds")
    with Session(lab, bank) as session:
        sheet = with_feedback(session.sheet_of([case for case in bank.cases if case.id in names]), level)
    crash, late = (
        "\n".join(explain(sheet, case, sheet.verdict(case), STYLE)) for case in sheet.bank.cases if case.id in names
    )
    assert ("return node.nothing" in crash, "in help:" in crash) == (has_frames, has_frames)
    for shown in (crash, late):
        assert ("from lab import *" in shown) is has_call
        assert "This case alone: make test K=" in shown
    assert ("evaluations   4" in late, "too many" in late) == (has_count, has_count)
    words = ("FAIL", "FAIL") if level == "verdict" else ("CRASH", "IN PART")
    assert (crash.split("  ")[0], late.split("  ")[0]) == words


def test_a_hidden_case_says_the_kind_of_mistake_alone(bank: Bank) -> None:
    (case,) = (case for case in bank.cases if case.id == "alphabeta/equal-bounds")
    hidden = replace(case, hidden=True)
    verdict = Verdict(
        case.id, Status.CRASH, message="secret", picture="drawn", printed="secret", frames=((1, "secret"),)
    )
    sheet = ScoreSheet(Bank(bank.parts, (hidden,)), {}, b"secret")
    shown = "\n".join(explain(sheet, hidden, concealed(verdict), STYLE))
    assert "It raised an exception, or ended its process." in shown
    assert "secret" not in shown and "from lab import" not in shown


def test_a_located_mistake_hides_no_earlier_call(screen: Screen, model: str) -> None:
    shown = words(screen(build(WRONG_LABS["minimax-always-maximizes-first"], model), "minimax/unusual-scores"))
    assert "(call 2 of " in shown and "; call 1 was right)" in shown


def test_a_right_answer_is_not_drawn(bank: Bank, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Case] = []

    def note(kind: object, case: Case, *others: object) -> str:
        drawn.append(case)
        return ""

    monkeypatch.setattr(Kind, "drawn", note)
    (tmp_path / "lab.py").write_text(model, encoding="utf-8")
    with Session(tmp_path / "lab.py", bank) as session:
        assert session.verdict(bank.of("minimax_search")[0]).passed
    assert not drawn


def test_what_is_counted_is_in_the_right_number(bank: Bank) -> None:
    cases = bank.of("dfs_maximizing")[:4]
    statuses = (Status.FAIL, Status.CRASH, Status.CRASH, Status.PASS)
    verdicts = {case.id: Verdict(case.id, status) for case, status in zip(cases, statuses, strict=True)}
    question = bank.of("ANSWER_3")[0]
    verdicts[question.id] = Verdict(question.id, Status.FAIL, message="2 is not the answer.")
    shown = words(report(ScoreSheet(bank, verdicts, b""), (*cases, question), False, STYLE))
    assert "1 passes, 1 fails, 2 crashes" in shown
    assert f"ANSWER_3: 1 case, {question.id} (fail): 2 is not the answer." in shown


def test_advice_that_crashes_says_that_it_costs_nothing(screen: Screen, model: str) -> None:
    old = "while depth < depth_limit and (depth_limit < INF or estimated_at == depth):\n            depth += 1\n"
    assert old in model
    shown = words(screen(model.replace(old, "for depth in range(1, depth_limit + 1):\n"), "progressive_deepening"))
    assert "integer (lab.py" in shown and "in progressive_deepening). That costs nothing." in shown


@pytest.mark.parametrize(("number", "cases"), [(1, "the failing case"), (2, "both failing cases"), (3, "all 3 fail")])
def test_a_mistake_fits_so_many_cases(number: int, cases: str, bank: Bank) -> None:
    known = Diagnosis(names=(Misconception("adds one"),), explains=number)
    assert words(" ".join(cause(ScoreSheet(bank, {}, b"", diagnoses={"solve": known}), "solve"))).startswith(
        f"One known mistake fits {cases}"
    )


def test_of_two_mistakes_that_fit_both_are_told(bank: Bank) -> None:
    two = (Misconception("adds one", "Never shown.", "Why?"), Misconception("adds two"))
    known = Diagnosis(names=two, explains=3)
    assert cause(ScoreSheet(bank, {}, b"", diagnoses={"solve": known}), "solve") == [
        "Two known mistakes fit all 3 failing cases of solve:",
        "    It adds one. Then ask yourself: Why?",
        "    It adds two.",
    ]
    assert in_a_line(known) == " What fits: it adds one, or it adds two."


def test_an_error_in_all_cases_is_told_above_them_with_the_number(screen: Screen, model: str) -> None:
    crash = words(screen(with_body("dfs_maximizing", "return state.nothing", model), "dfs_maximizing"))
    assert "The same error in all 8 failing cases of dfs_maximizing: CRASH dfs/" in crash
    nothing = words(screen(with_body("dfs_maximizing", "pass", model), "dfs_maximizing"))
    assert "The same error in all 8 failing cases of dfs_maximizing: FAIL dfs/" in nothing
    other = words(screen(with_body("dfs_maximizing", "raise KeyError(str(state))", model), "dfs_maximizing"))
    assert "The same error" not in other


def test_what_all_hidden_cases_say_is_no_error(bank: Bank) -> None:
    cases = [replace(case, hidden=True) for case in bank.of("dfs_maximizing")]
    verdicts = {case.id: Verdict(case.id, Status.CRASH, message="It raised an exception.") for case in cases}
    assert cause(ScoreSheet(Bank(bank.parts, tuple(cases)), verdicts, b""), "dfs_maximizing") == []


def test_a_lab_py_without_a_kit_beside_it_is_no_older_kit(bank: Bank) -> None:
    assert about_the_kit(ScoreSheet(bank, {}, b"", kit=Release("1.2.0"), checkout=UNCHANGED)) == []


def test_what_lab_py_has_no_more_is_told_beside_what_is_not_started(screen: Screen, model: str) -> None:
    text = with_body("minimax_endgame_search", "raise NotImplementedError", model.replace("MinimaxPlayer(P", "Other(P"))
    text = with_body("dfs_maximizing", "pass", text)
    shown = words(screen(text, "dfs_maximizing", "minimax_endgame_search", "MinimaxPlayer"))
    assert "Not started: minimax_endgame_search, MinimaxPlayer (not in lab.py)" in shown


def test_what_took_little_time_is_not_said_to_have_taken_it(bank: Bank) -> None:
    first, second = bank.of("dfs_maximizing")[0], bank.of("solve")[0]
    verdicts = {
        first.id: Verdict(first.id, Status.FAIL, seconds=13),
        second.id: Verdict(second.id, Status.FAIL, seconds=1),
    }
    assert ScoreSheet(bank, verdicts, b"").slowest(3) == [("dfs_maximizing", 13)]
