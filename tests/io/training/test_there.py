"""A training that a card agreed to, at a stand-in of Together: prepared, carried out, resumed, stopped."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.domain.training import TrainingOffer
from hub.io.training.pipeline import DearerError, RunFiles, price_of
from hub.io.training.there import PairsChangedError, TogetherTrainer, TrainingTerms
from hub.learn.pairs import PAIRS_MIN, preference_row
from tests.conformance.store.samples import pair
from tests.fakes.together import KEY, FakeTogether, together
from tests.rooms.learn.preference_formats import together_faults

PAIRS = [pair(f"c{n}", f"r{n}", at=n) for n in range(PAIRS_MIN)]
CARD = "pred_1"


@pytest.fixture
def there() -> Iterator[FakeTogether]:
    with together() as fake:
        yield fake


def trainer(there: FakeTogether, home: Path, **changed: object) -> TogetherTrainer:
    terms = TrainingTerms(url=there.url, model="meta/small", epochs=1, usd_per_million_tokens=2.5, key_env="K")
    row = partial(preference_row, instruction="Foresee.")
    return TogetherTrainer(home, replace(terms, **changed), {"K": KEY}, row, poll_s=0.0)


async def offered(made: TogetherTrainer) -> TrainingOffer:
    offer = await made.prepare(PAIRS, 50)
    assert offer is not None
    return offer


@pytest.mark.slow
async def test_what_is_offered_is_what_is_sent(there: FakeTogether, tmp_path: Path) -> None:
    made = trainer(there, tmp_path)
    offer = await offered(made)
    price = price_of(RunFiles(tmp_path).pairs, 1, 2.5)
    assert (offer.pairs, offer.through, offer.price_microusd) == (PAIRS_MIN, 50, round(price * 1_000_000))
    assert there.asked == []
    assert made.under_way() == ""
    name = await made.train(CARD, offer)
    assert name == f"me/small-pulse-{offer.sha256[:8]}"
    sent = there.files["file-1"]["content"]
    assert (len(sent), together_faults(sent)) == (offer.size_bytes, [])
    assert not list((tmp_path / "training").iterdir())


@pytest.mark.parametrize("missing", [{"model": ""}, {"usd_per_million_tokens": 0.0}, {"key_env": "NONE"}])
async def test_without_a_model_a_price_or_a_key_nothing_is_offered(
    there: FakeTogether, tmp_path: Path, missing: dict[str, object]
) -> None:
    assert await trainer(there, tmp_path, **missing).prepare(PAIRS, 50) is None
    assert not (tmp_path / "training").exists()


async def test_pairs_that_changed_meanwhile_are_not_sent(there: FakeTogether, tmp_path: Path) -> None:
    made = trainer(there, tmp_path)
    offer = await offered(made)
    RunFiles(tmp_path).pairs.write_bytes(b'{"other": 1}\n')
    with pytest.raises(PairsChangedError):
        await made.train(CARD, offer)
    assert there.asked == []


@pytest.mark.slow
async def test_after_a_restart_it_goes_on_for_its_card_and_nothing_is_paid_twice(
    there: FakeTogether, tmp_path: Path
) -> None:
    offer = await offered(trainer(there, tmp_path))
    files = RunFiles(tmp_path)
    first = trainer(there, tmp_path)
    files.keep(first._begun(CARD, offer))  # noqa: SLF001  it was stopped right after it had begun
    again = trainer(there, tmp_path)
    assert again.under_way() == CARD
    assert await again.prepare(PAIRS, 51) is None
    await again.train(CARD, None)
    assert there.asked.count("POST /v1/fine-tunes") == 1


@pytest.mark.slow
async def test_what_is_dearer_ends_it_and_leaves_nothing(there: FakeTogether, tmp_path: Path) -> None:
    made = trainer(there, tmp_path)
    there.price = 5.0
    with pytest.raises(DearerError):
        await made.train(CARD, await offered(made))
    assert not list((tmp_path / "training").iterdir())
    assert there.jobs == []


@pytest.mark.slow
async def test_who_stops_it_has_the_job_cancelled(there: FakeTogether, tmp_path: Path) -> None:
    made = trainer(there, tmp_path)
    offer = await offered(made)
    files = RunFiles(tmp_path)
    files.keep(replace(made._begun(CARD, offer), stage="started", job_id="ft-1"))  # noqa: SLF001  as above
    there.jobs.append({"id": "ft-1", "status": "running"})
    await made.forget()
    assert there.jobs[0]["status"] == "cancelled"
    assert not list((tmp_path / "training").iterdir())
