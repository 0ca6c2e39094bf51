"""Bad input to make collect, grade, publish and why: one line, what to do, exit status
2, and nothing is lost.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from staff.tests.gradebook.desk import Desk, desk_at
from staff.tests.gradebook.samples import lay
from staff.tests.support.tables import named, rows_of
from staff.tests.support.typed import refusal, run

ROWS = rows_of(Path(__file__).with_name("bad_input.yaml"))
HELPED_BY_DELETING = [row for row in ROWS if row.get("way_out") == "delete"]
SMALL = {
    "roster.csv": "id,name\nalice,Alice A\nbob,Bob B\ncarla,Carla C\n",
    "downloads/alice/lab.py": "one",
    "downloads/bob/games.py": "two",
    "downloads/x/lab.py": "four",
}


@pytest.fixture(scope="module")
def grades(kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in grades/ when the files of a class are collected, and somebody has
    decided whose one of them is.
    """
    desk = desk_at(tmp_path_factory.mktemp("small"), kit)
    lay(desk.folder, SMALL)
    desk.collected(FROM="downloads", ROSTER="roster.csv")
    desk.edit("x/lab.py", student="alice")
    assert "1 edited cell " in desk.collected()
    return desk.take_grades()


@pytest.fixture
def small(desk: Desk, grades: Path) -> Desk:
    """That class, with its downloads."""
    desk.put_back(grades)
    lay(desk.folder, SMALL)
    return desk


def typed(desk: Desk, words: str) -> "subprocess.CompletedProcess[str]":
    """Type `python grader …` in the folder around the kit."""
    return run(f'"{sys.executable}" "{desk.kit}/grader" {words}', desk.folder)


def spoil(row: dict[str, Any], small: Desk) -> list[Path]:
    """Put the files and folders of a row in the place of those that are there."""
    files = row.get("files", {})
    folders = row.get("folders", [])
    places = [small.folder / name for name in (*files, *folders)]
    for place in places:
        place.unlink(missing_ok=True)
    lay(small.folder, files)
    for name in folders:
        (small.folder / name).mkdir()
    return places


def decisions(log: list[tuple[str, ...]]) -> list[str]:
    """The lines of a log that are about cells of a file."""
    return [what for what, _, _ in log if " of " in what]


def refused(done: "subprocess.CompletedProcess[str]") -> str:
    """The line with which a command refuses, whatever it has printed by then."""
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done
    return done.stderr


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_bad_input_is_refused_in_a_line(row: dict[str, Any], small: Desk) -> None:
    spoil(row, small)
    log = small.log()
    names = small.names()
    assert refused(typed(small, row["typed"])).startswith(row["says"])
    assert small.names() == names
    assert decisions(small.log()[len(log) :]) == []


@pytest.mark.parametrize("row", HELPED_BY_DELETING, ids=named)
def test_whoever_deletes_the_bad_input_goes_on(
    row: dict[str, Any], small: Desk
) -> None:
    places = spoil(row, small)
    typed(small, row["typed"])
    for place in places:
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink()
    for words in dict.fromkeys(("collect", row["typed"])):
        done = typed(small, words)
        assert (done.returncode, done.stderr) == (0, ""), done
    assert small.row("x/lab.py").startswith("alice; ")


def test_a_lost_store_is_said_as_that(small: Desk) -> None:
    small.store.unlink()
    done = small.collect(FROM="downloads", ROSTER="roster.csv")
    says = "grades/collected.csv is about other files than grades/grades.db: put your copy of "
    assert refusal(done).startswith(says)
    small.form.rename(small.folder / "old.csv")
    small.collected(FROM="downloads", ROSTER="roster.csv")


@pytest.mark.parametrize("cell", ["bob/games.py", "zoe/lab.py"])
def test_a_source_that_is_there_twice_or_is_none(cell: str, small: Desk) -> None:
    small.edit("alice/lab.py", source=cell)
    says = f": the source '{cell}' is in another line already, or the kit has no such file; delete one"
    assert says in refusal(small.collect())


def test_a_file_of_which_nothing_was_kept_cannot_be_ready(small: Desk) -> None:
    lay(small.folder / "more", {"carla/lab.ipynb": "{}"})
    small.collected(FROM="more")
    small.edit("carla/lab.ipynb", state="ready")
    says = ": nothing of carla/lab.ipynb was kept, so it cannot be ready\n"
    assert says in refusal(small.collect())


# --- places that cannot be written or read -------------------------------------------

CLOSED = """
import errno, os, sys

WHERE, CODE, KIT = sys.argv[1], getattr(errno, sys.argv[2]), sys.argv[3]
CHANGES = {"os.mkdir", "os.remove", "os.rmdir", "os.rename", "os.chmod", "os.utime"}

def closed(event, words):
    if event == "open":
        place, _, flags = words
        changes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    else:
        place, changes = (words or [0])[0], event in CHANGES
    if not changes or not isinstance(place, (str, os.PathLike)):
        return
    name = os.path.abspath(place)
    within = os.path.dirname(name) if event in ("os.mkdir", "os.rmdir") else name
    if event in ("os.remove", "os.rmdir") and words[-1] != -1:  # in a folder that rmtree has opened
        within = os.readlink(f"/proc/self/fd/{words[-1]}")
    if f"{within}/".startswith(f"{KIT}/{WHERE}/"):
        raise OSError(CODE, os.strerror(CODE), os.fspath(place))

sys.path.insert(0, KIT)
from grader.cli import enter
sys.addaudithook(closed)
sys.exit(enter(sys.argv[4:]))
"""
"""A kit in which a folder or file is closed to those who write, also to the superuser:
folder, error, kit, words.
"""


PUBLISH = "publish ONTIME=1 UNGRADED=why"
REASONS = {"EROFS": "Read-only file system", "EACCES": "Permission denied"}


@pytest.fixture(scope="module")
def grades_of_graded(
    kit: Path, grades: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """What is in grades/ when that class is graded, and was before in older ways."""
    desk = desk_at(tmp_path_factory.mktemp("graded"), kit)
    desk.put_back(grades)
    assert desk.type("grade").returncode == 0
    lay(kit / "grades", {"published/.old": "", "upload/old.csv": ""})
    return desk.take_grades()


@pytest.fixture
def graded(small: Desk, grades_of_graded: Path) -> Desk:
    """That class after it was graded."""
    small.put_back(grades_of_graded)
    return small


def type_while_closed(
    small: Desk, place: str, code: str, words: str
) -> "subprocess.CompletedProcess[str]":
    """Type a command while a folder or file of the kit is closed, with this error."""
    kit = str(small.kit.resolve())
    command = [sys.executable, "-c", CLOSED, place, code, kit, *words.split()]
    return subprocess.run(command, cwd=small.kit, capture_output=True, text=True)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("closed", "code", "words", "names"),
    [
        ("grades", "EROFS", "collect", "grades/grades.db"),
        ("grades", "EACCES", "collect", "grades/grades.db"),
        ("grades", "EROFS", "grade", "grades/grades.db"),
        ("grades", "EROFS", PUBLISH, "grades/grades.db"),
        ("grades/feedback", "EROFS", "grade", "grades/feedback"),
        ("grades/feedback", "EACCES", "grade", "grades/feedback"),
        ("grades/upload", "EROFS", "grade", "grades/upload"),
        ("grades/published", "EROFS", PUBLISH, "grades/published"),
    ],
)
def test_a_place_that_is_closed_is_named(
    closed: str, code: str, words: str, names: str, graded: Desk
) -> None:
    before = graded.log()
    said = refused(type_while_closed(graded, closed, code, words))
    says = f"{names} cannot be read and written ({REASONS[code]}): allow that, or copy the whole kit "
    assert said.startswith(says)
    assert graded.log()[: len(before)] == before
    assert graded.type(words).returncode == 0
    assert graded.row("x/lab.py").startswith("alice; ")


@pytest.mark.parametrize("words", ["why WHO=alice", "log"])
def test_who_reads_needs_no_place_to_write(words: str, small: Desk) -> None:
    done = type_while_closed(small, "grades", "EROFS", words)
    assert (done.returncode, done.stderr) == (0, "")


UNREADABLE = """
import errno, os, sys

scan = os.scandir
def scandir(place):
    if os.path.basename(place) == "bob":
        raise PermissionError(errno.EACCES, "Permission denied", place)
    return scan(place)
sys.path.insert(0, sys.argv[1])
from grader.cli import enter
os.scandir = scandir
sys.exit(enter(sys.argv[2:]))
"""


def test_a_folder_of_downloads_that_cannot_be_read_is_not_passed_over(
    small: Desk,
) -> None:
    command = [sys.executable, "-c", UNREADABLE, str(small.kit)]
    words = ["collect", "FROM=downloads"]
    done = subprocess.run(
        [*command, *words], cwd=small.folder, capture_output=True, text=True
    )
    says = "downloads/bob cannot be read (Permission denied); make it readable, or take it out of FROM=\n"
    assert refusal(done) == says


def test_a_stray_file_among_publications_stops_none(small: Desk) -> None:
    small.type("grade")
    lay(small.form.parent / "published", {".DS_Store": "of the Finder"})
    done = small.type(PUBLISH)
    assert "published: grades/published/1/" in done.stdout


@pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed")
def test_a_kit_behind_a_link_grades_in_a_box(small: Desk) -> None:
    done = typed(small, "grade")
    assert (done.returncode, done.stderr) == (0, "")
    assert "isolation: box" in done.stdout
    assert "could not be started" not in typed(small, "why WHO=alice").stdout
