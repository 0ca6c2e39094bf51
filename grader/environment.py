"""Sets up the environment that the lab runs in: python grader/environment.py .venv requirements.txt

With pyproject.toml in place of requirements.txt, the staff's libraries are installed too.  All it
says goes to standard error.  This file must be readable to any Python, however old, so that an old
one can say that it is too old.
"""

import os
import shutil
import subprocess
import sys

HELP = "or give a ready one: make VENV=folder ..."


def main(folder, wanted):
    if sys.version_info < (3, 11):
        return fail("Python %d.%d is too old; the lab needs 3.11 or newer: make PYTHON=python3.12 ..." % sys.version_info[:2])
    python = os.path.join(folder, "Scripts" if os.name == "nt" else "bin", "python")
    say("setting up %s (once; this takes a minute)" % folder)
    if subprocess.call([sys.executable, "-m", "venv", folder], stdout=2, stderr=subprocess.DEVNULL):
        return fail("no environment could be made in %s: install Python's venv (Debian: python3-venv), %s" % (folder, HELP))
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.call(install + packages(wanted), stdout=2):
        return fail("pip could not install what %s lists; is there a network? Try again, %s" % (wanted, HELP))
    shutil.copy(wanted, os.path.join(folder, os.path.basename(wanted)))
    return 0


def packages(wanted):
    """What to install: a requirements file as it is, or the libraries that pyproject.toml lists."""
    if os.path.basename(wanted) != "pyproject.toml":
        return ["-r", wanted]
    import tomllib

    with open(wanted, "rb") as stream:
        project = tomllib.load(stream)["project"]
    return project["dependencies"] + project["optional-dependencies"]["staff"]


def say(text):
    sys.stderr.write(text + "\n")


def fail(text):
    say(text)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
