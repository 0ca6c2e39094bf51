"""What a course decides, and what that means for one student.

These rules do not use the store.

course     course.yaml, read and checked
questions  an instructor's own questions for part 3
numbers    points and shares as people read them
late       the late rule: how late a moment is, and what that costs
standing   which file counts for a student, whether it is late, and the score
changes    the differences to the last publication, and who has less
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
