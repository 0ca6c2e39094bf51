"""Makes the files of a release: this tree without the files of staff, cut to the parts
of the course.

lab.py                    with stubs in place of the solutions
README.md, docs/          the handout, and the pages beside it
boards/points.yaml        the chosen parts and their points
boards/cases/, tests/     the cases and tests of the chosen parts.  The cases are
                          encoded if the course does not show expected results
boards/reference_traces/  the reference searches in the cases of the chosen parts, if
                          the course shows expected results
boards/misconceptions/    the answers of known mistakes, if the course shows expected
                          results
.github/workflows/        with the address from which the workflow fetches the kit
grader/release.json       the version, what students are told, which functions are new,
                          and the names of all other files except lab.py

The other files are the same as in this tree, except that pyproject.toml is shorter.
"""

import ast
import base64
import io
import json
import subprocess
import textwrap
import zlib
from dataclasses import asdict
from pathlib import Path

from ruamel.yaml import YAML

from boards.reading import POINTS, SEALED, BadFile
from grader.bank.points import Part, read_points
from grader.refusal import Refusal
from grader.release import MASTER, RELEASE, Release
from staff.call_graph import definitions
from staff.course import Course
from staff.release.handout import handout_context, render_handout
from staff.release.questions import CASES as QUESTIONS
from staff.release.questions import case_text, with_questions
from staff.release.regions import only_parts, without_solutions
from staff.release.shares import course_bank, functions_of

KIT = Path(__file__).parent.parent.parent
OF_THE_MASTER = (
    "staff/", "docs/", ".ci/", ".github/workflows/kit.yml", ".pre-commit-config.yaml",
    ".vscode/extensions.json", "CHANGELOG.md", "CONTRIBUTING.md",
)  # fmt: skip
WORKFLOW = ".github/workflows/classroom.yml"
# The workflow has this text where the address of the kit goes.
NO_KIT = b'\n      KIT: ""'
# In a master copy, the workflow has this text, which keeps it from running.
SKIPPED = b"\n    if: false && "
CASES = "boards/cases/"
REFERENCE_TRACES = "boards/reference_traces/"
MISCONCEPTIONS = "boards/misconceptions/"
FOR_STAFF = b"# From here on it is for staff"

Tree = dict[str, bytes]
"""The bytes of each file.  The key is the name of the file, with slashes."""


def release_tree(course: Course, before: Release = MASTER) -> Tree:
    """Make the files of a release.

    `before` is the release that came before this one; MASTER if there is none.  Raises
    BadFile for a mistake in a file of the master copy, and Refusal if git does not list
    the files.
    """
    bank = course_bank(course)
    parts = bank.parts
    shown = {
        name
        for part in parts
        for name in part.functions
        if part.hidden.get(name, 0) < 1
    }
    tree = {
        name: (KIT / name).read_bytes() for name in shipped() if _is_for(name, shown)
    }
    questions = f"{CASES}{QUESTIONS}"
    if course.questions and questions in tree:
        tree[questions] = case_text(course.questions).encode()
    tree["lab.py"] = stub_for(course).encode()
    for name, text in render_handout(handout_context(course, bank)).items():
        tree[name] = text.encode()
    tree["boards/points.yaml"] = points_file(course, parts)
    for_students = tree["pyproject.toml"].partition(FOR_STAFF)[0]
    tree["pyproject.toml"] = for_students.rstrip() + b"\n"
    tree[WORKFLOW] = workflow_for(course.repository, tree[WORKFLOW])
    _check_tests(shown, tree)
    if course.feedback != "full":
        tree = without_expected_results(tree)
    functions = [name for part in parts for name in part.functions]
    since = {name: before.since.get(name, course.version) for name in functions}
    new = set[str]()
    if before.since:
        new = {name for name in functions if name not in before.since}
    stubs = _stubs_of(new | before.stubs.keys(), tree["lab.py"])
    tree[RELEASE] = _facts(course, tree, since, stubs)
    return dict(sorted(tree.items()))


def stub_for(course: Course) -> str:
    """The text of lab.py with which the students of a course begin."""
    file = KIT / "lab.py"
    text = with_questions(file.read_text("utf-8"), course, file)
    text = without_solutions(text, file)
    return only_parts(text, course.parts, file)


def without_expected_results(tree: Tree) -> Tree:
    """Encode the case files, and leave out reference traces and known mistakes.

    A release is like this if the course does not show expected results.
    """
    smaller = {}
    for name, data in tree.items():
        if name.startswith(CASES):
            smaller[name] = coded(data)
        elif not name.startswith((REFERENCE_TRACES, MISCONCEPTIONS)):
            smaller[name] = data
    return smaller


def _stubs_of(functions: set[str], lab: bytes) -> dict[str, str]:
    """Return the text of the stub in `lab` for each of these functions."""
    stubs = {}
    for names, statement in definitions(lab):
        text = ast.get_source_segment(lab.decode(), statement) or ""
        for name in names & functions:
            stubs[name] = text
    return stubs


def shipped() -> list[str]:
    """The names of the files that ship, as git lists them.

    Raises BadFile for a file that git does not know, because nobody has decided whether
    it ships.  Raises BadFile for a file in grades/ that git knows.  Raises Refusal if
    git fails.
    """
    for name in _listed("--others", "--exclude-standard"):
        if not name.startswith(OF_THE_MASTER):
            raise BadFile(
                KIT / name,
                1,
                "this is not part of the kit yet; "
                "git add it, or move it out of this folder",
            )
    for name in _listed("--cached", "grades"):
        raise BadFile(
            KIT / name,
            1,
            "what belongs to a class is not part of the kit; git rm --cached it",
        )
    return [
        name
        for name in _listed("--cached")
        if not name.startswith(OF_THE_MASTER) and (KIT / name).exists()
    ]


def _listed(*which: str) -> list[str]:
    """The names that git lists in this tree.  Raises Refusal if git fails."""
    words = ["git", "-c", "core.quotepath=off", "ls-files", "-z", *which]
    done = subprocess.run(words, cwd=KIT, capture_output=True, text=True, check=False)
    if done.returncode:
        problem = " ".join(done.stderr.split())
        raise Refusal(f"a release contains only tracked files, and git says: {problem}")
    return [name for name in done.stdout.split("\0") if name]


def _is_for(name: str, functions: set[str]) -> bool:
    """Whether a file ships in a release with these functions.

    Cases, reference traces, answers of known mistakes, and tests that are only about
    other functions do not ship.
    """
    file = KIT / name
    if name.startswith((CASES, REFERENCE_TRACES)):
        return bool(functions & functions_of(KIT / CASES / f"{file.stem}.yaml"))
    if name.startswith(MISCONCEPTIONS):
        return file.stem in functions
    parts = {
        f"tests/test_part{part.number}.py": part.functions for part in read_points()
    }
    return name not in parts or bool(functions & parts[name].keys())


def points_file(course: Course, parts: tuple[Part, ...]) -> bytes:
    """Return the points.yaml of a release: only the chosen parts, with their comments.

    It also says to how many points the course is scaled, and which shares of points are
    left to hidden cases.
    """
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 120
    data = yaml.load(POINTS)
    data["parts"] = [part for part in data["parts"] if part["part"] in course.parts]
    data["total"] = sum(part["points"] for part in data["parts"])
    if course.scaled_to is not None:
        data["rescaled_to"] = float(course.scaled_to)
        if course.scaled_to.denominator == 1:
            data["rescaled_to"] = int(course.scaled_to)
    hidden = {
        name: float(share) for part in parts for name, share in part.hidden.items()
    }
    if hidden:
        data["hidden"] = hidden
    stream = io.BytesIO()
    yaml.dump(data, stream)
    return stream.getvalue()


def workflow_for(repository: str, workflow: bytes) -> bytes:
    """The workflow of a release.  It is switched on, and fetches the kit from
    `repository`.

    Two texts in `workflow` are replaced.  Raises BadFile if one of them is missing, or
    is there more than once.
    """
    for text in (NO_KIT, SKIPPED):
        if workflow.count(text) != 1:
            raise BadFile(
                KIT / WORKFLOW,
                1,
                f"`{text.decode().strip()}` must be here exactly once; "
                "make release changes it",
            )
    runs = workflow.replace(SKIPPED, SKIPPED.replace(b"false && ", b""))
    return runs.replace(NO_KIT, NO_KIT.replace(b'""', repository.encode()))


def _check_tests(shown: set[str], tree: Tree) -> None:
    """Raise BadFile if the release shows functions of a part that has no test."""
    for part in read_points():
        name = f"tests/test_part{part.number}.py"
        test = f"def test_part{part.number}(case, grade):"
        if shown & part.functions.keys() and test.encode() not in tree.get(name, b""):
            raise BadFile(
                KIT / name, 1, f"part {part.number} has no test; write `{test}`"
            )


def coded(text: bytes) -> bytes:
    """Encode a case file, for a release that does not show expected results.

    `read_yaml` of boards can read the encoded file.
    """
    lines = textwrap.wrap(base64.b64encode(zlib.compress(text, 9)).decode(), 120)
    return "\n".join([f"{SEALED}: |", *(f"  {line}" for line in lines), ""]).encode()


def _facts(
    course: Course, tree: Tree, since: dict[str, str], stubs: dict[str, str]
) -> bytes:
    """The text of release.json.  grader/release.py reads this file."""
    release = Release(
        version=course.version,
        due=course.in_words(course.due),
        counts=f"We grade the lab.py {course.hand_in_text[1]}. {course.counts_text}",
        repository=course.repository,
        feedback=course.feedback,
        names=tuple(sorted(tree.keys() - {"lab.py"})),
        since=since,
        stubs=stubs,
    )
    return (json.dumps(asdict(release), indent=1, ensure_ascii=False) + "\n").encode()
