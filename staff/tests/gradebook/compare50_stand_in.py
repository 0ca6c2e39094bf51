"""What stands in for compare50: a wheel of its name, whose page lists every pair, and
which notes what it was given.
"""

import zipfile
from pathlib import Path

from staff.tests.conftest import KIT

PIN = (KIT / "staff" / "gradebook" / "compare50.txt").read_text("utf-8").strip()

MAIN = """
import argparse, itertools, json, os, subprocess, sys, time
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("submissions", nargs="+")
parser.add_argument("--archive", nargs="+", default=[])
parser.add_argument("--distro", nargs="+")
parser.add_argument("--passes", nargs="+")
parser.add_argument("-n", type=int)
parser.add_argument("--output")
options = parser.parse_args()
texts = {str(file): file.read_text("utf-8") for file in sorted(Path().rglob("*.py")) if file.is_file()}
variables = {name: text for name, text in os.environ.items() if name.startswith("PYTHON") or "proxy" in name.lower()}
seen = {"options": vars(options), "texts": texts, "variables": variables}
Path(os.environ["STAND_IN_SAW"]).write_text(json.dumps(seen), "utf-8")

does = os.environ.get("STAND_IN_DOES", "")
if does == "fail":
    print("Traceback (most recent call last):")
    sys.exit("Sorry, something's \\x1b[31mwrong!")
if does == "hang":
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    Path(os.environ["STAND_IN_SAW"] + ".pid").write_text(str(child.pid))
    time.sleep(1000)
if does == "find nothing":
    sys.exit()
pairs = [*itertools.combinations(options.submissions, 2), *itertools.product(options.submissions, options.archive)]
links = [{"source": a, "target": b, "value": 10 / number} for number, (a, b) in enumerate(pairs[: options.n], 1)]
page = Path(options.output)
page.mkdir()
data = "no data" if does == "write another page" else "var GRAPH = " + json.dumps({"links": links}) + ";"
(page / "index.html").write_text("<script>\\n    " + data + "\\n</script>")
for number, pair in enumerate(pairs[: options.n], 1):
    (page / f"match_{number}.html").write_text(" ".join(pair))
"""


def write_wheel(folder: Path) -> Path:
    """Write the wheel into a folder, which pip can install from."""
    version = PIN.partition("==")[2]
    about = f"compare50-{version}.dist-info"
    files = {
        "compare50/__init__.py": "",
        "compare50/__main__.py": MAIN,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: compare50\nVersion: {version}\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: us\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{about}/RECORD"])
    folder.mkdir()
    with zipfile.ZipFile(
        folder / f"compare50-{version}-py3-none-any.whl", "w"
    ) as wheel:
        for name, text in (files | {f"{about}/RECORD": record}).items():
            wheel.writestr(name, text)
    return folder
