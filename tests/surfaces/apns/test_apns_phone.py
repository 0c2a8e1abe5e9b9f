"""What a phone is sent: every event of the matrix, the categories, how loud, and how it is kept within its size."""

import json
from datetime import timedelta
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.address import ActivityToken, ApnsAddress
from hub.contract.api import Likelihood
from hub.contract.effects import Effect
from hub.contract.events import (
    AnyEvent,
    CostApproaching,
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
)
from hub.contract.surface import CardDelivery, Loudness
from hub.contract.words import AFTER_FAILURE, GRANTING, Risk, Source, Status, Verb
from surfaces.apns.activity import update_push
from surfaces.apns.category import CATEGORIES, VERSION, choose
from surfaces.apns.push import Push
from surfaces.apns.render import render_alert, render_beside
from tests.kit.test_changed import CHANGED
from tests.surfaces.apns.cards import PHONE_TOKEN, STRINGS, delivery, prediction, status, to
from tests.surfaces.apns.standin.rules import payload_faults
from tests.surfaces.shown import NOW, OPEN_VERBS, TOKEN, long_command, settlement

SETTLED = prediction(status=Status.CONFIRMED, settled=settlement())
LOCALISED = ApnsAddress(token=PHONE_TOKEN, strings=STRINGS)
RUN = ApnsAddress(
    token=PHONE_TOKEN, start_token="5a" * 32, activities=(ActivityToken(execution_id="exe_1", token="ac" * 32),)
)


def phone(card: CardDelivery, address: ApnsAddress | None = None, *, lang: str = "en", bytes_max: int = 4_096) -> Push:
    push = render_alert("phone", card, to(address, lang=lang), was_shown=True, at=NOW, now=NOW, bytes_max=bytes_max)
    assert push is not None
    assert payload_faults("alert", push.payload) == []
    assert len(push.payload) <= bytes_max
    return push


def said(push: Push) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(push.payload)
    return found


def test_a_new_card_is_the_payload_of_the_source_document() -> None:
    push = phone(delivery())
    shown = said(push)
    assert shown["aps"]["alert"] == {
        "title": "🔮 Suggestion",
        "subtitle": "Code • 72% confidence",
        "body": "Run tests on recently changed modules",
    }
    assert shown["aps"]["sound"] == "prediction.caf"
    assert shown["aps"]["badge"] == 1
    assert shown["aps"]["category"] == "CROSSPOLL_PREDICTION"
    assert shown["aps"]["thread-id"] == "crosspoll"
    assert shown["aps"]["mutable-content"] == 1
    assert shown["aps"]["interruption-level"] == "active"
    assert (shown["predictionId"], shown["targetChannel"], shown["confidence"]) == ("pred_abc123", "koji-core", 0.72)
    assert shown["actions"] == ["approve", "reject", "snooze", "edit"]
    assert shown["token"] == TOKEN
    assert (push.type, push.priority, push.collapse_id) == ("alert", 10, "pred_abc123")


def new(**of: Any) -> PredictionNew:  # noqa: ANN401  a card's fields
    return PredictionNew(prediction=prediction(**of))


def started(*, alone: bool) -> ExecutionStarted:
    return ExecutionStarted(prediction=prediction(), execution_id="exe_1", autonomous=alone)


def failed(kind: Literal["failed", "stopped", "interrupted", "timeout"], error: str) -> ExecutionFailed:
    return ExecutionFailed(card_id="p", execution_id="exe_1", kind=kind, error=error, prediction=prediction())


DONE = PredictionExecuted(card_id="p", task_id="t", result="12 passed", prediction=prediction())
WITHDRAWN = prediction(status=Status.CANCELLED)
URGENT, BELL = "time-sensitive", "prediction.caf"


@pytest.mark.parametrize(
    ("event", "loudness", "shown", "heard"),
    [
        (new(confidence=0.5), "notify", ("🔮 Suggestion", "Run"), ("active", BELL)),
        (new(confidence=0.9), "notify", ("🔮 Suggestion", "Run"), (URGENT, BELL)),
        (new(source=Source.ASK), "notify", ("🔮 Question", "Run"), ("active", BELL)),
        (new(risk=Risk.HIGH), "notify", ("🔮 Risky suggestion", "Run"), ("active", BELL)),
        (PredictionReturned(prediction=prediction(), reason=""), "notify", ("🔮 Open again", "Run"), ("active", BELL)),
        (started(alone=True), "silent", ("▶️ Running on autopilot", "Run"), ("passive", None)),
        (started(alone=False), "silent", ("▶️ Running", "Run"), ("passive", None)),
        (DONE, "notify", ("✅ Done", "Done: 12 passed"), ("active", "done.caf")),
        (failed("failed", "3 red"), "alert", ("❌ Failed", "Failed: 3 red"), (URGENT, "failed.caf")),
        (failed("timeout", "1 h"), "alert", ("❌ Timed out", "Timed out: 1 h"), (URGENT, "failed.caf")),
        (
            CostApproaching(window="day", spent_usd=4, cap_usd=5),
            "alert",
            ("💰 Today's budget is almost used up", "$4.00 of $5.00 spent"),
            (URGENT, "default"),
        ),
        (Paused(reason="3 rejections"), "notify", ("⏸ Pulse is paused", "3 rejections"), ("active", "default")),
        (Resumed(), "notify", ("▶️ Pulse is running again", ""), ("active", "default")),
        (PredictionSettled(prediction=SETTLED), "silent", ("Approved in the terminal", "Run"), ("passive", None)),
        (PredictionSettled(prediction=WITHDRAWN), "silent", ("Withdrawn", "Run"), ("passive", None)),
        (PredictionSnoozed(prediction=prediction()), "silent", ("Snoozed", "Run"), ("passive", None)),
        (PredictionExpired(card_id="pred_abc123"), "silent", ("Expired; nothing was run", ""), ("passive", None)),
    ],
)
def test_every_event_has_its_form(
    event: AnyEvent, loudness: Loudness, shown: tuple[str, str], heard: tuple[str, str | None]
) -> None:
    push = phone(delivery(event, loudness=loudness, verbs=(), token=""))
    aps = said(push)["aps"]
    assert aps["alert"]["title"] == shown[0]
    assert aps["alert"].get("body", "").startswith(shown[1])
    assert (aps["interruption-level"], aps.get("sound")) == heard
    assert push.priority == (5 if heard[0] == "passive" else 10)


def test_the_outcome_replaces_the_card() -> None:
    events: list[AnyEvent] = [
        PredictionNew(prediction=prediction()),
        PredictionSettled(prediction=SETTLED),
        PredictionExpired(card_id="pred_abc123"),
    ]
    assert {phone(delivery(event)).collapse_id for event in events} == {"pred_abc123"}


def test_what_nobody_is_to_hear_of_is_not_sent() -> None:
    assert (
        render_alert("phone", delivery(StatusChanged(status=status())), to(), was_shown=True, at=NOW, now=NOW) is None
    )
    expired = delivery(expires_at=NOW)
    assert render_alert("phone", expired, to(), was_shown=True, at=NOW, now=NOW) is None


def test_little_time_left_breaks_through() -> None:
    soon = phone(delivery(expires_at=NOW + timedelta(minutes=10)))
    assert said(soon)["aps"]["interruption-level"] == "time-sensitive"
    assert said(soon)["aps"]["relevance-score"] == 0.92


def test_an_app_with_our_strings_gets_their_keys() -> None:
    assert said(phone(delivery(DONE), LOCALISED))["aps"]["alert"] == {
        "title-loc-key": "EXECUTED",
        "subtitle-loc-key": "PLACE",
        "subtitle-loc-args": ["Code"],
        "loc-key": "EXECUTED_TOLD",
        "loc-args": ["12 passed"],
    }
    assert said(phone(delivery(), LOCALISED))["aps"]["alert"]["body"].startswith("Run tests")


def test_answers_to_the_like_are_told_in_place_of_a_per_cent() -> None:
    liked = delivery(new(likelihood=Likelihood(p=0.61, low=0.4, high=0.8, yes=7, answers=10)))
    assert said(phone(liked))["aps"]["alert"]["subtitle"] == "Code • 7 of 10 approved"
    assert said(phone(liked, lang="de"))["aps"]["alert"]["subtitle"] == "Code • 7 von 10 genehmigt"
    keyed = said(phone(liked, LOCALISED))["aps"]["alert"]
    assert (keyed["subtitle-loc-key"], keyed["subtitle-loc-args"]) == ("LIKE", ["Code", "7", "10"])


def test_other_languages_are_written_out() -> None:
    assert said(phone(delivery(), lang="de-AT"))["aps"]["alert"]["subtitle"] == "Code • 72 % sicher"


def test_a_title_gives_nothing_away_and_nothing_says_nothing() -> None:
    title = said(phone(delivery(privacy="title")))
    assert title["aps"]["alert"] == {"title": "🔮 Suggestion"}
    assert title["actions"] == ["reject", "snooze"]
    nothing = said(phone(delivery(privacy="nothing")))
    assert nothing["aps"]["alert"] == {"title": "Pulse needs your attention"}
    assert not {"actions", "token", "targetChannel", "confidence", "risk"} & set(nothing)


@pytest.mark.parametrize("risk", list(Risk))
@pytest.mark.parametrize(
    "verbs",
    [
        OPEN_VERBS,
        (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE),
        (Verb.REJECT, Verb.SNOOZE),
        (Verb.UNDO,),
        (Verb.STOP,),
        (Verb.RETRY,),
        (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.LESS),
        (Verb.REJECT, Verb.SNOOZE, Verb.LESS, Verb.NEVER),
        (Verb.RETRY, Verb.IGNORE),
        AFTER_FAILURE,
        (Verb.IGNORE,),
    ],
)
def test_the_category_offers_what_may_be_answered(risk: Risk, verbs: tuple[Verb, ...]) -> None:
    category = choose(verbs, risk)
    assert category is not None
    assert category.verbs == set(verbs)
    gentle = next((action for action in category.actions if not action.is_destructive), None)
    if risk is Risk.HIGH and gentle is not None:
        assert gentle.verb is not Verb.APPROVE
    for action in category.actions:
        assert action.needs_unlocked or not (action.verb is Verb.APPROVE and risk is Risk.HIGH)


def test_an_app_built_before_is_offered_only_what_it_registered() -> None:
    older = choose((Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.LESS), Risk.LOW, 0)
    assert older is not None
    assert older.name == "CROSSPOLL_PREDICTION_BRIEF"
    ended = delivery(failed("failed", "2 failed"), verbs=AFTER_FAILURE)
    assert said(phone(ended))["actions"] == ["retry"]
    newer = ApnsAddress(token=PHONE_TOKEN, categories=VERSION)
    assert said(phone(ended, newer))["actions"] == ["retry", "fix", "ignore"]


def test_categories_are_few_enough_for_an_app_to_register() -> None:
    assert len({category.name for category in CATEGORIES}) == len(CATEGORIES)
    assert max(len(category.actions) for category in CATEGORIES) <= 4


SCRIPTS = [
    "a" * 10_000,
    "ä" * 10_000,
    "漢字" * 5_000,
    "👩‍👩‍👧‍👦🇩🇪" * 1_000,
    "e\u0301" * 5_000,
    '"\\\n' * 3_000,
    "عربى " * 2_000,
]


@pytest.mark.parametrize("text", SCRIPTS)
@pytest.mark.parametrize("address", [None, LOCALISED])
def test_a_long_card_is_shortened_and_can_no_more_be_approved(text: str, address: ApnsAddress | None) -> None:
    push = phone(delivery(PredictionNew(prediction=prediction(text))), address)
    shown = said(push)
    body = shown["aps"]["alert"]["body"]
    assert 3_000 < len(push.payload) <= 4_096
    assert body.endswith("…")
    assert text.startswith(body[:-1].rstrip())
    assert not body[:-1].endswith("\u200d")
    assert text[len(body) - 1] not in {"\u200d", "\u0301"}
    assert shown["token"] == TOKEN
    assert shown["shortened"] is True
    assert shown["actions"] == ["reject", "snooze"]
    assert shown["aps"]["category"] == "CROSSPOLL_UNREAD"


def test_of_a_command_that_is_cut_what_is_dangerous_stays_and_nobody_approves_it() -> None:
    push = phone(delivery(PredictionNew(prediction=long_command())))
    shown = said(push)
    assert len(push.payload) <= 4_096
    assert shown["aps"]["alert"]["body"].startswith("echo xxx")
    assert shown["aps"]["alert"]["body"].endswith("x… rm -rf ~/photos\n⚠️ deletes something")
    assert "approve" not in shown["actions"]


@pytest.mark.slow
def test_the_body_goes_first_then_the_subtitle_then_what_is_optional() -> None:
    card = delivery(PredictionNew(prediction=prediction("x" * 500)))
    whole = len(phone(card).payload)
    steps = []
    for bytes_max in range(whole, whole - 700, -1):
        shown = said(phone(card, bytes_max=bytes_max))
        alert = shown["aps"]["alert"]
        here = ("shortened" in shown, "subtitle" not in alert, "targetChannel" not in shown)
        steps += [here] if here not in steps else []
        assert shown.get("token", TOKEN) == TOKEN
    assert steps[:4] == [(False, False, False), (True, False, False), (True, True, False), (True, False, True)]


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(text=st.text(min_size=1, max_size=4_000), bytes_max=st.integers(min_value=800, max_value=4_096))
def test_any_text_fits_any_size_and_keeps_the_token_whole(text: str, bytes_max: int) -> None:
    card = delivery(PredictionNew(prediction=prediction(text)))
    push = render_alert("phone", card, to(), was_shown=True, at=NOW, now=NOW, bytes_max=bytes_max)
    if push is not None:
        assert len(push.payload) <= bytes_max
        assert said(push).get("token", TOKEN) == TOKEN
        if Verb.APPROVE in said(push).get("actions", []):
            assert said(push)["aps"]["alert"]["body"] == text


def test_a_running_execution_is_a_live_activity_with_a_stop() -> None:
    push = render_beside(
        "phone", delivery(started(alone=True), verbs=(Verb.STOP,), loudness="silent"), to(RUN), now=NOW
    )
    assert push is not None
    assert payload_faults("liveactivity", push.payload) == []
    assert (push.token, push.type, push.priority) == ("5a" * 32, "liveactivity", 10)
    aps = said(push)["aps"]
    assert aps["event"] == "start"
    assert aps["attributes"]["stopToken"] == TOKEN
    assert aps["content-state"]["state"] == "running"


def test_its_progress_and_its_end_go_to_the_activity() -> None:
    line = ExecutionProgress(card_id="p", execution_id="exe_1", number=7, line="7 of 12")
    update = update_push(line, to(RUN), privacy="full", now=NOW, until=NOW + timedelta(hours=1))
    end = render_beside("phone", delivery(failed("stopped", "by you")), to(RUN), now=NOW)
    assert update is not None
    assert end is not None
    assert (update.token, update.priority, said(update)["aps"]["content-state"]["line"]) == ("ac" * 32, 5, "7 of 12")
    assert said(end)["aps"]["event"] == "end"
    assert said(end)["aps"]["content-state"]["state"] == "stopped"
    assert payload_faults("liveactivity", update.payload) == payload_faults("liveactivity", end.payload) == []
    hidden = update_push(line, to(RUN), privacy="title", now=NOW, until=NOW + timedelta(hours=1))
    assert hidden is not None
    assert said(hidden)["aps"]["content-state"]["line"] == ""


def test_a_device_without_activities_gets_none() -> None:
    assert render_beside("phone", delivery(started(alone=True)), to(), now=NOW) is None
    assert render_beside("watch", delivery(started(alone=True)), to(RUN), now=NOW) is None


def test_a_repeat_has_the_same_id_and_another_delivery_another() -> None:
    first, again, other = phone(delivery()), phone(delivery()), phone(delivery(delivery_id="dlv_2"))
    assert first.apns_id == again.apns_id != other.apns_id


def test_granting_verbs_are_those_that_start_something() -> None:
    assert {Verb.APPROVE, Verb.EDIT, Verb.RETRY} == set(GRANTING)


@pytest.mark.parametrize("surface", ["phone", "watch"])
@pytest.mark.parametrize("version", [STRINGS, 0])
def test_what_a_person_changed_is_shown_as_it_ran_beside_what_was_asked(surface: str, version: int) -> None:
    event = PredictionSettled(prediction=CHANGED)
    address = ApnsAddress(token=PHONE_TOKEN, strings=version)
    push = render_alert(
        surface, delivery(event), to(address, lang="de"), was_shown=True, at=NOW, now=NOW, bytes_max=4_096
    )
    assert push is not None
    assert said(push)["aps"]["alert"]["body"] == "Ausgeführt: git status\nAngefragt: git push --force"


@pytest.mark.parametrize("surface", ["phone", "watch"])
@pytest.mark.parametrize(("language", "effect"), [("en", "⚠️ deletes something"), ("de", "⚠️ löscht etwas")])
def test_what_a_command_would_do_stands_below_it_even_where_it_is_cut(surface: str, language: str, effect: str) -> None:
    for asked in (replace(long_command(), id="long"), replace(CHANGED, asked="", status=Status.PENDING, settled=None)):
        assert asked.permission is not None
        permission = replace(asked.permission, effects=(Effect.DELETES,))
        event = PredictionNew(prediction=replace(asked, prompt=permission.text, permission=permission))
        push = render_alert(
            surface, delivery(event), to(lang=language), was_shown=False, at=NOW, now=NOW, bytes_max=4_096
        )
        assert push is not None
        shown = said(push)
        assert shown["aps"]["alert"]["body"].splitlines()[-1] == effect
        assert len(push.payload) <= 4_096
        assert ("approve" in shown["actions"]) is (asked.id != "long")
