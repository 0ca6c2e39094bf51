"""What never ships: the kit's own tests, right and wrong labs, benches, and the
instructor's tools.
"""
