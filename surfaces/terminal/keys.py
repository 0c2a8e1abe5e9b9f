"""What a key does. A person's answer leaves here as an intent; nothing else answers."""

from datetime import datetime, time, timedelta

from msgspec.structs import replace

from hub.contract.permission import Act, PermissionAnswer
from hub.contract.surface import Decision
from hub.contract.words import AFTER_FAILURE, HumanInput, Risk, Source, Status, Verb
from hub.kit.fates import fate_of
from hub.kit.shown import shown_part
from surfaces.terminal.alike import alike_to, still_open
from surfaces.terminal.answering import begin, choose, write
from surfaces.terminal.asked import KEYS
from surfaces.terminal.editing import edit
from surfaces.terminal.handing import sent_now
from surfaces.terminal.story import put, say, settle_focus
from surfaces.terminal.view import Intent, Quit, Shown, View
from surfaces.terminal.words import SAY, elsewhere

SETTLING_S = 0.6
"""After the focus moved by itself, or its text changed, an answer within this time was meant for something else."""
EVENING, MORNING = time(19), time(8)
MARK = "⟨"

Pressed = tuple[View, tuple[Intent, ...]]

MEANING = {
    "a": "approve",
    "right": "approve",
    "d": "dismiss",
    "left": "dismiss",
    "s": "snooze",
    "up": "snooze",
    "e": "edit",
    "u": "undo",
    "x": "stop",
    "r": "retry",
    "f": "fix",
    "g": "ignore",
    "l": "less",
    "n": "never",
    "y": "alike",
    "i": "details",
    "enter": "details",
    "j": "next",
    "down": "next",
    "tab": "next",
    "k": "previous",
    "shift-tab": "previous",
    " ": "scroll",
    "page-down": "scroll",
    "b": "scroll-back",
    "page-up": "scroll-back",
    "?": "help",
    "h": "help",
    "q": "quit",
}
NOTHING_FAILED = {
    "retry": "It has not failed, so there is nothing to try again.",
    "fix": "It has not failed, so there is nothing to fix.",
    "ignore": "It has not failed, so there is nothing to ignore.",
}
SNOOZES = {"1": "10 min", "2": "1 h", "3": "this evening", "4": "tomorrow"}


def press(view: View, key: str, now: datetime) -> Pressed:
    """Return the view after a key, and what is to be done. `now` is in the person's time zone."""
    if key == "ctrl-c" or (MEANING.get(key) == "quit" and view.mode != "edit"):
        return view, (Quit(),)
    if view.mode == "help":
        return replace(view, mode="cards"), ()
    card = view.focused
    if view.mode == "cards" or card is None:
        return _command(replace(view, mode="cards"), card, key, now)
    modes = {
        "snooze": _choose_snooze,
        "confirm": _confirm,
        "edit": _type,
        "question": _ask,
        "words": _ask,
        "alike": _together,
    }
    return modes[view.mode](view, card, key, now)


def _command(view: View, card: Shown | None, key: str, now: datetime) -> Pressed:
    meaning = MEANING.get(key)
    match meaning:
        case "help":
            return replace(view, mode="help"), ()
        case "next" | "previous":
            return _step(view, 1 if meaning == "next" else -1), ()
        case "scroll" | "scroll-back":
            return _scroll(view, 1 if meaning == "scroll" else -1), ()
        case "details" | "alike":
            more = replace(view, details=not view.details, scroll=0)
            return (more if meaning == "details" else _look_at_alike(view, card, now)), ()
        case "undo":
            return _undo(view, card, now)
        case None if card is not None and key in KEYS and card.prediction.permission is not None:
            return _for_card(view, card, key, now)
        case None:
            return (replace(view, details=False, scroll=0), ()) if key == "escape" else (view, ())
        case _:
            return _for_card(view, card, meaning, now)


def _has_failed(card: Shown) -> bool:
    """Return True of what was put aside, too: it may still be tried again."""
    return fate_of(card.prediction) in {"failed", "ignored"}


def _for_card(view: View, card: Shown | None, meaning: str, now: datetime) -> Pressed:
    if card is None:
        return say(view, "There is no card to answer.", now), ()
    if meaning == "stop":
        return (
            _answer(view, card, Verb.STOP, now)
            if card.phase == "running"
            else (say(view, "It is not running.", now), ())
        )
    is_after_failure = meaning in AFTER_FAILURE
    if is_after_failure and not _has_failed(card):
        return say(view, NOTHING_FAILED[meaning], now), ()
    if not is_after_failure and not card.is_answerable:
        return say(view, "This one is already answered.", now), ()
    moved = view.focus_since
    if moved is not None and now - moved < timedelta(seconds=SETTLING_S):
        return say(view, "The card has just changed. Check it, then press the key.", now, "warn"), ()
    return _after_failure(view, card, meaning, now) if is_after_failure else _answer_open(view, card, meaning, now)


def _after_failure(view: View, card: Shown, meaning: str, now: datetime) -> Pressed:
    if meaning == "retry":
        return _retry(view, card, now)
    verb = Verb(meaning)
    if any(one.decision.card_id == card.id and one.decision.verb is verb for one in view.sent):
        return say(view, "That was already sent.", now), ()
    if verb is Verb.FIX and verb not in card.verbs and Verb.IGNORE in card.verbs:
        return say(view, "No connected agent can fix it: see docs/agents.md.", now, "warn"), ()
    return _answer(view, card, verb, now)


def _retry(view: View, card: Shown, now: datetime) -> Pressed:
    if text := elsewhere(card.prediction):
        return say(view, text, now, "warn"), ()
    if any(one.decision.card_id == card.id and one.decision.verb is Verb.RETRY for one in view.sent):
        return say(view, "It is already being tried again.", now), ()
    if view.clipped:
        return _read_on(view, SAY.fill("There is more: read on (space), then {=retry}."), now), ()
    if card.prediction.risk is Risk.HIGH:
        return replace(view, mode="confirm", after_confirm=Verb.RETRY), ()
    return _answer(view, card, Verb.RETRY, now)


def _answer_open(view: View, card: Shown, meaning: str, now: datetime) -> Pressed:
    match meaning:
        case "dismiss":
            return _answer(view, card, Verb.REJECT, now)
        case "less" | "never":
            return _answer(view, card, Verb(meaning), now)
        case "snooze":
            if card.prediction.snoozes_left <= 0:
                text = SAY.fill("It was {=snooze.done} often enough; {=approve} or {=reject} it.")
                return say(view, text, now, "warn"), ()
            return replace(view, mode="snooze"), ()
        case "edit":
            return _begin_edit(view, card, now), ()
        case _ if meaning in KEYS:
            return _take_option(view, card, meaning, now)
        case _:
            return _approve(view, card, now)


def _begin_edit(view: View, card: Shown, now: datetime) -> View:
    if why := _not_editable(card):
        return say(view, why, now)
    if view.clipped:
        return _read_on(view, SAY.fill("There is more: read on (space), then {=edit}."), now)
    prompt = card.prediction.edit_text or card.prediction.prompt
    editing = replace(view, mode="edit", draft=prompt, cursor=len(prompt))
    if MARK in prompt:  # what is shown is not what would run: marks stand for hidden or deceiving parts
        return say(editing, f"Parts are shown as {MARK}…⟩: write them out, or cancel with Esc.", now, "warn")
    return editing


def _not_editable(card: Shown) -> str:
    """Say why other words would change nothing; empty where they would."""
    permission = card.prediction.permission
    if card.prediction.source is Source.ASK and permission is None:
        return "A question can only be answered, not edited."
    if card.prediction.editable:
        return ""
    if permission is not None:
        return "The agent cannot take an edit; dismiss it, and tell the agent what you want instead."
    return "This runs a fixed command; changing the text would have no effect."


def _take_option(view: View, card: Shown, key: str, now: datetime) -> Pressed:
    """Answer with one of an agent's options, or begin with its questions where it asks some."""
    permission, place = card.prediction.permission, KEYS.index(key)
    if permission is None:
        return view, ()
    if permission.act is Act.QUESTION:
        begun, _ = _approve(view, card, now)
        return _ask(begun, card, key, now) if begun.mode == "question" else (begun, ())
    if place >= len(permission.options):
        return view, ()
    option = permission.options[place]
    if option.refuses:
        return _answer(view, card, Verb.REJECT, now, permission=PermissionAnswer(option=option.id))
    return _approve(replace(view, option=option.id), card, now)


def _ask(view: View, card: Shown, key: str, now: datetime) -> Pressed:
    permission = card.prediction.permission
    if permission is None or not card.is_answerable:
        return say(replace(view, mode="cards"), "It was already answered; nothing was sent.", now, "warn"), ()
    asked, answer = (choose if view.mode == "question" else write)(view, permission, key)
    return (asked, ()) if answer is None else _answer(asked, card, Verb.APPROVE, now, permission=answer)


def _approve(view: View, card: Shown, now: datetime) -> Pressed:
    option, view = view.option, replace(view, option="")
    permission = card.prediction.permission
    if text := elsewhere(card.prediction):
        return say(view, text, now, "warn"), ()
    if view.clipped:
        return _read_on(view, SAY.fill("There is more: read on (space), then {=approve}."), now), ()
    if permission is not None and permission.act is Act.QUESTION:
        return begin(view, permission), ()
    if card.prediction.risk is Risk.HIGH:
        return replace(view, mode="confirm", after_confirm=Verb.APPROVE, option=option), ()
    return _answer(view, card, Verb.APPROVE, now, permission=PermissionAnswer(option=option) if option else None)


def _read_on(view: View, why: str, now: datetime) -> View:
    shown = replace(_scroll(view, 1) if view.details else view, details=True)
    return say(shown, why, now, "warn")


def _confirm(view: View, card: Shown, key: str, now: datetime) -> Pressed:
    option, view = view.option, replace(view, mode="cards", option="")
    if view.after_confirm is Verb.RETRY and key == "y" and _has_failed(card):
        return _answer(view, card, Verb.RETRY, now)
    if key != "y" or not card.is_answerable or view.after_confirm is Verb.RETRY:
        return say(view, SAY.fill("Not {=approve.done}; nothing was sent."), now), ()
    if view.after_confirm is Verb.EDIT:
        return _answer(view, card, Verb.EDIT, now, prompt=view.draft)
    return _answer(view, card, Verb.APPROVE, now, permission=PermissionAnswer(option=option) if option else None)


def _look_at_alike(view: View, card: Shown | None, now: datetime) -> View:
    """Show those that are alike, each whole; what comes later is not among them."""
    listed = () if card is None else alike_to(view, card)
    if not listed:
        is_asked = card is not None and card.prediction.alike
        return say(view, "There is nothing else like it.", now) if is_asked else view
    shown = tuple((one.id, one.prediction.card_hash) for one in listed)
    return replace(view, mode="alike", listed=shown, focus_since=now, details=False, scroll=0, clipped=True)


def _together(view: View, card: Shown, key: str, now: datetime) -> Pressed:
    """Answer all that are listed, each by itself and as it was shown."""
    del card
    meaning = MEANING.get(key)
    if meaning in {"scroll", "scroll-back"}:
        return _scroll(view, 1 if meaning == "scroll" else -1), ()
    back = replace(view, mode="cards", listed=(), scroll=0)
    if meaning != "alike":
        return back, ()
    if view.focus_since is not None and now - view.focus_since < timedelta(seconds=SETTLING_S):
        return say(view, "The list has just appeared. Check it, then press the key.", now, "warn"), ()
    if view.clipped:
        return say(_scroll(view, 1), "There is more: read on (space), then y.", now, "warn"), ()
    intents: tuple[Intent, ...] = ()
    for one in still_open(view):
        back, given = _answer(back, one, Verb.APPROVE, now)
        intents += given
    missing = len(view.listed) - len(intents)
    return (say(back, f"{missing} of them could not be answered.", now, "warn") if missing else back), intents


def _choose_snooze(view: View, card: Shown, key: str, now: datetime) -> Pressed:
    view = replace(view, mode="cards")
    until = snooze_until(key, now)
    if until is None:
        return say(view, SAY.fill("Not {=snooze.done}."), now), ()
    return _answer(view, card, Verb.SNOOZE, now, until=until)


def snooze_until(key: str, now: datetime) -> datetime | None:
    """Return the moment that a choice of `SNOOZES` means; None for any other key."""
    today = now.date()
    evening = datetime.combine(today, EVENING, tzinfo=now.tzinfo)
    choices = {
        "1": now + timedelta(minutes=10),
        "2": now + timedelta(hours=1),
        "3": evening if evening > now else now + timedelta(hours=2),
        "4": datetime.combine(today + timedelta(days=1), MORNING, tzinfo=now.tzinfo),
    }
    return choices.get(key)


def _type(view: View, card: Shown, key: str, now: datetime) -> Pressed:
    if key == "escape":
        return say(replace(view, mode="cards"), "Not changed; nothing was sent.", now), ()
    if key == "enter":
        return _finish_edit(view, card, now)
    draft, cursor = edit(view.draft, view.cursor, key)
    return replace(view, draft=draft, cursor=cursor), ()


def _finish_edit(view: View, card: Shown, now: datetime) -> Pressed:
    draft = view.draft.strip()
    if not draft:
        return say(view, "Write what should be done, or press Escape.", now, "warn"), ()
    if not card.is_answerable:
        return say(replace(view, mode="cards"), "It was already answered; nothing was sent.", now, "warn"), ()
    view = replace(view, mode="cards", draft=draft)
    if card.prediction.risk is Risk.HIGH:
        return replace(view, mode="confirm", after_confirm=Verb.EDIT), ()
    if draft == (card.prediction.edit_text or card.prediction.prompt):
        return _answer(view, card, Verb.APPROVE, now)
    return _answer(view, card, Verb.EDIT, now, prompt=draft)


def _undo(view: View, card: Shown | None, now: datetime) -> Pressed:
    """Undo the focused card's answer, or else the latest answer that can be undone."""
    undoable = [one for one in view.cards if Verb.UNDO in one.verbs and one.token]
    chosen = card if card in undoable else max(undoable, key=lambda one: one.since, default=None)
    if chosen is None:
        running = card is not None and card.phase == "running"
        return say(view, "x stops it." if running else "There is nothing to undo.", now), ()
    return _answer(view, chosen, Verb.UNDO, now)


def _answer(
    view: View,
    card: Shown,
    verb: Verb,
    now: datetime,
    *,
    prompt: str | None = None,
    until: datetime | None = None,
    permission: PermissionAnswer | None = None,
) -> Pressed:
    if verb not in card.verbs or not card.token:
        return say(view, f"This card cannot be answered with {verb} here.", now, "warn"), ()
    if view.link != "up":
        return say(view, "There is no connection; your answer was not sent. Try again in a moment.", now, "bad"), ()
    number = view.decisions + 1
    decision_id = f"{view.device}-{card.id}-{verb}-{now:%Y%m%d%H%M%S%f}-{number}"
    decision = Decision(
        decision_id=decision_id,
        card_id=card.id,
        verb=verb,
        card_hash=card.prediction.card_hash,
        token=card.token,
        human_input=HumanInput.KEY,
        at=now,
        prompt=prompt,
        until=until,
        permission=permission,
        shown=shown_part(is_whole=not view.clipped),
    )
    sent = sent_now(decision, card)
    view = replace(view, decisions=number, sent=(*view.sent, sent), details=False, scroll=0)
    if card.phase == "open" and card.prediction.status is Status.PENDING:
        view = put(view, replace(card, sending=True))
    return _after(view, card, now), (decision,)


def _after(view: View, card: Shown, now: datetime) -> View:
    """Go on to the next open card when this one was just answered; by the person's own doing, but still unexpected."""
    still_open = [one.id for one in view.cards if one.is_answerable]
    if card.id != view.focus or not still_open:
        return settle_focus(view, now)
    ids = [one.id for one in view.cards]
    later = [one for one in still_open if ids.index(one) > ids.index(card.id)]
    return replace(view, focus=(later or still_open)[0], focus_since=now, held=False, clipped=False)


def _step(view: View, by: int) -> View:
    if not view.cards:
        return view
    ids = [card.id for card in view.cards]
    index = ids.index(view.focus) if view.focus in ids else -1 if by > 0 else 0
    chosen = ids[(index + by) % len(ids)]
    return replace(view, focus=chosen, focus_since=None, held=True, details=False, scroll=0, clipped=False)


def _scroll(view: View, pages: int) -> View:
    return replace(view, scroll=max(0, view.scroll + pages * view.page_rows))
