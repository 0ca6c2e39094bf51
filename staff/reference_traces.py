"""Reference traces: what the model does in each public case of a kind that is traced,
for boards/reference_traces/.

`make expectations` writes them, in the form that the modules of staff/kinds/ give.  The
divergence of a kind reads them.
"""

import json

from grader.bank.cases import Case
from grader.bank.points import read_points
from grader.bank.reading import make_bank
from grader.kinds.kind import REFERENCE_TRACES, kind_of
from staff.generated import write_folder
from staff.model import Model
from staff.strict.bank import case_files
from staff.strict.kind import writing_of


def bring_up_to_date(model: Model, check: bool) -> list[str]:
    """Write what has changed in boards/reference_traces/, unless it is only to be
    checked; a line for each file of it.

    Raises ModelFailure.
    """
    bank, texts = make_bank(case_files(), read_points()), dict[str, str]()
    for file in case_files():
        cases = [
            case
            for case in bank.cases
            if case.id.startswith(f"{file.stem.partition('-')[2]}/")
        ]
        traced = [case for case in cases if kind_of(case.graded).most_traced]
        if traced:
            lines = ",\n".join(
                f"{json.dumps(case.id)}: {_text(case, model)}" for case in traced
            )
            texts[f"{file.stem}.json"] = f"{{\n{lines}\n}}\n"
    return write_folder(REFERENCE_TRACES, texts, check)


def _text(case: Case, model: Model) -> str:
    """What is stored of a case: a line a call."""
    most = kind_of(case.graded).most_traced
    inputs = [{**call.inputs, "traced": most} for call in case.calls]
    model.look_ahead(case.function, inputs)
    traces = [writing_of(case.graded).trace(case, each, model) for each in inputs]
    return (
        "[\n"
        + ",\n".join(json.dumps(trace, separators=(",", ":")) for trace in traces)
        + "]"
    )
