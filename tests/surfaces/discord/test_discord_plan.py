"""Whatever fails, gets lost or is deleted: following the plan brings the channel to what is wanted, and then stops."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from surfaces.discord.ballot import Ballot, Entry
from surfaces.discord.limits import NONCE_CHARS_MAX, Embed, Rendered
from surfaces.discord.plan import Edit, Known, Open, Post, React, Step, Wanted, next_step, nonce

entries = st.builds(
    Entry,
    voter=st.sampled_from(["a", "b", "c"]),
    sign=st.sampled_from(["approve", "reject", "details"]),
    via=st.sampled_from(["reaction", "super"]),
)
STEPS_MAX = 200


def wanted(text: str = "x", own: tuple[str, ...] = ("✅", "❌"), thread: str = "") -> Wanted:
    return Wanted(key="card:1:0", rendered=Rendered(embeds=(Embed(title=text),)), born="t", own=own, thread=thread)


class Channel:
    """A channel that does what it is told, unless it fails; a post whose nonce it knows makes no new message."""

    def __init__(self) -> None:
        self.messages: dict[str, Known] = {}
        self.nonces: dict[str, str] = {}

    def do(self, step: Step) -> Known:
        match step:
            case Post(wanted=asked, nonce=once):
                message_id = self.nonces.setdefault(once, str(len(self.nonces) + 1))
                shown = Known(message_id=message_id, digest=asked.rendered.digest)
                self.messages.setdefault(message_id, shown)
            case Edit(message_id=message_id, rendered=rendered):
                self.messages[message_id] = replace(self.messages[message_id], digest=rendered.digest)
            case React(message_id=message_id, emoji=emoji, add=add):
                own = self.messages[message_id].own
                changed = own | {emoji} if add else own - {emoji}
                self.messages[message_id] = replace(self.messages[message_id], own=changed)
            case Open(message_id=message_id):
                self.messages[message_id] = replace(self.messages[message_id], threaded=True)
        return self.messages[message_id]


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(st.sampled_from(["ok", "fails", "lost answer", "deleted"]), max_size=60), st.booleans())
def test_every_outage_converges(luck: list[str], with_thread: bool) -> None:  # noqa: FBT001  hypothesis gives it so
    channel, known, posts = Channel(), None, 0
    goal = wanted(thread="work" if with_thread else "")
    chances = iter([*luck, *["ok"] * STEPS_MAX])
    for what in chances:
        step = next_step(goal, known, posts)
        if step is None:
            break
        if what == "deleted" and known is not None:
            del channel.messages[known.message_id]
            known, posts = None, posts + 1
        elif what != "fails":
            done = channel.do(step)
            known = known if what == "lost answer" else done
    assert len(channel.messages) == 1
    (there,) = channel.messages.values()
    assert there == known
    assert (there.digest, there.own, there.threaded) == (goal.rendered.digest, frozenset({"✅", "❌"}), with_thread)


def test_what_is_said_once_is_never_edited() -> None:
    once = replace(wanted(own=()), fixed=True)
    assert next_step(once, Known(message_id="1"), 0) is None


def test_a_nonce_is_the_same_for_each_try_and_another_for_each_message() -> None:
    assert nonce(wanted("x"), 0) == nonce(wanted("y"), 0)
    assert nonce(wanted(), 0) != nonce(wanted(), 1)
    assert len(nonce(wanted(), 0)) == NONCE_CHARS_MAX


@pytest.mark.slow
@settings(deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), entries), max_size=30), st.lists(st.tuples(st.booleans(), entries), max_size=30)
)
def test_reading_back_while_votes_go_on_loses_nothing(
    before: list[tuple[bool, Entry]], meanwhile: list[tuple[bool, Entry]]
) -> None:
    """What Discord had when it was read may be from any moment of the reading; what came live is done again on top."""
    truth: set[Entry] = set()
    for add, entry in before:  # happened while nobody listened
        (truth.add if add else truth.discard)(entry)
    for read_at in (0, len(meanwhile) // 2, len(meanwhile)):
        there, ballot = set(truth), Ballot()
        reading = ballot.begin_reading()
        snapshot = set(there)
        for number, (add, entry) in enumerate(meanwhile):
            if number == read_at:
                snapshot = set(there)
            (there.add if add else there.discard)(entry)
            if add:
                ballot.put(entry, may_vote=True)
            else:
                ballot.take(entry)
        if read_at == len(meanwhile):
            snapshot = set(there)
        ballot.finish_reading(reading, snapshot)
        assert set(ballot) == there
        assert ballot.known


def test_a_reading_that_was_overtaken_changes_nothing() -> None:
    """Two readings of one card: the older one ends first, knows nothing of a vote, and must not say that it does."""
    early, late = Entry(voter="1", sign="approve"), Entry(voter="2", sign="approve")
    ballot = Ballot()
    older = ballot.begin_reading()
    ballot.put(early, may_vote=True)
    newer = ballot.begin_reading()
    ballot.finish_reading(older, ())
    assert not ballot.known
    ballot.put(late, may_vote=True)
    ballot.finish_reading(newer, {early})
    assert set(ballot) == {early, late}
    doubted = ballot.begin_reading()
    ballot.doubt()
    ballot.finish_reading(doubted, ())
    assert not ballot.known
