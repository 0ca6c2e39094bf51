"""make similar, with a stand-in for compare50: what is compared, what comes out, and
what stops it.
"""

import csv
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
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

    def compared(self, words: str = "", does: str = "", **variables: str) -> str:
        """Type that, and it succeeds; what it says."""
        done = self.similar(words, does, **variables)
        assert done.returncode == 0, done.stderr
        return done.stdout

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
    assert "compare50 could not be installed" in done.stderr
    assert "is there an internet connection?" in done.stderr


SETS_UP = "setting up build/compare50"


def test_an_environment_that_is_not_complete_is_set_up_again(
    installed: Installed,
) -> None:
    done = installed.with_network
    assert done.returncode == 0, done.stderr
    assert SETS_UP in done.stdout


def test_the_environment_is_set_up_once(similar: Similar) -> None:
    similar.hand_in(TWO)
    assert SETS_UP not in similar.compared()


@pytest.fixture
def of_another_version(similar: Similar) -> Iterator[Similar]:
    """A class with the environment of another version of compare50."""
    environment = similar.kit / "build" / "compare50"
    kept = similar.folder / "kept"
    shutil.copytree(environment, kept, symlinks=True)
    (environment / "compare50.txt").write_text("compare50==1.0\n", "utf-8")
    similar.hand_in(TWO)
    yield similar
    shutil.rmtree(environment)
    shutil.move(kept, environment)


def test_the_environment_is_set_up_for_each_version(
    of_another_version: Similar,
) -> None:
    """It cannot be here, where pip finds nothing."""
    done = of_another_version.similar()
    assert done.returncode == 2
    assert SETS_UP in done.stdout


# --- what is compared ----------------------------------------------------------------


ODD_IDS = ["-d", "*[a]?", "=1+1", "Zoë Ünal", "...", "ann", 'bob\'s "x"']
IN_THE_TABLE = ["'-d", "*[a]?", "'=1+1", "Zoë Ünal", "...", "ann", 'bob\'s "x"']


@pytest.fixture
def odd(similar: Similar) -> Similar:
    """A class with odd ids that is compared; a file of it that ran would leave a
    trace.
    """
    trace = f"open({str(similar.folder / 'run')!r}, 'w')"
    texts = {id: f"# by nobody\n{trace}\nx = {id!r}\n" for id in ODD_IDS}
    similar.hand_in({f"{id}/lab.py": text for id, text in texts.items()})
    similar.compared(PYTHONPATH="/nowhere", PYTHONHASHSEED="7")
    return similar


def test_what_compare50_is_given(odd: Similar) -> None:
    """Each submission in a plain folder, and what students were given."""
    seen = odd.saw()
    folders = seen["options"]["submissions"]
    assert len(folders) == len(ODD_IDS)
    plain = re.compile(r"class/0[^*\[\]?='\"]*")
    assert [folder for folder in folders if not plain.fullmatch(folder)] == []
    assert seen["options"]["distro"] == ["given/api", "given/model", "given/stub"]
    assert seen["options"]["archive"] == []
    texts = seen["texts"]
    assert texts["given/model/lab.py"] == (odd.kit / "lab.py").read_text("utf-8")
    stub = texts["given/stub/lab.py"]
    assert "NotImplementedError" in stub
    assert "BEGIN SOLUTION" not in stub
    api = {f"given/api/{file.name}" for file in (odd.kit / "api").glob("*.py")}
    assert api <= texts.keys()


def test_compare50_runs_by_itself_and_runs_no_submission(odd: Similar) -> None:
    variables = odd.saw()["variables"]
    assert variables["PYTHONHASHSEED"] == "0"
    assert "PYTHONPATH" not in variables
    assert not (odd.folder / "run").exists()


def test_the_table_has_the_ids_and_no_formula(odd: Similar) -> None:
    assert {id for pair in odd.pairs() for id in pair} == {*IN_THE_TABLE}


# --- what comes out ------------------------------------------------------------------


@pytest.fixture
def three(similar: Similar) -> Similar:
    """A class of three, which is not compared yet."""
    similar.hand_in({**TWO, "cat/lab.py": "x = 3\n"})
    return similar


def test_the_table_ranks_pairs_and_gives_no_verdict(three: Similar) -> None:
    assert three.compared().splitlines()[-2:] == [
        "3 pairs to look at; a person decides what a pair means",
        "grades/: similar.csv, similar/index.html",
    ]
    assert [tuple(row.values()) for row in three.table()] == [
        ("1", "100.0", "ann", "bob", "similar/match_1.html", ""),
        ("2", "50.0", "ann", "cat", "similar/match_2.html", ""),
        ("3", "33.3", "bob", "cat", "similar/match_3.html", ""),
    ]


def test_the_same_class_gives_the_same_bytes(three: Similar) -> None:
    three.compared()
    first = three.written()
    three.compared()
    assert three.written() == first


def test_a_file_that_does_not_count_is_not_compared(three: Similar) -> None:
    """And nothing is left of an earlier comparison, or of one that was killed."""
    three.compared()
    three.edit("cat/lab.py", counts="no")
    three.collected()
    (three.kit / "grades" / ".similar-killed").mkdir()
    three.compared()
    assert three.pairs() == [("ann", "bob")]
    assert not (three.kit / "grades" / ".similar-killed").exists()
    pages = {"similar/index.html", "similar/match_1.html"}
    assert three.written().keys() == {"similar.csv", *pages}


def test_if_no_two_are_alike_the_table_is_empty(three: Similar) -> None:
    three.compared()
    assert three.compared(does="find nothing").splitlines()[-2:] == [
        "no two submissions share code of their own",
        "grades/: similar.csv",
    ]
    assert three.table() == []
    assert three.written().keys() == {"similar.csv"}


def test_nothing_of_it_is_published(similar: Similar) -> None:
    similar.hand_in(TWO)
    similar.compared()
    written = similar.written()
    published = similar.type('publish ONTIME=1 UNGRADED="not graded"')
    assert published.returncode == 0, published.stderr
    assert similar.written() == written
    with sqlite3.connect(similar.store) as db:
        frozen = db.execute("SELECT file, bytes FROM frozen").fetchall()
    assert frozen and not [
        name for name, data in frozen if "similar" in name or b"match_1" in bytes(data)
    ]


EMPTY = "not compared: it is empty"
REPEATS = "not compared: it repeats itself too often for compare50"
OTHER_ENCODING = "not compared: it is not in the encoding that it names"
LATIN = "# é\nx = 2\n"
NAMED_LATIN = "# coding: latin-1\nname = 'é'\n"
FILES: dict[str, tuple[Any, str]] = {
    "ann": ("x = 1\n", ""),
    "empty": (" \n\n", EMPTY),
    "latin": ({"hex": LATIN.encode("latin-1").hex()}, ""),
    "named": ({"hex": NAMED_LATIN.encode("latin-1").hex()}, ""),
    "nonsense": ("# coding: nonsense\nx = 3\n", OTHER_ENCODING),
    "surrogates": ("# coding: unicode_escape\n'\\ud800'\n", OTHER_ENCODING),
    "utf-16": ({"utf-16": "x = 4\n"}, "not compared: it is no text in UTF-8"),
    "unclosed": ("x = '''(((\n\"", ""),
    "numbers": (f"T = [{'1, 2, ' * 3000}]\n", REPEATS),
    "names": ({"repeat": ["", "total = total + one\n", 3000]}, REPEATS),
    "text": (f"T = '{'{x}' * 3000}'\n", REPEATS),
    "brackets": ("(" * 9000, REPEATS),
    "large": ({"repeat": ["", "# a comment that says nothing\n", 30_000]}, ""),
}
"""What a student's file holds, and why it is not compared."""
LEFT_OUT = {id: why for id, (_, why) in FILES.items() if why}


@pytest.fixture
def all_kinds(similar: Similar) -> Similar:
    """A class with these files, of which a person has accepted all that were
    refused.
    """
    similar.hand_in({f"{id}/lab.py": given for id, (given, _) in FILES.items()})
    form = similar.read()
    for row in form:
        if row["kit_state"] == "refused" and row["sha256"]:
            row["state"] = "ready"
    similar.write(form)
    similar.collected()
    return similar


def test_what_cannot_be_compared_is_listed(all_kinds: Similar) -> None:
    said = all_kinds.compared()
    count = f"{len(LEFT_OUT)} not compared, and grades/similar.csv says why: "
    assert count in said
    assert all_kinds.not_compared() == LEFT_OUT


def test_what_can_be_read_is_compared_in_utf_8(all_kinds: Similar) -> None:
    all_kinds.compared()
    seen = all_kinds.saw()
    assert len(seen["options"]["submissions"]) == len(FILES) - len(LEFT_OUT)
    assert {LATIN, NAMED_LATIN} <= {*seen["texts"].values()}


def test_files_of_one_student_are_no_pair(similar: Similar) -> None:
    similar.hand_in({**TWO, "ann/lab (1).py": "x = 9\n"})
    for row in similar.read():
        if row["kit_student"] == "ann":
            similar.edit(row["source"], counts="yes")
    similar.collected()
    similar.compared()
    assert similar.pairs() == [("ann", "bob"), ("ann", "bob")]


OLD_FILES: dict[str, Any] = {
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
}


def test_earlier_terms(similar: Similar) -> None:
    """Files, and the store of a class."""
    earlier = lay(similar.folder / "earlier", OLD_FILES)
    similar.hand_in({"old/lab.py": "x = 'of a store'\n"}, ["old"])
    shutil.move(similar.kit / "grades", earlier / "2026")
    similar.hand_in({"ann/lab.py": "x = 1\n"})
    similar.compared("WITH=earlier")
    assert len(similar.saw()["options"]["archive"]) == 4
    assert {other for _, other in similar.pairs()} == {
        "earlier: 2025/eve, again.py",
        "earlier: sent.zip/fay/lab.py",
        "earlier: sent.zip/gil/lab.py",
        "earlier: 2026/grades.db: old/lab.py",
    }
    assert similar.not_compared() == {
        "earlier: 2025/empty.py": EMPTY,
        "earlier: 2025/link.py": "not compared: it is a link, encrypted, or not an ordinary file",
        "earlier: broken.zip": "not compared: it is not a readable zip",
        "earlier: sent.zip/large.py": "not compared: it is larger than 1 MiB",
        "earlier: damaged/grades.db": "not compared: it cannot be read",
    }


# --- what stops it -------------------------------------------------------------------

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


@pytest.mark.parametrize(("words", "does", "says"), REFUSED.values(), ids=REFUSED)
def test_what_stops_it_leaves_all_as_it_was(
    words: str, does: str, says: str, similar: Similar
) -> None:
    similar.hand_in(TWO)
    (similar.folder / "nothing").mkdir()
    similar.compared()
    before = similar.written()
    done = similar.similar(words, does)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert says in done.stderr
    assert similar.written() == before
    similar.compared()
    assert similar.written() == before


def has_ended(process: str) -> bool:
    """Whether a process has ended, also if nobody has asked for its exit status."""
    state = run(f"ps -o stat= -p {process}").stdout.strip()
    return not state or state.startswith("Z")


@pytest.fixture
def hasty(similar: Similar) -> Iterator[Similar]:
    """A class whose kit gives compare50 three seconds."""
    file = similar.kit / "staff" / "gradebook" / "compare50.py"
    change(file, "LIMIT_SECONDS = 1800.0", "LIMIT_SECONDS = 3.0")
    yield similar
    change(file, "LIMIT_SECONDS = 3.0", "LIMIT_SECONDS = 1800.0")


def test_compare50_has_a_limit_of_time(hasty: Similar) -> None:
    hasty.hand_in(TWO)
    done = hasty.similar(does="hang")
    says = "compare50 was stopped after 0.05 minutes; nothing was written\n"
    assert (done.returncode, done.stderr) == (2, says)
    assert hasty.written() == {}
    child = hasty.folder / "saw.pid"
    assert not child.exists() or soon(lambda: has_ended(child.read_text()))


def test_without_a_class_nothing_is_compared(similar: Similar) -> None:
    done = similar.similar()
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "grader collect" in done.stderr


def test_one_submission_is_not_compared(similar: Similar) -> None:
    similar.hand_in({"ann/lab.py": "x = 1\n"}, ["ann", "bob"])
    says = "only one submission can be compared; nothing was written\n"
    done = similar.similar()
    assert (done.returncode, done.stderr) == (2, says)


def test_a_class_without_a_submission_is_not_compared(similar: Similar) -> None:
    similar.hand_in({"ann/lab.py": "x = 1\n"}, ["ann", "bob"])
    similar.edit("ann/lab.py", state="refused", reason="no lab")
    similar.collected()
    says = "no submission of this class can be compared; nothing was written\n"
    done = similar.similar()
    assert (done.returncode, done.stderr) == (2, says)


# --- make ----------------------------------------------------------------------------


def test_make_knows_it(kit: Path) -> None:
    assert "make similar" in run("make", kit).stdout
    typed = run("make similar WITH='a b' --dry-run", kit).stdout.replace('"', "")
    assert " ".join(typed.split()).endswith("grader similar 'WITH=a b'")
