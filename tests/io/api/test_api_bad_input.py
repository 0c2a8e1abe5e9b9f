"""Bad input: each gives a clear error with a code, changes nothing, and the server goes on."""

from collections.abc import AsyncIterator

import pytest

from hub.io.server import connection_limiter, protocol
from tests.io.api.raw import exchange
from tests.io.api.running import BODY_BYTES_MAX, TOKEN, Api, problem, running

CONFIRM = "/api/v1/predictions/pred_1/confirm"
JSON = {"Content-Type": "application/json"}


@pytest.fixture(autouse=True)
async def nothing_happened(api: Api) -> AsyncIterator[None]:
    """Whatever was wrong, the loop never heard of it, and the API still answers."""
    yield
    assert api.behind.hub_api.requests == []
    assert (await api.http.get("/api/v1/crosspoll/status")).status_code == 200


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"nul", b"[" * 5_00, b'{"a":1}}', b'"\xed\xa0\x80"', b"{'a':1}"])
async def test_malformed_json(api: Api, body: bytes) -> None:
    found = problem(await api.http.post(CONFIRM, content=body, headers=JSON))
    assert (found.code, found.status) in {("malformed-json", 400), ("invalid-body", 422)}


@pytest.mark.parametrize("text", [r"a\u0000b", r"\\\u0000", r"\u0000"])
async def test_a_text_with_a_nul_is_refused(api: Api, text: str) -> None:
    found = problem(await api.http.post("/api/v1/ask", content=f'{{"question":"{text}"}}'.encode(), headers=JSON))
    assert (found.code, found.status, "NUL" in found.detail) == ("invalid-body", 422, True)


async def test_json_that_is_nested_without_end(api: Api) -> None:
    response = await api.http.post(CONFIRM, content=b'{"reason":' + b"[" * 4_000, headers=JSON)
    assert problem(response).status in {400, 422}


@pytest.mark.parametrize(
    ("path", "body", "word"),
    [
        (CONFIRM, {"cardHsh": "x"}, "cardHsh"),
        (CONFIRM, {"reason": 7}, "`reason`"),
        (CONFIRM, {"humanInput": "machine"}, "`humanInput`"),
        (CONFIRM, {"surface": "a/b"}, "`surface`"),
        (CONFIRM, {"reason": "x" * 501}, "`reason`"),
        (CONFIRM, {"until": "2026-03-01T12:00:00"}, "`until`"),
        (CONFIRM, [], "object"),
        ("/api/v1/crosspoll/config", {"costCapPerHour": -1}, "`costCapPerHour`"),
        ("/api/v1/crosspoll/config", {"quietHoursEnd": 24}, "`quietHoursEnd`"),
        ("/api/v1/ask", {}, "question"),
        ("/api/v1/ask", {"question": ""}, "`question`"),
        ("/api/v1/ask", {"question": "?", "waitS": 301}, "`waitS`"),
        ("/api/v1/tasks", {"status": "gone"}, "`status`"),
        ("/api/v1/tokens", {"name": "x", "scopes": ["everything"]}, "`scopes[0]`"),
        ("/api/v1/tokens", {"name": "x", "scopes": []}, "`scopes`"),
        ("/api/v1/devices", {"surface": "phone"}, "device"),
    ],
)
async def test_a_body_of_the_wrong_shape_is_told_where(api: Api, path: str, body: object, word: str) -> None:
    found = problem(await api.http.post(path, json=body))
    assert (found.code, found.status) == ("invalid-body", 422)
    assert word in found.detail
    assert found.errors == (found.detail,)


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "2100-01-01T00:00:00Z"])
async def test_times_that_nobody_means(api: Api, moment: str) -> None:
    paths = {"/api/v1/predictions/pred_1/snooze": "until", "/api/v1/tasks": "deadline", "/api/v1/messages": "at"}
    for path, field in paths.items():
        assert problem(await api.http.post(path, json={field: moment})).code == "bad-time"
    assert problem(await api.http.patch("/api/v1/crosspoll/config", json={"dndUntil": moment})).code == "bad-time"
    response = await api.http.get("/api/v1/predictions", params={"before": moment})
    assert problem(response).code == "bad-time"


@pytest.mark.parametrize("kind", ["text/plain", "", "application/x-www-form-urlencoded", "applicationxjson", "json"])
async def test_another_media_type(api: Api, kind: str) -> None:
    response = await api.http.post(CONFIRM, content=b"{}", headers={"Content-Type": kind})
    assert problem(response).code == "wrong-media-type"


@pytest.mark.parametrize("size", [BODY_BYTES_MAX + 1, 300_000, 3_000_000])
async def test_a_body_that_is_too_large(api: Api, size: int) -> None:
    content = b'{"reason":"' + b"x" * (size - 13) + b'"}'
    found = problem(await api.http.post(CONFIRM, content=content, headers=JSON))
    assert (found.code, found.status) == ("too-large", 413)
    assert str(BODY_BYTES_MAX) in found.detail


async def test_a_streamed_body_is_measured_while_it_comes(api: Api) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b" " * 1_000

    response = await api.http.post(CONFIRM, content=chunks(), headers=JSON)
    assert problem(response).code == "too-large"


@pytest.mark.parametrize("path", ["/nope", "/api/v1", "/api/v1/predictions/", "/api/v2/health", "/api/v1/tasks/a/b"])
async def test_addresses_that_are_not(api: Api, path: str) -> None:
    assert problem(await api.http.get(path)).code == "unknown-page"


@pytest.mark.parametrize(("method", "path"), [("DELETE", CONFIRM), ("POST", "/api/v1/health"), ("PATCH", "/")])
async def test_methods_that_do_not_go_there(api: Api, method: str, path: str) -> None:
    response = await api.http.request(method, path)
    assert problem(response).code == "wrong-method"
    assert response.headers["allow"]


async def test_idempotency_keys_have_a_length(api: Api) -> None:
    response = await api.http.post(CONFIRM, headers={"Idempotency-Key": "x" * 129})
    assert problem(response).code == "invalid-query"


@pytest.mark.parametrize("sent", [b"\x16\x03\x01 hello\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 100])
async def test_what_is_not_http(api: Api, sent: bytes) -> None:
    answer = await exchange(api.address, sent)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"not-http"' in answer


async def test_headers_without_end_are_cut_off(api: Api) -> None:
    head = f"GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n".encode()
    answer = await exchange(api.address, head + b"X-Long: " + b"x" * protocol.HEADER_BYTES_MAX + b"\r\n\r\n")
    assert b'"code":"headers-too-large"' in answer


@pytest.mark.slow
async def test_headers_that_never_end_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limiter, "STRANGER_QUIET_S", 0.05)
    async with running() as api:
        assert await exchange(api.address, b"GET / HTTP/1.1\r\nHost: loc") == b""


@pytest.mark.slow
async def test_a_body_that_never_comes_is_not_waited_for(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.io.server.concurrency_limits.BODY_S_MAX", 0.05)
    head = f"POST {CONFIRM} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
    sent = head + "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"
    answer = await exchange(api.address, sent.encode())
    assert b'"code":"slow-body"' in answer
