"""Reference traces: how the model solution searches in the public cases.

`make expectations` writes the traces to boards/reference_traces/.  The modules of
staff/kinds/ decide the form of a trace.  The kinds in grader/kinds/ read the traces, to
find the place where a student's search leaves the reference trace.
"""

import json

from grader.bank.cases import Bank, Case
from grader.bank.points import read_points
from grader.bank.reading import make_bank
from grader.kinds.kind import REFERENCE_TRACES, kind_of
from staff.model import Model
from staff.stored import write_folder
from staff.strict.bank import case_files
from staff.strict.kind import writing_of


def bring_up_to_date(model: Model, check: bool) -> list[str]:
    """Write the reference traces that have changed.

    With `check`, write nothing.  Return a line for each file that differs.  Raises
    ModelFailure.
    """
    bank = make_bank(case_files(), read_points())
    texts = {}
    for file in case_files():
        traced = _traced_cases(bank, file.stem.partition("-")[2])
        if traced:
            entries = [
                f"{json.dumps(case.id)}: {_text(case, model)}" for case in traced
            ]
            lines = ",\n".join(entries)
            texts[f"{file.stem}.json"] = f"{{\n{lines}\n}}\n"
    return write_folder(REFERENCE_TRACES, texts, check)


def _traced_cases(bank: Bank, topic: str) -> list[Case]:
    """Return the cases in the case file of a topic that may have reference traces.

    Some kinds of functions have no reference traces.
    """
    return [
        case
        for case in bank.cases
        if case.id.startswith(f"{topic}/") and kind_of(case.graded).most_traced
    ]


def _text(case: Case, model: Model) -> str:
    """Return the traces of a case as JSON, with a line for each call."""
    most = kind_of(case.graded).most_traced
    all_inputs = [{**call.inputs, "traced": most} for call in case.calls]
    model.look_ahead(case.function, all_inputs)
    lines = []
    for inputs in all_inputs:
        trace = writing_of(case.graded).trace(case, inputs, model)
        lines.append(json.dumps(trace, separators=(",", ":")))
    return "[\n" + ",\n".join(lines) + "]"
