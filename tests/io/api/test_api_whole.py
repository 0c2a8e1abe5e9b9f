"""An answer is the same whether it is written in one piece or in uvicorn's own way."""

from tests.io.api.raw import exchange
from tests.io.api.running import Api


def asked(method: str, *headers: str, version: str = "1.1") -> bytes:
    return "\r\n".join((f"{method} / HTTP/{version}", "Host: localhost", *headers, "", "")).encode()


def parts(answer: bytes) -> tuple[list[bytes], bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.split(b"\r\n"), body


async def test_the_last_of_several_answers_closes_the_connection(api: Api) -> None:
    answer = await exchange(api.address, asked("GET") + asked("GET") + asked("GET", "Connection: close"))
    assert answer.count(b"HTTP/1.1 200 OK") == 3
    *_, last = answer.split(b"HTTP/1.1 200 OK\r\n")
    assert b"connection: close" in last


async def test_old_clients_get_an_answer_that_ends(api: Api) -> None:
    head, body = parts(await exchange(api.address, asked("GET", version="1.0")))
    assert head[0].endswith(b"200 OK")
    assert b"content-length: %d" % len(body) in head


async def test_a_head_request_is_answered_without_a_body(api: Api) -> None:
    head, body = parts(await exchange(api.address, asked("HEAD", "Connection: close")))
    assert head[0] == b"HTTP/1.1 200 OK"
    assert any(line.startswith(b"content-length: ") and line != b"content-length: 0" for line in head)
    assert body == b""


async def test_what_is_not_there_is_answered_and_counted(api: Api) -> None:
    assert (await api.http.get("/nowhere")).status_code == 404
    assert (await api.http.delete("/api/v1/predictions")).status_code == 405
    counted = [line for line in (await api.http.get("/metrics")).text.splitlines() if 'status="4xx"' in line]
    assert [line.rpartition(" ")[2] for line in counted] == ["2"]
