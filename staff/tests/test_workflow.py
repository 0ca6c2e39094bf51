"""The workflow, step by step as a runner would take it, with a repository of releases
beside it.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.commands import workflow
from grader.commands.workflow import CRASHED
from grader.tools.report import REPORT
from staff.release.tree import WORKFLOW as WORKFLOW_FILE
from staff.release.tree import Tree
from staff.tests.conftest import KIT, TOTAL, Submit
from staff.tests.support.labs import lab_of
from staff.tests.support.releases import checkout, publish, release
from staff.tests.support.runner import JOB, Run, run_job

FILE = KIT / WORKFLOW_FILE
WORKFLOW: dict[Any, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = WORKFLOW["jobs"][JOB]["steps"]
NO_NAME = "KIT in .github/workflows/classroom.yml names no repository of the kit"
GREEN = [0, 0, 0, 0]
RED = [0, 0, 0, 1]  # only the last step, which sees whether everything passes

Graded = Callable[..., Run]


@pytest.fixture
def graded(old: Tree, tmp_path: Path) -> Graded:
    """Let a student with the old release push this lab.py; the run."""

    def graded(lab: str, installs: bool = False) -> Run:
        workspace = checkout(tmp_path / "student", old, lab)
        return run_job(workspace, tmp_path / "temp", installs)

    return graded


def results_of(run: Run) -> dict[str, Any]:
    """The results that a run has written."""
    file = run.kit / "build" / "results.json"
    results: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return results


def notices(run: Run) -> list[str]:
    """The last two lines of the grading step: for people, and for services."""
    return run.log.splitlines()[-2:]


def plain(summary: str) -> str:
    """A summary without the escapes of Markdown."""
    return summary.replace("\\", "")


def name_kit(workspace: Path, repository: str) -> None:
    """Have the workflow of a checkout name another repository of the kit, or none."""
    file = workspace / WORKFLOW_FILE
    file.write_text(
        re.sub(r"\bKIT: \S+", f'KIT: "{repository}"', file.read_text("utf-8")), "utf-8"
    )


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Releases 1.9.0 and 1.10.0, and tags that are no releases."""
    folder = tmp_path_factory.mktemp("releases") / "games-lab"
    for version in ("1.9.0", "1.10.0"):
        publish(folder, release(version, folder), f"v{version}")
    for tag in ("v0.9.0", "v2.0.0-rc1", "v3", "vnext", "v01.20.0", "v1.11.0.1"):
        publish(folder, {}, tag)
    return folder


@pytest.fixture(scope="module")
def old(repository: Path) -> Tree:
    """The release that the student has."""
    return release("1.9.0", repository)


# --- the file ------------------------------------------------------------------------


def test_the_master_copy_skips_the_job_and_a_release_does_not(old: Tree) -> None:
    runs_if = yaml.safe_load(old[WORKFLOW_FILE])["jobs"][JOB]["if"]
    assert runs_if.startswith("github.actor != ")
    assert WORKFLOW["jobs"][JOB]["if"] == f"false && {runs_if}"


def test_it_runs_on_each_push_of_a_branch_and_by_hand() -> None:
    """`on` is true in YAML 1.1."""
    on = WORKFLOW[True]
    assert set(on) == {"push", "workflow_dispatch", "repository_dispatch"}
    assert on["push"] == {"branches": ["**"]}


def test_it_has_the_names_that_services_look_for() -> None:
    assert WORKFLOW["name"] == "Autograding Tests"
    assert list(WORKFLOW["jobs"]) == [JOB]


def test_it_may_only_read_and_not_for_long() -> None:
    job = WORKFLOW["jobs"][JOB]
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert job["timeout-minutes"] == 10
    assert "!github.event.repository.is_template" in job["if"]
    checks_out, sets_up_python, *_ = STEPS
    assert checks_out["with"] == {"persist-credentials": False}
    # A cache would fail without a requirements.txt.
    assert sets_up_python["with"] == {"python-version": "3.12"}


def test_it_uses_actions_of_github_alone_each_at_a_commit() -> None:
    used = re.findall(r"uses: (.*)", FILE.read_text(encoding="utf-8"))
    pinned = re.compile(r"actions/[\w-]+@[0-9a-f]{40} # v[\d.]+")
    assert used
    assert [action for action in used if not pinned.fullmatch(action)] == []


def test_no_script_has_text_of_a_student_in_it_and_no_step_is_left_out() -> None:
    for step in STEPS:
        assert "${{" not in step.get("run", "")
        assert "if" not in step


def test_a_report_that_cannot_be_kept_stops_nothing() -> None:
    (upload,) = (step for step in STEPS if "artifact" in step.get("uses", ""))
    report = REPORT.relative_to(KIT).as_posix()
    assert upload["continue-on-error"] is True
    assert upload["with"] == {
        "archive": False,
        "path": f"${{{{ runner.temp }}}}/kit/{report}",
        "if-no-files-found": "ignore",
    }


# --- what a student sees -------------------------------------------------------------


def test_full_marks_are_green(graded: Graded, model: str) -> None:
    run = graded(model, installs=True)
    assert run.statuses == GREEN
    assert run.outputs == {
        "fallback": "",
        "score": TOTAL,
        "full": "true",
        "begun": "true",
    }
    assert notices(run) == [
        f"::notice title=Autograding complete::Points {TOTAL}/{TOTAL}",
        f'::notice title=Autograding report::{{"totalPoints":{TOTAL},"maxPoints":{TOTAL}}}',
    ]
    fetch, _, _, see = run.logs
    assert (fetch, see) == ("", "")
    results = results_of(run)
    assert (results["format"], results["version"]) == (1, "1.10.0")
    assert (results["score"], results["out_of"]) == (float(TOTAL), float(TOTAL))


def test_the_summary_says_by_which_kit_and_how_to_update(
    graded: Graded, model: str
) -> None:
    summary = plain(graded(model).summary)
    begins = f"## {TOTAL} of {TOTAL} points: everything passes\n\nThese points are provisional (kit 1.10.0)"
    assert summary.startswith(begins)
    assert "we grade the last one" in summary.partition("\n\n| Part")[0]
    assert "- You have kit 1.9.0, grades use 1.10.0: make update" in summary


def test_below_full_marks_only_the_last_step_is_red(graded: Graded, model: str) -> None:
    run = graded(lab_of("partial", model))
    assert run.statuses == RED
    assert run.outputs["full"] == "false"
    assert run.logs[-1].splitlines() == [
        "This red cross only means that not everything passes yet; the summary of this run says what."
    ]
    results = results_of(run)
    assert f"{results['score']:g}" == run.outputs["score"]
    messages = {
        case["message"]
        for case in results["cases"]
        if case["function"] == "dfs_maximizing"
    }
    (said,) = messages
    assert re.fullmatch(r"Line \d+ of lab\.py still raises NotImplementedError\.", said)


def test_below_full_marks_there_is_a_report_and_what_to_type_next(
    graded: Graded, model: str
) -> None:
    run = graded(lab_of("partial", model))
    page = (run.kit / "build" / "report.html").read_text(encoding="utf-8")
    assert f"<h1>{run.outputs['score']} of {TOTAL} points</h1>" in page
    assert '<section class="trace"' in page
    assert "Run only this case: make test K=alphabeta/equal-bounds" in run.summary


def test_an_untouched_stub_is_green_and_says_how_to_begin(
    graded: Graded, old: Tree
) -> None:
    run = graded(old["lab.py"].decode())
    assert run.statuses == GREEN
    assert run.logs[-1] == ""
    assert run.outputs == {
        "fallback": "",
        "score": "0",
        "full": "false",
        "begun": "false",
    }
    assert notices(run) == [
        f"::notice title=Autograding complete::Points 0/{TOTAL}. Not begun: start with ZeroBy",
        f'::notice title=Autograding report::{{"totalPoints":0,"maxPoints":{TOTAL}}}',
    ]
    begins = f"## Not begun: start with ZeroBy\n\n0 of {TOTAL} points. These points are provisional"
    assert plain(run.summary).startswith(begins)
    assert results_of(run)["score"] == 0


BEGUN = {
    "an import that fails": ("from api import (", "import numpy\nfrom api import ("),
    "code that Python cannot read": ("ANSWER_1 = None", "ANSWER_1 ="),
    "an answer": ("ANSWER_1 = None", "ANSWER_1 = '1'"),
    "a method": (
        'of items at the beginning."""\n',
        'of items at the beginning."""\n        return self.n\n',
    ),
    "a line before the end": (
        "A game may be one long chain",
        'A game"""\n    values = {}\n    """may be one long chain',
    ),
    "the last function": (
        "class MinimaxPlayer(Player):\n",
        "class MinimaxPlayer(Player):\n    depth = 3\n",
    ),
    "a deep expression": (
        "def solve(game):\n",
        f"def solve(game):\n    if game == 1: game{'.a' * 800}\n",
    ),
    "a function by another name": ("def dfs_maximizing(", "def depth_first("),
}


def begun(lab: Path) -> str:
    """Whether something is begun in a lab.py, as the grading step puts it out."""
    return workflow.outputs(workflow.grade_checkout(lab.parent)).splitlines()[-1]


def test_in_an_untouched_stub_nothing_is_begun(old: Tree, submit: Submit) -> None:
    assert begun(submit(old["lab.py"].decode())) == "begun=false"


@pytest.mark.parametrize(("before", "after"), BEGUN.values(), ids=BEGUN)
def test_a_lab_in_which_something_is_begun_is_red(
    before: str, after: str, old: Tree, submit: Submit
) -> None:
    stub = old["lab.py"].decode()
    assert before in stub
    assert begun(submit(stub.replace(before, after, 1))) == "begun=true"


# --- which kit grades ----------------------------------------------------------------


@pytest.fixture
def lab_and_workflow(old: Tree, model: str, tmp_path: Path) -> Path:
    """A student's repository that has only the model's lab.py and the workflow."""
    tree = {WORKFLOW_FILE: old[WORKFLOW_FILE]}
    return checkout(tmp_path / "student", tree, model)


def test_lab_py_and_the_workflow_are_enough(
    lab_and_workflow: Path, tmp_path: Path
) -> None:
    run = run_job(lab_and_workflow, tmp_path / "temp", installs=True)
    assert run.statuses == GREEN
    assert run.outputs["score"] == TOTAL
    assert run.summary.startswith(f"## {TOTAL} of {TOTAL} points: everything passes")


@pytest.mark.parametrize(
    ("kit", "reason"),
    [
        ("", NO_NAME),
        ("file:///nowhere", "no version of the kit could be found in its repository"),
    ],
)
def test_without_any_kit_one_line_says_so(
    kit: str, reason: str, lab_and_workflow: Path, tmp_path: Path
) -> None:
    name_kit(lab_and_workflow, kit)
    run = run_job(lab_and_workflow, tmp_path / "temp")
    said = f"Not graded: {reason}, and this repository has no copy of the kit."
    assert run.statuses == [1]
    assert run.summary == f"## {said}\n"
    # The other lines are git's.
    lines = [line for line in run.logs[0].splitlines() if line.startswith("::")]
    error = f"::error title=Not graded::{said} Show this to your course's staff."
    assert lines == [error]


def no_name(kit: Path) -> str:
    return ""


def no_repository(kit: Path) -> str:
    return kit.as_uri()


def a_tag_without_files(kit: Path) -> str:
    publish(kit, {"README.md": b"x"}, "v9.0.0")
    for file in (kit / ".git" / "objects").rglob("*"):
        if file.is_file():
            file.unlink()
    return kit.as_uri()


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        (no_name, NO_NAME),
        (no_repository, "no version of the kit could be found in its repository"),
        (a_tag_without_files, "version v9.0.0 of the kit could not be fetched"),
    ],
)
def test_the_files_here_grade_where_no_release_can(
    named: Callable[[Path], str], reason: str, old: Tree, model: str, tmp_path: Path
) -> None:
    workspace = checkout(tmp_path / "student", old, model)
    name_kit(workspace, named(tmp_path / "gone"))
    (workspace / "build").symlink_to(tmp_path)
    run = run_job(workspace, tmp_path / "temp")
    assert run.statuses == GREEN
    assert run.outputs["fallback"] == reason
    says = f"Graded with the files of this repository: {reason}."
    assert says in plain(run.summary)
    assert not (tmp_path / "results.json").exists()


# --- hostile repositories ------------------------------------------------------------


def test_a_hostile_lab_forges_nothing(graded: Graded, model: str) -> None:
    run = graded(lab_of("hostile", model))
    assert run.statuses == RED
    stop, resume, *about_points = run.log.splitlines()
    token = stop.removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert resume == f"::{token}::"
    assert len(about_points) == 2
    assert "Points 99/99" not in about_points[0]
    assert "forged" in run.summary
    assert set(run.outputs) == {"fallback", "score", "full", "begun"}


def make_a_link(lab: Path) -> None:
    lab.rename(lab.with_name("other.py"))
    lab.symlink_to("other.py")


def make_a_folder(lab: Path) -> None:
    lab.unlink()
    lab.mkdir()


def make_huge(lab: Path) -> None:
    lab.write_text("#" * ((1 << 20) + 1))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (make_a_link, "is a link, and no link"),
        (make_a_folder, "is not there, or is not an ordinary"),
        (make_huge, "is larger than 1 MiB"),
    ],
)
def test_no_lab_to_grade_is_a_sheet_of_0(
    make: Callable[[Path], None], says: str, old: Tree, model: str, tmp_path: Path
) -> None:
    workspace = checkout(tmp_path / "student", old, model)
    make(workspace / "lab.py")
    run = run_job(workspace, tmp_path / "temp")
    assert run.statuses == RED
    assert run.outputs["score"] == "0"
    assert f"lab.py {says}" in plain(run.summary)
    assert str(tmp_path) not in run.summary


def test_nothing_but_lab_py_is_taken(old: Tree, tmp_path: Path) -> None:
    """A grader that calls everything right, no points, and a result that stands
    ready.
    """
    workspace = checkout(tmp_path / "student", old, old["lab.py"].decode())
    (workspace / "grader" / "__main__.py").write_text("raise SystemExit(0)\n")
    (workspace / "boards" / "points.yaml").unlink()
    for name in ("json.py", "pip.py", "yaml.py", "sitecustomize.py"):
        (workspace / name).write_text("raise SystemExit(0)\n")
    (workspace / "build").mkdir()
    (workspace / "build" / "results.json").write_text("{}")
    run = run_job(workspace, tmp_path / "temp")
    assert (run.outputs["fallback"], run.outputs["score"]) == ("", "0")


def test_no_file_of_a_students_says_where_the_kit_is(old: Tree, tmp_path: Path) -> None:
    """The workflow alone says it: a kit of the student's own is not fetched."""
    forged = release("99.0.0", tmp_path / "forged") | {
        "grader/grading/feedback.py": b"raise SystemExit(0)\n"
    }
    publish(tmp_path / "forged", forged, "v99.0.0")
    workspace = checkout(tmp_path / "student", old, old["lab.py"].decode())
    facts = json.loads(old["grader/release.json"]) | {
        "repository": (tmp_path / "forged").as_uri()
    }
    (workspace / "grader" / "release.json").write_text(json.dumps(facts), "utf-8")
    run = run_job(workspace, tmp_path / "temp")
    assert (run.outputs["fallback"], run.outputs["score"]) == ("", "0")


# --- faults of the grader ------------------------------------------------------------


def graded_by(broken: Tree, folder: Path, model: str) -> Run:
    """A run in which the newest release is broken, and the model was pushed."""
    repository = folder / "games-lab"
    publish(repository, broken, "v1.11.0")
    workspace = checkout(folder / "student", release("1.9.0", repository), model)
    (workspace / "build").mkdir()
    (workspace / "build" / "results.json").write_text("{}")
    return run_job(workspace, folder / "temp")


def test_a_grader_that_crashes_is_red_at_once(model: str, tmp_path: Path) -> None:
    broken = release("1.11.0", tmp_path / "games-lab")
    broken["grader/grading/feedback.py"] += (
        b"\n\ndef with_feedback(*_):\n    raise KeyError('::notice::no')\n"
    )
    run = graded_by(broken, tmp_path, model)
    assert run.statuses == [0, 0, 1]
    assert "score" not in run.outputs
    stop, *_, resume, error = run.log.splitlines()
    assert error == f"::error title=Not graded::{CRASHED}"
    assert resume == f"::{stop.removeprefix('::stop-commands::')}::"
    assert run.summary == f"## Not graded\n\n{CRASHED}\n"
    assert not (run.kit / "build" / "results.json").exists()


def test_a_fault_in_a_case_is_for_a_person(model: str, tmp_path: Path) -> None:
    broken = release("1.11.0", tmp_path / "games-lab")
    broken["grader/grading/judge.py"] += (
        b"\n\ndef judge(case, answer):\n    raise RuntimeError('oops')\n"
    )
    run = graded_by(broken, tmp_path, model)
    assert run.statuses == RED
    assert run.outputs["full"] == "false"
    assert "UNGRADED" in run.summary
