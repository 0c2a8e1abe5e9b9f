"""`pulse completion` and `pulse version`."""

import platform

import click
from click.shell_completion import get_completion_class

from hub import __version__
from hub.cli.command import CommandContext, command


@command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    r"""Print the completion for your shell.

    \b
    bash  eval "$(pulse completion bash)"       in ~/.bashrc
    zsh   eval "$(pulse completion zsh)"        in ~/.zshrc
    fish  pulse completion fish | source        in ~/.config/fish/config.fish
    """
    click.echo(completion_script(shell))


def completion_script(shell: str) -> str:
    """Return what a shell runs to complete this command.

    Raises:
        UsageError: there is no completion for it.
    """
    from hub.cli.root import pulse  # noqa: PLC0415  the root imports this module

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"There is no completion for {shell}.")
    return kind(pulse, {}, "pulse", "_PULSE_COMPLETE").source()


@command()
@click.pass_obj
def version(context: CommandContext) -> None:
    """Print the version."""
    if context.printed({"version": __version__, "python": platform.python_version()}):
        return
    context.say(f"pulse {__version__} (Python {platform.python_version()})")
