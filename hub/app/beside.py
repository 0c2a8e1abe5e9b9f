"""What runs in processes of its own beside the hub: surfaces, and what is attached to agents; what each is told."""

import os
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from hub.app.attached import attached_programs
from hub.app.surfaces import SURFACES, settings_at
from hub.io.api import RunningApi
from hub.io.home.folder import Home
from hub.io.home.set_up import kept_secret
from hub.io.home.vapid import VapidKey, key_at
from hub.io.processes.surfaces import SurfaceProgram, Told
from hub.kit.surface import PAGE, SurfaceSpec
from hub.settings import Settings

INHERITED = ("PATH", "PYTHONPATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "SSL_CERT_DIR", "SSL_CERT_FILE")
"""What such a process gets of our own environment; nothing in it is secret."""
VAPID_KEY = "PULSE_VAPID_KEY"
"""The one secret of a surface that is ours: browsers subscribe with its public half."""


class ProcessesBeside:
    """Says how each is started; `api` is asked once one is, for then the API is there.

    `begun` is told of a table of the settings that is taken up after the start.
    """

    def __init__(
        self,
        home: Home,
        settings: Settings,
        zone: str,
        api: Callable[[], RunningApi],
        begun: Callable[[str, object], None],
    ) -> None:
        self._home = home
        self._settings = settings
        self._zone = zone
        self._api = api
        self._begun = begun

    def used(self) -> list[SurfaceSpec[Any]]:
        """Return the surfaces that the settings use."""
        return [spec for spec in SURFACES if spec.is_used(spec.of(self._settings))]

    def programs(self) -> dict[str, SurfaceProgram]:
        """Return the processes that can run beside the hub, by the surface that they serve."""
        programs = {
            surface: SurfaceProgram(
                name=spec.name, arguments=(f"surfaces.{spec.table}",), told=partial(self._told_to, spec)
            )
            for spec in self.used()
            for surface in spec.serves
        }
        return programs | attached_programs(self._home.config, self._environment, self._admit)

    def as_set_up(self, surface: str) -> SurfaceProgram | None:
        """Return a surface's process as its table of the settings is now; None where it is not used (any more).

        Raises:
            SettingsError: the settings have mistakes.
        """
        written = settings_at(self._home.config)
        spec = next((one for one in SURFACES if surface in one.serves), None)
        if spec is not None:  # else it is no surface: an agent's server to which Pulse is attached
            self._settings = replace(self._settings, **{spec.table: spec.of(written)})
            self._begun(spec.table, spec.of(written))
        return self.programs().get(surface)

    async def vapid_key(self) -> str:
        """Return the public half of the key for Web Push."""
        return (await self._vapid()).public

    async def _vapid(self) -> VapidKey:
        """Return the key pair for Web Push; it is made on first use, and kept."""
        return await key_at(self._home.secret_path("vapid.key"))

    async def _told_to(self, spec: SurfaceSpec[Any]) -> Told:
        """Return what a surface's process is told: our environment without secrets, and the door that it may open."""
        environment = self._environment() | spec.told(self._settings, str(self._home.folder / spec.table))
        if self._settings.mqtt.ca_file:
            environment["SSL_CERT_FILE"] = self._settings.mqtt.ca_file
        surface, carries = ("", spec.serves) if spec.is_gateway else (spec.name, ())
        token = self._api().admit(spec.table, spec.scopes, surface=surface, carries=carries)
        secrets_of_it = {name: await self._secret(name) for name in spec.secrets}
        return Told(environment=environment, secrets={"PULSE_TOKEN": token, **secrets_of_it})

    def _admit(self, agent: str) -> str:
        return self._api().admit_agent(agent)

    def _environment(self) -> dict[str, str]:
        inherited = {key: os.environ[key] for key in INHERITED if key in os.environ}
        page = self._api().services.outside.addresses.public_url
        told = {"PULSE_API": self._api().address, PAGE: page, "PULSE_ZONE": self._zone, "PULSE_CHILD": "1"}
        return inherited | told

    async def _secret(self, name: str) -> str:
        return (await self._vapid()).private if name == VAPID_KEY else kept_secret(self._home, name)
