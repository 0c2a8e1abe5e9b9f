"""The twins: models of the person behind OpenAI-compatible services (CROSSPOLL 2.3). No answer of theirs is trusted.

They are asked in the policy's order, which is read again each time: a change of model or service counts from the next
question on. Whoever fails again and again rests (`hub/kit/breaker.py`), and the next one is asked.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from hub.contract.api import HealthPart
from hub.contract.base import Value
from hub.domain.policy import TWIN_OUTPUT_TOKENS_MAX, USD, Policy, TwinService
from hub.domain.provenance import ModelText, Wording, as_worded, say
from hub.domain.suggestion import Guess
from hub.domain.twin import TwinChat, TwinQuestion, TwinReply, TwinSaid, TwinTrial, not_used, reply_of
from hub.domain.worded import Worded
from hub.io.agents import twin_worker
from hub.io.agents.twin_answers import ReadAnswer, read_answer, read_words
from hub.io.agents.twin_context import address_of, messages
from hub.io.agents.twin_worker import ChatAnswer, ChatDialect, ChatMessage, ChatRequest
from hub.io.sensors.command import run
from hub.io.sensors.guard import UnreadableError
from hub.kit.bounded import BoundedMap
from hub.kit.breaker import Breaker, begin, failed, open_until, went_well

TEMPERATURE = 0.3
ANSWER_BYTES_MAX = 65_536
ALL_S_MAX = 45.0
"""All services together, so that a cycle does not wait for one after the other."""
START_S_MAX = 20.0
"""What the process that asks may take beside the service's own time, on a machine that is busy."""
PIPE_BYTES_MAX = 6 * ANSWER_BYTES_MAX + 1_024
"""An answer as JSON: each of its characters may become six."""
OVERCHARGE_MAX = 10
"""A service that counts more than so many times what it was asked for rests; what is beyond that is not booked."""
KEPT_MAX = 32
TEST_TOKENS_MAX = 16
TEST = (ChatMessage(role="user", content="Reply with the one word: ready"),)
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SSL_CERT_DIR", "SSL_CERT_FILE")
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
REFUSED_KEY, NO_SUCH, SLOW_DOWN = (401, 403), 404, 429
SERVER_ERROR = 500
WORKED_ON = frozenset({"", "timeout", "too-large"})
"""What may be wrong with an answer that a service has made, or begun to make."""
log = logging.getLogger(__name__)
Ask = Callable[[ChatRequest], Awaitable[ChatAnswer]]


class CallOutcome(Value):
    """What came of one call: its body, or what went wrong (`lasting`: it will not mend itself).

    `may_cost` is that the service may have worked on it, and count that, though no answer was had.
    """

    body: str = ""
    wrong: str = ""
    wrong_worded: Worded | None = None
    lasting: bool = False
    may_cost: bool = True


class ServiceState(Value):
    """How a service was lately."""

    breaker: Breaker = Breaker()
    wrong: str = ""
    wrong_worded: Worded | None = None
    note: str = ""
    asked_at: datetime | None = None


async def ask_in_child(request: ChatRequest) -> ChatAnswer:
    """Ask in a process that ends with the answer (see `twin_worker`)."""
    passed = (*PASSED_ON, *PROXIES, *(name.lower() for name in PROXIES))
    try:
        said = await run(
            (sys.executable, "-I", twin_worker.__file__),
            cwd=Path(twin_worker.__file__).parent,
            env={name: os.environ[name] for name in passed if name in os.environ},
            timeout_s=request.timeout_s + START_S_MAX,
            limit_bytes=PIPE_BYTES_MAX,
            stdin=msgspec.json.encode(request),
        )
        return msgspec.json.decode(said.out, type=ChatAnswer)
    except UnreadableError:
        return ChatAnswer(wrong="timeout")
    except msgspec.DecodeError:  # ended by its own limits, so there is no answer, or half of one
        return ChatAnswer(wrong="too-large")


class HttpTwins:
    """Asks the policy's twins over HTTP, and remembers how they were."""

    def __init__(
        self, *, now: Callable[[], datetime], environ: Mapping[str, str] | None = None, ask: Ask = ask_in_child
    ) -> None:
        self._now = now
        self._environ = os.environ if environ is None else environ
        self._ask = ask
        self._states: BoundedMap[str, ServiceState] = BoundedMap(KEPT_MAX)
        self._dialects: BoundedMap[str, ChatDialect] = BoundedMap(KEPT_MAX)

    async def predict(self, asked: TwinQuestion, policy: Policy) -> TwinReply:
        """Ask one after the other until one has an answer that can be used."""
        said, cost, troubles = messages(asked, policy), 0, list[Wording]()
        end = asyncio.get_running_loop().time() + ALL_S_MAX
        for service in policy.twins:
            left_s = end - asyncio.get_running_loop().time()
            if left_s <= 0 or not self._may_begin(service):
                troubles.append(self._trouble(service))
                continue
            heard = await self._call(service, said, min(service.timeout_s, left_s), TWIN_OUTPUT_TOKENS_MAX)
            reading = read_answer(heard.body, service.model, policy) if not heard.wrong else ReadAnswer()
            price, overcharge = _price(service, said, heard, reading.tokens)
            cost += price
            self._note(service, heard, reading, overcharge)
            if overcharge:
                troubles.append(self._trouble(service))
            if reading.guesses or (not heard.wrong and not reading.wrong):
                guesses = tuple(sorted(reading.guesses, key=_by_confidence))
                return reply_of(cost, troubles, guesses)
            troubles.append(self._trouble(service))
        return reply_of(cost, troubles)

    async def chat(self, chat: TwinChat) -> TwinSaid:
        """Pass a chat on as it is."""
        service, said = chat.service, tuple(ChatMessage(role=one.role, content=one.content) for one in chat.lines)
        if not self._may_begin(service):
            told = self._trouble(service)
            return TwinSaid(words=ModelText(""), wrong=told.text, wrong_worded=told.worded)
        heard = await self._call(
            service, said, service.timeout_s, chat.tokens_max, temperature=chat.temperature, as_json=False
        )
        reading = read_words(heard.body)
        price, overcharge = _price(service, said, heard, reading.tokens, chat.tokens_max)
        wrong = heard.wrong or reading.wrong
        self._settle(service, wrong or overcharge, heard.wrong_worded, lasting=heard.lasting or bool(overcharge))
        why = as_worded(wrong, heard.wrong_worded)
        told = say("The model “{name}” did not answer: {why}.", name=service.name, why=why) if wrong else Wording()
        return TwinSaid(
            words=reading.words,
            wrong=told.text,
            wrong_worded=told.worded,
            is_cut=reading.is_cut,
            cost_microusd=price,
            tokens=reading.tokens,
        )

    async def test(self, policy: Policy, name: str = "") -> tuple[TwinTrial, ...]:
        """Make a small real call, also to one that rests; that it went well ends its rest."""
        return tuple([await self._try(service) for service in policy.twins if name in {"", service.name}])

    async def _try(self, service: TwinService) -> TwinTrial:
        heard = await self._call(service, TEST, service.timeout_s, TEST_TOKENS_MAX, as_json=False)
        reading = read_words(heard.body)
        wrong = heard.wrong or reading.wrong
        self._settle(service, wrong, heard.wrong_worded, lasting=heard.lasting)
        price, _ = _price(service, TEST, heard, reading.tokens, TEST_TOKENS_MAX)
        return TwinTrial(
            name=service.name,
            model=service.model,
            is_well=not wrong,
            detail=wrong or "it answered",
            detail_worded=heard.wrong_worded,
            cost_microusd=price,
        )

    def health(self, policy: Policy) -> tuple[HealthPart, ...]:
        """Say how each was when it was last asked."""
        return tuple(self._part(service) for service in policy.twins) if policy.twin else ()

    def _may_begin(self, service: TwinService) -> bool:
        state = self._state(service)
        may, breaker = begin(state.breaker, self._now())
        self._states[_mark(service)] = replace(state, breaker=breaker)
        return may

    async def _call(
        self,
        service: TwinService,
        said: tuple[ChatMessage, ...],
        timeout_s: float,
        tokens_max: int,
        *,
        temperature: float = TEMPERATURE,
        as_json: bool = True,
    ) -> CallOutcome:
        answer = await self._ask(
            ChatRequest(
                url=address_of(service.url),
                key=self._environ.get(service.key_env, ""),
                model=service.model,
                messages=said,
                temperature=temperature,
                tokens_max=tokens_max,
                timeout_s=timeout_s,
                answer_bytes_max=ANSWER_BYTES_MAX,
                as_json=as_json,
                dialect=self._dialects.get(_mark(service)) or ChatDialect(),
            )
        )
        if not answer.wrong:
            self._dialects[_mark(service)] = answer.dialect
        wrong, lasting = _in_words(answer, service, timeout_s)
        return CallOutcome(
            body=answer.body,
            wrong=wrong.text,
            wrong_worded=wrong.worded,
            lasting=lasting,
            may_cost=answer.wrong in WORKED_ON,
        )

    def _note(self, service: TwinService, heard: CallOutcome, reading: ReadAnswer, overcharge: str) -> None:
        """Remember how it was: one that gave nothing that can be used has failed as well."""
        useless = "; ".join(reading.wrong) if not reading.guesses else ""
        wrong = heard.wrong or overcharge or useless
        self._settle(service, wrong, heard.wrong_worded, lasting=heard.lasting or bool(overcharge))
        note = "; ".join(reading.wrong) if reading.guesses else ""
        self._states[_mark(service)] = replace(self._state(service), note=note)

    def _settle(self, service: TwinService, wrong: str, worded: Worded | None, *, lasting: bool) -> None:
        state, now = self._state(service), self._now()
        breaker = failed(state.breaker, now, lasting=lasting) if wrong else went_well(state.breaker)
        self._states[_mark(service)] = ServiceState(breaker=breaker, wrong=wrong, wrong_worded=worded, asked_at=now)
        if wrong:
            log.warning("the model %s: %s", service.name, wrong)

    def _trouble(self, service: TwinService) -> Wording:
        state = self._state(service)
        why = as_worded(state.wrong, state.wrong_worded) if state.wrong else say("there was no time left for it")
        return not_used(service.name, why)

    def _part(self, service: TwinService) -> HealthPart:
        state, name = self._state(service), f"model {service.name}"
        if state.asked_at is None:
            return HealthPart(name=name, status="unknown", detail="not asked yet: `pulse twin test` tries it")
        until = open_until(state.breaker)
        if not state.wrong:
            detail = f"{service.model}; {state.note}" if state.note else service.model
            return HealthPart(name=name, status="ok", detail=detail, since=state.asked_at)
        rest = f"; asked again from {until:%H:%M} UTC on" if until else ""
        detail = f"{state.wrong}{rest}; `pulse twin test` tries it"
        return HealthPart(name=name, status="degraded", detail=detail, since=state.asked_at)

    def _state(self, service: TwinService) -> ServiceState:
        return self._states.get(_mark(service)) or ServiceState()


def _mark(service: TwinService) -> str:
    """Return what a service is known by: another address or model starts from zero."""
    return f"{service.name}\n{service.url}\n{service.model}\n{service.key_env}"


def _price(
    service: TwinService,
    said: tuple[ChatMessage, ...],
    heard: CallOutcome,
    tokens: tuple[int, int] | None,
    tokens_max: int = TWIN_OUTPUT_TOKENS_MAX,
) -> tuple[int, str]:
    """Return what a call costs, and what is wrong with that.

    What the service counts is booked, up to `OVERCHARGE_MAX` times what was asked for; where it tells no count but may
    have worked on it, what was asked for.
    """
    asked_for = service.price_microusd(sum(len(each.content.encode()) for each in said), tokens_max)
    if tokens is None:
        return (asked_for if heard.may_cost else 0), ""
    price = service.price_microusd(*tokens)
    most = OVERCHARGE_MAX * asked_for
    if price <= most:
        return price, ""
    counted = f"it counts ${price / USD:.2f} for a question of about ${asked_for / USD:.4f}"
    return most, f"{counted}; no more than {OVERCHARGE_MAX} times that is booked"


def _in_words(answer: ChatAnswer, service: TwinService, timeout_s: float) -> tuple[Wording, bool]:
    """Say what is wrong, and whether it will stay so until somebody mends it."""
    match answer.wrong:
        case "":
            return Wording(), False
        case "timeout":
            return say("it did not answer in time ({time})", time=f"{timeout_s:.3g} s"), False
        case "unreachable":
            return say("it cannot be reached"), False
        case "too-large":
            return say("its answer was larger than {number} bytes", number=ANSWER_BYTES_MAX), False
        case "bad-key":
            key = service.key_env
            return say("the key in {key} cannot be sent: it holds something other than plain characters", key=key), True
        case "bad-address":
            return say("its address is not valid"), True
        case "status":
            return _of_status(answer.status, service)


def _of_status(status: int, service: TwinService) -> tuple[Wording, bool]:
    if status in REFUSED_KEY:
        return say("it does not accept the key in {key} ({status})", key=service.key_env, status=status), True
    if status == NO_SUCH:
        return say("there is no {model} at that address ({status})", model=service.model, status=status), True
    if status == SLOW_DOWN:
        return say("it is rate-limiting requests ({status})", status=status), False
    return say("it answered with status {status}", status=status), status < SERVER_ERROR


def _by_confidence(guess: Guess) -> float:
    return 0.0 if guess.confidence is None else -guess.confidence
