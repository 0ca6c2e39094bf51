"""python grader VERB, or python -m grader VERB: to the door, or to the one line that says why not."""

import os
import sys

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _said_of(error: Exception) -> str:
    """What to say of a file that could not be imported: in the master copy, which may hold edits that no commit has,
    what and where; in a release, how to bring it back."""
    reason, place, trace = " ".join(str(error).split()), "", error.__traceback__
    if not os.path.isdir(os.path.join(FOLDER, "staff")):
        return f"The kit is not whole ({reason}): git checkout -- grader"
    while trace:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(FOLDER + os.sep):
            place = f"{os.path.relpath(file, FOLDER)}, line {trace.tb_lineno}: "
        trace = trace.tb_next
    return f"{place}{reason}"


if __name__ == "__main__":
    sys.path.insert(0, FOLDER)
    try:
        from grader.finder import look_only_for_packages

        look_only_for_packages()
        from grader.cli import enter

        STATUS = enter(sys.argv[1:])
    except (ImportError, SyntaxError, OSError) as error:  # of the files above, which name all others
        print(_said_of(error), file=sys.stderr)
        STATUS = 2
    sys.exit(STATUS)
