"""What the kit knows of each kind of graded function, one folder a kind (kind.py says
what stands in one).
"""
