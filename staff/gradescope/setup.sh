#!/usr/bin/env bash
# Gradescope runs this program once, as root, when it builds the image.  The program finds or installs
# Python 3.11 or newer, makes the environment that grades, and creates the user that lab.py runs as.
set -euo pipefail
umask 022

source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$source")
user=lab-student

find_python() {
    local name
    for name in python3.14 python3.13 python3.12 python3.11 python3; do
        if "$name" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    return 1
}

if ! python=$(find_python); then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    apt-get install -y python3.11 python3.11-venv || apt-get install -y python3 python3-venv
    python=$(find_python) || { echo "no Python of 3.11 or newer can be had here; take a newer base image" >&2; exit 1; }
fi

id -u "$user" >/dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin "$user"

rm -rf "$root/environment"
"$python" "$source/kit/grader/environment.py" "$root/environment" "$source/kit/requirements.txt"

# The user that lab.py runs as can read the kit and run Python.  Only root can read the cases, which have the answers.
chmod -R go-w,a+rX "$source"
chmod 700 "$source/kit/boards/cases"
