"""Agents that were connected and no longer ask: told once on every surface, until they ask again or are disconnected.

Theory: an agent can write its own settings, and without its hooks it does what it likes with nobody asked. So a person
has to hear of it wherever they are, and nothing but a person may put that out of sight. It is told once, also across
restarts; what was repaired and is cut off again is news.
"""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.attention import Held
from hub.contract.permission import Act, AgentQuestion, Permission, QuestionChoice
from hub.contract.words import Origin, Risk, Source, Status
from hub.domain.canonical import card_hash, digest
from hub.domain.cut_off import NOT_DISCONNECTED, CutOffAgent
from hub.domain.provenance import own, say
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
SAID = "said"
OPEN_FOR = timedelta(days=7)
UNDERSTOOD = own("Understood")


def on_seen(draft: Draft, event: AgentsSeen) -> None:
    """Tell of each agent that was cut off since, and take back what is over."""
    cut_off = {_key(one.agent): one for one in event.cut_off}
    told = {key for key, said in draft.state.known.items() if key.startswith(f"{KIND}:") and said != NOTHING_SAID}
    let_lapse(draft, [card for card in draft.facts.open_cards if _is_over(draft, card, cut_off)])
    for key in sorted(told - cut_off.keys()):
        remember(draft, key, NOTHING_SAID)
    for key in sorted(cut_off.keys() - told):
        remember(draft, key, SAID)
        _put(draft, cut_off[key])


def unfit(draft: Draft, card: Card, answer: Answer) -> Refused | None:
    """Return why an answer to such a card is not taken: an agent must not put it out of sight."""
    if card.owner != OWNER or answer.is_persons:
        return None
    return refusals.persons_word_about_agents(draft.view(card))


def _key(agent: str) -> str:
    return f"{KIND}:{agent}"


def _is_over(draft: Draft, card: Card, cut_off: dict[str, CutOffAgent]) -> bool:
    is_open = card.status is Status.PENDING and card.expires_at > draft.now
    return is_open and card.owner == OWNER and card.proposal.reason_key not in cut_off


def _put(draft: Draft, found: CutOffAgent) -> None:
    card = _card(draft, found)
    if is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now):
        card = replace(card, held=Held(until="breakpoint", since=draft.now))
    draft.add(card)
    tell_new(draft, card)


def _card(draft: Draft, found: CutOffAgent) -> Card:
    said = say("{title} no longer asks Pulse as it did. {why}", title=found.title, why=found.why)
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
        reason_key=_key(found.agent),
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
        content=digest(found.agent, said.text),
        permission=permission,
    )
