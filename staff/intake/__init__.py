"""What comes in from a class: its roster, what was handed in, and people's decisions.

collect      `make collect`: keeps what was handed in, and says at what to look
pushes       `make pushes`: fetches from GitHub what `make collect` reads
github       what GitHub answers

values       how the values that name a student are compared
roster       who is in the class, as a table lists it
kept         the roster in the store, and everybody who was ever on one
ids          an id that something depends on must stay on the roster
systems      what is known of course systems (systems.yaml), and times in words
tables       the tables of course systems, which can be filled in to the byte

archives     folders and zips, and whether a file is a lab.py
naming       what the name of a file says about who handed it in
facts        what a download says in files of its own
gathering    the files in downloads, each with what is known of it
keeping      keeps these files in the store
owners       whose a file is: the one rule

spreadsheet  tables that people edit
handed       the files as the kit found them and as people decided
collected    grades/collected.csv: what people decide about each file
times        times.csv: when students handed in
hand         grades/hand.csv: points that people change
"""
