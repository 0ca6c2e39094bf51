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
from staff.tests.support.tables import named, rows_of
from staff.tests.support.typed import refusal, run
from staff.tests.support.waiting import soon

ROWS = rows_of(Path(__file__).with_name("pushes.yaml"))
TAKEN = [row for row in ROWS if "refuses" not in row]
REFUSED = [row for row in ROWS if "refuses" in row]
STAND_IN = Path(__file__).with_name("stand_in_for_gh.py")
COLUMNS = ["repository", "login", "commit", "pushed", "before"]
ADA = "games-lab-ada"
BOB = "games-lab-bob"
CY = "games-lab-cy"
FAILS: dict[str, Any] = {"fails": 500}


def commit(letter: str) -> str:
    """The digits of a commit, which one letter names."""
    return letter * 40 if len(letter) == 1 else letter


def filled(repository: dict[str, Any]) -> dict[str, Any]:
    """A repository as the stand-in reads it."""
    pushes = [
        [time, commit(letter), *kind]
        for time, letter, *kind in repository.get("pushes", [])
    ]
    files = {
        commit(letter): text for letter, text in repository.get("files", {}).items()
    }
    return {"branch": "main", **repository, "pushes": pushes, "files": files}


def pushed(*pushes: tuple[str, str]) -> dict[str, Any]:
    """A repository with these pushes, the newest first: the time, and lab.py."""
    letters = "abc"[len(pushes) - 1 :: -1]
    lettered = list(zip(letters, pushes, strict=True))
    return {
        "pushes": [[time, letter] for letter, (time, _) in lettered],
        "files": {letter: text for letter, (_, text) in lettered},
    }


ONE = pushed(("2025-02-12T10:00:00Z", "one"))
TWO = pushed(("2025-02-12T11:00:00Z", "two"))
EARLY_AND_LATE = pushed(
    ("2025-02-14T10:00:00Z", "two"), ("2025-02-12T10:00:00Z", "one")
)


class Service:
    """An organization on GitHub, as the stand-in has it."""

    def __init__(self, desk: Desk) -> None:
        self.kit = desk.kit
        self.bin = desk.folder / "bin"
        self.path = f"{self.bin}:/usr/bin:/bin"
        self.pushes = desk.kit / "grades" / "pushes" / "ai" / "games-lab"
        self.bin.mkdir()
        text = STAND_IN.read_text("utf-8")
        (self.bin / "gh").write_text(f"#!{sys.executable}\n{text}", "utf-8")
        (self.bin / "gh").chmod(0o755)

    def has(self, repositories: dict[str, Any], **more: Any) -> None:
        """Let the organization `ai` have these repositories."""
        world = {
            "organization": "ai",
            "repositories": {name: filled(each) for name, each in repositories.items()},
            **more,
        }
        (self.bin / "world.json").write_text(json.dumps(world), "utf-8")

    def type(
        self, words: str = "", path: str | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Type `python grader pushes`, with a common ORG= and BEFORE= unless the words
        have others.
        """
        typed = [words]
        if "BEFORE=" not in words:
            typed.insert(0, 'BEFORE="2025-02-15 23:59"')
        if "ORG=" not in words:
            typed.insert(0, "ORG=ai")
        command = f'"{sys.executable}" grader pushes {" ".join(typed)}'
        return run(command, self.kit, PATH=path or self.path)

    def fetched(self, words: str = "") -> str:
        """Type `python grader pushes`, which succeeds; what it prints."""
        done = self.type(words)
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout

    def rows(self, folder: Path | None = None) -> dict[str, str]:
        """What pushes.csv says of each repository, and what its lab.py holds."""
        folder = folder or self.pushes
        rows = {}
        for row in self.table(folder):
            lab = (folder / row["repository"] / "lab.py").read_text("utf-8")
            words = [row["login"], row["commit"][:1], row["pushed"], lab]
            rows[row["repository"]] = "; ".join(words)
        return rows

    def table(self, folder: Path | None = None) -> list[dict[str, str]]:
        file = (folder or self.pushes) / "pushes.csv"
        with file.open(encoding="utf-8-sig", newline="") as text:
            return list(csv.DictReader(text))

    def asked(self) -> list[str]:
        """The addresses that were asked for since the last call of this."""
        file = self.bin / "asked.txt"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines

    def asked_about(self, *repositories: str) -> list[str]:
        """Those of them that are about one of these repositories."""
        return [
            address
            for address in self.asked()
            if any(name in address for name in repositories)
        ]


@pytest.fixture
def service(desk: Desk) -> Service:
    return Service(desk)


@pytest.mark.parametrize("row", TAKEN, ids=named)
def test_what_is_fetched(row: dict[str, Any], service: Service) -> None:
    service.has(row["repositories"], **row.get("world", {}))
    done = service.type(row.get("typed", ""))
    assert done.stderr.splitlines() == row.get("tells", [])
    assert done.returncode == row.get("status", 0)
    folder = service.pushes.with_name(row.get("folder", "games-lab"))
    assert service.rows(folder) == row["rows"]
    assert [words for words in row.get("says", []) if words not in done.stdout] == []


@pytest.mark.parametrize("row", REFUSED, ids=named)
def test_what_is_refused_fetches_nothing(row: dict[str, Any], service: Service) -> None:
    service.has(row["repositories"], **row.get("world", {}))
    done = service.type(row.get("typed", ""))
    assert refusal(done) == f"{row['refuses']}\n"
    assert not (service.kit / "grades").exists()


def test_without_gh_one_line_says_where_it_is(service: Service) -> None:
    done = service.type(path=str(service.bin / "nothing"))
    says = "`gh` is not on this machine: install GitHub's command line, https://cli.github.com\n"
    assert refusal(done) == says


def test_the_moment_must_be_typed(service: Service) -> None:
    done = run(f'"{sys.executable}" grader pushes ORG=ai', service.kit)
    assert "required: BEFORE=" in refusal(done)


def test_make_says_what_to_type_next(service: Service) -> None:
    service.has({ADA: ONE})
    command = 'make pushes ORG=ai BEFORE="2025-02-15 23:59" PREFIX=games-lab'
    done = run(command, service.kit, PATH=service.path)
    assert done.returncode == 0, done.stderr
    assert "Next: make collect FROM=grades/pushes/ai/games-lab\n" in done.stdout


# --- asked again ---------------------------------------------------------------------


@pytest.fixture
def half_fetched(service: Service) -> Service:
    """Ada's push is here, and Bob's could not be fetched."""
    service.has({ADA: ONE, BOB: FAILS})
    assert service.type().returncode == 1
    service.asked()
    return service


def test_what_is_fetched_is_not_asked_for_again(half_fetched: Service) -> None:
    half_fetched.has({ADA: FAILS, BOB: TWO})
    said = half_fetched.fetched()
    assert "  1 already here\n  1 fetched\n" in said
    assert half_fetched.asked_about(ADA) == []
    assert half_fetched.rows() == {
        ADA: "ada; a; 2025-02-12T10:00:00Z; one",
        BOB: "bob; a; 2025-02-12T11:00:00Z; two",
    }


def test_a_row_without_its_file_is_asked_for_again(half_fetched: Service) -> None:
    (half_fetched.pushes / ADA / "lab.py").unlink()
    half_fetched.has({ADA: ONE, BOB: TWO})
    half_fetched.fetched()
    assert half_fetched.rows()[ADA].endswith("; one")


@pytest.fixture
def fetched_early(service: Service) -> Service:
    """The pushes before an early moment are here; Ada has a later one."""
    service.has({ADA: EARLY_AND_LATE, BOB: ONE})
    service.fetched('BEFORE="2025-02-13 23:59"')
    return service


def test_each_row_says_before_which_moment_it_was_looked_for(
    fetched_early: Service,
) -> None:
    fetched_early.has({ADA: EARLY_AND_LATE, BOB: FAILS})
    assert fetched_early.type().returncode == 1
    table = fetched_early.table()
    assert list(table[0]) == COLUMNS
    assert {row["repository"]: row["before"] for row in table} == {
        ADA: "2025-02-15T23:00:00Z",
        BOB: "2025-02-13T23:00:00Z",
    }


def test_a_later_moment_is_asked_for_again(fetched_early: Service) -> None:
    assert fetched_early.rows()[ADA] == "ada; a; 2025-02-12T10:00:00Z; one"
    fetched_early.fetched()
    assert fetched_early.rows()[ADA] == "ada; b; 2025-02-14T10:00:00Z; two"


def test_before_the_first_push_nothing_is_left(fetched_early: Service) -> None:
    done = fetched_early.type('BEFORE="2025-02-01 23:59"')
    assert done.returncode == 0
    assert "  2 without lab.py" in done.stdout
    assert fetched_early.table() == []
    assert list(fetched_early.pushes.rglob("lab.py")) == []


# --- too many requests ---------------------------------------------------------------

RESET = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1893456000"}
REQUESTS = 6  # for the two repositories: two pages, and two for each repository
CLASS = {ADA: ONE, BOB: ONE}


@pytest.mark.parametrize("answers", range(REQUESTS))
def test_wherever_github_stops_one_line_says_when_to_go_on(
    answers: int, service: Service
) -> None:
    service.has(CLASS, page=1, answers=answers, limit=RESET)
    done = service.type()
    when = "2030-01-01 01:00:00+01:00"
    says = f"GitHub accepts no more requests before {when}: type the command again then, and it continues\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", says)


@pytest.mark.parametrize("answers", range(REQUESTS))
def test_what_was_fetched_before_github_stopped_is_not_asked_for_again(
    answers: int, service: Service
) -> None:
    service.has(CLASS, page=1, answers=answers, limit=RESET)
    service.type()
    has_begun = answers > 3  # two pages, and the two requests for the first repository
    here = [row["repository"] for row in service.table()] if has_begun else []
    service.asked()
    service.has(CLASS)
    service.fetched()
    assert service.asked_about(*here) == []
    assert list(service.rows()) == list(CLASS)


def test_six_requests_are_enough(service: Service) -> None:
    service.has(CLASS, page=1, answers=REQUESTS, limit=RESET)
    service.fetched()


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
    service.has({ADA: ONE}, answers=1, limit=limit, limited=status)
    done = service.type()
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("GitHub accepts no more requests before 20")


# --- what may go wrong ---------------------------------------------------------------


def kill_while_it_waits(service: Service) -> None:
    """Type the command, and kill it when it waits for an answer that never comes."""
    hanging = service.bin / "hanging"
    command = [sys.executable, "grader", "pushes", "ORG=ai", "BEFORE=2025-02-15 23:59"]
    with subprocess.Popen(
        command,
        cwd=service.kit,
        env=os.environ | {"PATH": service.path},
        stderr=subprocess.DEVNULL,
    ) as killed:
        assert soon(hanging.exists)
        killed.kill()
    os.kill(int(hanging.read_text("utf-8")), signal.SIGKILL)


def test_a_command_that_is_killed_loses_nothing(service: Service) -> None:
    """It is killed while it waits for the last of three answers."""
    service.has({ADA: ONE, BOB: ONE, CY: {**ONE, "hangs": True}})
    kill_while_it_waits(service)
    assert list(service.rows()) == [ADA, BOB]
    service.has({ADA: FAILS, BOB: FAILS, CY: ONE})
    service.fetched()
    assert list(service.rows()) == [ADA, BOB, CY]


def test_a_pushes_csv_of_somebody_elses_is_left_alone(service: Service) -> None:
    service.has({ADA: ONE})
    theirs = f"repository,pushed\n{ADA},2025-02-12T10:00:00Z\n"
    lay(service.pushes, {"pushes.csv": theirs})
    says = "pushes.csv: the columns must be repository, login, commit, pushed, before"
    assert says in refusal(service.type())
    assert (service.pushes / "pushes.csv").read_text("utf-8") == theirs


# --- from pushes to collected.csv ----------------------------------------------------


def test_an_extension_is_collected_after_the_class(
    desk: Desk, service: Service
) -> None:
    """Bob's later push is too late for him, and comes in with Ada's; his earlier one
    still counts.
    """
    decide(desk.kit, due="2025-02-12 23:59", extensions="{ada: 2025-02-19 23:59}")
    lay(desk.folder, {"roster.csv": "id,github\nada,ada\nbob,bob\n"})
    ada = pushed(("2025-02-19T10:00:00Z", "done"), ("2025-02-12T10:00:00Z", "begun"))
    bob = pushed(("2025-02-18T10:00:00Z", "late"), ("2025-02-12T10:00:00Z", "good"))
    service.has({ADA: ada, BOB: bob})
    for before in ("2025-02-16 00:14", "2025-02-23 00:14"):
        service.fetched(f'BEFORE="{before}"')
        desk.collected(FROM=service.pushes, ROSTER="roster.csv")
    rows = desk.rows()
    assert rows[f"{ADA}/lab.py (2)"] == "ada; 2025-02-19 11:00:00+01:00; yes; ready"
    assert rows[f"{BOB}/lab.py"] == "bob; 2025-02-12 11:00:00+01:00; yes; ready"
    assert rows[f"{BOB}/lab.py (2)"] == "bob; 2025-02-18 11:00:00+01:00; no; ready"


def test_from_pushes_to_collected(desk: Desk, service: Service) -> None:
    roster = "id,github\na1,Ada-Kim\nk1,kim\naway,away\nnew,new\n"
    lay(desk.folder, {"roster.csv": roster})
    service.has(
        {
            "games-lab-ada-kim": pushed(("2025-02-12T22:59:59Z", "one")),
            "games-lab-kim": pushed(("2025-02-14T10:00:00Z", "two")),
            "games-lab-staff": pushed(("2025-02-01T10:00:00Z", "three")),
            "games-lab-away": {"fails": 404},
            "games-lab-new": {"pushes": []},
        }
    )
    assert service.type().returncode == 1
    said = desk.collected(FROM=service.pushes, ROSTER="roster.csv")
    assert "games-lab: GitHub, 3 files" in said
    assert "2 missing: away, new" in said
    assert "1 belongs to nobody: games-lab-staff/lab.py" in said
    assert "not understood" not in said
    rows = desk.rows()
    assert (
        rows["games-lab-ada-kim/lab.py"] == "a1; 2025-02-12 23:59:59+01:00; yes; ready"
    )
    assert rows["games-lab-kim/lab.py"] == "k1; 2025-02-14 11:00:00+01:00; yes; ready"
