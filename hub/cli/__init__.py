"""The `pulse` command. Each command's module is imported when the command runs, so that starting stays quick."""

from hub.cli.root import main

__all__ = ["main"]
