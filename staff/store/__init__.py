"""Opens and locks grades/grades.db, which holds everything the kit keeps about a class.

store      the open database, and what is wrong if it cannot be opened
store.sql  the tables of the database, in numbered steps; views.sql has its views
"""

from staff.store.store import FILE, GRADES, Store, in_memory, opened

__all__ = ["FILE", "GRADES", "Store", "in_memory", "opened"]
