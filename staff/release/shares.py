"""Points in a release: the chosen parts, rescaled, and the share that hidden cases carry."""

import io
from fractions import Fraction
from pathlib import Path

from ruamel.yaml import YAML

from boards.cases import Bank, case_blocks, case_files
from boards.points import POINTS
from boards.reading import BadFile, read_yaml
from staff.course import Course

HIDDEN = Path(__file__).parent.parent / "hidden"


def hidden_files() -> list[Path]:
    """The case files that no release contains.  BadFile where one does not say so."""
    files = case_files(HIDDEN)
    for file in files:
        if read_yaml(file).get("hidden") is not True:
            raise BadFile(file, 1, "a file in staff/hidden/ says `hidden: true` at its top")
    return files


def functions_of(file: Path) -> set[str]:
    """The functions that the cases of a file are for."""
    root = read_yaml(file)
    root.take("part", int)
    root.pop("hidden", None)
    return {function for function, _, _ in case_blocks(root)}


def hidden_shares(course: Course, bank: Bank) -> dict[str, Fraction]:
    """The share of each function's points that is decided at the deadline, 0 to 1.

    Answers that are not shown before it are hidden altogether.
    """
    shares = {}
    if course.hidden_share:
        shares = {name: course.hidden_share for file in hidden_files() for name in sorted(functions_of(file))}
    chosen = [name for part in bank.parts if part.number in course.parts for name in part.functions]
    if not course.show_answers:
        shares |= {name: Fraction(1) for name in chosen if name.startswith("ANSWER_")}
    return {name: shares[name] for name in chosen if name in shares}


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
