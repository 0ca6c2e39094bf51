"""The bundle for Classroom 50: what is in it, and runs as the service's runner would
start it.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.verdicts.verdict import Status
from staff.reports import classroom50
from staff.tests.conftest import FUNCTIONS, KIT, TOTAL
from staff.tests.gradebook.samples import lay
from staff.tests.support.labs import lab_of, sheet_of
from staff.tests.support.masters import change, copy_master, decide
from staff.tests.support.services import Classroom50
from staff.tests.support.typed import grader
from staff.tests.test_gradescope import hidden_case
from staff.tests.test_reports import outside_fences, with_verdict

pytestmark = pytest.mark.long

SCHEMA = json.loads(
    (KIT / "staff" / "reports" / "classroom50.schema.json").read_text("utf-8")
)
LARGEST = 10 << 20  # bytes, of what the runner fetches
FORGED = json.dumps(
    {"schema": "classroom50/result/v1", "score": 10_000, "max-score": 10_000}
)
NAMES = ("result.json", "release-body.md", "report.html")


def build(master: Path) -> Path:
    """Type make classroom50 in a master copy; the folder of the bundle."""
    subprocess.run(["git", "add", "--all"], cwd=master, check=True)
    done = grader("classroom50", cwd=master)
    assert done.returncode == 0, done.stderr
    bundle = master / "build" / "classroom50"
    assert done.stdout.startswith(f"{bundle}: ")
    return bundle


def files_in(bundle: Path) -> dict[str, bytes]:
    """The files of a bundle, by name."""
    files = [file for file in bundle.rglob("*") if file.is_file()]
    return {file.relative_to(bundle).as_posix(): file.read_bytes() for file in files}


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of a course without hidden cases."""
    return build(copy_master(tmp_path_factory.mktemp("master")))


@pytest.fixture
def master(tmp_path: Path) -> Path:
    return copy_master(tmp_path / "master")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python as the service sets it up: with pip, and nothing else."""
    folder = tmp_path_factory.mktemp("python")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder / "bin" / "python"


@pytest.fixture
def service(bundle: Path, python: Path, tmp_path: Path) -> Classroom50:
    return Classroom50(tmp_path, bundle, python)


def graded(service: Classroom50, lab: str | None) -> dict[str, Any]:
    """The result of a run that gives one, after it was held against the service's
    rules.
    """
    done = service.grade(lab)
    skip_without_packages(done.stderr)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    report = dict(json.loads(service.result.read_text("utf-8")))
    jsonschema.validate(report, SCHEMA)
    check_sums(report)
    assert len(read(service, "release-body.md")) <= classroom50.MOST_BODY
    assert read(service, "report.html").startswith("<!doctype html>")
    return report


def skip_without_packages(said: str) -> None:
    """Skip the test if the packages of the grader cannot be installed here."""
    if "pip could not install" in said:
        pytest.skip("no network here, and autograder.py installs packages")


def check_sums(report: dict[str, Any]) -> None:
    """The points of a report are those of its tests together."""
    tests = report["tests"]
    assert report["score"] == sum(test["score"] for test in tests)
    assert report["max-score"] == sum(test["max-score"] for test in tests)
    assert report["max-score"] == round(float(TOTAL) * 100)
    assert [test for test in tests if test["score"] > test["max-score"]] == []


def read(service: Classroom50, name: str) -> str:
    """A file that the grader has written into the checkout."""
    return (service.checkout / name).read_text("utf-8")


# --- the bundle ----------------------------------------------------------------------


def test_no_byte_of_a_hidden_case_is_in_it(master: Path, bundle: Path) -> None:
    lay(master / "staff" / "hidden", {"2x-hidden.yaml": hidden_case()})
    without = files_in(bundle)
    files = files_in(build(master))
    assert files.keys() == without.keys()
    points = "kit/boards/points.yaml"
    assert [name for name in files if files[name] != without[name]] == [points]
    share = {b"hidden:", b"0.5"}  # of the points, which hidden cases have
    assert set(files[points].split()) - set(without[points].split()) == share


def test_questions_whose_answers_are_not_shown_are_not_in_it(master: Path) -> None:
    decide(master, show_answers="false")
    names = files_in(build(master))
    assert "kit/boards/cases/2a-dfs.yaml" in names
    assert [name for name in names if name.startswith("kit/boards/cases/3")] == []


def test_it_holds_what_grades_and_no_more(bundle: Path) -> None:
    names = files_in(bundle)
    at_the_top = {name for name in names if "/" not in name}
    in_the_kit = {name.split("/")[1] for name in names if "/" in name}
    assert at_the_top == {"autograder.py", "requirements.txt"}
    assert in_the_kit == {
        "LICENSE", "Makefile", "api", "boards", "grader", "reports",
    }  # fmt: skip


def test_it_is_smaller_than_what_the_runner_fetches(bundle: Path) -> None:
    assert sum(map(len, files_in(bundle).values())) < LARGEST


# --- a run ---------------------------------------------------------------------------


def test_the_model_gets_everything(service: Classroom50, model: str) -> None:
    report = graded(service, model)
    assert report["score"] == report["max-score"]
    passed = {test["test-name"] for test in report["tests"] if test["passed"]}
    assert set(FUNCTIONS) < passed


def test_a_result_is_about_this_submission(service: Classroom50, model: str) -> None:
    report = graded(service, model)
    assert report["owner"] == "alice"
    assert report["submission"] == Classroom50.SUBMISSION


def test_a_run_writes_the_result_and_two_pages_and_no_more(
    service: Classroom50, model: str
) -> None:
    graded(service, model)
    assert sorted(file.name for file in service.checkout.iterdir()) == [
        ".classroom50.yaml", ".github", "lab.py", "release-body.md", "report.html", "result.json",
    ]  # fmt: skip
    assert read(service, "release-body.md").startswith(f"## {TOTAL} of {TOTAL} points")


NO_POINTS = {
    "the stub": ((KIT / "docs" / "student" / "lab.py").read_text("utf-8"), ""),
    "a syntax error": ("def solve(game:\n", "SyntaxError"),
    "no lab.py": (None, "lab.py is not there"),
}


@pytest.mark.parametrize(("lab", "says"), NO_POINTS.values(), ids=NO_POINTS)
def test_no_points_are_a_result(
    lab: str | None, says: str, service: Classroom50
) -> None:
    report = graded(service, lab)
    assert report["score"] == 0
    assert [test for test in report["tests"] if test["passed"]] == []
    assert says in report["tests"][0]["message"]


def test_a_hang_costs_its_own_function(service: Classroom50, model: str) -> None:
    cases = service.bundle / "kit" / "grader" / "bank" / "cases.py"
    change(cases, "seconds: float = 2.0", "seconds: float = 0.3")
    report = graded(service, lab_of("time-out", model))
    tests = {test["test-name"]: test for test in report["tests"]}
    assert "time-out" in tests["dfs_maximizing"]["message"]
    assert tests["dfs_maximizing"]["score"] == 0
    assert tests["solve"]["passed"]


def test_a_lab_that_is_a_link_is_not_followed(service: Classroom50, model: str) -> None:
    (service.checkout / "solution.py").write_text(model, "utf-8")
    (service.checkout / "lab.py").symlink_to("solution.py")
    report = graded(service, None)
    assert report["score"] == 0
    assert "lab.py is a link" in report["tests"][0]["message"]


ATTACK = """
import os
for folder in {folders!r}:
    for name in ("attacked", *{names!r}):
        try:
            open(os.path.join(folder, name), "w").write({forged!r})
        except OSError:
            pass
"""
OPEN = "\n\ndef shut_in(readable, writable):\n    return Isolation(0, False, cases_closed=True)\n"


def attack(service: Classroom50) -> str:
    """A lab.py that writes into the checkout."""
    folders = [str(service.checkout)]
    return ATTACK.format(folders=folders, names=NAMES, forged=FORGED)


def test_what_student_code_writes_is_not_believed(service: Classroom50) -> None:
    assert graded(service, attack(service))["score"] == 0
    assert [name for name in NAMES if FORGED in read(service, name)] == []


def test_what_student_code_writes_is_not_believed_where_it_can_write(
    service: Classroom50,
) -> None:
    """As on a machine without a lock."""
    isolation = service.bundle / "kit" / "grader" / "child" / "isolation.py"
    isolation.write_text(isolation.read_text("utf-8") + OPEN, "utf-8")
    assert graded(service, attack(service))["score"] == 0
    assert (service.checkout / "attacked").exists()
    assert [name for name in NAMES if FORGED in read(service, name)] == []


def test_what_a_student_committed_under_these_names_is_replaced(
    service: Classroom50, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    target.write_text("untouched", "utf-8")
    nowhere = tmp_path / "nowhere"
    service.result.symlink_to(target)
    (service.checkout / "release-body.md").symlink_to(nowhere)
    lay(service.checkout / "report.html", {"file": ""})

    assert graded(service, "")["score"] == 0

    links = [name for name in NAMES if (service.checkout / name).is_symlink()]
    assert links == []
    assert target.read_text("utf-8") == "untouched"
    assert not nowhere.exists()


PLANTED = (
    "yaml.py", "jsonschema.py", "pip.py", "pip/__init__.py", "pip/__main__.py", "subprocess.py", "shutil.py", "json.py",
    "sitecustomize.py", "usercustomize.py", "reports/__init__.py", "reports/classroom50.py", "grader/__init__.py",
    "boards/__init__.py", "api/__init__.py", "conftest.py", "setup.py",
)  # fmt: skip


def test_nothing_beside_lab_py_is_imported(
    service: Classroom50, model: str, tmp_path: Path
) -> None:
    noted = tmp_path / "planted"
    for name in PLANTED:
        note = f"open({str(noted)!r}, 'a').write({name!r})\n"
        lay(service.checkout, {name: note})
    for name in ("requirements.txt", "pip.conf", "pyproject.toml"):
        settings = "[global]\nno-such-package-of-a-student\n"
        lay(service.checkout, {name: settings})

    report = graded(service, model)

    assert report["score"] == report["max-score"]
    assert not noted.exists()


# --- no result -----------------------------------------------------------------------


def without_a_result(service: Classroom50, lab: str, **variables: str) -> str:
    """What a run without a result says to the staff; the student had committed one."""
    service.result.write_text(FORGED, "utf-8")
    done = service.grade(lab, **variables)
    assert (done.returncode, done.stdout) == (1, "")
    assert [name for name in NAMES if (service.checkout / name).exists()] == []
    return done.stderr


def test_no_result_if_pip_fails(service: Classroom50, model: str) -> None:
    said = without_a_result(service, model, PIP_NO_INDEX="1")
    why = "not graded: pip could not install what requirements.txt lists\n"
    assert said.endswith(why)


def check_that_the_grader_failed(said: str, why: str) -> None:
    skip_without_packages(said)
    assert "the grader failed: " in said
    assert why in said
    ending = "not graded: the grader gave no result; the lines above say why\n"
    assert said.endswith(ending)


def test_no_result_if_a_file_of_the_kit_is_broken(service: Classroom50) -> None:
    lay(service.bundle, {"kit/boards/points.yaml": "- broken"})
    said = without_a_result(service, "")
    check_that_the_grader_failed(said, "boards/points.yaml:1: ")


@pytest.mark.parametrize(
    ("variable", "value", "why"),
    [
        ("OWNER", "", "owner ($OWNER): '' should be non-empty"),
        ("SUBMISSION_TAG", "v1", "submission ($SUBMISSION_TAG): 'v1' does not match"),
    ],
)
def test_no_result_if_the_runner_does_not_say_whose_submission_it_is(
    variable: str, value: str, why: str, service: Classroom50
) -> None:
    said = without_a_result(service, "", **{variable: value})
    check_that_the_grader_failed(said, why)


def test_no_result_if_a_person_must_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = "A fault of the grader"
    sheet = with_verdict(sheet_of("full"), status=Status.UNGRADED, message=fault)
    monkeypatch.setattr(classroom50, "grade_checkout", lambda checkout: sheet)
    results = tmp_path / "results"

    status = classroom50.main([str(tmp_path), str(results)], {})

    assert status == 1
    says = f"no result: a person must look at {sheet.ungraded[0].id}\n"
    assert capsys.readouterr().err == says
    assert not results.exists()


# --- the page ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["partial", "hostile"])
def test_the_page_for_the_student_is_short_and_whole(
    kind: str, service: Classroom50, model: str
) -> None:
    graded(service, lab_of(kind, model))
    page = read(service, "release-body.md")
    assert "orged" not in outside_fences(page)
    assert "| 2 Searches |" in page
    assert page.endswith("`make test` shows all of it.\n")
