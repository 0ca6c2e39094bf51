"""`make league`: a tournament of the players that students wrote.

league     the command
demo       a league of the model solution with the heuristics of heuristics.yaml
page       writes the page of a league
table      makes the table of a league, and league.csv
entries    decides who takes part
values     asks a solver what each move was really worth
rounds     the rounds and their matches
games      plays games on all cores, and keeps each game
swiss      decides who meets whom
names      the names under which players are known
"""
