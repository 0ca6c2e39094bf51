"""A class, graded: from what the course's system exports to a gradebook that can be defended.

__main__    the words of each verb                  collect     who has handed in what, and what it says
collected   the form grades/collected.csv, and the decisions in it
standing    which submission counts for a student, and with which score: the one answer
store       grades/grades.db
gathering   downloads, read                 labs        whether it is a lab.py
roster      who is in the class, and whose a file is    systems     systems.yaml
archives    folders and zips  tables      CSV, to be filled in to the byte    moments     times in words
late        the late rule of course.yaml

grade, publish, why, log   the verbs        book        the grades of a class, added up
outputs     what comes out, and outputs.sql, which compares and counts
account     what one student has            pages       its templates, in pages/      exports     tables
"""
