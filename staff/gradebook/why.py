"""`make why WHO=id`: shows how a score comes about, and where points were lost.

The command is for the staff, so it also shows hidden cases.  With `OUT=` the command
writes a file of the student instead: the one that counts, or the one that `FILE=`
names.
"""

from pathlib import Path

from boards.reading import write_whole
from grader.bank.cases import Case
from grader.parser import Parser
from grader.refusal import Refusal, as_typed
from grader.tools.named import find_call
from staff.course.standing import Handed
from staff.gradebook.book import Account, Book, open_book
from staff.gradebook.pages import DIGITS, arithmetic, files_in_lines, lost_points
from staff.intake.spreadsheet import ids_of
from staff.store import Store

LEAST_DIGITS = 4  # digits of a SHA-256 that name a file


USAGE = "WHO=id,id [CASE=alphabeta/equal-bounds] [OUT=theirs.py] [FILE=name or SHA-256]"


def add_options(parser: Parser) -> None:
    """Declare the options of make why."""
    parser.add_argument("--who", required=True, metavar="IDS", help="these students")
    parser.add_argument("--case", default="", metavar="NAME", help="only this case")
    parser.add_argument(
        "--out",
        default="",
        metavar="FILE",
        help="write what was handed in to this file",
    )
    parser.add_argument(
        "--file",
        default="",
        metavar="NAME",
        help="which file that is: its name or SHA-256",
    )


def main(store: Store, options: dict[str, str]) -> None:
    """Print how the scores of students come about, or write a file.

    Nothing is graded.  Raises Refusal or BadFile.
    """
    book = open_book(store)
    cases = list[Case]()
    if options["CASE"]:
        case, _ = find_call(options["CASE"], None, book.bank)
        cases.append(case)
    ids = ids_of(options["WHO"], book.students, "WHO")
    accounts = [Account(book, book.students[id]) for id in ids]
    if options["OUT"]:
        if options["CASE"]:
            raise Refusal(
                "CASE= chooses what is printed, and OUT= writes a file; "
                "use only one of them"
            )
        print(retrieve(book, accounts, options["FILE"], Path(options["OUT"])))
        return
    if options["FILE"]:
        raise Refusal("FILE= chooses the file that OUT= writes; give OUT= as well")
    for account in accounts:
        _print(account, cases or account.lost)


def _print(account: Account, cases: list[Case]) -> None:
    """Print how the score of a student comes about, and all files of the student.

    Then print where the student lost points in these cases.
    """
    title = f"{account.student.id} {account.student.name}".rstrip()
    lines = [*arithmetic(account, is_staff=True), *files_in_lines(account)]
    print(title, *lines, "", sep="\n")
    lost = dict(lost_points(account, cases, is_staff=True))
    if lost and account.now.handed:
        print(*map(as_typed, _how_to_run(account.student.id)), "", sep="\n")
    for function, explained in lost.items():
        print(function, "", *explained, "", sep="\n")


def _how_to_run(id: str) -> list[str]:
    """Return the lines that say how to run a command on the file of a student."""
    return [
        "Commands run your own lab.py. To run one on this submission, type",
        f"make why WHO={id} OUT=../theirs.py, and add LAB=../theirs.py to it.",
    ]


def retrieve(book: Book, accounts: list[Account], name: str, out: Path) -> str:
    """Write one file of a student; return a line that says which file it was.

    `name` is the value of FILE=, or empty.  Raises Refusal if there is not exactly one
    student, if it is not clear which file is meant, if nothing of the file was kept, or
    if the file cannot be written to `out`.
    """
    if len(accounts) != 1:
        raise Refusal("OUT= writes the file of one student; name only one in WHO=")
    file = _chosen(accounts[0], name)
    if not file.sha256:
        raise Refusal(f"nothing of {file.source} was kept")
    try:
        _refuse_place(out)
        write_whole(out, book.source(file.sha256))
    except OSError as error:
        raise Refusal(
            f"OUT={out} cannot be written ({error.strerror}); name another place"
        ) from None
    return f"{out}: {file.source}, SHA-256 {file.sha256}"


def _chosen(account: Account, name: str) -> Handed:
    """The file that FILE= names; without FILE=, the file that counts.

    Raises Refusal if there is no such file, or if FILE= names files with different
    contents.
    """
    id = account.student.id
    files = [file for file, _ in account.files]
    if not files:
        raise Refusal(
            f"{id} has handed in nothing, so there is no file for OUT= to write"
        )
    if not name and account.now.handed:
        return account.now.handed
    named = [file for file in files if _is_named(file, name)]
    if len({file.sha256 for file in named}) == 1:
        return named[0]
    known = ", ".join(f"{file.source} ({file.sha256[:DIGITS]})" for file in files)
    why = f"no file of {id} counts: name one in FILE="
    if name:
        number = "several files" if named else "no file"
        why = f"FILE={name} names {number} of {id}"
    if name and len(name) < LEAST_DIGITS:
        why += f" (of a SHA-256, write at least {LEAST_DIGITS} digits)"
    raise Refusal(f"{why}; there are: {known}")


def _refuse_place(out: Path) -> None:
    """Raise Refusal if something is at `out` already, or if the folder of `out` does
    not exist.

    The command does not make the folder, because its name may be a typing error.
    """
    if out.is_dir():
        raise Refusal(
            f"OUT={out} is a folder; name a file in it, such as OUT={out / 'lab.py'}"
        )
    if out.exists():
        raise Refusal(f"{out} already exists; name another file in OUT=")
    if not out.parent.is_dir():
        raise Refusal(
            f"there is no folder {out.parent}; make it first, "
            "or name another place in OUT="
        )


def _is_named(file: Handed, name: str) -> bool:
    """Whether `name` is the name of a file, or the beginning of the file's SHA-256.

    Such a beginning must have at least LEAST_DIGITS digits.
    """
    if name == file.source:
        return True
    return len(name) >= LEAST_DIGITS and file.sha256.startswith(name.casefold())
