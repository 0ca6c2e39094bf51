"""make similar, with a stand-in for compare50: what is compared, what comes out, and
what stops it.
"""

import csv
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.compare50_stand_in import write_wheel
from staff.tests.gradebook.desk import Desk
from staff.tests.gradebook.samples import lay
from staff.tests.support.masters import change
from staff.tests.support.typed import run
from staff.tests.support.waiting import soon

pytestmark = pytest.mark.long

Done = subprocess.CompletedProcess[str]
NO_NETWORK = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
TWO = {"ann/lab.py": "x = 1\n", "bob/lab.py": "x = 2\n"}


class Similar(Desk):
    """A desk at which `make similar` is typed, with a stand-in for compare50 that pip
    can install.
    """

    def hand_in(self, files: dict[str, Any], ids: list[str] | None = None) -> None:
        """Collect files; the ids are those of their folders, unless others are
        given.
        """
        shutil.rmtree(self.folder / "downloads", ignore_errors=True)
        lay(self.folder / "downloads", files)
        lines = ids or sorted({name.partition("/")[0] for name in files})
        with (self.folder / "roster.csv").open(
            "w", encoding="utf-8", newline=""
        ) as roster:
            csv.writer(roster).writerows([["id"], *([line] for line in lines)])
        done = self.collect(FROM="downloads", ROSTER="roster.csv")
        assert done.returncode == 0, done.stderr

    def similar(self, words: str = "", does: str = "", **variables: str) -> Done:
        """Type `python grader similar`; `does` is what the stand-in does instead of
        ranking pairs.
        """
        told = {
            "STAND_IN_SAW": str(self.folder / "saw"),
            "STAND_IN_DOES": does,
            **NO_NETWORK,
            **variables,
        }
        return run(
            f'"{sys.executable}" "{self.kit}/grader" similar {words}',
            self.folder,
            **told,
        )

    def saw(self) -> dict[str, Any]:
        """What the stand-in was given."""
        seen: dict[str, Any] = json.loads((self.folder / "saw").read_text("utf-8"))
        return seen

    def table(self) -> list[dict[str, str]]:
        text = (self.kit / "grades" / "similar.csv").read_text("utf-8-sig")
        return list(csv.DictReader(io.StringIO(text)))

    def pairs(self) -> list[tuple[str, str]]:
        return [
            (row["submission"], row["other"]) for row in self.table() if row["rank"]
        ]

    def not_compared(self) -> dict[str, str]:
        return {
            row["submission"]: row["note"] for row in self.table() if not row["rank"]
        }

    def written(self) -> dict[str, bytes]:
        """All that `make similar` has written, and what it has left behind."""
        files = sorted((self.kit / "grades").rglob("*"))
        names = {
            file.relative_to(self.kit / "grades").as_posix(): file
            for file in files
            if file.is_file()
        }
        return {
            name: file.read_bytes() for name, file in names.items() if "similar" in name
        }


@dataclass(frozen=True)
class Installed:
    """A master copy with an environment of `make similar`, and what was said while it
    was set up: it failed first.
    """

    kit: Path
    without_network: Done
    with_network: Done


@pytest.fixture(scope="module")
def installed(kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Type `make similar` where pip finds nothing, and then where it finds the
    stand-in.
    """
    folder = tmp_path_factory.mktemp("wheels")
    (folder / "kit").symlink_to(kit)
    desk = Similar(folder)
    desk.hand_in(TWO)
    failed = desk.similar()
    return Installed(
        kit, failed, desk.similar(PIP_FIND_LINKS=str(write_wheel(folder / "wheels")))
    )


@pytest.fixture
def similar(installed: Installed, desk: Desk) -> Similar:
    assert installed.with_network.returncode == 0, installed.with_network.stderr
    return Similar(desk.folder)


def test_without_a_network_one_line_says_so(installed: Installed) -> None:
    done = installed.without_network
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert (
        "compare50 could not be installed" in done.stderr
        and "is there an internet connection?" in done.stderr
    )


def test_an_environment_that_is_not_complete_is_set_up_again(
    installed: Installed,
) -> None:
    done = installed.with_network
    assert (done.returncode, "setting up build/compare50" in done.stdout) == (
        0,
        True,
    ), done.stderr


def test_the_environment_is_set_up_once_for_each_version(similar: Similar) -> None:
    similar.hand_in(TWO)
    again = similar.similar()
    assert (again.returncode, "setting up" in again.stdout) == (0, False), again.stderr
    marker = similar.kit / "build" / "compare50" / "compare50.txt"
    kept = similar.folder / "kept"
    shutil.copytree(marker.parent, kept, symlinks=True)
    marker.write_text("compare50==1.0\n", "utf-8")
    other = similar.similar()
    shutil.rmtree(marker.parent)
    shutil.move(kept, marker.parent)
    assert (other.returncode, "setting up" in other.stdout) == (2, True)


def test_what_compare50_is_given(similar: Similar) -> None:
    ids = ["-d", "*[a]?", "=1+1", "Zoë Ünal", "...", "ann", 'bob\'s "x"']
    for_id = {
        f"{id}/lab.py": f"# by nobody\nopen({str(similar.folder / 'run')!r}, 'w')\nx = {id!r}\n"
        for id in ids
    }
    similar.hand_in(for_id)
    done = similar.similar(PYTHONPATH="/nowhere", PYTHONHASHSEED="7")
    assert done.returncode == 0, done.stderr
    seen = similar.saw()
    folders = seen["options"]["submissions"]
    assert len(folders) == len(ids) and all(
        folder.startswith("class/0") for folder in folders
    )
    assert not any(
        character in folder for folder in folders for character in "*[]?='\""
    )
    given = {
        name: text for name, text in seen["texts"].items() if name.startswith("given/")
    }
    assert seen["options"]["distro"] == ["given/api", "given/model", "given/stub"]
    assert given["given/model/lab.py"] == (similar.kit / "lab.py").read_text("utf-8")
    assert (
        "NotImplementedError" in given["given/stub/lab.py"]
        and "BEGIN SOLUTION" not in given["given/stub/lab.py"]
    )
    assert {
        f"given/api/{file.name}" for file in (similar.kit / "api").glob("*.py")
    } <= given.keys()
    assert seen["options"]["archive"] == []
    assert (seen["variables"]["PYTHONHASHSEED"], "PYTHONPATH" in seen["variables"]) == (
        "0",
        False,
    )
    assert not (similar.folder / "run").exists()
    named = {name for pair in similar.pairs() for name in pair}
    assert named == {"'-d", "*[a]?", "'=1+1", "Zoë Ünal", "...", "ann", 'bob\'s "x"'}


def test_the_table_ranks_pairs_and_gives_no_verdict(similar: Similar) -> None:
    similar.hand_in({**TWO, "cat/lab.py": "x = 3\n"})
    done = similar.similar()
    assert done.stdout.splitlines()[-2:] == [
        "3 pairs to look at; a person decides what a pair means",
        "grades/: similar.csv, similar/index.html",
    ]
    rows = [tuple(row.values()) for row in similar.table()]
    assert rows == [
        ("1", "100.0", "ann", "bob", "similar/match_1.html", ""),
        ("2", "50.0", "ann", "cat", "similar/match_2.html", ""),
        ("3", "33.3", "bob", "cat", "similar/match_3.html", ""),
    ]
    first = similar.written()
    assert similar.similar().returncode == 0 and similar.written() == first

    similar.edit("cat/lab.py", counts="no")
    assert similar.collect().returncode == 0
    (similar.kit / "grades" / ".similar-killed").mkdir()
    assert similar.similar().returncode == 0
    assert (
        similar.pairs() == [("ann", "bob")]
        and not (similar.kit / "grades" / ".similar-killed").exists()
    )
    assert {*similar.written()} == {
        "similar.csv",
        "similar/index.html",
        "similar/match_1.html",
    }

    done = similar.similar(does="find nothing")
    assert done.stdout.splitlines()[-2:] == [
        "no two submissions share code of their own",
        "grades/: similar.csv",
    ]
    assert (similar.table(), {*similar.written()}) == ([], {"similar.csv"})


def test_nothing_of_it_is_published(similar: Similar) -> None:
    similar.hand_in(TWO)
    assert similar.similar().returncode == 0
    written = similar.written()
    published = similar.type('publish ONTIME=1 UNGRADED="not graded"')
    assert published.returncode == 0, published.stderr
    assert similar.written() == written
    with sqlite3.connect(similar.store) as db:
        frozen = db.execute("SELECT file, bytes FROM frozen").fetchall()
    assert frozen and not [
        name for name, data in frozen if "similar" in name or b"match_1" in bytes(data)
    ]


READY = {"state": "ready", "reason": ""}
FILES: dict[
    str, tuple[Any, str]
] = {  # what a student's file holds, and why it is not compared
    "ann": ("x = 1\n", ""),
    "empty": (" \n\n", "not compared: it is empty"),
    "latin": ({"hex": "# é\nx = 2\n".encode("latin-1").hex()}, ""),
    "named": ({"hex": "# coding: latin-1\nname = 'é'\n".encode("latin-1").hex()}, ""),
    "nonsense": (
        "# coding: nonsense\nx = 3\n",
        "not compared: it is not in the encoding that it names",
    ),
    "surrogates": (
        "# coding: unicode_escape\n'\\ud800'\n",
        "not compared: it is not in the encoding that it names",
    ),
    "utf-16": ({"utf-16": "x = 4\n"}, "not compared: it is no text in UTF-8"),
    "unclosed": ("x = '''(((\n\"", ""),
    "numbers": (
        f"T = [{'1, 2, ' * 3000}]\n",
        "not compared: it repeats itself too often for compare50",
    ),
    "names": (
        {"repeat": ["", "total = total + one\n", 3000]},
        "not compared: it repeats itself too often for compare50",
    ),
    "text": (
        f"T = '{'{x}' * 3000}'\n",
        "not compared: it repeats itself too often for compare50",
    ),
    "brackets": ("(" * 9000, "not compared: it repeats itself too often for compare50"),
    "large": ({"repeat": ["", "# a comment that says nothing\n", 30_000]}, ""),
}


def test_what_cannot_be_compared_is_listed(similar: Similar) -> None:
    similar.hand_in({f"{id}/lab.py": given for id, (given, _) in FILES.items()})
    form = similar.read()
    for row in form:
        if row["kit_state"] == "refused" and row["sha256"]:
            row["state"] = "ready"
    similar.write(form)
    assert similar.collect().returncode == 0
    done = similar.similar()
    assert done.returncode == 0, done.stderr
    left_out = {id: why for id, (_, why) in FILES.items() if why}
    assert similar.not_compared() == left_out
    assert (
        f"{len(left_out)} not compared, and grades/similar.csv says why: "
        in done.stdout
    )
    texts = similar.saw()["texts"].values()
    assert {"# é\nx = 2\n", "# coding: latin-1\nname = 'é'\n"} <= {*texts}
    assert len(similar.saw()["options"]["submissions"]) == len(FILES) - len(left_out)


def test_files_of_one_student_are_no_pair(similar: Similar) -> None:
    similar.hand_in({**TWO, "ann/lab (1).py": "x = 9\n"})
    for row in similar.read():
        if row["kit_student"] == "ann":
            similar.edit(row["source"], counts="yes")
    assert similar.collect().returncode == 0
    assert similar.similar().returncode == 0
    assert similar.pairs() == [("ann", "bob"), ("ann", "bob")]


def test_earlier_terms(similar: Similar) -> None:
    similar.hand_in({"old/lab.py": "x = 'of a store'\n"}, ["old"])
    earlier = lay(
        similar.folder / "earlier",
        {
            "2025/eve/lab.py": "x = 5\n",
            "2025/eve, again.py": "x = 5\n",
            "2025/link.py": {"link": "/etc/passwd"},
            "2025/notes.txt": "x = 6\n",
            "2025/empty.py": "",
            "sent.zip": {
                "fay/lab.py": "x = 7\n",
                "large.py": {"size": 1 << 21},
                "gil/lab.py": "x = 8\n",
            },
            "broken.zip": {"hex": "504b"},
            "damaged/grades.db": "no store\n",
        },
    )
    shutil.copytree(similar.kit / "grades", earlier / "2026")
    shutil.rmtree(similar.kit / "grades")
    similar.hand_in({"ann/lab.py": "x = 1\n"})
    done = similar.similar("WITH=earlier")
    assert done.returncode == 0, done.stderr
    assert len(similar.saw()["options"]["archive"]) == 4
    assert {other for _, other in similar.pairs()} == {
        "earlier: 2025/eve, again.py", "earlier: sent.zip/fay/lab.py", "earlier: sent.zip/gil/lab.py",
        "earlier: 2026/grades.db: old/lab.py",
    }  # fmt: skip
    assert similar.not_compared() == {
        "earlier: 2025/empty.py": "not compared: it is empty",
        "earlier: 2025/link.py": "not compared: it is a link, encrypted, or not an ordinary file",
        "earlier: broken.zip": "not compared: it is not a readable zip",
        "earlier: sent.zip/large.py": "not compared: it is larger than 1 MiB",
        "earlier: damaged/grades.db": "not compared: it cannot be read",
    }


REFUSED = {  # the words, what the stand-in does, and what the line says
    "compare50 fails": (
        "",
        "fail",
        r"compare50 failed (Sorry, something's \x1b[31mwrong!); nothing was written",
    ),
    "compare50 writes another page": (
        "",
        "write another page",
        "compare50 wrote a page that the kit cannot read",
    ),
    "no such folder": (
        "WITH=nowhere",
        "",
        "there is no folder nowhere; WITH= is a folder with",
    ),
    "a file": (
        "WITH=roster.csv",
        "",
        "there is no folder roster.csv; WITH= is a folder with",
    ),
    "nothing in the folder": (
        "WITH=nothing",
        "",
        "nothing contains no Python file, zip or grades.db",
    ),
    "the store of this class": (
        "WITH=kit/grades",
        "",
        "grades.db is the store of this class",
    ),
    "a word": ("again", "", "unrecognized arguments: again"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_stops_it_leaves_all_as_it_was(what: str, similar: Similar) -> None:
    words, does, line = REFUSED[what]
    similar.hand_in(TWO)
    (similar.folder / "nothing").mkdir()
    assert similar.similar().returncode == 0
    before = similar.written()
    done = similar.similar(words, does)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert line in done.stderr
    assert similar.written() == before
    assert similar.similar().returncode == 0 and similar.written() == before


def has_ended(process: str) -> bool:
    """Whether a process has ended, also if nobody has asked for its exit status."""
    state = run(f"ps -o stat= -p {process}").stdout.strip()
    return not state or state.startswith("Z")


def test_compare50_has_a_limit_of_time(similar: Similar) -> None:
    similar.hand_in(TWO)
    file = similar.kit / "staff" / "gradebook" / "compare50.py"
    change(file, "LIMIT_SECONDS = 1800.0", "LIMIT_SECONDS = 3.0")
    done = similar.similar(does="hang")
    change(file, "LIMIT_SECONDS = 3.0", "LIMIT_SECONDS = 1800.0")
    assert (done.returncode, done.stderr) == (
        2,
        "compare50 was stopped after 0.05 minutes; nothing was written\n",
    )
    assert similar.written() == {}
    child = similar.folder / "saw.pid"
    assert not child.exists() or soon(lambda: has_ended(child.read_text()))


def test_fewer_than_two_submissions_are_refused(similar: Similar) -> None:
    done = similar.similar()
    assert (done.returncode, done.stderr.count("\n")) == (
        2,
        1,
    ) and "make collect" in done.stderr.replace("python grader", "make")
    similar.hand_in({"ann/lab.py": "x = 1\n"}, ["ann", "bob"])
    done = similar.similar()
    assert (done.returncode, done.stderr) == (
        2,
        "only one submission can be compared; nothing was written\n",
    )
    similar.edit("ann/lab.py", state="refused", reason="no lab")
    similar.collect()
    done = similar.similar()
    assert (done.returncode, done.stderr) == (
        2,
        "no submission of this class can be compared; nothing was written\n",
    )


def test_make_knows_it(kit: Path) -> None:
    told = run("make similar WITH='a b' --dry-run", kit).stdout.replace('"', "")
    assert " ".join(told.split()).endswith("grader similar 'WITH=a b'")
    refused = run("make why WITH=earlier WHO=ann", kit)
    assert refused.returncode == 2 and "make why takes no WITH=" in refused.stderr
    assert "make similar" in run("make", kit).stdout
