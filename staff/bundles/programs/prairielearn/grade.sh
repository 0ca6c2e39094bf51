#!/usr/bin/env bash
# PrairieLearn runs this as root, in a fresh container for each submission.  Whatever happens, results/results.json is
# there afterwards.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
results=$root/results/results.json

mkdir -p "$root/results"
rm -f "$results"
chmod 700 "$root/results"

export GRADER_USER=${GRADER_USER-lab-student}
unset PYTHONPATH PYTHONHOME
bash "$here/setup.sh" >&2 && cd "$here/kit" && "$root/environment/bin/python" -m reports.prairielearn "$root"

if [ ! -s "$results" ]; then
    cat >"$results" <<'JSON'
{"gradable": false, "score": 0, "format_errors": ["Not graded: this needs a human. The grader could not be started."]}
JSON
fi
