"""A question whose asker is stopped is taken back, at whatever moment the signal comes."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hub.cli.question import OpenQuestion, StoppedError
from hub.contract.api import AskReply, AskRequest
from hub.contract.errors import PulseError
from hub.contract.words import Risk
from tests.cli.small_hub import SmallHub
from tests.surfaces.terminal.scenes import prediction

REPLY = AskReply(prediction=prediction("ask1"), answered=False, approved=False)
BODY = AskRequest(question="Deploy?", risk=Risk.LOW, asker="script", timeout_s=60)


@pytest.fixture(params=[signal.SIGTERM, signal.SIGHUP], ids=["ended", "its terminal closed"])
def by(request: pytest.FixtureRequest) -> signal.Signals:
    return signal.Signals(request.param)


@pytest.fixture
def asked(hub: SmallHub, by: signal.Signals) -> Iterator[Callable[[str], list[tuple[str, str]]]]:
    """A hub that knows the question, and that ends the asker while it answers the named request for the first time."""
    hub.answer("POST /api/v1/ask", REPLY)
    hub.answer("GET /api/v1/ask/pred_ask1", REPLY)
    hub.answer("DELETE /api/v1/ask/pred_ask1", REPLY)

    def run(during: str) -> list[tuple[str, str]]:
        hub.during[during] = lambda: os.kill(os.getpid(), by)
        with pytest.raises(StoppedError), OpenQuestion(hub.home, BODY) as question:
            question.wait()
        return [(method, path.partition("?")[0]) for method, path, _ in hub.asked]

    before = signal.getsignal(by)
    yield run
    assert signal.getsignal(by) is before


def test_stopped_while_it_asks(asked: Callable[[str], list[tuple[str, str]]]) -> None:
    post, delete = ("POST", "/api/v1/ask"), ("DELETE", "/api/v1/ask/pred_ask1")
    assert asked("POST /api/v1/ask") == [post, post, delete]


def test_stopped_while_it_waits(asked: Callable[[str], list[tuple[str, str]]]) -> None:
    assert asked("GET /api/v1/ask/pred_ask1")[-1] == ("DELETE", "/api/v1/ask/pred_ask1")


def test_a_question_that_a_hub_on_its_way_up_does_not_take_back_is_taken_back_later(
    hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.cli.question.RETRY_S", 0.0)
    hub.answer("POST /api/v1/ask", REPLY)
    hub.answer("GET /api/v1/ask/pred_ask1", b"no reply that can be read")
    hub.answer("DELETE /api/v1/ask/pred_ask1", REPLY)

    def hang_up() -> None:
        raise ConnectionAbortedError

    hub.during["DELETE /api/v1/ask/pred_ask1"] = hang_up
    question = OpenQuestion(hub.home, BODY)
    with pytest.raises(PulseError), question:
        question.wait()
    assert [method for method, _, _ in hub.asked][-2:] == ["DELETE", "DELETE"]


@pytest.mark.slow
def test_a_stop_that_was_dropped_is_said_again(home: Path) -> None:
    def dropped_and_waiting() -> None:
        with contextlib.suppress(KeyboardInterrupt):  # as Python does in a finalizer
            signal.raise_signal(signal.SIGTERM)
        time.sleep(20)

    with pytest.raises(StoppedError), OpenQuestion(home, BODY):
        dropped_and_waiting()
