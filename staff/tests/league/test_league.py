"""make league in a master copy whose class has handed in: the games, the table and the
pages, however many cores there are, and whatever the submissions try.
"""

import csv
import importlib.util
import io
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import yaml

from staff.tests.support.masters import change, copy_master, take_as_filled
from staff.tests.support.typed import run
from staff.tests.support.waiting import LONG, soon
from staff.wrong_labs import with_body

pytestmark = pytest.mark.long
HOSTILE = yaml.safe_load(Path(__file__).with_name("hostile.yaml").read_text("utf-8"))
STUDENTS = {"ann": "Ann Real", "bob": "Bob Real", "cat": "Cat Real", "dan": "Dan Real"}
NAMES = {"ann": "Deep Yellow", "bob": "Red Baron", "cat": "<b>Bold</b>", "dan": ""}
HOUSE = ("Rung 1", "Rung 2")
BUDGET = 50
FACTORS = {"ann": 900, "bob": 800, "cat": -900, "dan": 900}


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A master copy with two players of the house, and without a class."""
    kit = copy_master(tmp_path_factory.mktemp("league") / "kit")
    entries = kit / "staff" / "league" / "entries.py"
    change(entries, "HOUSE = (1, 2, 3, 5, 7)", "HOUSE = (1, 2)")
    take_as_filled(kit)
    return kit


@pytest.fixture(scope="module")
def master(empty: Path) -> Path:
    """The same with a class; the file of `dan` has no name."""
    model = (empty / "lab.py").read_text("utf-8")
    labs = {}
    for student, factor in FACTORS.items():
        text = model.replace("estimate = 900 *", f"estimate = {factor} *")
        assert factor == 900 or text != model
        labs[student] = f"{text}\nLEAGUE_NAME = {NAMES[student]!r}\n"
    hand_in(empty, labs)
    return empty


def hand_in(kit: Path, labs: dict[str, str]) -> None:
    """Have the students of these ids hand in, in place of what the class has."""
    shutil.rmtree(kit / "grades", ignore_errors=True)
    collect(kit, labs)


def collect(kit: Path, labs: dict[str, str]) -> None:
    """Collect the files of some students."""
    downloads = kit.parent / "downloads"
    shutil.rmtree(downloads, ignore_errors=True)
    for student, text in labs.items():
        (downloads / student).mkdir(parents=True)
        (downloads / student / "lab.py").write_text(text, "utf-8")
    rows = [f"{id},{name}" for id, name in STUDENTS.items()]
    rows += [f"{id},{id} Real" for id in labs if id not in STUDENTS]
    (kit.parent / "roster.csv").write_text("\n".join(["id,name", *rows]), "utf-8")
    done = typed(kit, "collect --from ../downloads --roster ../roster.csv")
    assert done.returncode == 0, done.stderr


def typed(
    kit: Path, words: str, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """Type `python grader` and these words."""
    return run(f'"{sys.executable}" grader {words}', kit, **environment)


def hold(
    kit: Path, words: str = "", **environment: str
) -> "subprocess.CompletedProcess[str]":
    """Type `make league` with a small budget."""
    return typed(kit, f"league ISOLATE=lock BUDGET={BUDGET} {words}", **environment)


def outputs(kit: Path) -> tuple[bytes, bytes]:
    """The page and the table."""
    grades = kit / "grades"
    page = (grades / "league" / "index.html").read_bytes()
    return page, (grades / "league.csv").read_bytes()


def rows(kit: Path) -> list[dict[str, str]]:
    """The rows of the table."""
    text = outputs(kit)[1].decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def games(kit: Path) -> dict[tuple[object, ...], str]:
    """The games that are kept."""
    with sqlite3.connect(kit / "grades" / "grades.db") as db:
        return {tuple(key): played for *key, played in db.execute("SELECT * FROM game")}


def has_games(kit: Path, number: int) -> bool:
    """Whether so many games are kept."""
    return len(games(kit)) >= number


def forget(kit: Path) -> None:
    with sqlite3.connect(kit / "grades" / "grades.db") as db:
        db.execute("DELETE FROM game")
    shutil.rmtree(kit / "grades" / "league", ignore_errors=True)


def test_a_league(master: Path) -> None:
    """Five players, one of whom has a bye in each of three rounds."""
    done = hold(master)
    assert done.returncode == 0, done.stderr
    assert "without LEAGUE_NAME: 1 submission\n" in done.stdout
    assert re.search(
        r"^5 players, 3 rounds, 12 games: at most \d+ min if every submission uses all "
        r"its CPU time; isolation: lock$",
        done.stdout,
        re.MULTILINE,
    )
    assert len(games(master)) == 12
    table = rows(master)
    assert sorted(row["name"] for row in table) == sorted(
        [*HOUSE, *filter(None, NAMES.values())]
    )
    assert {row["ids"]: row["students"] for row in table if row["ids"]} == {
        id: STUDENTS[id] for id in ("ann", "bob", "cat")
    }
    assert sum(float(row["points"]) for row in table) == 3 * (2 * 2 + 1)
    assert sum(int(row["won"]) for row in table) == sum(
        int(row["lost"]) for row in table
    )


def test_the_page_has_no_name_but_those_of_the_league(master: Path) -> None:
    hold(master)
    page = outputs(master)[0].decode()
    with sqlite3.connect(master / "grades" / "grades.db") as db:
        digests = [sha256 for (sha256,) in db.execute("SELECT sha256 FROM lab")]
    for secret in (*STUDENTS, *STUDENTS.values(), *digests, "Real", str(master)):
        assert not re.search(rf"\b{re.escape(secret)}\b", page), secret
    assert "Deep Yellow" in page and "&lt;b&gt;Bold&lt;/b&gt;" in page
    assert "<b>Bold" not in page


def take_one_core() -> None:
    """Leave this process one core, where that is possible."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def test_a_league_that_was_killed_gives_the_same_bytes_on_one_core(
    master: Path,
) -> None:
    hold(master)
    whole = outputs(master)
    kept = games(master)
    forget(master)
    command = [sys.executable, "grader", "league", "ISOLATE=lock", f"BUDGET={BUDGET}"]
    for number in (2, 7):
        process = subprocess.Popen(
            command,
            cwd=master,
            stdout=subprocess.DEVNULL,
            preexec_fn=take_one_core,
        )
        assert soon(partial(has_games, master, number))
        process.kill()
        process.wait()
        assert len(games(master)) < len(kept)
    assert not (master / "grades" / "league").exists()
    assert hold(master).returncode == 0
    assert outputs(master) == whole
    assert games(master) == kept


@pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed")
def test_bubblewrap_changes_no_byte(master: Path) -> None:
    hold(master)
    whole = outputs(master)
    kept = games(master)
    forget(master)
    done = hold(master, "ISOLATE=bwrap")
    assert done.returncode == 0, done.stderr
    assert "; isolation: box\n" in done.stdout
    assert (outputs(master), games(master)) == (whole, kept)


def test_ctrl_c_keeps_each_game(master: Path) -> None:
    forget(master)
    process = subprocess.Popen(
        [sys.executable, "grader", "league", "ISOLATE=lock", "BUDGET=400"],
        cwd=master,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert soon(lambda: games(master))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=LONG)
    assert process.returncode == 130
    assert "Each game so far is kept; python grader league goes on from there" in said
    assert games(master)
    forget(master)


def test_only_missing_games_are_played(master: Path) -> None:
    """After another file of a student, after another budget, and after nothing."""
    hold(master)
    before = games(master)
    whole = outputs(master)
    assert hold(master).returncode == 0
    assert (games(master), outputs(master)) == (before, whole)

    lab = (master.parent / "downloads" / "bob" / "lab.py").read_text("utf-8")
    with sqlite3.connect(master / "grades" / "grades.db") as db:
        (old,) = {
            sha256
            for sha256, text in db.execute("SELECT sha256, bytes FROM lab")
            if text == lab.encode()
        }
    collect(master, {"bob": f"{lab}\n# the same player, anew\n"})
    assert hold(master).returncode == 0
    new = games(master).keys() - before.keys()
    # All of them are the same player's, who plays as before: so the page is the same.
    assert len(set.intersection(*({key[0], key[1]} for key in new))) == 1
    assert len(new) == sum(old in key for key in before)
    assert outputs(master) == whole
    collect(master, {"bob": lab})

    assert hold(master, "BUDGET=60").returncode == 0
    assert any(key[3] == 60 for key in games(master))


def test_another_seed_draws_other_lots(master: Path) -> None:
    hold(master)
    whole = outputs(master)
    assert hold(master, "SEED=2").returncode == 0
    assert outputs(master) != whole
    assert hold(master, "SEED=1").returncode == 0
    assert outputs(master) == whole


def test_staff_replace_a_name(master: Path) -> None:
    file = master / "grades" / "league_names.csv"
    file.write_text("id,name\ncat,Nice Try\nbob,Nice Try\n", "utf-8")
    try:
        done = hold(master)
        assert "cat plays as Nice Try (2), since the name Nice Try is taken" in (
            done.stdout
        )
        assert {"Nice Try", "Nice Try (2)"} < {row["name"] for row in rows(master)}
        assert b"Bold" not in b"".join(outputs(master))
        for text, said in (
            ("id,name\nzoe,Zoe\n", "line 2: 'zoe' is not on the roster"),
            ("id,name\nann,\n", "line 2: a line has an id and a name"),
            ("id\nann\n", "the first line must be id,name; name is missing"),
        ):
            file.write_text(text, "utf-8")
            done = hold(master)
            assert (done.returncode, done.stderr.count("\n")) == (2, 1)
            assert said in done.stderr
    finally:
        file.unlink()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("BUDGET=49", "BUDGET=49: write a whole number of at least 50"),
        ("BUDGET=many", "BUDGET=many: write a whole number of at least 50"),
        ("BUDGET=1e3", "BUDGET=1e3: write"),
        ("BUDGET=99999999999999999999", "write a whole number"),
        ("SEED=-1", "SEED=-1: write a whole number of at least 0"),
        ("SEED=one", "SEED=one: write"),
        ("VALUES=no", "VALUES=: invalid choice: 'no'"),
        ("ISOLATE=no", "ISOLATE=: invalid choice: 'no'"),
        ("BUDGETS=50", "do you mean BUDGET=?"),
        ("rounds", "unrecognized arguments: rounds"),
    ],
)
def test_a_slip_is_one_line(master: Path, words: str, said: str) -> None:
    done = typed(master, f"league {words}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and said in done.stderr, done.stderr


STAND_IN = '''
"""A solver that says: whoever can play column 3 wins, and only so."""


class Board:
    @classmethod
    def from_moves(cls, columns):
        board = cls()
        board.columns = columns
        return board


class BitBully:
    def score_all_moves(self, board):
        free = [col for col in range(7) if board.columns.count(str(col)) < 6]
        return {col: int(col == 3) for col in free}
'''


@pytest.mark.skipif(
    importlib.util.find_spec("bitbully") is not None, reason="the solver is here"
)
def test_what_each_move_was_worth(master: Path, tmp_path: Path) -> None:
    done = hold(master, "VALUES=yes")
    assert (done.returncode, done.stderr) == (
        2,
        "VALUES=yes needs the package bitbully: "
        "type .venv/bin/python -m staff.environment values\n",
    )
    solver = tmp_path / "bitbully.py"
    solver.write_text(STAND_IN, "utf-8")
    done = hold(master, "VALUES=yes", PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
    given = {row["name"]: int(row["wins given away"]) for row in rows(master)}
    whole = outputs(master)
    page = whole[0].decode()
    solver.write_text("raise SystemExit", "utf-8")  # nothing is solved twice
    assert hold(master, "VALUES=yes", PYTHONPATH=str(tmp_path)).returncode == 0
    assert outputs(master) == whole
    data = json.loads(re.findall(r'"application/json">(.*?)</script>', page)[0])
    counted = dict.fromkeys(given, 0)
    for game in data["games"]:
        line = game["columns"]
        for number in range(game["opening"], len(line)):
            player = (game["first"], game["second"])[number % 2]
            if line[number] != "3" and line[:number].count("3") < 6:
                counted[data["players"][player][0]] += 1
    assert given == counted
    assert sum(given.values()) > 0
    for name, number in given.items():
        assert re.search(rf"gave away {number} wins? and 0 draws", page), name


@pytest.fixture(scope="module")
def hasty(master: Path) -> Iterator[Path]:
    """The master copy, in which a player may use less time in a game."""
    file = master / "grader" / "ladder" / "contestant.py"
    text = file.read_text("utf-8")
    change(file, "cpu: float = 10.0", "cpu: float = 2.0")
    change(file, "idle: float = 5.0", "idle: float = 2.0")
    yield master
    file.write_text(text, "utf-8")


@pytest.mark.parametrize("row", HOSTILE, ids=lambda row: row["name"])
def test_a_hostile_submission_loses_its_games_or_gains_nothing(
    row: dict[str, str], hasty: Path
) -> None:
    """Beside two rungs; the table says why, and the csv whose it is."""
    model = (hasty / "lab.py").read_text("utf-8")
    end = f"\nimport os\n{row['code']}\nLEAGUE_NAME = 'Hostile'\n"
    hand_in(hasty, {"ann": model + end})
    done = hold(hasty)
    assert done.returncode == 0, done.stderr
    hostile = next(line for line in rows(hasty) if line["ids"] == "ann")
    page = outputs(hasty)[0].decode()
    assert "<b>nothing" not in page
    won, drawn, lost = (int(hostile[name]) for name in ("won", "drawn", "lost"))
    number = won + drawn + lost
    assert number in (2, 4)  # with a bye, or without one
    if row["how"] == "any":
        return
    forfeits = lost if row["how"] else 0
    assert won == 0 or not row["how"]
    counts = re.findall(r" \((\d)\)", hostile["lost other than by the rules"])
    assert sum(map(int, counts)) == forfeits
    if row["how"]:
        assert f'<span class="note">{row["how"]} in {number} games</span>' in page
    is_late = row["how"] in ("stalled", "used up its CPU time")
    assert int(hostile["not repeatable"]) == (number if is_late else 0)


def test_hostile_submissions_give_the_same_bytes_on_one_core(hasty: Path) -> None:
    """Those whose games no clock ends, and that return soon."""
    model = (hasty / "lab.py").read_text("utf-8")
    labs = {}
    for number, row in enumerate(HOSTILE):
        is_slow = row["name"] in ("hangs", "sleeps", "catches everything")
        if row["how"] != "any" and not is_slow:
            name = f"LEAGUE_NAME = {row['name']!r}"
            labs[f"h{number}"] = f"{model}\nimport os\n{row['code']}\n{name}\n"
    hand_in(hasty, labs)
    assert hold(hasty).returncode == 0
    whole = outputs(hasty)
    assert len([row for row in rows(hasty) if row["ids"]]) == len(labs) == 7
    forget(hasty)
    on_one_core = subprocess.run(
        [sys.executable, "grader", "league", "ISOLATE=lock", f"BUDGET={BUDGET}"],
        cwd=hasty,
        stdout=subprocess.DEVNULL,
        preexec_fn=take_one_core,
    )
    assert on_one_core.returncode == 0
    assert outputs(hasty) == whole


def test_what_cannot_play_stays_out_and_is_named(master: Path) -> None:
    model = (master / "lab.py").read_text("utf-8")
    labs = {
        "ann": f"{model}\nLEAGUE_NAME = 'In'\n",
        "bob": f"import numpy\n{model}\nLEAGUE_NAME = 'Out'\n",
        "cat": with_body("minimax_search_alphabeta", "raise NotImplementedError", model)
        + "\nLEAGUE_NAME = 'Out as well'\n"
        + "\ndef progressive_deepening(*given, **named):\n    return None\n",
        "dan": f"{model}\nLEAGUE_NAME = 'Not closed\n",
    }
    hand_in(master, labs)
    done = hold(master)
    assert done.returncode == 0, done.stderr
    unread = r"^dan does not take part: Python cannot read lab.py. .*lab.py:\d+"
    assert re.search(unread, done.stdout, re.MULTILINE)
    assert "without LEAGUE_NAME" not in done.stdout
    assert re.search(r"^bob does not take part: .*numpy", done.stdout, re.MULTILINE)
    out = "cat does not take part: minimax_search_alphabeta is not written yet."
    assert f"\n{out}\n" in done.stdout
    assert [row["name"] for row in rows(master) if row["ids"]] == ["In"]


def test_a_class_without_players_is_one_line(empty: Path, master: Path) -> None:
    labs = {"ann": "LEAGUE_NAME = None", "bob": "x = 1"}
    hand_in(empty, labs)
    done = hold(empty)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("no submission takes part: students write a ")
    shutil.rmtree(empty / "grades")
    done = hold(empty)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
