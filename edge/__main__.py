"""`python -m edge run|sim|doctor|setup|enrol|bench`, or `pulse edge …`: says so where a package is missing."""

import sys

import click

from edge.parts import need_packages
from hub.contract.errors import PulseError
from hub.kit.called import as_called, called_as

FAILED = 1

if __name__ == "__main__":
    try:
        need_packages()
        from edge.cli import main  # only here: it loads what may be missing

        main(prog_name=f"{called_as()} edge")
    except PulseError as error:
        click.echo(as_called(f"{error.detail} [{error.code}]\n{error.fix}".strip()), err=True)
        sys.exit(FAILED)
