"""A small stand-in for the hub, for the page's own tests: the real files with the real policy, canned answers, and a
live feed that the test feeds.

What an answer does to a card, the stand-in says that every surface is tested with (`tests/fakes/hub.py`).
"""

import asyncio
import contextlib
import json
import mimetypes
import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from hub.contract.surface import Verdict
from hub.io.api.page import WORDS, Page, with_phrases
from tests.bench.hub_process import free_port
from tests.web.fake_answers import Answers
from tests.web.fake_cards import (
    AGENTS,
    CODING_AGENTS,
    MISSING_AGENTS,
    REPOSITORY,
    SESSION,
    TASKS,
    WHY,
    card,
    problem,
    status,
    task,
)

PAGE = Path(__file__).parents[2] / "surfaces" / "web" / "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)
CODE = "GOOD-CODE"
ENDED_CODE = "ENDED-CODE"
SESSION_SCRIPT = "session.js"
SIGNED_IN = b"PulseSession.isSignedIn = async () => true;"
"""Appended to that script while the page counts as signed in here: this hub wants no session of a browser."""
START_S_MAX = 40.0

Json = dict[str, Any]


class FakeHub:
    """One fake hub on a port that stays the same over `stop` and `start`. Use it as a context manager."""

    def __init__(self, page: Page | None = None) -> None:
        self._page = page
        """Serves these files as the hub does; without it the page's own are read as they are."""
        self.feed = "feed1"
        self.seq = 10
        self.paired = True
        self.command = "pulse"
        """How Pulse's command is called where this hub runs."""
        self.status: Json = status()
        self.cards: dict[str, Json] = {}
        self.devices: list[Json] = []
        self.agents: list[Json] = [dict(one) for one in AGENTS]
        self.coding_agents: list[Json] = [dict(one) for one in CODING_AGENTS]
        self.missing_agents: list[Json] = [dict(one) for one in MISSING_AGENTS]
        self.tasks: list[Json] = [dict(one) for one in TASKS]
        self.repositories: list[Json] = [dict(REPOSITORY)]
        self.folders: list[Json] = []
        self.changes: Json = {"diff": "", "diffCut": False, "isCurrent": False, "pictures": []}
        self.mutes: list[Json] = []
        self.grants: list[Json] = []
        self.removed: list[Json] = []
        self.let: list[Json] = []
        """The kinds of work that the page asked to let run alone."""
        self.grants_beside: Json = {}
        """What `GET /grants` tells beside them: what an update changed, and what goes on by settings and modes."""
        self.grant_shown: Callable[[Json], Json] = lambda _body: {}
        """What a choice of an end and of files would let on, as `POST /predictions/{id}/grant` says it."""
        self.runs: list[Json] = []
        self.events: list[Json] = []
        self.requests: list[tuple[str, str, Json]] = []
        self.said: list[Json] = []
        self.refuse_next: tuple[int, Json] | None = None
        self.refuse_reading: tuple[int, Json] | None = None
        """What the next answer to a card, and the next look at one, is refused with."""
        self.held: dict[str, threading.Event] = {}
        """By the end of a path: requests that are answered only when the event is set."""
        self._plain: dict[str, Callable[[], Json]] = {
            "sync": self.everything,
            "devices": lambda: {"devices": self.devices, "count": len(self.devices)},
            "coding-agents": lambda: {
                "agents": self.coding_agents,
                "count": len(self.coding_agents),
                "missing": self.missing_agents,
            },
            "repositories": lambda: {
                "repositories": self.repositories,
                "count": len(self.repositories),
                "problems": [],
                "folders": self.folders,
            },
            "grants": lambda: {"grants": self.grants, "count": len(self.grants), **self.grants_beside},
            "mutes": lambda: {"mutes": self.mutes, "count": len(self.mutes)},
        }
        self._answers = Answers()
        self._sockets: list[WebSocket] = []
        self._changed = threading.Condition()
        self._port = free_port()
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def origin(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin to serve; return when the port is open."""
        config = uvicorn.Config(
            self._app(),
            host="127.0.0.1",
            port=self._port,
            log_config=None,  # else it would arrange all logging of this process, also for the tests after it
            access_log=False,
            lifespan="off",
            ws="websockets-sansio",
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, args=(self._server,), daemon=True)
        self._thread.start()
        _until_open(self._port)

    def stop(self) -> None:
        """End at once, with all connections."""
        if self._server and self._thread:
            self._server.should_exit = True
            self._server.force_exit = True
            self._thread.join(START_S_MAX)
        self._sockets.clear()

    def add(self, **values: Any) -> Json:  # noqa: ANN401  the fields of a card
        """Have one more card, without telling anybody; return it."""
        made = card(len(self.cards) + 1, **values)
        self.cards[made["id"]] = made
        return made

    def push(self, name: str, /, **data: Any) -> None:  # noqa: ANN401  the fields of an event
        """Let everybody hear an event."""
        self.seq += 1
        event = {"type": name, **data, "seq": self.seq}
        self.events.append(event)
        self._everybody(event)

    def look_again(self, what: str) -> None:
        """Let everybody hear that something beside the cards changed."""
        self._everybody({"type": "look-again", "what": what})

    def settle(self, made: Json, verb: str, **by: str) -> Json:
        """Let somebody else settle a card, and tell everybody."""
        self._give(made, verb, {"surface": "phone", "device": "pixel", "humanInput": "tap", **by})
        return made

    def drop(self) -> None:
        """Lose every live connection."""
        for one in list(self._sockets):
            self._soon(one.close(1012))

    def wait_for(self, holds: Callable[[], bool], seconds: float = 40.0) -> None:
        """Wait until something that a request or a message changes is so."""
        with self._changed:
            assert self._changed.wait_for(holds, seconds), (self.requests[-5:], self.said[-5:])

    def asked(self, method: str, ending: str) -> list[Json]:
        """Return the bodies of the requests whose path ends so."""
        return [body for done, path, body in self.requests if done == method and path.endswith(ending)]

    # --- inside ---

    def _run(self, server: uvicorn.Server) -> None:
        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            await server.serve()

        asyncio.run(serve())

    def _app(self) -> Starlette:
        api = "/api/v1"
        return Starlette(
            routes=[
                WebSocketRoute("/pulse", self._live),
                Route(f"{api}/session", self._session, methods=["GET", "POST", "DELETE"]),
                Route(f"{api}/predictions/{{id}}/{{verb}}", self._verb, methods=["GET", "POST"]),
                Route(f"{api}/{{path:path}}", self._other, methods=["GET", "POST", "PATCH", "PUT", "DELETE"]),
                *(self._page.routes() if self._page else [Route("/{path:path}", self._file)]),
            ]
        )

    async def _file(self, request: Request) -> Response:
        asked = request.path_params["path"]
        name = asked.removeprefix("app/") or "index.html"
        path = (PAGE / name).resolve()
        if not path.is_relative_to(PAGE) or not path.is_file():
            return Response("no such file", 404)
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        headers = {"content-security-policy": POLICY, "cache-control": "no-cache", "x-content-type-options": "nosniff"}
        plain = path.read_bytes()
        if path.parent.name == WORDS:
            plain = with_phrases(plain, path.stem)
        if path.name == SESSION_SCRIPT and self.paired:
            plain += SIGNED_IN
        return Response(plain, media_type=kind, headers=headers)

    async def _session(self, request: Request) -> Response:
        body = await self._note(request)
        if request.method == "POST":
            if body.get("code") == ENDED_CODE:
                return JSONResponse(problem(403, "code-ended", "This code ended."), 403)
            if body.get("code") != CODE:
                return JSONResponse(problem(401, "bad-code", "That code is not valid."), 401)
            self.paired = True
        if not self.paired:
            return JSONResponse(problem(401, "not-signed-in", "This needs a session."), 401)
        return JSONResponse({**SESSION, "command": self.command})

    async def _verb(self, request: Request) -> Response:
        body = await self._note(request)
        made = self.cards.get(request.path_params["id"])
        verb = request.path_params["verb"]
        if made is None:
            return JSONResponse(problem(404, "unknown-card", "There is no such card."), 404)
        if request.method == "GET" and (refusal := self.refuse_reading):
            self.refuse_reading = None
            return JSONResponse(refusal[1], refusal[0])
        if request.method == "GET":
            return JSONResponse(self._reading(made, verb))
        if refusal := self.refuse_next:
            self.refuse_next = None
            return JSONResponse(refusal[1], refusal[0])
        if verb == "grant":
            return JSONResponse(self.grant_shown(body))
        return self._answer(made, verb, body)

    def _reading(self, made: Json, verb: str) -> Json:
        if verb == "runs":
            return {"runs": self.runs, "count": len(self.runs)}
        if verb == "changes":
            return self.changes
        if verb == "why":
            return {"prediction": made, "status": self.status, "steps": WHY}
        others = [one for one in self.cards.values() if one["status"] in {"executed", "rejected"}]
        rejected = sum(one["status"] == "rejected" for one in others)
        return {"predictions": others, "approved": len(others) - rejected, "rejected": rejected}

    def _answer(self, made: Json, verb: str, body: Json) -> Response:
        verdict = self._give(made, verb, body)
        if not verdict.accepted:
            return JSONResponse(problem(409, verdict.code, verdict.message, prediction=made), 409)
        return JSONResponse({"prediction": made, "repeated": verdict.code == "repeated", "message": "Taken."})

    def _give(self, made: Json, verb: str, body: Json) -> Verdict:
        verdict, events = self._answers.give(made, verb, body)
        for event in events:
            self.push(event.pop("type"), **event)
        return verdict

    def _wished(self, method: str, path: str) -> str:
        """Keep a wish or take one back; return where the list of them is read."""
        if method == "POST":
            wish = {"id": "mute_new", "degree": self.requests[-1][2]["degree"], "summary": "…", "effect": "…"}
            self.mutes = [*self.mutes, {**wish, "since": datetime.now(UTC).isoformat(), "times": 1}]
        if method == "DELETE":
            self.mutes = [one for one in self.mutes if one["id"] != path.split("/")[1]]
        return "mutes"

    def _granted(self, method: str, path: str) -> str:
        """Let a kind run alone, remove a permission or give it back; return what is answered with."""
        if method == "POST" and path == "grants":
            body = self.requests[-1][2]
            self.let.append(body)
            said = "Every time: Commit finished work"
            made = {"id": "yes_new", "summary": said, "effect": "…", "kind": body["kind"], "threshold": 0.0}
            self.grants = [*self.grants, {**made, "until": "2026-06-08T12:00:00Z", "runs": 0}]
        if method == "DELETE":
            self.removed = [one for one in self.grants if one["id"] == path.split("/")[1]]
            self.grants = [one for one in self.grants if one not in self.removed]
        if path.endswith("/restore"):
            if not self.removed:
                return path
            self.grants, self.removed = [*self.grants, *self.removed], []
        return "grants"

    def _tasks(self, method: str, task_id: str, body: Json) -> Json | None:
        """Keep, change or remove a task, and tell everybody; return what is answered with."""
        if method == "GET" and not task_id:
            return {"tasks": self.tasks, "count": len(self.tasks)}
        made = next((one for one in self.tasks if one["id"] == task_id), None)
        if method == "POST":
            made = task(9, body["title"], "queued", 0)
            self.tasks = [made, *self.tasks]
        if made is not None and method == "DELETE":
            self.tasks = [one for one in self.tasks if one is not made]
        if made is not None and method == "PATCH":
            made.update(body)
        if method != "GET":
            self.look_again("tasks")
        return made

    async def _other(self, request: Request) -> Response:
        body = await self._note(request)
        path = request.path_params["path"]
        if not self.paired:
            return JSONResponse(problem(401, "not-signed-in", "This needs a session."), 401)
        if path.split("/")[0] == "mutes":
            path = self._wished(request.method, path)
        if path.startswith("grants"):
            path = self._granted(request.method, path)
        if path.split("/")[0] == "tasks" and (known := self._tasks(request.method, path[len("tasks/") :], body)):
            return JSONResponse(known)
        if path in self._plain:
            return JSONResponse(self._plain[path]())
        if path == "crosspoll/config" and request.method == "PATCH":
            return JSONResponse(self._configure(self.requests[-1][2]))
        if path == "crosspoll/trigger":
            told = {"triggered": False, "prediction": None, "targetChannel": None, "status": self.status}
            return JSONResponse({**told, "message": "There was nothing worth suggesting."})
        if path.startswith("predictions/") and path.split("/")[1] in self.cards:
            return JSONResponse(self.cards[path.split("/")[1]])
        if path.startswith("crosspoll/"):
            return JSONResponse(self.status)
        return JSONResponse(problem(404, "no-such-page", "There is nothing here."), 404)

    def _configure(self, body: Json) -> Json:
        if "emergencyStop" in body:
            self.status["enabled"] = not body["emergencyStop"]
        if "enabled" in body:
            self.status["enabled"] = body["enabled"]
        self.status["state"] = "watching" if self.status["enabled"] else "disabled"
        self.status["reason"] = "" if self.status["enabled"] else "The emergency stop is on."
        by = "emergency" if "emergencyStop" in body else "run-time"
        self.status["killedBy"] = "" if self.status["enabled"] else by
        self.push("crosspoll.status", status=dict(self.status))
        return {"status": self.status}

    def everything(self) -> Json:
        """Return what `GET /api/v1/sync` answers."""
        shown = sorted(self.cards.values(), key=lambda one: str(one["createdAt"]), reverse=True)
        return {
            "status": {**self.status, "pending": sum(one["status"] == "pending" for one in shown)},
            "open": [one for one in shown if one["status"] == "pending"],
            "recent": [one for one in shown if one["status"] != "pending"],
            "agents": self.agents,
            "tasks": self.tasks,
            "seq": self.seq,
            "feed": self.feed,
            "timestamp": datetime.now(UTC).isoformat(),
        }

    async def _live(self, live: WebSocket) -> None:
        await live.accept()
        await live.send_json({"type": "hello", "seq": self.seq, "feed": self.feed, "status": self.status})
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._hear(live, await live.receive_json())
        with contextlib.suppress(ValueError):
            self._sockets.remove(live)

    async def _hear(self, live: WebSocket, message: Json) -> None:
        with self._changed:
            self.said.append(message)
            self._changed.notify_all()
        if message["type"] != "subscribe":
            return
        place = {"seq": self.seq, "feed": self.feed}
        if message.get("feed") not in {None, self.feed}:
            self._sockets.append(live)
            await live.send_json({"type": "resync", "reason": "started anew", **place})
        else:
            missed = [event for event in self.events if event["seq"] > message.get("since", self.seq)]
            self._sockets.append(live)  # with nothing in between, or an event would be lost
            await live.send_json({"type": "subscribed", "replayed": len(missed), **place})
            for event in missed:
                await live.send_json(event)

    async def _note(self, request: Request) -> Json:
        raw = await request.body()
        body: Json = json.loads(raw) if raw else {}
        with self._changed:
            self.requests.append((request.method, request.url.path, body))
            self._changed.notify_all()
        for ending, go_on in self.held.items():
            if request.url.path.endswith(ending):
                await asyncio.to_thread(go_on.wait, START_S_MAX)
        return body

    def _everybody(self, event: Json) -> None:
        for one in list(self._sockets):
            self._soon(one.send_json(event))

    def _soon(self, work: Any) -> None:  # noqa: ANN401  a coroutine of a socket
        if self._loop and self._loop.is_running():
            asyncio.run_coroutine_threadsafe(work, self._loop)
        else:
            work.close()


def _until_open(port: int) -> None:
    until = datetime.now(UTC) + timedelta(seconds=START_S_MAX)
    while datetime.now(UTC) < until:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=0.2):
            return
    raise TimeoutError("the fake hub did not open its port")
