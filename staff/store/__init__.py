"""grades/grades.db, which holds all that the kit keeps of a class: opened and locked.

store      the open database, and what is wrong if it cannot be opened
store.sql  its tables in numbered steps; views.sql, its views
"""

from staff.store.store import FILE, GRADES, Store, in_memory, opened

__all__ = ["FILE", "GRADES", "Store", "in_memory", "opened"]
