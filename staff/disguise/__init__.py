"""Makes hidden cases from public ones.  The hidden cases are kept in staff/hidden/.

hidden    `make hidden`: writes the cases, and tries correct and incorrect submissions
disguise  changes the values of a public case, so that nobody recognizes the case
"""
