"""Pairing without a broker."""

from hub.contract.access import Login
from hub.contract.errors import UserError
from hub.contract.topics import GATEWAY, DeviceAddress, is_segment
from hub.io.broker.pairing import login_name


class FakePairing:
    """The `Pairing` port; `passwords` are those that work now, by device."""

    def __init__(self, profiles: tuple[str, ...] = ("terminal", "phone", "browser")) -> None:
        self._profiles = profiles
        self._handed_out = 0
        self.passwords: dict[DeviceAddress, str] = {}

    async def pair(self, address: DeviceAddress, profile: str) -> Login:
        if profile not in self._profiles:
            raise UserError(f"There is no device profile {profile!r}.")
        if not (is_segment(address.surface) and is_segment(address.device)) or address.device == GATEWAY:
            raise UserError("That name cannot be part of a topic.")
        return self._login(address)

    async def gateway(self, surface: str) -> Login:
        if not is_segment(surface):
            raise UserError("That name cannot be part of a topic.")
        return self._login(DeviceAddress(surface=surface, device=GATEWAY))

    def _login(self, address: DeviceAddress) -> Login:
        self._handed_out += 1
        self.passwords[address] = f"password-{self._handed_out}"
        return Login(
            url="mqtt://127.0.0.1:1883",
            username=login_name(address),
            password=self.passwords[address],
            client_id=login_name(address),
            user="anna",
            surface=address.surface,
            device=address.device,
        )

    async def revoke(self, address: DeviceAddress) -> None:
        self.passwords.pop(address, None)
