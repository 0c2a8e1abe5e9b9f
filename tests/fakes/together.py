"""A stand-in for Together's fine-tuning, written from its published client (3.1): files, prices, jobs, a first answer.

It keeps what it was handed, answers as the real one does (302 and 409 for uploads, validation that takes a moment, jobs
that go through their states, a model that answers some time later), and counts what would cost money.
"""

import email.message
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.parser import BytesParser
from typing import Any

KEY = "the-key-of-a-test"
Answer = tuple[int, dict[str, str], Any]
STATES = ("pending", "queued", "running", "compressing", "uploading", "completed")


class FakeTogether:
    """What it holds, and what it was asked."""

    def __init__(self) -> None:
        self.url = ""
        self.files: dict[str, dict[str, Any]] = {}
        self.jobs: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.price = 0.01
        self.verdict = "COMPLETED"
        self.ends = "completed"
        self.serving = True
        self.broken: set[str] = set()
        """`METHOD path` that fails once, after it did its work."""

    def handle(self, method: str, path: str, headers: email.message.Message, body: bytes) -> Answer:
        """Answer one request."""
        self.asked.append(f"{method} {path}")
        if path.startswith("/put/"):
            assert "Authorization" not in headers
            self.files[path.removeprefix("/put/")]["content"] = body
            return 200, {}, {}
        if headers["Authorization"] != f"Bearer {KEY}":
            return 401, {}, {"error": {"message": "Invalid API key"}}
        status, more, document = self._answer(method, path, headers, body)
        if f"{method} {path}" in self.broken:
            self.broken.remove(f"{method} {path}")
            return 503, {}, {"error": {"message": "try again"}}
        return status, more, document

    def _answer(  # noqa: PLR0911  one branch per endpoint
        self, method: str, path: str, headers: email.message.Message, body: bytes
    ) -> Answer:
        match method, path.removeprefix("/v1/").split("/"):
            case "POST", ["files"]:
                return self._announced(_fields(headers["Content-Type"], body))
            case "POST", ["files", file_id, "preprocess"]:
                self.files[file_id]["processing_status"] = "QUEUED"
                return 200, {}, self._file(file_id)
            case "GET", ["files", file_id]:
                shown = self._file(file_id)
                self.files[file_id]["processing_status"] = self.verdict
                return 200, {}, shown
            case "POST", ["fine-tunes", "estimate-price"]:
                return (
                    200,
                    {},
                    {"estimation_available": True, "allowed_to_proceed": True, "estimated_total_price": self.price},
                )
            case "GET", ["fine-tunes"]:
                return 200, {}, {"data": self.jobs}
            case "POST", ["fine-tunes"]:
                return 200, {}, self._started(json.loads(body))
            case "GET", ["fine-tunes", job_id]:
                return 200, {}, self._moved_on(next(job for job in self.jobs if job["id"] == job_id))
            case "POST", ["fine-tunes", job_id, "cancel"]:
                job = next(job for job in self.jobs if job["id"] == job_id)
                job["status"] = "cancelled"
                return 200, {}, dict(job)
            case "POST", ["chat", "completions"]:
                answer = {"choices": [{"message": {"role": "assistant", "content": "Hi"}}]}
                return (200, {}, answer) if self.serving else (404, {}, {"error": {"message": "model not available"}})
        return 404, {}, {"error": {"message": "no such thing"}}

    def _announced(self, fields: dict[str, str]) -> Answer:
        assert (fields["purpose"], fields["file_type"]) == ("fine-tune", "jsonl")
        for file_id, known in self.files.items():
            if known["checksum"] == fields["checksum"] and "content" in known:
                return 409, {}, {"file_id": file_id}
        file_id = f"file-{len(self.files) + 1}"
        self.files[file_id] = {**fields, "processing_status": "PENDING"}
        return 302, {"Location": f"{self.url}/put/{file_id}", "X-Together-File-Id": file_id}, {}

    def _file(self, file_id: str) -> dict[str, Any]:
        known = self.files[file_id]
        return {
            "id": file_id,
            "object": "file",
            "purpose": known["purpose"],
            "filename": known["file_name"],
            "FileType": "jsonl",
            "bytes": len(known.get("content", b"")),
            "created_at": 1,
            "processing_status": known["processing_status"],
        }

    def _started(self, asked: dict[str, Any]) -> dict[str, Any]:
        assert asked["training_method"] == {"method": "dpo"}
        assert self.files[asked["training_file"]]["processing_status"] == "COMPLETED"
        job = {
            "id": f"ft-{len(self.jobs) + 1}",
            "status": "pending",
            "user_id": "u",
            "training_file": asked["training_file"],
            "model": asked["model"],
            "model_output_name": f"me/{asked['model'].rpartition('/')[2]}-{asked['suffix']}",
        }
        self.jobs.append(job)
        return job

    def _moved_on(self, job: dict[str, Any]) -> dict[str, Any]:
        shown = dict(job)
        place = STATES.index(job["status"]) if job["status"] in STATES else len(STATES)
        following = STATES[min(place + 1, len(STATES) - 1)]
        job["status"] = self.ends if following == "completed" else following
        return shown


@contextmanager
def together() -> Iterator[FakeTogether]:
    """Run one on a free port of this machine."""
    fake = FakeTogether()

    class Handler(http.server.BaseHTTPRequestHandler):
        def _do(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            status, headers, document = fake.handle(self.command, self.path, self.headers, body)
            content = json.dumps(document).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = _do  # noqa: N815  names that http.server looks for

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _fields(kind: str, body: bytes) -> dict[str, str]:
    """Read a form of several parts."""
    message = BytesParser().parsebytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
    parts = message.get_payload()
    assert isinstance(parts, list)
    found = {}
    for part in parts:
        assert isinstance(part, email.message.Message)
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        found[str(part.get_param("name", header="content-disposition"))] = content.decode()
    return found
