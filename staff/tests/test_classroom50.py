"""The bundle for Classroom 50: what is in it, and runs as the service's runner would
start it.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.verdicts.verdict import Status
from staff.reports import classroom50
from staff.tests.conftest import FUNCTIONS, KIT, TOTAL
from staff.tests.support.labs import lab_of, sheet_of
from staff.tests.support.masters import copy_master, decide
from staff.tests.support.services import Classroom50
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


def build(master: Path) -> dict[str, bytes]:
    """Type make classroom50 in a master copy; the files of the bundle."""
    subprocess.run(["git", "add", "--all"], cwd=master, check=True)
    done = subprocess.run(
        [sys.executable, "grader", "classroom50"],
        cwd=master,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    out = master / "build" / "classroom50"
    assert done.stdout.startswith(f"{out}: ")
    return {
        file.relative_to(out).as_posix(): file.read_bytes()
        for file in out.rglob("*")
        if file.is_file()
    }


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A master copy with a hidden case."""
    master = copy_master(tmp_path_factory.mktemp("master"))
    (master / "staff" / "hidden").mkdir(exist_ok=True)
    (master / "staff" / "hidden" / "2x-hidden.yaml").write_text(
        hidden_case(), encoding="utf-8"
    )
    return master


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of a course without hidden cases."""
    master = copy_master(tmp_path_factory.mktemp("master"))
    build(master)
    return master / "build" / "classroom50"


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
    """The result of a run that gives one, once it has held against the service's
    rules.
    """
    done = service.grade(lab)
    if "pip could not install" in done.stderr:
        pytest.skip("no network here, and autograder.py installs packages")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    report = dict(json.loads(service.result.read_text("utf-8")))
    jsonschema.validate(report, SCHEMA)
    assert (report["owner"], report["submission"]) == ("alice", Classroom50.SUBMISSION)
    assert all(
        each["score"] <= each["max-score"] for each in (report, *report["tests"])
    )
    assert (
        report["max-score"]
        == sum(test["max-score"] for test in report["tests"])
        == round(float(TOTAL) * 100)
    )
    assert report["score"] == sum(test["score"] for test in report["tests"])
    assert (
        len((service.checkout / "release-body.md").read_text("utf-8"))
        <= classroom50.MOST_BODY
    )
    assert (
        (service.checkout / "report.html")
        .read_text("utf-8")
        .startswith("<!doctype html>")
    )
    return report


# --- the bundle -------------------------------------------------------------------------------------


def test_no_byte_of_a_hidden_case_is_in_it(master: Path, bundle: Path) -> None:
    without = {
        file.relative_to(bundle).as_posix(): file.read_bytes()
        for file in bundle.rglob("*")
        if file.is_file()
    }
    files = build(master)
    assert files.keys() == without.keys()
    assert [name for name in files if files[name] != without[name]] == [
        "kit/boards/points.yaml"
    ]
    only_here = set(files["kit/boards/points.yaml"].split()) - set(
        without["kit/boards/points.yaml"].split()
    )
    assert only_here == {b"hidden:", b"0.5"}  # the share that they have


def test_questions_whose_answers_are_not_shown_are_not_in_it(master: Path) -> None:
    text = (master / "staff" / "course.yaml").read_text("utf-8")
    decide(master, show_answers="false")
    names = build(master).keys()
    (master / "staff" / "course.yaml").write_text(text, "utf-8")
    assert "kit/boards/cases/2a-dfs.yaml" in names
    assert not [name for name in names if name.startswith("kit/boards/cases/3")]


def test_it_holds_what_grades_and_no_more(bundle: Path) -> None:
    files = [file for file in bundle.rglob("*") if file.is_file()]
    names = {file.relative_to(bundle).as_posix() for file in files}
    assert {name for name in names if "/" not in name} == {
        "autograder.py",
        "requirements.txt",
    }
    assert {name.split("/")[1] for name in names if "/" in name} == {
        "LICENSE", "Makefile", "api", "boards", "grader", "reports",
    }  # fmt: skip
    assert sum(file.stat().st_size for file in files) < LARGEST


# --- a run ------------------------------------------------------------------------------------------


def test_the_model_gets_everything(service: Classroom50, model: str) -> None:
    report = graded(service, model)
    assert report["score"] == report["max-score"]
    assert set(FUNCTIONS) < {
        test["test-name"] for test in report["tests"] if test["passed"]
    }
    assert sorted(file.name for file in service.checkout.iterdir()) == [
        ".classroom50.yaml", ".github", "lab.py", "release-body.md", "report.html", "result.json",
    ]  # fmt: skip
    assert (
        (service.checkout / "release-body.md")
        .read_text("utf-8")
        .startswith(f"## {TOTAL} of {TOTAL} points")
    )


NO_POINTS = {
    "the stub": (KIT / "docs" / "student" / "lab.py").read_text("utf-8"),
    "a syntax error": "def solve(game:\n",
    "no lab.py": None,
}


@pytest.mark.parametrize("lab", NO_POINTS.values(), ids=NO_POINTS)
def test_no_points_are_a_result(lab: str | None, service: Classroom50) -> None:
    report = graded(service, lab)
    assert report["score"] == 0 and not any(test["passed"] for test in report["tests"])
    assert (
        lab != NO_POINTS["a syntax error"]
        or "SyntaxError" in report["tests"][0]["message"]
    )
    assert lab is not None or report["tests"][0]["message"].startswith(
        "lab.py is not there"
    )


def test_a_hang_costs_its_own_function(service: Classroom50, model: str) -> None:
    cases = service.bundle / "kit" / "grader" / "bank" / "cases.py"
    text = cases.read_text("utf-8")
    cases.write_text(
        text.replace("seconds: float = 2.0", "seconds: float = 0.3"), "utf-8"
    )
    tests = {
        test["test-name"]: test
        for test in graded(service, lab_of("time-out", model))["tests"]
    }
    assert (
        "time-out" in tests["dfs_maximizing"]["message"]
        and tests["dfs_maximizing"]["score"] == 0
    )
    assert tests["solve"]["passed"]


def test_a_lab_that_is_a_link_is_not_followed(service: Classroom50, model: str) -> None:
    (service.checkout / "solution.py").write_text(model, "utf-8")
    (service.checkout / "lab.py").symlink_to("solution.py")
    report = graded(service, None)
    assert report["score"] == 0 and "lab.py is a link" in report["tests"][0]["message"]


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


@pytest.mark.parametrize(
    "is_locked", [True, False], ids=["locked", "a machine without a lock"]
)
def test_what_student_code_writes_is_not_believed(
    is_locked: bool, service: Classroom50
) -> None:
    if not is_locked:
        isolation = service.bundle / "kit" / "grader" / "child" / "isolation.py"
        isolation.write_text(isolation.read_text("utf-8") + OPEN, "utf-8")
    report = graded(
        service,
        ATTACK.format(folders=[str(service.checkout)], names=NAMES, forged=FORGED),
    )
    assert report["score"] == 0
    assert is_locked or (service.checkout / "attacked").exists()
    for name in NAMES:
        assert FORGED not in (service.checkout / name).read_text("utf-8")


def test_what_a_student_committed_under_these_names_is_replaced(
    service: Classroom50, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    target.write_text("untouched", "utf-8")
    service.result.symlink_to(target)
    (service.checkout / "release-body.md").symlink_to(tmp_path / "nowhere")
    (service.checkout / "report.html").mkdir()
    (service.checkout / "report.html" / "file").write_text("", "utf-8")
    assert graded(service, "")["score"] == 0
    assert not any((service.checkout / name).is_symlink() for name in NAMES)
    assert (
        target.read_text("utf-8") == "untouched" and not (tmp_path / "nowhere").exists()
    )


PLANTED = (
    "yaml.py", "jsonschema.py", "pip.py", "pip/__init__.py", "pip/__main__.py", "subprocess.py", "shutil.py", "json.py",
    "sitecustomize.py", "usercustomize.py", "reports/__init__.py", "reports/classroom50.py", "grader/__init__.py",
    "boards/__init__.py", "api/__init__.py", "conftest.py", "setup.py",
)  # fmt: skip


def test_nothing_beside_lab_py_is_imported(
    service: Classroom50, model: str, tmp_path: Path
) -> None:
    for name in PLANTED:
        file = service.checkout / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(
            f"open({str(tmp_path / 'planted')!r}, 'a').write({name!r})\n", "utf-8"
        )
    for name in ("requirements.txt", "pip.conf", "pyproject.toml"):
        (service.checkout / name).write_text(
            "[global]\nno-such-package-of-a-student\n", "utf-8"
        )
    report = graded(service, model)
    assert report["score"] == report["max-score"]
    assert not (tmp_path / "planted").exists()


# --- no result --------------------------------------------------------------------------------------


def without_a_result(service: Classroom50, lab: str, **variables: str) -> str:
    """What a run without a result says to the staff; the student had committed one."""
    service.result.write_text(FORGED, "utf-8")
    done = service.grade(lab, **variables)
    assert (done.returncode, done.stdout) == (1, "")
    assert not any((service.checkout / name).exists() for name in NAMES)
    return done.stderr


def test_no_result_if_pip_fails(service: Classroom50, model: str) -> None:
    said = without_a_result(service, model, PIP_NO_INDEX="1")
    assert said.endswith(
        "not graded: pip could not install what requirements.txt lists\n"
    )


FAULTS = {
    "a file of the kit is broken": (
        "kit/boards/points.yaml",
        {},
        "boards/points.yaml:1: ",
    ),
    "a variable is not set": (
        "",
        {"OWNER": ""},
        "owner ($OWNER): '' should be non-empty",
    ),
    "no tag of a submission": (
        "",
        {"SUBMISSION_TAG": "v1"},
        "submission ($SUBMISSION_TAG): 'v1' does not match",
    ),
}


@pytest.mark.parametrize(("broken", "variables", "says"), FAULTS.values(), ids=FAULTS)
def test_no_result_if_the_grader_fails(
    broken: str, variables: dict[str, str], says: str, service: Classroom50
) -> None:
    if broken:
        (service.bundle / broken).write_text("- broken", "utf-8")
    said = without_a_result(service, "", **variables)
    if "pip could not install" in said:
        pytest.skip("no network here, and autograder.py installs packages")
    assert "the grader failed: " in said and says in said
    assert said.endswith(
        "not graded: the grader gave no result; the lines above say why\n"
    )


def test_no_result_if_a_person_must_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = with_verdict(
        sheet_of("full"), status=Status.UNGRADED, message="A fault of the grader"
    )
    monkeypatch.setattr(classroom50, "grade_checkout", lambda checkout: sheet)
    assert classroom50.main([str(tmp_path), str(tmp_path / "results")], {}) == 1
    assert (
        capsys.readouterr().err
        == f"no result: a person must look at {sheet.ungraded[0].id}\n"
    )
    assert not (tmp_path / "results").exists()


# --- the page ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["partial", "hostile"])
def test_the_page_for_the_student_is_short_and_whole(
    kind: str, service: Classroom50, model: str
) -> None:
    graded(service, lab_of(kind, model))
    page = (service.checkout / "release-body.md").read_text("utf-8")
    assert "orged" not in outside_fences(page)
    assert "| 2 Searches |" in page and re.search(
        r"`make test` shows all of it\.\n$", page
    )
