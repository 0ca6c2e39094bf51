"""`make similar`: finds pairs of submissions that share much code.

A person should look at these pairs.  Only the staff read grades/similar.csv and
grades/similar/.  Nothing of this is published, and no score depends on it.
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
from grader.protocol.text import harmless, in_utf8, plural
from grader.refusal import Refusal
from staff.course.standing import GRADED, Handed
from staff.gradebook import compare50
from staff.gradebook.book import Account, Book, open_book
from staff.gradebook.compare50 import CLASS, EARLIER, GIVEN, Pair
from staff.gradebook.earlier import read_earlier
from staff.intake.tables import as_csv
from staff.release.regions import without_solutions
from staff.store import GRADES, Store
from staff.templates import in_lines

TABLE = GRADES / "similar.csv"
PAGES = GRADES / "similar"
_ASIDE = ".similar-"
HEADS = ("rank", "score", "submission", "other", "page", "note")
_LONGEST_NAME = 60  # characters of a folder's name, each of which may take four bytes


@dataclass(frozen=True)
class Submission:
    """A submission to compare."""

    name: str  # its name in the table
    data: bytes
    # The students of this class who handed the submission in; none if it is from an
    # earlier term.
    students: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Comparison:
    """The submissions to compare, and the submissions that cannot be compared."""

    # The submissions to compare.  The key is the folder of the submission.
    submissions: dict[str, Submission] = field(default_factory=dict)
    # The text of each submission in UTF-8; the key is its folder.
    texts: dict[str, bytes] = field(default_factory=dict)
    # The names of the submissions that cannot be compared.  Each comes with the reason,
    # as the end of a sentence.
    left_out: list[tuple[str, str]] = field(default_factory=list)


USAGE = "[WITH=earlier/]"


def add_options(parser: Parser) -> None:
    """Declare the options of make similar."""
    parser.add_argument(
        "--with", default="", metavar="FOLDER", help="submissions of earlier terms"
    )


def main(store: Store, options: dict[str, str]) -> None:
    """Compare the submissions that count, and write the pairs.

    If this raises Refusal or BadFile, nothing is written.
    """
    comparison = Comparison()
    add(comparison, CLASS, counting(open_book(store)))
    if not comparison.texts:
        raise Refusal(
            "no submission of this class can be compared; nothing was written"
        )
    if options["WITH"]:
        add_earlier(comparison, Path(options["WITH"]))
    if len(comparison.texts) < 2:
        raise Refusal("only one submission can be compared; nothing was written")
    compare50.set_up()
    for leftover in GRADES.glob(f"{_ASIDE}*"):  # left by a command that was killed
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
    """Yield the submissions that count, each only once.

    If it is not settled which file of a student counts, all files that may count are
    compared.  Files of excused students are left out.
    """
    files = dict[str, Handed]()
    for id, student in book.students.items():
        if id in book.course.excused:
            continue
        own = book.to_grade(id)
        if len(own) > 1:
            now = Account(book, student).now
            if now.state == GRADED and now.handed:
                own = [now.handed]
        files |= {file.source: file for file in own}
    for file in sorted(files.values(), key=lambda file: (file.students, file.source)):
        name = ", ".join(file.students)
        yield Submission(name, book.source(file.sha256), frozenset(file.students))


def add(comparison: Comparison, place: str, submissions: Iterable[Submission]) -> None:
    """Add submissions to a comparison, for the folder CLASS or EARLIER of compare50.

    A submission that cannot be compared is added to `left_out`.
    """
    for number, submission in enumerate(submissions, start=1):
        text, reason = text_of(submission.data)
        if reason:
            comparison.left_out.append((submission.name, reason))
            continue
        folder = f"{place}/{number:04} {_plain(submission.name)}"
        comparison.submissions[folder] = submission
        comparison.texts[folder] = text


def add_earlier(comparison: Comparison, folder: Path) -> None:
    """Add the submissions of earlier terms that are in a folder.  Raises Refusal."""
    earlier = read_earlier(folder)
    submissions = [
        Submission(f"earlier: {name}", data) for data, name in earlier.files.items()
    ]
    add(comparison, EARLIER, submissions)
    for name, why in earlier.unreadable:
        comparison.left_out.append((f"earlier: {name}", why))


def lay_out(folder: Path, comparison: Comparison) -> None:
    """Write each submission into its folder.  Also write the code that compare50
    ignores.
    """
    for inner, text in comparison.texts.items():
        write_whole(folder / inner / "lab.py", text)
    for name, text in given().items():
        write_whole(folder / GIVEN / name, text)


def text_of(source: bytes) -> tuple[bytes, str]:
    """Return a submission in UTF-8, and the reason why it cannot be compared.

    The reason is the end of a sentence; it is empty if the submission can be compared.
    If there is a reason, the returned submission has no bytes.

    >>> text_of("# coding: latin-1\\nx = 'é'".encode("latin-1"))[0].decode()[-3:]
    "'é'"
    >>> text_of(b" ")[1]
    'is empty'
    """
    other_kind = what_else("lab.py", source)
    if other_kind:
        return b"", f"is {other_kind}"
    source = in_utf8(source)
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(source).readline)[0]
        text = source.decode(encoding)
        data = text.encode()
    except (SyntaxError, ValueError, LookupError):
        return b"", "is not in the encoding that it names"
    if compare50.repeats_itself(text):
        return b"", "repeats itself too often for compare50"
    return data, ""


def given() -> dict[str, bytes]:
    """The code that compare50 ignores in every submission.

    It is the stub, the model solution and api/.  The key is a path.
    """
    model = KIT / "lab.py"
    stub = without_solutions(model.read_text("utf-8"), model)
    files = {"stub/lab.py": stub.encode(), "model/lab.py": model.read_bytes()}
    for file in sorted((KIT / "api").glob("*.py")):
        files[f"api/{file.name}"] = file.read_bytes()
    return files


def _plain(name: str) -> str:
    """Return a name that a folder may have.

    Characters that might not be allowed there become `_`, and a long name is cut.
    """
    return re.sub(r"[^\w@.+-]+", "_", name)[:_LONGEST_NAME]


def _is_of_one_student(comparison: Comparison, pair: Pair) -> bool:
    """Whether some student handed in both submissions of a pair."""
    first = comparison.submissions[pair.first]
    second = comparison.submissions[pair.second]
    return bool(first.students & second.students)


def _table(comparison: Comparison, pairs: Sequence[Pair]) -> bytes:
    """Write the table of the pairs; the pairs that share most come first.

    The last rows list the submissions that were not compared, with the reason.
    """
    rows: list[tuple[object, ...]] = [HEADS]
    for rank, pair in enumerate(pairs, start=1):
        first = harmless(comparison.submissions[pair.first].name)
        second = harmless(comparison.submissions[pair.second].name)
        page = f"similar/{pair.page}"
        rows.append((rank, f"{pair.score:.1f}", first, second, page, ""))
    for name, why in comparison.left_out:
        rows.append(("", "", harmless(name), "", "", f"not compared: it {why}"))
    return as_csv(rows)


def _tell(comparison: Comparison, pairs: Sequence[Pair]) -> None:
    """Print which submissions were not compared, and how many pairs there are to look
    at.
    """
    if comparison.left_out:
        names = [harmless(name) for name, _ in comparison.left_out]
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
