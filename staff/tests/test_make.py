"""What people type: every command of the README, make and its verbs, a fresh clone, broken set-ups."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

import lab
from boards.cases import Bank
from boards.graph_games import GraphGame
from grader.kinds.command.kind import Running
from staff.tests.conftest import KIT, TOTAL
from staff.tests.support.masters import COURSE
from staff.tests.support.waiting import LONG
from staff.wrong_labs import with_body

TEN_BY_ONE_OR_TWO = "".join(f"{n}: {'LOSE' if n % 3 == 0 else 'WIN'}\n" for n in range(10, -1, -1))


def run(command: str, cwd: Path = KIT, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a command as a person does, with the environment that these tests run in."""
    keep = {key: value for key, value in os.environ.items() if key.startswith(("PATH", "HOME", "GIT_CONFIG_"))}
    return subprocess.run(
        command, shell=True, cwd=cwd, capture_output=True, text=True, timeout=LONG, stdin=subprocess.DEVNULL,
        env={**keep, "VENV": sys.prefix, **environment},
    )  # fmt: skip


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tracked and new files, in a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("a clone") / "kit"
    listed = run("git ls-files --cached --others --exclude-standard").stdout.splitlines()
    for name in listed:
        if (KIT / name).is_file() and not name.startswith("staff/hidden/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(KIT / name, folder / name)
    shutil.copy(COURSE, folder / "staff" / "course.yaml")
    return folder


def test_make_run_prints_the_eleven_lines(clone: Path) -> None:
    done = run('make run ARGS="zero_by 10 1 2"', clone)
    assert done.stdout == TEN_BY_ONE_OR_TWO
    assert done.returncode == 0


def test_make_run_stays_clean_below_another_make(clone: Path, tmp_path: Path) -> None:
    (tmp_path / "outer.mk").write_text("all:\n\t@$(MAKE) run ARGS='zero_by 10 1 2'\n")
    assert run(f'make --no-print-directory -f "{tmp_path}/outer.mk"', clone).stdout == TEN_BY_ONE_OR_TWO


def test_a_makefile_of_ones_own_prints_for_no_points(
    bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GNU make takes a GNUmakefile before the kit's."""
    (tmp_path / "GNUmakefile").write_text("run:\n\t@echo forged\n")
    (tmp_path / "Makefile").write_text("run:\n\t@echo the kit\n")
    monkeypatch.setattr("grader.kinds.command.kind.KIT", tmp_path)
    call = next(case.calls[0] for case in bank.of("make_run") if "through" in case.calls[0].inputs)
    assert Running(call, KIT / "lab.py", 2.0).answer().outcomes[0]["text"] == "the kit\n"


def test_make_run_of_a_lab_that_prints_everywhere(clone: Path, model: str, tmp_path: Path) -> None:
    noise = "import os\nprint('noise')\nos.write(1, b'more noise')\n"
    text = noise + model.replace("values = {}\n", "values = {}\n    print('solving')\n    os.write(1, b'x')\n", 1)
    lab = tmp_path / "lab.py"
    lab.write_text(text, encoding="utf-8")
    done = run('make run ARGS="zero_by 10 1 2"', clone, LAB=str(lab))
    assert done.stdout == TEN_BY_ONE_OR_TWO
    assert "solving" in done.stderr


def all_of_tic_tac_toe() -> dict[str, tuple[int, int]]:
    """Every position and (1, 0 or -1 for the player to move, moves to the end), by plain recursion."""
    rows = ["012", "345", "678", "036", "147", "258", "048", "246"]
    known: dict[str, tuple[int, int]] = {}

    def look(position: str) -> tuple[int, int]:
        if position not in known:
            mover = "XO"[position.count("X") - position.count("O")]
            if any("".join(position[int(square)] for square in row) in ("XXX", "OOO") for row in rows):
                known[position] = (-1, 0)
            elif "." not in position:
                known[position] = (0, 0)
            else:
                squares = [square for square in range(9) if position[square] == "."]
                known[position] = best_for_mover(
                    look(position[:square] + mover + position[square + 1 :]) for square in squares
                )
        return known[position]

    look("." * 9)
    return known


def best_for_mover(after: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """The best of what the moves lead to: a win soon, else a tie soon, else a loss late."""
    choices = [(-value, moves + 1) for value, moves in after]
    return max(choices, key=lambda choice: (choice[0], choice[1] if choice[0] < 0 else -choice[1]))


NAMES = {1: "WIN", 0: "TIE", -1: "LOSE"}


def totals(values: Iterable[int]) -> str:
    counts = Counter(NAMES[value] for value in values)
    return "".join(f"{name}: {counts[name]}\n" for name in ("WIN", "TIE", "LOSE")) + f"TOTAL: {counts.total()}\n"


def test_make_run_solves_tic_tac_toe(clone: Path) -> None:
    table = all_of_tic_tac_toe()
    assert len(table) == 5478
    expected = totals(value for value, _ in table.values())
    items = "".join(f"{position}: {NAMES[table[position][0]]}\n" for position in sorted(table))
    assert run('make run ARGS="tic_tac_toe"', clone).stdout == expected
    assert run('make run ARGS="tic_tac_toe"', clone, ITEMIZED="0").stdout == expected
    assert run('make run ARGS="tic_tac_toe"', clone, ITEMIZED="1").stdout == f"{items}\n{expected}"


def test_make_run_with_and_without_items(clone: Path) -> None:
    expected = totals([1, -1, 1, 1, -1, 1, 1, -1, 1, 1, -1])
    assert run('make run ARGS="zero_by 10 1 2" ITEMIZED=0', clone).stdout == expected
    assert run('make run ARGS="zero_by 10 1 2" ITEMIZED=1', clone).stdout == f"{TEN_BY_ONE_OR_TWO}\n{expected}"


def test_make_run_shows_remoteness(clone: Path) -> None:
    table = all_of_tic_tac_toe()
    done = run('make run ARGS="tic_tac_toe --remoteness"', clone, ITEMIZED="1")
    items = [f"{position}: {NAMES[table[position][0]]} in {table[position][1]}" for position in sorted(table)]
    assert done.stdout.splitlines()[: len(table)] == items
    assert done.stdout.splitlines()[-1] == "START: TIE in 9"
    for n, removals in ((23, (4, 1, 3, 1)), (40, (2, 5, 7)), (11, (5,))):
        known: dict[int, tuple[int, int]] = {0: (-1, 0)}
        for left in range(1, n + 1):
            known[left] = best_for_mover(known[max(0, left - removal)] for removal in removals)
        printed = run(f'make run ARGS="zero_by --remoteness {n} {" ".join(map(str, removals))}"', clone).stdout
        for line in printed.splitlines():
            position, _, worth = line.partition(": ")
            value, moves = known[int(position)]
            assert worth == f"{NAMES[value]} in {moves}"
        assert printed.startswith(f"{n}: ") and "\n0: LOSE in 0\n" in printed


def test_remoteness_wins_soon_loses_late_and_ties_soon() -> None:
    """A drawn game for each; the moves that must not count are in it."""
    ends = "won = WIN\nlost = LOSE\ntied = TIE"
    longer = "a -> lost\nb -> a\nc -> b\nt -> tied\nu -> t"
    assert lab.remoteness(GraphGame(f"top -> b lost u\n{longer}\n{ends}"))["top"] == 1
    assert lab.remoteness(GraphGame(f"top -> a c\n{longer}\n{ends}"))["top"] == 4
    assert lab.remoteness(GraphGame(f"top -> u tied a won\n{longer}\n{ends}"))["top"] == 1
    assert lab.remoteness(GraphGame("top = TIE")) == {"top": 0}


def test_make_run_of_a_lab_without_remoteness(clone: Path, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("remoteness", "raise NotImplementedError", model), encoding="utf-8")
    done = run(f'"{sys.executable}" -m grader run zero_by 3 1 --remoteness', clone, LAB=str(lab))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "remoteness is not written yet.\n"
    tested = run("make test K=solve/", clone, LAB=str(lab))
    assert tested.returncode == 0
    assert "Advice, without points (solve/remoteness)" in tested.stdout


@pytest.mark.parametrize(
    ("words", "itemized", "said"),
    [
        ("", None, "no game is named"),
        ("zero_by", None, "zero_by needs a number of items and at least one removal"),
        ("zero_by 10", None, "zero_by needs a number of items and at least one removal"),
        ("zero_by 0 1", None, "'0' is not a positive whole number"),
        ("zero_by 10 -1", None, "'-1' is not a positive whole number"),
        ("zero_by 10 1.5", None, "'1.5' is not a positive whole number"),
        ("zero_by ten 1", None, "'ten' is not a positive whole number"),
        ("zero_by 10 1 2", "2", "ITEMIZED is '2'; it is 1, 0, or not set"),
        ("zero_by 10 1 2", "", "ITEMIZED is ''; it is 1, 0, or not set"),
        ("tic_tac_toe", "yes", "ITEMIZED is 'yes'"),
        ("tic_tac_toe 3", "1", "tic_tac_toe goes without numbers"),
        ("--remoteness", "1", "no game is named"),
        ("tic_tac_toe --remote", "1", "tic_tac_toe goes without numbers"),
        ("chess", "1", "there is no game 'chess'"),
        ("zero_by 10 000", "1", "'000' is not a positive whole number"),
        (f"zero_by {'9' * 4_001} 1", "1", "a number of 4,001 digits is too long; it may have 4,000"),
        (f"zero_by 10 {'9' * 100_000}", "1", "a number of 100,000 digits is too long"),
        (f"zero_by {'9' * 26} 1 {'9' * 25}", "1", "these are more than 100,000,000 positions, too many for a table"),
    ],
)
def test_make_run_says_what_is_wrong(words: str, itemized: str | None, said: str) -> None:
    set_so = {} if itemized is None else {"ITEMIZED": itemized}
    done = run(f'"{sys.executable}" -m grader run {words}', KIT, **set_so)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said) and "; usage: python grader run" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_huge_game_of_few_positions_is_printed() -> None:
    done = run(f'"{sys.executable}" -m grader run zero_by {10**26} {10**26}')
    assert done.stdout == f"{10**26}: WIN\n0: LOSE\n"


SUDDEN = {
    "import os; os._exit(0)": "RuntimeError: os._exit(0) ends Python at once (lab.py:",
    "import faulthandler; faulthandler._sigsegv()": "Fatal Python error: Segmentation fault",
}


@pytest.mark.parametrize("statement", SUDDEN)
@pytest.mark.parametrize(
    "words", ["run zero_by 3 1", "play zero_by:3:1 --minnie=minimax:1", "shrink", "debug CASE=solve/ties"]
)
def test_what_ends_python_at_import_is_told(words: str, statement: str, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(f"{model}\n{statement}\n", encoding="utf-8")
    done = run(f'"{sys.executable}" -m grader {words}', LAB=str(lab))
    assert done.returncode not in (0, 2)
    assert SUDDEN[statement] in " ".join((done.stdout + done.stderr).split())


def test_a_process_of_the_labs_own_may_end_at_once(model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    text = f"{model}\nimport os\nif os.fork():\n    os.wait()\nelse:\n    os._exit(0)\n"
    lab.write_text(text, encoding="utf-8")
    done = run(f'"{sys.executable}" -m grader run zero_by 3 3', LAB=str(lab))
    assert (done.stdout, done.stderr) == ("3: WIN\n0: LOSE\n", "")


def test_make_run_of_a_lab_that_fails(clone: Path, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("solve", "return 1 / 0", model), encoding="utf-8")
    done = run('make run ARGS="zero_by 10 1 2"', clone, LAB=str(lab))
    assert done.stdout == ""
    assert "ZeroDivisionError: division by zero (lab.py:" in done.stderr


WRONG_TABLES = {
    "return {3: 'WIN', 2: 'LOSE'}": "solve gave 'WIN' for position 3, which is no Value",
    "return [Value.WIN]": "solve gave [<Value.WIN: 'WIN'>], which is no dict",
    "return None": "solve gave None, which is no dict",
    "return {3: Value.WIN, 'two': Value.LOSE}": "the positions in solve's dict cannot be put in order: '<' not ",
    "return {3: Value.WIN, 2: 'a' * 9000}": f"solve gave '{'a' * 50}",
    "raise SystemExit": "solve ended the program, as exit and sys.exit do, instead of going on (lab.py:",
}


@pytest.mark.parametrize("body", WRONG_TABLES)
def test_make_run_of_a_table_that_is_none(body: str, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("solve", body, model), encoding="utf-8")
    done = run(f'"{sys.executable}" -m grader run zero_by 3 1', LAB=str(lab))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(WRONG_TABLES[body])
    assert done.stderr.count("\n") == 1 and len(done.stderr) < 400


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return {3: 1}", "remoteness gave no number for position 0"),
        ("return 7", "remoteness gave 7, which is no dict"),
        ("return None", "remoteness gave None, which is no dict"),
    ],
)
def test_make_run_of_remoteness_that_is_none(body: str, said: str, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("remoteness", body, model), encoding="utf-8")
    done = run(f'"{sys.executable}" -m grader run zero_by 3 1 --remoteness', LAB=str(lab))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{said}\n")


def test_make_run_of_a_table_without_the_start(model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    text = with_body("solve", "return {2: Value.WIN}", model)
    lab.write_text(with_body("remoteness", "return {2: 1}", text), encoding="utf-8")
    done = run(f'"{sys.executable}" -m grader run zero_by 3 1 --remoteness', LAB=str(lab), ITEMIZED="0")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "solve gave no value for the start, 3\n")


@pytest.mark.parametrize("at_import", [False, True])
def test_make_run_that_is_interrupted(at_import: bool, model: str, tmp_path: Path) -> None:
    lab, loop = tmp_path / "lab.py", "print('begun', flush=True)\nwhile True: pass"
    lab.write_text(f"{model}\n{loop}\n" if at_import else with_body("solve", loop, model), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "run", "zero_by", "3", "1"], cwd=KIT, env={**os.environ, "LAB": str(lab)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr
    try:
        assert process.stderr.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONG)
    finally:
        process.kill()
    assert (process.returncode, out) == (130, "")
    assert re.fullmatch(r"Stopped at lab\.py:\d+\.\n", err)


def test_make_test_grades_the_model(clone: Path) -> None:
    done = run("make test", clone)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"{TOTAL} of {TOTAL} points: everything passes."
    assert (clone / "build" / "results.json").exists()
    assert done.stdout.isascii()
    assert len(done.stdout.splitlines()) <= 24


def test_part_and_word_and_every_case(clone: Path) -> None:
    (clone / "build" / "results.json").unlink(missing_ok=True)
    part = run("make test PART=2", clone)
    assert part.returncode == 0
    assert "2  Searches" in part.stdout
    assert "1  Connect Four" not in part.stdout
    word = run("make test K=alphabeta V=1", clone)
    assert "pass        alphabeta/" in word.stdout
    assert "dfs/" not in word.stdout
    assert not (clone / "build" / "results.json").exists()
    nothing = run("make test K=nonsense", clone)
    assert nothing.returncode == 2
    assert "no case fits" in nothing.stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("test PART=x", "'x' is no number of a part, such as 2, or 0,1; make test takes PART=2, K=alphabeta and V=1\n"),
        ("test PART=9", "there is no part 9"),
        ("trace BOARD=board_uhoh", "do you mean BOARD_UHOH?"),
    ],
)
def test_bad_words(words: str, complaint: str, clone: Path) -> None:
    done = run(f"make {words}", clone)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_a_wrong_lab_is_explained(clone: Path, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(model.replace("if alpha >= beta:", "if alpha > beta:"), encoding="utf-8")
    done = run("make test", clone, LAB=str(lab))
    assert done.returncode == 2
    assert "(make adds `Error 1` to this" in done.stdout.splitlines()[-1]
    readme = (KIT / "README.md").read_text(encoding="utf-8")
    opening, _, explained = readme.partition("\n## A wrong lab, explained\n")
    assert f"```\n{done.stdout}```\n\nThe tree is drawn" in explained.partition("\n## ")[0]
    assert len([line for line in opening.splitlines() if line.startswith("make ")]) == 3


def test_pytest_alone_shows_the_same(clone: Path, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("dfs_maximizing", "return None", model), encoding="utf-8")
    done = run(f'"{sys.executable}" -m pytest tests -q', clone, LAB=str(lab))
    failed = re.findall(r"^FAILED .*::test_(\w+)", done.stdout, re.MULTILINE)
    assert set(failed) == {"dfs_maximizing"}
    assert "returned nothing (None)" in done.stdout


def test_no_lab_at_all(clone: Path) -> None:
    done = run("make test", clone, LAB="missing.py")
    assert done.returncode == 2
    assert "missing.py is not there" in done.stderr


def test_a_bad_case_file_is_one_line(clone: Path) -> None:
    file = clone / "boards" / "cases" / "2a-dfs.yaml"
    kept = file.read_text(encoding="utf-8")
    file.write_text(kept.replace("says:", "say:", 1), encoding="utf-8")
    done = run("make test", clone)
    file.write_text(kept, encoding="utf-8")
    assert done.returncode == 2
    assert "boards/cases/2a-dfs.yaml:" in done.stderr
    assert "did you mean `says`?" in done.stderr


def test_make_alone_lists_the_commands(clone: Path) -> None:
    done = run("make", clone)
    for words in ("make test", "make run", "make play", "make expectations", "make check", "make bench"):
        assert words in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 79


def test_the_same_verbs_without_make(clone: Path) -> None:
    done = run(f'"{sys.executable}" -m grader', clone)
    assert done.returncode == 2
    for verb in ("test", "run", "play", "expectations", "check", "bench"):
        assert f"  {verb} " in done.stderr
    assert max(map(len, done.stderr.splitlines())) <= 79


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("test V=0 K=dfs", "test --k dfs"),
        ("test V=1", "test --v"),
        ("trace BOARD=HORIZON PLAIN=0", "trace --board HORIZON"),
        ("trace BOARD=HORIZON PLAIN=1", "trace --board HORIZON --plain 1"),
    ],
)
def test_what_is_set_to_0_is_not_set(typed: str, words: str, clone: Path) -> None:
    told = run(f"make {typed} --dry-run", clone).stdout.replace('"', "").replace("\\\n", " ")
    assert " ".join(told.split()).endswith(f" grader {words}")


@pytest.mark.parametrize(
    "typed", ["test k=x", "debug case=dfs/two-by-two", "test Part=2", "run args=zero_by", "test lab=x"]
)
def test_what_is_typed_in_small_letters_is_not_passed_over(typed: str, clone: Path) -> None:
    name = typed.partition(" ")[2].partition("=")[0].upper()
    made = run(f"make {typed}", clone)
    assert (made.returncode, made.stdout) == (2, "")
    assert re.fullmatch(rf"Makefile:\d+: \*\*\* type {name} in capital letters\.  Stop\.\n", made.stderr)
    without = run(f'"{sys.executable}" -m grader {typed}', clone)
    assert (without.returncode, without.stdout, without.stderr) == (2, "", f"type {name} in capital letters\n")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("watch K=dfs", "make watch takes no K=."),
        ("test DEPTH=3", "make test takes no DEPTH=; it takes PART= K= CASE= V=."),
        ("expectations OUT=x", "make expectations takes no OUT=."),
        ("expectations ARGS=--chek", "unknown: --chek; usage: expectations [--check]"),
        ("update ARGS=now", "make update takes no words, but got 'now'"),
        ("test CAES=dfs", "there is no CAES=; do you mean CASE?"),
        ("play ARG=nim", "there is no ARG=; do you mean ARGS?"),
        ("test PYHTON=python3", "there is no PYHTON=; do you mean PYTHON?"),
        ("release ARGS=--oops", "unrecognized arguments: --oops; usage: make release OUT=folder"),
        ("check ARGS=fast", "make check takes no words, but got 'fast'; FAST=1 takes the short one"),
    ],
)
def test_what_a_command_does_not_take_is_not_passed_over(typed: str, said: str, clone: Path) -> None:
    done = run(f"make {typed}", clone)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr.splitlines()[0]
    assert all(line.startswith("make: ***") for line in done.stderr.splitlines()[1:])


def test_what_is_for_the_environment_may_be_in_any(clone: Path) -> None:
    assert run("make test http_proxy=x NO_COLOR=1 --dry-run", clone).returncode == 0
    others = f'PATH="{os.environ["PATH"]}" TERM=dumb PYTHONBREAKPOINT=x PAGER=cat COLUMNS=80 LANG=C'
    assert run(f'make run ARGS="zero_by 3 1" {others}', clone).stdout == "3: WIN\n2: LOSE\n1: WIN\n0: LOSE\n"
    (clone.parent / "Makefile").write_text("case:\n\t@$(MAKE) -C kit run ARGS='zero_by 1 1'\n")
    assert run("make case CAES=x", clone.parent).stdout.splitlines()[1:3] == ["1: WIN", "0: LOSE"]


def test_an_old_python_says_so(clone: Path) -> None:
    old = next(Path(os.path.expanduser("~")).glob(".pyenv/versions/3.[6-9].*/bin/python"), None)
    if old is None:
        pytest.skip("no old Python here")
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(
        ["make", "test", f"PYTHON={old}"], cwd=clone, capture_output=True, text=True, env=environment
    )  # fmt: skip
    assert "is too old; the lab needs 3.11 or newer" in done.stderr


SETS_UP = """#!{python}
import os, runpy, subprocess, sys
from types import SimpleNamespace

def make(words, **named):
    os.makedirs(".venv/bin")
    with open(".venv/bin/python", "w") as python:
        python.write("#!/bin/sh\\nexec {python} \\"$@\\"\\n")
    os.chmod(".venv/bin/python", 0o755)
    return SimpleNamespace(returncode=0)

subprocess.run, subprocess.call = make, lambda words, **named: 0
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], None, "__main__")
"""


def test_one_environment_is_set_up_once_for_staff_and_students(clone: Path) -> None:
    """In the master copy, by a Python that makes and installs nothing."""
    python = clone.parent / "sets_up"
    python.write_text(SETS_UP.format(python=sys.executable), encoding="utf-8")
    python.chmod(0o755)
    printed, said = "", ""
    for verb in ("run", "run"):
        done = subprocess.run(
            ["make", verb, "ARGS=zero_by 1 1", f"PYTHON={python}"],
            cwd=clone, capture_output=True, text=True, env={"PATH": os.environ["PATH"]},
        )  # fmt: skip
        printed, said = printed + done.stdout, said + done.stderr
    shutil.rmtree(clone / ".venv")
    assert (printed, said.count("setting up")) == ("1: WIN\n0: LOSE\n" * 2, 1), said


@pytest.mark.parametrize("verb", ["test", "check"])
def test_no_python_says_so(verb: str, clone: Path) -> None:
    done = subprocess.run(
        ["make", verb, "PYTHON=python9"], cwd=clone, capture_output=True, text=True, env={"PATH": os.environ["PATH"]}
    )
    assert (done.returncode, done.stdout) == (2, "")
    said, stopped = done.stderr.splitlines()
    assert said.startswith("there is no python9 here: install Python 3.11 or newer, or name the one that you have: ")
    assert stopped.endswith("Error 2")


@pytest.mark.parametrize("verb", ["test", "release", "check"])
def test_no_environment_says_so(verb: str, clone: Path) -> None:
    done = run(f"make {verb}", clone, VENV="/nowhere")
    assert done.returncode == 2
    said = "VENV=/nowhere holds no bin/python; name an environment, or leave VENV out"
    assert done.stderr.splitlines()[0] == said


def test_no_network_says_so(clone: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    done = subprocess.run(
        ["make", "run", "ARGS=zero_by 10 1 2", f"PYTHON={sys.executable}"],
        cwd=clone, capture_output=True, text=True, env=environment,
    )  # fmt: skip
    shutil.rmtree(clone / ".venv", ignore_errors=True)
    assert done.stdout == ""
    assert "is there a network?" in done.stderr


def test_the_bench_starts() -> None:
    """It measures lab.py in its own process, and the finder of the kit hides that."""
    done = subprocess.run([sys.executable, "grader", "bench", "-h"], cwd=KIT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["gradescope", "x"], "make gradescope takes no words, but got 'x'"),
        (["classroom50", "x"], "make classroom50 takes no words, but got 'x'"),
        (["release", f"OUT={sys.executable}/x"], "/x cannot be written ("),
    ],
)
def test_what_staff_typed_wrong_is_one_line(words: list[str], said: str) -> None:
    done = subprocess.run([sys.executable, "grader", *words], cwd=KIT, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and said in done.stderr


def readme_commands() -> list[str]:
    """The lines of the README's shell blocks, each once."""
    blocks = re.findall(r"```sh\n(.*?)```", (KIT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    lines = (line.partition("   #")[0].strip() for block in blocks for line in block.splitlines())
    return list(dict.fromkeys(filter(None, lines)))


# make check runs this very test, make bench must have the machine for itself, make board serves until it is ended, and
# make shrink computes for ten seconds, make update is for a release; the others take long, and are typed elsewhere:
# make release in .ci/run, make expectations, make demo and the bundles in test_course.py, test_demo.py, test_bundles.py
ONLY_LISTED = (
    "make check", "make bench", "make board", "make shrink", "make watch", "make update", "make release",
    "make expectations", "make demo", "make gradescope", "make classroom50",
)  # fmt: skip


@pytest.mark.parametrize("command", [each for each in readme_commands() if each != "make test"])  # which is typed above
def test_every_command_of_the_readme(command: str, clone: Path) -> None:
    assert not command.startswith("git clone")
    done = run(f"{command} --dry-run" if command.startswith(ONLY_LISTED) else command, clone)
    assert done.returncode == 0, done.stdout + done.stderr
