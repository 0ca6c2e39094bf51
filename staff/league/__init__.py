"""`make league`: a tournament of the players that students wrote.

league      the command: who takes part, the rounds, and what is written
names       the names under which players are known
swiss       who meets whom, and the table
games       plays games on all cores, and keeps each one
values      what each move was really worth, by a solver
page        the page and the csv of a league
demo        a league of the model solution with the heuristics of heuristics.yaml
"""
