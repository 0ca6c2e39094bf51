"""The kind of the commands that print a table, such as `make run ARGS="zero_by 10 1
2"`.
"""
