"""What is pushed: whole JSON within its budget, never a torn token or character, nothing that others may not see."""

import json
from datetime import timedelta
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.alone import AwaySummary
from hub.contract.api import Prediction
from hub.contract.events import (
    AnyEvent,
    CostApproaching,
    DigestReady,
    ExecutionFailed,
    ExecutionProgress,
    ExecutionStarted,
    Paused,
    PredictionExecuted,
    PredictionExpired,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    PredictionSnoozed,
    Resumed,
    StatusChanged,
    type_of,
)
from hub.contract.surface import CardDelivery, Loudness
from hub.contract.words import Risk, Source, Status, Verb
from hub.kit.gateway.parcel import subject_of
from hub.kit.phrase_files import all_phrases
from hub.kit.phrasebook import in_language
from surfaces.web.render import PLAIN_BYTES_MAX, Push, Reader, render, topic_of
from tests.surfaces.shown import (
    NOW,
    TOKEN,
    delivery,
    hubs_own_question,
    long_command,
    prediction,
    question,
    settlement,
    status,
)

WORDS = all_phrases()
ORIGIN = "https://pulse.example.org"
READER = Reader(origin=ORIGIN, words=WORDS["en"], pending=3)
AWAY = AwaySummary(says="…", since=NOW - timedelta(hours=2), until=NOW, alone=1, rejected=2)
DONE = prediction(status=Status.EXECUTED, settled=settlement())
EVENTS: dict[str, AnyEvent] = {
    "new": PredictionNew(prediction=prediction()),
    "risky": PredictionNew(prediction=prediction(risk=Risk.HIGH)),
    "ask": PredictionNew(prediction=prediction(source=Source.ASK)),
    "returned": PredictionReturned(prediction=prediction(), reason="snooze"),
    "settled": PredictionSettled(prediction=prediction(status=Status.CONFIRMED, settled=settlement())),
    "withdrawn": PredictionSettled(prediction=prediction(status=Status.CANCELLED)),
    "snoozed": PredictionSnoozed(prediction=prediction()),
    "expired": PredictionExpired(card_id="card_1"),
    "executed": PredictionExecuted(card_id="card_1", task_id="t", result="All 12 passed", prediction=DONE),
    "alone": ExecutionStarted(prediction=prediction(status=Status.CONFIRMED), execution_id="x", autonomous=True),
    "started": ExecutionStarted(prediction=prediction(status=Status.CONFIRMED), execution_id="x", autonomous=False),
    "failed": ExecutionFailed(
        card_id="card_1", execution_id="x", kind="timeout", error="10 min", prediction=prediction()
    ),
    "cost": CostApproaching(window="hour", spent_usd=0.8, cap_usd=1.0),
    "paused": Paused(reason="Three failures"),
    "resumed": Resumed(),
    "digest": DigestReady(digest_id="dg_1", cards=(prediction(), prediction("Push it", card_id="card_2")), more=1),
    "meanwhile": DigestReady(digest_id="dg_2", away=AWAY),
}
SILENT: dict[str, AnyEvent] = {
    "status": StatusChanged(status=status()),
    "progress": ExecutionProgress(card_id="card_1", execution_id="x", number=1, line="…"),
}
TITLES = {
    "new": ("Suggestion: code", "Vorschlag: code"),
    "risky": ("Risky suggestion: code", "Riskanter Vorschlag: code"),
    "ask": ("Question: coder", "Frage: coder"),
    "settled": ("Approved in the terminal: code", "Genehmigt im Terminal: code"),
    "withdrawn": ("Withdrawn: code", "Zurückgezogen: code"),
    "expired": ("Expired; nothing was run", "Abgelaufen; nichts wurde ausgeführt"),
    "failed": ("Timed out: code", "Dauerte zu lange: code"),
    "digest": ("3 things are waiting for you", "3 Dinge warten auf dich"),
    "meanwhile": ("While you were away", "Während du weg warst"),
    "cost": ("This hour's budget is almost used up", "Das Budget für diese Stunde ist fast aufgebraucht"),
}


def pushed(card: CardDelivery, reader: Reader = READER, bytes_max: int = PLAIN_BYTES_MAX) -> Push:
    push = render(card, reader, at=NOW, now=NOW, bytes_max=bytes_max)
    assert push is not None
    return push


def read(push: Push) -> Any:  # noqa: ANN401  JSON
    return json.loads(push.body)


def test_the_whole_form() -> None:
    assert read(pushed(delivery())) == {
        "web_push": 8030,
        "mutable": True,
        "app_badge": 3,
        "notification": {
            "title": "Suggestion: code",
            "body": "Run the tests",
            "lang": "en",
            "dir": "auto",
            "silent": False,
            "tag": "card_1",
            "navigate": f"{ORIGIN}/#card=card_1",
            "app_badge": 3,
            "data": {
                "deliveryId": "dlv_1",
                "event": "prediction.new",
                "cardId": "card_1",
                "cardHash": "h" * 64,
                "token": TOKEN,
                "verbs": ["approve", "reject"],
                "risk": "low",
                "loudness": "notify",
                "expiresAt": "2026-03-02T10:30:00Z",
                "at": "2026-03-02T10:00:00Z",
                "lang": "en",
            },
        },
    }


@pytest.mark.parametrize("name", EVENTS)
@pytest.mark.parametrize("lang", WORDS)
def test_every_event_has_its_words(name: str, lang: str) -> None:
    card = delivery(EVENTS[name])
    note = read(pushed(card, replace(READER, words=WORDS[lang])))["notification"]
    assert note["title"]
    assert "{" not in note["title"]
    assert note["title"] not in WORDS[lang].texts, "a name without its sentence"
    assert note["data"]["event"] == type_of(EVENTS[name])
    assert note["tag"] == subject_of(card.event)


@pytest.mark.parametrize("name", TITLES)
def test_titles_in_both_languages(name: str) -> None:
    titles = tuple(
        read(pushed(delivery(EVENTS[name]), replace(READER, words=WORDS[lang])))["notification"]["title"]
        for lang in ("en", "de")
    )
    assert titles == TITLES[name]


@pytest.mark.parametrize("verb", Verb)
@pytest.mark.parametrize("lang", WORDS)
def test_an_answer_says_where_it_was_given(verb: Verb, lang: str) -> None:
    def title(surface: str, device: str) -> str:
        where = replace(settlement(verb), surface=surface, device=device)
        card = PredictionSettled(prediction=prediction(status=Status.REJECTED, settled=where))
        reader = replace(READER, words=WORDS[lang], device="5c990b")
        return str(read(pushed(delivery(card), reader))["notification"]["title"])

    assert WORDS[lang].say("surface.terminal") in title("terminal", "desk")
    assert "lamp" in title("lamp", "desk")
    assert "browser" in title("browser", "77aa00").casefold()
    assert "77aa00" not in title("browser", "77aa00")
    assert "browser" not in title("browser", "5c990b").casefold()
    assert "_" not in title("browser", "5c990b") + title("terminal", "desk")


def test_every_kind_of_event_is_in_this_table() -> None:
    assert {type(event) for event in (EVENTS | SILENT).values()} == set(get_args(AnyEvent))


def test_a_digest_lists_what_waits_and_opens_the_page_where_each_is_answered() -> None:
    note = read(pushed(delivery(EVENTS["digest"], token="", verbs=())))["notification"]
    assert note["body"].split("\n") == ["1. Run the tests", "2. Push it", "and one more"]
    assert (note["navigate"], note["tag"], note["data"]["verbs"]) == (f"{ORIGIN}/", "digest", [])


@pytest.mark.parametrize("name", SILENT)
def test_what_is_not_worth_a_notification_makes_none(name: str) -> None:
    assert render(delivery(SILENT[name]), READER, at=NOW, now=NOW, bytes_max=PLAIN_BYTES_MAX) is None


@pytest.mark.parametrize(("lang", "spent"), [("en", "$0.80 of $1.00 spent"), ("de", "0,80 $ von 1,00 $ ausgegeben")])
def test_amounts_are_written_as_the_language_does(lang: str, spent: str) -> None:
    assert read(pushed(delivery(EVENTS["cost"]), replace(READER, words=WORDS[lang])))["notification"]["body"] == spent


@pytest.mark.parametrize(("tag", "lang"), [("de", "de"), ("de-AT", "de"), ("DE", "de"), ("fr", "en"), ("en-GB", "en")])
def test_a_language_that_we_do_not_have_is_english(tag: str, lang: str) -> None:
    assert in_language(tag, WORDS).language == lang


@pytest.mark.parametrize(
    ("loudness", "event", "urgency", "silent"),
    [
        ("alert", "failed", "high", False),
        ("notify", "new", "high", False),
        ("notify", "returned", "high", False),
        ("notify", "executed", "normal", False),
        ("badge", "new", "low", True),
        ("silent", "settled", "low", True),
    ],
)
def test_loudness(loudness: Loudness, event: str, urgency: str, silent: bool) -> None:  # noqa: FBT001  a table
    push = pushed(delivery(EVENTS[event], loudness=loudness))
    assert push.urgency == urgency
    assert read(push)["notification"]["silent"] is silent


def test_it_lives_as_long_as_the_card_and_a_month_at_most() -> None:
    assert pushed(delivery()).ttl_s == 1800
    assert pushed(delivery(expires_at=NOW + timedelta(days=99))).ttl_s == 2_592_000
    assert pushed(delivery(expires_at=NOW + timedelta(milliseconds=300))).ttl_s == 1
    for expired in (NOW, NOW - timedelta(seconds=1)):
        assert render(delivery(expires_at=expired), READER, at=NOW, now=NOW, bytes_max=PLAIN_BYTES_MAX) is None


def test_privacy_title_shows_no_text_and_offers_no_approval() -> None:
    secret = PredictionNew(prediction=prediction("the secret text"))
    push = pushed(delivery(secret, privacy="title"))
    note = read(push)["notification"]
    assert b"secret" not in push.body
    assert (note["title"], note["body"]) == ("Suggestion: code", "")
    assert note["data"]["verbs"] == ["reject"]


@pytest.mark.parametrize(("name", "title"), [("new", "Pulse needs your attention"), ("settled", "Pulse has an update")])
def test_privacy_nothing_shows_nothing_and_offers_nothing(name: str, title: str) -> None:
    note = read(pushed(delivery(EVENTS[name], privacy="nothing")))["notification"]
    assert (note["title"], note["body"], note["data"]["verbs"], note["data"]["token"]) == (title, "", [], "")


def test_a_text_that_is_cut_cannot_be_approved() -> None:
    long = PredictionNew(prediction=prediction("rm " + "x" * 10_000))
    note = read(pushed(delivery(long)))["notification"]
    assert note["body"].endswith("…")
    assert (note["data"]["verbs"], note["data"]["token"]) == (["reject"], TOKEN)


def asking(card: Prediction, **changes: object) -> dict[str, Any]:
    """What the service worker is told of a question."""
    data: dict[str, Any] = read(pushed(delivery(PredictionNew(prediction=card), **changes)))["notification"]["data"]
    return data


def test_a_question_has_its_choices_where_two_buttons_have_room_for_them() -> None:
    data = asking(question("Red", "Blue"))
    assert data["choices"] == [{"question": "q1", "label": "Red"}, {"question": "q1", "label": "Blue"}]
    assert (data["asks"], data["verbs"], data["token"]) == (True, ["reject"], TOKEN)


def test_buttons_for_choices_of_the_hubs_own_speak_the_language_of_the_browser() -> None:
    german = replace(READER, words=WORDS["de"])
    event = PredictionNew(prediction=hubs_own_question())
    data = read(pushed(delivery(event), german))["notification"]["data"]
    assert data["choices"] == [
        {"question": "q1", "label": "Yes, it's done", "title": "Ja, es ist erledigt"},
        {"question": "q1", "label": "Not yet", "title": "Noch nicht"},
    ]


@pytest.mark.parametrize(
    "card",
    [
        question("Red", "Blue", "Green"),
        question("Red", "Blue", several=True),
        question("Red", "Blue", count=2),
        question(),
        question("R" * 2_000, "B" * 2_000),
    ],
)
def test_a_question_that_no_press_can_answer_leads_to_the_page(card: Prediction) -> None:
    data = asking(card)
    assert (data["asks"], data["verbs"], data.get("choices")) == (True, ["reject"], None)


def test_what_a_question_asks_stays_hidden_where_it_may_not_be_seen() -> None:
    card = question("Red", "Blue")
    titled, hidden = asking(card, privacy="title"), asking(card, privacy="nothing", token="")
    assert (titled["verbs"], titled.get("choices")) == (["reject"], None)
    assert (hidden["verbs"], hidden["token"], "asks" in hidden, "choices" in hidden) == ([], "", False, False)


def test_a_count_that_is_not_known_is_left_out() -> None:
    message = read(pushed(delivery(), replace(READER, pending=None)))
    assert "app_badge" not in message
    assert "app_badge" not in message["notification"]


def test_a_budget_too_small_for_the_names_makes_nothing() -> None:
    assert render(delivery(), READER, at=NOW, now=NOW, bytes_max=300) is None


TEXT = st.one_of(
    st.text(min_size=1, max_size=4_000),
    st.text("👩‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽é́e\u0301", min_size=1, max_size=4_000),
    st.text('"\\\n\t\x00\x1b\u202e\u200b', min_size=1, max_size=4_000),
    st.text("שלוםمرحبا ", min_size=1, max_size=4_000),
)


@pytest.mark.slow
@given(
    prompt=TEXT,
    channel=st.text(max_size=200),
    card_id=st.text(min_size=1, max_size=128),
    token=st.text("abcXYZ019-_.", max_size=1024),
    privacy=st.sampled_from(["full", "title", "nothing"]),
    bytes_max=st.sampled_from([3_993, 3_000, 2_000]),
    lang=st.sampled_from(["en", "de"]),
)
def test_any_text_fits_and_is_valid(**drawn: Any) -> None:  # noqa: ANN401  what hypothesis draws
    event = PredictionNew(
        prediction=prediction(drawn["prompt"], card_id=drawn["card_id"], target_channel=drawn["channel"])
    )
    card = delivery(event, token=drawn["token"], privacy=drawn["privacy"], delivery_id="d" * 128)
    reader = replace(READER, words=WORDS[drawn["lang"]])
    push = render(card, reader, at=NOW, now=NOW, bytes_max=drawn["bytes_max"])
    if push is None:  # names of 128 characters may take more than the smallest budget
        assert drawn["bytes_max"] < 3_993
        return
    assert len(push.body) <= drawn["bytes_max"]
    note = read(push)["notification"]
    data = note["data"]
    assert data["token"] in {"", drawn["token"]}
    assert bool(data["verbs"]) == bool(data["token"])
    body = note["body"]
    assert body in {"", drawn["prompt"]} or (
        body.endswith("…") and drawn["prompt"].startswith(body[:-1]) and "approve" not in data["verbs"]
    )
    assert (note["tag"], data["cardId"]) == (drawn["card_id"], drawn["card_id"])
    assert len(push.topic) == 32
    assert push.topic.replace("-", "").replace("_", "").isalnum()


def test_topics_differ_by_card_and_tell_nothing() -> None:
    assert topic_of("card_1") != topic_of("card_2")
    assert topic_of("card_1") == topic_of("card_1")
    assert "card" not in topic_of("card_1")


def test_one_topic_and_tag_for_all_that_happens_to_a_card() -> None:
    beside = {"cost", "paused", "resumed", "digest", "meanwhile"}
    about = [event for name, event in EVENTS.items() if name not in beside]
    assert {pushed(delivery(event)).topic for event in about} == {topic_of("card_1")}


def test_buttons_are_those_of_the_delivery_that_need_no_page() -> None:
    assert read(pushed(delivery(EVENTS["alone"], verbs=(Verb.STOP,))))["notification"]["data"]["verbs"] == ["stop"]
    settled = delivery(EVENTS["settled"], verbs=(Verb.UNDO,))
    assert read(pushed(settled))["notification"]["data"]["verbs"] == ["undo"]
    failed = delivery(EVENTS["failed"], verbs=(Verb.RETRY,))
    assert read(pushed(failed))["notification"]["data"]["verbs"] == ["retry"]


def test_what_failed_says_what_and_why_and_is_not_run_again_unread() -> None:
    failed = delivery(EVENTS["failed"], verbs=(Verb.RETRY,))
    event = failed.event
    assert isinstance(event, ExecutionFailed)
    note = read(pushed(failed))["notification"]
    assert note["body"] == f"{event.prediction.prompt}\n{event.error}"
    assert read(pushed(replace(failed, privacy="title")))["notification"]["data"]["verbs"] == []
    long = replace(event, error="x" * 10_000)
    assert read(pushed(replace(failed, event=long)))["notification"]["data"]["verbs"] == []


def test_of_a_command_that_is_cut_what_is_dangerous_stays_and_nobody_approves_it() -> None:
    push = pushed(delivery(PredictionNew(prediction=long_command())))
    note = read(push)["notification"]
    assert len(push.body) <= PLAIN_BYTES_MAX
    assert note["body"].startswith("echo xxx")
    assert note["body"].endswith("x… rm -rf ~/photos\n⚠️ deletes something")
    assert "approve" not in note["data"]["verbs"]
