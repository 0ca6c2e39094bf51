"""make pushes, with a stand-in for gh: what is fetched of what GitHub answers
(pushes.yaml), and what is kept of it.

Nothing of this was tried on the service.
"""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.desk import Desk
from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import decide
from staff.tests.support.tables import rows_of
from staff.tests.support.typed import run
from staff.tests.support.waiting import soon

ROWS = rows_of(Path(__file__).with_name("pushes.yaml"))
STAND_IN = Path(__file__).with_name("stand_in_for_gh.py")
BEFORE = 'BEFORE="2025-02-15 23:59"'
COLUMNS = ["repository", "login", "commit", "pushed", "before"]


class Service:
    """An organization on GitHub, as the stand-in has it."""

    def __init__(self, desk: Desk) -> None:
        self.kit, self.bin = desk.kit, desk.folder / "bin"
        self.pushes = desk.kit / "grades" / "pushes" / "ai" / "games-lab"
        self.bin.mkdir()
        text = STAND_IN.read_text("utf-8")
        (self.bin / "gh").write_text(f"#!{sys.executable}\n{text}", "utf-8")
        (self.bin / "gh").chmod(0o755)

    def has(self, repositories: dict[str, Any], **more: Any) -> None:
        """Let the organization `ai` have these repositories; a commit is a letter,
        forty times.
        """
        filled = {}
        for name, each in repositories.items():
            pushes = [
                [time, _commit(letter), *kind]
                for time, letter, *kind in each.get("pushes", [])
            ]
            files = {
                _commit(letter): text for letter, text in each.get("files", {}).items()
            }
            filled[name] = {"branch": "main", **each, "pushes": pushes, "files": files}
        world = {"organization": "ai", "repositories": filled, **more}
        (self.bin / "world.json").write_text(json.dumps(world), "utf-8")

    def type(
        self, words: str = "", with_gh: bool = True
    ) -> "subprocess.CompletedProcess[str]":
        """Type `python grader pushes`."""
        path = f"{self.bin}:/usr/bin:/bin" if with_gh else str(self.bin / "nothing")
        typed = " ".join(
            word
            for word in ("ORG=ai", BEFORE)
            if f"{word.partition('=')[0]}=" not in words
        )
        return run(
            f'"{sys.executable}" grader pushes {typed} {words}', self.kit, PATH=path
        )

    def rows(self, folder: Path | None = None) -> dict[str, str]:
        """What pushes.csv says of each repository, and what its lab.py holds."""
        rows = {}
        for row in self.table(folder):
            lab = ((folder or self.pushes) / row["repository"] / "lab.py").read_text(
                "utf-8"
            )
            rows[row["repository"]] = (
                f"{row['login']}; {row['commit'][:1]}; {row['pushed']}; {lab}"
            )
        return rows

    def table(self, folder: Path | None = None) -> list[dict[str, str]]:
        with ((folder or self.pushes) / "pushes.csv").open(
            encoding="utf-8-sig", newline=""
        ) as file:
            return list(csv.DictReader(file))

    def asked(self) -> list[str]:
        """What was asked for since the last call of this."""
        file = self.bin / "asked.txt"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines


def _commit(letter: str) -> str:
    return letter * 40 if len(letter) == 1 else letter


@pytest.fixture
def service(desk: Desk) -> Service:
    return Service(desk)


def student(time: str, text: str = "one") -> dict[str, Any]:
    """A repository with one push."""
    return {"pushes": [[time, "a"]], "files": {"a": text}}


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_what_is_fetched(row: dict[str, Any], service: Service) -> None:
    service.has(row["repositories"], **row.get("world", {}))
    done = service.type(row.get("typed", ""))
    if "refuses" in row:
        assert (done.returncode, done.stdout, done.stderr) == (
            2,
            "",
            f"{row['refuses']}\n",
        )
        assert not (service.kit / "grades").exists()
        return
    assert done.stderr.splitlines() == row.get("tells", [])
    assert done.returncode == row.get("status", 0)
    assert (
        service.rows(service.pushes.with_name(row.get("folder", "games-lab")))
        == row["rows"]
    )
    for said in row.get("says", []):
        assert said in done.stdout


def test_what_is_typed(service: Service) -> None:
    service.has({"games-lab-ada": student("2025-02-12T10:00:00Z")})
    done = service.type(with_gh=False)
    said = "`gh` is not on this machine: install GitHub's command line, https://cli.github.com\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
    done = run(f'"{sys.executable}" grader pushes ORG=ai', service.kit)
    assert (
        done.returncode == 2
        and done.stderr.count("\n") == 1
        and "required: BEFORE=" in done.stderr
    )
    path = f"{service.bin}:/usr/bin:/bin"
    done = run(f"make pushes ORG=ai {BEFORE} PREFIX=games-lab", service.kit, PATH=path)
    assert done.returncode == 0, done.stderr
    assert "Next: make collect FROM=grades/pushes/ai/games-lab\n" in done.stdout
    assert "make test takes no ORG=" in run("make test ORG=ai", service.kit).stderr


def test_what_is_fetched_is_not_asked_for_again(service: Service) -> None:
    ada, bob = student("2025-02-12T10:00:00Z"), student("2025-02-12T11:00:00Z", "two")
    service.has({"games-lab-ada": ada, "games-lab-bob": {"fails": 500}})
    assert service.type().returncode == 1
    service.asked()
    service.has({"games-lab-ada": {"fails": 500}, "games-lab-bob": bob})
    done = service.type()
    assert (done.returncode, done.stderr) == (0, "")
    assert "  1 already here\n  1 fetched\n" in done.stdout
    assert not [address for address in service.asked() if "games-lab-ada" in address]
    assert service.rows() == {
        "games-lab-ada": "ada; a; 2025-02-12T10:00:00Z; one",
        "games-lab-bob": "bob; a; 2025-02-12T11:00:00Z; two",
    }
    (service.pushes / "games-lab-ada" / "lab.py").unlink()  # a row alone is not enough
    service.has({"games-lab-ada": ada, "games-lab-bob": {"fails": 500}})
    assert service.type().returncode == 0 and service.rows()["games-lab-ada"].endswith(
        "; one"
    )


def test_another_moment_is_asked_for_again(service: Service) -> None:
    two = {
        "pushes": [["2025-02-14T10:00:00Z", "b"], ["2025-02-12T10:00:00Z", "a"]],
        "files": {"a": "one", "b": "two"},
    }
    service.has(
        {"games-lab-ada": two, "games-lab-bob": student("2025-02-12T09:00:00Z")}
    )
    assert service.type('BEFORE="2025-02-13 23:59"').returncode == 0
    assert service.rows()["games-lab-ada"] == "ada; a; 2025-02-12T10:00:00Z; one"
    service.has({"games-lab-ada": two, "games-lab-bob": {"fails": 500}})
    assert service.type().returncode == 1
    assert service.rows()["games-lab-ada"] == "ada; b; 2025-02-14T10:00:00Z; two"
    moments = {row["repository"]: row["before"] for row in service.table()}
    assert moments == {
        "games-lab-ada": "2025-02-15T23:00:00Z",
        "games-lab-bob": "2025-02-13T23:00:00Z",
    }
    assert list(service.table()[0]) == COLUMNS
    service.has(
        {"games-lab-ada": two, "games-lab-bob": student("2025-02-12T09:00:00Z")}
    )
    assert "  2 without lab.py" in service.type('BEFORE="2025-02-01 23:59"').stdout
    assert service.table() == [] and not list(service.pushes.rglob("lab.py"))


RESET = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1893456000"}


@pytest.mark.parametrize("answers", range(7))
def test_too_many_requests(answers: int, service: Service) -> None:
    """Wherever GitHub stops, one line says when to go on; and what was fetched by then
    is not asked for again.
    """
    names = ["games-lab-ada", "games-lab-bob"]
    repositories = {name: student("2025-02-12T10:00:00Z") for name in names}
    service.has(repositories, page=1, answers=answers, limit=RESET)
    done = service.type()
    if answers == 6:  # two pages, and two requests for each repository
        assert done.returncode == 0
        return
    when = "2030-01-01 01:00:00+01:00"
    said = f"GitHub accepts no more requests before {when}: type the command again then, and it continues\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
    here = [row["repository"] for row in service.table()] if answers > 3 else []
    service.asked()
    service.has(repositories)
    assert service.type().returncode == 0
    assert list(service.rows()) == names
    assert not [
        address for address in service.asked() if any(name in address for name in here)
    ]


@pytest.mark.parametrize(
    ("status", "limit"),
    [
        (403, {"Retry-After": "60", "X-RateLimit-Remaining": "9"}),
        (429, {}),
        (429, RESET | {"X-RateLimit-Reset": "9" * 30}),
    ],
)
def test_too_many_requests_at_once(
    status: int, limit: dict[str, str], service: Service
) -> None:
    service.has(
        {"games-lab-ada": student("2025-02-12T10:00:00Z")},
        answers=1,
        limit=limit,
        limited=status,
    )
    done = service.type()
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("GitHub accepts no more requests before 20")


def test_a_command_that_is_killed_loses_nothing(service: Service) -> None:
    """It is killed while it waits for the last of three answers."""
    names = ["games-lab-ada", "games-lab-bob", "games-lab-cy"]
    repositories = {name: student("2025-02-12T10:00:00Z") for name in names}
    service.has({**repositories, "games-lab-cy": {"hangs": True}})
    command = [sys.executable, "grader", "pushes", "ORG=ai", BEFORE.replace('"', "")]
    environment = os.environ | {"PATH": f"{service.bin}:/usr/bin:/bin"}
    hanging = service.bin / "hanging"
    with subprocess.Popen(
        command, cwd=service.kit, env=environment, stderr=subprocess.DEVNULL
    ) as killed:
        assert soon(hanging.exists)
        killed.kill()
    os.kill(int(hanging.read_text("utf-8")), signal.SIGKILL)
    assert list(service.rows()) == names[:2]
    service.asked()
    service.has(
        {
            name: repositories[name] if name == names[2] else {"fails": 500}
            for name in names
        }
    )
    assert service.type().returncode == 0 and list(service.rows()) == names


def test_a_pushes_csv_of_somebody_elses_is_left_alone(service: Service) -> None:
    service.has({"games-lab-ada": student("2025-02-12T10:00:00Z")})
    lay(
        service.pushes,
        {"pushes.csv": "repository,pushed\ngames-lab-ada,2025-02-12T10:00:00Z\n"},
    )
    done = service.type()
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert (
        "pushes.csv: the columns must be repository, login, commit, pushed, before"
        in done.stderr
    )


def test_an_extension_is_collected_after_the_class(
    desk: Desk, service: Service
) -> None:
    """Bob's later push is too late for him, and comes in with Ada's; his earlier one
    still counts.
    """
    decide(desk.kit, due="2025-02-12 23:59", extensions="{ada: 2025-02-19 23:59}")
    ada = {
        "pushes": [["2025-02-19T10:00:00Z", "b"], ["2025-02-12T10:00:00Z", "a"]],
        "files": {"a": "begun", "b": "done"},
    }
    bob = {
        "pushes": [["2025-02-18T10:00:00Z", "b"], ["2025-02-12T10:00:00Z", "a"]],
        "files": {"a": "good", "b": "late"},
    }
    service.has({"games-lab-ada": ada, "games-lab-bob": bob})
    lay(desk.folder, {"roster.csv": "id,github\nada,ada\nbob,bob\n"})
    for before in ("2025-02-16 00:14", "2025-02-23 00:14"):
        assert service.type(f'BEFORE="{before}"').returncode == 0
        assert desk.collect(FROM=service.pushes, ROSTER="roster.csv").returncode == 0
    assert (
        desk.row("games-lab-ada/lab.py (2)")
        == "ada; 2025-02-19 11:00:00+01:00; yes; ready"
    )
    assert (
        desk.row("games-lab-bob/lab.py") == "bob; 2025-02-12 11:00:00+01:00; yes; ready"
    )
    assert (
        desk.row("games-lab-bob/lab.py (2)")
        == "bob; 2025-02-18 11:00:00+01:00; no; ready"
    )


def test_from_pushes_to_collected(desk: Desk, service: Service) -> None:
    service.has(
        {
            "games-lab-ada-kim": student("2025-02-12T22:59:59Z"),
            "games-lab-kim": student("2025-02-14T10:00:00Z", "two"),
            "games-lab-staff": student("2025-02-01T10:00:00Z", "three"),
            "games-lab-away": {"fails": 404},
            "games-lab-new": {"pushes": []},
        }
    )
    assert service.type().returncode == 1
    lay(
        desk.folder,
        {"roster.csv": "id,github\na1,Ada-Kim\nk1,kim\naway,away\nnew,new\n"},
    )
    done = desk.collect(FROM=service.pushes, ROSTER="roster.csv")
    assert done.returncode == 0, done.stderr
    assert (
        "games-lab: GitHub, 3 files" in done.stdout
        and "2 missing: away, new" in done.stdout
    )
    assert (
        "1 belongs to nobody: games-lab-staff/lab.py" in done.stdout
        and "not understood" not in done.stdout
    )
    assert (
        desk.row("games-lab-ada-kim/lab.py")
        == "a1; 2025-02-12 23:59:59+01:00; yes; ready"
    )
    assert (
        desk.row("games-lab-kim/lab.py") == "k1; 2025-02-14 11:00:00+01:00; yes; ready"
    )
