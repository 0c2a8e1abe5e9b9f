"""Where OpenClaw's gateway is looked for: where OpenClaw itself would."""

import json
from pathlib import Path

import pytest

from hub.cli.openclaw_place import find_gateway

VARIABLES = ("URL", "TOKEN", "PORT")


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in VARIABLES:
        monkeypatch.delenv(f"OPENCLAW_GATEWAY_{name}", raising=False)
    monkeypatch.setenv("OPENCLAW_CONFIG_PATH", str(tmp_path / "openclaw.json"))
    return tmp_path / "openclaw.json"


@pytest.mark.parametrize("content", [None, "", "// a comment\n{}", "[]", '{"gateway": 7}'])
def test_without_settings_that_can_be_read_it_is_where_openclaw_starts_by_itself(
    settings: Path, content: str | None
) -> None:
    if content is not None:
        settings.write_text(content)
    found = find_gateway()
    assert (found.url, found.token) == ("ws://127.0.0.1:18789", "")


@pytest.mark.parametrize(
    ("gateway", "url", "token"),
    [
        ({"port": 19001, "auth": {"token": "tok-1"}}, "ws://127.0.0.1:19001", "tok-1"),
        ({"auth": {"mode": "password", "password": "pass-3"}}, "ws://127.0.0.1:18789", "pass-3"),
        ({"auth": {"token": "${A_TOKEN}"}, "tls": {"enabled": True}}, "wss://127.0.0.1:18789", "from-there"),
        ({"auth": {"token": {"source": "exec"}}}, "ws://127.0.0.1:18789", ""),
        (
            {"mode": "remote", "remote": {"url": "wss://far.example.org", "token": "tok-2"}},
            "wss://far.example.org",
            "tok-2",
        ),
    ],
)
def test_its_settings_say_where_it_is(
    settings: Path, monkeypatch: pytest.MonkeyPatch, gateway: dict[str, object], url: str, token: str
) -> None:
    monkeypatch.setenv("A_TOKEN", "from-there")
    settings.write_text(json.dumps({"gateway": gateway}))
    found = find_gateway()
    assert (found.url, found.token) == (url, token)
    assert not token or token not in repr(found)


def test_its_environment_is_stronger(settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.write_text(json.dumps({"gateway": {"port": 19001, "auth": {"token": "tok-1"}}}))
    monkeypatch.setenv("OPENCLAW_GATEWAY_URL", "ws://127.0.0.1:5")
    monkeypatch.setenv("OPENCLAW_GATEWAY_TOKEN", "e")
    found = find_gateway()
    assert (found.url, found.token) == ("ws://127.0.0.1:5", "e")
