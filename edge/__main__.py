"""`python -m edge run|sim|doctor|setup|enrol|bench`, or `pulse edge …`: says so where a package is missing."""

import sys

import click

from edge.parts import need_packages
from hub.contract.errors import PulseError

FAILED = 1

if __name__ == "__main__":
    try:
        need_packages()
        from edge.cli import main  # only here: it loads what may be missing

        main(prog_name="pulse edge")
    except PulseError as error:
        click.echo(f"{error.detail} [{error.code}]\n{error.fix}".strip(), err=True)
        sys.exit(FAILED)
