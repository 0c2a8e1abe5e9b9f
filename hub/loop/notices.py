"""Cards that tell the person something about an agent: on every device, until they say that they know of it.

What an agent did is not for programs to put out of sight, so only what is known to be the person's word closes one. It
runs nothing and asks nothing but that.
"""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.attention import Held
from hub.contract.permission import Act, AgentQuestion, Permission, QuestionChoice
from hub.contract.words import Origin, Risk, Source, Status, Verb
from hub.domain.canonical import card_hash, digest
from hub.domain.provenance import Wording, own
from hub.domain.requests import Noted, PutNotice, Refused
from hub.domain.suggestion import Answer, Card, Factors, Need, Proposal, Work
from hub.loop import refusals
from hub.loop.asks import ask_id
from hub.loop.draft import Draft
from hub.loop.tell import tell_new
from hub.loop.views import status_of
from hub.when import is_quiet

KIND = "notice"
CHANNEL = "agents"
ASKER = "pulse"
OWNER = "connections"
QUESTION_ID = "notice"
OPEN_FOR = timedelta(days=7)
UNDERSTOOD = own("Understood")


def on_put(draft: Draft, request: PutNotice, reply_to: str) -> None:
    """Put it up, unless the same is there."""
    is_there = any(is_open(draft, card) and card.proposal.reason_key == request.key for card in draft.facts.open_cards)
    if not is_there:
        put_up(draft, notice(draft, KIND, request.key, request.said, request.why))
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def put_up(draft: Draft, card: Card, *, held: Held | None = None, is_heard: bool = True) -> None:
    """Tell everybody of such a card; what is to be heard waits for the end of quiet hours."""
    if held is None and is_heard and is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now):
        held = Held(until="breakpoint", since=draft.now)
    card = replace(card, held=held)
    draft.add(card)
    tell_new(draft, card, is_heard=is_heard)


def unfit(draft: Draft, card: Card, answer: Answer) -> Refused | None:
    """Return why an answer to such a card is not taken: an agent must not put it out of sight.

    Of what a device says, only a yes is known to be the person's: a no needs no signature.
    """
    is_persons = answer.in_person or (answer.by_device and answer.verb is Verb.APPROVE)
    if card.owner != OWNER or is_persons:
        return None
    return refusals.persons_word_about_agents(draft.view(card))


def is_open(draft: Draft, card: Card) -> bool:
    """Return True if a card is such a one, and nobody has answered it."""
    return card.status is Status.PENDING and card.expires_at > draft.now and card.owner == OWNER


def notice(draft: Draft, kind: str, key: str, said: Wording, why: Wording) -> Card:
    """Return a card that says this, with one answer: that the person knows."""
    choices = (QuestionChoice(label=UNDERSTOOD.text, label_worded=UNDERSTOOD.wording),)
    asked = AgentQuestion(id=QUESTION_ID, text=said.text, choices=choices, own_words=False, text_worded=said.wording)
    permission = Permission(agent=ASKER, tool=CHANNEL, act=Act.QUESTION, questions=(asked,))
    need, work = Need(text="You know of it.", exit_code=None), Work()
    proposal = Proposal(
        prompt=said.text,
        channel=CHANNEL,
        agent=ASKER,
        confidence=1.0,
        factors=Factors(twin=None, pattern=0.0, urgency=1.0, time=0.0),
        reasoning=why.text,
        source=Source.ASK,
        kind=kind,
        reason_key=key,
        signature=OWNER,
        need=need,
        work=work,
        risk=Risk.LOW,
        cost_estimate_microusd=0,
        routed_by="person",
        origin=Origin.PULSE,
        quotes=tuple(sorted(said.quotes | why.quotes)),
        prompt_worded=said.worded,
        reasoning_worded=why.worded,
    )
    return Card(
        id=ask_id(OWNER, draft.new_id("c")),
        user=draft.state.user,
        version=1,
        status=Status.PENDING,
        proposal=proposal,
        prompt=said.text,
        card_hash=card_hash(said.text, CHANNEL, work, need, None, permission=permission),
        created_at=draft.now,
        expires_at=draft.now + OPEN_FOR,
        trigger="cron",
        asker=ASKER,
        owner=OWNER,
        content=digest(key, said.text),
        permission=permission,
    )
