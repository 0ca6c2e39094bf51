"""What is known of the mistake in a function, as a screen and a page say it: above its cases, or in a line."""

from grader.diagnosing.diagnosis import Diagnosis
from grader.grading.sheet import ScoreSheet
from grader.showing.layout import indented, wrapped


def cause(sheet: ScoreSheet, function: str) -> list[str]:
    """The misconceptions that fit all failing cases of a function; no lines where none does."""
    known = sheet.diagnoses.get(function)
    if known is None or not known.names:
        return []
    few = {1: "the failing case", 2: "both failing cases"}
    cases = few.get(known.explains, f"all {known.explains} failing cases")
    if len(known.names) == 1:
        (one,) = known.names
        asks = f"Ask yourself: {one.question}" if one.question else ""
        return [
            *wrapped(f"One known mistake fits {cases} of {function}: it {one.name}."),
            *indented(one.hint),
            *indented(asks),
        ]
    lines = wrapped(f"Two known mistakes fit {cases} of {function}:")
    for each in known.names:
        lines += indented(f"It {each.name}." + (f" Then ask yourself: {each.question}" if each.question else ""))
    return lines


def in_a_line(known: Diagnosis | None) -> str:
    """The same in a few words, and where nothing fits, what was located."""
    if known is None:
        return ""
    if not known.names:
        return f" {known.sentence}" if known.sentence else ""
    return f" What fits: it {', or it '.join(each.name for each in known.names)}."
