"""What a person lets an agent do without being asked: offered on a card, kept by their own yes, used, taken back.

Theory: only the answer of a person who is known to be one, to the very card that showed the pattern in words, makes a
grant; an option's id is a digest of its pattern and its end, so a yes is to these and no others. What is counted leads
to a question and nothing more. A use is written down in the transaction that lets it through, and whether a grant holds
is decided in the one loop: what was taken back lets nothing more through.
"""

from datetime import timedelta
from functools import reduce
from typing import Literal

from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.permission import Act, Lasts, Permission, PermissionAnswer, PermissionOption
from hub.contract.phrasing import Phrasing
from hub.contract.words import MoveReason, Origin, Risk, Source, Verb
from hub.domain.canonical import digest, visible
from hub.domain.permission_grant import (
    FORM,
    OPTION_PREFIX,
    ChangedGrant,
    GrantEvent,
    GrantOption,
    PermissionGrant,
)
from hub.domain.provenance import say
from hub.domain.requests import GrantUsed, Refused, Reply, UseGrant
from hub.domain.suggestion import Answer, Card, Factors, Need, Proposal, Work
from hub.domain.worded import Worded
from hub.kit.text import one_line
from hub.loop import refusals
from hub.loop.draft import Draft
from hub.loop.fresh_card import fresh_card
from hub.loop.grant_choices import chosen, history
from hub.loop.grant_record import record
from hub.loop.grant_words import summary_of, summary_told
from hub.loop.grants import note_answer
from hub.loop.own_cards import NOTHING_RUNS, put_own, settle_own, undo_own
from hub.loop.standing_views import end_of
from hub.loop.tell import tell_status
from hub.loop.unusual import is_near
from hub.loop.views import is_killed
from hub.may import GRANTS_MAX, AskedOfGrants, renewed, unasked
from hub.what import is_kind_wanted

OFFERED_MAX = 200
OFFERS_APART = timedelta(hours=1)
USED_WITHIN = timedelta(minutes=1)
USED_MAX = 300
"""So often may grants be used within that time, all together; what is more is asked about."""
KIND = "let-agent"
CHANGED_SHOWN_FOR = timedelta(days=30)
UPDATE = "update"
"""Who narrowed or ended a grant that was made in an older form."""
TEXT_CHARS_MAX = 500
GIVEN = "grant.given"
"""The code of what a card says on which a grant was given."""
ASKS_AGAIN = say("From now on Pulse asks about this again.")


def shown_with(asked: Permission, offered: tuple[GrantOption, ...]) -> Permission:
    """Return a request with the grants among its options, the narrow before the wide.

    What is for this once, or a no, stays first; then come the hub's own offers, held to what was seen, which end;
    last what the agent itself would let on from now on. No option of an agent's passes for one of the hub's.
    """
    own = tuple(one for one in asked.options if not one.id.startswith(OPTION_PREFIX))
    wide = tuple(one for one in own if one.lasts is not Lasts.ONCE and not one.refuses)
    plain = tuple(one for one in own if one not in wide)
    ours = tuple(
        PermissionOption(
            id=one.id,
            label=one.label,
            note=one.note,
            lasts=Lasts.ALWAYS,
            label_worded=one.label_worded,
            note_worded=one.note_worded,
        )
        for one in offered
    )
    return replace(asked, options=(*plain, *ours, *wide))


def used_for(draft: Draft, asked: Permission, seen_folder: str, *, is_linked: bool) -> tuple[PermissionGrant, ...]:
    """Return the grants that let this through now, and write down that they did; nothing where a person is to be asked.

    A path that leads elsewhere through a link, and an agent that says another folder than it runs in, are asked about.
    """
    lately = tuple(at for at in draft.state.grants_used if draft.now - USED_WITHIN < at <= draft.now)
    is_elsewhere = bool(seen_folder) and not is_near(asked.folder, seen_folder)
    if is_killed(draft.state) or is_linked or is_elsewhere or len(lately) >= USED_MAX:
        return ()
    found = unasked(AskedOfGrants(asked, draft.mind.grants, draft.now))
    if found is None:
        return ()
    used = found.grants
    draft.state = replace(draft.state, grants_used=(*lately, draft.now))
    ids = {one.id for one in used}
    counted = tuple(
        replace(one, uses=one.uses + 1, last_used_at=draft.now) if one.id in ids else one for one in draft.mind.grants
    )
    draft.set_mind(replace(draft.mind, grants=counted))
    said = one_line(visible(asked.text or asked.target), TEXT_CHARS_MAX)
    for one in used:
        record(draft, GrantEvent(grant_id=one.id, at=draft.now, what="used", by=asked.agent, text=said))
    return used


def on_use(draft: Draft, request: UseGrant, reply_to: str) -> None:
    """Say whether what an agent is about to do is granted."""
    used = used_for(draft, request.permission, request.seen_folder, is_linked=request.is_linked)
    until = min((one.expires_at for one in used), default=None)
    end = "" if until is None else end_of(until, draft.now, draft.state.policy.zone).text
    draft.reply(reply_to, GrantUsed(summary="; ".join(summary_of(one.pattern) for one in used), until=end))


def let_through(draft: Draft, card: Card, used: tuple[PermissionGrant, ...]) -> Card:
    """Settle a card that needs no question, without a word to anybody."""
    draft.add(card)
    first, *others = (say("{grant}", grant=summary_told(one.pattern)) for one in used)
    named = reduce(lambda before, after: say("{before}; {after}", before=before, after=after), others, first)
    outcome = say("You had already allowed this: {grants}.", grants=named)
    settled = replace(card, autonomous=True, settled_at=draft.now, outcome=outcome.text, outcome_worded=outcome.wording)
    return draft.move(settled, MoveReason.AUTO_APPROVED)


def taken_option(draft: Draft, card: Card, answer: Answer) -> GrantOption | Refused | None:
    """Return the grant that an answer takes, as the person chose it; None where it takes none."""
    said = answer.permission or PermissionAnswer()
    option = next((one for one in card.grants if one.id == said.option), None)
    return None if option is None else _as_chosen(draft, card, option, answer)


def _as_chosen(draft: Draft, card: Card, option: GrantOption, answer: Answer) -> GrantOption | Refused:
    """Refuse what is not known to be a person's yes to the card as it was shown, and what may not be chosen."""
    if not answer.is_persons or answer.card_hash != card.card_hash or answer.verb is not Verb.APPROVE:
        return refusals.yes_of_your_own(draft.view(card))
    said = answer.permission or PermissionAnswer()
    found = chosen(option, said, draft.facts.answered, draft.state.policy, draft.now)
    return refusals.does_not_fit(draft.view(card), found.text) if isinstance(found, Worded) else found


def keep_grant(draft: Draft, card: Card, taken: GrantOption, answer: Answer) -> Worded:
    """Keep what a person let an agent do; return that in words."""
    by = f"{answer.surface}/{answer.device}"
    made = PermissionGrant(
        id=draft.new_id("let"),
        pattern=taken.pattern,
        label=taken.label,
        made_at=draft.now,
        expires_at=taken.expires_at,
        card_id=card.id,
        by=by,
    )
    end = hold(draft, made, by)
    tell_status(draft)
    return given_words(end)


def given_words(end: Worded) -> Worded:
    """Return what the card says on which a grant was given that ends then."""
    wording = Phrasing(code=GIVEN, parts={"end": end.wording})
    return Worded(text=f"Allowed without asking until {end.text}.", wording=wording)


def hold(draft: Draft, given: PermissionGrant, by: str) -> Worded:
    """Let a grant hold, in place of one for the same; return until when, in words."""
    others = tuple(one for one in draft.mind.grants if one.pattern != given.pattern)
    draft.set_mind(replace(draft.mind, grants=(*others, given)[-GRANTS_MAX:]))
    end = end_of(given.expires_at, draft.now, draft.state.policy.zone)
    said = say("{what}, until {end}", what=summary_told(given.pattern), end=end)
    event = GrantEvent(grant_id=given.id, at=draft.now, what="made", by=by, text=said.text, text_worded=said.wording)
    record(draft, event)
    return end


def offer(draft: Draft, card: Card, answer: Answer) -> None:
    """Ask, where the same was approved often enough and never refused, whether it need be asked about at all."""
    option = card.grants[0] if card.grants else None
    if option is None or card.permission is None or answer.verb is not Verb.APPROVE or not _is_due(draft, option):
        return
    approved = history(draft.facts.answered, option.pattern, draft.now)[0] + 1
    name = digest(option.pattern)
    draft.set_mind(replace(draft.mind, grants_offered=(*draft.mind.grants_offered, name)[-OFFERED_MAX:]))
    draft.state = replace(draft.state, grant_offered_at=draft.now)
    proposal = _proposal(card, card.permission, option, approved)
    put_own(draft, replace(fresh_card(draft, proposal, None, trigger="cron"), grants=(option,)))


def approve_offer(draft: Draft, card: Card, option: GrantOption, answer: Answer) -> Reply:
    """Take the person's yes to such an offer, and keep it."""
    taken = _as_chosen(draft, card, option, answer)
    if isinstance(taken, Refused):
        return taken
    note_answer(draft, answer)
    outcome = keep_grant(draft, card, taken, answer)
    shown = settle_own(draft, card, answer, outcome)
    return AnswerReply(prediction=shown, message=f"{outcome.text} Remove it with `pulse grants`.")


def is_granted_by(draft: Draft, card: Card) -> bool:
    """Say whether a grant holds that was given on this card."""
    return any(one.card_id == card.id for one in draft.mind.grants)


def take_back(draft: Draft, card: Card, answer: Answer) -> Reply:
    """Take back what was granted on a card, however long ago; what was let through meanwhile stays done."""
    for one in draft.mind.grants:
        if one.card_id == card.id:
            end(draft, one, f"{answer.surface}/{answer.device}")
    return undo_own(draft, card, answer, ASKS_AGAIN)


def end(draft: Draft, given: PermissionGrant, by: str) -> None:
    """End a grant that holds."""
    draft.set_mind(replace(draft.mind, grants=tuple(one for one in draft.mind.grants if one.id != given.id)))
    record(draft, _over(draft, given, "ended", by))
    tell_status(draft)


def record_stop(draft: Draft, *, is_stop: bool, by: str) -> None:
    """Write down that Pulse was stopped, so that no grant lets anything through, or started again."""
    record(draft, GrantEvent(grant_id="", at=draft.now, what="stopped" if is_stop else "started", by=by))


def _over(draft: Draft, given: PermissionGrant, what: Literal["ended", "expired"], by: str) -> GrantEvent:
    said = summary_told(given.pattern)
    return GrantEvent(grant_id=given.id, at=draft.now, what=what, by=by, text=said.text, text_worded=said.wording)


def drop_expired(draft: Draft) -> None:
    """Drop what has expired, for good: a clock that is set back brings none of it back."""
    over = [one for one in draft.mind.grants if one.expires_at <= draft.now]
    for one in over:
        record(draft, _over(draft, one, "expired", "time"))
    if over:
        left = tuple(one for one in draft.mind.grants if one not in over)
        draft.set_mind(replace(draft.mind, grants=left))


def renew(draft: Draft) -> None:
    """Narrow or end what was granted when options were free; keep for a while what became of it, in one list."""
    old = {one.id: one for one in draft.mind.grants if one.pattern.form != FORM}
    shown = tuple(one for one in draft.mind.grants_changed if abs(draft.now - one.at) < CHANGED_SHOWN_FOR)
    if not old:
        if len(shown) < len(draft.mind.grants_changed):
            draft.set_mind(replace(draft.mind, grants_changed=shown))
        return
    left = {one.id: renewed(one.pattern) for one in old.values()}
    for one in old.values():
        record(draft, GrantEvent(grant_id=one.id, at=draft.now, what="ended", by=UPDATE, text=one.label))
        kept = left[one.id]
        if kept is not None:
            record(draft, GrantEvent(grant_id=one.id, at=draft.now, what="made", by=UPDATE, text=summary_of(kept)))
    grants = tuple(
        replace(one, pattern=kept, label=summary_of(kept)) if one.id in left else one
        for one in draft.mind.grants
        if (kept := left.get(one.id, one.pattern)) is not None
    )
    changed = tuple(ChangedGrant(id=one.id, was=one.label, left=left[one.id], at=draft.now) for one in old.values())
    draft.set_mind(replace(draft.mind, grants=grants, grants_changed=(*shown, *changed)[-GRANTS_MAX:]))
    tell_status(draft)


def _is_due(draft: Draft, option: GrantOption) -> bool:
    least = draft.state.policy.earning.permissions_to_offer
    approved, refused, _ = history(draft.facts.answered, option.pattern, draft.now)
    last = draft.state.grant_offered_at
    return (
        0 < least <= approved + 1
        and not refused
        and digest(option.pattern) not in draft.mind.grants_offered
        and not any(one.pattern == option.pattern for one in draft.mind.grants)
        and (last is None or abs(draft.now - last) >= OFFERS_APART)
        and draft.state.open_suggestions < draft.state.policy.pending_max
        and is_kind_wanted(draft.mind, KIND, option.pattern.place, "ask", draft.now)
    )


def _proposal(card: Card, asked: Permission, option: GrantOption, approved: int) -> Proposal:
    agent = card.asker
    shown = f"For example: {one_line(asked.text or asked.target, TEXT_CHARS_MAX)}" if asked.act is not Act.EDIT else ""
    prompt = say(
        "You approved this for {agent} {number} times and never refused it. {label}?",
        agent=agent,
        number=approved,
        label=option.label if option.label_worded is None else Worded(text=option.label, wording=option.label_worded),
    )
    reasoning = say(
        "{agent} would no longer ask about it. You can remove it at any time with `pulse grants`.", agent=agent
    )
    return Proposal(
        prompt=prompt.text,
        channel="ask",
        agent=agent,
        confidence=1.0,
        factors=Factors(twin=None, pattern=1.0, urgency=0.0, time=0.0),
        reasoning=reasoning.text,
        source=Source.TEMPLATE,
        kind=KIND,
        reason_key=f"{KIND}:{digest(option.pattern)}",
        signature=f"{approved}",
        need=Need(text=NOTHING_RUNS, exit_code=None, expected_text=option.id),
        work=Work(workspace=option.pattern.place),
        risk=Risk.MEDIUM,
        cost_estimate_microusd=0,
        routed_by="affinity",
        origin=Origin.PULSE,
        quotes=(),
        details=shown,
        prompt_worded=prompt.worded,
        reasoning_worded=reasoning.worded,
    )
