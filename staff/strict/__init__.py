"""Reads and checks everything that staff write in YAML.

Each mistake is a BadFile: one line with the file, the line and the fix.

    reading.py   reads a file as the students' loader does, and keeps its lines
    schema.py    checks a file against its JSON schema
    bank.py      finds the case files, and runs all checks on them
    cases.py     checks what no schema can check in a case file
    points.py    checks points.yaml
    named.py     checks boards.yaml, trees.yaml and games.yaml
    shapes.py    checks that the form of cases does not give their answers away
    twins.py     hidden cases that are made from public ones
    kind.py      what staff know about a kind of function
"""
