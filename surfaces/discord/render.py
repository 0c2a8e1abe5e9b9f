"""What each event looks like on Discord. Pure: values in, a message within all of Discord's limits out.

The parts have budgets that add up to less than the 6,000 characters of a message, so nothing is ever cut twice; what
does not fit is in an attachment. Times are Discord's own timestamps, so everybody reads them in their own time zone.
"""

from hub.contract.api import CrossPollStatus, Prediction
from hub.contract.permission import Permission
from hub.contract.runs import PlannedRun
from hub.contract.surface import LOUD, Loudness
from hub.contract.words import Autonomy, Risk, Source, Verb
from hub.kit.changed import changed_said
from hub.kit.chat.card import ChatCard
from hub.kit.fates import Fate, fate_of
from hub.kit.naming import agent_title, elsewhere_said, origin_of, place_of, share_sure, sure_of, where_of, who_of
from hub.kit.permissions import effects_said, pieces
from hub.kit.phrase_files import phrases
from hub.kit.text import counted
from hub.kit.wordings import follows_said
from surfaces.discord import tally_text
from surfaces.discord.buttons import button, failure_buttons, open_buttons, wish_buttons
from surfaces.discord.card import Note, voted
from surfaces.discord.limits import Attached, Button, Embed, Field, Footer, Rendered
from surfaces.discord.menus import can_ask, form_fields, menus
from surfaces.discord.readable import NEW_UNITS, RUNS_UNITS, TEXT_UNITS, keeps_yes_away, new_here, told
from surfaces.discord.settings import Config
from surfaces.discord.text import block, escaped, is_cut, lines, moment, one_line, plain
from surfaces.discord.votes import Mark, Tally

TITLE_UNITS, RESULT_UNITS = 200, 3_000
WHY_UNITS, WHY_SHORT_UNITS, NOTE_UNITS, WHO_UNITS = 800, 240, 300, 80
PLAN_UNITS, FENCE_UNITS = 900, 16
FOOTER_UNITS, FILE_UNITS = 160, 200_000
BAR_CELLS = 10
MARKS_SHOWN = 3
BLUE, GREEN, RED, AMBER, GREY, VIOLET = 0x5865F2, 0x57F287, 0xED4245, 0xFEE75C, 0x99AAB5, 0x9B59B6
TONES = {"plain": BLUE, "warn": AMBER, "bad": RED, "good": GREEN}
LIGHTS = {
    Autonomy.WATCHING: BLUE,
    Autonomy.PRIMING: AMBER,
    Autonomy.AUTONOMOUS: GREEN,
    Autonomy.PAUSED: AMBER,
    Autonomy.DISABLED: RED,
}
ENDINGS: dict[Fate, tuple[str, int]] = {
    "executed": ("✅ {=Executed}", GREEN),
    "handed_over": ("📤 {=Handed_over}", GREY),
    "failed": ("❌ {=Failed}", RED),
    "ignored": ("🙈 {=Ignored}", GREY),
    "mended": ("✅ {=Mended}", GREEN),
    "expired": ("⌛ {=Expired}", GREY),
    "passed": ("⌛ {=Passed}", GREY),
    "cancelled": ("↩️ {=Cancelled}", GREY),
    "rejected": ("✖️ {=Rejected}", GREY),
    "confirmed": ("✔️ {=Confirmed}", GREEN),
    "pending": ("↪️ {=Returned} below", GREY),
}
ENDED_SO: frozenset[Fate] = frozenset({"ignored", "mended", "handed_over"})
"""Ends of a run that are neither done nor failed."""
SAY = phrases()


def render_card(
    card: ChatCard, marks: frozenset[Mark], tally: Tally, config: Config, *, details: bool = False
) -> Rendered:
    """Draw a card in whatever state it is; `details` shows the whole reasoning."""
    heading, colour = _heading(card)
    title = SAY.fill(heading)
    prediction = card.prediction
    hidden, prompt = card.is_hidden, prediction.prompt
    embed = Embed(
        title=title if card.is_nameless else f"{title} · {one_line(place_of(prediction, SAY), TITLE_UNITS - 60)}",
        description="*The text is hidden here. Press Details to read it.*" if hidden else told(prediction),
        color=colour,
        fields=_fields(card, marks, tally, config, details=details and not hidden),
        footer=Footer(text=plain(f"pulse why {card.id}", FOOTER_UNITS)),
    )
    cut = not hidden and is_cut(prompt, TEXT_UNITS)
    files = (Attached(name="prompt.txt", text=lines(prompt, FILE_UNITS)),) if cut else ()
    ping = called(config, card.loudness) if card.phase == "open" else ""
    return Rendered(
        embeds=(embed,), buttons=_buttons(card), menus=menus(card), files=files, content=ping_text(ping), ping=ping
    )


def render_result(card: ChatCard, config: Config) -> Rendered:
    """Draw how an execution ended, as a message of its own; a long output is attached whole."""
    failed, fate = card.has_failed, fate_of(card.prediction)
    title, colour = ENDINGS["failed" if failed else fate if fate in ENDED_SO else "executed"]
    text = card.result or card.prediction.outcome or "No output."
    what = (Field(name="What", value=_what_ran(card.prediction) or "—"),)
    embed = Embed(
        title=SAY.fill(title),
        description="*The output is hidden here.*" if card.is_hidden else block(text, RESULT_UNITS),
        color=colour,
        fields=() if card.is_hidden else what,
        footer=Footer(text=plain(f"run {card.run_id or card.id} · pulse why {card.id}", FOOTER_UNITS)),
    )
    cut = not card.is_hidden and is_cut(text, RESULT_UNITS - 16)
    files = (Attached(name="output.txt", text=lines(text, FILE_UNITS)),) if cut else ()
    after = failure_buttons(card.id, card.prediction.card_hash, card.verbs) if failed else ()
    ping = called(config, card.loudness) if failed else ""
    return Rendered(embeds=(embed,), buttons=after, files=files, content=ping_text(ping), ping=ping)


def render_details(card: ChatCard) -> Rendered:
    """Draw everything about a card, for one person's eyes."""
    prediction = card.prediction
    plan, origin, agent = _plan(prediction.runs), origin_of(prediction, SAY), agent_title(prediction.target_agent, SAY)
    embed = Embed(
        title="Details",
        description=told(prediction),
        color=BLUE,
        fields=(
            Field(name="Why", value=escaped(prediction.reasoning, WHY_UNITS) or "—"),
            *([Field(name="What would run", value=block(plan, PLAN_UNITS))] if plan else []),
            Field(name="Agent", value=one_line(agent, WHO_UNITS) or "—", inline=True),
            Field(name="Risk", value=str(prediction.risk), inline=True),
            *([Field(name="Origin", value=origin, inline=True)] if origin else []),
            *((_cost(card),) if prediction.cost_estimate_usd else ()),
            Field(name="Made", value=moment(prediction.created_at), inline=True),
        ),
        footer=Footer(text=plain(f"pulse why {card.id} · {card.prediction.card_hash}", FOOTER_UNITS)),
    )
    whole = (("prompt.txt", prediction.prompt, TEXT_UNITS), ("runs.txt", plan, PLAN_UNITS - FENCE_UNITS))
    cut = tuple(Attached(name=name, text=lines(text, FILE_UNITS)) for name, text, units in whole if is_cut(text, units))
    wishes = wish_buttons(card.id, card.prediction.card_hash, card.verbs) if card.phase == "open" else ()
    return Rendered(embeds=(embed,), files=cut, buttons=wishes)


def render_again(card: ChatCard) -> Rendered:
    """Ask somebody a second time about what is of high risk: with all of its text again, for their eyes alone."""
    embed = Embed(title=f"⚠️ {SAY.title('shown.again')}", description=told(card.prediction), color=RED)
    return Rendered(embeds=(embed,), buttons=(button("confirm", card.id, card.prediction.card_hash),))


def render_status(status: CrossPollStatus | None, *, connected: bool) -> Rendered:
    """Draw the one status message, which is edited in place."""
    footer = Footer(text="Pulse status")
    if status is None or not connected:
        text = "Pulse is not reachable right now. The above may be out of date; votes are kept."
        return Rendered(embeds=(Embed(title="🔌 Not connected", description=text, color=GREY, footer=footer),))
    spent = (
        ("hour", status.cost_this_hour, status.cost_cap_per_hour),
        ("day", status.cost_today, status.cost_cap_per_day),
        ("month", status.cost_this_month, status.cost_cap_per_month),
    )
    rows = tuple(
        Field(name=SAY.title(f"span.{window}"), value=SAY.say("cost.of", spent=is_now, cap=cap), inline=True)
        for window, is_now, cap in spent
    )
    waiting = counted(status.pending, "open card")
    quiet = " · quiet hours" if status.quiet else ""
    embed = Embed(
        title=f"🔮 {SAY.say('acts.title', state=SAY.say(f'acts.{status.state.value}'))}",
        description=f"{waiting}{quiet}\n{one_line(status.reason, NOTE_UNITS)}".strip(),
        color=LIGHTS[status.state],
        fields=rows,
        footer=footer,
    )
    return Rendered(embeds=(embed,))


def render_note(note: Note, config: Config) -> Rendered:
    """Draw a cost cap, a pause or a resumption."""
    embed = Embed(
        title=note.title,
        description=escaped(note.text, WHY_UNITS),
        color=TONES[note.tone],
        footer=Footer(text=plain(f"Pulse note {note.delivery_id}", FOOTER_UNITS)),
    )
    ping = config.owner_id if note.loudness == "alert" and config.alert_owner else ""
    return Rendered(embeds=(embed,), content=ping_text(ping), ping=ping)


def render_unknown(card_id: str) -> Rendered:
    """Draw a message whose card the hub does not know any more."""
    text = "Pulse no longer knows this one. Nothing can be answered here."
    footer = Footer(text=plain(f"pulse why {card_id}", FOOTER_UNITS))
    return Rendered(embeds=(Embed(title="⌛ Gone", description=text, color=GREY, footer=footer),))


def called(config: Config, loudness: Loudness) -> str:
    """Return who is mentioned by a message that needs an answer: the owner, where it is to be heard."""
    return config.owner_id if config.alert_owner and loudness in LOUD else ""


def ping_text(user_id: str) -> str:
    """Return the words that mention somebody; empty for nobody."""
    return f"<@{user_id}>" if user_id else ""


def _heading(card: ChatCard) -> tuple[str, int]:
    match card.phase:
        case "open":
            return ("🔮 {=New_ask}", VIOLET) if card.prediction.source is Source.ASK else ("🔮 {=New}", BLUE)
        case "snoozed":
            return "⏰ {=Snooze.done}", GREY
        case "waiting":
            return "✔️ {=Confirmed.starting}", GREEN
        case "running":
            return ("▶️ {=Started.alone}" if card.autonomous else "▶️ {=Started}"), AMBER
        case _:
            return ENDINGS[fate_of(card.prediction)]


def _fields(
    card: ChatCard, marks: frozenset[Mark], tally: Tally, config: Config, *, details: bool
) -> tuple[Field, ...]:
    prediction = card.prediction
    sure = sure_of(prediction)
    bar = "" if sure is None else _bar(share_sure(prediction), SAY.written(sure))
    found = [Field(name="Confidence", value=bar, inline=True)] if bar else []
    if prediction.permission is not None and not card.is_hidden and not prediction.asked:
        found += _about_permission(prediction.permission)
    if prediction.risk is not Risk.LOW:
        found.append(Field(name="Risk", value=f"⚠️ {prediction.risk}", inline=True))
    why = escaped(prediction.reasoning, WHY_UNITS if details else WHY_SHORT_UNITS)
    if why and not card.is_hidden:
        found.append(Field(name="Why", value=why))
    if prediction.runs is not None and not card.is_hidden and card.phase in {"open", "waiting", "running"}:
        found.append(Field(name="What would run", value=_runs(prediction.runs, RUNS_UNITS)))
    if card.phase == "open":
        found.append(Field(name="Expires", value=moment(prediction.expires_at), inline=True))
        if elsewhere := elsewhere_said(prediction, SAY):
            found.append(Field(name="To approve it", value=f"{elsewhere}."))
        elif keeps_yes_away(card):
            found.append(Field(name="To approve it", value=f"{SAY.title('shown.part', card=card.id)}."))
        found.append(Field(name="Vote", value=tally.note or "—", inline=True))
        found += tally_text.fields(marks, tally, voted(card), config.emoji)
    ending = _ending(card)
    if ending:
        found.append(Field(name="Outcome", value=ending))
    return tuple(found)


def _what_ran(prediction: Prediction) -> str:
    texts = changed_said(prediction, SAY) or (prediction.prompt,)
    return "\n".join(one_line(one, WHY_SHORT_UNITS) for one in texts)


def _about_permission(permission: Permission) -> list[Field]:
    """What it would do, where that stands in its text, and what is new about it here."""
    marked = [f"⚠️ {one_line(one.text, WHY_SHORT_UNITS)}" for one in pieces(permission) if one.is_dangerous]
    rows = (
        ("What it does", effects_said(permission, SAY)),
        ("Look at", "\n".join(marked[:MARKS_SHOWN])),
        ("In", one_line(permission.folder, WHY_SHORT_UNITS)),
        ("New here", escaped(new_here(permission), NEW_UNITS)),
    )
    return [Field(name=name, value=value) for name, value in rows if value.strip()]


def _runs(runs: PlannedRun, units: int) -> str:
    """What would run as one line; one that is cut says so."""
    text = one_line(runs.line, units)
    return f"{text}\n*Shortened: Details shows everything.*" if is_cut(runs.line, units) else text


def _plan(runs: PlannedRun | None) -> str:
    if runs is None:
        return ""
    files = "\n".join(f"{file.path} {file.sha256[:12]}" for file in runs.defined_by)
    held = f"Containment: {runs.containment}" if runs.containment else ""
    doubt = f"Always asks, because some of the files it depends on are unknown: {runs.unclear}" if runs.unclear else ""
    lines = (runs.line, runs.folder, runs.script, ", ".join(runs.environment), held, doubt, files)
    return "\n".join(filter(None, lines))


def _ending(card: ChatCard) -> str:
    """Say who settled it where and why, or what keeps it open."""
    prediction, settled = card.prediction, card.prediction.settled
    if card.phase == "open":
        why = (SAY.title("chat.refused") if card.is_nameless else card.refused) if card.refused else ""
        why = why or ("" if card.is_hidden else prediction.outcome)
        return f"⚠️ {one_line(why, NOTE_UNITS)}" if why else ""
    if card.phase == "snoozed":
        return f"Back {moment(prediction.snoozed_until)}" if prediction.snoozed_until else "Back later"
    words = []
    if settled is not None:
        said = SAY.say(f"{settled.verb.value}.by", who=who_of(settled.by), where=where_of(settled.surface))
        words.append(f"{one_line(said, 3 * WHO_UNITS)} {moment(settled.at)}")
        if settled.reason and not card.is_hidden:
            words.append(one_line(settled.reason, 2 * NOTE_UNITS))
        words += filter(None, (follows_said(prediction, SAY),))
    elif card.autonomous:
        words.append("It was safe enough for autopilot.")
    return "\n".join(words)


def _buttons(card: ChatCard) -> tuple[Button, ...]:
    if card.phase == "open":
        takes_words = can_ask(card) and bool(form_fields(card))
        return open_buttons(card.id, card.prediction.card_hash, voted(card), takes_words=takes_words)
    row: list[Button] = []
    if card.phase == "running" and Verb.STOP in card.verbs:
        row.append(button("stop", card.id, card.prediction.card_hash))
    if card.phase in {"waiting", "settled"} and Verb.UNDO in card.verbs:
        row.append(button("undo", card.id, card.prediction.card_hash))
    return tuple(row)


def _cost(card: ChatCard) -> Field:
    return Field(name="Cost", value=f"${card.prediction.cost_estimate_usd:.2f}", inline=True)


def _bar(share: float, said: str) -> str:
    filled = round(share * BAR_CELLS)
    return f"{'▰' * filled}{'▱' * (BAR_CELLS - filled)} {said}"
