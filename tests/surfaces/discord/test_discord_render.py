"""Every picture within all of Discord's limits, whatever a card holds; and read back as it was written."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.api import Prediction, Settlement
from hub.contract.effects import Effect
from hub.contract.permission import Act, Permission, PermissionMark
from hub.contract.runs import PlannedRun
from hub.contract.surface import Loudness, Voter
from hub.contract.words import AFTER_FAILURE, HumanInput, Risk, Source, Status, Verb
from hub.kit.cards import CardPhase
from hub.kit.chat.card import ChatCard
from hub.kit.text import utf16_units
from surfaces.discord import render, text
from surfaces.discord.ballot import Entry
from surfaces.discord.buttons import custom_id, open_buttons, read_custom_id
from surfaces.discord.card import Note
from surfaces.discord.found import Seen, sort
from surfaces.discord.limits import Rendered
from surfaces.discord.readable import is_whole
from surfaces.discord.settings import Config, VoterRule
from surfaces.discord.tally_text import BUTTON_VOTES_MAX, button_marks
from surfaces.discord.votes import Mark, Tally, count
from tests.kit.test_changed import CHANGED
from tests.surfaces.discord.oversights import oversights

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
CONFIG = Config(guild_id="900000000000000009", owner="ann", voters=(VoterRule(name="ann", id="900000000000000001"),))
HASH = "0123456789abcdef0123456789abcdef"
OPEN = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT)
anything = st.text(max_size=5_000)
ids = st.integers(10**17, 10**19).map(str)


def card(prompt: str = "Run the tests", phase: CardPhase = "open", **more: object) -> ChatCard:
    prediction = Prediction(
        id="card_1",
        prompt=prompt,
        target_agent=str(more.pop("agent", "playbook")),
        target_channel=str(more.pop("channel", "koji-core")),
        confidence=0.84,
        confidence_learnt=True,
        reasoning=str(more.pop("reasoning", "Two files changed.")),
        created_at=NOW,
        status=more.pop("status", Status.PENDING),  # type: ignore[arg-type]  # a status or none
        source=Source.TWIN,
        expires_at=NOW + timedelta(hours=8),
        risk=Risk.HIGH,
        card_hash=HASH,
        cost_estimate_usd=0.05,
        outcome=str(more.pop("outcome", "")),
        settled=more.pop("settled", None),  # type: ignore[arg-type]  # a settlement or none
    )
    return replace(ChatCard(prediction=prediction, opened_at=NOW, phase=phase, verbs=OPEN), **more)


def voters(people: list[str], verb: Verb) -> tuple[Voter, ...]:
    return tuple(Voter(id=one, name=one, choice=verb, weight=1.0, counted=True) for one in people)


@pytest.mark.slow
@example("x", " ", " ", [], False)  # noqa: FBT003  hypothesis takes them in order
@settings(deadline=None)
@given(anything, anything, anything, st.lists(ids, max_size=40, unique=True), st.booleans())
def test_an_open_card_is_always_within_the_limits(
    prompt: str,
    why: str,
    refused: str,
    people: list[str],
    details: bool,  # noqa: FBT001  hypothesis gives it so
) -> None:
    tally = replace(count(voter for verb in OPEN[:3] for voter in voters(people, verb)), note="2 of 3 votes needed.")
    marks = frozenset(
        Mark(voter=one, verb=verb, via="button") for verb in OPEN[:3] for one in people[:BUTTON_VOTES_MAX]
    )
    made = card(prompt or "x", reasoning=why, refused=refused, channel="c" * 64, agent=why[:300])
    picture = render.render_card(made, marks, tally, CONFIG, details=details)
    assert oversights(picture) == []
    assert oversights(render.render_details(made)) == []


@pytest.mark.slow
@settings(deadline=None)
@given(anything, anything, anything)
def test_a_settled_card_and_its_result_are_within_the_limits(reason: str, by: str, result: str) -> None:
    settled = Settlement(
        verb=Verb.RETRY, by=by, surface=by, device=by, human_input=HumanInput.TAP, at=NOW, reason=reason
    )
    for status in (Status.EXECUTED, Status.FAILED, Status.REJECTED, Status.EXPIRED, Status.CANCELLED):
        made = card("x", "settled", status=status, settled=settled, result=result, outcome=result, run_id="r")
        assert oversights(render.render_card(made, frozenset(), Tally(), CONFIG)) == []
        assert oversights(render.render_result(made, CONFIG)) == []
        assert oversights(render.render_result(replace(made, run_end="failed"), CONFIG)) == []


@pytest.mark.slow
@settings(deadline=None)
@given(anything)
def test_a_note_is_within_the_limits(words: str) -> None:
    note = Note(delivery_id="dlv_1", title="Paused", text=words, tone="warn", loudness="alert")
    assert oversights(render.render_note(note, CONFIG)) == []


@example(words=" ")
@settings(deadline=None)
@given(st.text(max_size=400))
def test_an_escaped_text_shows_as_itself(words: str) -> None:
    """Undo what Discord does: a backslash before a sign is that sign. Nothing else in it may mean anything."""
    shown = text.escaped(words, 100_000)
    plain, place = [], 0
    while place < len(shown):
        if shown[place] == "\\":
            place += 1
            assert not shown[place].isalnum()
        else:
            assert shown[place].isalnum() or shown[place] in " \n\t⟨⟩+" or not shown[place].isascii()
        plain.append(shown[place])
        place += 1
    if words.isascii() and words.replace("\n", "").isprintable():
        assert "".join(plain) == (words.strip("\n") if words.strip() else "")


@pytest.mark.slow
@pytest.mark.parametrize("units", [0, 1, 2, 5, 50])
@settings(deadline=None)
@given(words=st.text(max_size=200))
def test_nothing_is_longer_than_it_may_be_and_no_escape_is_cut(units: int, words: str) -> None:
    for shown in (text.escaped(words, units), text.plain(words, units), text.lines(words, units)):
        assert utf16_units(shown) <= units
    shown = text.escaped(words, units).removesuffix("…")
    assert (len(shown) - len(shown.rstrip("\\"))) % 2 == 0


def test_what_cannot_be_seen_is_made_visible_and_emoji_stay_whole() -> None:
    assert text.plain("a\u202eb\u200bc", 99) == "a⟨U+202E⟩b⟨U+200B⟩c"
    assert text.plain("👩\u200d💻 ❤\ufe0f", 99) == "👩\u200d💻 ❤\ufe0f"


def test_a_long_prompt_is_attached_whole() -> None:
    picture = render.render_card(card("*" * 3_000), frozenset(), Tally(), CONFIG)
    assert [one.name for one in picture.files] == ["prompt.txt"]
    assert picture.files[0].text == "*" * 3_000


def test_privacy_hides_the_text_and_nothing_else() -> None:
    picture = render.render_card(card("the secret", privacy="title"), frozenset(), Tally(), CONFIG, details=True)
    assert "secret" not in str(picture)
    assert "Two files" not in str(picture)
    assert picture.buttons == open_buttons("card_1", HASH, OPEN)


def test_privacy_hides_what_came_of_it_too() -> None:
    done = card("the secret", phase="settled", privacy="title", result="the secret\n" * 2_000)
    picture = render.render_result(done, CONFIG)
    assert "secret" not in str(picture)
    assert [embed.footer.text for embed in picture.embeds if embed.footer] == ["run card_1 · pulse why card_1"]


def test_the_owner_alone_is_called_to_what_is_to_be_heard_and_only_where_they_want_that() -> None:
    def called(loudness: Loudness, config: Config = CONFIG) -> str:
        return render.render_card(card("@everyone", loudness=loudness), frozenset(), Tally(), config).ping

    assert [called("notify"), called("alert")] == [CONFIG.owner_id] * 2
    assert [called("silent"), called("badge"), called("alert", replace(CONFIG, alert_owner=False))] == [""] * 3


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(ids, max_size=BUTTON_VOTES_MAX, unique=True), st.lists(ids, max_size=30, unique=True))
def test_votes_by_button_are_read_back_from_the_picture(by_button: list[str], by_reaction: list[str]) -> None:
    marks = frozenset(Mark(voter=one, verb=Verb.REJECT, via="button") for one in by_button)
    tally = count(voters(sorted({*by_button, *by_reaction}), Verb.REJECT))
    picture = render.render_card(card(), marks, tally, CONFIG)
    fields = tuple((field.name, field.value) for field in picture.embeds[0].fields)
    assert button_marks(fields) == marks
    found = sort([seen(picture)])[0]
    assert (found.kind, found.name, found.pending) == ("card", "card_1", True)
    assert found.votes == {Entry(voter=one, sign="reject", via="button") for one in by_button}


def seen(picture: Rendered) -> Seen:
    embed = picture.embeds[0]
    return Seen(
        message_id="1",
        footer=embed.footer.text if embed.footer else "",
        fields=tuple((field.name, field.value) for field in embed.fields),
        custom_ids=tuple(button.custom_id for button in picture.buttons),
    )


def test_every_message_says_what_it_is() -> None:
    note = Note(delivery_id="dlv_1", title="Paused", text="x", tone="warn", loudness="silent")
    done = card("x", "settled", status=Status.EXECUTED, run_id="run_1", result="ok", verbs=(Verb.UNDO,))
    pictures = [
        render.render_note(note, CONFIG),
        render.render_result(done, CONFIG),
        render.render_status(None, connected=False),
        render.render_card(done, frozenset(), Tally(), CONFIG),
    ]
    found = [(one.kind, one.name, one.pending) for one in sort(map(seen, pictures))]
    assert found == [
        ("note", "dlv_1", False),
        ("result", "run_1", False),
        ("status", "", False),
        ("card", "card_1", False),
    ]
    assert sort([Seen(message_id="1", footer="pulse why ../etc")]) == []


@pytest.mark.parametrize(
    "garbage", ["", "pulse:approve", "pulse:delete:c:0123456789ab", "pulse:approve:c:0123456789ab:x"]
)
def test_a_foreign_button_means_nothing(garbage: str) -> None:
    assert read_custom_id(garbage) is None


def test_a_button_is_understood_after_a_restart() -> None:
    pressed = read_custom_id(custom_id("approve", "c" * 64, HASH))
    assert pressed is not None
    assert (pressed.action, pressed.card_id, pressed.hash) == ("approve", "c" * 64, HASH[:12])


def test_the_details_of_an_open_suggestion_offer_less_and_never() -> None:
    wishes = (Verb.LESS, Verb.NEVER)
    found = render.render_details(card("x", verbs=(*OPEN, *wishes))).buttons
    assert [one.label for one in found] == ["Show less often", "Never suggest this here"]
    pressed = [read_custom_id(one.custom_id) for one in found]
    assert [one.action for one in pressed if one] == ["less", "never"]
    assert render.render_details(card("x")).buttons == ()
    assert render.render_details(card("x", "settled", verbs=wishes)).buttons == ()


def test_a_card_that_takes_a_yes_of_the_persons_own_says_where() -> None:
    own = card(verbs=(Verb.REJECT, Verb.SNOOZE))
    own = replace(own, prediction=replace(own.prediction, in_person=True))
    picture = render.render_card(own, frozenset(), Tally(), CONFIG)
    assert [button.label for button in picture.buttons] == ["Dismiss", "Snooze", "Details"]
    (told,) = [field.value for field in picture.embeds[0].fields if field.name == "To approve it"]
    assert "on the page" in told
    assert oversights(picture) == []


def test_a_card_that_cannot_run_says_what_to_mend_and_where_to_look_again() -> None:
    own = card(verbs=(Verb.REJECT, Verb.SNOOZE))
    cannot = PlannedRun(summary="", problem="make was not found.")
    picture = render.render_card(
        replace(own, prediction=replace(own.prediction, runs=cannot)), frozenset(), Tally(), CONFIG
    )
    fields = {field.name: field.value for field in picture.embeds[0].fields}
    assert "make was not found" in fields["What would run"]
    assert "check again" in fields["To approve it"]
    assert oversights(picture) == []


def test_what_failed_offers_what_can_be_done_about_it() -> None:
    failed = card("x", "settled", status=Status.FAILED, run_end="failed", verbs=AFTER_FAILURE)
    labels = [button.label for button in render.render_result(failed, CONFIG).buttons]
    assert labels == ["Try again", "Let the agent fix it", "Ignore"]
    aside = Settlement(verb=Verb.IGNORE, by="me", surface="phone", device="p", human_input=HumanInput.TAP, at=NOW)
    ignored = replace(failed, prediction=replace(failed.prediction, settled=aside))
    assert render.render_result(ignored, CONFIG).buttons == ()


def test_the_details_say_what_counts_towards_the_caps_and_whose_idea_it_is() -> None:
    (embed,) = render.render_details(card()).embeds
    said = {field.name: field.value for field in embed.fields}
    assert (said["Cost"], said["Origin"]) == ("$0.05", "suggested by your model")


def asked(permission: Permission) -> Rendered:
    return render.render_card(asking_for(permission), frozenset(), count([]), CONFIG)


def asking_for(permission: Permission) -> ChatCard:
    known = card(permission.text)
    return replace(known, prediction=replace(known.prediction, source=Source.ASK, permission=permission))


def test_what_an_agent_asks_is_a_sentence_with_its_exact_text_and_the_dangerous_parts() -> None:
    mark = PermissionMark(start=11, end=23, effect=Effect.DELETES)
    command = Permission(
        agent="claude-code",
        tool="Bash",
        act=Act.COMMAND,
        text="cd shop && rm -rf build",
        folder="/home/anna/shop",
        effects=(Effect.DELETES,),
        marks=(mark,),
    )
    shown = asked(command)
    embed, fields = shown.embeds[0], {one.name: one.value for one in shown.embeds[0].fields}
    assert embed.description == "**Claude wants to run a command in shop**\n```\ncd shop && rm -rf build\n```"
    assert (fields["Look at"], fields["What it does"]) == (r"⚠️ rm \-rf build", "deletes something")
    assert fields["In"].replace("\\", "") == "/home/anna/shop"
    assert oversights(shown) == []


def test_an_edit_is_a_diff_and_cannot_leave_its_block() -> None:
    diff = "-old\n+new"
    edit = Permission(agent="codex", tool="Edit", act=Act.EDIT, target="a.py", text=diff)
    assert "```diff\n-old\n+new\n```" in asked(edit).embeds[0].description
    assert "```" not in asked(replace(edit, text="+```\n@everyone")).embeds[0].description


@pytest.mark.slow
@settings(deadline=None)
@given(anything, anything, anything)
def test_no_request_breaks_a_limit(said: str, target: str, unusual: str) -> None:
    marks = (PermissionMark(start=0, end=max(1, len(said)), effect=Effect.DELETES),)
    made = Permission(
        agent="x",
        tool="T",
        act=Act.COMMAND,
        text=said,
        target=target,
        folder=target,
        marks=marks,
        unusual=(unusual,) * 9,
    )
    assert oversights(asked(made)) == []


def test_all_that_is_unusual_about_a_request_is_shown_or_keeps_the_yes_away() -> None:
    made = Permission(agent="x", tool="T", act=Act.COMMAND, text="ls")
    few = replace(made, unusual=tuple(f"Note {place}." for place in range(1, 7)))
    (embed,) = asked(few).embeds
    told = next(field.value for field in embed.fields if field.name == "New here")
    assert told.replace("\\", "").splitlines() == list(few.unusual)
    many = replace(made, unusual=(*(f"Note {place} {'and more ' * 30}" for place in range(1, 7)), "The last."))
    assert {few: True, many: False} == {one: is_whole(asking_for(one)) for one in (few, many)}


def test_what_a_person_changed_is_shown_as_it_ran_beside_what_was_asked() -> None:
    changed = ChatCard(prediction=CHANGED, opened_at=NOW, phase="settled")
    (embed,) = render.render_card(changed, frozenset(), Tally(), CONFIG).embeds
    assert embed.description.replace("\\", "") == "Ran: git status\nAsked: git push --force"
    assert not any("git push" in field.value for field in embed.fields)
