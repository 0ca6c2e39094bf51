"""Reads what comes from a class: its roster, what was handed in, and people's
decisions.

collect      `make collect`: keeps what was handed in, and says what to look at
pushes       `make pushes`: fetches from GitHub what `make collect` reads
github       asks GitHub, and reads its answers
values       brings values that name a student, such as ids, into comparable forms
roster       who is in the class, as a table lists it
kept         the roster in the store, and everybody who was ever on one
ids          an id that something depends on must stay on the roster
systems      the facts about course systems (systems.yaml), and how to read a time
tables       the tables of course systems, whose cells can be filled in

archives     folders and zips, and whether a file is a lab.py
naming       what the name of a file says about who handed it in
facts        what a download says in files of its own
gathering    the files in downloads, each with what is known of it
keeping      keeps these files in the store
owners       decides which students a file belongs to

spreadsheet  tables that people edit
handed       the files as the kit found them and as people decided
collected    grades/collected.csv: what people decide about each file
times        times.csv: when students handed in
hand         grades/hand.csv: points that people change
"""
