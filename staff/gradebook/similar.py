"""`make similar`: which pairs of submissions share so much code that a person should
look at them.

Only the staff read what comes out, grades/similar.csv and grades/similar/; nothing is
published of it, and no score depends on it.
"""

import io
import re
import shutil
import tempfile
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from boards.reading import write_whole
from grader.grading.source import what_else
from grader.kit import KIT
from grader.parser import Parser
from grader.protocol.words import harmless, in_utf8, plural
from grader.refusal import Refusal
from staff.course.standing import GRADED, Handed
from staff.gradebook import compare50
from staff.gradebook.book import Account, Book, open_book
from staff.gradebook.compare50 import CLASS, EARLIER, GIVEN, Pair
from staff.gradebook.earlier import read_earlier
from staff.gradebook.pages import in_lines
from staff.gradebook.store import GRADES, Store
from staff.gradebook.tables import as_csv
from staff.release.regions import without_solutions

TABLE, PAGES = GRADES / "similar.csv", GRADES / "similar"
_ASIDE = ".similar-"
HEADS = ("rank", "score", "submission", "other", "page", "note")
_LONGEST_NAME = 60  # of a folder, without its number; a letter may take four bytes


@dataclass(frozen=True)
class Submission:
    """A submission to compare: `students` are those of this class whose it is; one of
    an earlier term has none.
    """

    name: str
    data: bytes
    students: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Comparison:
    """What is compared: the submissions, and their texts in UTF-8, by their folders.

    `left_out` has what cannot be compared, and why not, as the end of a sentence.
    """

    submissions: dict[str, Submission] = field(default_factory=dict)
    texts: dict[str, bytes] = field(default_factory=dict)
    left_out: list[tuple[str, str]] = field(default_factory=list)


USAGE = "[WITH=earlier/]"


def add_options(parser: Parser) -> None:
    """Declare the options of make similar."""
    parser.add_argument(
        "--with", default="", metavar="FOLDER", help="submissions of earlier terms"
    )


def main(store: Store, options: dict[str, str]) -> None:
    """Compare what counts, and write what comes of it.  Raises Refusal and BadFile;
    then nothing is written.
    """
    comparison = Comparison()
    add(comparison, CLASS, counting(open_book(store)))
    refuse_none_of_class(comparison)
    if options["WITH"]:
        earlier = read_earlier(Path(options["WITH"]))
        add(
            comparison,
            EARLIER,
            (
                Submission(f"earlier: {name}", data)
                for data, name in earlier.files.items()
            ),
        )
        comparison.left_out.extend(
            (f"earlier: {name}", why) for name, why in earlier.unreadable
        )
    refuse_fewer_than_two(comparison)
    compare50.set_up()
    for leftover in GRADES.glob(f"{_ASIDE}*"):  # of a command that was killed
        shutil.rmtree(leftover)
    with tempfile.TemporaryDirectory(prefix=_ASIDE, dir=GRADES) as aside:
        folder = Path(aside)
        lay_out(folder, comparison)
        print(f"comparing {plural(len(comparison.texts), 'submission')}", flush=True)
        pairs = [
            pair
            for pair in compare50.ranked(folder)
            if not _is_of_one_student(comparison, pair)
        ]
        shutil.rmtree(PAGES, ignore_errors=True)
        if pairs:
            (folder / compare50.PAGE).rename(PAGES)
        write_whole(TABLE, _table(comparison, pairs))
    _tell(comparison, pairs)


def counting(book: Book) -> Iterator[Submission]:
    """The submissions that count.

    If several files of a student may count and nothing decides which one does, each of
    them is compared.
    """
    files = dict[str, Handed]()
    for id, student in book.students.items():
        own = [] if id in book.course.excused else book.to_grade(id)
        if len(own) > 1:
            now = Account(book, student).now
            own = [now.handed] if now.state == GRADED and now.handed else own
        files |= {file.source: file for file in own}
    for file in sorted(files.values(), key=lambda file: (file.students, file.source)):
        yield Submission(
            ", ".join(file.students), book.source(file.sha256), frozenset(file.students)
        )


def add(comparison: Comparison, place: str, submissions: Iterable[Submission]) -> None:
    """Add submissions that are compared in one of the places of compare50."""
    for number, submission in enumerate(submissions, start=1):
        text, reason = text_of(submission.data)
        if reason:
            comparison.left_out.append((submission.name, reason))
            continue
        folder = f"{place}/{number:04} {_plain(submission.name)}"
        comparison.submissions[folder] = submission
        comparison.texts[folder] = text


def refuse_none_of_class(comparison: Comparison) -> None:
    """Raise Refusal if there is nothing of this class to compare."""
    if not comparison.texts:
        raise Refusal(
            "no submission of this class can be compared; nothing was written"
        )


def refuse_fewer_than_two(comparison: Comparison) -> None:
    """Raise Refusal if there is no pair."""
    if len(comparison.texts) < 2:
        raise Refusal("only one submission can be compared; nothing was written")


def lay_out(folder: Path, comparison: Comparison) -> None:
    """Write each submission into its folder, and what students were given."""
    for inner, text in comparison.texts.items():
        write_whole(folder / inner / "lab.py", text)
    for name, text in given().items():
        write_whole(folder / GIVEN / name, text)


def text_of(source: bytes) -> tuple[bytes, str]:
    """A file in UTF-8; and why it cannot be compared, as the end of a sentence, which
    is empty if it can.

    >>> text_of("# coding: latin-1\\nx = 'é'".encode("latin-1"))[0].decode()[-3:], text_of(b" ")[1]
    ("'é'", 'is empty')
    """
    if other := what_else("lab.py", source):
        return b"", f"is {other}"
    source = in_utf8(source)
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(source).readline)[0]
        text = source.decode(encoding)
        data = text.encode()
    except (SyntaxError, ValueError, LookupError):
        return b"", "is not in the encoding that it names"
    return (
        (b"", "repeats itself too often for compare50")
        if compare50.repeats_itself(text)
        else (data, "")
    )


def given() -> dict[str, bytes]:
    """What no submission has of its own: the stub, the model solution, and api/, by
    place.
    """
    model = KIT / "lab.py"
    stub = without_solutions(model.read_text("utf-8"), model)
    of_api = {
        f"api/{file.name}": file.read_bytes()
        for file in sorted((KIT / "api").glob("*.py"))
    }
    return {"stub/lab.py": stub.encode(), "model/lab.py": model.read_bytes()} | of_api


def _plain(name: str) -> str:
    """The letters and digits of a name, for the name of a folder."""
    return re.sub(r"[^\w@.+-]+", "_", name)[:_LONGEST_NAME]


def _is_of_one_student(comparison: Comparison, pair: Pair) -> bool:
    """Whether both of a pair may count for the same student."""
    first, second = (comparison.submissions[name] for name in (pair.first, pair.second))
    return bool(first.students & second.students)


def _table(comparison: Comparison, pairs: Sequence[Pair]) -> bytes:
    """The pairs, those that share most first; then what was not compared."""
    rows: list[tuple[object, ...]] = [HEADS]
    for rank, pair in enumerate(pairs, start=1):
        names = [
            _shown(comparison.submissions[name].name)
            for name in (pair.first, pair.second)
        ]
        rows.append((rank, f"{pair.score:.1f}", *names, f"similar/{pair.page}", ""))
    rows += [
        ("", "", _shown(name), "", "", f"not compared: it {why}")
        for name, why in comparison.left_out
    ]
    return as_csv(rows)


def _shown(name: str) -> str:
    """The name of a submission, as a person reads it."""
    return harmless(name)


def _tell(comparison: Comparison, pairs: Sequence[Pair]) -> None:
    """Say what was compared, and what was not."""
    if comparison.left_out:
        names = [_shown(name) for name, _ in comparison.left_out]
        print(in_lines(names, "not compared, and grades/similar.csv says why"))
    if not pairs:
        print(
            "no two submissions share code of their own",
            "grades/: similar.csv",
            sep="\n",
        )
        return
    print(
        f"{plural(len(pairs), 'pair')} to look at; a person decides what a pair means"
    )
    print("grades/: similar.csv, similar/index.html")
