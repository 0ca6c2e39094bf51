"""Sets up the environment that the lab runs in.

    python grader/environment.py .venv requirements.txt

The script writes only to standard error.  Even a very old Python must be able to read
this file, so that the script can say that this Python is too old.
"""

import os
import shutil
import subprocess
import sys

WINDOWS = os.name == "nt"
HELP = "or give a ready one: make VENV=folder ..."
NEWER = "make PYTHON=python3.12 ..."
if WINDOWS:
    HELP = "or ask your course's staff"
    NEWER = "install one from https://www.python.org"


def main(folder, requirements):
    if sys.version_info < (3, 11):
        version = "%d.%d" % (sys.version_info[0], sys.version_info[1])
        return fail(
            "Python %s is too old; the lab needs 3.11 or newer: %s" % (version, NEWER)
        )
    # A Python that is too old may not have this module, so the import comes only now.
    from importlib.util import find_spec

    if find_spec("venv") is None or find_spec("ensurepip") is None:
        return fail(
            "no environment could be made: this Python lacks venv; install it "
            "(Debian, Ubuntu: sudo apt install python3-venv), %s" % HELP
        )
    sys.stderr.write("setting up %s (once; this takes a minute)\n" % folder)
    python = os.path.join(folder, "Scripts" if WINDOWS else "bin", "python")
    make = [sys.executable, "-m", "venv", folder]
    has_been_made = os.path.exists(os.path.join(folder, "pyvenv.cfg"))
    if has_been_made and not os.path.exists(python):
        make.append("--clear")  # The Python that made the folder is gone.
    made = subprocess.run(make, stdout=2, stderr=subprocess.PIPE)
    if made.returncode:
        reason = made.stderr.decode(errors="replace").strip().split("\n")[-1]
        return fail(
            "no environment could be made in %s (%s): correct that, %s"
            % (folder, reason, HELP)
        )
    install = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    install += ["-r", requirements]
    if subprocess.call(install, stdout=2):
        return fail(
            "pip could not install what %s lists; is there an internet connection? Try again, %s"
            % (requirements, HELP)
        )
    shutil.copy(requirements, os.path.join(folder, "requirements.txt"))
    return 0


def fail(text):
    sys.stderr.write(text + "\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
