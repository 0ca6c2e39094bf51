"""Hidden cases made from public ones; the cases themselves are kept in staff/hidden/.

hidden    `make hidden`: writes the cases, and tries them on right and wrong submissions
disguise  the values of a public case, changed so that nobody recognizes them
"""
