"""The bundle for Gradescope: what is in it, and a run in a scratch root that looks like
the service's.
"""

import json
import re
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from staff.tests.conftest import KIT, TOTAL
from staff.tests.support.labs import lab_of
from staff.tests.support.masters import change, copy_master
from staff.tests.support.services import Gradescope
from staff.tests.test_reports import as_read, outside_fences
from staff.wrong_labs import with_body

pytestmark = pytest.mark.long


def hidden_case() -> str:
    """A hidden case file with the first case of dfs_maximizing."""
    public = (KIT / "boards" / "cases" / "2a-dfs.yaml").read_text("utf-8")
    head, _, rest = public.partition("cases:\n")
    first = re.split(r"^  - id: ", rest, flags=re.MULTILINE)[1]
    return f"{head}hidden: true\ncases:\n  - id: " + re.sub(
        r"says: .*", "says: The hidden case.", first, count=1
    )


def build(master: Path) -> "subprocess.CompletedProcess[str]":
    """Build the bundle from a master copy."""
    subprocess.run(["git", "add", "--all"], cwd=master, check=True)
    return subprocess.run(
        [sys.executable, "-m", "grader", "gradescope"],
        cwd=master,
        capture_output=True,
        text=True,
    )


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
def archive(master: Path) -> Path:
    """The Gradescope bundle."""
    done = build(master)
    assert done.returncode == 0, done.stderr
    assert "1 file of hidden cases: keep it private" in done.stdout
    assert (
        f"1. On Gradescope, make a Programming Assignment with {TOTAL} points."
        in done.stdout
    )
    return master / "build" / "gradescope.zip"


def test_the_bundle_holds_what_is_for_it_and_has_the_same_bytes_again(
    archive: Path, master: Path
) -> None:
    before = archive.read_bytes()
    with zipfile.ZipFile(archive) as files:
        modes = {
            entry.filename: stat.filemode(entry.external_attr >> 16)
            for entry in files.infolist()
        }
    assert not [
        name
        for name in modes
        if re.search(r"lab\.py|staff/|wrong_labs|right_labs|roster|\bgrades\b", name)
    ]
    assert "kit/boards/cases/2x-hidden.yaml" in modes
    assert {name for name, mode in modes.items() if mode == "-rwxr-xr-x"} == {
        "run_autograder",
        "setup.sh",
    }
    assert build(master).returncode == 0
    assert archive.read_bytes() == before


def test_a_mistake_is_one_line(archive: Path, master: Path) -> None:
    file, before = master / "staff" / "hidden" / "2x-hidden.yaml", archive.read_bytes()
    kept = file.read_text("utf-8")
    change(file, "evaluations: 4", "evaluations: 5")
    done = build(master)
    file.write_text(kept, "utf-8")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert (
        "the model solution gets `partly right` in hidden/two-by-two: " in done.stderr
    )
    assert archive.read_bytes() == before


@pytest.fixture(scope="module")
def service(archive: Path) -> Iterator[Gradescope]:
    """Gradescope with the bundle, set up."""
    service = Gradescope(archive)
    done = service.run("bash", str(service.root / "source" / "setup.sh"))
    if "is there an internet connection?" in done.stderr:
        pytest.skip("no network here, and setup.sh installs packages")
    assert done.returncode == 0, done.stderr
    yield service
    service.remove()


def result_of(service: Gradescope, **files: str) -> dict[str, Any]:
    """The result that Gradescope reads after a submission."""
    done = service.submit(**files)
    assert done.returncode == 0, done.stderr
    results = service.root / "results" / "results.json"
    return as_read(json.loads(results.read_text("utf-8")))


def test_gradescope_is_set_up_and_gives_full_marks(
    service: Gradescope, model: str
) -> None:
    assert service.log.read_text("utf-8").splitlines() == [
        "apt-get update",
        "apt-get install -y python3.11 python3.11-venv",
        "useradd --system --no-create-home --shell /usr/sbin/nologin lab-student",
    ]
    report = result_of(service, lab=model)
    assert report["score"] == float(TOTAL)
    assert {test["status"] for test in report["tests"]} == {"passed"}
    assert [
        test["name"] for test in report["tests"] if test["visibility"] != "visible"
    ] == ["hidden/two-by-two"]
    assert "**{0:g} of {0:g} points**".format(float(TOTAL) - 3) in report["output"]
    for name in ("results", "source/kit/boards/cases"):
        assert stat.filemode((service.root / name).stat().st_mode) == "drwx------"


def test_gradescope_a_hostile_lab(service: Gradescope, model: str) -> None:
    targets = (
        service.root / "results" / "results.json",
        service.root / "source" / "kit" / "forged",
    )
    writes = "".join(
        f"    open({str(target)!r}, 'w').write('forged')\n" for target in targets
    )
    report = result_of(
        service,
        upload__lab=f"{lab_of('hostile', model)}\ntry:\n{writes}except OSError: pass\n",
    )
    assert 0 < report["score"] < 100
    assert not any(
        "orged" in outside_fences(test["output"]) for test in report["tests"]
    )
    assert not targets[1].exists()


def test_gradescope_runs_the_lab_as_another_user(
    service: Gradescope, model: str
) -> None:
    if not service.user:
        pytest.skip(service.why)
    report = result_of(
        service,
        lab=with_body(
            "dfs_maximizing", "import os\nraise LookupError(os.getuid())", model
        ),
    )
    uid = subprocess.run(
        ["id", "-u", service.user], capture_output=True, text=True
    ).stdout.strip()
    shown = [
        test["output"]
        for test in report["tests"]
        if (test["status"], test["visibility"]) == ("failed", "visible")
    ]
    assert shown and all(f"LookupError: {uid}" in output for output in shown)


@pytest.mark.parametrize(
    "name",
    [
        "source/kit/boards/points.yaml",
        "source/kit/reports/submission.py",
        "environment/bin",
    ],
)
def test_gradescope_a_broken_grader_needs_a_human(
    name: str, service: Gradescope
) -> None:
    path, results = service.root / name, service.root / "results" / "results.json"
    path.rename(path.with_name("away"))
    results.write_text('{"score": 100}', "utf-8")
    service.submit(lab="")
    path.with_name("away").rename(path)
    report = json.loads(results.read_text("utf-8"))
    assert "needs a human" in report["output"] and "score" not in report
