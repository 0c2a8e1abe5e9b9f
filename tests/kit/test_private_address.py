"""Which IP addresses are of the open internet, and which lead to this machine, in whatever form they are written."""

import pytest

from hub.kit.private_address import is_of_this_machine, is_public

OPEN = ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:93.184.216.34", "64:ff9b::5db8:d822")
HERE = (
    *("127.0.0.1", "127.8.9.1", "0.0.0.0", "169.254.169.254", "::", "::1", "fe80::1%eth0", "::ffff:127.0.0.1"),  # noqa: S104  nothing is bound
    *("64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1", "::ffff:0:127.0.0.1", "2130706433", "0x7f.1", ""),
)
PRIVATE = (
    *("10.0.0.1", "192.168.1.1", "100.64.0.1", "198.18.0.1", "240.0.0.1", "255.255.255.255", "fd00::1", "ff02::1"),
    *("fec0::1", "64:ff9b:1::7f00:1", "64:ff9b:1:ffff::10.0.0.1", "5f00::1", "100::1", "2001:db8::1", "::10.0.0.1"),
    *("::ffff:0:10.0.0.1", "64:ff9b::a00:1"),
)


@pytest.mark.parametrize("address", OPEN)
def test_the_open_internet(address: str) -> None:
    assert is_public(address)
    assert not is_of_this_machine(address)


@pytest.mark.parametrize("address", [*HERE, *PRIVATE])
def test_what_is_not_of_it(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", HERE)
def test_this_machine_or_none(address: str) -> None:
    assert is_of_this_machine(address)
