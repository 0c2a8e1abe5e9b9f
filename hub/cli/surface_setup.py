"""Setting a surface up: its own program is asked, so that nothing of it is loaded here; or all is forgotten."""

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from hub.cli.beginning import begin, end
from hub.cli.command import CommandContext
from hub.cli.start import called_as
from hub.io.home.folder import Home
from hub.io.home.set_up import forget
from hub.kit.surface import SurfaceSpec


def python_of(module: str) -> list[str]:
    """Return how a module of ours is started as a program of its own."""
    return [sys.executable, *(["-I"] if sys.flags.isolated else []), "-m", module]


def program_of(surface: str) -> list[str]:
    """Return how a surface's program is started."""
    return python_of(f"surfaces.{surface}")


def ask_surface(surface: str, *arguments: str, told: Mapping[str, str], wait_s_max: float | None = None) -> bytes:
    """Return what a surface's program says; where it fails, it has said why, and that ends this command, too.

    Raises:
        subprocess.TimeoutExpired: it took longer than `wait_s_max`.
    """
    done = subprocess.run(  # noqa: S603  our own interpreter, no shell
        [*program_of(surface), *arguments],
        env={**os.environ, **told},
        stdout=subprocess.PIPE,
        check=False,
        timeout=wait_s_max,
    )
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


def begin_surface(context: CommandContext, spec: SurfaceSpec[Any], device: str) -> None:
    """Have the running Pulse begin it, and say how to try it out."""
    begin(context, spec.name, spec.service[0])
    context.say(f"Try it: {called_as()} devices test {spec.name} {device}", bold=True)


def forget_surface(context: CommandContext, spec: SurfaceSpec[Any], also: str = "") -> None:
    """Take back what was set up, its secrets and its process; `also` is what is left for the person to do."""
    forget(Home(context.home), spec.table, spec.secrets)
    end(context, spec.name)
    context.say(f"✓ Forgotten: nothing is sent to {spec.service[0]} any more. {also}".rstrip(), "green")
