"""The stand-in's REST API v10: as much of it as a bot with one server needs, every request body checked."""

# ruff: noqa: ANN401  every handler takes whatever JSON came
import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote

from aiohttp import web

from tests.surfaces.discord.standin.gateway import Gateway
from tests.surfaces.discord.standin.oracle import Oracle
from tests.surfaces.discord.standin.world import Json, World

PREFIX = "/api/v10"
SEND, REACT, MANAGE, HISTORY, THREADS, CHANNELS = 1 << 11, 1 << 6, 1 << 13, 1 << 16, 1 << 35, 1 << 4
Reply = tuple[int, Any]
UNKNOWN_MESSAGE: Reply = (404, {"message": "Unknown Message", "code": 10008})
UNKNOWN_CHANNEL: Reply = (404, {"message": "Unknown Channel", "code": 10003})
FORBIDDEN: Reply = (403, {"message": "Missing Permissions", "code": 50013})


class Fault:
    """What goes wrong with requests whose `METHOD path` fits, `times` times. `after`: only the answer is lost."""

    def __init__(self, fits: str, times: int, reply: Reply | None, *, after: bool = False) -> None:
        self.fits = re.compile(fits)
        self.times = times
        self.reply = reply
        self.after = after


class Rest:
    """Answers requests. `complaints` are the bodies that Discord would not have taken."""

    def __init__(self, world: World, gateway: Gateway, token: str) -> None:
        self.world = world
        self.gateway = gateway
        self.token = token
        self.oracle = Oracle()
        self.complaints: list[str] = []
        self.faults: list[Fault] = []
        self.held: dict[str, asyncio.Event] = {}
        """Requests whose `METHOD path` fits the pattern wait until the event is set."""
        self.log: list[tuple[float, str, str, Any]] = []
        self.followups: list[Json] = []
        self.callbacks: dict[str, Json] = {}
        self.pressed: dict[str, str] = {}
        self.changed: Callable[[], object] = lambda: None
        self.threads_opened: dict[str, str] = {}

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one request."""
        path, method = request.path.removeprefix(PREFIX), request.method
        body, files = await _body(request)
        self.log.append((time.monotonic(), method, path, body))
        public = path.startswith(("/interactions", "/webhooks"))
        if request.headers.get("Authorization") != f"Bot {self.token}" and not public:
            return self._out(401, {"message": "401: Unauthorized", "code": 0}, path)
        for fits, over in self.held.items():
            if re.search(fits, f"{method} {path}"):
                await over.wait()
        fault = self._fault(method, path)
        if fault is not None and not fault.after:
            return self._lost(request) if fault.reply is None else self._out(*fault.reply, path)
        complaints = self.oracle.complaints(method, path, body)
        if complaints:
            self.complaints += [f"{method} {path}: {one}" for one in complaints]
            return self._out(400, {"message": "Invalid Form Body", "code": 50035, "errors": {}}, path)
        status, answer = await self._answer(method, path, body, files, dict(request.query))
        self.changed()
        if fault is not None:
            return self._lost(request) if fault.reply is None else self._out(*fault.reply, path)
        return self._out(status, answer, path)

    def _fault(self, method: str, path: str) -> Fault | None:
        for fault in self.faults:
            if fault.fits.search(f"{method} {path}"):
                fault.times -= 1
                if fault.times <= 0:
                    self.faults.remove(fault)
                return fault
        return None

    def _lost(self, request: web.Request) -> web.StreamResponse:
        if request.transport is not None:
            request.transport.abort()
        return web.Response(status=500)

    def _out(self, status: int, answer: Any, path: str) -> web.Response:
        if answer is None:
            return web.Response(status=status)
        bucket = re.sub(r"\d{6,}", "", path)
        headers = {
            "Content-Type": "application/json",
            "Via": "1.1 standin",
            "X-RateLimit-Limit": "1000",
            "X-RateLimit-Remaining": "0" if status == 429 else "999",
            "X-RateLimit-Reset": str(time.time() + 1),
            "X-RateLimit-Reset-After": str(answer.get("retry_after", 1)) if isinstance(answer, dict) else "1",
            "X-RateLimit-Bucket": f"b{abs(hash(bucket)) % 10**8}",
        }
        return web.Response(body=json.dumps(answer).encode(), status=status, headers=headers)

    async def _answer(self, method: str, path: str, body: Any, files: list[Json], query: dict[str, str]) -> Reply:
        for form, handle in ROUTES:
            found = form.fullmatch(path)
            if found is not None:
                return await handle(self, method, tuple(map(unquote, found.groups())), body, files, query)
        return 404, {"message": "404: Not Found", "code": 0}

    def _may(self, permission: int) -> bool:
        return bool(self.world.permissions & permission)

    async def me(self, *_: Any) -> Reply:
        return 200, {**self.world.bot, "mfa_enabled": False, "locale": "en-US", "premium_type": 0, "verified": True}

    async def guilds(self, *_: Any) -> Reply:
        """Tell the servers that the bot is in; `invited` is what people do meanwhile."""
        brief: Json = {"icon": None, "owner": False, "permissions": str(self.world.permissions), "features": []}
        there = [{**brief, "id": guild_id, "name": name} for guild_id, name in self.world.guilds.items()]
        self.world.guilds |= self.world.invited
        return 200, there

    async def application(self, *_: Any) -> Reply:
        texts = dict.fromkeys(("icon", "type", "team", "cover_image"), None)
        return 200, {
            **texts,
            "id": self.world.bot["id"],
            "name": "pulse",
            "description": "",
            "summary": "",
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "flags": 0,
            "owner": self.world.owner,
            "redirect_uris": [],
            "approximate_guild_count": 1,
            "bot": self.world.bot,
            "hook": True,
        }

    async def commands(self, method: str, _ids: Any, body: Any, *_: Any) -> Reply:
        if method == "PUT":
            extra = {"application_id": self.world.bot["id"], "version": "1", "default_member_permissions": None}
            self.world.commands = [{**one, **extra, "id": self.world.snowflake()} for one in body]
        return 200, self.world.commands

    async def guild(self, _method: str, ids: Any, *_: Any) -> Reply:
        if ids[0] != self.world.guild_id:
            return 404, {"message": "Unknown Guild", "code": 10004}
        return 200, self.world.guild()

    async def guild_channels(self, method: str, _ids: Any, body: Any, *_: Any) -> Reply:
        if method == "GET":
            return 200, list(self.world.channels.values())
        if not self._may(CHANNELS):
            return FORBIDDEN
        channel = self.world.channels[self.world.channel(body["name"])]
        await self.gateway.dispatch("CHANNEL_CREATE", channel)
        return 201, channel

    async def member(self, _method: str, ids: Any, *_: Any) -> Reply:
        if ids[1] not in self.world.users or ids[1] in self.world.left:
            return 404, {"message": "Unknown Member", "code": 10007}
        return 200, self.world.member(ids[1])

    async def channel(self, _method: str, ids: Any, *_: Any) -> Reply:
        found = self.world.channels.get(ids[0])
        return (200, found) if found else UNKNOWN_CHANNEL

    async def messages(self, method: str, ids: Any, body: Any, files: list[Json], query: dict[str, str]) -> Reply:
        channel_id = ids[0]
        if channel_id not in self.world.channels and channel_id not in self.world.messages:
            return UNKNOWN_CHANNEL
        if method == "GET":
            there = [one for one in self.world.messages.values() if one["channel_id"] == channel_id]
            before = int(query.get("before", 2**63))
            there = sorted((one for one in there if int(one["id"]) < before), key=lambda one: -int(one["id"]))
            return 200, [self.world.wire(one) for one in there[: int(query.get("limit", 50))]]
        if not self._may(SEND):
            return FORBIDDEN
        return await self._post(channel_id, body, files)

    async def _post(self, channel_id: str, body: Json, files: list[Json]) -> Reply:
        nonce = str(body.get("nonce") or "")
        if body.get("enforce_nonce") and nonce in self.world.nonces:
            before = self.world.messages.get(self.world.nonces[nonce])
            return (200, self.world.wire(before)) if before else UNKNOWN_MESSAGE
        message = self.world.post(channel_id, self.world.bot, body, files)
        if nonce:
            self.world.nonces[nonce] = message["id"]
        await self.gateway.dispatch("MESSAGE_CREATE", {**self.world.wire(message), "guild_id": self.world.guild_id})
        return 200, self.world.wire(message)

    async def message(self, method: str, ids: Any, body: Any, *_: Any) -> Reply:
        if ids[0] not in self.world.channels and ids[0] not in self.world.messages:
            return UNKNOWN_CHANNEL
        found = self.world.messages.get(ids[1])
        if found is None:
            return UNKNOWN_MESSAGE
        if method == "PATCH":
            self.world.edit(found, body)
            await self.gateway.dispatch("MESSAGE_UPDATE", {**self.world.wire(found), "guild_id": self.world.guild_id})
        elif method == "DELETE":
            await self.delete(ids[1])
            return 204, None
        return 200, self.world.wire(found)

    async def delete(self, message_id: str) -> None:
        found = self.world.messages.pop(message_id)
        self.world.reactions.pop(message_id, None)
        gone = {"id": message_id, "channel_id": found["channel_id"], "guild_id": self.world.guild_id}
        await self.gateway.dispatch("MESSAGE_DELETE", gone)

    async def reactors(self, _method: str, ids: Any, _body: Any, _files: Any, query: dict[str, str]) -> Reply:
        if ids[1] not in self.world.messages:
            return UNKNOWN_MESSAGE
        people = self.world.of_reaction(ids[1], ids[2])[int(query.get("type", 0))]
        after = int(query.get("after", 0))
        there = sorted(int(one) for one in people if int(one) > after)[: int(query.get("limit", 25))]
        return 200, [self.world.users[str(one)] for one in there]

    async def reaction(self, method: str, ids: Any, *_: Any) -> Reply:
        _, message_id, emoji, who = ids
        if message_id not in self.world.messages:
            return UNKNOWN_MESSAGE
        user_id = self.world.bot["id"] if who == "@me" else who
        if not self._may(REACT if who == "@me" else MANAGE) and not (who == "@me" and method == "DELETE"):
            return FORBIDDEN
        await self.react(user_id, message_id, emoji, add=method == "PUT")
        return 204, None

    async def react(self, user_id: str, message_id: str, emoji: str, *, add: bool, burst: bool = False) -> None:
        """Put or take a reaction, and tell the bot."""
        people = self.world.of_reaction(message_id, emoji)[int(burst)]
        if (user_id in people) == add:
            return
        if add:
            people[user_id] = None
        else:
            del people[user_id]
        name, _, emoji_id = emoji.partition(":")
        data: Json = {
            "user_id": user_id,
            "channel_id": self.world.messages[message_id]["channel_id"],
            "message_id": message_id,
            "guild_id": self.world.guild_id,
            "emoji": {"id": emoji_id or None, "name": name},
            "type": int(burst),
            "burst": burst,
        }
        if add:
            data |= {
                "member": self.world.member(user_id),
                "message_author_id": self.world.bot["id"],
                "burst_colors": [],
            }
        await self.gateway.dispatch("MESSAGE_REACTION_ADD" if add else "MESSAGE_REACTION_REMOVE", data)
        self.changed()

    async def threads(self, _method: str, ids: Any, body: Any, *_: Any) -> Reply:
        if not self._may(THREADS):
            return FORBIDDEN
        channel_id, message_id = ids
        if message_id in self.world.channels:
            return 400, {"message": "A thread has already been created for this message", "code": 160004}
        self.world.messages[message_id]["flags"] |= 1 << 5
        thread = {**self.world.channels[channel_id], "id": message_id, "type": 11, "name": body["name"]}
        thread |= {"parent_id": channel_id, "owner_id": self.world.bot["id"], "message_count": 0, "member_count": 1}
        thread["thread_metadata"] = {
            "archived": False,
            "auto_archive_duration": 60,
            "archive_timestamp": "2024-01-01T00:00:00+00:00",
            "locked": False,
        }
        self.threads_opened[message_id] = body["name"]
        return 201, thread

    async def callback(self, _method: str, ids: Any, body: Any, _files: Any, query: dict[str, str]) -> Reply:
        interaction_id = ids[0]
        if interaction_id in self.callbacks:
            return 400, {"message": "Interaction has already been acknowledged.", "code": 40060}
        self.callbacks[interaction_id] = body
        message_id = self.pressed.get(interaction_id, "")
        message = self.world.messages.get(message_id)
        if body["type"] == 7 and message is not None:
            self.world.edit(message, body.get("data") or {})
        if query.get("with_response") not in {"1", "true"}:
            return 204, None
        resource: Json = {"type": body["type"]}
        if body["type"] == 7 and message is not None:
            resource["message"] = self.world.wire(message)
        elif body["type"] == 4:
            resource["message"] = self.world.wire(self.world.post("0", self.world.bot, body.get("data") or {}, []))
            self.world.messages.pop(resource["message"]["id"])
        told = {"id": interaction_id, "type": 3, "response_message_id": message_id or None}
        return 200, {"interaction": told, "resource": resource}

    async def followup(self, _method: str, _ids: Any, body: Any, *_: Any) -> Reply:
        self.followups.append(body)
        message = self.world.post(self.world.bridge, self.world.bot, body, [])
        del self.world.messages[message["id"]]
        return 200, message


Handler = Callable[..., Awaitable[Reply]]
ROUTES: tuple[tuple[re.Pattern[str], Handler], ...] = tuple(
    (re.compile(form), handler)
    for form, handler in (
        (r"/users/@me", Rest.me),
        (r"/users/@me/guilds", Rest.guilds),
        (r"/oauth2/applications/@me", Rest.application),
        (r"/applications/(\d+)/guilds/(\d+)/commands", Rest.commands),
        (r"/guilds/(\d+)", Rest.guild),
        (r"/guilds/(\d+)/channels", Rest.guild_channels),
        (r"/guilds/(\d+)/members/(\d+)", Rest.member),
        (r"/channels/(\d+)", Rest.channel),
        (r"/channels/(\d+)/messages", Rest.messages),
        (r"/channels/(\d+)/messages/(\d+)", Rest.message),
        (r"/channels/(\d+)/messages/(\d+)/threads", Rest.threads),
        (r"/channels/(\d+)/messages/(\d+)/reactions/([^/]+)", Rest.reactors),
        (r"/channels/(\d+)/messages/(\d+)/reactions/([^/]+)/([^/]+)", Rest.reaction),
        (r"/interactions/(\d+)/([^/]+)/callback", Rest.callback),
        (r"/webhooks/(\d+)/([^/]+)", Rest.followup),
    )
)


async def _body(request: web.Request) -> tuple[Any, list[Json]]:
    if request.content_type != "multipart/form-data":
        return (await request.json() if request.can_read_body else None), []
    body: Any = None
    files: list[Json] = []
    async for part in await request.multipart():
        if getattr(part, "name", "") == "payload_json":
            body = json.loads(await part.text())  # type: ignore[union-attr]  # a form has no parts within parts
        else:
            data = await part.read()  # type: ignore[union-attr]  # a form has no parts within parts
            name = getattr(part, "filename", "") or ""
            files.append({"id": str(len(files)), "filename": name, "size": len(data), "url": "x", "proxy_url": "x"})
    return body, files
