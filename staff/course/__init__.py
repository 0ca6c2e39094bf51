"""What a course decides, and what follows from that for one student: plain Python,
without a store.

course     course.yaml, read and checked
numbers    points and shares in words
late       the late rule: how late a moment is, and what that costs
standing   which file counts for a student, whether it is late, and which score comes of it
changes    what is different from the last publication, why, and whose score is lowered
"""

from staff.course.course import (
    AS_THEY_ARE,
    COUNTS,
    COURSE,
    HAND_IN,
    LEVELS,
    Course,
    read_course,
)

__all__ = [
    "AS_THEY_ARE",
    "COUNTS",
    "COURSE",
    "HAND_IN",
    "LEVELS",
    "Course",
    "read_course",
]
