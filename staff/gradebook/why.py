"""`make why WHO=id`: how a score comes about and where points were lost, hidden cases included, ready to paste."""

import sys
from dataclasses import replace

from grader.tools.named import find_call
from staff.gradebook.account import account_of
from staff.gradebook.book import open_book
from staff.gradebook.pages import arithmetic, lost_points
from staff.gradebook.roster import chosen
from staff.gradebook.store import opened
from staff.parser import Parser


def main(words: list[str]) -> int:
    """Print it, of one case if that is named; 0.  Nothing is run.  Raises Refusal and BadFile."""
    parser = Parser(prog="make why", usage="make why WHO=id,id CASE=alphabeta/equal-bounds")
    parser.add_argument("--who", required=True)
    parser.add_argument("--case", default="")
    options = parser.parse_args(words)
    with opened("why") as store:
        book = open_book(store)
        cases = [find_call({"case": options.case}, book.bank, "")[0]] if options.case else []
        who = chosen(book.roster, options.who)
        for student in (one for one in book.roster.students if one.id in who):
            account = account_of(book, student)
            print(f"{student.id} {student.name}", *arithmetic(account, is_staff=True), sep="\n")
            for function, lines in lost_points(replace(account, lost=cases or account.lost), is_staff=True):
                print("", function, "", *lines, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
