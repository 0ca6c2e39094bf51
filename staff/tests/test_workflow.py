"""The workflow, step by step as a runner would take it, with a repository of releases
beside it.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.commands import workflow
from grader.commands.workflow import CRASHED
from grader.release import Release
from grader.showing.markdown import summary
from grader.tools.report import REPORT
from staff.release.tree import WORKFLOW as WORKFLOW_FILE
from staff.release.tree import Tree
from staff.tests.conftest import KIT, TOTAL
from staff.tests.support.labs import lab_of
from staff.tests.support.releases import SAFE, checkout, publish, release

FILE = KIT / WORKFLOW_FILE
WORKFLOW: dict[Any, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
NAME = "run-autograding-tests"
JOB = WORKFLOW["jobs"][NAME]
OUTPUT = re.compile(r"\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}")
NO_NAME = "KIT in .github/workflows/classroom.yml names no repository of the kit"
NAMES = ("fetch", "install", "grade", "see")


@dataclass
class Run:
    """What a run of the job left behind: of each step its status and log, and the two
    files.
    """

    statuses: list[int] = field(default_factory=list)
    logs: list[str] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""
    kit: Path = Path()

    @property
    def log(self) -> str:
        """The log of the grading step."""
        return self.logs[NAMES.index("grade")]


def run_job(workspace: Path, temp: Path, installs: bool = False) -> Run:
    """Take the steps of the job, each in `bash -e` as on a runner, up to the first that
    fails.

    The libraries are there already, and pip is not asked to find that out again and
    again.
    """
    run, commands = Run(kit=temp / "kit"), temp / "bin"
    commands.mkdir(parents=True)
    skips = "" if installs else 'case "$*" in *"-m pip install"*) exit 0;; esac\n'
    (commands / "python").write_text(
        f'#!/bin/sh\n{skips}exec "{sys.executable}" "$@"\n'
    )
    (commands / "python").chmod(0o755)
    files = {name: temp / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    files["GITHUB_STEP_SUMMARY"].touch()
    outputs: dict[tuple[str, str], str] = {}
    job = yaml.safe_load((workspace / WORKFLOW_FILE).read_text(encoding="utf-8"))[
        "jobs"
    ][NAME]
    for step in (step for step in job["steps"] if "run" in step):
        files["GITHUB_OUTPUT"].write_text("")
        given = {**job["env"], **step.get("env", {})}
        told = {
            key: OUTPUT.sub(lambda m: outputs.get((m[1], m[2]), ""), str(given[key]))
            for key in given
        }
        environment = {
            **SAFE,
            "PATH": f"{commands}{os.pathsep}{SAFE['PATH']}",
            "PIP_NO_INDEX": "1",
            "GITHUB_WORKSPACE": str(workspace),
            "RUNNER_TEMP": str(temp),
            **{name: str(file) for name, file in files.items()},
            **told,
        }
        script = temp / "step.sh"
        script.write_text(step["run"])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", script], cwd=workspace, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
        )  # fmt: skip
        for line in files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            outputs[step.get("id", ""), name] = run.outputs[name] = value
        run.statuses.append(done.returncode)
        run.logs.append(done.stdout)
        if done.returncode:
            break
    run.summary = files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
    return run


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


def test_the_master_copy_skips_the_job_and_a_release_does_not(old: Tree) -> None:
    runs = yaml.safe_load(old[WORKFLOW_FILE])["jobs"][NAME]["if"]
    assert JOB["if"] == f"false && {runs}" and runs.startswith("github.actor != ")


def test_the_file_is_as_careful_as_it_says() -> None:
    assert set(WORKFLOW[True]) == {
        "push",
        "workflow_dispatch",
        "repository_dispatch",
    }  # `on` is true in YAML 1.1
    assert WORKFLOW[True]["push"] == {"branches": ["**"]}
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert (WORKFLOW["name"], list(WORKFLOW["jobs"])) == ("Autograding Tests", [NAME])
    assert (
        JOB["timeout-minutes"] == 10
        and "!github.event.repository.is_template" in JOB["if"]
    )
    assert JOB["steps"][0]["with"] == {"persist-credentials": False}
    assert JOB["steps"][1]["with"] == {
        "python-version": "3.12"
    }  # a cache fails without a requirements.txt
    used = re.findall(r"uses: (.*)", FILE.read_text(encoding="utf-8"))
    assert all(
        re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40} # v[\d.]+", action)
        for action in used
    )
    assert not any(
        "${{" in step.get("run", "") or "if" in step for step in JOB["steps"]
    )
    (upload,) = (step for step in JOB["steps"] if "artifact" in step.get("uses", ""))
    assert (
        upload["continue-on-error"] and upload["with"]["if-no-files-found"] == "ignore"
    )
    assert upload["with"]["archive"] is False and "name" not in upload["with"]
    assert (
        upload["with"]["path"]
        == f"${{{{ runner.temp }}}}/kit/{REPORT.relative_to(KIT).as_posix()}"
    )


def test_full_marks_are_green(
    repository: Path, old: Tree, model: str, tmp_path: Path
) -> None:
    run = run_job(
        checkout(tmp_path / "student", old, model), tmp_path / "temp", installs=True
    )
    assert run.statuses == [0, 0, 0, 0]
    assert run.outputs == {
        "fallback": "",
        "score": TOTAL,
        "full": "true",
        "begun": "true",
    }
    assert run.log.splitlines()[-2:] == [
        f"::notice title=Autograding complete::Points {TOTAL}/{TOTAL}",
        f'::notice title=Autograding report::{{"totalPoints":{TOTAL},"maxPoints":{TOTAL}}}',
    ]
    assert [run.logs[0], run.logs[-1]] == ["", ""]
    assert run.summary.startswith(
        f"## {TOTAL} of {TOTAL} points: everything passes\n\nThese points are provisional \\(kit 1\\.10\\.0\\)"
    )
    assert "we grade the last one" in run.summary.partition("\n\n| Part")[0]
    assert (
        "- You have kit 1\\.9\\.0\\, grades use 1\\.10\\.0\\: make update"
        in run.summary
    )
    results = json.loads(
        (run.kit / "build" / "results.json").read_text(encoding="utf-8")
    )
    assert (results["format"], results["version"]) == (1, "1.10.0")
    assert (results["score"], results["out_of"]) == (float(TOTAL), float(TOTAL))


def test_below_full_marks_only_the_last_step_is_red(
    old: Tree, model: str, tmp_path: Path
) -> None:
    run = run_job(
        checkout(tmp_path / "student", old, lab_of("partial", model)), tmp_path / "temp"
    )
    assert run.statuses == [0, 0, 0, 1]
    assert run.outputs["full"] == "false"
    assert run.logs[-1].splitlines() == [
        "This red cross only means that not everything passes yet; the summary of this run says what."
    ]
    results = json.loads(
        (run.kit / "build" / "results.json").read_text(encoding="utf-8")
    )
    assert f"{results['score']:g}" == run.outputs["score"]
    page = (run.kit / "build" / "report.html").read_text(encoding="utf-8")
    assert (
        f"<h1>{run.outputs['score']} of {TOTAL} points</h1>" in page
        and page.count('<section class="trace"') >= 1
    )
    messages = {
        case["message"]
        for case in results["cases"]
        if case["function"] == "dfs_maximizing"
    }
    (said,) = messages
    assert re.fullmatch(r"Line \d+ of lab\.py still raises NotImplementedError\.", said)
    assert "Run only this case: make test K=alphabeta/equal-bounds" in run.summary


def test_an_untouched_stub_is_green_and_says_how_to_begin(
    old: Tree, tmp_path: Path
) -> None:
    run = run_job(
        checkout(tmp_path / "student", old, old["lab.py"].decode()), tmp_path / "temp"
    )
    assert run.statuses == [0, 0, 0, 0] and run.logs[-1] == ""
    assert run.outputs == {
        "fallback": "",
        "score": "0",
        "full": "false",
        "begun": "false",
    }
    assert run.log.splitlines()[-2:] == [
        f"::notice title=Autograding complete::Points 0/{TOTAL}. Not begun: start with ZeroBy",
        f'::notice title=Autograding report::{{"totalPoints":0,"maxPoints":{TOTAL}}}',
    ]
    assert run.summary.startswith(
        f"## Not begun: start with ZeroBy\n\n0 of {TOTAL} points\\. These points are provisional"
    )
    assert (
        json.loads((run.kit / "build" / "results.json").read_text(encoding="utf-8"))[
            "score"
        ]
        == 0
    )


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


@pytest.mark.parametrize("slip", BEGUN)
def test_a_lab_in_which_something_is_begun_is_red(
    slip: str, old: Tree, tmp_path: Path
) -> None:
    stub, (before, after) = old["lab.py"].decode(), BEGUN[slip]
    for text, begun in ((stub, "false"), (stub.replace(before, after, 1), "true")):
        (tmp_path / "lab.py").write_text(text, encoding="utf-8")
        said = workflow.outputs(workflow.grade_checkout(tmp_path))
        assert said.endswith(f"\nfull=false\nbegun={begun}\n")


def lab_and_workflow(folder: Path, tree: Tree, lab: str) -> Path:
    """A student's repository that has only lab.py and the workflow."""
    return checkout(folder, {WORKFLOW_FILE: tree[WORKFLOW_FILE]}, lab)


def test_lab_py_and_the_workflow_are_enough(
    old: Tree, model: str, tmp_path: Path
) -> None:
    run = run_job(
        lab_and_workflow(tmp_path / "student", old, model),
        tmp_path / "temp",
        installs=True,
    )
    assert run.statuses == [0, 0, 0, 0] and run.outputs["score"] == TOTAL
    assert run.summary.startswith(f"## {TOTAL} of {TOTAL} points: everything passes")


WITHOUT_KIT = {
    "": NO_NAME,
    "file:///nowhere": "no version of the kit could be found in its repository",
}


@pytest.mark.parametrize("named", WITHOUT_KIT)
def test_without_any_kit_one_line_says_so(
    named: str, old: Tree, model: str, tmp_path: Path
) -> None:
    workspace = lab_and_workflow(tmp_path / "student", old, model)
    name_kit(workspace, named)
    run = run_job(workspace, tmp_path / "temp")
    said = (
        f"Not graded: {WITHOUT_KIT[named]}, and this repository has no copy of the kit."
    )
    assert run.statuses == [1] and run.summary == f"## {said}\n"
    lines = [
        line for line in run.logs[0].splitlines() if line.startswith("::")
    ]  # the others are git's
    assert lines == [
        f"::error title=Not graded::{said} Show this to your course's staff."
    ]


@pytest.mark.parametrize("level", ["full", "place", "verdict"])
def test_feedback_is_as_much_as_the_course_gives(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lab.py").write_text(
        "def is_game_over_connectfour(board): return 5\n", encoding="utf-8"
    )
    monkeypatch.setattr(
        "grader.grading.session.read_release", lambda: Release(feedback=level)
    )
    page = summary(workflow.grade_checkout(tmp_path))
    assert ("returned 5" in page) == (level == "full")
    assert ("is_game_over_connectfour(" in page) == (level != "verdict")


def test_a_hostile_lab_forges_nothing(old: Tree, model: str, tmp_path: Path) -> None:
    run = run_job(
        checkout(tmp_path / "student", old, lab_of("hostile", model)), tmp_path / "temp"
    )
    assert run.statuses == [0, 0, 0, 1]
    lines = run.log.splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert lines.index(f"::{token}::") == len(lines) - 3
    assert len(lines) == 4 and "forged" in run.summary
    assert "Points 99/99" not in "\n".join(lines[-3:])
    assert set(run.outputs) == {"fallback", "score", "full", "begun"}


@pytest.mark.parametrize("kind", ["link", "folder", "huge"])
def test_no_lab_to_grade_is_a_sheet_of_0(
    kind: str, old: Tree, model: str, tmp_path: Path
) -> None:
    workspace = checkout(
        tmp_path / "student", old, model if kind != "huge" else "#" * (1 << 20) + "#"
    )
    lab = workspace / "lab.py"
    if kind != "huge":
        lab.rename(workspace / "other.py")
    if kind == "link":
        lab.symlink_to("other.py")
    if kind == "folder":
        lab.mkdir()
    run = run_job(workspace, tmp_path / "temp")
    assert (run.statuses, run.outputs["score"]) == ([0, 0, 0, 1], "0")
    said = {
        "link": "is a link, and no link",
        "folder": "is not there, or is not an ordinary",
        "huge": "is larger than 1 MiB",
    }
    assert (
        f"lab.py {said[kind]}" in run.summary.replace("\\", "")
        and str(tmp_path) not in run.summary
    )


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


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        ("repository", "no version of the kit could be found in its repository"),
        ("no name", NO_NAME),
        ("tag", "version v9.0.0 of the kit could not be fetched"),
    ],
)
def test_the_files_here_grade_where_no_release_can(
    spoil: str, reason: str, old: Tree, model: str, tmp_path: Path
) -> None:
    workspace = checkout(tmp_path / "student", old, model)
    repository = tmp_path / "gone"
    name_kit(workspace, "" if spoil == "no name" else repository.as_uri())
    if spoil == "tag":
        publish(repository, {"README.md": b"x"}, "v9.0.0")
        for file in (repository / ".git" / "objects").rglob("*"):
            if file.is_file():
                file.unlink()
    (workspace / "build").symlink_to(tmp_path)
    run = run_job(workspace, tmp_path / "temp")
    assert run.statuses == [0, 0, 0, 0]
    assert run.outputs["fallback"] == reason
    assert (
        f"Graded with the files of this repository: {reason}."
        in run.summary.replace("\\", "")
    )
    assert not (tmp_path / "results.json").exists()


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


def test_a_grader_that_crashes_is_red_at_once(model: str, tmp_path: Path) -> None:
    repository = tmp_path / "games-lab"
    broken = release("1.11.0", repository)
    broken["grader/grading/feedback.py"] += (
        b"\n\ndef with_feedback(*_):\n    raise KeyError('::notice::no')\n"
    )
    publish(repository, broken, "v1.11.0")
    workspace = checkout(tmp_path / "student", release("1.9.0", repository), model)
    (workspace / "build").mkdir()
    (workspace / "build" / "results.json").write_text("{}")
    run = run_job(workspace, tmp_path / "temp")
    assert run.statuses == [0, 0, 1]
    assert "score" not in run.outputs
    lines = run.log.splitlines()
    assert lines[-1] == f"::error title=Not graded::{CRASHED}"
    assert lines[-2] == f"::{lines[0].removeprefix('::stop-commands::')}::"
    assert run.summary == f"## Not graded\n\n{CRASHED}\n"
    assert not (run.kit / "build" / "results.json").exists()


def test_a_fault_in_a_case_is_for_a_person(model: str, tmp_path: Path) -> None:
    repository = tmp_path / "games-lab"
    broken = release("1.11.0", repository)
    broken["grader/grading/judge.py"] += (
        b"\n\ndef judge(case, answer):\n    raise RuntimeError('oops')\n"
    )
    publish(repository, broken, "v1.11.0")
    run = run_job(
        checkout(tmp_path / "student", release("1.9.0", repository), model),
        tmp_path / "temp",
    )
    assert run.statuses == [0, 0, 0, 1]
    assert run.outputs["full"] == "false"
    assert "UNGRADED" in run.summary
