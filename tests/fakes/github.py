"""A stand-in for GitHub's API as it is published: waiting runs, their pending deployments, ETags, rate limits.

It listens on a Unix socket, which GitHub's own program speaks to where its settings say so (`http_unix_socket`).
"""

import asyncio
import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

REASONS = {200: "OK", 304: "Not Modified", 403: "Forbidden", 404: "Not Found", 422: "Unprocessable Entity"}
Answer = tuple[int, Mapping[str, str], Any]


class GithubStandIn:
    """One repository, acme/shop. `counted` is how many answers counted against the limit, `asked` every request."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket
        self.runs: dict[int, dict[str, Any]] = {}
        self.pending: dict[int, list[dict[str, Any]]] = {}
        self.reviewed: list[tuple[int, dict[str, Any]]] = []
        self.asked: list[str] = []
        self.counted = 0
        self.limited: Mapping[str, str] | None = None
        self._server: asyncio.Server | None = None

    def wait(self, run: int, sha: str, environment: str, identity: int, **more: Any) -> None:  # noqa: ANN401  fields of the API
        """Let a run wait for leave to deploy."""
        self.runs[run] = {
            "id": run,
            "name": "Release",
            "run_number": 12,
            "run_attempt": 1,
            "status": "waiting",
            "head_sha": sha,
            "head_branch": "main",
            "display_title": "Faster carts",
            "actor": {"login": "ada"},
            "head_repository": {"full_name": "acme/shop"},
            **more,
        }
        one = {"environment": {"id": identity, "name": environment}, "current_user_can_approve": True}
        self.pending.setdefault(run, []).append(one)

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(self._serve, self.socket)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            fields = {name.casefold(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
            body = await reader.readexactly(int(fields.get("content-length", "0")))
            method, path, _ = head[0].split(" ")
            status, headers, said = self._answer(method, path, fields, json.loads(body) if body else None)
            raw = b"" if said is None else json.dumps(said).encode()
            lines = [f"HTTP/1.1 {status} {REASONS[status]}", "Content-Type: application/json; charset=utf-8"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            lines += ["Connection: close"] if status == 304 else [f"Content-Length: {len(raw)}", "Connection: close"]
            writer.write("\r\n".join((*lines, "", "")).encode() + raw)
            await writer.drain()
        writer.close()

    def _answer(self, method: str, path: str, fields: Mapping[str, str], body: Any) -> Answer:  # noqa: ANN401  JSON
        self.asked.append(f"{method} {path}")
        if self.limited is not None:
            return 403, self.limited, {"message": "API rate limit exceeded"}
        status, said = self._said(method, path.partition("?")[0].strip("/").split("/"), body)
        etag = f'W/"{hashlib.sha256(json.dumps(said).encode()).hexdigest()}"'
        if method == "GET" and status == 200 and fields.get("if-none-match") == etag:
            return 304, {"ETag": etag}, None
        self.counted += 1
        return status, {"ETag": etag, "X-RateLimit-Remaining": "4999"}, said

    def _said(self, method: str, parts: list[str], body: Any) -> tuple[int, Any]:  # noqa: ANN401  JSON
        if parts[:5] != ["repos", "acme", "shop", "actions", "runs"]:
            return 404, {"message": "Not Found"}
        if len(parts) == 5:
            waiting = [run for run in self.runs.values() if run["status"] == "waiting"]
            return 200, {"total_count": len(waiting), "workflow_runs": waiting}
        run = int(parts[5])
        if run not in self.runs:
            return 404, {"message": "Not Found"}
        if len(parts) == 6:
            return 200, self.runs[run]
        return (200, self.pending[run]) if method == "GET" else self._review(run, body)

    def _review(self, run: int, body: dict[str, Any]) -> tuple[int, Any]:
        known = {one["environment"]["id"] for one in self.pending[run]}
        wanted = set(body["environment_ids"])
        if not wanted or not wanted <= known or body["state"] not in {"approved", "rejected"} or "comment" not in body:
            return 422, {"message": "No pending deployment requests to approve or reject"}
        self.reviewed.append((run, body))
        self.pending[run] = [one for one in self.pending[run] if one["environment"]["id"] not in wanted]
        if not self.pending[run]:
            self.runs[run]["status"] = "queued" if body["state"] == "approved" else "completed"
        return 200, []
