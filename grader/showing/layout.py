"""Text in the width of a terminal: 80 columns, of which the last stays free."""

WIDTH = 78


def plain_ascii(text: str) -> str:
    """The text as a terminal shows it that has nothing but ASCII."""
    return text.replace("…", "...").encode("ascii", "backslashreplace").decode()


def table(rows: tuple[tuple[str, str, str], ...]) -> list[str]:
    """What was wanted beside what came back; below each other where a screen is too narrow for that."""
    lines = [("", "wanted", "yours"), *rows]
    first, second, third = (max(columns(row[column]) for row in lines) for column in (0, 1, 2))
    if first + second + third + 10 <= WIDTH:
        return [f"    {what:<{first}}   {wanted:<{second}}   {yours}".rstrip() for what, wanted, yours in lines]
    below: list[str] = []
    for what, *values in rows:
        below += indented(what)
        for word, value in zip(("wanted", "yours"), values, strict=True):
            beginning, *others = wrapped(value, WIDTH - 16)
            below += [f"      {word:<6}   {beginning}", *(f"{'':15}{line}" for line in others)]
    return below


def wrapped(text: str, width: int = WIDTH - 4) -> list[str]:
    """The text in lines that fit a terminal; a word that is longer than a line is broken."""
    lines = [""]
    for word in text.split(" "):
        for piece in _pieces(word, width - 1):
            if lines[-1] and columns(lines[-1]) + columns(piece) >= width:
                lines.append("")
            lines[-1] += f" {piece}" if lines[-1] else piece
    return lines


def indented(text: str, by: int = 4) -> list[str]:
    """The text in lines that begin with so many blanks; none where there is no text."""
    return [f"{'':{by}}{line}" for line in wrapped(text, WIDTH - max(by, 4))] if text else []


def _pieces(word: str, width: int) -> list[str]:
    """A word in pieces of this width."""
    if columns(word) <= width:
        return [word]
    if word.isascii():
        return [word[start : start + width] for start in range(0, len(word), width)]
    pieces = [""]
    for character in word:
        if columns(pieces[-1]) + columns(character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces


def within(line: str, width: int = WIDTH - 4) -> list[str]:
    """A line of a picture; what is too wide to be one (a call with many arguments) goes on in the next."""
    if columns(line) <= width:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip(" ")), width // 2)
    first, *others = wrapped(line.strip(" "), width - len(indent))
    return [indent + first, *(f"{indent}    {other}" for other in wrapped(" ".join(others), width - len(indent) - 4))]


def code(text: str, width: int = WIDTH - 4) -> list[str]:
    """Python in lines that fit, of which one that is too long goes on behind a comma."""
    held = [line.replace(" ", "\0").replace(",\0", ", ") for line in text.splitlines()]
    return [part.replace("\0", " ") for line in held for part in within(line, width)]


def cut(line: str, width: int) -> str:
    """A line that fits into so many columns, with a mark where it was cut."""
    return line if columns(line) <= width else f"{_pieces(line, width - 3)[0]}…"


def columns(text: str) -> int:
    """How many columns a text takes at most: those of its plain ASCII form.

    >>> columns("0x…"), columns("é")
    (5, 4)
    """
    return len(text) if text.isascii() else len(plain_ascii(text))
