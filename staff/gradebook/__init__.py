"""A class, graded: from what the course's system exports to a gradebook that can be
defended.

The rules (what is late, which file counts, whose score is lowered) stand in
staff/course/, which knows nothing of this room.  Here the store keeps and finds, and
templates show.

__main__      the words of each verb; collect, grade, publish, why, similar and log do what they are named after
book          the grades of a class, added up, and what one student has

outputs       what comes out: gradebook.csv, feedback, and what the next ones make
exports       the table of the course's system, filled in
summary       the numbers of summary.html, and at whom to look
publications  what was published, and its files
decisions     what people decide elsewhere, for the log
pages         what students and staff read of an account; the templates are in staff/templates/

compare50     what ranks pairs for `make similar`; earlier, what was handed in in earlier terms

"""
