"""What would this command do? Read by real parsers and a table of programs, options and operands.

``read_command(text)`` reads a text that is a command, ``find_commands(text)`` the commands that stand within prose, and
``is_dangerous(reading)`` and ``is_unknown(reading)`` say whether a person should look first. Pure and total: any text
has an answer, nothing is run, and limits bound the work.
"""

from hub.screening.commands.reader import read_command
from hub.screening.commands.reading import CommandReading, CommandSpan, is_dangerous, is_unknown
from hub.screening.commands.spans import find_commands

__all__ = ["CommandReading", "CommandSpan", "find_commands", "is_dangerous", "is_unknown", "read_command"]
