"""What a watch is sent and what its face shows, now and later."""

import json
from datetime import datetime, timedelta
from typing import Any, Literal

import pytest
from msgspec.structs import replace

from hub.contract.address import ApnsAddress
from hub.contract.api import Likelihood
from hub.contract.drives import DrivesStatus
from hub.contract.events import (
    AnyEvent,
    ExecutionFailed,
    ExecutionStarted,
    Paused,
    PredictionExecuted,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    StatusChanged,
)
from hub.contract.permission import Act, AgentQuestion, Permission
from hub.contract.phrasing import Phrasing
from hub.contract.surface import Loudness, Privacy
from hub.contract.words import Autonomy, Risk, Status, Verb
from hub.contract.world_api import WorldStatus
from hub.kit.spirit import VERIFIED_SHOWN
from surfaces.apns.board import Board
from surfaces.apns.complication import face_push, way_of
from surfaces.apns.face import Entry, Face, looks, timeline
from surfaces.apns.push import Push
from surfaces.apns.render import render_alert
from tests.surfaces.apns.cards import PHONE_TOKEN, WORDS, delivery, prediction, status, to
from tests.surfaces.apns.standin.rules import payload_faults
from tests.surfaces.shown import NOW, TOKEN, settlement

FAILED = ExecutionFailed(card_id="p", execution_id="e", kind="failed", error="red", prediction=prediction())
EN = WORDS["en"].phrases
WATCH_VERBS = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE)
MODERN = ApnsAddress(token=PHONE_TOKEN, widget_token="3d" * 32, complication_token="c0" * 32)
OLDER = ApnsAddress(token=PHONE_TOKEN, complication_token="c0" * 32)


def board_with(*cards: Any, state: Autonomy = Autonomy.WATCHING, verbs: tuple[Verb, ...] = WATCH_VERBS) -> Board:  # noqa: ANN401  cards
    board = Board()
    board.hear(StatusChanged(status=status(state, pending=len(cards), reason="3 rejections")), NOW)
    for card in cards:
        new = PredictionNew(prediction=card)
        board.grant("wrist", delivery(new, verbs=verbs, delivery_id=card.id))
        board.hear(new, NOW)
    return board


def entries(board: Board, *, now: datetime = NOW, privacy: Privacy = "full") -> tuple[Entry, ...]:
    return timeline(board.face("wrist"), EN, privacy=privacy, now=now)


@pytest.mark.parametrize(
    ("event", "loudness", "haptic"),
    [
        (PredictionNew(prediction=prediction()), "notify", "notification"),
        (PredictionExecuted(card_id="p", task_id="t", result="ok", prediction=prediction()), "notify", "success"),
        (FAILED, "alert", "failure"),
        (PredictionNew(prediction=prediction(confidence=0.5)), "badge", None),
        (ExecutionStarted(prediction=prediction(), execution_id="e", autonomous=True), "silent", None),
        (Paused(reason="3 rejections"), "badge", None),
    ],
)  # fmt: skip
def test_every_event_has_its_haptic_or_only_the_face(event: AnyEvent, loudness: Loudness, haptic: str | None) -> None:
    push = render_alert("watch", delivery(event, loudness=loudness), to(), was_shown=True, at=NOW, now=NOW)
    if haptic is None:
        assert push is None
    else:
        assert push is not None
        assert json.loads(push.payload)["haptic"] == haptic
        assert payload_faults("alert", push.payload) == []


def test_what_was_shown_is_replaced_and_what_was_not_stays_silent() -> None:
    settled = delivery(
        PredictionSettled(prediction=prediction(status=Status.CONFIRMED, settled=settlement())), loudness="silent"
    )
    assert render_alert("watch", settled, to(), was_shown=False, at=NOW, now=NOW) is None
    push = render_alert("watch", settled, to(), was_shown=True, at=NOW, now=NOW)
    assert push is not None
    assert push.collapse_id == "pred_abc123"
    assert "sound" not in json.loads(push.payload)["aps"]


def test_a_double_tap_never_approves_what_is_risky() -> None:
    risky = delivery(PredictionNew(prediction=prediction(risk=Risk.HIGH)), verbs=WATCH_VERBS)
    push = render_alert("watch", risky, to(), was_shown=True, at=NOW, now=NOW)
    assert push is not None
    assert json.loads(push.payload)["aps"]["category"] == "CROSSPOLL_RISKY_BRIEF"


def test_the_face_shows_the_count_and_the_newest_card() -> None:
    older = prediction("Write the changelog", card_id="p1", created_at=NOW - timedelta(hours=1))
    newer = prediction("Run tests on modules", card_id="p2", created_at=NOW - timedelta(minutes=2))
    first = entries(board_with(older, newer))[0]
    assert (first.circular.symbol, first.circular.text) == ("🔮", "2")
    assert first.rectangular.headline == '🔮 "Run tests on modules"'
    assert first.rectangular.detail == "Code • 72% • 2 min ago"
    assert (first.rectangular.tap, first.rectangular.token) == ("approve", TOKEN)


@pytest.mark.parametrize(
    ("text", "risk", "verbs", "tap"),
    [
        ("Run tests", Risk.LOW, WATCH_VERBS, "approve"),
        ("Run tests", Risk.MEDIUM, WATCH_VERBS, "open"),
        ("Run tests", Risk.HIGH, WATCH_VERBS, "open"),
        ("Run tests", Risk.LOW, (Verb.REJECT,), "open"),
        ("Run the tests of everything that was changed since yesterday", Risk.LOW, WATCH_VERBS, "open"),
    ],
)
def test_a_tap_approves_only_what_is_harmless_and_shown_whole(
    text: str, risk: Risk, verbs: tuple[Verb, ...], tap: str
) -> None:
    wide = entries(board_with(prediction(text, risk=risk), verbs=verbs))[0].rectangular
    assert wide.tap == tap
    assert bool(wide.token) is (tap == "approve")


def test_ages_and_expiry_stay_right_without_a_push() -> None:
    board = board_with(prediction("Run tests", lasts=timedelta(minutes=30)))
    shown = entries(board)
    assert [entry.rectangular.detail.rpartition("• ")[2] for entry in shown[:-1]] == [
        "now", "1 min ago", "2 min ago", "3 min ago", "5 min ago", "10 min ago", "15 min ago", "20 min ago",
    ]  # fmt: skip
    assert shown[-1].at == NOW + timedelta(minutes=30)
    assert (shown[-1].count, shown[-1].circular.text, shown[-1].rectangular.headline) == (
        0,
        "",
        "🔮 Nothing is waiting",
    )


@pytest.mark.parametrize(
    ("state", "killed_by", "symbol", "headline"),
    [
        (Autonomy.PAUSED, "", "⏸", "⏸ Pulse is paused"),
        (Autonomy.DISABLED, "emergency", "⛔", "⛔ Stopped"),
        (Autonomy.DISABLED, "file", "○", "○ Stopped"),
        (Autonomy.AUTONOMOUS, "", "🔮⚡", "🔮 Nothing is waiting"),
    ],
)
def test_the_face_says_when_pulse_is_paused_or_stopped(
    state: Autonomy, killed_by: Literal["", "emergency", "file"], symbol: str, headline: str
) -> None:
    board = Board()
    board.hear(StatusChanged(status=replace(status(state), killed_by=killed_by)), NOW)
    first = entries(board)[0]
    assert (first.circular.symbol, first.rectangular.headline) == (symbol, headline)


def test_the_face_says_why_pulse_is_paused_in_the_watchs_language() -> None:
    board = board_with()
    said = Phrasing(code="because.paused_by_person")
    paused = status(Autonomy.PAUSED, reason="Paused by you.")
    board.hear(StatusChanged(status=replace(paused, reason_worded=said)), NOW)
    (german,) = timeline(board.face("wrist"), WORDS["de"].phrases, privacy="full", now=NOW)
    assert german.rectangular.detail == "Von dir pausiert."
    assert entries(board)[0].rectangular.detail == "Paused by you."
    assert entries(board, privacy="title")[0].rectangular.detail == ""


def test_the_face_tells_how_the_like_was_answered() -> None:
    liked = prediction(likelihood=Likelihood(p=0.61, low=0.4, high=0.8, yes=7, answers=10))
    assert entries(board_with(liked))[0].rectangular.detail.startswith("Code • 7 of 10 approved • ")


def test_the_face_keeps_what_others_may_not_see() -> None:
    first = entries(board_with(prediction("Secret plan")), privacy="title")[0]
    assert first.rectangular.headline == "🔮 Pulse needs your attention"
    assert first.rectangular.token == ""
    assert "koji" not in first.rectangular.detail


def pressed(load: float = 4.5, drive: str = "goals", *, names_drive: bool = True) -> Board:
    board = Board(names_drive=names_drive)
    drives = DrivesStatus(top=drive, load=load, total=load, threshold=5.0, rule="below", says="Not yet.")
    board.hear(StatusChanged(status=replace(status(), drives=drives)), NOW)
    return board


@pytest.mark.parametrize(
    ("board", "privacy", "detail"),
    [
        (pressed(), "full", "Most urgent: goals"),
        (pressed(drive="my-garden"), "full", "Most urgent: my-garden"),
        (pressed(drive="x" * 32), "full", f"Most urgent: {'x' * 23}…"),
        (pressed(), "title", ""),
        (pressed(0.0), "full", ""),
        (pressed(names_drive=False), "full", ""),
    ],
)
def test_a_calm_face_names_what_presses_most_where_the_person_wants_that(
    board: Board, privacy: Privacy, detail: str
) -> None:
    (first,) = entries(board, privacy=privacy)
    assert (first.rectangular.headline, first.rectangular.detail) == ("🔮 Nothing is waiting", detail)


def test_a_drive_is_named_in_the_watchs_language_and_never_above_a_card() -> None:
    board = pressed()
    (german,) = timeline(board.face("wrist"), WORDS["de"].phrases, privacy="full", now=NOW)
    assert german.rectangular.detail == "Am dringlichsten: Ziele"
    board.hear(PredictionNew(prediction=prediction()), NOW)
    assert "pressing" not in entries(board)[0].rectangular.detail


def test_another_drive_is_a_face_of_its_own_and_more_of_the_same_is_not() -> None:
    before, more, other = (
        looks(board.face("wrist"), EN, privacy="full", now=NOW)
        for board in (pressed(4.5), pressed(4.9), pressed(4.9, "system"))
    )
    assert before == more != other


def test_a_card_put_off_comes_back_by_itself() -> None:
    board = board_with(prediction("Run tests"))
    board.hear(StatusChanged(status=status(pending=0)), NOW)
    hidden = Face(cards=tuple(_hidden(card) for card in board.face("wrist").cards))
    shown = timeline(hidden, EN, privacy="full", now=NOW)
    assert [entry.count for entry in shown[:2]] == [0, 1]
    assert shown[1].at == NOW + timedelta(minutes=20)


def _hidden(card: Any) -> Any:  # noqa: ANN401  a card
    fields = {name: getattr(card, name) for name in card.__struct_fields__}
    return type(card)(**fields | {"hidden_until": NOW + timedelta(minutes=20)})


def face(board: Board, address: ApnsAddress, *, may_spend: bool = True) -> Push:
    device = to(address)
    way = way_of(device, may_spend=may_spend)
    return face_push(board.face("wrist"), device, way, privacy="full", push_id="0" * 8, now=NOW)


def test_each_kind_of_watch_gets_its_kind_of_push() -> None:
    board = board_with(prediction())
    modern, older = face(board, MODERN), face(board, OLDER)
    bare, spent = face(board, ApnsAddress(token=PHONE_TOKEN)), face(board, MODERN, may_spend=False)
    assert (modern.type, modern.token, modern.payload) == ("widgets", "3d" * 32, b'{"aps":{"content-changed":true}}')
    assert (older.type, older.token) == ("complication", "c0" * 32)
    assert json.loads(older.payload)["face"]["timeline"][0]["circular"]["text"] == "1"
    assert (
        (bare.type, bare.priority, bare.token)
        == (spent.type, spent.priority, spent.token)
        == ("background", 5, PHONE_TOKEN)
    )
    for push in (modern, older, bare):
        assert payload_faults(push.type, push.payload) == []


def test_a_face_of_many_long_cards_fits() -> None:
    cards = [prediction("漢" * 500, card_id=f"p{n}", created_at=NOW - timedelta(minutes=n)) for n in range(200)]
    push = face(board_with(*cards), OLDER)
    assert len(push.payload) <= 4_096
    assert json.loads(push.payload)["face"]["timeline"][0]["circular"]["text"] == "99+"


def test_a_repeat_after_the_end_brings_no_card_back() -> None:
    board = board_with(prediction("Run tests"))
    settled_at, undone_at = NOW + timedelta(seconds=5), NOW + timedelta(seconds=9)
    board.hear(PredictionSettled(prediction=prediction("Run tests", status=Status.REJECTED)), settled_at)
    board.hear(PredictionNew(prediction=prediction("Run tests")), NOW)
    assert board.face("wrist").cards == ()
    board.hear(PredictionReturned(prediction=prediction("Run tests"), reason="undone"), undone_at)
    assert len(board.face("wrist").cards) == 1


def test_only_what_is_seen_tells_two_faces_apart() -> None:
    board = board_with(prediction("Run tests"))
    before = looks(board.face("wrist"), EN, privacy="full", now=NOW)
    assert before == looks(board.face("wrist"), EN, privacy="full", now=NOW + timedelta(minutes=5))
    board.hear(PredictionSettled(prediction=prediction("Run tests", status=Status.REJECTED)), NOW)
    board.hear(StatusChanged(status=status(pending=0)), NOW)
    assert before != looks(board.face("wrist"), EN, privacy="full", now=NOW)


def spirit_board(*cards: Any, **world: Any) -> Board:  # noqa: ANN401  fields of WorldStatus
    board = board_with(*cards)
    shown = {"active": 0, "pending": 0, "failed": 0, **world}
    board.hear(StatusChanged(status=replace(status(pending=len(cards)), world=WorldStatus(**shown))), NOW)
    return board


def test_the_face_shows_how_the_sessions_are_where_no_card_waits() -> None:
    working, failed = spirit_board(active=2), spirit_board(failed=1)
    assert entries(working)[0].rectangular.headline == "🔮 2 sessions are working"
    assert entries(failed)[0].rectangular.headline == "🔮❗ A session needs you"
    assert entries(failed)[0].circular.symbol == "🔮❗"
    assert entries(spirit_board(prediction("Run tests"), active=2))[0].rectangular.headline == '🔮 "Run tests"'


def test_what_was_verified_is_shown_for_a_moment_and_then_goes_by_itself() -> None:
    first, then = entries(spirit_board(verified_at=NOW))
    assert first.rectangular.headline == "✨ A session is done and checked"
    assert (then.at, then.rectangular.headline) == (NOW + VERIFIED_SHOWN, "🔮 Nothing is waiting")


def test_only_what_is_verified_or_needs_somebody_is_worth_a_push() -> None:
    def look(**world: Any) -> tuple[object, ...]:  # noqa: ANN401  fields of WorldStatus
        return looks(spirit_board(**world).face("wrist"), EN, privacy="full", now=NOW)

    assert look(active=1) == look(active=3) == look()
    assert look(failed=1) != look() != look(verified_at=NOW)
    assert look(verified_at=NOW) != look(verified_at=NOW - timedelta(hours=1))


def test_the_spirit_goes_along_as_data() -> None:
    push = face_push(
        spirit_board(failed=1).face("wrist"), to(OLDER), "complication", privacy="full", push_id="p", now=NOW
    )
    assert json.loads(push.payload)["face"]["spirit"] == "failed"


def test_a_tap_on_the_face_answers_no_question() -> None:
    asked = AgentQuestion(id="q", text="Which?")
    permission = Permission(agent="claude-code", tool="Ask", act=Act.QUESTION, questions=(asked,))
    wide = entries(board_with(prediction("Which?", permission=permission)))[0].rectangular
    assert (wide.tap, wide.token) == ("open", "")
