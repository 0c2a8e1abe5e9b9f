"""Agents that were connected and no longer ask: told once on every surface, until a person answers or disconnects them.

Theory: an agent can write its own settings, and without its hooks it does what it likes with nobody asked. So a person
has to hear of it wherever they are, and nothing but a person may put that out of sight: an agent that repairs its
settings changes what the card says, and no more. There is one card for an agent. It is told once, also across restarts;
one that goes on and off is heard once an hour.
"""

from zoneinfo import ZoneInfo

from hub.domain.cut_off import NOT_DISCONNECTED, ConnectedAgent, CutOffAgent
from hub.domain.provenance import Wording, say
from hub.domain.suggestion import Card
from hub.loop import notices
from hub.loop.draft import Draft
from hub.loop.events import AgentsSeen
from hub.loop.known_reasons import NOTHING_SAID, remember
from hub.loop.lapsed_cards import let_lapse

KIND = "cut-off"
ASKS_AGAIN = "asks again; "
"""Before the moment at which an agent was heard of last: what is remembered of one that its card says this of."""
HEARD_AGAIN_S = 3_600


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


def _key(agent: str) -> str:
    return f"{KIND}:{agent}"


def _is_open(draft: Draft, card: Card) -> bool:
    return notices.is_open(draft, card) and card.proposal.kind == KIND


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
    card = notices.notice(draft, KIND, key, said, NOT_DISCONNECTED)
    notices.put_up(draft, card, held=held, is_heard=is_heard)
