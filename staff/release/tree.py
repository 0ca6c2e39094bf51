"""What a release is made of: this tree without staff/ and what else is the master's,
cut to the parts of the course.

lab.py                    with stubs in place of the solutions
README.md, docs/          the handout, and the pages beside it
boards/points.yaml        the chosen parts and their points
boards/cases/, tests/     what is for them; the cases are coded if the course does not show what is expected
boards/reference_traces/  the reference searches of these cases, and what known mistakes answer to them;
boards/misconceptions/    none if the course does not show it
.github/workflows/        where the kit is fetched from
grader/release.json       version, course, and the names of all other files
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
from grader.release import MASTER, RELEASE, Release
from staff.call_graph import definitions
from staff.course import Course
from staff.release.handout import handout_context, render_handout
from staff.release.regions import only_parts, without_solutions
from staff.release.shares import course_bank, functions_of

KIT = Path(__file__).parent.parent.parent
OF_THE_MASTER = (
    "staff/", "docs/", ".ci/", ".github/workflows/kit.yml", ".pre-commit-config.yaml",
    "CHANGELOG.md", "CONTRIBUTING.md",
)  # fmt: skip
WORKFLOW = ".github/workflows/classroom.yml"
NO_KIT, SKIPPED = b'\n      KIT: ""', b"\n    if: false && "
CASES, REFERENCE_TRACES, MISCONCEPTIONS = (
    "boards/cases/",
    "boards/reference_traces/",
    "boards/misconceptions/",
)
FOR_STAFF = b"# From here on it is for staff"

Tree = dict[str, bytes]
"""The bytes of each file, by its name with slashes."""


def release_tree(course: Course, before: Release = MASTER) -> Tree:
    """The files of a release, which follows another one.  Raises BadFile for a mistake
    in what it is made of.
    """
    parts = course_bank(course).parts
    shown = {
        name
        for part in parts
        for name in part.functions
        if part.hidden.get(name, 0) < 1
    }
    tree = {
        name: (KIT / name).read_bytes() for name in shipped() if _is_for(name, shown)
    }
    file = KIT / "lab.py"
    tree["lab.py"] = only_parts(
        without_solutions(file.read_text("utf-8"), file), course.parts, file
    ).encode()
    tree |= {
        name: text.encode()
        for name, text in render_handout(handout_context(course, parts)).items()
    }
    tree["boards/points.yaml"] = points_file(course, parts)
    tree["pyproject.toml"] = (
        tree["pyproject.toml"].partition(FOR_STAFF)[0].rstrip() + b"\n"
    )
    tree[WORKFLOW] = workflow_for(course.repository, tree[WORKFLOW])
    _check_tests(shown, tree)
    if course.feedback != "full":
        tree = {
            name: data
            for name, data in tree.items()
            if not name.startswith((REFERENCE_TRACES, MISCONCEPTIONS))
        }
        tree |= {
            name: coded(data) for name, data in tree.items() if name.startswith(CASES)
        }
    functions = [name for part in parts for name in part.functions]
    since = {name: before.since.get(name, course.version) for name in functions}
    later = {
        name for name in functions if before.since and name not in before.since
    } | before.stubs.keys()
    lab, stubs = tree["lab.py"], dict[str, str]()
    for names, each in definitions(lab):
        stubs |= dict.fromkeys(
            names & later, ast.get_source_segment(lab.decode(), each) or ""
        )
    tree[RELEASE] = _facts(course, tree, since, stubs)
    return dict(sorted(tree.items()))


def shipped() -> list[str]:
    """The files of the master copy that are not staff's, as git knows them.

    BadFile for a file that nobody has said to be part of the kit: one that git does not
    know.
    """
    for name in _listed("--others", "--exclude-standard"):
        if not name.startswith(OF_THE_MASTER):
            raise BadFile(
                KIT / name,
                1,
                "this is not part of the kit yet; git add it, or move it out of this folder",
            )
    for name in _listed("--cached", "grades"):
        raise BadFile(
            KIT / name,
            1,
            "what belongs to a class is no part of the kit; git rm --cached it",
        )
    return [
        name
        for name in _listed("--cached")
        if not name.startswith(OF_THE_MASTER) and (KIT / name).exists()
    ]


def _listed(*which: str) -> list[str]:
    """What git lists here.  ValueError, in git's own words, if git lists nothing."""
    words = ["git", "-c", "core.quotepath=off", "ls-files", "-z", *which]
    done = subprocess.run(words, cwd=KIT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(
            f"a release is made of what git knows, and git says: {' '.join(done.stderr.split())}"
        )
    return [name for name in done.stdout.split("\0") if name]


def _is_for(name: str, functions: set[str]) -> bool:
    """Whether a file is for one of these functions: cases of no other one, and tests of
    no other part, are left out.
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
    """The points.yaml of a release: that of the master copy, cut to the course,
    comments kept.
    """
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 120
    data = yaml.load(POINTS)
    data["parts"] = [part for part in data["parts"] if part["part"] in course.parts]
    data["total"] = sum(part["points"] for part in data["parts"])
    if course.scaled_to is not None:
        is_whole = course.scaled_to.denominator == 1
        data["rescaled_to"] = (
            int(course.scaled_to) if is_whole else float(course.scaled_to)
        )
    if hidden := {
        name: float(share) for part in parts for name, share in part.hidden.items()
    }:
        data["hidden"] = hidden
    stream = io.BytesIO()
    yaml.dump(data, stream)
    return stream.getvalue()


def workflow_for(repository: str, workflow: bytes) -> bytes:
    """The workflow of a release: it runs, and fetches the kit from this repository,
    which only this file names.
    """
    for text in (NO_KIT, SKIPPED):
        if workflow.count(text) != 1:
            raise BadFile(
                KIT / WORKFLOW,
                1,
                f"`{text.decode().strip()}` has to stand here once; make release changes it",
            )
    runs = workflow.replace(SKIPPED, SKIPPED.replace(b"false && ", b""))
    return runs.replace(NO_KIT, NO_KIT.replace(b'""', repository.encode()))


def _check_tests(shown: set[str], tree: Tree) -> None:
    """Raise BadFile if a part with functions that are shown has no test."""
    for part in read_points():
        name, test = (
            f"tests/test_part{part.number}.py",
            f"def test_part{part.number}(case, grade):",
        )
        if shown & part.functions.keys() and test.encode() not in tree.get(name, b""):
            raise BadFile(
                KIT / name, 1, f"part {part.number} has no test; write `{test}`"
            )


def coded(text: bytes) -> bytes:
    """A case file of a release that does not show what is expected: `read_yaml` of
    boards reads it.
    """
    lines = textwrap.wrap(base64.b64encode(zlib.compress(text, 9)).decode(), 120)
    return "\n".join([f"{SEALED}: |", *(f"  {line}" for line in lines), ""]).encode()


def _facts(
    course: Course, tree: Tree, since: dict[str, str], stubs: dict[str, str]
) -> bytes:
    """release.json, which the kit reads with grader/release.py."""
    release = Release(
        version=course.version,
        course=f"{course.title}, {course.term}",
        help=course.help,
        due=course.in_words(course.due),
        counts=f"What counts is the lab.py {course.hand_in_text[1]}. {course.counts_text}",
        repository=course.repository,
        feedback=course.feedback,
        names=tuple(sorted(tree.keys() - {"lab.py"})),
        since=since,
        stubs=stubs,
    )
    return (json.dumps(asdict(release), indent=1, ensure_ascii=False) + "\n").encode()
