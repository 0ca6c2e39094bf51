"""A class, graded: from what the course's system exports to a gradebook that can be defended.

__main__    the words of each verb; collect, grade, publish, why and log do what they are named after
collected   what people decide, in grades/collected.csv and grades/hand.csv
standing    which submission counts for a student, and with which score: the one answer
late        the late rule of course.yaml
store       grades/grades.db
owners      whose a file is: the one rule
gathering   downloads, read, folder by folder
naming      what the name of a file says; facts, what a download says in files of its own
archives    folders and zips, and whether a file is a lab.py
roster      who is in the class; ids, an id that something hangs on does not go
systems     systems.yaml, and times in words
tables      CSV, to be filled in to the byte

book        the grades of a class, added up, and what one student has
digests     what a verdict depends on
pool        a kit_process on each core; cluster, on several machines; isolation, behind what, and `make doctor`
outputs     what comes out, and outputs.sql, which compares and counts
pages       its templates, in pages/
"""
