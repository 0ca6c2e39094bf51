"""In the child: makes the table that `make run` prints."""

from types import ModuleType

from grader.child.raised import safely_described
from grader.kinds.command.table import (
    Failed,
    WrongTable,
    read_arguments,
    tabulate,
    written,
)
from grader.protocol.digests import as_output
from grader.protocol.plain import Data


def call(lab: ModuleType, function: str, inputs: Data) -> Data:
    """Return the exit status 0, and what the command prints: the first lines, how many
    lines there are, and the digest of all lines.

    If the command fails, return the reason instead.
    """
    try:
        lines = tabulate(read_arguments(inputs["command"].split(), None), lab)
    except WrongTable as problem:
        return {"status": 1, "complaint": str(problem)}
    except Failed as failed:
        raised = safely_described(failed.__cause__ or failed, lab.__file__ or "")
        return {"failed": str(failed), "because": vars(raised)}
    return {"status": 0, **as_output(written(lines))}
