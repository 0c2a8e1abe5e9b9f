"""Pairing: a device's way to the broker. Logins are kept, hashed, in $PULSE_HOME, so that they survive a restart.

A broker of ours learns of each login at once. A broker at `mqtt.url` has an owner who adds logins by hand; there a
device keeps one password for good, so that this needs to be done only once.
"""

import asyncio
import contextlib
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from hub.contract.access import Login
from hub.contract.errors import PulseError, UserError, WorldError
from hub.contract.profile import DeviceProfile
from hub.contract.topics import GATEWAY, DeviceAddress, is_segment
from hub.domain.requests import Refused, RegisterDevice, Request, RevokeDevice
from hub.io.broker.acl import BrokerUser
from hub.io.broker.passwords import new_password, with_password
from hub.io.broker.running import RunningBroker
from hub.io.home.folder import HomeError, secret_at
from hub.io.home.kept_file import KeptFile
from hub.io.home.revocations import Revocations, of_device
from hub.kit.base64url import to_base64url
from hub.kit.mqtt.connection import Connection, LinkOptions
from hub.kit.mqtt.proof import key_of
from hub.ports import HubApi

HUB_LOGIN = "pulse-hub"
DEVICES_MAX = 100
NAME_CHARS_MAX = 64
CLIENT_ID_BYTES = 16
"""A client id opens a session at the broker, whoever knows it: ours cannot be guessed, and only its owner is told."""
NAME_PART_CHARS = 20
DIGEST_CHARS = 12


class UnknownProfileError(UserError):
    """There is no device profile with that name."""

    code = "unknown-profile"
    status = 404


class BadDeviceNameError(UserError):
    """A device's surface and name may hold letters, digits, _ and - only, 64 at most; `gateway` is taken."""

    code = "bad-device-name"
    status = 422


class TooManyDevicesError(UserError):
    """There are too many paired devices. Revoke one that is no longer used."""

    code = "too-many-devices"
    status = 409


class LoginNotAddedError(UserError):
    """The broker at `mqtt.url` does not know this device yet. Its owner has to add the login."""

    code = "login-not-added"
    status = 409


class PairingFailedError(WorldError):
    """The device was not paired or revoked, because the hub did not accept it."""

    code = "pairing-failed"


class Logins:
    """The broker's users as kept in a file: the hub's own (a new password at each start) and every device's."""

    def __init__(self, path: Path, user: str) -> None:
        """Read what is kept.

        Raises:
            HomeError: the file is there and cannot be read.
        """
        self._path = path
        self._user = user
        self.file = KeptFile(path)
        self._users = {one.name: one for one in _kept(self.file)}
        self.hub_password = new_password()
        self._hub = with_password(BrokerUser(name=HUB_LOGIN, user=user, role="hub"), self.hub_password)

    def all(self) -> tuple[BrokerUser, ...]:
        """Return everybody who may log in."""
        return (self._hub, *self._users.values())

    def add(self, address: DeviceAddress, *, lasting: bool = False) -> tuple[str, str]:
        """Add a device, or give it a new password; return its login name and password.

        A `lasting` password is the same each time, for a broker whose owner adds logins by hand; it proves nothing, for
        it is made from a key that every program of the person's reads (`add_signing`).

        Raises:
            HomeError: it cannot be kept; nothing changed.
        """
        name = login_name(address)
        password = self._lasting(name) if lasting else new_password()
        key = self.key_of(address) if lasting else key_of(password)
        user = BrokerUser(
            name=name,
            user=self._user,
            role="device",
            surface=address.surface,
            device=address.device,
        )
        self._save({**self._users, name: replace(with_password(user, password), key=key)})
        return name, password

    def add_signing(self, address: DeviceAddress) -> str:
        """Give a device that has a login a secret of its own to sign with; return it, and keep its public half.

        Raises:
            HomeError: it cannot be kept; nothing changed.
        """
        name, signing = login_name(address), new_password()
        self._save({**self._users, name: replace(self._users[name], key=key_of(signing))})
        return signing

    def distrust(self, folder: Path) -> None:
        """Take no answer as proven by a login that still lies in a file of this folder, from now on."""
        lying = {key_of(login.signing or login.password) for login in map(_login_in, folder.glob("*.json")) if login}
        users = {name: replace(user, key="") if user.key in lying else user for name, user in self._users.items()}
        if users != self._users:
            self._users = users
            with contextlib.suppress(HomeError):  # a full disk: it holds in memory, and the next start looks again
                self._save(users)

    def key_of(self, address: DeviceAddress) -> str:
        """Return the key with which a device shows that an answer is its own; empty where there is none."""
        found = self._users.get(login_name(address))
        return "" if found is None or self._is_of_lasting(found) else found.key

    def _is_of_lasting(self, user: BrokerUser) -> bool:
        """Return True if a key is of a lasting password, as an earlier Pulse made it, or if that cannot be told."""
        try:
            return user.key == key_of(self._lasting(user.name))
        except HomeError:
            return True

    def add_gateway(self, surface: str, *, lasting: bool = False) -> tuple[str, str]:
        """Add the gateway of a surface, or give it a new password; return its login name and password.

        Raises:
            HomeError: it cannot be kept; nothing changed.
        """
        name = login_name(DeviceAddress(surface=surface, device=GATEWAY))
        password = self._lasting(name) if lasting else new_password()
        user = BrokerUser(name=name, user=self._user, role="gateway", surface=surface)
        self._save({**self._users, name: with_password(user, password)})
        return name, password

    def drop(self, address: DeviceAddress) -> None:
        """Forget a device's login.

        Raises:
            HomeError: that cannot be kept; it is forgotten all the same, until the next start.
        """
        name = login_name(address)
        self._users = {key: user for key, user in self._users.items() if key != name}
        self._save(self._users)

    def has(self, address: DeviceAddress) -> bool:
        """Return True if this device has a login."""
        return login_name(address) in self._users

    def __len__(self) -> int:
        return len(self._users)

    def hub_client_id(self) -> str:
        """Return the hub's client id at a broker of ours: the same at each start, so that it finds its session again.

        Raises:
            HomeError: the key that it is made from cannot be kept.
        """
        digest = hmac.digest(self._key(), b"client id of the hub", "sha256")
        return f"{HUB_LOGIN}-{digest[:CLIENT_ID_BYTES].hex()}"

    def _lasting(self, name: str) -> str:
        return to_base64url(hmac.digest(self._key(), name.encode(), "sha256"))

    def _key(self) -> bytes:
        return secret_at(self._path.with_name("broker-logins.key"))

    def _save(self, users: dict[str, BrokerUser]) -> None:
        try:
            self.file.write(msgspec.json.encode(tuple(users.values())).decode())
        except OSError as error:
            raise HomeError(f"{self._path}: {error.strerror or error}.", fix=HomeError.__doc__ or "") from error
        self._users = users


class BrokerPairing:
    """The `Pairing` port over a running broker."""

    def __init__(
        self,
        *,
        broker: RunningBroker,
        logins: Logins,
        hub_api: HubApi,
        profiles: Mapping[str, DeviceProfile],
        user: str,
        revocations: Revocations,
    ) -> None:
        self._revocations = revocations
        self._broker = broker
        self._logins = logins
        self._hub_api = hub_api
        self._profiles = profiles
        self._user = user
        self._foreign = broker.health().kind == "external"
        self._one_at_a_time = asyncio.Lock()

    async def pair(self, address: DeviceAddress, profile: str) -> Login:
        """Register a device and give it a fresh password, or its lasting one at a broker that is not ours.

        Raises:
            UserError: there is no such profile, the name will not do, there are too many devices, or the broker is
                not ours and its owner has yet to add the login.
            PairingFailedError: the hub did not take it, for instance because the disk is full.
        """
        if profile not in self._profiles:
            known = ", ".join(sorted(self._profiles))
            raise UnknownProfileError(f"There is no device profile {profile!r}.", fix=f"Profiles: {known}.")
        if not (is_segment(address.surface) and is_segment(address.device)) or address.device == GATEWAY:
            raise BadDeviceNameError
        async with self._one_at_a_time:
            return await self._pair(address, profile)

    async def revoke(self, address: DeviceAddress) -> None:
        """End a device's access at once; one that was never paired is no mistake.

        At a broker that is not ours the login itself stays until its owner removes it, and opens nothing: the hub
        hands a revoked device no card and takes nothing from it.

        Raises:
            PairingFailedError: the hub could not write it down; the login is gone all the same, and it is noted for
                the next start and for another try.
        """
        async with self._one_at_a_time:
            trouble = await self._end_login(address)
            reply = await self._hub_api.submit(RevokeDevice(address=address))
        if isinstance(reply, Refused):
            trouble = PairingFailedError(reply.detail, fix=reply.fix)
        if trouble is None:
            self._revocations.settle(of_device(address))
        elif not self._revocations.note(of_device(address)):
            raise PairingFailedError(
                f"{address} is shut out now, but that could not be saved: {trouble.detail}",
                fix=f"Revoke it again before Pulse restarts. {trouble.fix}",
            )

    async def _end_login(self, address: DeviceAddress) -> PulseError | None:
        """Take the login away in memory and at the broker, whatever the disk says; return what it said."""
        if not self._logins.has(address):
            return None
        trouble: PulseError | None = None
        try:
            self._logins.drop(address)
        except HomeError as error:
            trouble = error
        try:
            await self._broker.admit(self._logins.all())
        except OSError as error:
            trouble = PairingFailedError(f"The broker could not be told: {error.strerror or error}.")
        return trouble

    async def gateway(self, surface: str) -> Login:
        """Let a process carry the deliveries of all devices of one surface.

        Raises:
            UserError: the name will not do, or the broker is not ours and its owner has yet to add the login.
            PairingFailedError: a broker that is not ours could not be asked.
        """
        if not is_segment(surface):
            raise BadDeviceNameError
        address = DeviceAddress(surface=surface, device=GATEWAY)
        async with self._one_at_a_time:
            if self._foreign:
                name, password = self._logins.add_gateway(surface, lasting=True)
                await self._try(name, password)
            else:
                name, password = self._logins.add_gateway(surface)
                await self._broker.admit(self._logins.all())
        return self._login(address, name, password)

    async def _pair(self, address: DeviceAddress, profile: str) -> Login:
        if len(self._logins) >= DEVICES_MAX and not self._logins.has(address):
            raise TooManyDevicesError
        register = RegisterDevice(address=address, profile=profile)
        if self._foreign:
            name, password = self._logins.add(address, lasting=True)
            await self._try(name, password)
            await self._submit(register)
            signing = self._logins.add_signing(address)
        else:
            signing = ""  # its password is its own
            await self._submit(register)
            name, password = self._logins.add(address)
            await self._broker.admit(self._logins.all())
        self._revocations.settle(of_device(address))
        return replace(self._login(address, name, password), signing=signing)

    def _login(self, address: DeviceAddress, name: str, password: str) -> Login:
        return Login(
            url=self._broker.address.shown,
            username=name,
            password=password,
            client_id=name if self._foreign else f"{name}-{secrets.token_hex(CLIENT_ID_BYTES)}",
            user=self._user,
            surface=address.surface,
            device=address.device,
        )

    async def _try(self, name: str, password: str) -> None:
        """Log in once, as the device will.

        Raises:
            LoginNotAddedError: the broker did not let it in.
            PairingFailedError: the broker could not be asked.
        """
        address = replace(self._broker.address, username=name, password=password)
        options = LinkOptions(address=address, client_id=name, keep_session=False)
        link = Connection(options, lambda _link, _message: None, None)
        loss = await link.open()
        await link.say_goodbye()
        if loss is not None and loss.kind == "refused":
            raise LoginNotAddedError(
                f"The broker at {address.shown} is not run by Pulse, and does not accept the login {name} yet.",
                fix="Its owner adds what `pulse broker acl` and `pulse broker passwords` print. Then try again.",
            )
        if loss is not None:
            raise PairingFailedError(
                f"The broker at {address.shown} {loss.why}.", fix="See `pulse status`, then try again."
            )

    async def _submit(self, request: Request) -> None:
        reply = await self._hub_api.submit(request)
        if isinstance(reply, Refused):
            raise PairingFailedError(reply.detail, fix=reply.fix)


def login_name(address: DeviceAddress) -> str:
    """Return the broker login of a device; it is its client id as well, and no other device has it.

    It is `surface-device` where that can only be read in one way, else a shortened form with a digest.
    """
    plain = f"{address.surface}-{address.device}"
    if plain.count("-") == 1 and len(plain) <= NAME_CHARS_MAX and plain != HUB_LOGIN:
        return plain
    digest = hashlib.sha256(str(address).encode()).hexdigest()[:DIGEST_CHARS]
    return f"{address.surface[:NAME_PART_CHARS]}-{address.device[:NAME_PART_CHARS]}-{digest}"


def _login_in(path: Path) -> Login | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Login)
    except (OSError, msgspec.DecodeError):
        return None


def _kept(file: KeptFile) -> tuple[BrokerUser, ...]:
    path = file.path
    try:
        content = file.read()
        return () if content is None else msgspec.json.decode(content, type=tuple[BrokerUser, ...])
    except OSError as error:
        raise HomeError(f"{path}: {error.strerror or error}.", fix=HomeError.__doc__ or "") from error
    except (msgspec.DecodeError, UserError) as error:
        fix = "Restore it from a backup, or delete it and pair the devices again."
        raise HomeError(f"{path} is damaged.", fix=fix) from error
