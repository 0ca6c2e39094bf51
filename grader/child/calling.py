"""In the child: imports the worker.py of every kind, before lab.py is imported.

A kind is a folder of grader/kinds/ for one kind of graded function.  Each worker.py has
`call`.  Some also have `stand_in`: those of kinds whose functions may be called by
other graded functions.

call(lab, function, inputs)   makes one call of a case, and returns its outcome as
                              plain data.  It may raise whatever student code
                              raises, and NotWritten if lab.py has no such
                              function.
stand_in(facts)               returns a function that gives the reference answers
                              of one call of a case.  That function raises an
                              exception if it has no reference answer.
"""

import importlib
from pathlib import Path
from types import ModuleType

WORKERS: dict[str, ModuleType] = {
    file.parent.name: importlib.import_module(f"grader.kinds.{file.parent.name}.worker")
    for file in (Path(__file__).parent.parent / "kinds").glob("*/worker.py")
}
