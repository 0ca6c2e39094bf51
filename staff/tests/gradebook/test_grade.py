"""make grade, doctor and hidden in a master copy with few cases: what is graded, again,
elsewhere, and behind what.
"""

import contextlib
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from staff import progress
from staff.farm.isolation import complaint_of_bubblewrap
from staff.tests.gradebook.samples import lay
from staff.tests.gradebook.small_class import LABS, MISTAKES, SmallClass
from staff.tests.support.masters import change, decide, take_as_filled
from staff.tests.support.typed import refusal
from staff.tests.support.waiting import LONG, soon

TO_GRADE = " to grade; "  # says make grade only if it has something to do
GRADE = [sys.executable, "grader", "grade", "ISOLATE=lock"]
FARM = "staff/farm"
DIED_TWICE = json.dumps(
    {"fault": "The process that grades died with this submission, twice."}
)
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and Landlock")


# --- what is stored ------------------------------------------------------------------


def test_each_function_of_each_file_has_a_verdict(graded_class: SmallClass) -> None:
    verdicts = graded_class.verdicts()
    functions = {function for _, function in verdicts}
    assert len(functions) >= 8
    assert len(verdicts) == len(LABS) * len(functions)


def test_the_verdicts_are_on_the_code_that_was_handed_in(
    graded_class: SmallClass,
) -> None:
    everything = "".join(graded_class.verdicts().values())
    statuses = set(re.findall(r'"status": "([a-z -]+)"', everything))
    assert statuses >= {"pass", "crash"}


def test_a_verdict_says_nothing_of_the_machine_and_of_the_time(
    graded_class: SmallClass,
) -> None:
    everything = "".join(graded_class.verdicts().values())
    assert not re.search(r"/tmp|submission-|seconds", everything)


def test_what_has_a_verdict_is_not_graded_again(graded_class: SmallClass) -> None:
    assert TO_GRADE not in graded_class.grade()


# --- a run that is stopped -----------------------------------------------------------

# Each verdict that is stored is counted, and takes a tenth of a second of CPU, so that
# a run is killed in its middle.
COUNTED_SLOWLY = """
CREATE TABLE stored (lab, function);
CREATE VIEW slow AS WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 700000)
  SELECT max(x) FROM n;
CREATE TRIGGER count_them AFTER INSERT ON verdict
BEGIN INSERT INTO stored SELECT new.lab, new.function FROM slow; END;
"""
COUNTED_FAST = "DROP VIEW slow; CREATE VIEW slow AS SELECT 1;"


def stored(small_class: SmallClass) -> int:
    """How many verdicts were stored since they are counted."""
    return len(small_class.ask("SELECT * FROM stored"))


def marks(small_class: SmallClass) -> int:
    """How many verdicts are still to be found again."""
    return len(small_class.ask("SELECT * FROM again"))


def grade_until_killed(small_class: SmallClass) -> int:
    """Kill make grade some time after it has stored one more verdict, or as it ends;
    how many verdicts there are then.
    """
    before = len(small_class.verdicts())
    process = subprocess.Popen(GRADE, cwd=small_class.kit, stdout=subprocess.DEVNULL)
    while process.poll() is None and len(small_class.verdicts()) == before:
        time.sleep(0.02)
    time.sleep(random.uniform(0, 0.2))
    process.kill()
    process.wait()
    return len(small_class.verdicts())


@pytest.mark.long
def test_what_was_killed_goes_on_and_stores_each_verdict_once(
    ungraded: SmallClass, as_graded: SmallClass
) -> None:
    expected = as_graded.verdicts()
    ungraded.change_store(COUNTED_SLOWLY)

    kept = [grade_until_killed(ungraded) for _ in range(10)]
    ungraded.grade()

    assert 0 < kept[0] < len(expected)
    assert ungraded.verdicts() == expected
    assert stored(ungraded) == len(expected)


ALL_AGAIN = pytest.param("AGAIN=all", marks=pytest.mark.long)


@pytest.mark.parametrize("then", [ALL_AGAIN, ""])
def test_again_goes_on_where_it_was_stopped(
    then: str, graded_class: SmallClass
) -> None:
    """Each verdict is found again once, however the command is typed the second
    time.
    """
    expected = graded_class.verdicts()
    graded_class.change_store(COUNTED_SLOWLY)

    first = subprocess.Popen(
        [*GRADE, "AGAIN=all"], cwd=graded_class.kit, stdout=subprocess.DEVNULL
    )
    assert soon(lambda: stored(graded_class) > 0)
    first.kill()
    first.wait()
    stored_before = stored(graded_class)
    marks_before = marks(graded_class)
    graded_class.change_store(COUNTED_FAST)
    graded_class.grade(then)

    assert 0 < stored_before < len(expected)
    assert marks_before == len(expected) - stored_before
    assert stored(graded_class) == len(expected)
    assert marks(graded_class) == 0
    assert graded_class.verdicts() == expected


ENDLESS = "\n\ndef solve(*given):\n    while True:\n        pass\n"


def processes_at_work(kit: Path) -> list[str]:
    """The command lines of the processes that grade in a kit."""
    processes = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # the process has ended
            command = (process / "cmdline").read_bytes().decode().replace("\0", " ")
            folder = os.readlink(process / "cwd")
            is_in_kit = folder.startswith(str(kit)) or str(kit) in command
            if is_in_kit and re.search(
                r"staff\.farm\.kit_process|child\.main", command
            ):
                processes.append(command)
    return processes


@linux
def test_ctrl_c_ends_all_processes_and_keeps_what_was_stored(
    graded_class: SmallClass,
) -> None:
    """The files would be at work for minutes, in processes of two kinds."""
    before = graded_class.verdicts()
    model = (graded_class.kit / "lab.py").read_text("utf-8")
    for student in LABS:
        endless = f"{model}{ENDLESS}# {student}\n"
        lay(graded_class.folder / "endless", {f"{student}.py": endless})
    assert graded_class.type("collect --from ../endless").returncode == 0

    process = subprocess.Popen(
        GRADE, cwd=graded_class.kit, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )  # fmt: skip
    assert soon(lambda: len(processes_at_work(graded_class.kit)) >= 3)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=LONG)

    assert process.returncode == 130
    assert "grade goes on from there" in said
    assert soon(lambda: not processes_at_work(graded_class.kit))
    after = graded_class.verdicts()
    assert before.items() <= after.items()
    assert len(after) < 2 * len(before)


def test_what_is_no_terminal_gets_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 1.5)
    # A second goes by whenever the program looks at the clock.
    monkeypatch.setattr(time, "monotonic", itertools.count().__next__)

    results = list(progress.with_progress("abcde", 5, "graded", "function"))

    assert results == [*"abcde"]
    lines = ["graded: 2 of 5 functions", "graded: 4 of 5 functions"]
    assert capsys.readouterr().out.splitlines() == lines


# --- what is graded again ------------------------------------------------------------

# A file, what is replaced in it by what, and the functions that are graded again then;
# None is every one.
DECIDES: dict[str, tuple[str, str, str, set[str] | None]] = {
    "the code of a kind": ("grader/kinds/search/kind.py", '"""', '# new\n"""', None),
    "the words of a verdict": ("grader/verdicts/sentences.yaml", "", "# new\n", None),
    "what the sandbox refuses": ("grader/child/filter.txt", "setsid 112 157", "setsid 112 157 ", None),
    "a limit": (f"{FARM}/kit_process.py", "MOST_SECONDS = 40.0", "MOST_SECONDS = 39.0", None),
    "a tree that lab.py can see": ("boards/trees.yaml", "", "# new\n", None),
    "what a known mistake answers": (MISTAKES, '"ffff"', '"fffe"', {"dfs_maximizing"}),
    "a reference trace": ("boards/reference_traces/2a-dfs.json", '"call"', '"CALL"', {"dfs_maximizing"}),
    "a case of a function that others need": (
        "boards/cases/0a-zeroby.yaml", "  - id: ", "  - id: x", {"ZeroBy", "make_run"},
    ),
    "what a case expects": (
        "boards/cases/2d-alphabeta.yaml", "score: 3", "score: 4",
        {"minimax_search_alphabeta", "progressive_deepening"},
    ),
    "what a known mistake is called": (MISTAKES, "finds the minimum", "finds the least one", set()),
    "its hint": (MISTAKES, "a hint", "another hint", set()),
    "its question": (MISTAKES, "a question?", "another question?", set()),
    "how a page is drawn": ("grader/showing/markdown.py", '"""', '# new\n"""', set()),
    "points": ("boards/points.yaml", "{points: 4, kind: command", "{points: 3, kind: command", set()),
    "what a case says": ("boards/cases/0a-zeroby.yaml", "says: ", "says: Now ", set()),
}  # fmt: skip


def digests_of(student: str, small_class: SmallClass) -> set[tuple[str, str]]:
    """For each verdict on a student's lab.py, the function, and the digest of all that
    has decided it.
    """
    lab = small_class.lab_of(student)
    question = f"SELECT function, digest FROM verdict WHERE lab = '{lab}'"
    return {(function, digest) for function, digest in small_class.ask(question)}


@pytest.mark.parametrize(("name", "old", "new", "again"), DECIDES.values(), ids=DECIDES)
def test_what_decides_a_verdict_is_graded_again(
    name: str, old: str, new: str, again: set[str] | None, graded_class: SmallClass
) -> None:
    """dan's lab.py cannot be imported, and so its verdicts are there at once."""
    before = digests_of("dan", graded_class)
    file = graded_class.kit / name
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    take_as_filled(graded_class.kit)

    graded_class.grade("WHO=dan")

    graded = {function for function, _ in digests_of("dan", graded_class) - before}
    if again is None:
        again = {function for function, _ in before}
    assert graded == again


def test_a_change_that_is_taken_back_grades_nothing(graded_class: SmallClass) -> None:
    cases = graded_class.kit / "boards" / "cases" / "2d-alphabeta.yaml"
    text = cases.read_text("utf-8")
    cases.write_text(text.replace("score: 3", "score: 4", 1), "utf-8")
    take_as_filled(graded_class.kit)
    assert TO_GRADE in graded_class.grade("WHO=dan")
    cases.write_text(text, "utf-8")
    take_as_filled(graded_class.kit)

    assert TO_GRADE not in graded_class.grade()


@pytest.fixture
def ungraded_dan(graded_class: SmallClass) -> SmallClass:
    """The class after a fault of the machine in one function of dan's lab.py."""
    graded_class.change_store(
        f"""UPDATE verdict SET cases = '{{"fault": "no machine"}}'
        WHERE lab = '{graded_class.lab_of("dan")}' AND function = 'ZeroBy'"""
    )
    return graded_class


def test_whoever_is_ungraded_is_named_and_not_graded_again_unasked(
    ungraded_dan: SmallClass,
) -> None:
    said = ungraded_dan.grade()
    assert TO_GRADE not in said
    assert re.search("^ungraded: dan: .*AGAIN=ungraded", said, re.MULTILINE)


def test_again_grades_whoever_is_ungraded(
    ungraded_dan: SmallClass, as_graded: SmallClass
) -> None:
    said = ungraded_dan.grade("AGAIN=ungraded")
    assert "1 submission to grade" in said
    assert ungraded_dan.verdicts() == as_graded.verdicts()


def test_again_grades_nothing_if_nobody_is_ungraded(graded_class: SmallClass) -> None:
    assert TO_GRADE not in graded_class.grade("AGAIN=ungraded")


def test_again_grades_all_of_somebody(
    graded_class: SmallClass, as_graded: SmallClass
) -> None:
    said = graded_class.grade("AGAIN=all WHO=dan")
    assert "1 submission to grade" in said
    assert graded_class.verdicts() == as_graded.verdicts()


# --- isolation -----------------------------------------------------------------------


def test_below_the_isolation_of_the_course_nothing_runs(ungraded: SmallClass) -> None:
    decide(ungraded.kit, isolation="box")
    refused = refusal(ungraded.type("grade --isolate lock"))
    assert "the course asks for isolation: box, and this machine has lock" in refused
    assert ungraded.verdicts() == {}


def test_a_command_that_is_refused_marks_nothing(graded_class: SmallClass) -> None:
    decide(graded_class.kit, isolation="box")
    done = graded_class.type("grade --isolate lock AGAIN=all")
    assert done.returncode == 2
    assert marks(graded_class) == 0


def test_a_way_of_isolation_that_does_not_hold_is_refused(ungraded: SmallClass) -> None:
    program = 'str(shutil.which("bwrap"))'
    change(ungraded.kit / FARM / "isolation.py", program, '"no-such-bwrap"')
    refused = refusal(ungraded.type("grade ISOLATE=bwrap WHO=dan"))
    says = "ISOLATE=bwrap does not work on this machine (python grader doctor says "
    assert refused.startswith(says)
    assert ungraded.verdicts() == {}


@pytest.mark.skipif(
    bool(complaint_of_bubblewrap()), reason="bubblewrap makes no box here"
)
def test_a_box_hides_the_machine(ungraded: SmallClass) -> None:
    done = ungraded.type("doctor --isolate bwrap")
    assert done.returncode == 0
    assert "NOT REFUSED" not in done.stdout


@pytest.mark.skipif(
    bool(complaint_of_bubblewrap()), reason="bubblewrap makes no box here"
)
def test_a_box_changes_no_verdict(ungraded: SmallClass, as_graded: SmallClass) -> None:
    said = ungraded.type("grade --isolate bwrap").stdout
    assert "isolation: box" in said
    assert ungraded.verdicts() == as_graded.verdicts()


@linux
def test_the_doctor_says_what_is_refused(ungraded: SmallClass) -> None:
    done = ungraded.type("doctor --isolate lock")
    assert done.returncode == 0
    refused = re.findall(r"^  (.+?) {2,}refused$", done.stdout, re.MULTILINE)
    promised = {"read the cases", "connect to a server", "outlive its function"}
    assert promised <= {*refused}
    says = "\nisolation: lock, which is what the course asks for\n"
    assert done.stdout.endswith(says)


@linux
@pytest.mark.parametrize(
    ("needed", "status", "says"),
    [
        ("box", 1, "which is not enough, since the course asks for box: "),
        ("none", 0, "which is enough: it is stronger than none, the least that the course asks for\n"),
    ],
)  # fmt: skip
def test_the_doctor_says_whether_that_is_enough(
    needed: str, status: int, says: str, ungraded: SmallClass
) -> None:
    decide(ungraded.kit, isolation=needed)
    only_probe(ungraded.kit, "raise OSError")
    done = ungraded.type("doctor --isolate lock")
    assert done.returncode == status
    assert f"\nisolation: lock, {says}" in done.stdout


def only_probe(kit: Path, code: str) -> None:
    """Let the doctor try nothing but this code, and the last probe of the kit's."""
    probes = kit / FARM / "probes.yaml"
    last = probes.read_text("utf-8").splitlines()[-2]
    probes.write_text(f'- {{tries: breathe, code: "{code}"}}\n{last}\n', "utf-8")


@linux
def test_the_doctor_says_why_the_status_is_bad(ungraded: SmallClass) -> None:
    """No isolation refuses this probe."""
    only_probe(ungraded.kit, "pass")
    done = ungraded.type("doctor --isolate lock")
    assert done.returncode == 1
    says = "does not keep what lock promises: see NOT REFUSED above.\n"
    assert done.stdout.endswith(says)


# --- faults --------------------------------------------------------------------------

BEFORE_A_LAB = "    with Session(lab, bank, seconds=MOST_SECONDS"
DIES = """
    if Path("deaths").exists():
        with open("deaths", "r+") as file:
            left = file.read()
            file.seek(0)
            file.truncate()
            file.write(left[1:])
        if left:
            os._exit(9)
"""


def spoil_the_process_that_grades(small_class: SmallClass, code: str) -> None:
    """Let the process that grades run this code before each submission."""
    file = small_class.kit / FARM / "kit_process.py"
    change(file, BEFORE_A_LAB, code + BEFORE_A_LAB)


def test_a_process_that_dies_once_changes_no_verdict(
    ungraded: SmallClass, as_graded: SmallClass
) -> None:
    spoil_the_process_that_grades(ungraded, DIES)
    (ungraded.kit / "deaths").write_text("x")
    ungraded.grade("WHO=dan")
    verdicts = ungraded.verdicts()
    assert verdicts
    assert verdicts.items() <= as_graded.verdicts().items()


def test_a_submission_with_which_a_process_dies_twice_is_ungraded(
    ungraded: SmallClass,
) -> None:
    spoil_the_process_that_grades(ungraded, DIES)
    (ungraded.kit / "deaths").write_text("xx")
    ungraded.grade("WHO=dan")
    assert {*ungraded.verdicts().values()} == {DIED_TWICE}


LOSES_AN_INTERRUPT = """
    import time

    class Closes:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    Closes()
    for _ in range(1000):
        time.sleep(0.01)
"""


def test_an_interrupt_that_python_drops_still_ends_the_process(
    ungraded: SmallClass,
) -> None:
    """As if Ctrl-C came while Python ran a `__del__`; a process that goes on waits, and
    grades then.
    """
    spoil_the_process_that_grades(ungraded, LOSES_AN_INTERRUPT)
    done = ungraded.type("grade --isolate lock WHO=dan")
    assert (done.returncode, done.stderr) == (0, "")
    assert {*ungraded.verdicts().values()} == {DIED_TWICE}


def test_a_process_that_cannot_be_started_ends_the_command(
    ungraded: SmallClass,
) -> None:
    change(ungraded.kit / FARM / "pool.py", "[sys.executable, ", '["no-such-python", ')
    done = ungraded.type("grade --isolate lock WHO=dan")
    assert done.returncode == 2
    assert done.stderr == "No such file or directory: 'no-such-python'\n"


@pytest.mark.parametrize(
    "words",
    [
        "grade --isolate nothing",
        "grade --who nobody",
        "grade --again yes",
        "doctor --isolate no",
    ],
)
def test_a_slip_is_one_line(words: str, ungraded: SmallClass) -> None:
    slip = words.split()[-1]
    assert slip in refusal(ungraded.type(words))


# --- hidden cases --------------------------------------------------------------------


def hide(small_class: SmallClass, seed: str = "one") -> str:
    """Type make hidden, which succeeds; what it prints."""
    done = small_class.type(f"hidden --seed {seed}")
    assert done.returncode == 0, done.stderr
    return done.stdout


def hidden_cases(small_class: SmallClass) -> dict[str, bytes]:
    """The files in staff/hidden/, by name."""
    files = (small_class.kit / "staff" / "hidden").iterdir()
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.long
def test_hidden_cases_pass_and_make_test_has_them(ungraded: SmallClass) -> None:
    assert "every right lab passes them" in hide(ungraded)
    screen = ungraded.type("test COURSE=1").stdout
    assert " hidden cases" in screen.splitlines()[0]


@pytest.mark.long
def test_hidden_cases_are_the_same_for_the_same_seed(ungraded: SmallClass) -> None:
    hide(ungraded, "one")
    first = hidden_cases(ungraded)
    hide(ungraded, "one")
    same_seed = hidden_cases(ungraded)
    hide(ungraded, "two")
    other_seed = hidden_cases(ungraded)
    assert same_seed == first
    assert other_seed != first


BY_HAND = """part: 2
function: dfs_maximizing
hidden: true
cases:
  - id: of-mine
    says: A tree of mine.
    state: {tree: FOUR_BY_FOUR}
"""


@pytest.fixture
def by_hand(ungraded: SmallClass) -> SmallClass:
    """The class with a hidden case that somebody has written."""
    lay(ungraded.kit / "staff" / "hidden", {"2y-mine.yaml": BY_HAND})
    assert ungraded.type("expectations").returncode == 0
    return ungraded


@pytest.mark.long
def test_hidden_cases_written_by_hand_stay(by_hand: SmallClass) -> None:
    before = hidden_cases(by_hand)["2y-mine.yaml"]
    hide(by_hand)
    assert hidden_cases(by_hand)["2y-mine.yaml"] == before


@pytest.mark.long
def test_hidden_cases_written_by_hand_are_not_overwritten(by_hand: SmallClass) -> None:
    folder = by_hand.kit / "staff" / "hidden"
    (folder / "2y-mine.yaml").rename(folder / "2a-dfs-in-disguise.yaml")
    done = by_hand.type("hidden --seed one")
    assert done.returncode == 2
    says = "2a-dfs-in-disguise.yaml was written by hand; rename it"
    assert says in done.stderr


def test_a_right_lab_that_loses_points_stops_hidden_cases(ungraded: SmallClass) -> None:
    model = (ungraded.kit / "lab.py").read_text("utf-8")
    wrong = model.replace("max if maximize else min", "min") + "\ntry_it = None\n"
    lay(ungraded.kit / "staff/submissions/right_labs", {"wrong.py": wrong})

    done = ungraded.type("hidden --seed one")

    assert done.returncode == 1
    assert "a right lab loses points: delete these cases" in done.stderr
    assert "wrong.py: minimax-endgame-in-disguise/" in done.stdout
    assert "every right lab passes" not in done.stdout


VOID = "    void: {how: full, why: two readings}\n"


@pytest.fixture
def twins(ungraded: SmallClass) -> tuple[SmallClass, str, str]:
    """The class with hidden twins of two public cases, of which the first is void then,
    and the second asks something else; and the ids of the two.
    """
    hide(ungraded)
    cases = ungraded.kit / "boards" / "cases" / "2a-dfs.yaml"
    text = cases.read_text("utf-8")
    void, another = re.findall(r"^  - id: (\S+)", text, re.MULTILINE)[:2]
    text = text.replace(f"  - id: {void}\n", f"  - id: {void}\n{VOID}")
    tree = rf"(  - id: {another}\n(?:    .*\n)*?    .*tree: )\w+"
    cases.write_text(re.sub(tree, r"\g<1>EQUAL_BOUNDS", text), "utf-8")
    return ungraded, void, another


@pytest.mark.long
def test_a_hidden_twin_follows_its_public_case_or_is_named(
    twins: tuple[SmallClass, str, str],
) -> None:
    small_class, void, another = twins

    filled_in = small_class.type("expectations")
    graded = small_class.grade("WHO=dan")

    assert filled_in.returncode == 0, filled_in.stderr
    says = f"dfs-in-disguise/{another} is made of a public case that asks something else now: "
    assert says in filled_in.stdout
    assert "python grader hidden writes it again." in filled_in.stdout
    assert f"void like the public case: dfs-in-disguise/{void}\n" in graded
    assert f"so look at them: dfs-in-disguise/{another}\n" in graded
    log = small_class.type("log").stdout
    assert f"void of dfs-in-disguise/{void}: full: two readings" in log


@pytest.mark.long
def test_make_hidden_makes_the_twins_anew(twins: tuple[SmallClass, str, str]) -> None:
    """A void case has no twin, and the twin of the other one is new."""
    small_class, _, _ = twins
    assert small_class.type("expectations").returncode == 0
    hide(small_class)
    assert "public case" not in small_class.grade("WHO=dan")
