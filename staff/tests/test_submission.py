"""What was handed in: lab.py is found, a hostile folder is not, and a fault of the grader is no 0."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from boards.cases import Bank
from grader.grading.sheet import ScoreSheet
from grader.judging.verdict import Status, Verdict
from staff.reports import classroom50, gradescope, submission
from staff.tests.test_reports import CLASSROOM50, FACTS, NOW, check


def files(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["lab.py", "old/lab.py"], "lab.py"),
        (["upload/games/lab.py", "__MACOSX/lab.py", ".git/lab.py"], "upload/games/lab.py"),
    ],
)
def test_lab_is_found(names: list[str], expected: str, tmp_path: Path) -> None:
    assert submission.read_submitted(files(tmp_path, *names)).decode() == expected


def no_lab_of(folder: Path) -> str:
    with pytest.raises(submission.NoLab) as raised:
        submission.read_submitted(folder)
    return str(raised.value)


def test_lab_is_not_found(tmp_path: Path) -> None:
    assert "There is no lab.py" in no_lab_of(tmp_path / "missing")
    assert "(but lab (1).py, x.py)" in no_lab_of(files(tmp_path, "lab (1).py", "x.py"))
    assert "more than one lab.py in what you handed in: a/lab.py, b/lab.py" in no_lab_of(
        files(tmp_path, "b/lab.py", "a/lab.py")
    )


def test_lab_is_no_ordinary_file(tmp_path: Path) -> None:
    lab = tmp_path / "in" / "lab.py"
    files(tmp_path, "secret.py", "in/other")
    lab.symlink_to(tmp_path / "secret.py")
    assert "is a link" in no_lab_of(lab.parent)
    lab.unlink()
    os.mkfifo(lab)
    assert "is not a file" in no_lab_of(lab.parent)
    lab.unlink()
    files(tmp_path, "in/lab.py/lab.py")
    assert "Hand in the file itself" in no_lab_of(lab.parent)
    (lab / "lab.py").rename(lab.parent / "x")
    lab.rmdir()
    lab.write_bytes(b"#" * (submission.MOST_BYTES + 1))
    assert "larger than 1 MiB" in no_lab_of(lab.parent)


def test_folders_without_end_are_no_fault_of_the_graders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(1_500):  # one in the other; Python comes to a thousand
        os.mkdir("d")
        os.chdir("d")
    assert "far too many folders" in no_lab_of(tmp_path)
    subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)  # which pytest could not


def test_a_linked_folder_is_not_entered(tmp_path: Path) -> None:
    files(tmp_path, "elsewhere/lab.py", "in/other")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "elsewhere")
    assert "There is no lab.py" in no_lab_of(tmp_path / "in")


def test_no_lab_is_nothing_and_says_so(tmp_path: Path) -> None:
    sheet = submission.grade(tmp_path)
    report = check("gradescope", gradescope.result(sheet, 0))
    assert report["score"] == 0
    assert "There is no lab.py in what you handed in" in report["output"]
    assert check("classroom50", classroom50.result(sheet, FACTS, NOW))["score"] == 0


def fail(folder: Path) -> ScoreSheet:
    raise RuntimeError("::error::a fault")


@pytest.mark.parametrize(("service", "writer"), [("gradescope", gradescope)])
def test_a_grader_that_fails_leaves_a_result(
    service: str, writer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(submission, "grade", fail)
    assert writer.main([str(tmp_path)]) == 0
    report = check(service, json.loads((tmp_path / "results" / "results.json").read_text("utf-8")))
    assert report == writer.needs_human()
    told = capsys.readouterr().err
    assert told.startswith("the grader failed: RuntimeError: :\u200b:error")
    assert "test_submission.py:" in told


def test_classroom50_has_no_result_where_the_grader_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bank: Bank
) -> None:
    fault = {case.id: Verdict(case.id, Status.UNGRADED) for case in bank.cases[:1]}
    for grades in (fail, lambda folder: ScoreSheet(bank, fault, b"")):
        (tmp_path / "result.json").write_text('{"score": 100}', encoding="utf-8")
        monkeypatch.setattr(classroom50, "grade", grades)
        assert classroom50.main([str(tmp_path)], CLASSROOM50) == 1
        assert not (tmp_path / "result.json").exists()


@pytest.mark.parametrize("wrong", [{"SUBMISSION_TAG": "main"}, {"OWNER": None}])
def test_classroom50_says_what_its_environment_lacks(
    wrong: dict[str, str | None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {name: value for name, value in {**CLASSROOM50, **wrong}.items() if value is not None}
    assert classroom50.main([str(tmp_path)], environment) == 1
    assert next(iter(wrong)) in capsys.readouterr().err
