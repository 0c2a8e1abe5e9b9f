"""Pairing: a device's way to the broker. Logins are kept, hashed, in $PULSE_HOME, so that they survive a restart."""

import asyncio
import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from hub.contract.profile import DeviceProfile
from hub.contract.topics import Address, is_segment
from hub.domain.requests import RegisterDevice
from hub.errors import UserError
from hub.io.broker.acl import BrokerUser
from hub.io.broker.passwords import hash_password, new_password
from hub.io.broker.running import RunningBroker
from hub.ports import Desk, Login

HUB_LOGIN = "pulse-hub"
DEVICES_MAX = 100


class UnknownProfileError(UserError):
    """There is no device profile of that name."""

    code = "unknown-profile"
    status = 404


class BadDeviceNameError(UserError):
    """A device's surface and name may hold letters, digits, _ and - only, 64 at most."""

    code = "bad-device-name"
    status = 422


class TooManyDevicesError(UserError):
    """There are too many paired devices. Revoke one that is no longer used."""

    code = "too-many-devices"
    status = 409


class Logins:
    """The broker's users as kept in a file: the hub's own (a new password at each start) and every device's."""

    def __init__(self, path: Path, user: str) -> None:
        self._path = path
        self._user = user
        self._users: dict[str, BrokerUser] = {}
        with contextlib.suppress(FileNotFoundError):
            kept = msgspec.json.decode(path.read_bytes(), type=tuple[BrokerUser, ...])
            self._users = {one.name: one for one in kept}
        self.hub_password = new_password()

    def all(self) -> tuple[BrokerUser, ...]:
        """Return everybody who may log in."""
        hub = BrokerUser(
            name=HUB_LOGIN,
            user=self._user,
            role="hub",
            password_hash=hash_password(self.hub_password),
        )
        return (hub, *self._users.values())

    def add(self, address: Address) -> tuple[str, str]:
        """Add a device, or give it a new password; return its login name and password."""
        name, password = login_name(address), new_password()
        self._users[name] = BrokerUser(
            name=name,
            user=self._user,
            role="device",
            surface=address.surface,
            device=address.device,
            password_hash=hash_password(password),
        )
        self._save()
        return name, password

    def drop(self, address: Address) -> None:
        """Forget a device's login."""
        self._users.pop(login_name(address), None)
        self._save()

    def __len__(self) -> int:
        return len(self._users)

    def _save(self) -> None:
        partial = self._path.with_suffix(".new")
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(tuple(self._users.values())))
        partial.replace(self._path)


class BrokerPairing:
    """The `Pairing` port over a running broker."""

    def __init__(
        self,
        *,
        broker: RunningBroker,
        logins: Logins,
        desk: Desk,
        profiles: Mapping[str, DeviceProfile],
        user: str,
    ) -> None:
        self._broker = broker
        self._logins = logins
        self._desk = desk
        self._profiles = profiles
        self._user = user
        self._one_at_a_time = asyncio.Lock()

    async def pair(self, address: Address, profile: str) -> Login:
        """Register a device and give it a fresh password."""
        if profile not in self._profiles:
            known = ", ".join(sorted(self._profiles))
            raise UnknownProfileError(f"There is no device profile {profile!r}.", fix=f"Profiles: {known}.")
        if not (is_segment(address.surface) and is_segment(address.device)):
            raise BadDeviceNameError
        if len(self._logins) >= DEVICES_MAX:
            raise TooManyDevicesError
        async with self._one_at_a_time:
            await self._desk.submit(RegisterDevice(address=address, profile=profile))
            name, password = self._logins.add(address)
            await self._broker.admit(self._logins.all())
        return Login(
            url=self._broker.address.shown,
            username=name,
            password=password,
            client_id=name,
            user=self._user,
            surface=address.surface,
            device=address.device,
        )

    async def revoke(self, address: Address) -> None:
        """End a device's access at once."""
        async with self._one_at_a_time:
            self._logins.drop(address)
            await self._broker.admit(self._logins.all())


def login_name(address: Address) -> str:
    """Return the broker login of a device; it is its client id as well."""
    return f"{address.surface}-{address.device}"[:64]
