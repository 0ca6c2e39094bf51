"""Scratch roots with the folders and the environment of the services that run a
bundle.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

NEEDED = ("bash", "cat", "chmod", "dirname", "env", "id", "mkdir", "rm", "sh")
USABLE = "import ensurepip, os, sys; sys.exit(sys.version_info < (3, 11) or not os.access(sys._base_executable, os.X_OK))"
PIP = {
    name: value
    for name, value in os.environ.items()
    if name.startswith("PIP_") or name == "HOME"
}


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a zip with the modes that it gives."""
    with zipfile.ZipFile(archive) as files:
        for entry in files.infolist():
            Path(files.extract(entry, folder)).chmod(entry.external_attr >> 16 & 0o777)


def python_for(user: str) -> str | None:
    """A Python of 3.11 or newer, with venv, that a user can run; None where there is
    none.
    """
    uid = pwd.getpwnam(user).pw_uid
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        check = [os.path.realpath(python), "-c", USABLE]
        try:
            if subprocess.run(
                check,
                user=uid,
                group=uid,
                extra_groups=[],
                cwd="/",
                capture_output=True,
            ).returncode:
                continue
        except OSError:
            continue
        return check[0]
    return None


class Gradescope:
    """A root such as /autograder, with its commands on a PATH of its own; apt-get and
    useradd are stand-ins that log their words, and apt-get brings python3.11.

    `user` is who runs the student's code; empty where that cannot be anybody else here,
    `why`.
    """

    def __init__(self, archive: Path) -> None:
        self.top = Path(
            tempfile.mkdtemp(prefix="gradescope-")
        )  # not below pytest's own folders: those are closed
        self.top.chmod(0o755)
        self.root, self.commands, self.log = (
            self.top / name for name in ("autograder", "commands", "log")
        )
        for name in ("source", "submission", "results"):
            (self.root / name).mkdir(parents=True)
        (self.root / "submission_metadata.json").write_text(
            '{"previous_submissions": []}', encoding="utf-8"
        )
        unpack(archive, self.root / "source")
        shutil.copy(self.root / "source" / "run_autograder", self.root)
        self.user, self.why, python = "nobody", "", None
        if os.geteuid() != 0:
            self.user, self.why = "", "only root can start processes as another user"
        elif (python := python_for("nobody")) is None:
            self.user, self.why = (
                "",
                "no Python of 3.11 or newer that the user nobody can run",
            )
        self._make_commands(python or os.path.realpath(sys.executable))

    def _make_commands(self, python: str) -> None:
        self.commands.mkdir()
        for name in NEEDED:
            (self.commands / name).symlink_to(shutil.which(name) or f"/bin/{name}")
        later = f'#!/bin/sh\nexec {python} "$@"\n'
        self._script("useradd", f'echo "useradd $*" >> {self.log}')
        self._script(
            "apt-get",
            f'echo "apt-get $*" >> {self.log}\n[ "$1" = install ] || exit 0\n'
            f"cat > {self.commands}/python3.11 <<'END'\n{later}END\nchmod 755 {self.commands}/python3.11",
        )

    def _script(self, name: str, text: str) -> None:
        (self.commands / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (self.commands / name).chmod(0o755)

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a program of the bundle, as the service does."""
        environment = {**PIP, "PATH": str(self.commands), "GRADER_USER": self.user}
        return subprocess.run(
            words,
            cwd="/",
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=300,
        )

    def submit(self, **files: str) -> "subprocess.CompletedProcess[str]":
        """Grade a submission of these files, named without .py; `__` stands for a
        slash.
        """
        shutil.rmtree(self.root / "submission")
        (self.root / "submission").mkdir()
        for name, text in files.items():
            file = self.root / "submission" / f"{name.replace('__', '/')}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return self.run(str(self.root / "run_autograder"))

    def remove(self) -> None:
        """Delete all of it."""
        shutil.rmtree(self.top)


class Classroom50:
    """A run of its autograder: the bundle is unpacked in a folder of the runner's, and
    started in a checkout.

    Its Python has pip, and no package besides.
    """

    SUBMISSION = "submit/2026-11-21T20-00-00Z-a1b2c3d"

    def __init__(self, folder: Path, bundle: Path, python: Path) -> None:
        self.bundle, self.checkout, self.python = (
            folder / "runtime" / "games-lab",
            folder / "checkout",
            python,
        )
        shutil.copytree(
            bundle, self.bundle, ignore=shutil.ignore_patterns("__pycache__")
        )
        (self.checkout / ".github" / "workflows").mkdir(parents=True)
        (self.checkout / ".classroom50.yaml").write_text(
            "classroom: ai\nassignment: games-lab\n", encoding="utf-8"
        )

    @property
    def result(self) -> Path:
        """What the service reads."""
        return self.checkout / "result.json"

    def grade(
        self, lab: str | None, **variables: str
    ) -> "subprocess.CompletedProcess[str]":
        """Grade this lab.py, or a checkout without one."""
        if lab is not None:
            (self.checkout / "lab.py").write_text(lab, encoding="utf-8")
        page = "https://github.example/course/ai-games-lab-alice"
        environment = {
            **PIP,
            "PATH": os.environ["PATH"],
            "CLASSROOM": "ai",
            "ASSIGNMENT": "games-lab",
            "ASSIGNMENT_TYPE": "individual",
            "OWNER": "alice",
            "USERNAME": "alice",
            "SUBMISSION_TAG": self.SUBMISSION,
            "COMMIT_URL": f"{page}/commit/a1b2c3d",
            "RELEASE_URL": f"{page}/releases/tag/{self.SUBMISSION.replace('/', '%2F')}",
            "REVIEW_URL": f"{page}/compare/0000000...a1b2c3d",
            "CLASSROOM50_BUNDLE_DIR": str(self.bundle),
            **variables,
        }
        return subprocess.run(
            [self.python, self.bundle / "autograder.py"], cwd=self.checkout, env=environment, capture_output=True,
            text=True, stdin=subprocess.DEVNULL, timeout=300,
        )  # fmt: skip
