"""Grades a class: makes a gradebook from verdicts, and can explain every number in it.

The rules of a course are in staff/course/.  staff/intake/ reads what students handed
in, staff/farm/ gives the verdicts, and staff/store/ keeps both.  No module in these
folders imports a module of this folder.

__main__      reads the words of each command on a class
grade         `make grade`: has submissions graded, and stores each verdict
publish       `make publish`: keeps the results as they are now
why           `make why`: how one score comes about
log           `make log`: who changed what
similar       `make similar`: which submissions share code
compare50     the program that ranks pairs for `make similar`
earlier       submissions of earlier terms, for `make similar`

book          adds up the verdicts of a class, and says what one student has
decisions     the decisions in course.yaml, in the cases and in hand.csv, for the log
publications  what was published, and its files

outputs       writes the results: tables, feedback, and what the next modules make
rows          what the tables and a publication hold of a student
notes         what a command tells the person who types it
exports       fills in the table of the course's system
summary       the numbers of summary.html, and which students a person should look at
pages         what students and staff read of an account
"""
