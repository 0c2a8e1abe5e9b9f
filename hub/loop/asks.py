"""`ask`: an agent or script asks a person for approval of something of its own; Pulse runs nothing for it."""

from datetime import timedelta

import msgspec
from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.events import PredictionSettled
from hub.contract.permission import Permission
from hub.contract.phrasing import Phrasing
from hub.contract.words import Badge, MoveReason, Origin, Risk, Source, Status, TextSource
from hub.domain.canonical import card_hash, digest
from hub.domain.permission_grant import GrantOption
from hub.domain.provenance import say
from hub.domain.requests import LOCAL_CLIENT, RUNS_CLIENT, Ask, Noted, Refused, ReportDone, ReportedEnd, Withdraw
from hub.domain.suggestion import Card, Factors, Need, Proposal, Work
from hub.domain.worded import Worded
from hub.domain.world_requests import ORIGIN_SIGN
from hub.loop.at_agent import first_there
from hub.loop.commands import Tell
from hub.loop.draft import Draft
from hub.loop.grant_choices import options_for
from hub.loop.permission_grants import end, let_through, shown_with, used_for
from hub.loop.permissions import read_permission
from hub.loop.refusals import already_settled, key_reused, unknown_card
from hub.loop.state import AskedLately
from hub.loop.tell import tell_asked, tell_new, tell_settled
from hub.loop.views import status_of
from hub.may import why_not
from hub.screening import screen

ASK_CHANNEL = "ask"
ASKS_PER_CLIENT_MAX = 20
"""Questions that one client may have open; where it stands for several agents, that each of them may."""
ASKS_RESERVED = 20
"""Of all the questions that may be open, those that only the person's own terminal may ask; a fifth of few."""
ASKED_WITHIN = timedelta(minutes=1)
ASKED_PER_SESSION_MAX, ASKED_PER_CLIENT_MAX, ASKED_MAX = 20, 60, 600
"""So often may an agent's session, a client and all of them ask for leave within that time."""
SHOWN_BYTES_MAX = 131_072
"""A question takes so much at most as it is sent to a device: what is hidden in a text grows as it is made visible."""
REPORTED: dict[ReportedEnd, Worded] = {
    "done": Worded(text="The agent reports that it is done.", wording=Phrasing(code="over.reported_done")),
    "failed": Worded(text="The agent reports that it failed.", wording=Phrasing(code="over.reported_failed")),
    "tested": Worded(text="This was a test of the connection: your yes arrived.", wording=Phrasing(code="over.tested")),
}
"""What a card says of what was approved, once its agent has reported."""
WAITS = say("The program that asked is waiting for your answer.")
OURS = "Pulse"
"""Who ends a permission that a person did not end."""
KEY_CHARS_SHOWN = 24
ID_DIGEST_CHARS = 16


def on_ask(draft: Draft, request: Ask, reply_to: str) -> None:
    """Put the question before the person on every surface; the same key again is the same question."""
    before = draft.facts.repeated
    if before is not None:
        shown = draft.view(before)
        same = before.content == _content(request)
        draft.reply(reply_to, AnswerReply(prediction=shown, repeated=True) if same else key_reused(shown))
        return
    refusal = _full(draft, request) or _too_often(draft, request)
    if refusal is not None:
        draft.reply(reply_to, refusal)
        return
    asked = request.permission
    used = used_for(draft, asked, request.seen_folder, is_linked=request.is_linked) if asked is not None else ()
    if used:
        draft.reply(reply_to, AnswerReply(prediction=draft.view(let_through(draft, _card(draft, request), used))))
        return
    card = first_there(draft, _card(draft, request))
    view = draft.view(card)
    if len(msgspec.json.encode(view)) > SHOWN_BYTES_MAX:
        draft.reply(reply_to, _too_much())
        return
    draft.add(card)
    if card.held is None:
        tell_asked(draft, card)
    else:
        tell_new(draft, card)
    draft.reply(reply_to, AnswerReply(prediction=view))


def on_withdraw(draft: Draft, request: Withdraw, reply_to: str) -> None:
    """Take a question back; it disappears everywhere."""
    card = draft.facts.card
    if card is None or not is_asked_by(card, request.client, request.shares):
        draft.reply(reply_to, unknown_card(request.card_id))
        return
    if card.status is not Status.PENDING and not (request.overrules and _is_answered(card)):
        draft.reply(reply_to, already_settled(draft.view(card), draft.state))
        return
    how = MoveReason.WITHDRAWN if card.status is Status.PENDING else MoveReason.OVERRULED
    settled_at = card.settled_at or draft.now
    prompt = request.ran or (card.proposal.prompt if request.as_asked else card.prompt)
    over = replace(card, outcome=request.why, outcome_worded=request.why_worded, settled_at=settled_at, prompt=prompt)
    if request.ran:  # no standing yes comes of an answer after which something else ran
        for given in [one for one in draft.mind.grants if one.card_id == card.id]:
            end(draft, given, OURS)
    gone = draft.move(over, how)
    draft.reply(reply_to, AnswerReply(prediction=tell_settled(draft, gone), message="Withdrawn."))


def on_report_done(draft: Draft, request: ReportDone, reply_to: str) -> None:
    """Have an approved question say what its agent reports. Pages follow; no device is disturbed a second time."""
    card = draft.facts.card
    if card is None or not is_asked_by(card, request.client):
        draft.reply(reply_to, unknown_card(request.card_id))
        return
    if card.status is not Status.CONFIRMED or not _is_answered(card):
        draft.reply(reply_to, already_settled(draft.view(card), draft.state))
        return
    said = REPORTED[request.how]
    shown = draft.view(draft.keep(replace(card, outcome=said.text, outcome_worded=said.wording)))
    draft.commands.append(Tell(event=PredictionSettled(prediction=shown)))
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def _is_answered(card: Card) -> bool:
    """Say whether a person answered what an agent asked, and the answer stands."""
    is_settled = card.status in {Status.CONFIRMED, Status.REJECTED} and card.settled is not None
    return is_settled and card.permission is not None


def is_asked_by(card: Card, client: str, shares: tuple[str, ...] | None = None) -> bool:
    """Return True if a card is a question that this client may look after: its own; any, for the person's terminal.

    Of a client that stands for several agents only the one that asked may: by a share that is one of these.
    """
    if card.proposal.source is not Source.ASK or client not in {card.owner, LOCAL_CLIENT}:
        return False
    return shares is None or card.proposal.signature in {_of_share(client, one) for one in shares}


def ask_id(client: str, key: str) -> str:
    """Return the card id of an ask: it follows from whose it is and its key, so that a repeated ask finds its card.

    Two clients never meet, whatever keys they use.
    """
    return f"pred_ask_{key[:KEY_CHARS_SHOWN]}_{digest(client, key)[:ID_DIGEST_CHARS]}"


def _content(request: Ask) -> str:
    """Return a digest of all that was asked, as it was asked: nothing in it is masked."""
    said = (request.question, request.details, request.risk, request.timeout_s, request.asker)
    return digest(*said) if request.permission is None else digest(*said, request.permission)


def _full(draft: Draft, request: Ask) -> Refused | None:
    """Refuse a question that does not fit: into its client's share, or into what all of them may have open.

    Questions and suggestions never take each other's places, and the person's own terminal has some of its own.
    """
    asks, all_max = draft.state.open_asks, draft.state.policy.pending_max
    mine, total = asks.get(asker_of(request.client, request.share), 0), sum(asks.values())
    if request.client == LOCAL_CLIENT:
        return _too_many(total, "questions are") if total >= all_max else None
    if mine >= min(ASKS_PER_CLIENT_MAX, all_max):
        return _too_many(mine, "of your questions are")
    if request.share is not None:
        together = sum(count for asker, count in asks.items() if asker.partition(ORIGIN_SIGN)[0] == request.client)
        if not _leaves_room(mine, _others_max(draft) * 3 // 4 - together):
            return _too_many(together, "questions from agents are")
    others = total - asks.get(LOCAL_CLIENT, 0)
    return _too_many(others, "questions are") if others_room(draft) <= 0 else None


def asker_of(client: str, share: str | None) -> str:
    """Return whose share a question takes: a client's, or of one that stands for several agents, one agent's."""
    return client if share is None else _of_share(client, share)


def _of_share(client: str, share: str) -> str:
    return f"{client}{ORIGIN_SIGN}{share}"


def _leaves_room(mine: int, left: int) -> bool:
    """Say whether one of several may take one more place: never more than are left for all the others.

    So the first takes half, each further one half of the rest, and what one of them made up to be many takes less and
    less; together they never have more than all.
    """
    return mine < left


def _others_max(draft: Draft) -> int:
    all_max = draft.state.policy.pending_max
    return all_max - min(ASKS_RESERVED, all_max // 5)


def others_room(draft: Draft) -> int:
    """Return how many questions may come to those that are open, from whoever is not the person's own terminal."""
    asks = draft.state.open_asks
    return _others_max(draft) - (sum(asks.values()) - asks.get(LOCAL_CLIENT, 0))


def _too_often(draft: Draft, request: Ask) -> Refused | None:
    """Count a request for leave; refuse more of them than a person could look at, and more still from one session."""
    if request.permission is None:
        return None
    since = draft.now - ASKED_WITHIN
    lately = tuple(one for one in draft.state.asked_lately if since < one.at <= draft.now)
    session = digest(request.permission.agent, request.permission.session)
    own = [one for one in lately if one.client == request.client]
    left = ASKED_PER_CLIENT_MAX - len(own)
    mine = sum(one.share == request.share for one in own)
    if left <= 0 or sum(one.session == session for one in own) >= ASKED_PER_SESSION_MAX:
        return _asked_too_often()
    if request.share is not None and not _leaves_room(mine, left):
        return _asked_too_often()
    one = AskedLately(at=draft.now, client=request.client, session=session, share=request.share or "")
    draft.state = replace(draft.state, asked_lately=(*lately, one)[-ASKED_MAX:])
    return None


def _card(draft: Draft, request: Ask) -> Card:
    need, work = Need(text="the program that asked acts on the answer", exit_code=None), Work()
    permission, (risk, doubt) = None, _doubted(request)
    grants: tuple[GrantOption, ...] = ()
    why: Worded | None = None
    if request.permission is not None:
        is_run = request.client == RUNS_CLIENT
        permission, risk = read_permission(request.permission, draft.mind, request.seen_folder, is_run=is_run)
        grants = options_for(request.permission, draft.facts.answered, draft.state.policy, draft.now)
        why = None if grants else why_not(request.permission)
        permission = shown_with(permission, grants)
    proposal = Proposal(
        prompt=request.question,
        channel=ASK_CHANNEL,
        agent=request.asker,
        confidence=1.0,
        factors=Factors(twin=None, pattern=0.0, urgency=1.0, time=0.0),
        reasoning=f"{request.details or WAITS.text} {doubt}".strip(),
        source=Source.ASK,
        kind="ask" if permission is None else "permission",
        reason_key=f"ask:{request.client}:{request.key}",
        signature=asker_of(request.client, request.share),
        need=need,
        work=work,
        risk=risk,
        cost_estimate_microusd=0,
        routed_by="person",
        origin=Origin.WORLD,
        quotes=(TextSource.AGENT,),
        reasoning_worded=None if request.details or doubt else WAITS.worded,
    )
    return Card(
        id=ask_id(request.client, request.key),
        user=draft.state.user,
        version=1,
        status=Status.PENDING,
        proposal=proposal,
        prompt=request.question,
        card_hash=card_hash(request.question, ASK_CHANNEL, work, need, permission=_bound(request, grants)),
        created_at=draft.now,
        expires_at=draft.now + timedelta(seconds=request.timeout_s),
        trigger="manual",
        badges=(Badge.RISKY,) if risk is Risk.HIGH else (),
        asker=request.asker,
        owner=request.client,
        content=_content(request),
        permission=permission,
        is_attended=request.is_attended,
        grants=grants,
        always_asked="" if why is None else why.text,
        always_asked_worded=None if why is None else why.wording,
    )


def _doubted(request: Ask) -> tuple[Risk, str]:
    """Return how risky a question is and what is doubted about its words, for who asks has no say in that either."""
    words = screen(f"{request.question}\n{request.details}")
    if words.outcome == "pass" or request.permission is not None:
        return request.risk, ""
    return Risk.MEDIUM if request.risk is Risk.LOW else request.risk, words.reason


def _bound(request: Ask, grants: tuple[GrantOption, ...]) -> Permission | None:
    """Return what a yes is bound to: all that was asked, and what may be granted with it."""
    return None if request.permission is None else shown_with(request.permission, grants)


def _asked_too_often() -> Refused:
    return Refused(
        code="asked-too-often",
        status=429,
        detail="Too many questions arrived within a minute, so you were not asked this one.",
        fix="Wait a minute, or use the agent's own dialog.",
    )


def _too_much() -> Refused:
    return Refused(
        code="too-much-to-show",
        status=413,
        detail="This is too much to show a person, so nobody was asked.",
        fix="Ask about less at a time.",
    )


def _too_many(waiting: int, which: str) -> Refused:
    return Refused(
        code="too-many-open",
        status=429,
        detail=f"{waiting} {which} waiting for an answer; this one was not added.",
        fix="Wait for some to be answered, or withdraw them, then ask again.",
    )
