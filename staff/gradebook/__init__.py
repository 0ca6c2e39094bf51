"""A class, graded: from what the course's system exports to a gradebook that can be
defended.

The rules (what is late, which file counts, whose score is lowered) stand in
staff/course/, which knows nothing of this room.  Here the store keeps and finds, and
templates show.

__main__      the words of each verb; collect, grade, publish, why, similar and log do what they are named after
owners        whose a file is: the one rule
gathering     downloads, read, folder by folder
naming        what the name of a file says; facts, what a download says in files of its own
pushes        `make pushes`, which fetches from GitHub what make collect reads; github, what GitHub answers
archives      folders and zips, and whether a file is a lab.py
roster        who is in the class; ids, an id that something hangs on does not go
systems       systems.yaml, and times in words
tables        CSV, to be filled in to the byte
spreadsheet   tables that people edit, read as far as they have one meaning
collected     what people decide in grades/collected.csv
times         when students handed in, of a table that people write
hand          what people change in grades/hand.csv

book          the grades of a class, added up, and what one student has

outputs       what comes out: gradebook.csv, feedback, and what the next ones make
exports       the table of the course's system, filled in
summary       the numbers of summary.html, and at whom to look
publications  what was published, and its files
decisions     what people decide elsewhere, for the log
pages         what students and staff read of an account; the templates are in staff/templates/

compare50     what ranks pairs for `make similar`; earlier, what was handed in in earlier terms

hidden        `make hidden`; disguise, what it makes of a public case
"""
