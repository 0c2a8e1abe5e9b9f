"""What `gh api --include` prints, and what GitHub says of waiting deployments."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from hub.domain.situation import Deployment
from hub.sense.deployments import WaitingRun, deployments, waiting_runs, why_not
from hub.sense.github_answers import NO_ANSWER, REST, REST_MAX, GithubAnswer, read_answer, rests_until

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
SHA = "c0ffee" + "0" * 34


def limited(status: int, **headers: str) -> GithubAnswer:
    return GithubAnswer(status=status, headers={name.replace("_", "-"): value for name, value in headers.items()})


def test_an_answer_as_it_is_printed() -> None:
    printed = b'HTTP/2.0 200 OK\nEtag: W/"a1"\r\nX-Ratelimit-Remaining: 4999\r\n\r\n{"a": "\\n\\n"}\n\n'
    answer = read_answer(printed)
    assert (answer.status, answer.etag, answer.body) == (200, 'W/"a1"', b'{"a": "\\n\\n"}\n\n')
    assert answer.is_well
    assert read_answer(b"HTTP/2.0 304 Not Modified\nEtag: x\r\n\r\n").status == 304
    for broken in (b"", b"\n", b"gh: not signed in\n", b"HTTP/2.0\n\n", b"HTTP/2.0 9999 x\n\n", b"HTTP/2.0 \xff\n\n"):
        assert read_answer(broken) is NO_ANSWER
    assert read_answer(b"HTTP/2.0 200 OK\nEtag: a\x1bb\r\n\r\n").etag == ""


@pytest.mark.parametrize(
    ("answer", "rest"),
    [
        (limited(200, x_ratelimit_remaining="4999"), None),
        (limited(404), None),
        (limited(403), REST),
        (limited(429, retry_after="300"), timedelta(seconds=300)),
        (limited(429, retry_after="0"), REST),
        (limited(403, retry_after="99999999999"), REST_MAX),
        (limited(403, retry_after="soon"), REST),
        (limited(200, x_ratelimit_remaining="0", x_ratelimit_reset="1781094000"), timedelta(minutes=20)),
        (limited(403, x_ratelimit_remaining="0", x_ratelimit_reset="1"), REST),
        (limited(403, x_ratelimit_remaining="0", x_ratelimit_reset="99999999999"), REST_MAX),
        (limited(403, x_ratelimit_remaining="0"), REST),
    ],
)
def test_how_long_it_rests(answer: GithubAnswer, rest: timedelta | None) -> None:
    assert rests_until(answer, NOW) == (None if rest is None else NOW + rest)


def raw(value: object) -> bytes:
    return json.dumps(value).encode()


def run(**more: object) -> dict[str, object]:
    return {"id": 77, "head_sha": SHA, "run_attempt": 1, "head_repository": {"full_name": "Acme/Shop"}, **more}


def pending(identity: int = 5, name: str = "production", *, mine: bool = True) -> dict[str, object]:
    return {"environment": {"id": identity, "name": name}, "current_user_can_approve": mine, "wait_timer": 0}


def read(found: dict[str, object], *waiting: dict[str, object]) -> tuple[Deployment, ...]:
    runs = waiting_runs(raw({"workflow_runs": [found]}))
    assert runs is not None
    made = deployments("acme/shop", runs[0], raw(waiting))
    assert made is not None
    return made


def test_only_what_the_person_may_answer() -> None:
    (one,) = read(run(name=None, head_branch=None), pending(), pending(6, "staging", mine=False))
    assert (one.environment_id, one.commit, bool(one.fork)) == (5, SHA, False)
    (forked,) = read(run(head_repository={"full_name": "mallory/shop"}), pending())
    assert forked.fork
    assert waiting_runs(raw({"workflow_runs": [run(head_sha="main"), run(head_sha=f"{SHA}/x")]})) == ()
    for broken in (b"", b"[]", b"{}", raw({"workflow_runs": [run(id=-1)]}), raw({"workflow_runs": [run(id="7/..")]})):
        assert waiting_runs(broken) is None
    assert deployments("acme/shop", WaitingRun(id=1, head_sha=SHA), b"{}") is None


def test_why_it_is_not_what_was_shown() -> None:
    (one,) = read(run(), pending())
    assert why_not(raw(run()), raw([pending()]), one) == ""
    for now in (run(run_attempt=2), run(head_sha="b" * 40), run(id=78)):
        assert "no longer what the card showed" in why_not(raw(now), raw([pending()]), one)
    for waiting in ([], [pending(6)], [pending(5, "Production")], [pending(mine=False)]):
        assert "no longer waiting for you" in why_not(raw(run()), raw(waiting), one)
    assert "could not be read" in why_not(b"", raw([pending()]), one)
    assert "could not be read" in why_not(raw(run()), b"?", one)
