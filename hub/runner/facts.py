"""Reading, just before a step, the committed state that its events need."""

from collections.abc import Sequence

from msgspec.structs import replace

from hub.contract.surface import Decision
from hub.contract.words import DeliveryState, Status, Verb
from hub.do import is_ignored
from hub.domain.delivery import LedgerEntry
from hub.domain.drive_requests import ImportDrives
from hub.domain.mutations import MutationRecord
from hub.domain.reports import AnsweredAsks, MutationsFrom, MutationsThere, Wakes, WakesThere
from hub.domain.requests import (
    Ask,
    DeviceDecision,
    DropGrant,
    GiveDigest,
    HandInMutations,
    PutNotice,
    RemoveTask,
    ReportPresence,
    ReportReceipt,
    RestoreGrant,
    SaveTask,
    UndoMutation,
)
from hub.domain.storage import (
    CardById,
    CardsByIds,
    CountOpen,
    CountOpenAsks,
    DeliveriesOf,
    DeliveryById,
    Devices,
    DueCards,
    ExecutionById,
    HeldCards,
    KnownReasons,
    MindOf,
    NextDue,
    OpenCards,
    OpenExecutions,
    RecentCards,
    TaskById,
)
from hub.domain.suggestion import Answer, Card
from hub.domain.world_queries import WorldPlaceOf
from hub.domain.world_requests import RespondToSession, SayWorld, SpawnSession
from hub.loop.events import (
    WAKES_TAKEN_UP,
    AgentsSeen,
    Event,
    Facts,
    Opened,
    ProcessesSeen,
    RequestArrived,
    Resolved,
    RunEnded,
    SensorsRead,
    StartDue,
    Ticked,
    TwinAnswered,
    WorldRead,
)
from hub.loop.grant_choices import ANSWERS_READ_MAX
from hub.loop.habits import latest
from hub.loop.reach import is_changed
from hub.loop.removed_grants import card_of_grant
from hub.loop.state import KNOWN_MAX, State
from hub.loop.world_cards import WORLD_CHANNEL
from hub.ports import Clock, Store
from hub.runner.card_cache import CardCache
from hub.runner.inbox import card_id_of
from hub.runner.world_facts import of_lines, of_request, opened_sessions, swept
from hub.what import keys_open

DUE_CARDS_MAX = 100
OPEN_CARDS_MAX = 200
FAILED_CARDS_MAX = 50
"""So many of the latest failures are cleared when the same is seen to end well."""
OPEN_EXECUTIONS_MAX = 1_000
AUDIT_MAX = 5_000
"""So many records are read to see what was changed since the one that is to be taken back."""
NOTHING = Facts()
SEEN = frozenset({DeliveryState.SHOWN, DeliveryState.ACTED})


async def read_facts(
    store: Store, clock: Clock, state: State, events: Sequence[Event], card_cache: CardCache | None = None
) -> list[Facts]:
    """Return each event's facts, in order; all cards are read at once, and of sessions those that `state` has not."""
    wanted = {card_id for event in events if (card_id := card_id_of(event)) is not None}
    cards = await (card_cache or CardCache(store, state.user)).cards(wanted)
    facts = [await _facts_of(store, clock, state, event, cards) for event in events]
    if events and isinstance(events[0], ProcessesSeen):  # later ones of a batch would bring back what those before move
        facts[0] = replace(facts[0], swept=await swept(store, state.user, state.world.sweep))
    return facts


async def _facts_of(store: Store, clock: Clock, state: State, event: Event, cards: dict[str, Card]) -> Facts:
    match event:
        case WorldRead(lines=lines):
            return await of_lines(store, state.user, lines, state.world.sessions)
        case Ticked() if is_changed(state, clock.now()):
            due = await _due(store, clock, state.user)
            cards_now = await store.read(OpenCards(user=state.user, limit=OPEN_CARDS_MAX, now=clock.now()))
            return replace(due, ledgers=await _ledgers(store, state.user, cards_now))
        case RequestArrived(request=SayWorld() | RespondToSession() | SpawnSession() as request):
            return await of_request(store, state.user, request, state.world.sessions)
        case RequestArrived(request=DropGrant(grant_id=grant_id) | RestoreGrant(grant_id=grant_id)):
            given_on = card_of_grant(state, grant_id)
            return Facts(card=await store.read(CardById(user=state.user, card_id=given_on)) if given_on else None)
        case _:
            return await _facts(store, clock, state.user, event, cards)


async def _facts(  # noqa: PLR0911  one branch per event that needs something
    store: Store, clock: Clock, user: str, event: Event, cards: dict[str, Card]
) -> Facts:
    card_id = card_id_of(event)
    card = cards.get(card_id) if card_id is not None else None
    match event:
        case (
            RequestArrived(request=Answer(verb=verb))
            | RequestArrived(request=DeviceDecision(decision=Decision(verb=verb)))
        ):
            return await _of_answer(store, clock, user, verb, card)
        case RequestArrived(request=Ask(permission=asked)):
            return Facts(repeated=card, answered=() if asked is None else await _answered(store, user))
        case (
            RequestArrived(request=SaveTask(task_id=str(task_id))) | RequestArrived(request=RemoveTask(task_id=task_id))
        ):
            return Facts(task=await store.read(TaskById(user=user, task_id=task_id)))
        case RequestArrived(request=HandInMutations() | UndoMutation() | ImportDrives() as request):
            return await _of_drives(store, clock, user, request)
        case RequestArrived(request=ReportReceipt(receipt=receipt)):
            return Facts(delivery=await store.read(DeliveryById(user=user, delivery_id=receipt.delivery_id)))
        case RequestArrived(request=ReportPresence() | GiveDigest() as request):
            return await _listed(store, clock, user, request)
        case Ticked():
            return await _due(store, clock, user)
        case (
            SensorsRead()
            | TwinAnswered()
            | Resolved()
            | ProcessesSeen()
            | AgentsSeen()
            | RequestArrived(request=PutNotice())
        ):
            return replace(await _open(store, clock, user), card=card, failed=await _failed(store, user, event))
        case StartDue(execution_id=execution_id) | RunEnded(execution_id=execution_id):
            execution = await store.read(ExecutionById(user=user, execution_id=execution_id))
            return Facts(card=card, execution=execution, failed=await _failed(store, user, event))
        case _:
            return Facts(card=card) if card is not None else NOTHING


async def _of_answer(store: Store, clock: Clock, user: str, verb: Verb, card: Card | None) -> Facts:
    if verb in {Verb.LESS, Verb.NEVER}:
        query = OpenCards(user=user, limit=OPEN_CARDS_MAX, now=clock.now(), snoozed=True)
        return Facts(card=card, open_cards=await store.read(query))
    facts = await _run_of(store, user, verb, card)
    if card is not None and card.mutation is not None:
        record_id = card.mutation.made_id or card.mutation.undoes
        return replace(facts, mutations=await _audit(store, user, record_id))
    if verb is Verb.APPROVE and card is not None and card.task_id:
        return replace(facts, task=await store.read(TaskById(user=user, task_id=card.task_id)))
    is_offer = verb is Verb.APPROVE and card is not None and card.permission is not None
    return replace(facts, answered=await _answered(store, user)) if is_offer else facts


async def _listed(store: Store, clock: Clock, user: str, request: ReportPresence | GiveDigest) -> Facts:
    cards = await store.read(OpenCards(user=user, limit=OPEN_CARDS_MAX, now=clock.now()))
    if not isinstance(request, ReportPresence) or not request.presence.online:
        return Facts(open_cards=cards)
    return Facts(open_cards=cards, ledgers=await _ledgers(store, user, cards))


async def _ledgers(store: Store, user: str, cards: Sequence[Card]) -> tuple[tuple[Card, tuple[LedgerEntry, ...]], ...]:
    """Return these cards, each with all that was sent of it."""
    entries: dict[str, list[LedgerEntry]] = {card.id: [] for card in cards}
    for entry in await store.read(DeliveriesOf(user=user, card_ids=tuple(entries))):
        entries[entry.card_id].append(entry)
    return tuple((card, tuple(entries[card.id])) for card in cards)


async def _audit(store: Store, user: str, record_id: str) -> tuple[MutationRecord, ...]:
    return await store.read(MutationsFrom(user=user, record_id=record_id, limit=AUDIT_MAX)) if record_id else ()


async def _of_drives(
    store: Store, clock: Clock, user: str, request: HandInMutations | UndoMutation | ImportDrives
) -> Facts:
    if isinstance(request, ImportDrives):
        return await _there(store, user, request)
    record_id = request.record_id if isinstance(request, UndoMutation) else ""
    return replace(await _open(store, clock, user), mutations=await _audit(store, user, record_id))


async def _there(store: Store, user: str, request: ImportDrives) -> Facts:
    wakes, records = (tuple(one.id for one in each) for each in (request.wakes, request.records))
    wakes_there = await store.read(WakesThere(user=user, ids=wakes))
    mutations_there = await store.read(MutationsThere(user=user, ids=records))
    return Facts(wakes_there=frozenset(wakes_there), mutations_there=frozenset(mutations_there))


async def _answered(store: Store, user: str) -> tuple[Card, ...]:
    return await store.read(AnsweredAsks(user=user, limit=ANSWERS_READ_MAX))


async def _failed(store: Store, user: str, event: Event) -> tuple[Card, ...]:
    """Return what failed and still asks for something, for an event that may show that it is over."""
    if not isinstance(event, SensorsRead | RunEnded):
        return ()
    found = await store.read(RecentCards(user=user, limit=FAILED_CARDS_MAX, status=Status.FAILED))
    return tuple(card for card in found if not is_ignored(card) and card.mended_at is None)


async def _due(store: Store, clock: Clock, user: str) -> Facts:
    now = clock.now()
    due = await store.read(DueCards(user=user, now=now, limit=DUE_CARDS_MAX))
    expired = tuple(card.id for card in due if card.expires_at <= now)
    sent = await store.read(DeliveriesOf(user=user, card_ids=expired))
    return Facts(
        due=due,
        shown=tuple(entry for entry in sent if entry.state in SEEN),
        held=await store.read(HeldCards(user=user, limit=OPEN_CARDS_MAX)),
        next_due=await store.read(NextDue(user=user)),
        open_count=await store.read(CountOpen(user=user)),
        open_asks=await store.read(CountOpenAsks(user=user)),
    )


async def _open(store: Store, clock: Clock, user: str) -> Facts:
    query = OpenCards(user=user, limit=OPEN_CARDS_MAX, now=clock.now(), snoozed=True)
    cards = await store.read(query)
    executions = await store.read(OpenExecutions(user=user, limit=OPEN_EXECUTIONS_MAX))
    found = await store.read(CardsByIds(user=user, ids=tuple(one.card_id for one in executions)))
    under_way = tuple(found.values())
    return Facts(
        open_cards=cards,
        under_way=under_way,
        open_keys=keys_open((*cards, *under_way)),
        open_count=await store.read(CountOpen(user=user)),
        open_asks=await store.read(CountOpenAsks(user=user)),
    )


async def read_opened(store: Store, clock: Clock, user: str) -> Opened:
    """Read all that a start takes up."""
    executions = await store.read(OpenExecutions(user=user, limit=OPEN_EXECUTIONS_MAX))
    held = await store.read(HeldCards(user=user, limit=OPEN_CARDS_MAX))
    cards = await read_session_cards(store, clock, user)
    pairs = [(one, await store.read(CardById(user=user, card_id=one.card_id))) for one in executions]
    return Opened(
        mind=await store.read(MindOf(user=user)),
        known=await store.read(KnownReasons(user=user, limit=KNOWN_MAX)),
        devices=await store.read(Devices(user=user)),
        executions=tuple(pairs),
        open_count=await store.read(CountOpen(user=user)),
        open_asks=await store.read(CountOpenAsks(user=user)),
        taught=await store.read(latest(user)),
        held=len(held),
        sessions=await opened_sessions(store, user, tuple(one.session for one in cards)),
        intake=(await store.read(WorldPlaceOf(user=user))).intake,
        session_cards=cards,
        wakes=await store.read(Wakes(user=user, limit=WAKES_TAKEN_UP)),
    )


async def read_session_cards(store: Store, clock: Clock, user: str) -> tuple[Card, ...]:
    """Return the open questions about sessions of the world log; they are few."""
    query = OpenCards(user=user, limit=OPEN_CARDS_MAX, now=clock.now(), channel=WORLD_CHANNEL, snoozed=True)
    return await store.read(query)


async def _run_of(store: Store, user: str, verb: Verb, card: Card | None) -> Facts:
    """Taking back or stopping needs to know whether the run has begun."""
    if verb is Verb.UNDO and card is not None and card.took:
        found = [await store.read(CardById(user=user, card_id=one)) for one in card.took]
        return Facts(card=card, open_cards=tuple(one for one in found if one is not None))
    if verb not in {Verb.UNDO, Verb.STOP} or card is None or card.execution_id is None:
        return Facts(card=card)
    return Facts(card=card, execution=await store.read(ExecutionById(user=user, execution_id=card.execution_id)))
