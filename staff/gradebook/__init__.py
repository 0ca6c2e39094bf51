"""A class, graded: from what the course's system exports to a gradebook that can be defended.

late       what lateness costs                     standing   which submission counts for a student, and its score
"""
