"""The protocol: lines of JSON-RPC in, moves out. It waits for nothing and knows no clock.

    HELLO ─ initialize ─▶ OPENING ─ session/new ─▶ MODE ─ set_mode ─▶ WORKING ─ session/prompt ─▶ OVER
                                        └──────── no other mode ──────────▲ └─ words of the person ┘

A session of before is gone on with by `session/resume`, or `session/load`, where the agent says that it can; if it then
cannot, a new one is opened. What it repeats of the old one meanwhile is passed over.
One request of ours is under way at a time. Those of the agent wait until whoever leads the talk answers them. What is
no JSON object is passed over: some agents print a greeting. Written after the protocol's version 1 of July 2026.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum, auto

import msgspec

from hub.do import clip_line
from hub.io.agents.acp.moves import AgentDid, Move, RequestId, SessionOver, ToAgent, WantsAnswers, WantsLeave
from hub.io.agents.acp.progress import SessionNews
from hub.io.agents.hooks.step import ToolInput, Unreadable, fields_of, name_of
from hub.kit.loose_json import object_of, objects_of, text_of

VERSION = 1
REQUESTS_MAX = 5_000
"""So many things may one run ask for; more is an agent that has gone astray."""
OPEN_MAX = 20
"""So many of them may wait at once; what is more is refused."""
WORDS_MAX = 5
"""So often are a person's words handed to the agent when its turn has ended."""
UNKNOWN_METHOD, SIGN_IN = -32_601, -32_000
ASKING_MODE = "default"
"""What agents that have such a mode call the one in which they ask before they act."""
_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}")
STOPS: Mapping[str, str] = {
    "max_tokens": "The agent ran out of tokens.",
    "max_turn_requests": "The agent reached its limit of model calls.",
    "refusal": "The agent's model refused to continue.",
    "cancelled": "The agent stopped.",
}


class AcpPhase(Enum):
    """How far the talk is."""

    HELLO = auto()
    OPENING = auto()
    MODE = auto()
    WORKING = auto()
    OVER = auto()


class AcpConversation:
    """One session with one agent, about one prompt."""

    def __init__(self, *, folder: str, prompt: str, mode: str, version: str, resumes: str = "") -> None:
        self.phase = AcpPhase.HELLO
        self.news = SessionNews()
        self._folder, self._prompt, self._mode, self._version = folder, prompt, mode, version
        self._id = 0
        self.session = ""
        self._can_resume = False
        self._resumes, self._resuming = resumes, False
        self._sign_in = ""
        self._open: set[RequestId] = set()
        self._asked = 0
        self._remarks: list[str] = []
        self._told = 0

    @property
    def to_resume(self) -> str:
        """By what the agent can go on with this session another time; empty where it cannot, or its id is odd."""
        return self.session if self._can_resume and _PLAIN_ID.fullmatch(self.session) else ""

    def begin(self) -> bytes:
        """Return the first thing to say: who we are, and that our files and terminals are not lent."""
        lends = {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False, "elicitation": {"form": {}}}
        about = {"name": "pulse", "title": "Pulse", "version": self._version}
        return self._request("initialize", protocolVersion=VERSION, clientCapabilities=lends, clientInfo=about)

    def hear(self, line: bytes) -> tuple[Move, ...]:
        """Take one line; once the talk is over nothing follows from any."""
        said = fields_of(line)
        if isinstance(said, Unreadable) or self.phase is AcpPhase.OVER:
            return ()
        moves = tuple(self._heard(said))
        if any(isinstance(move, SessionOver) for move in moves):
            self.phase = AcpPhase.OVER
        return moves

    def settle(self, request: RequestId, result: ToolInput) -> bytes:
        """Return the answer to something that the agent asked for; nothing if it does not wait for it any more."""
        if request not in self._open:
            return b""
        self._open.remove(request)
        return _line(id=request, result=result)

    def tell_later(self, words: str) -> None:
        """Keep what the person said, for when the agent's turn ends: an answer itself has no place for words."""
        if len(self._remarks) < WORDS_MAX:
            self._remarks.append(words)

    def stop(self) -> bytes:
        """Return what ends the agent's turn: whatever it waits for is cancelled, as the protocol demands."""
        if self.phase is not AcpPhase.WORKING:
            return b""
        answers = [self.settle(one, {"outcome": {"outcome": "cancelled"}}) for one in tuple(self._open)]
        return b"".join([*answers, _line(method="session/cancel", params={"sessionId": self.session})])

    def _heard(self, said: ToolInput) -> Iterator[Move]:
        method, number = text_of(said, "method"), said.get("id")
        if not method:
            if number == self._id and isinstance(number, int):
                yield from self._replied(object_of(said, "result"), said.get("error"))
        elif isinstance(number, int | str):
            yield from self._requested(method, number, object_of(said, "params"))
        elif method == "session/update":
            about = object_of(said, "params")
            if text_of(about, "sessionId") == self.session:
                yield from self.news.take(object_of(about, "update"))

    def _requested(self, method: str, number: RequestId, about: ToolInput) -> Iterator[Move]:
        self._asked += 1
        if self._asked > REQUESTS_MAX:
            yield SessionOver(ended="exited", exit_code=1, detail=f"The agent made more than {REQUESTS_MAX} requests.")
        elif self.phase is not AcpPhase.WORKING or number in self._open or text_of(about, "sessionId") != self.session:
            yield ToAgent(data=_error(number, "This is not Pulse's session."))
        elif method == "session/request_permission" and len(self._open) < OPEN_MAX:
            self._open.add(number)
            call = self.news.whole(object_of(about, "toolCall"))
            yield WantsLeave(id=number, call=call, options=objects_of(about, "options"))
        elif method == "elicitation/create" and len(self._open) < OPEN_MAX:
            self._open.add(number)
            yield WantsAnswers(id=number, form=about)
        else:
            yield ToAgent(data=_error(number, f"Pulse does not do {method[:60]} for an agent."))

    def _replied(self, result: ToolInput, error: object) -> Iterator[Move]:
        if error is not None and self._resuming:
            self._resumes, self._resuming = "", False
            yield AgentDid(line="It could not resume its previous session, so it starts a new one.")
            yield self._open_new()
            return
        if error is not None:
            yield self._failed(error if isinstance(error, dict) else {})
            return
        match self.phase:
            case AcpPhase.HELLO:
                yield self._after_hello(result)
            case AcpPhase.OPENING:
                yield self._after_opening(result)
            case AcpPhase.MODE:
                yield self._work(self._prompt)
            case _:
                yield from self._after_turn(result)

    def _after_hello(self, result: ToolInput) -> Move:
        spoken = result.get("protocolVersion")
        if spoken != VERSION:
            why = (
                f"The agent speaks version {spoken!s:.20} of the protocol, Pulse speaks {VERSION}. Update one of them."
            )
            return SessionOver(ended="failed-to-start", detail=why)
        ways = (text_of(one, "description", "name") for one in objects_of(result, "authMethods"))
        self._sign_in = next((clip_line(way) for way in ways if way), "")
        self.phase = AcpPhase.OPENING
        method = _way_to_resume(object_of(result, "agentCapabilities"))
        self._can_resume = bool(method)
        if not self._resumes or not method:
            return self._open_new()
        self._resuming = True
        about = {"sessionId": self._resumes, "cwd": self._folder, "mcpServers": []}
        return ToAgent(data=self._request(method, **about))

    def _open_new(self) -> Move:
        return ToAgent(data=self._request("session/new", cwd=self._folder, mcpServers=[]))

    def _after_opening(self, result: ToolInput) -> Move:
        self.session = self._resumes if self._resuming else text_of(result, "sessionId")
        self._resuming = False
        if not self.session:
            return SessionOver(ended="failed-to-start", detail="The agent did not open a session.")
        change = _mode_change(result, self._mode)
        if change is None:
            return self._work(self._prompt)
        self.phase = AcpPhase.MODE
        method, about = change
        return ToAgent(data=self._request(method, sessionId=self.session, **about))

    def _work(self, words: str) -> Move:
        self.phase = AcpPhase.WORKING
        said = [{"type": "text", "text": words}]
        return ToAgent(data=self._request("session/prompt", sessionId=self.session, prompt=said))

    def _after_turn(self, result: ToolInput) -> Iterator[Move]:
        self.news.count(object_of(result, "usage"))
        stopped = STOPS.get(text_of(result, "stopReason"), "")
        words, self._remarks = self._remarks, []
        if words and self._told < WORDS_MAX:
            self._told += 1
            yield AgentDid(line="Your message was passed on.")
            yield self._work("\n".join(words))
        elif stopped:
            yield SessionOver(ended="exited", exit_code=1, detail=stopped)
        else:
            yield SessionOver(ended="exited", exit_code=0)

    def _failed(self, error: ToolInput) -> SessionOver:
        said = (text_of(error, "message"), text_of(object_of(error, "data"), "details", "message"))
        why = clip_line(": ".join(filter(None, said))) or "It gave no reason."
        if error.get("code") == SIGN_IN:
            how = self._sign_in or why
            return SessionOver(ended="failed-to-start", detail=f"The agent wants you to sign in first. {how}")
        if self.phase is AcpPhase.WORKING:
            return SessionOver(ended="exited", exit_code=1, detail=f"The agent gave up: {why}")
        doing = {AcpPhase.HELLO: "greet Pulse", AcpPhase.MODE: "work in the requested mode"}
        what = doing.get(self.phase, "open a session")
        return SessionOver(ended="failed-to-start", detail=f"The agent would not {what}: {why}")

    def _request(self, method: str, **about: object) -> bytes:
        self._id += 1
        return _line(id=self._id, method=method, params=about)


def _way_to_resume(can: ToolInput) -> str:
    """Return the request by which an agent goes on with a session of before; empty if it does not say that it can."""
    if isinstance(object_of(can, "sessionCapabilities").get("resume"), dict):
        return "session/resume"
    return "session/load" if can.get("loadSession") is True else ""


def _mode_change(opened: ToolInput, wanted: str) -> tuple[str, dict[str, object]] | None:
    """Return the request by which a session gets its mode, if it is to have another one."""
    modes = object_of(opened, "modes")
    if modes:
        names = [name_of(one, "id") for one in objects_of(modes, "availableModes")]
        mode = wanted or (ASKING_MODE if ASKING_MODE in names else "")
        if mode and mode != text_of(modes, "currentModeId"):
            return "session/set_mode", {"modeId": mode}
        return None
    choices = (one for one in objects_of(opened, "configOptions") if text_of(one, "category") == "mode")
    option = next(choices, None)
    if option is None or not wanted or wanted == text_of(option, "currentValue"):
        return None if not wanted or option is not None else ("session/set_mode", {"modeId": wanted})
    return "session/set_config_option", {"configId": name_of(option, "id"), "value": wanted}


def _line(**said: object) -> bytes:
    return msgspec.json.encode({"jsonrpc": "2.0", **said}) + b"\n"


def _error(number: RequestId, why: str) -> bytes:
    return _line(id=number, error={"code": UNKNOWN_METHOD, "message": why})
