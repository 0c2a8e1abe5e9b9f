"""What the hub says, told to the view: cards come, settle in place, run, end, fold away. Pure; `now` is an argument."""

from datetime import datetime, timedelta
from functools import partial

from msgspec.structs import replace

from hub.contract.api import CrossPollStatus, Prediction
from hub.contract.events import CostApproaching, DigestReady, ExecutionProgress, Paused, PredictionSnoozed, Resumed
from hub.contract.surface import AnyDelivered, CardDelivery, DeliveredAddress, DeliveredCard, Verdict
from hub.contract.words import DeliveryState, Status
from hub.kit import cards
from hub.kit.digests import cards_of, heading, opening
from surfaces.terminal.handing import give_up, hand_in_again, hurry, next_due
from surfaces.terminal.view import CARDS_MAX, NOTICES_MAX, Intent, LinkState, Notice, Report, Ring, Shown, Tone, View
from surfaces.terminal.words import SAY

FOLD_S = 20.0
"""How long a settled card stays, so that a person sees who settled it, and may undo."""
FAILED_FOLD_S = 120.0
NOTICE_S = 8.0
VERDICT_S = 3.0
"""After this long without a word from the hub, the screen says so."""


def hear(view: View, delivered: AnyDelivered, at: datetime, now: datetime) -> tuple[View, tuple[Intent, ...]]:
    """Take one delivery, made `at`; what is to be done besides showing it comes back as intents."""
    if isinstance(delivered, DeliveredAddress):  # for gateways; a terminal has none
        return view, ()
    if not isinstance(delivered, DeliveredCard):
        return _verdict(view, delivered.verdict, now)
    delivery = delivered.card
    view = _event(view, delivery, at, now)
    drawn_somewhere = {card.delivery_id for card in view.cards} | {notice.delivery_id for notice in view.notices}
    intents: list[Intent] = [Ring()] if delivery.loudness == "alert" else []
    if delivery.delivery_id not in drawn_somewhere:
        intents.append(Report(delivery_id=delivery.delivery_id, state=DeliveryState.CLEARED))
    return settle_focus(view, now), tuple(intents)


def hear_status(view: View, status: CrossPollStatus) -> View:
    """Take the retained state."""
    return replace(view, status=status)


def hear_progress(view: View, event: ExecutionProgress, at: datetime, now: datetime) -> View:
    """Take one line of a running agent."""
    card = find(view, event.card_id)
    told = cards.hear(card, event, at, Shown)
    return view if told is None or told is card else _placed(view, told, now)


def hear_link(view: View, state: LinkState, note: str, broker: str = "") -> View:
    """The connection came or went; what is on the screen stays, and what has no verdict is handed in again at once."""
    view = replace(view, link=state, link_note=note, broker=broker or view.broker)
    return hurry(view) if state == "up" else view


def pass_time(view: View, now: datetime) -> tuple[View, tuple[Intent, ...]]:
    """Fold away what was settled long enough, expire, and see to answers that the hub says nothing to."""
    gone = tuple(card for card in view.cards if card.fold_at is not None and card.fold_at <= now)
    kept = tuple(_expired(card, now) for card in view.cards if card not in gone)
    notices = tuple(notice for notice in view.notices if notice.until > now)
    view = replace(view, cards=kept, notices=notices)
    if any(now - at >= timedelta(seconds=VERDICT_S) for at in _unmentioned(view)):
        text = f"The hub has not responded to your answer yet. It may be stopped: see `{view.command} status`."
        view = say(view, text, now, "warn", seconds=60.0)
        view = replace(view, complained_at=now)
    view, given_up = give_up(view, now)
    for sent in given_up:
        verb = sent.decision.verb
        text = f"Your answer ({verb}) was never confirmed, so it was dropped. Check the card, then answer again."
        view = say(view, text, now, "bad", seconds=60.0)
    view, again = hand_in_again(view, now)
    cleared = tuple(Report(delivery_id=card.delivery_id, state=DeliveryState.CLEARED) for card in gone)
    return settle_focus(view, now), (*again, *cleared)


def next_change(view: View, now: datetime) -> datetime | None:
    """Return when the picture would change by itself; None when it would not. At most once a second."""
    moments = [card.fold_at for card in view.cards if card.fold_at is not None]
    moments += [notice.until for notice in view.notices]
    moments += [at + timedelta(seconds=VERDICT_S) for at in _unmentioned(view)]
    moments += next_due(view)
    second = now + timedelta(seconds=1)
    if any(card.phase == "running" for card in view.cards):
        moments.append(second)
    moments += [_next_age(card, now) for card in view.cards if card.phase == "open"]
    return max(second, min(moments)) if moments else None


def _unmentioned(view: View) -> list[datetime]:
    """Return when the answers were given whose silence the person was not told of yet."""
    told = view.complained_at
    return [one.decision.at for one in view.sent if told is None or one.decision.at > told]


def say(view: View, text: str, now: datetime, tone: Tone = "plain", *, seconds: float = NOTICE_S) -> View:
    """Put a line at the bottom for a while."""
    return _notice(view, Notice(text=text, tone=tone, until=now + timedelta(seconds=seconds)))


def find(view: View, card_id: str) -> Shown | None:
    """Return the card of that id, if it is here."""
    return next((card for card in view.cards if card.id == card_id), None)


def put(view: View, card: Shown) -> View:
    """Replace a card in place, or add it at the end."""
    if find(view, card.id) is None:
        return replace(view, cards=_bounded((*view.cards, card)))
    return replace(view, cards=tuple(card if one.id == card.id else one for one in view.cards))


def settle_focus(view: View, now: datetime) -> View:
    """Keep the focus where it is while that card can be answered, else move it to the nearest one that can."""
    focused = view.focused
    if focused is not None and (focused.phase == "open" or view.mode != "cards" or view.held):
        return view
    still_open = [card for card in view.cards if card.is_answerable]
    if still_open:
        return _move(view, still_open[0].id, now)
    return view if focused is not None else _move(view, view.cards[0].id if view.cards else "", now)


def _move(view: View, card_id: str, now: datetime) -> View:
    mode = view.mode if view.mode == "help" else "cards"
    return replace(view, focus=card_id, focus_since=now, held=False, mode=mode, details=False, scroll=0, clipped=False)


def _event(view: View, delivery: CardDelivery, at: datetime, now: datetime) -> View:
    for one in cards_of(delivery):
        view = _event(view, one, at, now)
    card_id = cards.card_id_of(delivery.event)
    if not card_id:
        return _told(view, delivery, now)
    before = find(view, card_id)
    card = cards.take(before, delivery, at, partial(Shown, since=now))
    if card is None or card is before:
        return view
    if card.phase == "snoozed":
        view = replace(view, cards=tuple(one for one in view.cards if one.id != card.id))
        return _snoozed(view, delivery, card.prediction, now) if isinstance(delivery.event, PredictionSnoozed) else view
    return _placed(view, card, now)


def _placed(view: View, card: Shown, now: datetime) -> View:
    """Show a card as it is now; another text under the focus has to be looked at before it can be answered."""
    before = find(view, card.id)
    is_same_phase = before is not None and before.phase == card.phase
    stays_s = FAILED_FOLD_S if card.run_end and card.prediction.status is not Status.EXECUTED else FOLD_S
    shown = replace(
        card,
        since=before.since if before is not None and is_same_phase else now,
        sending=card.sending and card.phase == "open",
        fold_at=now + timedelta(seconds=stays_s) if card.phase == "settled" else None,
    )
    same_text = before is not None and before.prediction.card_hash == card.prediction.card_hash
    view = put(view, shown)
    return _move(view, card.id, now) if card.phase == "open" and card.id == view.focus and not same_text else view


def _snoozed(view: View, delivery: CardDelivery, prediction: Prediction, now: datetime) -> View:
    until = prediction.snoozed_until.astimezone(now.tzinfo) if prediction.snoozed_until else None
    when = (
        f" until {until:%H:%M}" if until and until.date() == now.date() else f" until {until:%a %H:%M}" if until else ""
    )
    text = f"{SAY.title('snooze.done')}{when}, on every surface: {prediction.prompt}"
    until_shown = now + timedelta(seconds=NOTICE_S)
    return _notice(view, Notice(text=text, until=until_shown, delivery_id=delivery.delivery_id))


def _told(view: View, delivery: CardDelivery, now: datetime) -> View:
    event = delivery.event
    tone: Tone = "warn"
    if isinstance(event, CostApproaching):
        spent = SAY.say("cost", spent=event.spent_usd, cap=event.cap_usd)
        text = f"{SAY.title(f'cost.{event.window}')}: {spent}."
    elif isinstance(event, Paused):
        text = f"{SAY.title('paused')}: {event.reason}"
    elif isinstance(event, Resumed):
        text, tone = SAY.say("resumed.means"), "plain"
    elif isinstance(event, DigestReady):
        meanwhile = " · ".join(opening(event, SAY))
        text, tone = f"{meanwhile} {f'{SAY.put(heading(event))}.' if event.cards else ''}".strip(), "plain"
    else:
        return view
    until = now + timedelta(seconds=60.0)
    return _notice(view, Notice(text=text, tone=tone, until=until, delivery_id=delivery.delivery_id))


def _verdict(view: View, verdict: Verdict, now: datetime) -> tuple[View, tuple[Intent, ...]]:
    sent = next((one for one in view.sent if one.decision.decision_id == verdict.decision_id), None)
    view = replace(view, sent=tuple(one for one in view.sent if one is not sent))
    card = find(view, sent.decision.card_id) if sent else None
    if card is not None:
        view = put(view, replace(card, sending=False))
    if sent is None and verdict.code == "repeated":  # it was handed in again, and the first verdict came after all
        return view, ()
    if not verdict.accepted and verdict.prediction is not None:
        view = _corrected(view, verdict.prediction, now)
    text = verdict.message or ("Taken." if verdict.accepted else f"Not accepted ({verdict.code}).")
    view = say(view, text, now, "good" if verdict.accepted else "bad")
    acted = verdict.accepted and sent is not None
    report = (Report(delivery_id=sent.delivery_id, state=DeliveryState.ACTED),) if acted and sent else ()
    return settle_focus(view, now), report


def _corrected(view: View, prediction: Prediction, now: datetime) -> View:
    """Show a card as the hub has it, after it refused our answer to another state of it."""
    card = find(view, prediction.id)
    return view if card is None else _placed(view, cards.correct(card, prediction, now), now)


def _expired(card: Shown, now: datetime) -> Shown:
    if not card.is_answerable or card.prediction.expires_at > now:
        return card
    return replace(cards.expire(card), fold_at=now + timedelta(seconds=FOLD_S))


def _next_age(card: Shown, now: datetime) -> datetime:
    """Ages are shown in seconds for a minute, then in minutes."""
    age_s = (now - card.prediction.created_at).total_seconds()
    left_s = (card.prediction.expires_at - now).total_seconds()
    wait_s = 1.0 if age_s < 60.0 or left_s < 60.0 else 60.0 - age_s % 60.0  # noqa: PLR2004  seconds of a minute
    return now + timedelta(seconds=max(1.0, min(wait_s, left_s)))


def _notice(view: View, notice: Notice) -> View:
    others = tuple(one for one in view.notices if one.text != notice.text)
    return replace(view, notices=(*others, notice)[-NOTICES_MAX:])


def _bounded(shown: tuple[Shown, ...]) -> tuple[Shown, ...]:
    if len(shown) <= CARDS_MAX:
        return shown
    oldest = next((card for card in shown if card.phase == "settled"), shown[0])
    return tuple(card for card in shown if card is not oldest)
