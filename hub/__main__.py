"""`python -m hub` is the `pulse` command."""

from hub.cli import main

main()
