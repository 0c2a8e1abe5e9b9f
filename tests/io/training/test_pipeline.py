"""A training at Together, step by step: resumed wherever it stopped, and nothing uploaded or started twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.io.training.pipeline import DearerError, RunFiles, TogetherRun, advance, digest_of, price_of
from hub.io.training.together import Together, TrainingFailedError, TrainingServiceError
from tests.fakes.together import KEY, FakeTogether, together

ROWS = b'{"input": {"messages": []}}\n' * 50
STEPS_MAX = 40


@pytest.fixture
def there() -> Iterator[FakeTogether]:
    with together() as fake:
        yield fake


@pytest.fixture
def service(there: FakeTogether) -> Iterator[Together]:
    made = Together(there.url, KEY)
    yield made
    made.close()


@pytest.fixture
def files(tmp_path: Path) -> RunFiles:
    made = RunFiles(tmp_path)
    made.prepare().write_bytes(ROWS)
    return made


def agreed(files: RunFiles) -> TogetherRun:
    sha256 = digest_of(files.pairs)
    return TogetherRun(stage="agreed", sha256=sha256, pairs=50, through=50, model="meta/small", epochs=1, price_usd=0.5)


def to_the_end(run: TogetherRun, files: RunFiles, service: Together) -> TogetherRun:
    for _ in range(STEPS_MAX):
        run = advance(run, files, service)
        if run.stage == "answering":
            break
    return run


def costly(there: FakeTogether) -> dict[str, int]:
    """How often what costs money, or hands out data, was done."""
    return {
        "put": sum(one.startswith("PUT ") for one in there.asked),
        "started": there.asked.count("POST /v1/fine-tunes"),
    }


@pytest.mark.slow
def test_the_whole_way(there: FakeTogether, service: Together, files: RunFiles) -> None:
    run = to_the_end(agreed(files), files, service)
    assert (run.stage, run.made) == ("answering", f"me/small-pulse-{run.sha256[:8]}")
    assert there.files["file-1"]["content"] == ROWS
    assert costly(there) == {"put": 1, "started": 1}


@pytest.mark.slow
def test_it_is_resumed_after_every_step(there: FakeTogether, service: Together, files: RunFiles) -> None:
    files.keep(agreed(files))
    for _ in range(STEPS_MAX):
        found = files.read()
        assert found is not None
        files.keep(advance(found, files, service))
    last = files.read()
    assert last is not None
    assert last.stage == "answering"
    assert costly(there) == {"put": 1, "started": 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    "broken", ["POST /v1/files/file-1/preprocess", "POST /v1/fine-tunes", "GET /v1/fine-tunes/ft-1"]
)
def test_what_was_done_before_the_answer_was_lost_is_not_done_twice(
    there: FakeTogether, service: Together, files: RunFiles, broken: str
) -> None:
    there.broken.add(broken)
    run = agreed(files)
    with pytest.raises(TrainingServiceError):
        to_the_end(run, files, service)
    run = to_the_end(run, files, service)
    assert run.stage == "answering"
    assert costly(there) == {"put": 1, "started": 1}


@pytest.mark.slow
def test_what_turns_out_dearer_is_not_started(there: FakeTogether, service: Together, files: RunFiles) -> None:
    there.price = 0.56
    with pytest.raises(DearerError, match=r"\$0\.56; you agreed to \$0\.50"):
        to_the_end(agreed(files), files, service)
    assert costly(there)["started"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(("field", "value"), [("verdict", "INVALID_FORMAT"), ("ends", "error")])
def test_what_fails_there_is_told(
    there: FakeTogether, service: Together, files: RunFiles, field: str, value: str
) -> None:
    setattr(there, field, value)
    with pytest.raises(TrainingFailedError):
        to_the_end(agreed(files), files, service)


@pytest.mark.slow
def test_a_model_that_does_not_answer_yet_is_waited_for(
    there: FakeTogether, service: Together, files: RunFiles
) -> None:
    there.serving = False
    run = to_the_end(agreed(files), files, service)
    assert run.stage == "trained"
    there.serving = True
    assert advance(run, files, service).stage == "answering"


@pytest.mark.slow
def test_a_wrong_key_and_a_service_that_is_away(there: FakeTogether, files: RunFiles) -> None:
    for url, key in ((there.url, "another"), ("http://127.0.0.1:9", KEY)):
        stranger = Together(url, key)
        with pytest.raises(TrainingServiceError):
            advance(agreed(files), files, stranger)
        stranger.close()
    assert costly(there) == {"put": 0, "started": 0}


def test_pairs_that_changed_since_are_not_what_was_agreed_to(files: RunFiles) -> None:
    files.keep(agreed(files))
    assert files.read() is not None
    files.pairs.write_bytes(ROWS + b"{}\n")
    assert files.read() is None
    modes = [path.stat().st_mode & 0o777 for path in (files.pairs.parent, files.pairs)]
    assert modes == [0o700, 0o600]


def test_the_price_is_told_by_the_files_size(files: RunFiles) -> None:
    one = price_of(files.pairs, 1, 3.0)
    assert one == pytest.approx(len(ROWS) / 3 / 1_000_000 * 3.0)
    assert price_of(files.pairs, 2, 3.0) == pytest.approx(2 * one)


def test_a_file_goes_nowhere_without_encryption(there: FakeTogether, service: Together, files: RunFiles) -> None:
    there.url = "http://files.example.org"
    with pytest.raises(TrainingServiceError):
        advance(replace(agreed(files)), files, service)
    assert costly(there)["put"] == 0


@pytest.mark.parametrize("content", [b"", b"\x00" * 64, b'{"stage": "agreed"}', b"[]", b"[" * 9_000])
def test_a_damaged_note_is_no_training_and_says_so(
    files: RunFiles, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    files.keep(agreed(files))
    (files.pairs.parent / "together.json").write_bytes(content)
    assert files.read() is None
    assert "together.json is damaged" in caplog.text
    files.keep(agreed(files))
    assert files.read() is not None
