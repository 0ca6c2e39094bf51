"""`make league`: a tournament of the players that students wrote.

league     the command
demo       a league of the model solution with the heuristics of heuristics.yaml
page       the page of a league
table      its table, and league.csv
entries    who takes part
values     what each move was really worth, by a solver
rounds     the rounds and their matches
games      plays games on all cores, and keeps each one
swiss      who meets whom
names      the names under which players are known
"""
