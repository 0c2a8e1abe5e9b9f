"""A grant is made by a person's own yes to the card that shows it, lets through what is like it, ends at their word."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.events import PredictionNew
from hub.contract.permission import Act, Lasts, Permission, PermissionAnswer, PermissionOption
from hub.contract.phrasing import Phrasing
from hub.contract.words import HumanInput, MoveReason, Risk, Status, Verb
from hub.domain.policy import Earning
from hub.domain.reports import GrantEvents
from hub.domain.requests import Ask, Configure, DropGrant, GrantUsed, Noted, UseGrant, Withdraw
from hub.domain.suggestion import Answer, Card
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.permission_grants import USED_MAX
from hub.loop.permissions import title_of
from hub.loop.standing_views import grants_of
from tests.fakes.world import World
from tests.loop.stage import PHONE, a_policy, a_world, handed, refused, taken

CLEAN = Permission(
    agent="claude-code", session="s1", tool="Bash", act=Act.COMMAND, text="rm -rf build", folder="/home/anna/shop"
)
PUSH = replace(CLEAN, text="git push origin main")


async def asked(world: World, permission: Permission, key: str, **more: object) -> Card:
    request = Ask(
        key=key,
        asker="Claude",
        question=title_of(permission),
        details="",
        risk=Risk.MEDIUM,
        timeout_s=600,
        permission=permission,
        is_linked=False,
    )
    return await world.card(taken(await world.ask(replace(request, **more))).prediction.id)


async def granted(world: World, permission: Permission = CLEAN) -> Card:
    """Let an agent do this, and what is like it."""
    card = await asked(world, permission, f"grant {permission.text}")
    said = PermissionAnswer(option=card.grants[0].id)
    taken(await world.answer(card, Verb.APPROVE, permission=said, in_person=True))
    return await world.card(card.id)


async def used(world: World, permission: Permission = CLEAN, **more: object) -> bool:
    reply = await world.ask(replace(UseGrant(permission=permission, is_linked=False), **more))
    assert isinstance(reply, GrantUsed)
    return bool(reply.summary)


async def test_a_card_says_what_it_would_let_through_and_how_that_fits_the_last_answers() -> None:
    world = await a_world()
    taken(await world.answer(await asked(world, CLEAN, "k1"), Verb.APPROVE))
    taken(await world.answer(await asked(world, replace(CLEAN, text="rm -rf src"), "k2"), Verb.REJECT))
    card = await asked(world, CLEAN, "k3")
    assert card.permission is not None
    assert [one.label for one in card.permission.options] == [
        "Allow `rm -rf build` in shop, until 17 March 2026",
        "Allow this line word for word in shop, until 17 March 2026",
    ]
    assert card.permission.options[0].note == (
        "Would have covered 1 of your last 2 answers, and nothing you dismissed."
    )
    assert told(card, "en") == [(one.label, one.note) for one in card.permission.options]
    assert told(card, "de")[0] == (
        "Künftig `rm -rf build` in shop erlauben, bis 17. März 2026",
        "Hätte 1 deiner letzten 2 Antworten abgedeckt und nichts, was du abgelehnt hast.",
    )


@pytest.mark.parametrize(
    ("verb", "note"),
    [
        (Verb.REJECT, "Would have covered 1 of your last 2 answers, and 1 request you dismissed."),
        (Verb.APPROVE, "Would have covered 1 of your last 1 answer, and nothing you dismissed."),
    ],
)
async def test_a_no_that_the_agent_overtook_stays_the_persons_and_such_a_yes_speaks_for_nothing(
    verb: Verb, note: str
) -> None:
    world = await a_world()
    taken(await world.answer(await asked(world, CLEAN, "k1"), Verb.APPROVE))
    card = await asked(world, CLEAN, "k2")
    taken(await world.answer(card, verb))
    taken(await world.ask(Withdraw(card_id=card.id, client=card.owner, why="x", overrules=True)))
    after = await world.card(card.id)
    assert after.settled is not None
    assert (after.status_reason, after.settled.verb) == (MoveReason.OVERRULED, verb)
    shown = await asked(world, CLEAN, "k3")
    assert shown.permission is not None
    assert shown.permission.options[0].note == note


async def test_no_permission_comes_of_a_yes_after_which_something_else_ran() -> None:
    world = await a_world()
    card = await granted(world)
    assert await used(world)
    gone = Withdraw(card_id=card.id, client=card.owner, why="x", overrules=True, ran="rm -rf /")
    taken(await world.ask(gone))
    assert not await used(world)


def told(card: Card, language: str) -> list[tuple[str, str]]:
    """The options of a card in that language; nothing where it has no words for them."""
    words = phrases(language)
    options = () if card.permission is None else card.permission.options
    return [(worded(one.label_worded, "", words), worded(one.note_worded, "", words)) for one in options]


@pytest.mark.parametrize(
    ("permission", "german"),
    [
        (replace(CLEAN, text="git push origin main"), "`git push origin main`"),
        (replace(CLEAN, act=Act.EDIT, target="src/a.py", text="x"), "Änderungen an Dateien in src"),
        (replace(CLEAN, act=Act.EDIT, target="a.py", text="x"), "Änderungen an a.py"),
        (replace(CLEAN, act=Act.READ, target="src/a.py", text=""), "Dateien in src lesen"),
        (replace(CLEAN, act=Act.READ, target="a.py", text=""), "alle Dateien lesen"),
        (replace(CLEAN, act=Act.FETCH, target="https://docs.example.org/a", text=""), "https://docs.example.org"),
        (replace(CLEAN, act=Act.OTHER, tool="Lint", text="{}"), "diese Verwendung von Lint"),
    ],
)
async def test_what_would_be_let_through_is_told_in_both_languages(permission: Permission, german: str) -> None:
    world = await a_world()
    card = await asked(world, permission, "k1")
    assert card.permission is not None
    assert card.permission.options
    assert told(card, "en") == [(one.label, one.note) for one in card.permission.options]
    assert german in told(card, "de")[0][0]
    await granted(world, permission)
    (listed,) = grants_of(world.state.mind, "UTC", world.now).grants
    assert worded(listed.summary_worded, "", phrases("en")) == listed.summary.replace("claude-code:", "Claude:")
    assert worded(listed.summary_worded, "", phrases("de"))


async def test_what_is_narrow_is_offered_before_what_the_agent_itself_would_let_on() -> None:
    wide = PermissionOption(id="rm", label="Always allow rm *, in this session", lasts=Lasts.SESSION)
    once = PermissionOption(id="once", label="Yes, and tell me what came of it")
    no = PermissionOption(id="stop", label="Stop what it is doing", lasts=Lasts.SESSION, refuses=True)
    card = await asked(await a_world(), replace(CLEAN, options=(wide, once, no)), "k1")
    assert card.permission is not None
    ids = [one.id.partition("-")[0] for one in card.permission.options]
    assert list(dict.fromkeys(ids)) == ["once", "stop", "pulse", "rm"]


async def test_no_agent_words_an_option_of_its_own_otherwise_in_another_language() -> None:
    lie = Phrasing(code="asked_each.too_grave")
    own = PermissionOption(id="always", label="Always allow everything", label_worded=lie, note_worded=lie)
    card = await asked(await a_world(), replace(CLEAN, text="sudo rm -rf /etc", options=(own,)), "k1")
    assert card.permission is not None
    assert [(one.label_worded, one.note_worded) for one in card.permission.options] == [(None, None)]


async def test_what_was_refused_is_counted_against_it() -> None:
    world = await a_world()
    taken(await world.answer(await asked(world, CLEAN, "k1"), Verb.REJECT))
    other = await asked(world, PUSH, "k3")
    assert other.grants[0].note == "You have not answered a request like this before."
    card = await asked(world, CLEAN, "k2")
    assert card.grants[0].note == "Would have covered 0 of your last 1 answer, and 1 request you dismissed."


async def test_a_persons_yes_to_it_is_silent_from_then_on() -> None:
    world = await a_world()
    assert not await used(world)
    card = await granted(world)
    assert (card.status, card.outcome) == (Status.CONFIRMED, "Allowed without asking until 17 March 2026.")
    told = len(world.told(PredictionNew))
    assert await used(world)
    through = await asked(world, replace(CLEAN, text="rm -rf build/cache"), "k2")
    assert (through.status, through.autonomous, through.settled) == (Status.CONFIRMED, True, None)
    assert through.outcome == "You had already allowed this: claude-code: `rm -rf build` in shop."
    german = worded(through.outcome_worded, "", phrases("de"))
    assert german == "Das hattest du schon erlaubt: Claude: `rm -rf build` in shop."
    assert len(world.told(PredictionNew)) == told
    (view,) = grants_of(world.state.mind, "UTC", world.now).grants
    assert (view.summary, view.effect) == (
        "claude-code: `rm -rf build` in shop",
        "without asking until 17 March 2026, used 2 times.",
    )
    record = await world.store.read(GrantEvents(user=world.state.user, limit=9))
    assert [(one.what, one.by, one.text) for one in record] == [
        ("used", "claude-code", "rm -rf build/cache"),
        ("used", "claude-code", "rm -rf build"),
        ("made", "phone/mine", "claude-code: `rm -rf build` in shop, until 17 March 2026"),
    ]


async def test_nothing_but_a_persons_own_yes_to_this_very_card_makes_one() -> None:
    world = await a_world()
    card = await asked(world, CLEAN, "k1")
    said = PermissionAnswer(option=card.grants[0].id)
    for number, more in enumerate(({}, {"card_hash": None, "in_person": True})):
        answer = Answer(
            key=f"agent {number}",
            card_id=card.id,
            verb=Verb.APPROVE,
            by="me",
            surface="phone",
            device="mine",
            human_input=HumanInput.TAP,
            permission=said,
            **{"card_hash": card.card_hash, **more},  # type: ignore[arg-type]  # fields of Answer by name
        )
        assert refused(await world.ask(answer)).code == "yes-of-your-own"
    edited = await world.answer(card, Verb.EDIT, prompt="rm -rf /", permission=said, in_person=True)
    assert refused(edited).code in {"yes-of-your-own", "not-editable"}
    assert world.state.mind.grants == ()
    assert (await world.card(card.id)).status is Status.PENDING


async def test_an_agents_own_option_is_no_grant() -> None:
    world = await a_world()
    own = PermissionOption(id=f"pulse-{'0' * 32}", label="Always allow everything", note="You trust me")
    card = await asked(world, replace(CLEAN, text="sudo rm -rf /etc", options=(own,)), "k1")
    assert (card.grants, card.permission and card.permission.options) == ((), ())


@pytest.mark.parametrize(
    "text", ["rm *", "sudo reboot", "cat .env", "curl -H 'X-Key: ghp_Zx9Kq2LmPwRt7VbN4cYh8JdFgT5sWq3eRt1' x"]
)
async def test_what_is_too_wide_grave_or_hidden_is_not_offered(text: str) -> None:
    world = await a_world()
    assert (await asked(world, replace(CLEAN, text=text), "k1")).grants == ()


async def test_a_paired_device_may_say_it() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await asked(world, CLEAN, "k1")
    said = PermissionAnswer(option=card.grants[0].id)
    await world.hand_in(handed(world, PHONE), PHONE, Verb.APPROVE, card.card_hash, permission=said)
    assert [one.by for one in world.state.mind.grants] == ["phone/mine"]


async def test_the_rails_stand_above_it() -> None:
    world = await a_world()
    await granted(world)
    assert not await used(world, replace(CLEAN, text="rm -rf build && sudo reboot"))
    assert not await used(world, is_linked=True)
    assert not await used(world, seen_folder="/home/anna/other")
    assert await used(world, seen_folder="/home/anna/shop")
    await world.ask(Configure(patch=ConfigPatch(emergency_stop=True), by="me"))
    assert not await used(world)
    assert (await asked(world, CLEAN, "k9")).status is Status.PENDING


async def test_it_is_used_so_often_a_minute_and_no_more() -> None:
    world = await a_world()
    await granted(world)
    world.state = replace(world.state, grants_used=(world.now,) * (USED_MAX - 1))
    assert await used(world)
    assert not await used(world)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["list", "undo"])
async def test_it_is_taken_back_from_the_list_and_by_undo_of_its_card(way: str) -> None:
    world = await a_world()
    card = await granted(world)
    await world.until(world.now + timedelta(days=1))
    if way == "list":
        assert isinstance(await world.ask(DropGrant(grant_id=world.state.mind.grants[0].id)), Noted)
    else:
        assert taken(await world.answer(card, Verb.UNDO)).message == "From now on Pulse asks about this again."
    assert world.state.mind.grants == ()
    assert not await used(world)


async def test_it_outlives_a_restart_and_ends_by_itself() -> None:
    policy = a_policy(earning=Earning(permission_grant_s=7_200.0))
    world = await a_world(policy)
    await granted(world)
    await world.reopen()
    assert await used(world)
    await world.until(world.now + timedelta(hours=3))
    assert world.state.mind.grants == ()
    (ended, *_) = await world.store.read(GrantEvents(user=world.state.user, limit=9))
    assert ended.what == "expired"


async def offers(world: World) -> list[Card]:
    return [card for card in await world.cards() if card.grant_offer is not None]


async def approved(world: World, *keys: str) -> None:
    for key in keys:
        card = await asked(world, CLEAN, key)
        taken(await world.answer(card, Verb.APPROVE, in_person=True))
        await world.until(world.now + timedelta(minutes=1))


async def test_pulse_offers_it_after_enough_yeses_once_and_a_yes_is_needed() -> None:
    world = await a_world()
    await approved(world, *"abcd")
    assert await offers(world) == []
    await approved(world, "e")
    (card,) = await offers(world)
    assert card.prompt == (
        "You approved this for Claude 5 times and never refused it. Allow `rm -rf build` in shop, until 17 March 2026?"
    )
    said = card.proposal.prompt_worded
    assert said is not None
    assert worded(said.wording, "", phrases("de")) == (
        "Du hast das Claude 5-mal genehmigt und nie abgelehnt. "
        "Künftig `rm -rf build` in shop erlauben, bis 17. März 2026?"
    )
    assert not await used(world)
    assert refused(await world.answer(card, Verb.APPROVE)).code == "yes-of-your-own"
    taken(await world.answer(card, Verb.APPROVE, in_person=True))
    assert await used(world)
    assert (await world.card(card.id)).status is Status.EXECUTED


async def test_a_no_among_them_and_a_zero_in_the_settings_offer_nothing() -> None:
    world = await a_world()
    taken(await world.answer(await asked(world, CLEAN, "no"), Verb.REJECT, in_person=True))
    await approved(world, *"abcdef")
    assert await offers(world) == []
    never = await a_world(a_policy(earning=Earning(permissions_to_offer=0)))
    await approved(never, *"abcdef")
    assert await offers(never) == []
