"""Lines of lab.py on a screen, with marks below what they are shown for."""

from collections.abc import Iterable

from grader.grading.source import find_unreadable, line_of
from grader.judging.verdict import Verdict
from grader.protocol.answer import Frames
from grader.protocol.words import harmless, in_utf8, visible
from grader.showing.style import WIDTH, wrapped

MOST_FRAMES = 3
MOST_LINES = 3  # of the screen, for a line of lab.py
CUT = "..."


def frames_shown(verdict: Verdict, source: bytes) -> list[str]:
    """Where a crash came from, or time was up: the function that was called, and the
    innermost ones last.

    The failing expression in the innermost line is marked, if it is known.
    """
    source = in_utf8(source)
    frames = _without_inner_ones(verdict.frames)
    if len(frames) > MOST_FRAMES:
        frames = [frames[0], *frames[1 - MOST_FRAMES :]]
    lines = list[str]()
    for number, function in frames:
        columns = (
            verdict.columns
            if number == verdict.frames[-1][0] and number == frames[-1][0]
            else (0, 0)
        )
        lines += _frame(number, function, line_of(source, number), columns)
    return lines


def unreadable_shown(source: bytes) -> list[str]:
    """The place that keeps Python from reading a lab.py, with the line above it; no
    lines if Python reads it.
    """
    source = in_utf8(source)
    place = find_unreadable(source)
    if place is None or not place.line:
        return []
    above = next(
        (
            number
            for number in range(place.line - 1, 0, -1)
            if line_of(source, number).strip()
        ),
        0,
    )
    digits = len(str(place.line))
    lines = []
    for number in filter(None, (above, place.line)):
        first, last = (place.first, place.last) if number == place.line else (0, 0)
        code, marks = cut_out(line_of(source, number), first, last, WIDTH - digits - 9)
        lines.append(f"      {number:>{digits}} | {code}".rstrip())
        lines += [f"      {'':{digits}} | {marks}"] if marks else []
    return lines


def cut_out(line: str, first: int, last: int, width: int) -> tuple[str, str]:
    """A line of code in this width, with the columns from `first` to before `last` in
    it, and marks below these.

    >>> cut_out("value = state.nothing", 8, 21, 16)
    ('...state.nothing', '   ^^^^^^^^^^^^^')
    >>> cut_out("x = 1", 0, 0, 16)
    ('x = 1', '')
    """
    before, marked, after = (
        visible(line[:first]),
        visible(line[first:last]),
        visible(line[last:]),
    )
    code = f"{before}{marked}{after}"
    left = len(before)
    right = left + max(
        len(marked), int(last > first)
    )  # a mark may stand behind the end of the line
    start = 0
    if len(code) > width:
        start = max(
            0, min(left - len(CUT), (left + right - width) // 2, len(code) - width)
        )
        shown = code[start : start + width]
        shown = f"{CUT}{shown[len(CUT) :]}" if start else shown
        code = f"{shown[: -len(CUT)]}{CUT}" if start + width < len(code) else shown
    left, right = left - start, min(right - start, width)
    return code, f"{'':{left}}{'^' * (right - left)}" if last > first else ""


def _without_inner_ones(frames: Frames) -> list[tuple[int, str]]:
    """The frames, each once, without those of a comprehension or lambda in the line of
    the function around it.
    """
    lines_of_functions = {
        number for number, function in frames if not function.startswith("<")
    }
    kept = []
    for number, function in dict.fromkeys(frames):
        is_inner = function.startswith("<") and number in lines_of_functions
        if not is_inner:
            kept.append((number, function))
    return kept


def _frame(
    number: int, function: str, line: str, columns: tuple[int, int]
) -> Iterable[str]:
    """A frame with its line of lab.py, whole or around what is marked; none if lab.py
    has no such line.
    """
    code = line.strip()
    if not code:
        return []
    indent = len(line) - len(line.lstrip())
    first, last = (
        len(line.encode()[:column].decode("utf-8", "replace")) - indent
        for column in columns
    )
    if not 0 <= first < last or (first == 0 and last >= len(code)):
        first, last = 0, 0  # not known, or all of the line
    head = f"lab.py:{number}, in {harmless(function, 40)}:"
    room = WIDTH - 8 - len(head) - 1
    if len(visible(code)) <= room:
        shown, marks = cut_out(code, first, last, room)
        return [
            f"      {head} {shown}",
            *([f"      {'':{len(head)}} {marks}"] if marks else []),
        ]
    if last > first:
        shown, marks = cut_out(code, first, last, WIDTH - 8)
        return [f"      {head}", f"        {shown}", f"        {marks}"]
    parts = wrapped(visible(code), WIDTH - 8)
    if len(parts) > MOST_LINES:
        parts = [
            *parts[: MOST_LINES - 1],
            f"{parts[MOST_LINES - 1][: WIDTH - 8 - len(CUT)]}{CUT}",
        ]
    return [f"      {head}", *(f"        {part}" for part in parts)]
