"""A name put together or decoded is the name that comes of it; where nobody can tell, it is not understood."""

import pytest

from hub.contract.effects import Effect
from hub.screening.commands import is_dangerous, is_unknown, read_command

FOLDER = "/home/me/shop"
DELETING = (
    *(
        f"$(printf {said}) -rf src"
        for said in ("rm", "'%s' r m", "%s%s r m", "'r%s' m", "'%c%c' r m", "%b '\\x72m'", "-- rm")
    ),
    *("$(printf r)m -rf src", "a=r; b=m; ${a}${b} -rf src", "$'\\x72\\x6d' -rf src", "x=rmx; ${x%x} -rf src"),
    "printf '%s\\n' src lib | xargs rm -r",
)
DECODED = (
    *(f"{decodes} <<< cm0= | sh" for decodes in ("base64 -d", "openssl enc -d -base64", "base32 -d", "rev")),
    *('eval "$(echo cm0= | base64 -d)"', "echo 726d | xxd -r -p | bash", "$(base64 -d <<< cm0=) -rf src"),
)
OPEN = (
    *(f"$(printf {said})m -rf src" for said in ("%.1s rx", "%.0s 1", "%x 1", "'%(%Y)T'", "%*s 1 r")),
    "$(command cat x) -rf src",
    *("${a}${b} -rf src", "{r,}m -rf src", "read x <<< m; r$x -rf src", "a=(r m); ${a[0]}${a[1]} -rf src"),
)
SILENT = ("$(printf l)s", "$(printf '%s' l s) -la", "printf '%s\\n' a b", "printf '%d%%\\n' 5", "printf '%5.1f' 3")


@pytest.mark.parametrize("command", DELETING)
def test_it_is_read_as_what_comes_of_it(command: str) -> None:
    assert Effect.DELETES in read_command(command, folder=FOLDER).effects


@pytest.mark.parametrize("command", DECODED)
def test_what_is_decoded_and_run_is_code_that_nobody_read(command: str) -> None:
    assert Effect.RUNS_UNKNOWN_CODE in read_command(command, folder=FOLDER).effects


@pytest.mark.parametrize("command", OPEN)
def test_a_name_that_nobody_can_tell_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert is_dangerous(reading) or is_unknown(reading), reading


@pytest.mark.parametrize("command", SILENT)
def test_nobody_is_asked(command: str) -> None:
    reading = read_command(command, folder=FOLDER)
    assert not is_dangerous(reading), reading
    assert not is_unknown(reading), reading
