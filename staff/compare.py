"""Do two checkouts of the kit give the same verdicts?

    python -m staff.compare OLD [NEW] [--labs WORD]

Grades the model, all right labs and all wrong labs of OLD with each of the two (NEW is this checkout), and
says of each lab in what the two results differ, times aside.  Two of the same wrong labs may differ from one
run to the next: one that hangs is stopped in this line or in that, and one that goes by `id` is wrong by chance.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

KIT = Path(__file__).parent.parent
MAY_DIFFER = ("cases_sha256", "version")

# Run with a checkout on the import path: print the text of each lab, and print the results of some.
_LABS = """
import json
from pathlib import Path
from staff.wrong_labs import build, load_wrong_labs
model = Path("lab.py").read_text("utf-8")
labs = {"model": model}
labs |= {f"right-{file.stem}": file.read_text("utf-8") for file in sorted(Path("staff/right_labs").glob("*.py"))}
labs |= {f"wrong-{wrong_lab.id}": build(wrong_lab, model) for wrong_lab in load_wrong_labs()}
print(json.dumps({name: text for name, text in labs.items() if name != "right-heuristics"}))
"""
_GRADE = """
import json, sys
from pathlib import Path
from boards.cases import load_bank
from grader.grading.session import grade
for lab in sys.argv[1:]:
    print(json.dumps(grade(Path(lab), load_bank()).data), flush=True)
"""


def labs_of(checkout: Path) -> dict[str, str]:
    """The labs of a checkout, by name."""
    labs: dict[str, str] = json.loads(next(_run(checkout, _LABS)))
    return labs


def results(checkout: Path, labs: list[Path]) -> Iterator[dict[str, Any]]:
    """What results.json holds of each lab, but for what tells one run from another."""
    for line in _run(checkout, _GRADE, *map(str, labs)):
        data = json.loads(line)
        for case in data["cases"]:
            del case["seconds"]
        del data["locks"]["most_processes"]
        yield {key: fact for key, fact in data.items() if key not in MAY_DIFFER}


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """In what two results differ, a line each."""
    found = [f"{key}: {old[key]} -> {new.get(key)}" for key in old if key != "cases" and old[key] != new.get(key)]
    after = {case["id"]: case for case in new["cases"]}
    for case in old["cases"]:
        other = after.pop(case["id"], {})
        found += [
            f"{case['id']}: {key}: {case[key]} -> {other.get(key)}" for key in case if case[key] != other.get(key)
        ]
    return [*found, *(f"{name}: new" for name in after)]


def _run(checkout: Path, program: str, *words: str) -> Iterator[str]:
    code = f"import sys; sys.path.insert(0, '.')\n{program}"
    command = [sys.executable, "-P", "-c", code, *words]
    with subprocess.Popen(command, cwd=checkout, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield from process.stdout
    if process.returncode:
        raise SystemExit(f"{checkout} does not grade")


def main() -> int:
    """Compare, and print what differs; 1 where something does."""
    parser = argparse.ArgumentParser(prog="python -m staff.compare")
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path, nargs="?", default=KIT)
    parser.add_argument("--labs", default="", metavar="WORD", help="only labs with this word in their name")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        labs = {name: text for name, text in labs_of(options.old).items() if options.labs in name}
        files = [Path(folder, name.replace("/", "-"), "lab.py") for name in labs]
        for file, text in zip(files, labs.values(), strict=True):
            file.parent.mkdir()
            file.write_text(text, "utf-8")
        differing = 0
        for name, old, new in zip(labs, results(options.old, files), results(options.new, files), strict=True):
            found = differences(old, new)
            differing += bool(found)
            print(*(f"{name}: {line}" for line in found), sep="\n", end="\n" if found else "")
    print(f"labs compared: {len(labs)}; with differences: {differing}")
    return bool(differing)


if __name__ == "__main__":
    sys.exit(main())
