"""`make why WHO=id`: how a score comes about and where points were lost, hidden cases included, ready to paste."""

from grader.tools.named import find_call
from staff.gradebook.book import Account, open_book
from staff.gradebook.pages import arithmetic, lost_points
from staff.gradebook.roster import chosen
from staff.gradebook.store import Store


def main(store: Store, options: dict[str, str]) -> None:
    """Print it, of one case if that is named; nothing is run.  Raises Refusal and BadFile."""
    book = open_book(store)
    cases = [find_call({"case": options["CASE"]}, book.bank, "")[0]] if options["CASE"] else []
    for id in chosen(book.roster, options["WHO"]):
        account = Account(book, book.roster.students[id])
        print(f"{id} {account.student.name}", *arithmetic(account, is_staff=True), "", sep="\n")
        for function, lines in lost_points(account, cases or account.lost, is_staff=True):
            print(function, "", *lines, "", sep="\n")
