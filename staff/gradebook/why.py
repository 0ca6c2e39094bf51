"""`make why WHO=id`: what came in, how a score comes about, and where points were lost, hidden cases included.

With `OUT=` it writes one of the files that came in: the one that counts, or the one that `FILE=` names.
"""

from pathlib import Path

from boards.reading import write_whole
from grader.refusal import Refusal
from grader.tools.named import find_call
from staff.course.standing import Handed
from staff.gradebook.book import Account, Book, open_book
from staff.gradebook.pages import arithmetic, files_in_lines, lost_points
from staff.gradebook.spreadsheet import ids_of
from staff.gradebook.store import Store

LEAST_DIGITS = 4  # of a SHA-256, to name a file


def main(store: Store, options: dict[str, str]) -> None:
    """Print it, of one case if that is named; nothing is run.  Raises Refusal and BadFile."""
    book = open_book(store)
    cases = [find_call({"case": options["CASE"]}, book.bank, "")[0]] if options["CASE"] else []
    accounts = [Account(book, book.students[id]) for id in ids_of(options["WHO"], book.students, "WHO")]
    if options["OUT"]:
        print(retrieve(book, accounts, options["FILE"], Path(options["OUT"])))
        return
    if options["FILE"]:
        raise Refusal("FILE= names the file that OUT= writes; say OUT= as well")
    for account in accounts:
        lines = [*arithmetic(account, is_staff=True), *files_in_lines(account)]
        print(f"{account.student.id} {account.student.name}".rstrip(), *lines, "", sep="\n")
        for function, explained in lost_points(account, cases or account.lost, is_staff=True):
            print(function, "", *explained, "", sep="\n")


def retrieve(book: Book, accounts: list[Account], name: str, out: Path) -> str:
    """Write one file of a student's; a line that says which.  Raises Refusal if several may be meant."""
    if len(accounts) != 1:
        raise Refusal("OUT= writes a file of one student; name one in WHO=")
    account = accounts[0]
    files = [file for file, _ in account.files if _is_named(file, name)]
    if not name and account.now.handed:
        files = [account.now.handed]
    if len({file.sha256 for file in files}) != 1:
        known = ", ".join(f"{file.source} ({file.sha256[:12]})" for file, _ in account.files) or "none"
        raise Refusal(f"FILE= names one file of {account.student.id}, by its name or SHA-256; there are: {known}")
    file = files[0]
    if not file.sha256:
        raise Refusal(f"nothing of {file.source} was kept")
    if out.exists():
        raise Refusal(f"{out} is there already; name another file in OUT=")
    write_whole(out, book.source(file.sha256))
    return f"{out}: {file.source}, SHA-256 {file.sha256}"


def _is_named(file: Handed, name: str) -> bool:
    """Whether a name is that of a file, or how its SHA-256 begins."""
    return name == file.source or (len(name) >= LEAST_DIGITS and file.sha256.startswith(name.casefold()))
