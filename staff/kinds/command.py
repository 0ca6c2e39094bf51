"""Fills in the cases of commands.  Never ships."""

from collections.abc import Mapping
from typing import Any

from grader.bank.points import Function
from staff.strict.kind import Ask, Writing
from staff.strict.reading import Block

SHORT_OUTPUT = 30  # lines


class CommandCases(Writing):
    """Calls with a `command`, and with `through: make` if the grader types the
    command.
    """

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        """The output of the command; for a long output, the number of lines and their
        digest.
        """
        command = inputs["command"]
        output = ask(function.name, {"command": command})
        if output.status:
            case = call.get("id", function.name)
            call.fail(f'{case}: make run ARGS="{command}": {output.complaint}')
        if output.lines <= SHORT_OUTPUT:
            return {"stdout": output.text}
        return {"lines": output.lines, "digest": output.digest}


WRITING = CommandCases()
