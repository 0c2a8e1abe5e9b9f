"""The endpoints behind history, insight, controls and devices, answered from memory: a hub with a year behind it.

`routes()` is mounted by whoever serves the page. Every change is written down in `asked`, in order.
"""

import json
from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.web import fake_views_data as data
from tests.web.fake_drives import FakeDrives
from tests.web.fake_world import LOG, FakeWorld

API = "/api/v1"
PROBLEM = "application/problem+json"
CARDS = 1_200
PAGE_MAX = 100
STATUS_FIELDS = {"costCapPerHour", "costCapPerDay", "costCapPerMonth", "enabled", "autonomous", "dndUntil"}

ASKING = {"id": "4-7", "title": "bash on pts/5"}
LET_IN = {**ASKING, "how": "a code", "this": False, "letInAt": "2030-01-07T12:00:00Z"}


class FakeViews:
    """What the hub knows; a test may change it before the page asks."""

    def __init__(self) -> None:
        self.now = data.utc_now()
        self.cards = [data.prediction(number, self.now) for number in range(CARDS)]
        self.config = data.config(self.now)
        self.devices = data.devices()
        self.tested: dict[str, Any] = data.trial(None)
        self.test_becomes: dict[str, Any] = data.trial("shown")
        self.drives = FakeDrives(self.now)
        self.world = FakeWorld(self.now)
        self.empty = False
        self.figures: dict[str, Any] = {}
        """What is otherwise about the figures."""
        self.own_certificate = False
        self.wifi = ""
        self.waiting: list[dict[str, Any]] = []
        self.pairing: dict[str, Any] = {}
        """What is otherwise about a code that pairs a device."""
        self.public_url = "https://pulse.example.org"
        self.grant_lines: list[dict[str, Any]] = []
        """What became of permissions, the latest first."""
        self.refusal: dict[str, Any] | None = None
        """A problem document that answers the next change."""
        self.asked: list[tuple[str, str, Any]] = []
        self.let_in: list[dict[str, Any]] = []
        self.asking: list[dict[str, Any]] = []

    def routes(self) -> list[Route]:
        """Return what to mount."""
        device = f"{API}/devices/{{surface}}/{{device}}"
        return [
            Route(f"{API}/predictions", self.predictions, methods=["GET"]),
            Route(f"{API}/predictions/{{id}}/why", self.why, methods=["GET"]),
            Route(f"{API}/predictions/{{id}}/runs", self.runs, methods=["GET"]),
            Route(f"{API}/export", self.export, methods=["GET"]),
            Route(f"{API}/insight", self.insight, methods=["GET"]),
            Route(f"{API}/drives", self.read_drives, methods=["GET"]),
            Route(f"{API}/drives/history", self.drive_history, methods=["GET"]),
            Route(f"{API}/drives/weights", self.set_weight, methods=["POST"]),
            Route(f"{API}/drives/weights/{{id}}/undo", self.undo_weight, methods=["POST"]),
            Route(f"{API}/grants/record", self.grant_record, methods=["GET"]),
            Route(f"{API}/world/sessions", self.read_sessions, methods=["GET"]),
            Route(f"{API}/world/sessions/{{id}}", self.read_session, methods=["GET"]),
            Route(f"{API}/world/day", self.read_day, methods=["GET"]),
            Route(f"{API}/world/path", self.read_log_path, methods=["GET"]),
            Route(f"{API}/crosspoll/config", self.read_config, methods=["GET"]),
            Route(f"{API}/crosspoll/config", self.change_config, methods=["PATCH"]),
            Route(f"{API}/crosspoll/pause", self.pause, methods=["POST"]),
            Route(f"{API}/crosspoll/resume", self.resume, methods=["POST"]),
            Route(f"{API}/devices", self.read_devices, methods=["GET"]),
            Route(f"{API}/terminals", self.read_terminals, methods=["GET"]),
            Route(device, self.change_device, methods=["PATCH"]),
            Route(device, self.revoke, methods=["DELETE"]),
            Route(f"{device}/test", self.test_device, methods=["POST"]),
            Route(f"{device}/test", self.read_test, methods=["GET"]),
            Route(f"{API}/pairing", self.pair, methods=["POST"]),
            Route(f"{API}/outside", self.outside, methods=["GET"]),
            Route(f"{API}/outside/wifi", self.open_wifi, methods=["POST", "DELETE"]),
            Route(f"{API}/pairing/waiting", self.browsers_waiting, methods=["GET"]),
            Route(f"{API}/pairing/waiting/{{id}}", self.answer_waiting, methods=["POST", "DELETE"]),
            Route(f"{API}/passkeys", self.passkeys, methods=["GET"]),
            Route(f"{API}/passkeys/options", self.no_passkey, methods=["POST"]),
        ]

    async def predictions(self, request: Request) -> Response:
        """Answer a page of the list."""
        query, limit = request.query_params, min(int(request.query_params.get("limit", "50")), PAGE_MAX)
        found = [
            card
            for card in ([] if self.empty else self.cards)
            if matches(card, query.get("status"), query.get("search"))
        ]
        if "before" in query:
            before = datetime.fromisoformat(query["before"])
            found = [card for card in found if datetime.fromisoformat(card["createdAt"]) < before]
        page = found[:limit]
        after = page[-1]["createdAt"] if len(page) == limit else None
        return JSONResponse({"predictions": page, "count": len(page), "nextBefore": after})

    async def why(self, request: Request) -> Response:
        """Answer an episode."""
        card = self.card(request)
        return unknown() if card is None else JSONResponse(data.why(card, self.now))

    async def runs(self, request: Request) -> Response:
        """Answer the runs of a suggestion."""
        card = self.card(request)
        if card is None:
            return unknown()
        return JSONResponse(data.runs(card) if card["executionId"] else {"runs": [], "count": 0})

    async def export(self, request: Request) -> Response:
        """Answer everything as a file; of the file only its kind matters here."""
        return Response(request.query_params["format"], media_type="text/plain")

    async def insight(self, request: Request) -> Response:
        """Answer the figures."""
        usual = data.insight(int(request.query_params.get("days", "30")), self.now, empty=self.empty)
        return JSONResponse({**usual, **self.figures})

    async def read_drives(self, _request: Request) -> Response:
        """Answer what presses."""
        return JSONResponse(self.drives.view(empty=self.empty))

    async def drive_history(self, request: Request) -> Response:
        """Answer how it pressed."""
        return JSONResponse(self.drives.history(int(request.query_params["days"]), empty=self.empty))

    async def grant_record(self, _request: Request) -> Response:
        """Answer what became of permissions."""
        return JSONResponse({"lines": self.grant_lines, "count": len(self.grant_lines)})

    async def set_weight(self, request: Request) -> Response:
        """Change a weight, or refuse."""
        body = await self.note(request)
        if self.refusal is not None:
            return self.refuse()
        return JSONResponse(self.drives.weigh(body["name"], body["weight"]))

    async def undo_weight(self, request: Request) -> Response:
        """Take a change of a weight back."""
        await self.note(request)
        return JSONResponse(self.drives.weigh_back(request.path_params["id"]))

    async def read_sessions(self, _request: Request) -> Response:
        """Answer the sessions of the world log."""
        return JSONResponse({"sessions": [] if self.empty else self.world.sessions, "more": 0})

    async def read_session(self, request: Request) -> Response:
        """Answer one session."""
        found = [one for one in self.world.sessions if one["id"] == request.path_params["id"]]
        return JSONResponse(found[0]) if found else unknown()

    async def read_day(self, request: Request) -> Response:
        """Answer a day of the world log."""
        query = request.query_params
        return JSONResponse(self.world.day(query.get("day", ""), query.get("search", ""), empty=self.empty))

    async def read_log_path(self, _request: Request) -> Response:
        """Answer where the log lies."""
        return JSONResponse({"path": LOG, "enabled": True})

    async def read_config(self, _request: Request) -> Response:
        """Answer the configuration."""
        return JSONResponse(self.config)

    async def change_config(self, request: Request) -> Response:
        """Change the configuration as the hub would, or refuse."""
        patch = await self.note(request)
        if self.refusal is not None:
            return self.refuse()
        for name, value in patch.items():
            self.apply(name, value)
        return JSONResponse(self.config)

    def apply(self, name: str, value: Any) -> None:  # noqa: ANN401  whatever JSON the field takes
        """Take one field of a patch."""
        status = self.config["status"]
        if name == "emergencyStop":
            why = "emergency stop is on; `pulse resume --emergency` lifts it"
            self.config["enabled"] = status["enabled"] = not value
            status["killedBy"] = "emergency" if value else ""
            status["state"], status["reason"] = ("disabled", why) if value else ("watching", "The stop is lifted.")
        elif name == "disabledChannels":
            for view in self.config["channelViews"]:
                view["enabled"] = view["name"] not in value
        elif name == "dndOff":
            self.config["dndUntil"] = status["dndUntil"] = None
        elif name in self.config:
            self.config[name] = value
        if name in STATUS_FIELDS:
            status[name] = value

    async def pause(self, request: Request) -> Response:
        """Pause."""
        await self.note(request)
        self.config["status"] |= {"state": "paused", "reason": "paused by you"}
        return JSONResponse(self.config["status"])

    async def resume(self, request: Request) -> Response:
        """Go on."""
        await self.note(request)
        self.config["status"] |= {"state": "watching", "reason": "resumed by you"}
        return JSONResponse(self.config["status"])

    async def read_devices(self, _request: Request) -> Response:
        """Answer the devices."""
        return JSONResponse({"devices": self.devices, "count": len(self.devices)})

    async def read_terminals(self, _request: Request) -> Response:
        """Answer the terminals: those that were let in, and those that ask."""
        let_in, asking = self.let_in, self.asking
        return JSONResponse({"terminals": let_in, "count": len(let_in), "needed": True, "asking": asking})

    async def change_device(self, request: Request) -> Response:
        """Rename a device or change its privacy, or refuse."""
        patch = await self.note(request)
        if self.refusal is not None:
            return self.refuse()
        found = self.device(request)
        found.update(patch)
        return JSONResponse(found)

    async def revoke(self, request: Request) -> Response:
        """Forget a device."""
        await self.note(request)
        self.devices.remove(self.device(request))
        return Response(status_code=204)

    async def test_device(self, request: Request) -> Response:
        """Say that a test was sent; it arrives, unless a test says what else becomes of it."""
        await self.note(request)
        self.tested = self.test_becomes
        return Response(status_code=204)

    async def read_test(self, _request: Request) -> Response:
        """Answer what became of the last test."""
        return JSONResponse(self.tested)

    async def pair(self, request: Request) -> Response:
        """Answer a fresh code."""
        await self.note(request)
        return JSONResponse({**data.pairing(data.utc_now()), **self.pairing})

    async def outside(self, _request: Request) -> Response:
        """Answer where others reach Pulse."""
        found = {"publicUrl": self.public_url, "ownCertificate": self.own_certificate, "wifi": self.wifi}
        return JSONResponse({**found, "tailscale": False})

    async def open_wifi(self, request: Request) -> Response:
        """Open Pulse to this Wi-Fi, or close it."""
        await self.note(request)
        self.own_certificate = request.method == "POST"
        self.public_url, self.wifi = (self.wifi, "") if self.own_certificate else ("", self.public_url)
        return await self.outside(request)

    async def browsers_waiting(self, _request: Request) -> Response:
        """Answer which browsers wait to be let in."""
        return JSONResponse({"waiting": self.waiting, "count": len(self.waiting)})

    async def answer_waiting(self, request: Request) -> Response:
        """Let one in, or turn it away."""
        await self.note(request)
        return JSONResponse(self.waiting.pop())

    async def passkeys(self, _request: Request) -> Response:
        """Answer that there is none."""
        return JSONResponse({"passkeys": [], "count": 0})

    async def no_passkey(self, _request: Request) -> Response:
        """Refuse to ask for a passkey, of which there is none."""
        problem = refusal("You have no passkey.", "") | {"status": 404, "code": "no-passkey"}
        return JSONResponse(problem, 404, media_type=PROBLEM)

    async def note(self, request: Request) -> dict[str, Any]:
        """Write a change down; return its body."""
        text = await request.body()
        body: dict[str, Any] = json.loads(text) if text else {}
        self.asked.append((request.method, request.url.path.removeprefix(API), body))
        return body

    def refuse(self) -> Response:
        """Answer the refusal that a test has put in, once."""
        problem, self.refusal = self.refusal, None
        assert problem is not None
        return JSONResponse(problem, problem["status"], media_type=PROBLEM)

    def card(self, request: Request) -> dict[str, Any] | None:
        """Return the suggestion that a path names."""
        return next((card for card in self.cards if card["id"] == request.path_params["id"]), None)

    def device(self, request: Request) -> dict[str, Any]:
        """Return the device that a path names."""
        named = request.path_params["surface"], request.path_params["device"]
        return next(one for one in self.devices if (one["surface"], one["device"]) == named)


def matches(card: dict[str, Any], status: str | None, search: str | None) -> bool:
    """Say whether a suggestion is wanted."""
    return status in {None, card["status"]} and (search or "").lower() in card["prompt"].lower()


def refusal(detail: str, fix: str) -> dict[str, Any]:
    """Return a problem document as the hub refuses a setting."""
    kind = "urn:pulse:error:bad-settings"
    return {
        "type": kind,
        "title": "Unprocessable Entity",
        "status": 422,
        "code": "bad-settings",
        "detail": detail,
        "fix": fix,
    }


def unknown() -> Response:
    """Return the hub's answer for a suggestion that there is none of."""
    problem = refusal("There is no suggestion of that id.", "`pulse cards` lists the open ones.") | {"status": 404}
    return JSONResponse(problem, 404, media_type=PROBLEM)
