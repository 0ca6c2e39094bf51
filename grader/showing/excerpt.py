"""Shows lines of lab.py on a screen, with marks below the part that matters."""

from grader.grading.source import find_unreadable, line_of
from grader.protocol.answer import Frames
from grader.protocol.text import harmless, in_utf8, visible
from grader.showing.style import WIDTH, wrapped
from grader.verdicts.verdict import Verdict

MOST_FRAMES = 3
MOST_LINES = 3  # rows of the screen for one line of lab.py
ROOM = WIDTH - 8  # columns for a line of lab.py that is shown below its place
CUT = "..."


def frames_shown(verdict: Verdict, source: bytes) -> list[str]:
    """Return lines of lab.py that were running when it crashed, or when its time was
    up.

    At most three of them are shown.  The line of the function that the grader called
    comes first, and the innermost line last.  In the innermost line, the failing
    expression is marked if it is known.
    """
    source = in_utf8(source)
    frames = _without_inner_ones(verdict.frames)
    if len(frames) > MOST_FRAMES:
        frames = [frames[0], *frames[1 - MOST_FRAMES :]]
    lines = []
    for number, function in frames:
        columns = (0, 0)
        if number == frames[-1][0] == verdict.frames[-1][0]:
            columns = verdict.columns
        lines += _frame(number, function, line_of(source, number), columns)
    return lines


def unreadable_shown(source: bytes) -> list[str]:
    """Return the line of lab.py that Python cannot read, below the nearest line with
    code above it.

    Nothing is returned if Python can read lab.py, or if the line is not known.
    """
    source = in_utf8(source)
    place = find_unreadable(source)
    if place is None or not place.line:
        return []
    digits = len(str(place.line))
    room = WIDTH - digits - 9
    lines = []
    for above in range(place.line - 1, 0, -1):
        if line_of(source, above).strip():
            code, _ = cut_out(line_of(source, above), 0, 0, room)
            lines.append(f"      {above:>{digits}} | {code}".rstrip())
            break
    code, marks = cut_out(line_of(source, place.line), place.first, place.last, room)
    lines.append(f"      {place.line} | {code}".rstrip())
    if marks:
        lines.append(f"      {'':{digits}} | {marks}")
    return lines


def cut_out(line: str, first: int, last: int, width: int) -> tuple[str, str]:
    """Cut a line of code to `width` columns.  Return the cut line, and a line of marks
    to show below it.

    The columns from `first` up to but not including `last` get marks.  They stay in the
    cut line as far as there is room.

    >>> cut_out("value = state.nothing", 8, 21, 16)
    ('...state.nothing', '   ^^^^^^^^^^^^^')
    >>> cut_out("x = 1", 0, 0, 16)
    ('x = 1', '')
    """
    before = visible(line[:first])
    marked = visible(line[first:last])
    code = f"{before}{marked}{visible(line[last:])}"
    left = len(before)
    right = left + len(marked)
    if first < last:
        right = max(right, left + 1)  # a mark may be after the end of the line
    start = 0
    if len(code) > width:
        centred = (left + right - width) // 2
        start = max(0, min(left - len(CUT), centred, len(code) - width))
        code = _window(code, start, width)
    if first >= last:
        return code, ""
    left -= start
    right = min(right - start, width)
    return code, " " * left + "^" * (right - left)


def _window(code: str, start: int, width: int) -> str:
    """Return `width` columns of a line of code, beginning with the column `start`.

    Where something is left out, there are dots.
    """
    shown = code[start : start + width]
    if start:
        shown = f"{CUT}{shown[len(CUT) :]}"
    if start + width < len(code):
        shown = f"{shown[: -len(CUT)]}{CUT}"
    return shown


def _without_inner_ones(frames: Frames) -> list[tuple[int, str]]:
    """Return each frame only once.

    The frame of a comprehension, of a lambda or of the module is left out if a frame of
    a named function is in the same line.
    """
    lines_of_functions = {
        number for number, function in frames if not function.startswith("<")
    }
    return [
        (number, function)
        for number, function in dict.fromkeys(frames)
        if not function.startswith("<") or number not in lines_of_functions
    ]


def _frame(
    number: int, function: str, line: str, columns: tuple[int, int]
) -> list[str]:
    """Return a frame as lines of the screen, with its line of lab.py.

    `columns` are the columns to mark, counted in bytes.  A long line is cut around the
    mark.  Without a mark, it takes several lines of the screen.  Nothing is returned if
    the line of lab.py is empty, or if lab.py has no such line.
    """
    code = line.strip()
    if not code:
        return []
    first, last = _columns_of_mark(line, columns)
    head = f"lab.py:{number}, in {harmless(function, 40)}:"
    beside = ROOM - len(head) - 1
    if len(visible(code)) <= beside:
        shown, marks = cut_out(code, first, last, beside)
        below = [f"      {'':{len(head)}} {marks}"] if marks else []
        return [f"      {head} {shown}", *below]
    if first < last:
        parts = [*cut_out(code, first, last, ROOM)]
    else:
        parts = wrapped(visible(code), ROOM)
    if len(parts) > MOST_LINES:
        parts = parts[:MOST_LINES]
        parts[-1] = f"{parts[-1][: ROOM - len(CUT)]}{CUT}"
    return [f"      {head}", *(f"        {part}" for part in parts)]


def _columns_of_mark(line: str, columns: tuple[int, int]) -> tuple[int, int]:
    """Return the columns to mark, counted in characters from the first one that is not
    a space.

    `columns` counts them in bytes, from the beginning of the line.  Both numbers are 0
    if the columns are not known, or if they cover the whole line.
    """
    code = line.strip()
    indent = len(line) - len(line.lstrip())
    first, last = (
        len(line.encode()[:column].decode("utf-8", "replace")) - indent
        for column in columns
    )
    is_whole = first == 0 and last >= len(code)
    if not 0 <= first < last or is_whole:
        return 0, 0
    return first, last
