"""Agents that were connected and no longer ask: told once on every surface, until a person answers or disconnects them.

Theory: an agent can write its own settings, and without its hooks it does what it likes with nobody asked. So a person
has to hear of it wherever they are, and nothing but a person may put that out of sight: an agent that repairs its
settings changes what the card says, and no more. There is one card for an agent. It is told once, also across restarts;
one that goes on and off is heard once an hour.
"""

from datetime import timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from hub.contract.attention import Held
from hub.contract.permission import Act, AgentQuestion, Permission, QuestionChoice
from hub.contract.words import Origin, Risk, Source, Status, Verb
from hub.domain.canonical import card_hash, digest
from hub.domain.cut_off import NOT_DISCONNECTED, ConnectedAgent, CutOffAgent
from hub.domain.provenance import Wording, own, say
from hub.domain.requests import Refused
from hub.domain.suggestion import Answer, Card, Factors, Need, Proposal, Work
from hub.loop import refusals
from hub.loop.asks import ask_id
from hub.loop.draft import Draft
from hub.loop.events import AgentsSeen
from hub.loop.known_reasons import NOTHING_SAID, remember
from hub.loop.lapsed_cards import let_lapse
from hub.loop.tell import tell_new
from hub.when import is_quiet

KIND = "cut-off"
CHANNEL = "agents"
ASKER = "pulse"
OWNER = "connections"
QUESTION_ID = "cut-off"
ASKS_AGAIN = "asks again; "
"""Before the moment at which an agent was heard of last: what is remembered of one that its card says this of."""
HEARD_AGAIN_S = 3_600
OPEN_FOR = timedelta(days=7)
UNDERSTOOD = own("Understood")


def on_seen(draft: Draft, event: AgentsSeen) -> None:
    """Tell of each agent that was cut off since, say which ask again, and take back those that were disconnected."""
    cut_off = {_key(one.agent): one for one in event.cut_off}
    asking = {_key(one.agent): one for one in event.asking}
    cards = {card.proposal.reason_key: card for card in draft.facts.open_cards if _is_open(draft, card)}
    now_s = int(draft.now.timestamp())
    known = {key: said for key, said in draft.state.known.items() if key.startswith(f"{KIND}:") and said}
    let_lapse(draft, [card for key, card in cards.items() if key not in {**cut_off, **asking}])
    for key in sorted(known.keys() - cut_off.keys() - asking.keys()):
        remember(draft, key, NOTHING_SAID)
    for key in sorted(asking.keys() & known.keys()):
        if key not in cards:
            remember(draft, key, NOTHING_SAID)
        elif not known[key].startswith(ASKS_AGAIN):
            _put(draft, key, _asks_again(draft, asking[key]), instead_of=cards[key])
            remember(draft, key, f"{ASKS_AGAIN}{known[key]}")
    for key, found in sorted(cut_off.items()):
        said, card = known.get(key, NOTHING_SAID), cards.get(key)
        if said == NOTHING_SAID or said.startswith(ASKS_AGAIN):
            rang_s = "" if card is None else said.removeprefix(ASKS_AGAIN)
            is_heard = not rang_s.isdecimal() or now_s - int(rang_s) >= HEARD_AGAIN_S
            _put(draft, key, _gone(found), instead_of=card, is_heard=is_heard)
            remember(draft, key, str(now_s) if is_heard else rang_s)


def unfit(draft: Draft, card: Card, answer: Answer) -> Refused | None:
    """Return why an answer to such a card is not taken: an agent must not put it out of sight.

    Of what a device says, only a yes is known to be the person's: a no needs no signature.
    """
    is_persons = answer.in_person or (answer.by_device and answer.verb is Verb.APPROVE)
    if card.owner != OWNER or is_persons:
        return None
    return refusals.persons_word_about_agents(draft.view(card))


def _key(agent: str) -> str:
    return f"{KIND}:{agent}"


def _is_open(draft: Draft, card: Card) -> bool:
    return card.status is Status.PENDING and card.expires_at > draft.now and card.owner == OWNER


def _gone(found: CutOffAgent) -> Wording:
    return say("{title} no longer asks Pulse as it did. {why}", title=found.title, why=found.why)


def _asks_again(draft: Draft, found: ConnectedAgent) -> Wording:
    time = f"{draft.now.astimezone(ZoneInfo(draft.state.policy.zone)):%H:%M}"
    return say("{title} had stopped asking Pulse as it did; it asks again since {time}.", title=found.title, time=time)


def _put(draft: Draft, key: str, said: Wording, *, instead_of: Card | None, is_heard: bool = False) -> None:
    """Put a card up, in the place of the one that says how it was before; that one is withdrawn everywhere."""
    held = None if instead_of is None else instead_of.held
    if instead_of is not None:
        let_lapse(draft, [instead_of])
    card = _card(draft, key, said)
    if held is None and is_heard and is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now):
        held = Held(until="breakpoint", since=draft.now)
    card = replace(card, held=held)
    draft.add(card)
    tell_new(draft, card, is_heard=is_heard)


def _card(draft: Draft, key: str, said: Wording) -> Card:
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
        reasoning=NOT_DISCONNECTED.text,
        source=Source.ASK,
        kind=KIND,
        reason_key=key,
        signature=OWNER,
        need=need,
        work=work,
        risk=Risk.LOW,
        cost_estimate_microusd=0,
        routed_by="person",
        origin=Origin.PULSE,
        quotes=(),
        prompt_worded=said.worded,
        reasoning_worded=NOT_DISCONNECTED.worded,
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
