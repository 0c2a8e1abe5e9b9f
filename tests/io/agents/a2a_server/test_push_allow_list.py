"""Which addresses may be told, and what is no address at all."""

import msgspec
import pytest

from hub.io.agents.a2a_server.push_allow_list import PushAllowList, place_of, why_not_told
from hub.io.agents.a2a_server.wire import NO_TASK, PARAMS, PushConfig, WireError, error_of, speaks


def ours(port: int, _is_named: bool) -> str:  # noqa: FBT001  as it is called
    return "That is Pulse itself." if port in {8421, 8422} else ""


ANYWHERE_HERE = PushAllowList()
NAMED = PushAllowList(named=(place_of("https://agents.example.org"), place_of("http://127.0.0.1:9000")))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9000/told?a=1", "http://localhost/", "http://[::1]:9000", "https://127.0.0.2"]
)
def test_without_a_named_address_this_machine_may_be_told(url: str) -> None:
    assert why_not_told(url, ANYWHERE_HERE, ours) == ""


@pytest.mark.parametrize(
    "url",
    [
        "https://agents.example.org/told",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1:9000",
        "http://0.0.0.0:9000",
        "http://2130706433:9000",
        "http://127.1:9000",
        "http://127.0.0.1.example.org:9000",
        "http://localhost.:9000",
        "http://localhost@example.org",
        "http://me:secret@127.0.0.1:9000",
        "http://127.0.0.1:9000\\@example.org",
        "http://127.0.0.1\t:9000",
        "http://127.0.0.1:9000/a b",
        "http://127.0.0.1:99999",
        "http://①27.0.0.1:9000",
        "file:///etc/passwd",
        "unix:///run/pulse.sock",
        "//127.0.0.1",
        "127.0.0.1:9000",
        "",
        "http://127.0.0.1/" + "a" * 1_024,
        "http://127.0.0.1:8421/api/v1/trigger",
        "http://localhost:8422/a2a",
    ],
)
def test_no_other_machine_no_ambiguous_address_and_never_pulse_itself(url: str) -> None:
    assert why_not_told(url, ANYWHERE_HERE, ours)


@pytest.mark.parametrize(
    ("url", "may"),
    [
        ("https://agents.example.org/any/path", True),
        ("https://AGENTS.example.org:443/", True),
        ("http://127.0.0.1:9000/told", True),
        ("http://127.0.0.1:9001/told", False),
        ("http://agents.example.org/", False),
        ("https://agents.example.org:8443/", False),
        ("https://agents.example.org.evil.example/", False),
        ("https://agents.example.org@evil.example/", False),
    ],
)
def test_where_addresses_are_named_only_these_may_be_told(url: str, may: bool) -> None:  # noqa: FBT001  a table
    assert (why_not_told(url, NAMED, ours) == "") is may


@pytest.mark.parametrize(
    "more",
    [
        {"token": "a\r\nX-Forged: yes"},
        {"token": "a\n"},
        {"token": "é"},
        {"token": "a" * 2_049},
        {"authentication": {"scheme": "Bearer x", "credentials": "y"}},
        {"authentication": {"scheme": "", "credentials": "y"}},
        {"authentication": {"scheme": "Bearer\n", "credentials": "y"}},
        {"authentication": {"scheme": "Bearer", "credentials": "y\r\nHost: evil"}},
        {"id": "a" * 129},
        {"url": ""},
    ],
)
def test_nothing_that_is_told_can_begin_another_header(more: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"url": "http://127.0.0.1", **more}, PushConfig)


@pytest.mark.parametrize(
    ("version", "ours"), [("1.0", True), ("1.0.1", True), ("", False), ("0.3", False), ("1", False), ("1.1", False)]
)
def test_the_first_two_numbers_of_a_version_count(version: str, ours: bool) -> None:  # noqa: FBT001  a table
    assert speaks(version) is ours


def test_an_error_of_the_protocol_names_its_reason_and_one_of_json_rpc_needs_none() -> None:
    assert error_of(NO_TASK)["data"][0]["reason"] == "TASK_NOT_FOUND"
    assert error_of(WireError(code=PARAMS, message="No.")) == {"code": PARAMS, "message": "No."}
