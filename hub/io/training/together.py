"""Together's files and fine-tuning as its own Python client (3.1) asks for them; answers are read as far as needed.

An upload is announced with the file's SHA-256 (302 with where to put it, or 409 with the file that is there already),
put, and handed to validation. Nothing is followed by itself; the key goes to the service alone, never with a file.
"""

from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

import msgspec

from hub.contract.base import Value
from hub.contract.errors import WorldError
from hub.kit.text import one_line

T = TypeVar("T")

TIMEOUT_S = 60.0
ANSWER_BYTES_MAX = 4_194_304
SAID_CHARS_MAX = 300
OK, FOUND, CONFLICT, NOT_FOUND, BAD_REQUEST = 200, 302, 409, 404, 400
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
JobState = Literal[
    "pending",
    "queued",
    "running",
    "compressing",
    "uploading",
    "cancel_requested",
    "cancelled",
    "error",
    "user_error",
    "completed",
]


class TrainingServiceError(WorldError):
    """The training service did not carry out a request. Nothing was switched; run the same command to continue."""

    code = "training-service"


class TrainingFailedError(WorldError):
    """The training ended without a new model. The message says why, if the trainer did."""

    code = "training-failed"


class KnownFile(Value):
    """The answer to a file that already exists."""

    file_id: str


class FileThere(Value):
    """A file at the service; `processing_status` is that of its validation."""

    id: str
    processing_status: str | None = None


class PriceEstimate(Value):
    """What a job will cost, where that can be told."""

    estimation_available: bool
    allowed_to_proceed: bool | None = None
    estimated_total_price: float | None = None


class TuningJob(Value):
    """A fine-tuning job; `model_output_name` is what it makes."""

    id: str
    status: JobState
    training_file: str | None = None
    model: str | None = None
    model_output_name: str | None = None


class CancelledJob(Value):
    """The answer to a cancellation: nothing of it is needed."""


class TuningJobs(Value):
    """All jobs."""

    data: tuple[TuningJob, ...]


class Together:
    """One account, by its key."""

    def __init__(self, url: str, key: str) -> None:
        import httpx  # noqa: PLC0415  only for who trains there

        self._http = httpx.Client(timeout=TIMEOUT_S, follow_redirects=False)
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {key}"}

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def upload(self, path: Path, sha256: str) -> str:
        """Upload a file, unless it is there already; return its id."""
        fields = {"purpose": "fine-tune", "file_name": path.name, "file_type": "jsonl", "checksum": sha256}
        parts = {name: (None, value) for name, value in fields.items()}
        status, headers, body = self._send("POST", f"{self._url}/v1/files", files=parts, headers=self._headers)
        if status == CONFLICT:
            return _read(body, KnownFile).file_id
        place, file_id = str(headers.get("Location", "")), str(headers.get("X-Together-File-Id", ""))
        if status != FOUND or not file_id or not _is_safe(place):
            raise _refused("take the file", status, body)
        status, _, body = self._send("PUT", place, content=path.read_bytes())
        if status != OK:
            raise _refused("take the file", status, body)
        self._ask("POST", f"/v1/files/{file_id}/preprocess", FileThere)
        return file_id

    def file(self, file_id: str) -> FileThere:
        """Return how a file's validation stands."""
        return self._ask("GET", f"/v1/files/{file_id}", FileThere)

    def price(self, file_id: str, model: str, epochs: int) -> PriceEstimate:
        """Return what a job would cost."""
        return self._ask("POST", "/v1/fine-tunes/estimate-price", PriceEstimate, _job(file_id, model, epochs))

    def jobs(self) -> tuple[TuningJob, ...]:
        """Return the jobs that there are."""
        return self._ask("GET", "/v1/fine-tunes", TuningJobs).data

    def start(self, file_id: str, model: str, epochs: int, suffix: str) -> TuningJob:
        """Start a job."""
        return self._ask("POST", "/v1/fine-tunes", TuningJob, {**_job(file_id, model, epochs), "suffix": suffix})

    def job(self, job_id: str) -> TuningJob:
        """Return how a job stands."""
        return self._ask("GET", f"/v1/fine-tunes/{job_id}", TuningJob)

    def cancel(self, job_id: str) -> None:
        """Cancel a job; one that has ended stays as it is."""
        self._ask("POST", f"/v1/fine-tunes/{job_id}/cancel", CancelledJob)

    def serves(self, model: str) -> bool:
        """Return True if a model answers now."""
        asked = {"model": model, "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 1}
        status, _, body = self._send("POST", f"{self._url}/v1/chat/completions", json=asked, headers=self._headers)
        if status in {BAD_REQUEST, NOT_FOUND}:
            return False
        if status != OK:
            raise _refused("answer with the new model", status, body)
        return True

    def _ask(self, method: str, path: str, kind: type[T], body: object = None) -> T:
        status, _, answer = self._send(method, f"{self._url}{path}", json=body, headers=self._headers)
        if status != OK:
            raise _refused(f"{method} {path}", status, answer)
        return _read(answer, kind)

    def _send(self, method: str, url: str, **options: Any) -> tuple[int, Any, bytes]:  # noqa: ANN401  httpx's own
        import httpx  # noqa: PLC0415  as above

        try:
            with self._http.stream(method, url, **options) as answer:
                received = bytearray()
                for piece in answer.iter_raw():
                    received += piece
                    if len(received) > ANSWER_BYTES_MAX:
                        raise TrainingServiceError("Its answer was implausibly large.")
                return answer.status_code, answer.headers, bytes(received)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise TrainingServiceError(f"It could not be reached: {type(error).__name__}.") from error


def _job(file_id: str, model: str, epochs: int) -> dict[str, object]:
    method = {"method": "dpo"}
    return {"training_file": file_id, "model": model, "n_epochs": epochs, "training_method": method}


def _is_safe(place: str) -> bool:
    """Return True if a file may be put there: over TLS, or on this machine."""
    parts = urlsplit(place)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


def _read(body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.DecodeError as error:
        raise TrainingServiceError(f"Its answer was not what it publishes: {error}") from error


def _refused(what: str, status: int, body: bytes) -> TrainingServiceError:
    said = one_line(body.decode("utf-8", "replace"), SAID_CHARS_MAX)
    return TrainingServiceError(f"It did not {what} (status {status}): {said}")
