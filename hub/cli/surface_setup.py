"""Setting a surface up, the same way for all: ask, have its own program try that out, keep it, begin it, send a test.

Its program is a process of its own, so that nothing of it is loaded here. Nothing is kept before all of it works.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from hub.app.surfaces import SURFACES, keep_set_up, settings_at
from hub.cli.beginning import begin, end, try_out
from hub.cli.command import CommandContext
from hub.io.home.folder import Home
from hub.io.home.set_up import forget, keep_secret
from hub.kit.setup_dialog import settle
from hub.kit.setup_faults import EXIT_SETUP_FAULT, SetupFault, SetupField, SetupNoNetworkError
from hub.kit.surface import SurfaceSpec

SPECS: dict[str, SurfaceSpec[Any]] = {spec.table: spec for spec in SURFACES}
Found = dict[str, Any]
Values = dict[str, str]


def python_of(module: str) -> list[str]:
    """Return how a module of ours is started as a program of its own."""
    return [sys.executable, *(["-I"] if sys.flags.isolated else []), "-m", module]


def program_of(surface: str) -> list[str]:
    """Return how a surface's program is started."""
    return python_of(f"surfaces.{surface}")


def set_up_surface(
    context: CommandContext,
    spec: SurfaceSpec[Any],
    given: Mapping[str, str],
    find: Callable[[Values], Found],
    *,
    fields: tuple[SetupField, ...] | None = None,
) -> Values:
    """Ask for what is not given, let `find` try it out and return the table to keep; keep it, begin it, send a test.

    Raises:
        SetupError: it does not work, as often as it was tried.
        NotBegunError: all is kept, but it does not come up, or the test did not arrive.
    """
    home, asked = Home(context.home), spec.asks if fields is None else fields
    told = {field.name: given.get(field.name, "") or os.environ.get(field.name, "") for field in asked}
    values, found = settle(asked, told, find, context.say, ask=not context.as_json)
    for name in set(spec.secrets) & set(values):
        keep_secret(home, name, values[name])
    keep_set_up(home.set_up, spec.table, found)
    context.say(f"✓ Kept in {home.set_up}, what is secret in files that only you can read.", "green")
    return values


def begin_surface(context: CommandContext, spec: SurfaceSpec[Any]) -> None:
    """Have the running Pulse begin it, and see a test arrive."""
    device = begin(context, spec.name, spec.service[0])
    if device is not None:
        try_out(context, device, spec.howto)


def ask_surface(
    spec: SurfaceSpec[Any], *arguments: str, table: Found, secrets: Values, wait_s_max: float | None = None
) -> Found:
    """Return what a surface's program finds, told this table and these secrets.

    Where it fails otherwise than by a `SetupFault` it has said why, and that ends this command, too.

    Raises:
        SetupError: what it was told does not work.
    """
    name = f"PULSE_{spec.table.upper()}"
    told = {**secrets, f"{name}_CONFIG": msgspec.json.encode(table).decode(), f"{name}_STATE": ""}
    try:
        done = subprocess.run(  # noqa: S603  our own interpreter, no shell
            [*program_of(spec.table), *arguments],
            env={**os.environ, **told},
            stdout=subprocess.PIPE,
            check=False,
            timeout=wait_s_max,
        )
    except subprocess.TimeoutExpired as error:
        raise SetupNoNetworkError(f"{spec.service[0]} does not answer in time.", fix="Check the network.") from error
    if done.returncode == EXIT_SETUP_FAULT:
        raise msgspec.json.decode(done.stdout, type=SetupFault).error()
    if done.returncode:
        sys.exit(done.returncode)
    return msgspec.json.decode(done.stdout, type=Found) if done.stdout else {}


def kept_table(context: CommandContext, spec: SurfaceSpec[Any]) -> Found:
    """Return what the settings say of a surface now."""
    table: Found = msgspec.to_builtins(spec.of(settings_at(Home(context.home).config)))
    return table


def parted(spec: SurfaceSpec[Any], values: Values) -> tuple[Found, Values]:
    """Return what belongs into the table, and the secrets."""
    secrets = {name: text for name, text in values.items() if name in spec.secrets}
    return {name: text for name, text in values.items() if name not in secrets}, secrets


def forget_surface(context: CommandContext, spec: SurfaceSpec[Any], also: str = "") -> None:
    """Take back what was set up, its secrets and its process; `also` is what is left for the person to do."""
    forget(Home(context.home), spec.table, spec.secrets)
    end(context, spec.name)
    context.say(f"✓ Forgotten: nothing is sent to {spec.service[0]} any more. {also}".rstrip(), "green")
