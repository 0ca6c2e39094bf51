"""A class, graded: from verdicts to a gradebook whose every number can be explained.

The rules of a course are in staff/course/.  What students handed in comes from
staff/intake/, and the verdicts on it from staff/farm/.  staff/store/ keeps both.
Nothing in these rooms imports this one.

__main__      the words of each verb on a class
grade         `make grade`: has submissions graded, and stores each verdict
publish       `make publish`: freezes what comes out
why           `make why`: how one score comes about
log           `make log`: who changed what
similar       `make similar`: which submissions share code
compare50     the program that ranks pairs for `make similar`
earlier       submissions of earlier terms, for `make similar`

book          the verdicts of a class added up, and what one student has
decisions     the decisions in course.yaml, in the cases and in hand.csv, for the log
publications  what was published, and its files

outputs       what comes out: tables, feedback, and what the next modules make
rows          what the tables and a publication hold of a student
notes         what a command tells the person who types it
exports       the table of the course's system, filled in
summary       the numbers of summary.html, and at whom a person should look
pages         what students and staff read of an account
"""
