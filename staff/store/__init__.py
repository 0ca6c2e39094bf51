"""What the kit keeps of a class, grades/grades.db: opened, locked, and brought up to date.

store      the open database, and what is wrong if it cannot be opened
store.sql  its tables in numbered steps; views.sql, its views
"""

from staff.store.store import FILE, GRADES, Store, opened

__all__ = ["FILE", "GRADES", "Store", "opened"]
