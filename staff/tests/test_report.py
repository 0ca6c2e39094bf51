"""make report: the whole sheet as one page, with the failing searches played back."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.bank.cases import Bank
from grader.grading.feedback import with_feedback
from grader.grading.session import Session
from grader.grading.sheet import ScoreSheet
from grader.showing.console import score_line
from grader.tools.report import write_report
from staff.tests.conftest import Submit
from staff.tests.support.browser import CHROMEDRIVER, CHROMIUM, Browser
from staff.wrong_labs import build, load_wrong_labs, with_body

FUNCTIONS = (
    "dfs_maximizing",
    "minimax_endgame_search",
    "minimax_search",
    "minimax_search_alphabeta",
)


ENDGAME = "minimax_endgame_search"
ALPHABETA = "minimax_search_alphabeta"
HOSTILE = "raise KeyError('</pre><script>alert(1)</script>')"


@pytest.fixture(scope="module")
def sheet(
    bank: Bank, model: str, tmp_path_factory: pytest.TempPathFactory
) -> ScoreSheet:
    """Of a lab with a wrong alpha-beta, a search that raises something hostile, and one
    that is not written.
    """
    text = model.replace("if alpha >= beta:", "if alpha > beta:")
    text = with_body(ENDGAME, HOSTILE, text)
    text = with_body("minimax_search", "raise NotImplementedError", text)
    lab = tmp_path_factory.mktemp("lab") / "lab.py"
    lab.write_text(text, encoding="utf-8")
    cases = tuple(case for case in bank.cases if case.function in FUNCTIONS)
    with Session(lab, bank) as session:
        graded = session.sheet_of(cases)
    return replace(graded, bank=replace(bank, cases=cases))


@pytest.fixture(scope="module")
def report(sheet: ScoreSheet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "build" / "report.html"
    write_report(sheet, file)
    return file


@pytest.fixture(scope="module")
def page(report: Path) -> str:
    """The text of the report."""
    return report.read_text("utf-8")


def page_of(sheet: ScoreSheet, folder: Path) -> str:
    """The text of the report on a sheet."""
    file = folder / "report.html"
    write_report(sheet, file)
    return file.read_text("utf-8")


def page_on(lab: Path, bank: Bank, *functions: str) -> str:
    """The text of the report on these functions of a lab.py."""
    cases = [case for case in bank.cases if case.function in functions]
    with Session(lab, bank) as session:
        return page_of(session.sheet_of(cases), lab.parent)


SECTION = r'<section class="\w+"[^>]*>\n<h2>(.*?)</h2>(.*?)</section>'
SCRIPT = '<script type="application/json">'


def sections(page: str) -> dict[str, str]:
    """The parts of a page by their headings."""
    return dict(re.findall(SECTION, page, re.DOTALL))


def before_the_script(section: str) -> str:
    """What a section shows without a script."""
    return section.partition("<script")[0]


# --- the page ------------------------------------------------------------------------


def test_the_page_begins_with_the_score(sheet: ScoreSheet, page: str) -> None:
    assert f"<h1>{score_line(sheet)}</h1>" in page


def test_each_column_of_a_table_has_a_heading(page: str) -> None:
    headings = re.findall(r'<th scope="col">(.*?)</th>', page)
    of_points = ["Part", "Points", "At the deadline", "Cases"]
    of_a_case = ["expected", "yours"]
    of_all_cases = ["Case", "Verdict", "Points", "Remarks"]
    assert headings == of_points + of_a_case + of_all_cases


def test_each_begun_function_that_fails_has_a_section(page: str) -> None:
    headings = [heading for heading in sections(page) if heading]
    assert headings == [ENDGAME, ALPHABETA]


def test_a_function_that_passes_has_its_cases_in_the_table_alone(
    sheet: ScoreSheet, page: str
) -> None:
    assert page.count("<td>dfs/") == len(sheet.bank.of("dfs_maximizing"))


@pytest.mark.parametrize(
    "label",
    [
        "One known mistake explains every failing case of minimax_search_alphabeta:",
        "Hint:",
        "Ask yourself:",
        "PARTLY RIGHT",
    ],
)
def test_a_section_says_what_is_known_once(label: str, page: str) -> None:
    section = before_the_script(sections(page)[ALPHABETA])
    assert section.count(f"<p><strong>{label}</strong> ") == 1


def test_a_section_has_the_call_the_place_and_a_command(page: str) -> None:
    section = before_the_script(sections(page)[ALPHABETA])
    call = "<pre><code>minimax_search_alphabeta(state, maximize=True)</code></pre>"
    assert call in section
    assert section.count(" goes on to the 5 below B") == 1
    assert "Run only this case" in section
    assert 'class="drawn"' not in section


def test_a_search_is_played_back_beside_the_expected_one(page: str) -> None:
    _, _, rest = sections(page)[ALPHABETA].partition(SCRIPT)
    data, _, _ = rest.partition("</script>")
    sides = [name for name, _ in json.loads(data)["sides"]]
    assert sides == ["yours", "expected"]


def test_a_search_that_crashes_is_played_back_up_to_there(page: str) -> None:
    assert SCRIPT in sections(page)[ENDGAME]


def test_text_of_a_student_is_no_markup(page: str) -> None:
    assert "KeyError: &#x27;&lt;/pre&gt;&lt;script&gt;" in sections(page)[ENDGAME]
    of_the_kit = 3  # the data of two searches, and the player
    assert page.count("<script") == of_the_kit


# --- other submissions ---------------------------------------------------------------


def test_a_player_is_shown_whole_and_in_parts(
    bank: Bank, model: str, submit: Submit
) -> None:
    wrong_labs = {wrong_lab.id: wrong_lab for wrong_lab in load_wrong_labs()}
    lab = submit(build(wrong_labs["player-ignores-the-depth"], model))
    section = sections(page_on(lab, bank, "MinimaxPlayer"))["MinimaxPlayer"]
    parts = (
        "<strong>Hint:</strong>",
        "<strong>FAIL</strong> player/",
        '<pre class="drawn">',
        "<td></td>",
        "<code>",
    )
    assert [part for part in parts if part not in section] == []
    assert "more line" not in section
    assert "…" not in section


def test_what_was_printed_is_shown(bank: Bank, model: str, submit: Submit) -> None:
    function = "is_game_over_connectfour"
    prints = "print('<i>seen</i>')\nreturn None"
    lab = submit(with_body(function, prints, model))
    printed = '<p>It printed:</p>\n<pre class="drawn">&lt;i&gt;seen&lt;/i&gt;'
    assert printed in page_on(lab, bank, function)


def test_a_hidden_case_is_not_played_back_and_cannot_be_run(
    sheet: ScoreSheet, tmp_path: Path
) -> None:
    cases = [
        replace(case, hidden=case.function == ALPHABETA) for case in sheet.bank.cases
    ]
    hidden = replace(sheet, bank=Bank(sheet.bank.parts, tuple(cases)))
    section = sections(page_of(hidden, tmp_path))[ALPHABETA]
    assert SCRIPT not in section
    assert "Run only this case" not in section


@pytest.mark.parametrize("level", ["place", "verdict"])
def test_it_says_no_more_than_the_course_does(
    level: str, sheet: ScoreSheet, tmp_path: Path
) -> None:
    page = page_of(with_feedback(sheet, level), tmp_path)
    assert ">expected<" not in before_the_script(sections(page)[ALPHABETA])


def test_a_lab_that_cannot_be_imported(bank: Bank, submit: Submit) -> None:
    page = page_on(submit("def <b>\n"), bank, "dfs_maximizing")
    assert "&lt;b&gt;" in sections(page)["lab.py"]


def test_code_that_python_cannot_read_is_shown(bank: Bank, submit: Submit) -> None:
    lab = submit("def dfs_maximizing(state:\n    return 1\n")
    page = page_on(lab, bank, *FUNCTIONS)
    assert "1 | def dfs_maximizing(state:\n        |                   ^" in page
    assert "Nothing could be graded." in page


# --- in a browser --------------------------------------------------------------------


@pytest.fixture
def opened(report: Path) -> Iterator[Browser]:
    """A browser that shows the report."""
    with Browser() as browser:
        browser.open(report.as_uri())
        yield browser


def on_a_phone(browser: Browser) -> None:
    """Let the window of a browser be as narrow as a phone."""
    browser.emulate(
        "Emulation.setDeviceMetricsOverride",
        width=360,
        height=800,
        deviceScaleFactor=1,
        mobile=False,
    )


@pytest.mark.skipif(
    not (CHROMIUM and CHROMEDRIVER),
    reason="no chromium and chromedriver on this machine",
)
@pytest.mark.xdist_group("chromium")
def test_the_page_in_a_browser(opened: Browser) -> None:
    assert opened.complaints() == []
    assert opened.count("section.trace svg") == 4
    assert opened.count("section.case") == 1

    opened.run("document.querySelector('section.trace').focus()")
    opened.press("Home", "Right", "Right")
    assert opened.text(".said").startswith("Step 2 of ")

    on_a_phone(opened)
    assert opened.run("return document.documentElement.scrollWidth") <= 360

    opened.click("summary")
    assert opened.text("details table").startswith("Case")
