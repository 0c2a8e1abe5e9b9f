"""`pulse shell-hook`: what a shell runs so that Pulse hears when a long command has ended. Opt-in, by the person."""

import os
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from hub.cli.command import CommandContext, command
from hub.domain.masking import mask
from hub.io.home.command_record import append_command
from hub.kit.text import one_line
from hub.sense.command_lines import COMMAND_CHARS_MAX, CommandLine
from hub.sense.test_commands import is_test_run

TEMPLATES = {"bash": "bash.sh", "zsh": "zsh.sh", "fish": "fish.fish"}
LONG, LONG_S = "PULSE_LONG_S", 60
STDIN_CHARS_MAX = 4_096
SECONDS_MAX = 30 * 24 * 3_600
INTERACTIVE = frozenset(
    {
        *("vi", "vim", "nvim", "nano", "emacs", "hx", "less", "more", "man", "top", "htop", "btop", "watch", "tail"),
        *("ssh", "mosh", "tmux", "screen", "bash", "zsh", "fish", "sh", "python", "python3", "ipython", "node", "psql"),
        *("claude", "codex", "pulse", "journalctl", "git", "gdb", "lldb", "fzf", "tig", "lazygit", "sudo", "su"),
    }
)
"""What a person sits before: that it has ended is no news. With an argument that is a file, an interpreter runs it."""
RUNS_A_FILE = frozenset({"bash", "zsh", "fish", "sh", "python", "python3", "node"})


@command()
@click.argument("shell", type=click.Choice(list(TEMPLATES)), required=False)
@click.option("--ended", type=int, hidden=True, help="The exit status of the finished command.")
@click.option("--seconds", type=click.IntRange(0, SECONDS_MAX), default=0, hidden=True, help="How long it took.")
@click.pass_obj
def shell_hook(context: CommandContext, shell: str | None, ended: int | None, seconds: int) -> None:
    r"""Let your shell report long commands that have finished, and every test run.

    This prints the lines to run when your shell starts.

    \b
    bash  eval "$(pulse shell-hook bash)"       in ~/.bashrc
    zsh   eval "$(pulse shell-hook zsh)"        in ~/.zshrc
    fish  pulse shell-hook fish | source        in ~/.config/fish/config.fish

    Long means a minute, or PULSE_LONG_S seconds. The command line stays on this machine, without anything that looks
    like a secret; a line that begins with a space is not kept where your shell leaves it out of its history.
    """
    if ended is not None:
        _note(context, ended, seconds)
        return
    if shell is None:
        raise click.UsageError("Name your shell: bash, zsh or fish.")
    # Isolated: what lies in the folder where the person works is never imported.
    text = (Path(__file__).parent / "shell_hooks" / TEMPLATES[shell]).read_text(encoding="utf-8")
    click.echo(text.replace("{program}", f"{shlex.quote(sys.executable)} -I -m hub"), nl=False)


def _note(context: CommandContext, ended: int, seconds: int) -> None:
    line = one_line(mask(sys.stdin.read(STDIN_CHARS_MAX)), COMMAND_CHARS_MAX)
    if not line or is_interactive(line) or not context.home.is_dir():
        return
    if seconds < long_s() and not is_test_run(line):
        return
    folder = str(Path.cwd())
    said = CommandLine(at=datetime.now(UTC), folder=folder, command=line, status=ended, seconds=seconds)
    append_command(context.home, msgspec.json.encode(said))


def long_s() -> int:
    """Return from how many seconds on a command is long, as the person's shell says."""
    said = os.environ.get(LONG, "")
    return int(said) if said.isascii() and said.isdigit() else LONG_S


def is_interactive(line: str) -> bool:
    """Return True if a command is one that a person sits before; what it is called by is its first word."""
    words = [word for word in line.split() if "=" not in word.partition("/")[0] or word.startswith("-")]
    name = words[0].rpartition("/")[2] if words else ""
    if name in RUNS_A_FILE and len(words) > 1:
        return False
    return not name or name in INTERACTIVE
