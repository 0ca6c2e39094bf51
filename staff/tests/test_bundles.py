"""The bundles: what is in them, and a run of each in a scratch root that looks like the service's."""

import dataclasses
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from staff.bundles.archive import prove
from staff.bundles.contents import bundle, hidden_cases
from staff.course import read_course
from staff.tests.conftest import KIT, TOTAL
from staff.tests.support.masters import COURSE, change, copy_master, decide
from staff.tests.support.services import Gradescope, unpack
from staff.tests.test_reports import CLASSROOM50, HOSTILE, check, outside_fences
from staff.wrong_labs import with_body


def hidden_case() -> str:
    """A hidden case file with the first case of dfs_maximizing."""
    public = (KIT / "boards" / "cases" / "2a-dfs.yaml").read_text("utf-8")
    head, _, rest = public.partition("cases:\n")
    first = re.split(r"^  - id: ", rest, flags=re.MULTILINE)[1]
    return f"{head}hidden: true\ncases:\n  - id: " + re.sub(r"says: .*", "says: The hidden case.", first, count=1)


def build(master: Path, verb: str) -> "subprocess.CompletedProcess[str]":
    """Build a bundle from a master copy."""
    return subprocess.run([sys.executable, "-m", "grader", verb], cwd=master, capture_output=True, text=True)


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A master copy with a hidden case."""
    master = copy_master(tmp_path_factory.mktemp("master"))
    decide(master, hidden_share="50", show_answers="true")
    (master / "staff" / "hidden").mkdir(exist_ok=True)
    (master / "staff" / "hidden" / "2x-hidden.yaml").write_text(hidden_case(), encoding="utf-8")
    return master


@pytest.fixture(scope="module")
def archive(master: Path) -> Path:
    """The Gradescope bundle."""
    done = build(master, "gradescope")
    assert done.returncode == 0, done.stderr
    assert "1 file of hidden cases: keep it private" in done.stdout
    assert f"1. On Gradescope, make a Programming Assignment with {TOTAL} points." in done.stdout
    assert "there are no hidden cases" not in done.stderr
    return master / "build" / "gradescope.zip"


@pytest.fixture(scope="module")
def public_archive(archive: Path, master: Path) -> Path:
    """The Classroom 50 bundle of the same course without hidden cases."""
    refused = build(master, "classroom50")
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert len(refused.stderr.splitlines()) == 1
    assert "2x-hidden.yaml would be hidden cases in it; set hidden_share: 0 in staff/course.yaml\n" in refused.stderr
    assert not (master / "build" / "classroom50.zip").exists()
    decide(master, hidden_share="0")
    done = build(master, "classroom50")
    decide(master, hidden_share="50")
    assert done.returncode == 0, done.stderr
    assert "note: there are no hidden cases: a lab.py that holds a table" in done.stderr
    return master / "build" / "classroom50.zip"


def test_the_same_bundle_has_the_same_bytes(archive: Path, master: Path) -> None:
    before = archive.read_bytes()
    for file in (master / "grader").glob("*.py"):
        os.utime(file, (1, 1))
    assert build(master, "gradescope").returncode == 0
    assert archive.read_bytes() == before


def test_no_bundle_holds_what_is_not_for_it(archive: Path, public_archive: Path, model: str) -> None:
    solution = [line.strip() for line in model.splitlines() if "best_path, best_score = [state, *path]" in line]
    assert solution
    for file in (archive, public_archive):
        with zipfile.ZipFile(file) as files:
            names, data = files.namelist(), b"".join(map(files.read, files.namelist()))
        assert not [
            name for name in names if re.search(r"lab\.py|staff/|\.ci/|wrong_labs|right_labs|roster|\bgrades\b", name)
        ]
        assert not any(line.encode() in data for line in solution)
        assert ("kit/boards/cases/2x-hidden.yaml" in names) == (file == archive)


def test_the_programs_can_be_started(archive: Path) -> None:
    with zipfile.ZipFile(archive) as files:
        modes = {entry.filename: entry.external_attr >> 16 for entry in files.infolist()}
    assert stat.filemode(modes["run_autograder"]) == stat.filemode(modes["setup.sh"]) == "-rwxr-xr-x"
    assert stat.filemode(modes["kit/grader/worker/worker.py"]) == "-rw-r--r--"


def test_a_wrong_hidden_case_is_one_line(archive: Path, master: Path) -> None:
    file = master / "staff" / "hidden" / "2x-hidden.yaml"
    kept, before = file.read_text("utf-8"), archive.read_bytes()
    for old, new, complaint in (
        ("hidden: true\n", "", "must say `hidden: true`"),
        (
            "evaluations: 4",
            "evaluations: 5",
            ": the model solution gets `in part` in hidden/two-by-two: ",
        ),
    ):
        change(file, old, new)
        done = build(master, "gradescope")
        file.write_text(kept, "utf-8")
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert complaint in done.stderr
    assert archive.read_bytes() == before


def test_a_hidden_file_with_the_name_of_a_public_one(archive: Path, master: Path) -> None:
    file = master / "staff" / "hidden" / "2x-hidden.yaml"
    file.rename(file.with_name("2a-dfs.yaml"))
    done = build(master, "gradescope")
    file.with_name("2a-dfs.yaml").rename(file)
    assert done.returncode == 2
    assert done.stderr == "staff/hidden/2a-dfs.yaml:1: boards/cases/ has a 2a-dfs.yaml too; rename this one\n"


def test_a_roster_is_refused(archive: Path, master: Path) -> None:
    roster = master / "boards" / "roster.csv"
    roster.write_text("identifier,github_username\n", encoding="utf-8")
    done = build(master, "gradescope")
    roster.unlink()
    assert done.returncode == 2
    assert "kit/boards/roster.csv:1: this looks like a roster" in done.stderr


def test_questions_without_answers_are_hidden_cases() -> None:
    course = dataclasses.replace(read_course(COURSE), show_answers=False, hidden_share=Fraction(0))
    tree = bundle("gradescope", course, hidden_cases(course))
    assert tree["kit/boards/cases/3-questions.yaml"].startswith(b"hidden: true\n")
    tree["kit/grader/worker/confine.py"] += b"\n\ndef close_door(*words, **named):\n    return 0\n"
    prove(tree, KIT / "lab.py")  # here, where nothing keeps hidden cases from a student's lab.py


@pytest.fixture(scope="module")
def service(archive: Path) -> Iterator[Gradescope]:
    """Gradescope with the bundle, set up."""
    service = Gradescope(archive)
    done = service.run("bash", str(service.root / "source" / "setup.sh"))
    if "is there a network?" in done.stderr:
        pytest.skip("no network here, and setup.sh installs packages")
    assert done.returncode == 0, done.stderr
    yield service
    service.remove()


def result_of(service: Gradescope, **files: str) -> dict[str, Any]:
    """The result that Gradescope reads after a submission."""
    done = service.submit(**files)
    assert done.returncode == 0, done.stderr
    return check("gradescope", json.loads((service.root / "results" / "results.json").read_text("utf-8")))


def test_setup_installs_python_and_creates_a_user(service: Gradescope) -> None:
    assert service.log.read_text("utf-8").splitlines() == [
        "apt-get update",
        "apt-get install -y python3.11 python3.11-venv",
        "useradd --system --no-create-home --shell /usr/sbin/nologin lab-student",
    ]
    assert stat.filemode((service.root / "source/kit/boards/cases").stat().st_mode) == "drwx------"


def test_gradescope_full_marks(service: Gradescope, model: str) -> None:
    report = result_of(service, lab=model)
    assert report["score"] == float(TOTAL)
    assert {test["status"] for test in report["tests"]} == {"passed"}
    assert [test["name"] for test in report["tests"] if test["visibility"] == "after_published"] == [
        "hidden/two-by-two"
    ]
    assert "**{0:g} of {0:g} points**".format(float(TOTAL) - 3) in report["output"]
    assert stat.filemode((service.root / "results").stat().st_mode) == "drwx------"


def test_gradescope_partial_marks_in_a_folder(service: Gradescope, model: str) -> None:
    report = result_of(service, upload__lab=with_body("dfs_maximizing", "return None", model), upload__notes="")
    assert report["score"] == 94
    assert "**94 of 97 points**" in report["output"]


def test_gradescope_without_a_lab(service: Gradescope) -> None:
    report = result_of(service, mylab="")
    assert report["score"] == 0
    assert "There is no lab.py in what you handed in (but mylab.py)" in report["output"]


def test_gradescope_a_lab_that_does_not_import(service: Gradescope) -> None:
    report = result_of(service, lab="def broken(:\n")
    assert report["score"] == 0
    assert "SyntaxError" in report["output"]


def test_gradescope_a_hostile_lab(service: Gradescope, model: str) -> None:
    body = "import os\nfor path in (%r, %r):\n    open(path, 'w').write('forged')\n"
    paths = str(service.root / "results" / "results.json"), str(service.root / "source" / "kit" / "forged")
    report = result_of(service, lab=model + HOSTILE + "\ntry:\n" + re.sub("^", "    ", body % paths, flags=re.M)
                       + "\nexcept OSError: pass\n")  # fmt: skip
    assert 0 < report["score"] < 100
    for test in report["tests"]:
        assert "forged" not in outside_fences(test["output"])
    assert not Path(paths[1]).exists()


def test_gradescope_runs_the_lab_as_another_user(service: Gradescope, model: str) -> None:
    if not service.user:
        pytest.skip(service.why)
    report = result_of(service, lab=with_body("dfs_maximizing", "import os\nraise LookupError(os.getuid())", model))
    uid = subprocess.run(["id", "-u", service.user], capture_output=True, text=True).stdout.strip()
    failed = [test for test in report["tests"] if test["status"] == "failed"]
    shown = [test["output"] for test in failed if test["visibility"] == "visible"]
    assert shown
    assert all(f"LookupError: {uid} (lab.py:" in output for output in shown)
    for path in ("source/kit/boards/cases/2a-dfs.yaml", "results/results.json", "submission_metadata.json"):
        read = ["cat", str(service.root / path)]
        done = subprocess.run(read, user=service.user, group=0, extra_groups=[], capture_output=True, text=True)
        assert "Permission denied" in done.stderr


def needs_human(service: Gradescope) -> None:
    (service.root / "results" / "results.json").write_text('{"score": 100}', "utf-8")
    service.submit(lab="")
    report = check("gradescope", json.loads((service.root / "results" / "results.json").read_text("utf-8")) | {
        "tests": []
    })  # fmt: skip
    assert "needs a human" in report["output"]
    assert "score" not in report


@pytest.mark.parametrize("name", ["source/kit/boards/points.yaml", "source/kit/reports/inert.py", "environment/bin"])
def test_gradescope_a_broken_grader_needs_a_human(name: str, service: Gradescope) -> None:
    path = service.root / name
    path.rename(path.with_name("away"))
    needs_human(service)
    path.with_name("away").rename(path)


def test_gradescope_a_missing_user_needs_a_human(service: Gradescope) -> None:
    user, service.user = service.user, "no-such-user"
    needs_human(service)
    service.user = user


@pytest.fixture(scope="module")
def unpacked(public_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Classroom 50 bundle, where the service unpacks it."""
    folder = tmp_path_factory.mktemp("classroom50 bundle")
    unpack(public_archive, folder)
    return folder


def push(
    unpacked: Path, checkout: Path, lab: str | None, python: str = sys.executable, **more: str
) -> "subprocess.CompletedProcess[str]":
    """Run autograder.py as Classroom 50 does, on a checkout with this lab.py."""
    if lab is not None:
        (checkout / "lab.py").write_text(lab, encoding="utf-8")
    keep = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME") or name.startswith("PIP_")}
    return subprocess.run(
        [python, str(unpacked / "autograder.py")], cwd=checkout, capture_output=True, text=True,
        env={**keep, **CLASSROOM50, "USERNAME": "alice", "CLASSROOM50_BUNDLE_DIR": str(unpacked), **more},
    )  # fmt: skip


def result_in(checkout: Path) -> dict[str, Any]:
    """The result that Classroom 50 reads."""
    body = (checkout / "release-body.md").read_text("utf-8")
    assert len(body) <= 2_000
    assert "forged" not in outside_fences(body)
    return check("classroom50", json.loads((checkout / "result.json").read_text("utf-8")))


@pytest.mark.parametrize(
    ("name", "score"), [("full", 100), ("partial", 94), ("none", 0), ("no-import", 0), ("hostile", None)]
)
def test_classroom50(name: str, score: int | None, unpacked: Path, tmp_path: Path, model: str) -> None:
    labs = {
        "full": model,
        "partial": with_body("dfs_maximizing", "return None", model),
        "no-import": "def broken(:\n",
        "hostile": model + HOSTILE,
    }
    done = push(unpacked, tmp_path, labs.get(name))
    assert done.returncode == 0, done.stderr
    assert done.stdout + done.stderr == ""
    report = result_in(tmp_path)
    assert report["max-score"] == float(TOTAL)
    assert score in (None, report["score"])
    assert report["submission"] == CLASSROOM50["SUBMISSION_TAG"]
    if name in ("none", "no-import"):
        word = {"none": "There is no lab.py", "no-import": "SyntaxError"}[name]
        assert all(word in test["message"] for test in report["tests"])


def test_classroom50_takes_lab_alone_from_a_hostile_checkout(unpacked: Path, tmp_path: Path, model: str) -> None:
    checkout, outside = tmp_path / "checkout", tmp_path / "outside"
    checkout.mkdir()
    outside.write_text("untouched", encoding="utf-8")
    for module in ("json", "subprocess", "sitecustomize", "yaml", "grader", "boards", "reports"):
        (checkout / f"{module}.py").write_text("raise SystemExit('forged')\n", encoding="utf-8")
    (checkout / "result.json").symlink_to(outside)
    (checkout / "release-body.md").mkdir()
    (checkout / "release-body.md" / "forged").touch()
    shutil.copy(unpacked / "autograder.py", checkout)
    done = push(unpacked, checkout, with_body("dfs_maximizing", "return None", model))
    assert done.returncode == 0, done.stderr
    assert result_in(checkout)["score"] == 94
    assert not (checkout / "result.json").is_symlink()
    assert outside.read_text("utf-8") == "untouched"
    copied = subprocess.run(
        [sys.executable, "autograder.py"], cwd=checkout, capture_output=True, text=True,
        env={**CLASSROOM50, "CLASSROOM50_BUNDLE_DIR": str(unpacked), "PATH": os.defpath},
    )  # fmt: skip
    assert copied.returncode == 0, copied.stderr
    assert result_in(checkout)["score"] == 94


def test_classroom50_makes_its_own_environment(unpacked: Path, tmp_path: Path, model: str) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    (tmp_path / "checkout").mkdir()
    done = push(unpacked, tmp_path / "checkout", model, python=str(bare / "bin" / "python"))
    if "is there a network?" in done.stderr:
        pytest.skip("no network here, and autograder.py installs packages")
    assert done.returncode == 0, done.stderr
    assert result_in(tmp_path / "checkout")["score"] == float(TOTAL)


def test_classroom50_a_broken_grader_is_no_zero(unpacked: Path, tmp_path: Path, model: str) -> None:
    broken = tmp_path / "bundle"
    shutil.copytree(unpacked, broken)
    (broken / "kit" / "boards" / "points.yaml").write_text("total: none\n", encoding="utf-8")
    for more in ({"CLASSROOM50_BUNDLE_DIR": str(broken)}, {"CLASSROOM50_BUNDLE_DIR": str(tmp_path)}):
        (tmp_path / "result.json").write_text("{}", encoding="utf-8")
        done = push(broken, tmp_path, model, **more)
        assert done.returncode == 1
        assert done.stderr


def test_the_kit_of_a_bundle_is_a_whole_release(unpacked: Path) -> None:
    listed = json.loads((unpacked / "kit" / "grader" / "release.json").read_text("utf-8"))["names"]
    assert listed and all((unpacked / "kit" / name).is_file() for name in listed)
