"""A training at Together for a card: the file is made before the person is asked, the rest follows from their yes."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.domain.lessons import TrainingPair
from hub.domain.policy import USD
from hub.domain.training import TrainingOffer
from hub.io.training.pipeline import DearerError, RunFiles, TogetherRun, advance, digest_of, price_of
from hub.io.training.together import Together, TrainingFailedError, TrainingServiceError

POLL_S = 20.0
PATIENCE_TRIES = 90
"""So often in a row the service may fail before the training is given up: half an hour."""
PRICE_SHOWN_MIN = 0.01


class PairsChangedError(UserError):
    """What would be sent is no longer what you were asked about. Nothing was sent."""

    code = "training-changed"


class TrainingTerms(Value):
    """What a person set up: where, of which model, for how much, and the variable that holds the key."""

    url: str
    model: str
    epochs: int
    usd_per_million_tokens: float
    key_env: str


class TogetherTrainer:
    """One account, by the settings; its files are those of `pulse train together`."""

    def __init__(
        self,
        home: Path,
        terms: TrainingTerms,
        environ: Mapping[str, str],
        row: Callable[[TrainingPair], Value],
        *,
        poll_s: float = POLL_S,
    ) -> None:
        self._files = RunFiles(home)
        self._terms = terms
        self._key = environ.get(terms.key_env, "")
        self._row = row
        self._poll_s = poll_s

    def under_way(self) -> str:
        """Return the card of the training that was begun and has not ended; empty without one."""
        run = self._files.read()
        return run.card_id if run else ""

    async def prepare(self, pairs: Sequence[TrainingPair], through: int) -> TrainingOffer | None:
        """Make the file, and say what training on it may cost; None where that is not set up, or one is under way."""
        terms = self._terms
        if not (terms.model and self._key and terms.usd_per_million_tokens > 0) or self._files.read() is not None:
            return None
        return await asyncio.to_thread(self._offer, pairs, through)

    async def train(self, card_id: str, offer: TrainingOffer | None) -> str:
        """Train, from wherever it stands; return the model's name.

        Raises:
            PairsChangedError: the file is not the one that was agreed to.
            DearerError, TrainingFailedError, TrainingServiceError: it is over, and what was kept of it is gone.
        """
        run = self._files.read() or self._begun(card_id, offer)
        service = Together(self._terms.url, self._key)
        try:
            run = await self._to_the_end(run, service)
        except (DearerError, TrainingFailedError, TrainingServiceError):
            self._files.clear()
            raise
        finally:
            service.close()
        self._files.clear()
        return run.made

    async def forget(self) -> None:
        """Cancel the job that is under way, and forget it, with its copy of the pairs."""
        run = self._files.read()
        self._files.clear()
        if run is None or not run.job_id:
            return
        service = Together(self._terms.url, self._key)
        try:
            await asyncio.to_thread(service.cancel, run.job_id)
        finally:
            service.close()

    def _offer(self, pairs: Sequence[TrainingPair], through: int) -> TrainingOffer:
        terms, file = self._terms, self._files.prepare()
        file.write_bytes(b"".join(msgspec.json.encode(self._row(pair)) + b"\n" for pair in pairs))
        price = max(price_of(file, terms.epochs, terms.usd_per_million_tokens), PRICE_SHOWN_MIN)
        return TrainingOffer(
            url=terms.url,
            model=terms.model,
            epochs=terms.epochs,
            pairs=len(pairs),
            through=through,
            size_bytes=file.stat().st_size,
            sha256=digest_of(file),
            price_microusd=round(price * USD),
        )

    def _begun(self, card_id: str, offer: TrainingOffer | None) -> TogetherRun:
        """Note what was agreed to, before anything is sent."""
        if offer is None or not self._files.pairs.exists() or digest_of(self._files.pairs) != offer.sha256:
            raise PairsChangedError
        run = TogetherRun(
            stage="agreed",
            sha256=offer.sha256,
            pairs=offer.pairs,
            through=offer.through,
            model=offer.model,
            epochs=offer.epochs,
            price_usd=offer.price_microusd / USD,
            card_id=card_id,
        )
        self._files.keep(run)
        return run

    async def _to_the_end(self, run: TogetherRun, service: Together) -> TogetherRun:
        failures = 0
        while run.stage != "answering":
            try:
                after = await asyncio.to_thread(advance, run, self._files, service)
            except TrainingServiceError:
                failures += 1
                if failures >= PATIENCE_TRIES:
                    raise
                after = run
            else:
                failures = 0
            if after == run:
                await asyncio.sleep(self._poll_s)
                continue
            self._files.keep(after)
            run = after
        return run
