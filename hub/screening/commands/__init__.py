"""What would this command do? Read by real parsers and a table of programs, options and operands.

``read_command(text)`` reads a text that is a command; ``find_commands(text)`` finds the commands within prose.
Pure and total: any text has an answer, nothing is run, and limits bound the work.
"""
