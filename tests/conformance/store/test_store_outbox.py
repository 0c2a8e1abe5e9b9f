"""The outbox: handed out to one at a time, oldest first, until retired or expired."""

from hub.domain.storage import DeleteSent, Lost, OutboxDepth, ReleaseLeases
from hub.ports import Store
from tests.conformance.store.conftest import Sure
from tests.conformance.store.samples import NOON, after, message, send


async def claimed(store: Store, at: float, *, limit: int = 9, lease_s: float = 10) -> list[str]:
    return [found.id for found in await store.claim(now=after(at), lease_s=lease_s, limit=limit)]


async def test_a_message_comes_back_as_it_was(store: Store, write: Sure) -> None:
    await write(send(expires=60))
    assert await store.claim(now=NOON, lease_s=10, limit=1) == (message(expires=60),)


async def test_the_writer_has_the_first_lease(store: Store, write: Sure) -> None:
    await write(send(leased=5))
    assert await claimed(store, 4.999999) == []
    assert await claimed(store, 5) == ["m1"]


async def test_a_leased_message_is_not_handed_out_again_before_its_time(store: Store, write: Sure) -> None:
    await write(send())
    assert await claimed(store, 0, lease_s=10) == ["m1"]
    assert await claimed(store, 9.999999) == []
    assert await claimed(store, 10) == ["m1"]


async def test_messages_keep_their_order(store: Store, write: Sure) -> None:
    for id_ in "bca":
        await write(send(id_))
    assert await claimed(store, 1, limit=2) == ["b", "c"]
    assert await claimed(store, 1) == ["a"]


async def test_the_lease_that_ran_out_longest_ago_comes_first(store: Store, write: Sure) -> None:
    await write(send("a", leased=8), send("b", leased=3))
    assert await claimed(store, 9) == ["b", "a"]


async def test_who_came_back_does_not_wait_for_its_leases(store: Store, write: Sure) -> None:
    await write(send("a", leased=40), send("b", leased=3))
    await write(ReleaseLeases(topic=message().topic, at=after(5)), ReleaseLeases(topic="pulse/v1/me/other", at=NOON))
    assert await claimed(store, 4) == ["b"]
    assert await claimed(store, 5) == ["a"]
    assert await claimed(store, 14.9) == ["b"]
    assert await claimed(store, 15) == ["a"]


async def test_expired_messages_are_removed_and_not_handed_out(store: Store, write: Sure) -> None:
    await write(send("a", expires=10), send("b", expires=11, leased=50), send("c"))
    assert await claimed(store, 10) == ["c"]
    assert await store.read(OutboxDepth()) == 2
    assert await claimed(store, 11) == []
    assert await store.read(OutboxDepth()) == 1


async def test_an_id_waits_once_and_may_come_again_later(store: Store, write: Sure) -> None:
    await write(send())
    assert await store.commit([(send(),)]) == (Lost(what="send m1"),)
    await write(DeleteSent(ids=("m1",)))
    await write(send())
    assert await store.read(OutboxDepth()) == 1


async def test_retiring_unknown_messages_is_fine(store: Store, write: Sure) -> None:
    await write(send("a"), send("b"))
    await write(DeleteSent(ids=("a", "x")), DeleteSent(ids=()))
    assert await claimed(store, 0) == ["b"]


async def test_claiming_nothing(store: Store, write: Sure) -> None:
    assert await claimed(store, 0) == []
    await write(send())
    assert await claimed(store, 0, limit=0) == []
    assert await claimed(store, 0, limit=-1) == []
