"""make report: the whole sheet as one page, with the failing searches played back."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.bank.cases import Bank
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.showing.console import score_line
from grader.tools.report import write_report
from staff.tests.support.browser import CHROMEDRIVER, CHROMIUM, Browser
from staff.wrong_labs import build, load_wrong_labs, with_body

FUNCTIONS = (
    "dfs_maximizing",
    "minimax_endgame_search",
    "minimax_search",
    "minimax_search_alphabeta",
)


@pytest.fixture(scope="module")
def sheet(
    bank: Bank, model: str, tmp_path_factory: pytest.TempPathFactory
) -> ScoreSheet:
    """Of a lab with a wrong alpha-beta, a search that raises something hostile, and one
    that is not written.
    """
    lab = tmp_path_factory.mktemp("lab") / "lab.py"
    wrong = model.replace("if alpha >= beta:", "if alpha > beta:")
    wrong = with_body(
        "minimax_endgame_search",
        "raise KeyError('</pre><script>alert(1)</script>')",
        wrong,
    )
    lab.write_text(
        with_body("minimax_search", "raise NotImplementedError", wrong),
        encoding="utf-8",
    )
    with Session(lab, bank) as session:
        cases = tuple(case for case in bank.cases if case.function in FUNCTIONS)
        return replace(session.sheet_of(cases), bank=replace(bank, cases=cases))


@pytest.fixture(scope="module")
def report(sheet: ScoreSheet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "build" / "report.html"
    write_report(sheet, file)
    return file


def sections(file: Path) -> dict[str, str]:
    """The parts of a page by their headings."""
    return dict(
        re.findall(
            r'<section class="\w+"[^>]*>\n<h2>(.*?)</h2>(.*?)</section>',
            file.read_text("utf-8"),
            re.S,
        )
    )


def test_each_function_that_fails_has_one_case_in_full(
    sheet: ScoreSheet, report: Path
) -> None:
    text = report.read_text("utf-8")
    assert f"<h1>{score_line(sheet)}</h1>" in text
    heads = ["Part", "Points", "At the deadline", "Cases", "expected", "yours"]
    heads += ["Case", "Verdict", "Points", "Remarks"]
    assert re.findall(r'<th scope="col">(.*?)</th>', text) == heads
    found = sections(report)
    assert [name for name in found if name] == [
        "minimax_endgame_search",
        "minimax_search_alphabeta",
    ]
    shown, _, _ = found["minimax_search_alphabeta"].partition("<script")
    for label in (
        "One known mistake explains every failing case of minimax_search_alphabeta:",
        "Hint:",
        "Ask yourself:",
        "PARTLY RIGHT",
    ):
        assert shown.count(f"<p><strong>{label}</strong> ") == 1
    assert (
        "<pre><code>minimax_search_alphabeta(state, maximize=True)</code></pre>"
        in shown
    )
    assert (
        shown.count(" goes on to the 5 below B") == 1 and 'class="drawn"' not in shown
    )
    data = re.search(
        r'<script type="application/json">(.*?)</script>',
        found["minimax_search_alphabeta"],
        re.S,
    )
    assert data and [name for name, _ in json.loads(data[1])["sides"]] == [
        "yours",
        "expected",
    ]
    assert (
        "application/json" in found["minimax_endgame_search"]
    )  # up to where it crashes
    assert (
        "KeyError: &#x27;&lt;/pre&gt;&lt;script&gt;" in found["minimax_endgame_search"]
    )
    assert (
        text.count("<td>dfs/") == len(sheet.bank.of("dfs_maximizing"))
        and text.count("<script") == 3
    )


def test_a_player_is_shown_whole_and_in_parts(
    bank: Bank, model: str, tmp_path: Path
) -> None:
    lab = tmp_path / "lab.py"
    wrong = next(
        each for each in load_wrong_labs() if each.id == "player-ignores-the-depth"
    )
    lab.write_text(build(wrong, model), encoding="utf-8")
    with Session(lab, bank) as session:
        write_report(
            session.sheet_of(bank.of("MinimaxPlayer")), tmp_path / "report.html"
        )
    shown = sections(tmp_path / "report.html")["MinimaxPlayer"]
    assert "more line" not in shown and "…" not in shown
    for part in (
        "<strong>Hint:</strong>",
        "<strong>FAIL</strong> player/",
        '<pre class="drawn">',
        "<td></td>",
        "<code>",
    ):
        assert part in shown


def test_what_was_printed_is_shown(bank: Bank, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(
        with_body(
            "is_game_over_connectfour", "print('<i>seen</i>')\nreturn None", model
        ),
        encoding="utf-8",
    )
    with Session(lab, bank) as session:
        write_report(
            session.sheet_of(bank.of("is_game_over_connectfour")),
            tmp_path / "report.html",
        )
    assert '<p>It printed:</p>\n<pre class="drawn">&lt;i&gt;seen&lt;/i&gt;' in (
        tmp_path / "report.html"
    ).read_text("utf-8")


def test_a_hidden_case_is_not_played_back(sheet: ScoreSheet, tmp_path: Path) -> None:
    hidden = tuple(
        replace(case, hidden=case.function == "minimax_search_alphabeta")
        for case in sheet.bank.cases
    )
    write_report(
        replace(sheet, bank=Bank(sheet.bank.parts, hidden)), tmp_path / "report.html"
    )
    assert (
        "application/json"
        not in sections(tmp_path / "report.html")["minimax_search_alphabeta"]
    )


@pytest.mark.parametrize("level", ["place", "verdict"])
def test_it_says_no_more_than_the_course_does(
    level: str, sheet: ScoreSheet, tmp_path: Path
) -> None:
    write_report(with_feedback(sheet, level), tmp_path / "report.html")
    found = sections(tmp_path / "report.html")["minimax_search_alphabeta"]
    assert ">expected<" not in found.partition("<script")[0]


def test_a_lab_that_cannot_be_imported(bank: Bank, tmp_path: Path) -> None:
    (tmp_path / "lab.py").write_text("def <b>\n", encoding="utf-8")
    with Session(tmp_path / "lab.py", bank) as session:
        write_report(
            session.sheet_of(bank.of("dfs_maximizing")), tmp_path / "report.html"
        )
    assert "&lt;b&gt;" in sections(tmp_path / "report.html")["lab.py"]


def test_code_that_python_cannot_read_is_shown(bank: Bank, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text("def dfs_maximizing(state:\n    return 1\n", encoding="utf-8")
    file = tmp_path / "report.html"
    with Session(lab, bank) as session:
        write_report(session.sheet(), file)
    page = file.read_text("utf-8")
    assert "1 | def dfs_maximizing(state:\n        |                   ^" in page
    assert "Nothing could be graded." in page


@pytest.mark.skipif(
    not (CHROMIUM and CHROMEDRIVER),
    reason="no chromium and chromedriver on this machine",
)
@pytest.mark.xdist_group("chromium")
def test_the_page_in_a_browser(report: Path) -> None:
    with Browser() as page:
        page.open(report.as_uri())
        assert page.complaints() == []
        assert page.count("section.trace svg") == 4 and page.count("section.case") == 1
        page.run("document.querySelector('section.trace').focus()")
        page.press("Home", "Right", "Right")
        assert page.text(".said").startswith("Step 2 of ")
        page.emulate(
            "Emulation.setDeviceMetricsOverride",
            width=360,
            height=800,
            deviceScaleFactor=1,
            mobile=False,
        )
        assert page.run("return document.documentElement.scrollWidth") <= 360
        page.click("summary")
        assert page.text("details table").startswith("Case")
