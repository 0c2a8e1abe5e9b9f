"""What a phone, the entities and a voice are told, and which words from Home Assistant count."""

import asyncio
import json

import pytest
from msgspec.structs import replace

from hub.contract.envelope import Envelope, encode
from hub.contract.events import PredictionExpired, PredictionNew, PredictionSettled
from hub.contract.permission import Act, AgentQuestion, Permission, QuestionChoice
from hub.contract.surface import CardDelivery, Decision, DeliveredCard, Receipt
from hub.contract.topics import DeviceAddress, deliver
from hub.contract.words import HumanInput, Risk, Source, Status, Verb
from hub.kit.gateway.carrier import Outside
from hub.kit.mqtt.device import Heard
from hub.kit.offered_answers import OfferedAnswers
from hub.kit.phrase_files import phrases
from surfaces.homeassistant.entities import Published, discovery, reply_offer, states
from surfaces.homeassistant.render import ACTION, ACTIONS_MAX, PhonePush, render
from surfaces.homeassistant.settings import HOMEASSISTANT, Config
from surfaces.homeassistant.surface import HomeSurface
from surfaces.homeassistant.voice import confirming, spoken
from tests.surfaces.shown import NOW, delivery, long_command, prediction, settlement

HERE = DeviceAddress(surface="homeassistant", device="home")
OWNER = "a" * 32
PLAIN = Config(url="http://ha.example:8123", phone="mobile_app_anna", user_id=OWNER)
QUESTION = Permission(
    agent="codex",
    tool="ask",
    act=Act.QUESTION,
    questions=(AgentQuestion(id="q", text="Which?", choices=tuple(QuestionChoice(label=one) for one in "abc")),),
)


class Link:
    """The hub's end."""

    def __init__(self) -> None:
        self.decisions: list[Decision] = []
        self.answered = asyncio.Event()
        self.receipts: asyncio.Queue[Receipt] = asyncio.Queue()

    def is_new(self, event_id: str) -> bool:
        return bool(event_id)

    def send_receipt(self, receipt: Receipt) -> None:
        self.receipts.put_nowait(receipt)

    def send_decision(self, decision: Decision, *, again: bool = False) -> bool:
        assert again
        self.decisions.append(decision)
        self.answered.set()
        return True


def surface(config: Config = PLAIN) -> tuple[HomeSurface, Link]:
    link = Link()
    outside = Outside(tell=lambda *_: None, fail=lambda _: None, clock=lambda: NOW, draw=lambda: 0.0)
    return HomeSurface(HERE, link, None, outside, config), link


def shown(one: CardDelivery, bytes_max: int = 2_800, page: str = "") -> PhonePush:
    push = render(one, OfferedAnswers(b"k" * 32), phrases(), HERE, bytes_max, page=page)
    assert push is not None
    return push


def test_what_is_approved_elsewhere_says_so_and_leads_there() -> None:
    one = replace(delivery(), verbs=(Verb.REJECT, Verb.SNOOZE))
    push = shown(one, page="https://pulse.example")
    assert push.message == "Run the tests\nApprove in Pulse"
    leads = "https://pulse.example/#card=card_1"
    assert (push.data["url"], push.data["clickAction"]) == (leads, leads)
    assert "url" not in shown(one).data
    assert spoken(one, OfferedAnswers(b"k" * 32), phrases()) is None


def pressed(action: str, user: object = OWNER, **more: object) -> dict[str, object]:
    return {"data": {"action": action, **more}, "context": {"user_id": user}}


def told(home: HomeSurface, one: CardDelivery) -> None:
    envelope = Envelope(id="e", source="pulse/hub", type="deliver", time=NOW, data=DeliveredCard(card=one))
    home.take(Heard(topic=deliver("me", HERE), payload=encode(envelope)))


def test_a_card_has_buttons_by_opaque_names_and_an_unlocked_phone_for_what_is_risky() -> None:
    push = shown(delivery())
    assert (push.title, push.message) == ("Suggestion: code", "Run the tests")
    actions = push.data["actions"]
    assert [(one["title"], one["authenticationRequired"]) for one in actions] == [
        ("Approve", False),
        ("Dismiss", False),
    ]
    assert all(one["action"].startswith(ACTION) and "card_1" not in one["action"] for one in actions)
    risky = shown(delivery(PredictionNew(prediction=prediction(risk=Risk.MEDIUM))))
    assert [one["authenticationRequired"] for one in risky.data["actions"]] == [True, False]


def test_what_is_cut_or_hidden_is_not_approved_there() -> None:
    long = shown(delivery(PredictionNew(prediction=long_command())), 600)
    assert [one["title"] for one in long.data["actions"]] == ["Dismiss"]
    assert "rm -rf ~/photos" in long.message
    hidden = shown(delivery(privacy="nothing"))
    assert (hidden.data["actions"], "tests" in json.dumps([hidden.title, hidden.message])) == ([], False)


def test_an_agents_question_is_answered_by_its_choices_or_in_ones_own_words() -> None:
    asked = prediction("Which?", source=Source.ASK, permission=QUESTION)
    push = shown(delivery(PredictionNew(prediction=asked)))
    assert [one["title"] for one in push.data["actions"]] == ["a", "b", "c", "Your own answer", "Dismiss"]
    assert push.data["actions"][3]["behavior"] == "textInput"
    assert len(push.data["actions"]) <= ACTIONS_MAX
    several = replace(QUESTION, questions=(*QUESTION.questions, replace(QUESTION.questions[0], id="r")))
    push = shown(delivery(PredictionNew(prediction=replace(asked, permission=several))))
    assert [one["title"] for one in push.data["actions"]] == ["Dismiss"], "a plain yes would answer none of them"


def test_what_is_over_is_taken_off_the_phone() -> None:
    answered = prediction(source=Source.ASK, status=Status.CONFIRMED, settled=settlement())
    for event in (PredictionExpired(card_id="card_1"), PredictionSettled(prediction=answered)):
        push = shown(delivery(event))
        assert (push.message, push.data) == ("clear_notification", {"tag": "pulse-card_1"})


async def test_only_the_person_may_press_and_only_what_was_offered() -> None:
    home, link = surface()
    name = home.offers.offer(delivery(), prediction(), Verb.APPROVE)
    for event in (
        pressed(ACTION + name, "b" * 32),
        pressed(ACTION + name, None),
        pressed(name),
        pressed(ACTION + "a" * 32),
        {"data": {"action": ACTION + name}},
        {"data": [], "context": {"user_id": OWNER}},
    ):
        home.hear_action(event)
    assert link.decisions == []
    home.hear_action(pressed(ACTION + name))
    assert [(one.verb, one.human_input) for one in link.decisions] == [(Verb.APPROVE, HumanInput.TAP)]
    await home.close()


async def test_nobodys_button_counts_before_it_is_known_whose_token_it_is() -> None:
    home, link = surface(replace(PLAIN, user_id=""))
    home.hear_action(pressed(ACTION + home.offers.offer(delivery(), prediction(), Verb.APPROVE), ""))
    assert link.decisions == []
    await home.close()


async def published(*, trusted: bool, one: CardDelivery) -> tuple[HomeSurface, Published]:
    home, _ = surface(replace(PLAIN, phone=""))
    told(home, one)
    await home.close()
    return home, Published(node="pulse_1", title="Pulse", waiting=home.waiting, trusted=trusted)


@pytest.mark.parametrize("trusted", [False, True])
async def test_a_broker_that_is_not_trusted_learns_no_text_and_can_only_make_more_careful(*, trusted: bool) -> None:
    careful = {Verb.REJECT, Verb.SNOOZE, Verb.LESS, Verb.NEVER}
    home, said = await published(trusted=trusted, one=delivery(verbs=(Verb.APPROVE, Verb.EDIT, *careful)))
    found = json.loads(discovery(said, home.offers, home.words).payload)
    parts = found["cmps"]
    everything = str(found) + str([one.payload for one in states(said, home.words, HERE)])
    assert ("approve" in parts, "reply" in parts, "Run the tests" in everything) == (trusted,) * 3
    assert {one["p"] for one in parts.values()} >= {"sensor", "button", "select", "event", "notify"}
    offered = {home.offers.find(one["pl_prs"]).verb for one in parts.values() if "pl_prs" in one}  # type: ignore[union-attr]  # each is one
    assert offered == careful | ({Verb.APPROVE} if trusted else set())
    assert bool(reply_offer(said, home.offers)) is trusted


async def test_what_is_not_to_be_approved_there_has_no_button_on_a_dashboard() -> None:
    home, said = await published(trusted=True, one=delivery(verbs=(Verb.REJECT,)))
    assert json.loads(discovery(said, home.offers, home.words).payload)["cmps"]["approve"]["pl_prs"] == "nothing"


def test_a_voice_asks_what_it_can_say_whole_and_wants_a_second_word_for_more_than_low_risk() -> None:
    offers, words = OfferedAnswers(b"k" * 32), phrases()
    low = spoken(delivery(), offers, words)
    assert low is not None
    assert (low.text, low.wants_confirmation) == ("code: Run the tests", False)
    medium = spoken(delivery(PredictionNew(prediction=prediction(risk=Risk.MEDIUM))), offers, words)
    assert medium is not None
    again = confirming(medium, words)
    assert (again.answers[0]["sentences"], again.answers[0]["id"]) == (["confirm"], medium.answers[0]["id"])
    for silent in (
        delivery(loudness="silent"),
        delivery(privacy="title"),
        delivery(verbs=(Verb.REJECT,)),
        delivery(PredictionNew(prediction=long_command())),
        delivery(PredictionNew(prediction=prediction(permission=QUESTION))),
    ):
        assert spoken(silent, offers, words) is None


def test_mistakes_in_the_settings_are_named() -> None:
    assert HOMEASSISTANT.lines(Config()) == ()
    assert len(HOMEASSISTANT.lines(Config(phone="mobile_app_a"))) == 1
    assert len(HOMEASSISTANT.lines(replace(PLAIN, satellite="assist_satellite.kitchen", broker_user="p"))) == 2
