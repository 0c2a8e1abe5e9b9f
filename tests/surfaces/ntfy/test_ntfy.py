"""What a topic is told, who may read along, and that only names that we gave out say anything."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from hub.contract.api import Prediction
from hub.contract.envelope import Envelope, encode
from hub.contract.events import PredictionExpired, PredictionNew
from hub.contract.surface import CardDelivery, DeliveredCard, Privacy
from hub.contract.topics import DeviceAddress, deliver
from hub.contract.words import DeliveryState, HumanInput, Risk, Source, Verb
from hub.kit.gateway.carrier import Outside
from hub.kit.gateway.outcome import Accepted, Misconfigured, RetryLater, TooLarge, Undeliverable
from hub.kit.mqtt.device import Heard
from hub.kit.offered_answers import OfferedAnswers
from hub.kit.phrase_files import phrases
from hub.kit.trouble import ServiceTrouble
from surfaces.ntfy.app import told_by
from surfaces.ntfy.errors import BadNtfyConfigError
from surfaces.ntfy.render import MESSAGE_BYTES_MAX, NtfyPush, Replies, render
from surfaces.ntfy.server import Ntfy, outcome_of, read_reply
from surfaces.ntfy.settings import NTFY, REPLY_TOPIC, TOPIC, Config
from surfaces.ntfy.surface import TEXT_BYTES_MAX, NtfySurface
from tests.surfaces.homeassistant.test_homeassistant_surface import QUESTION, Link
from tests.surfaces.ntfy.ntfy_server import NtfyServer, ntfy_server
from tests.surfaces.shown import NOW, TOKEN, delivery, long_command, prediction, question

HERE = DeviceAddress(surface="ntfy", device="phone")
MINE, REPLIES = "pulse_" + "a" * 40, "pulse_" + "b" * 40
WAIT_S_MAX = 20.0


def shown(one: CardDelivery, seen: Privacy = "full", bytes_max: int = TEXT_BYTES_MAX, page: str = "") -> NtfyPush:
    replies = Replies(url="https://ntfy.example", topic=REPLIES)
    offers = OfferedAnswers(b"k" * 32)
    push = render(one, offers, phrases(), HERE, replies=replies, seen=seen, bytes_max=bytes_max, page=page)
    assert push is not None
    return push


def labels(push: NtfyPush) -> list[str]:
    return [one["label"] for one in push.body.get("actions", [])]


def test_an_open_topic_is_told_nothing_of_a_card_and_can_answer_nothing() -> None:
    for one in (delivery(), delivery(PredictionNew(prediction=long_command()))):
        push = shown(one, "nothing")
        said = json.dumps(push.body)
        assert (push.body["message"], labels(push)) == ("Pulse needs your attention", [])
        assert not [word for word in ("Run", "rm", "echo", REPLIES, TOKEN) if word in said]
    assert labels(shown(delivery(), "title")) == ["Dismiss"]


def test_a_topic_of_ones_own_has_the_text_and_buttons_that_name_no_card_and_hold_no_token() -> None:
    push = shown(delivery())
    assert (push.body["message"], labels(push), push.body["priority"]) == ("Run the tests", ["Approve", "Dismiss"], 4)
    assert not [word for word in (TOKEN, "h" * 64) if word in json.dumps(push.body)]
    names = [one["body"] for one in push.body["actions"]]
    assert len(set(names)) == 2
    assert shown(delivery()).body == push.body, "the same card shown again has the same names"


NO_YES = (Verb.REJECT, Verb.SNOOZE)


def test_what_is_approved_elsewhere_says_so_and_leads_there() -> None:
    one = replace(delivery(), verbs=NO_YES)
    push = shown(one, page="https://pulse.example")
    assert push.body["message"] == "Run the tests\nApprove in Pulse"
    assert (labels(push), push.body["click"]) == (["Dismiss"], "https://pulse.example/#card=card_1")
    assert "click" not in shown(one).body, "where no phone reaches the page there is nowhere to lead"
    assert "click" not in shown(delivery(), page="https://pulse.example").body
    assert "Approve in Pulse" not in json.dumps(shown(delivery()).body)
    seen: Privacy
    for seen in ("nothing", "title"):
        said = json.dumps(shown(one, seen, page="https://pulse.example").body)
        assert "pulse.example" not in said, "an open topic is not told where the page is"


def test_a_question_that_is_answered_elsewhere_says_so_once() -> None:
    one = replace(delivery(PredictionNew(prediction=question("Red", "Blue"))), verbs=NO_YES)
    said = shown(one).body["message"]
    assert said == "Which colour? (Red / Blue)\nAnswer it on the page or in `pulse watch`"


def test_where_it_is_approved_stays_whole_below_a_text_that_is_cut() -> None:
    push = shown(replace(delivery(PredictionNew(prediction=long_command())), verbs=NO_YES), bytes_max=400)
    assert push.body["message"].endswith("\nApprove in Pulse")
    assert len(push.body["message"].encode()) <= 400


def test_the_largest_message_is_within_what_the_server_takes() -> None:
    card = replace(long_command(), prompt="ü" * 9_000, risk=Risk.LOW)
    push = shown(delivery(PredictionNew(prediction=card)))
    assert len(json.dumps({**push.body, "topic": MINE}, ensure_ascii=False).encode()) < MESSAGE_BYTES_MAX
    assert labels(push) == ["Dismiss"], "nobody approves what they could not read"


def test_a_question_has_its_first_choices_and_a_no() -> None:
    asked = prediction("Which?", source=Source.ASK, permission=QUESTION)
    assert labels(shown(delivery(PredictionNew(prediction=asked)))) == ["a", "b", "Dismiss"]


def test_each_choice_of_a_question_says_what_it_means() -> None:
    asked = question("Red", "Blue")
    permission = asked.permission
    assert permission is not None
    (one,) = permission.questions
    told = tuple(replace(choice, description=f"Paints it {choice.label.lower()}.") for choice in one.choices)
    card = replace(asked, permission=replace(permission, questions=(replace(one, choices=told),)))
    push = shown(delivery(PredictionNew(prediction=card)))
    assert push.body["message"] == "Which colour?\n1. Red: Paints it red.\n2. Blue: Paints it blue."
    assert labels(push) == ["Red", "Blue", "Dismiss"]


def test_a_question_that_its_buttons_do_not_answer_says_where_it_is_answered() -> None:
    def told(card: Prediction) -> str:
        return str(shown(delivery(PredictionNew(prediction=card))).body["message"])

    assert told(question("Red", "Blue")) == "Which colour? (Red / Blue)"
    assert told(question("Red", "Blue", "Green")).endswith("All answers are on the page and in `pulse watch`")
    assert told(question("Red", count=2)).endswith("Answer it on the page or in `pulse watch`")
    assert told(question()).endswith("Answer it on the page or in `pulse watch`")
    assert shown(delivery(PredictionNew(prediction=question())), "title").body["message"] == "Question: coder"


def test_choices_that_look_alike_on_their_buttons_have_none() -> None:
    alike = question(*(f"Delete the old backups and keep those of {year}" for year in (2024, 2025)), own_words=False)
    push = shown(delivery(PredictionNew(prediction=alike)))
    assert labels(push) == ["Dismiss"]
    assert push.body["message"].endswith("Answer it on the page or in `pulse watch`")


def test_what_is_over_is_taken_away() -> None:
    push = shown(delivery(PredictionExpired(card_id="card_1")))
    assert (push.clears, push.sequence) == (True, "pulse-card_1")


@pytest.mark.parametrize(
    "line", [b"", b"{", b"[]\n", b"\xff\n", b'{"event": 1}', b'{"event": "message", "message": "%s"}' % (b"a" * 33)]
)
def test_what_is_no_answer_is_let_go(line: bytes) -> None:
    assert read_reply(line) is None


def test_what_the_server_says_to_a_message() -> None:
    assert outcome_of(200, "", clears=False) == Accepted()
    assert isinstance(outcome_of(404, "", clears=True), Accepted)
    assert isinstance(outcome_of(404, "", clears=False), Undeliverable)
    assert isinstance(outcome_of(403, "", clears=False), Misconfigured)
    assert outcome_of(413, "", clears=False) == TooLarge()
    assert outcome_of(429, "7", clears=False) == RetryLater(why="The ntfy server said 429", after_s=7.0)


def test_topics_that_can_be_guessed_and_servers_on_the_way_to_which_others_read_are_refused() -> None:
    config = json.dumps({"server": "https://ntfy.example"})
    good = {"PULSE_NTFY_CONFIG": config, "PULSE_NTFY_STATE": "/nowhere", TOPIC: MINE, REPLY_TOPIC: REPLIES}
    assert told_by(good).topic == MINE
    assert MINE not in repr(told_by(good))
    for wrong in ({TOPIC: "pulse"}, {REPLY_TOPIC: MINE}, {TOPIC: f"{MINE}/x"}, {TOPIC: ""}):
        with pytest.raises(BadNtfyConfigError):
            told_by({**good, **wrong})
    assert len(NTFY.lines(Config(server="http://ntfy.example"))) == 1
    assert NTFY.lines(Config(server="http://127.0.0.1:8080")) == ()


class Stage:
    """A surface at a server; `link` is the hub's end."""

    def __init__(self, server: NtfyServer) -> None:
        self.link = Link()
        outside = Outside(tell=lambda *_: None, fail=lambda _: None, clock=lambda: NOW, draw=lambda: 0.0)
        ntfy = Ntfy(server.url, topic=MINE, reply_topic=REPLIES, token="t", draw=lambda: 0.0)
        config = Config(server=server.url)
        self.troubles: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self.surface = NtfySurface(HERE, self.link, None, outside, config=config, server=ntfy, reply_topic=REPLIES)
        self.surface.trouble = ServiceTrouble("", lambda why, fix="": self.troubles.put_nowait((why, fix)))

    def tell(self, one: CardDelivery) -> None:
        envelope = Envelope(id="e", source="pulse/hub", type="deliver", time=NOW, data=DeliveredCard(card=one))
        self.surface.take(Heard(topic=deliver("me", HERE), payload=encode(envelope)))


@contextlib.asynccontextmanager
async def at(server: NtfyServer) -> AsyncIterator[Stage]:
    stage = Stage(server)
    listening = asyncio.create_task(stage.surface.listen())
    try:
        async with asyncio.timeout(WAIT_S_MAX):
            yield stage
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await stage.surface.close()


@pytest.mark.slow
async def test_only_what_was_offered_answers_whatever_else_is_written_there() -> None:
    async with ntfy_server() as server, at(server) as stage:
        stage.tell(delivery())
        card = await server.published.get()
        assert (card["topic"], card["message"]) == (MINE, "Run the tests")
        for noise in ("", "approve card_1", "a" * 32, "\x01" * MESSAGE_BYTES_MAX, json.dumps({"verb": "approve"})):
            await server.say(REPLIES, noise)
        await server.press(card, "Dismiss")
        await stage.link.answered.wait()
        assert [(one.verb, one.human_input) for one in stage.link.decisions] == [(Verb.REJECT, HumanInput.TAP)]


@pytest.mark.slow
async def test_where_strangers_may_read_nothing_is_told_before_that_is_known() -> None:
    async with ntfy_server() as server:
        server.is_open = True
        async with at(server) as stage:
            stage.tell(delivery())
            card = await server.published.get()
    assert (card["message"], "actions" in card) == ("Pulse needs your attention", False)


@pytest.mark.slow
async def test_a_server_that_is_away_or_lets_nobody_read_is_said_to_be() -> None:
    async with ntfy_server() as server:
        server.refuses_readers = 401
        async with at(server) as stage:
            why, fix = await stage.troubles.get()
            assert why == "The ntfy server does not allow reading the reply topic (status 401)"
            assert "pulse ntfy setup" in fix
            server.refuses_readers = 0
            assert (await stage.troubles.get())[0] == ""
            await server.stop()
            why, fix = await stage.troubles.get()
            assert why.startswith("The ntfy server ")
            assert "reachable from here" in fix


@pytest.mark.slow
async def test_a_topic_that_takes_no_message_of_ours_is_named_with_the_delivery() -> None:
    async with ntfy_server() as server, at(server) as stage:
        server.refuses = 403
        stage.tell(delivery())
        receipt = await stage.link.receipts.get()
        assert (receipt.state, receipt.trouble) == (
            DeliveryState.UNKNOWN,
            "The ntfy server does not allow writing to the topic (status 403)",
        )
        assert "pulse ntfy setup" in receipt.fix
