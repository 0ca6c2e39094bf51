"""Fills in the cases of commands.  Never ships."""

from collections.abc import Mapping
from typing import Any

from grader.bank.points import Function
from staff.strict.kind import Ask, Writing
from staff.strict.reading import Block

SHORT_OUTPUT = 30  # lines


class CommandCases(Writing):
    """How staff write cases of commands.

    A call has a `command`, which is the words after `make run`.  If it also has
    `through: make`, the grader types the whole command, as a student does.
    """

    def fill(
        self, function: Function, call: Block, inputs: Mapping[str, Any], ask: Ask
    ) -> dict[str, Any]:
        """Return the output that a case expects of the command.

        For a long output, return only its number of lines and its digest.  Raises
        BadFile if the command fails.
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
