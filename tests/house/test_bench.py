"""`./pulse bench` says what there is and what is missing."""

from pathlib import Path

import pytest

from tests.bench import bench_answers
from tests.bench.__main__ import BENCHES, main
from tests.bench.bench_answers import MOSQUITTO, NATS, reference_broker
from tests.bench.figures import MissingError


def test_help_names_every_bench(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    assert all(name in said for name in BENCHES)


def test_a_bench_that_is_none_is_answered_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["answer"])
    assert ended.value.code == 2
    assert "there is no bench 'answer'; there are: answers, agents," in capsys.readouterr().err


def test_the_reference_takes_the_broker_that_is_there() -> None:
    mosquitto, nats = Path("/usr/sbin/mosquitto"), Path("/venv/bin/nats-server")
    assert reference_broker(mosquitto, nats) == (mosquitto, MOSQUITTO)
    assert reference_broker(None, nats) == (nats, NATS)
    with pytest.raises(MissingError, match="Install mosquitto"):
        reference_broker(None, None)


@pytest.mark.slow
def test_the_answers_are_measured_with_more_cards_than_one_client_may_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    few = ((30, None, 4),)
    monkeypatch.setattr(bench_answers, "LOADS", few * 3)
    monkeypatch.setattr(bench_answers, "QUARTER_ANSWERS", 30)
    monkeypatch.setattr(bench_answers, "TOTAL", 30 * 4)
    measured = {figure.what: figure for figure in bench_answers.run()}
    assert list(measured)[-1] == "most"
    assert all(figure.value > 0 and (figure.reference_value or 0) > 0 for figure in measured.values())
    assert f"{bench_answers.QUARTER}, p50" in measured
