"""Which agents' own servers Pulse attaches to: one line each, with the process beside the hub that does it."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import msgspec

from hub.app.surfaces import settings_at
from hub.contract.attached import ATTACHED
from hub.io.attached.codex.place import CodexPlace
from hub.io.attached.openclaw.kept_device import AGENT as OPENCLAW
from hub.io.attached.openclaw.kept_device import device_text, is_device_kept
from hub.io.processes.surfaces import SurfaceProgram, Told
from hub.settings import Settings
from hub.settings.schema import CodexSettings

Admit = Callable[[str], str]
"""Returns a token for a process that speaks for an agent, by the agent's name."""


def used(settings: Settings, home: Path) -> tuple[str, ...]:
    """Return what is attached to from the start on."""
    wanted = {"codex": settings.codex.attach, OPENCLAW: is_device_kept(home)}
    return tuple(f"{ATTACHED} {agent}" for agent, is_wanted in wanted.items() if is_wanted)


def attached_programs(
    config: Path, environment: Callable[[], Mapping[str, str]], admit: Admit
) -> dict[str, SurfaceProgram]:
    """Return the processes, by what they are needed as; each reads the settings of `config` when it is started."""
    told = partial(_told_to_codex, config, environment, admit)
    codex = SurfaceProgram(name="codex", arguments=("hub.io.attached.codex",), told=told, kind=ATTACHED)
    device = partial(_told_to_openclaw, config.parent, environment, admit)
    openclaw = SurfaceProgram(name=OPENCLAW, arguments=("hub.io.attached.openclaw",), told=device, kind=ATTACHED)
    return {one.title: one for one in (codex, openclaw)}


def codex_place(wanted: CodexSettings) -> CodexPlace:
    """Return where Codex's own server is, and how long it waits."""
    home = Path(wanted.home).expanduser() if wanted.home else Path.home() / ".codex"
    return CodexPlace(home=str(home), wait_s=wanted.wait_s)


async def _told_to_codex(config: Path, environment: Callable[[], Mapping[str, str]], admit: Admit) -> Told:
    """Tell it where Codex is; its token lets it ask, and nothing else."""
    place = msgspec.json.encode(codex_place(settings_at(config).codex)).decode()
    return Told(environment={**environment(), "PULSE_CODEX_CONFIG": place}, secrets={"PULSE_TOKEN": admit("codex")})


async def _told_to_openclaw(home: Path, environment: Callable[[], Mapping[str, str]], admit: Admit) -> Told:
    """Hand it the device that it is to the gateway; its token here lets it ask, and nothing else."""
    handed = {"PULSE_TOKEN": admit(OPENCLAW), "PULSE_OPENCLAW_DEVICE": device_text(home)}
    return Told(environment=dict(environment()), secrets=handed)
