"""What a release is made of: this tree without staff/ and what else is the master's, cut to the parts of the course.

lab.py                 with stubs in place of the solutions
README.md              the handout
boards/points.yaml     the chosen parts and their points
boards/cases/, tests/  what is for them; the cases sealed, where the course does not tell what is wanted
boards/reference_traces/          the asked searches of these cases, and what known mistakes answer to them, under
boards/misconceptions/ digests; none where it does not tell
.github/workflows/     where the kit is fetched from
grader/release.json    version, course, and the name of each file
"""

import base64
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
import textwrap
import zlib
from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

from ruamel.yaml import YAML

from boards.cases import POINTS, Part, read_points
from boards.reading import SEALED, BadFile
from grader.release import RELEASE, Release
from staff.course import Course
from staff.release.handout import handout_context, render_handout
from staff.release.regions import only_parts, without_solutions
from staff.release.shares import functions_of, hidden_shares
from staff.strict.bank import checked_bank

KIT = Path(__file__).parent.parent.parent
OF_THE_MASTER = {
    "staff", "docs", ".ci", ".git", ".github/workflows/kit.yml", ".pre-commit-config.yaml", "CHANGELOG.md",
    "CONTRIBUTING.md",
}  # fmt: skip
NEVER = (".venv", "build", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache")
AT_THE_TOP = {
    ".devcontainer", ".gitattributes", ".github", ".gitignore", ".vscode", "LICENSE", "Makefile", "README.md",
    "api", "boards", "grader", "lab.py", "make.cmd", "pyproject.toml", "requirements.txt", "tests",
}  # fmt: skip
WORKFLOW, NO_KIT = ".github/workflows/classroom.yml", b'\n      KIT: ""'
CASES, REFERENCE_TRACES, MISCONCEPTIONS = "boards/cases/", "boards/reference_traces/", "boards/misconceptions/"
FOR_STAFF = b"# From here on it is for staff"
_TESTED = re.compile(r"^def test_(\w+)\(case", re.MULTILINE)

Tree = dict[str, bytes]
"""The bytes of each file, by its name with slashes."""


def release_tree(course: Course) -> Tree:
    """The files of a release.  Raises BadFile for a mistake in what it is made of."""
    bank = checked_bank()
    hidden = hidden_shares(course, bank)
    chosen = [part for part in bank.parts if part.number in course.parts]
    shown = {name for part in chosen for name in part.functions if hidden.get(name, 0) < 1}
    tree = {name: (KIT / name).read_bytes() for name in shipped() if _is_for(name, shown)}
    file = KIT / "lab.py"
    tree["lab.py"] = only_parts(without_solutions(file.read_text("utf-8"), file), course.parts, file).encode()
    tree["pyproject.toml"] = tree["pyproject.toml"].partition(FOR_STAFF)[0].rstrip() + b"\n"
    tree["boards/points.yaml"] = points_file(course, hidden)
    with tempfile.TemporaryDirectory() as folder:
        points = Path(folder, "points.yaml")
        points.write_bytes(tree["boards/points.yaml"])
        tree["README.md"] = render_handout(handout_context(course, read_points(points), hidden)).encode()
    check_tests(chosen, shown, tree)
    if course.feedback != "full":
        tree = {name: data for name, data in tree.items() if not name.startswith((REFERENCE_TRACES, MISCONCEPTIONS))}
        tree |= {name: seal(data) for name, data in tree.items() if name.startswith(CASES)}
    tree[WORKFLOW] = workflow_for(course.repository, tree[WORKFLOW])
    tree[RELEASE] = _facts(course, tree)
    return dict(sorted(tree.items()))


def seal(text: bytes) -> bytes:
    """A case file as a release has it that does not tell what is expected: `read_yaml` of boards reads it."""
    coded = textwrap.wrap(base64.b64encode(zlib.compress(text, 9)).decode(), 120)
    return "\n".join([f"{SEALED}: |", *(f"  {line}" for line in coded), ""]).encode()


def check_tests(parts: list[Part], shown: set[str], tree: Tree) -> None:
    """Raise BadFile where a function that is shown has no test."""
    tested = set(_TESTED.findall("\n".join(data.decode() for name, data in tree.items() if name.startswith("tests/"))))
    for part in parts:
        for function in part.functions:
            if function in shown and function not in tested:
                file = KIT / "tests" / f"test_part{part.number}.py"
                raise BadFile(file, 1, f"{function} has no test; write `def test_{function}(case, grade):`")


def workflow_for(repository: str, workflow: bytes) -> bytes:
    """The workflow that fetches the kit from this repository: no file of a student's says where that is.

    Raises BadFile where there is no place for it.
    """
    before, here, after = workflow.partition(NO_KIT)
    if not here or NO_KIT in after:
        raise BadFile(KIT / WORKFLOW, 1, f"`{NO_KIT.decode().strip()}` stands here once, for the kit's repository")
    return before + here.replace(b'""', repository.encode()) + after


def shipped() -> list[str]:
    """The files of the master copy that are not staff's.

    BadFile for a file that nobody has said to be part of the kit: one that git does not know, or,
    in a copy without git, one at the top that the kit does not have.
    """
    tracked, untracked = _listed("--cached"), _listed("--others", "--exclude-standard")
    if not tracked:
        tracked, untracked = list(_walk()), [path.name for path in KIT.iterdir() if path.name not in AT_THE_TOP]
    for name in untracked:
        if not (_is_of_the_master(name) or name.split("/")[0] in NEVER):
            raise BadFile(KIT / name, 1, "this is not part of the kit yet; git add it, or move it out of this folder")
    return sorted(name for name in tracked if not _is_of_the_master(name) and _is_file(name))


def points_file(course: Course, hidden: dict[str, Fraction]) -> bytes:
    """The points.yaml of a release: that of the master copy, cut to the course, comments kept."""
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 120
    data = yaml.load(POINTS)
    data["parts"] = [part for part in data["parts"] if part["part"] in course.parts]
    data["total"] = sum(part["points"] for part in data["parts"])
    if course.scaled_to is not None:
        data["rescaled_to"] = int(course.scaled_to)
    if hidden:
        data["hidden"] = {name: float(share) for name, share in hidden.items()}
    stream = io.BytesIO()
    yaml.dump(data, stream)
    return stream.getvalue()


def _listed(*which: str) -> list[str]:
    """What git lists here; nothing in a copy without git."""
    if not shutil.which("git"):
        raise ValueError("git is not installed, and a release is made of what it knows: https://git-scm.com")
    words = ["git", "-c", "core.quotepath=off", "ls-files", "-z", *which]
    done = subprocess.run(words, cwd=KIT, capture_output=True, text=True, check=False)
    return [name for name in done.stdout.split("\0") if name] if done.returncode == 0 else []


def _walk() -> Iterator[str]:
    """Every file of a master copy that is not in git."""
    for folder, folders, files in os.walk(KIT):
        folders[:] = [name for name in folders if name not in NEVER]
        yield from (Path(folder, name).relative_to(KIT).as_posix() for name in files)


def _is_of_the_master(name: str) -> bool:
    return name in OF_THE_MASTER or name.split("/")[0] in OF_THE_MASTER


def _is_file(name: str) -> bool:
    file = KIT / name
    if file.is_symlink():
        raise BadFile(file, 1, "a symbolic link cannot be part of a release; put the file itself there")
    return file.is_file()


def _is_for(name: str, functions: set[str]) -> bool:
    """Whether a file is for one of these functions: cases and tests of no other one are left out."""
    file = KIT / name
    if file.name.startswith("staff"):
        return False
    if name.startswith(CASES):
        return bool(functions & functions_of(file))
    if name.startswith(REFERENCE_TRACES):
        return bool(functions & functions_of(KIT / CASES / f"{file.stem}.yaml"))
    if name.startswith(MISCONCEPTIONS):
        return file.stem in functions
    if name.startswith("tests/"):
        tested = set(_TESTED.findall(file.read_text("utf-8")))
        return not tested or bool(functions & tested)
    return True


def _facts(course: Course, tree: Tree) -> bytes:
    """release.json, which the kit reads with grader/release.py."""
    release = Release(
        version=course.version,
        course=f"{course.title}, {course.term}",
        help=course.help,
        due=course.due_text,
        repository=course.repository,
        feedback=course.feedback,
        names=tuple(sorted(name for name in tree if name != "lab.py")),
    )
    return (json.dumps(asdict(release), indent=1, ensure_ascii=False) + "\n").encode()
