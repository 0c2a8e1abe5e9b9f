"""The matrix of CROSSPOLL 6.2, row by row, against the device profiles that are shipped."""

from datetime import timedelta
from itertools import product

import pytest
from msgspec.structs import replace

from hub.contract.address import WebPushAddress
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
)
from hub.contract.permission import Act, AgentQuestion, Permission
from hub.contract.profile import Column
from hub.contract.runs import PlannedRun
from hub.contract.words import AFTER_FAILURE, GRANTING, Autonomy, Risk, Source, Status, Verb
from hub.domain.delivery import Device, Routed
from hub.domain.policy import Bands, Policy
from hub.domain.suggestion import Card
from hub.io.home.profiles import read_profiles
from hub.loop.views import prediction_of, status_of
from hub.where import route
from hub.where.routing import BESIDE_CARDS
from tests.fakes.world import a_state, utc
from tests.loop.stage import a_policy
from tests.rooms.may.questions import PROPOSAL

NOW = utc(2026, 3, 10, 12, 0)
PROFILES = read_profiles()
A_BROWSER = WebPushAddress(
    endpoint="https://push.example.org/1", p256dh="B" * 87, auth="a" * 22, origin="http://127.0.0.1:8420"
)
NEW: tuple[Column, ...] = ("new-medium", "new-high")
COLUMNS = ("phone", "watch", "glasses", "discord")
CARD = Card(
    id="pred_1",
    user="me",
    version=1,
    status=Status.PENDING,
    proposal=replace(PROPOSAL, confidence=0.6),
    prompt="Run the tests",
    card_hash="h",
    created_at=NOW,
    expires_at=NOW + timedelta(hours=8),
    trigger="cron",
)
HIGH = prediction_of(CARD, Policy())
MEDIUM = replace(HIGH, confidence=0.599)
EVENTS: dict[Column, AnyEvent] = {
    "new-medium": PredictionNew(prediction=MEDIUM),
    "new-high": PredictionNew(prediction=HIGH),
    "auto-executed": ExecutionStarted(prediction=HIGH, execution_id="exec_1", autonomous=True),
    "completed": PredictionExecuted(card_id="pred_1", task_id="t", result="ok", prediction=HIGH),
    "failed": ExecutionFailed(card_id="pred_1", execution_id="e", kind="failed", error="x", prediction=HIGH),
    "cost": CostApproaching(window="hour", spent_usd=1.7, cap_usd=2.0),
    "paused": Paused(reason="3 rejections in a row"),
}
MATRIX = {
    "new-medium": ("notify", "notify", "notify", "notify"),
    "new-high": ("notify", "notify", "notify", "notify"),
    "auto-executed": ("silent", "silent", "silent", "silent"),
    "completed": ("notify", "notify", "notify", "notify"),
    "failed": ("alert", "alert", "notify", "alert"),
    "cost": ("alert", None, None, "alert"),
    "paused": ("notify", "badge", None, "silent"),
}


def device(surface: str, *, online: bool = True, revoked: bool = False, reachable: bool = True) -> Device:
    return Device(
        user="me",
        surface=surface,
        device="mine",
        profile=surface,
        online=online and not PROFILES[surface].live_while_present,
        revoked=revoked,
        address=A_BROWSER if PROFILES[surface].needs_address and reachable else None,
    )


def routed(event: AnyEvent, *devices: Device, quiet: bool = False, urgent: bool = False) -> tuple[Routed, ...]:
    return route(event, devices, PROFILES, bands=Bands(), now=NOW, quiet=quiet, urgent=urgent)


def loudness(event: AnyEvent, surface: str, *, quiet: bool = False) -> str | None:
    return next((one.loudness for one in routed(event, device(surface), quiet=quiet)), None)


@pytest.mark.parametrize("row", EVENTS)
def test_each_row_of_the_matrix(row: Column) -> None:
    assert tuple(loudness(EVENTS[row], surface) for surface in COLUMNS) == MATRIX[row]


@pytest.mark.parametrize("row", EVENTS)
def test_in_quiet_hours_the_same_devices_are_told_silently(row: Column) -> None:
    for surface, loud in zip(COLUMNS, MATRIX[row], strict=True):
        assert loudness(EVENTS[row], surface, quiet=True) == (None if loud is None else "silent")


@pytest.mark.parametrize("surface", sorted(PROFILES))
def test_what_is_urgent_is_heard_on_every_surface_as_loudly_as_a_failure(surface: str) -> None:
    ((told,), (before,)) = (routed(EVENTS["new-medium"], device(surface), urgent=urgent) for urgent in (True, False))
    assert told.loudness == ("alert" if PROFILES[surface].matrix.get("failed") == "alert" else "notify")
    assert replace(told, loudness=before.loudness) == before
    assert [one.loudness for one in routed(EVENTS["new-medium"], device(surface), quiet=True, urgent=True)] == [
        "silent"
    ]


def test_what_is_urgent_is_heard_also_where_such_cards_come_silently_and_disturbs_nobody_else() -> None:
    bare = replace(PROFILES["phone"], matrix={})
    told = route(
        EVENTS["new-medium"], [device("phone")], {"phone": bare}, bands=Bands(), now=NOW, quiet=False, urgent=True
    )
    assert [one.loudness for one in told] == ["notify"]
    assert routed(EVENTS["paused"], device("glasses"), urgent=True) == ()


def test_a_card_on_the_border_of_the_bands_is_a_suggestion() -> None:
    quieter = replace(PROFILES["watch"], matrix={"new-medium": "badge", "new-high": "notify"})
    for event, loud in ((EVENTS["new-high"], "notify"), (EVENTS["new-medium"], "badge")):
        told = route(event, [device("watch")], {"watch": quieter}, bands=Bands(), now=NOW, quiet=False)
        assert [one.loudness for one in told] == [loud]


@pytest.mark.parametrize("surface", ["homeassistant", "ntfy"])
def test_where_whoever_has_the_login_presses_the_buttons_nothing_of_high_risk_is_approved(surface: str) -> None:
    offered = {}
    for risk in Risk:
        (told,) = routed(PredictionNew(prediction=replace(HIGH, risk=risk)), device(surface))
        offered[risk] = Verb.APPROVE in told.verbs
    assert offered == {Risk.LOW: True, Risk.MEDIUM: True, Risk.HIGH: False}


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_each_profile_makes_a_new_card_heard(name: str) -> None:
    unheard = [row for row in NEW if PROFILES[name].matrix.get(row) not in {"notify", "alert"}]
    assert not unheard, f'device_profiles/{name}.toml: say "notify" or "alert" for {" and ".join(unheard)}'


def every_card_that_can_be() -> list[Prediction]:
    times_left = (timedelta(minutes=1), timedelta(hours=8))
    return [
        replace(HIGH, risk=risk, source=source, confidence=confidence, expires_at=NOW + left)
        for risk, source, confidence, left in product(Risk, Source, (0.3, 0.4, 0.6, 1.0), times_left)
    ]


@pytest.mark.parametrize("surface", sorted(PROFILES))
def test_every_card_that_can_be_reaches_every_surface_and_can_be_answered_there(surface: str) -> None:
    for card in every_card_that_can_be():
        for event in (PredictionNew(prediction=card), PredictionReturned(prediction=card, reason="snooze-over")):
            (told,) = routed(event, device(surface))
            assert told.loudness in {PROFILES[surface].matrix.get(row) for row in NEW}, event
            assert Verb.REJECT in told.verbs or not PROFILES[surface].verbs, event  # some only tell
            assert [one.loudness for one in routed(event, device(surface), quiet=True)] == ["silent"], event


@pytest.mark.parametrize("row", [row for row in EVENTS if row not in BESIDE_CARDS])
def test_a_surface_without_a_row_still_learns_silently_what_becomes_of_cards(row: Column) -> None:
    bare = replace(PROFILES["phone"], matrix={})
    told = route(EVENTS[row], [device("phone")], {"phone": bare}, bands=Bands(), now=NOW, quiet=False)
    assert [one.loudness for one in told] == ["silent"]


@pytest.mark.parametrize("surface", sorted(PROFILES))
@pytest.mark.parametrize(
    "event",
    [
        PredictionSettled(prediction=HIGH),
        PredictionSnoozed(prediction=HIGH),
        PredictionExpired(card_id="pred_1"),
        ExecutionStarted(prediction=HIGH, execution_id="e", autonomous=False),
    ],
)
def test_what_becomes_of_a_card_is_told_silently_to_all_that_may_show_it(event: AnyEvent, surface: str) -> None:
    assert loudness(event, surface) == "silent"


@pytest.mark.parametrize("surface", sorted(PROFILES))
def test_progress_and_status_are_for_whoever_looks(surface: str) -> None:
    status = StatusChanged(status=status_of(a_state(a_policy()), NOW))
    assert status.status.state is Autonomy.WATCHING
    for event in (ExecutionProgress(card_id="p", execution_id="e", number=1, line="x"), status):
        assert loudness(event, surface) is None


def test_a_card_that_comes_back_is_as_loud_as_a_new_one_and_going_on_as_pausing() -> None:
    for surface in COLUMNS:
        back = PredictionReturned(prediction=HIGH, reason="r")
        assert loudness(back, surface) == loudness(EVENTS["new-high"], surface)
        assert loudness(Resumed(), surface) == loudness(EVENTS["paused"], surface)


@pytest.mark.parametrize("surface", sorted(PROFILES))
def test_each_card_of_a_digest_may_be_answered_as_if_it_had_come_alone(surface: str) -> None:
    risky = replace(HIGH, id="pred_2", risk=Risk.HIGH)
    (one,) = routed(DigestReady(digest_id="d", cards=(HIGH, risky)), device(surface))
    alone = tuple(routed(PredictionNew(prediction=card), device(surface))[0].verbs for card in (HIGH, risky))
    assert (one.verbs, one.each, one.loudness) == ((), alone, loudness(EVENTS["new-medium"], surface))


def test_what_happened_meanwhile_disturbs_nobody_by_itself() -> None:
    (one,) = routed(DigestReady(digest_id="d"), device("phone"))
    assert (one.loudness, one.each) == ("silent", ())


def test_nobody_is_told_who_is_revoked_unknown_or_only_there_while_present() -> None:
    event = EVENTS["new-high"]
    stranger = replace(device("phone"), profile="fridge")
    assert routed(event, device("phone", revoked=True), stranger, device("glasses", online=False)) == ()
    assert [one.surface for one in routed(event, device("phone", online=False))] == ["phone"]


def test_a_device_without_an_address_is_told_nothing_and_one_that_reads_the_feed_nothing_beside_it() -> None:
    event = EVENTS["new-high"]
    away = device("browser", online=False)
    assert [one.surface for one in routed(event, away)] == ["browser"]
    assert routed(event, replace(away, address=None)) == ()
    assert routed(event, replace(away, online=True)) == ()


def test_what_others_may_see_is_the_devices_own_wish_before_its_profiles() -> None:
    event = EVENTS["new-high"]
    assert routed(event, device("phone"))[0].privacy == "full"
    assert routed(event, replace(device("phone"), privacy="nothing"))[0].privacy == "nothing"


def test_only_a_failure_offers_another_try_and_only_where_the_risk_may_be_approved() -> None:
    failed = replace(HIGH, status=Status.FAILED, offers=AFTER_FAILURE)
    event = ExecutionFailed(card_id="pred_1", execution_id="e", kind="failed", error="x", prediction=failed)
    for name in ("browser", "phone", "watch", "discord", "terminal", "glasses"):
        assert verbs(event, name) == AFTER_FAILURE
    unmended = replace(event, prediction=replace(failed, offers=(Verb.RETRY, Verb.IGNORE)))
    assert verbs(unmended, "browser") == (Verb.RETRY, Verb.IGNORE)
    stopped = replace(event, prediction=replace(failed, status=Status.CANCELLED, offers=()))
    assert verbs(stopped, "phone") == ()
    risky = replace(event, prediction=replace(failed, risk=Risk.HIGH))
    assert verbs(risky, "watch") == (Verb.IGNORE,)


def verbs(event: AnyEvent, surface: str) -> tuple[Verb, ...]:
    return routed(event, device(surface))[0].verbs


@pytest.mark.parametrize(
    ("surface", "risk", "may_approve"),
    [
        ("watch", Risk.LOW, True),
        ("watch", Risk.MEDIUM, True),
        ("watch", Risk.HIGH, False),
        ("glasses", Risk.HIGH, False),
        ("phone", Risk.HIGH, True),
        ("discord", Risk.HIGH, True),
    ],
)
def test_a_risky_card_is_approved_only_where_the_profile_allows_it(
    surface: str,
    risk: Risk,
    may_approve: bool,  # noqa: FBT001  a column of the table
) -> None:
    offered = verbs(PredictionNew(prediction=replace(HIGH, risk=risk)), surface)
    assert (Verb.APPROVE in offered) is may_approve
    assert {Verb.REJECT, Verb.SNOOZE} <= set(offered)
    assert not {Verb.UNDO, Verb.STOP} & set(offered)
    if not may_approve:
        assert Verb.EDIT not in offered


QUESTION = Permission(
    agent="codex", tool="ask", act=Act.QUESTION, questions=(AgentQuestion(id="q", text="Which?", own_words=True),)
)
ANSWERING = ("browser", "phone", "watch", "glasses", "terminal", "discord", "telegram", "matrix", "slack", "ntfy")


@pytest.mark.parametrize("surface", ANSWERING)
def test_a_question_is_answered_where_there_is_a_way_to_and_else_no_yes_to_it_is_offered(surface: str) -> None:
    asked = PredictionNew(prediction=replace(MEDIUM, source=Source.ASK, permission=QUESTION))
    one = replace(device(surface), online=True, address=A_BROWSER)
    formless = {surface: replace(PROFILES[surface], answers_questions=False, live_while_present=False)}
    here = {surface: replace(PROFILES[surface], live_while_present=False)}
    for profiles, offered in ((here, True), (formless, False)):
        (told,) = route(asked, (one,), profiles, bands=Bands(), now=NOW, quiet=False)
        assert (Verb.APPROVE in told.verbs) is offered
        assert Verb.REJECT in told.verbs


def test_what_may_be_answered_when() -> None:
    assert verbs(EVENTS["auto-executed"], "phone") == (Verb.STOP,)
    assert verbs(PredictionNew(prediction=replace(HIGH, expires_at=NOW)), "phone") == ()
    assert verbs(PredictionSnoozed(prediction=HIGH), "phone") == ()
    assert verbs(PredictionExpired(card_id="p"), "phone") == ()
    assert verbs(PredictionSettled(prediction=replace(HIGH, status=Status.REJECTED)), "phone") == (Verb.UNDO,)
    assert verbs(PredictionSettled(prediction=replace(HIGH, status=Status.REJECTED)), "watch") == ()
    assert verbs(PredictionSettled(prediction=replace(HIGH, status=Status.CANCELLED)), "phone") == ()


def test_every_row_of_the_profiles_is_a_row_of_the_matrix() -> None:
    assert set(COLUMNS) <= set(PROFILES)
    for profile in PROFILES.values():
        assert set(profile.matrix) <= set(MATRIX)


@pytest.mark.parametrize("name", PROFILES)
def test_no_device_is_offered_a_yes_that_has_to_be_the_persons_own(name: str) -> None:
    own = replace(HIGH, in_person=True)
    failed = replace(own, status=Status.FAILED, offers=AFTER_FAILURE)
    ended = ExecutionFailed(card_id="pred_1", execution_id="x", kind="failed", error="", prediction=failed)
    for event in (PredictionNew(prediction=own), PredictionReturned(prediction=own, reason="undone"), ended):
        offered = {verb for one in routed(event, device(name)) for verb in one.verbs}
        assert not offered & {Verb.APPROVE, Verb.RETRY}
    (usual,) = routed(PredictionNew(prediction=replace(HIGH, in_person=False)), device(name))
    (shown,) = routed(PredictionNew(prediction=own), device(name))
    assert {Verb.REJECT, Verb.SNOOZE} & set(shown.verbs) == {Verb.REJECT, Verb.SNOOZE} & set(usual.verbs)


@pytest.mark.parametrize("name", PROFILES)
def test_no_device_is_offered_a_yes_that_would_start_nothing(name: str) -> None:
    cannot = replace(HIGH, runs=PlannedRun(summary="", problem="make was not found."))
    for event in (PredictionNew(prediction=cannot), PredictionReturned(prediction=cannot, reason="changed")):
        offered = {verb for one in routed(event, device(name)) for verb in one.verbs}
        assert not offered & {Verb.APPROVE, Verb.EDIT}


def test_no_yes_is_offered_to_more_than_a_kind_of_device_shows() -> None:
    most = PROFILES["discord"].shows_chars_max
    short, long = (replace(MEDIUM, prompt="x" * number) for number in (most, most + 1))
    assert Verb.APPROVE in verbs(PredictionNew(prediction=short), "discord")
    offered = {*verbs(PredictionNew(prediction=long), "discord")}
    assert (offered & GRANTING, Verb.REJECT in offered) == (set(), True)
    ended = replace(long, offers=(Verb.RETRY, Verb.IGNORE))
    failed = ExecutionFailed(card_id=long.id, execution_id="e", kind="failed", error="", prediction=ended)
    assert verbs(failed, "discord") == (Verb.IGNORE,)
