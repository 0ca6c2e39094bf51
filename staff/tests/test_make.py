"""What people type: every command of the README, make and its verbs, a fresh clone,
broken set-ups.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.commands.testing import ERROR_1
from grader.refusal import as_typed
from grader.verbs import all_verbs
from staff.tests.conftest import KIT, TOTAL
from staff.tests.support.typed import clone_into, run
from staff.wrong_labs import with_body


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone in a folder with a space in its name."""
    return clone_into(tmp_path_factory.mktemp("a clone") / "kit")


def test_make_test_grades_the_model(clone: Path) -> None:
    done = run("make test", clone)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        f"{TOTAL} of {TOTAL} points: everything passes.",
    )
    assert (clone / "build" / "results.json").exists()


def test_error_1_is_explained_once(clone: Path, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text("x = 1\n", encoding="utf-8")
    (clone / "build" / "results.json").unlink(missing_ok=True)

    first = run("make test", clone, LAB=str(lab))
    second = run("make test", clone, LAB=str(lab))

    assert first.returncode == second.returncode == 2
    assert first.stdout == f"{second.stdout}{ERROR_1}\n"


def test_pytest_alone_shows_the_same(clone: Path, model: str, tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text(with_body("dfs_maximizing", "return None", model), encoding="utf-8")
    done = run(f'"{sys.executable}" -m pytest tests -q', clone, LAB=str(lab))
    failed = re.findall(r"^FAILED .*\[(\w+)/", done.stdout, re.MULTILINE)
    assert set(failed) == {"dfs"} and "returned nothing (None)" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "says:",
            "say:",
            "boards/cases/2a-dfs.yaml:1: this is not as it was handed out (",
        ),
        (
            "  - id:",
            "  -id:",
            "boards/cases/2a-dfs.yaml:8: this is not as it was handed out (",
        ),
        (
            "    expect:",
            "    # ",
            "dfs/two-by-two expects nothing yet: type python grader expectations\n",
        ),
    ],
)
def test_a_bad_case_file_is_one_line(
    old: str, new: str, said: str, clone: Path
) -> None:
    file = clone / "boards" / "cases" / "2a-dfs.yaml"
    kept = file.read_text(encoding="utf-8")
    file.write_text(kept.replace(old, new, 1), encoding="utf-8")
    done = run(f'"{sys.executable}" grader test', clone)
    file.write_text(kept, encoding="utf-8")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(said)


def test_make_and_the_grader_alone_list_the_commands(clone: Path) -> None:
    made, without = (
        run("make", clone).stdout,
        run(f'"{sys.executable}" -m grader', clone),
    )
    assert without.returncode == 2
    for verb in ("test", "run", "play", "expectations", "check", "bench"):
        assert f"make {verb} " in made and f"  {verb} " in without.stderr
    assert max(map(len, (made + without.stderr).splitlines())) <= 79
    # Students' commands come first, and each group has a heading.
    headings = [line for line in made.splitlines() if line.endswith(":")]
    assert made.startswith(headings[0])
    assert made.index("make update ") < made.index("For instructors, ")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("test V=0 K=dfs", ["test", "K=dfs", "V=0"]),
        ("K=dfs test", ["test", "K=dfs"]),
        ("test K=", ["test", "K="]),
        ("test OUT='a folder/a.json'", ["test", "OUT=a folder/a.json"]),
        ("test ARGS='-k \"a or b\"'", ["test", 'ARGS=-k "a or b"']),
        ("trace CASE=a/b PLAIN=1 CALL=2", ["trace", "CALL=2", "CASE=a/b", "PLAIN=1"]),
        ("test NO_COLOR=1 PYTHON=python9", ["test"]),
        (
            """publish LOWER="it's a \\"typo\\", and \\$5" UNGRADED='two words'""",
            ["publish", 'LOWER=it\'s a "typo", and $5', "UNGRADED=two words"],
        ),
        ("test k=dfs", ["test", "k=dfs"]),
    ],
)
def test_what_make_passes_on(typed: str, words: list[str], clone: Path) -> None:
    recipe = run(f"make {typed} --dry-run", clone).stdout.splitlines()[-1]
    assert shlex.split(recipe)[1:] == ["grader", *words]


VERBS = list(all_verbs())
TYPED_BY_PEOPLE = [verb for verb in VERBS if verb != "workflow"]


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_lists_its_options(verb: str, clone: Path) -> None:
    done = run(f'"{sys.executable}" grader {verb} --help', clone)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: python grader {verb} [-h]")


def test_make_lists_each_verb(clone: Path) -> None:
    listing = run("make", clone).stdout
    assert [verb for verb in TYPED_BY_PEOPLE if f"make {verb} " not in listing] == []


@pytest.mark.parametrize("verb", TYPED_BY_PEOPLE)
def test_make_hands_a_verb_on(verb: str, clone: Path) -> None:
    recipe = run(f"make {verb} --dry-run", clone).stdout.splitlines()[-1]
    assert recipe.endswith(f" grader {verb} ")


@pytest.mark.parametrize("verb", VERBS)
def test_a_sentence_names_a_verb_as_it_is_typed_here(
    verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MAKELEVEL", "MAKE_CMD"):
        monkeypatch.delenv(name, raising=False)
    assert as_typed(f"type make {verb}") == f"type python grader {verb}"


# --- set-ups --------------------------------------------------------------------------------------------------------


def without_environment(
    command: str, clone: Path, **more: str
) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": os.environ["PATH"], **more}
    return subprocess.run(
        command, shell=True, cwd=clone, capture_output=True, text=True, env=environment
    )


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


def test_an_environment_is_set_up_once(clone: Path) -> None:
    """By a Python that makes and installs nothing."""
    python = clone.parent / "sets_up"
    python.write_text(SETS_UP.format(python=sys.executable), encoding="utf-8")
    python.chmod(0o755)
    both = [
        without_environment(f'make run ARGS="zero_by 1 1" PYTHON="{python}"', clone)
        for _ in range(2)
    ]
    shutil.rmtree(clone / ".venv")
    assert "".join(done.stdout for done in both) == "1: WIN\n0: LOSE\n" * 2
    assert "".join(done.stderr for done in both).count("setting up") == 1


def test_make_test_installs_what_a_student_has_and_no_more(clone: Path) -> None:
    """In the master copy too; the first staff command installs the rest, and says
    so.
    """
    command = f'make test K=dfs/two-by-two PYTHON="{sys.executable}"'
    done = without_environment(command, clone)
    if "is there an internet connection?" in done.stderr:
        pytest.skip("no network here, and make test installs packages")
    libraries = next((clone / ".venv" / "lib").glob("python*")) / "site-packages"
    names = {
        folder.name.partition("-")[0].lower()
        for folder in libraries.glob("*.dist-info")
    }
    # Which modules are compiled depends on what ran here before.
    files = [
        file
        for file in (clone / ".venv").rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    ]
    size = sum(file.stat().st_size for file in files)
    no_network = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    staff = without_environment("make expectations", clone, **no_network)
    shutil.rmtree(clone / ".venv")
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    own = {"pytest", "pytest_timeout", "pyyaml", "pip", "setuptools"}
    assert names - own <= {
        "iniconfig",
        "packaging",
        "pluggy",
        "pygments",
        "exceptiongroup",
        "colorama",
        "tomli",
    }
    assert size < 50_000_000
    assert staff.stderr.startswith(
        "installing the packages for staff commands into .venv (once; this takes a minute)"
    )


def test_no_python_and_no_network_are_told(clone: Path) -> None:
    done = without_environment("make test PYTHON=python9", clone)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "there is no python9 here: install Python 3.11 or newer, or name the one that you "
    )
    no_network = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    done = without_environment(
        f'make run ARGS="zero_by 1 1" PYTHON="{sys.executable}"', clone, **no_network
    )
    shutil.rmtree(clone / ".venv", ignore_errors=True)
    assert done.stdout == "" and "is there an internet connection?" in done.stderr


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (
            "sys.modules['ensurepip'] = None",
            "this Python lacks venv; install it (Debian, Ubuntu: sudo apt install",
        ),
        (
            "sys.version_info = (3, 8, 1)",
            "Python 3.8 is too old; the lab needs 3.11 or newer: make PYTHON=python3.12",
        ),
        ("open(folder, 'w').close()", "no environment could be made in "),
    ],
)
def test_a_set_up_that_goes_wrong_is_told(
    before: str, said: str, tmp_path: Path
) -> None:
    script, folder = str(KIT / "grader" / "environment.py"), str(tmp_path / ".venv")
    words = [script, folder, str(KIT / "requirements.txt")]
    run_it = f"sys.argv = {words!r}; runpy.run_path({script!r}, None, '__main__')"
    program = f"import runpy, sys; folder = {folder!r}; {before}; {run_it}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and "Traceback" not in done.stderr


def test_make_cmd_is_a_file_for_windows() -> None:
    """Whoever checks it out: git gives it the ends of lines that Windows needs."""
    attributes = (KIT / ".gitattributes").read_text(encoding="utf-8")
    assert re.search(r"^\*\.cmd .*eol=crlf", attributes, re.MULTILINE)
    text = (KIT / "make.cmd").read_text(encoding="utf-8")
    assert (
        r"grader\environment.py .venv requirements.txt" in text
        and r".venv\Scripts\python grader %*" in text
    )


# --- the README -----------------------------------------------------------------------------------------------------


def readme_commands() -> list[str]:
    """The lines of the README's shell blocks, each once."""
    blocks = re.findall(
        r"```sh\n(.*?)```", (KIT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    lines = (
        line.partition("   #")[0].strip()
        for block in blocks
        for line in block.splitlines()
    )
    return list(dict.fromkeys(filter(None, lines)))


# These take long, need the machine for themselves or serve until they are ended; most
# have tests of their own.
ONLY_LISTED = (
    "make check", "make bench", "make figures", "make board", "make watch", "make update", "make release",
    "make expectations", "make demo", "make gradescope", "make classroom50", "make collect", "make grade", "make why",
    "make publish", "make hidden", "make log", "make league",
)  # fmt: skip


@pytest.mark.parametrize(
    "command", [each for each in readme_commands() if each != "make test"]
)  # which is typed above
def test_every_command_of_the_readme(command: str, clone: Path) -> None:
    done = run(
        f"{command} --dry-run" if command.startswith(ONLY_LISTED) else command, clone
    )
    assert done.returncode == 0, done.stdout + done.stderr
