"""Many answers to one card at once, from several clients and a phone: one is taken, and it alone has an effect."""

import random
import threading
from collections.abc import Callable
from typing import Any

from hub.contract.words import Verb
from tests.bench.bench_agents import make_card
from tests.hostile.answering import PATHS, Arena, a_client, a_phone, arena
from tests.hostile.trial import Outcome, Trial

CLIENTS = 4
ANSWERS_PER_CARD = 18
SETTLES = (Verb.APPROVE, Verb.REJECT)
Send = Callable[[dict[str, Any], Verb, str], tuple[int, dict[str, Any]]]


def run(attempts: int) -> Outcome:
    """Let every client answer each of so many cards at the same moment."""
    draw = random.Random(7)  # noqa: S311  repeatable answers, no secrets
    with arena() as hub:
        senders = _senders(hub)
        cards = [hub.ask("GET", f"/predictions/{make_card(hub.hub, number)}")[1] for number in range(attempts)]
        won, wrong, answers = 0, 0, 0
        said: list[tuple[Send, dict[str, Any], Verb, str]] = []
        for card in cards:
            drawn = [(senders[n % len(senders)], card, draw.choice(SETTLES), f"k{n}") for n in range(ANSWERS_PER_CARD)]
            winners = _race(drawn)
            answers += len(drawn)
            won += len(winners) == 1
            wrong += len(winners) != 1
            said += drawn
        before = {card["id"]: hub.ask("GET", f"/predictions/{card['id']}")[1] for card in cards}
        for send, card, verb, key in said:
            send(card, verb, key)
        settled = [before[card["id"]]["settled"] for card in cards]
        after = [hub.ask("GET", f"/predictions/{card['id']}")[1]["settled"] for card in cards]
        doubled = sum(count > 1 for count in hub.runs().values())
        wrong += doubled + sum(one != other for one, other in zip(settled, after, strict=True))
    figures = {"answers": str(answers * 2), "cards with one winner": f"{won} of {attempts}", "run twice": str(doubled)}
    return Outcome(attempts=attempts, got_through=wrong, figures=figures)


def _senders(hub: Arena) -> list[Send]:
    def over_api(token: str) -> Send:
        def send(card: dict[str, Any], verb: Verb, key: str) -> tuple[int, dict[str, Any]]:
            body = {"idempotencyKey": key, "cardHash": card["cardHash"]}
            return hub.ask("POST", f"/predictions/{card['id']}/{PATHS.get(verb, verb.value)}", body, token)

        return send

    phone = a_phone(hub)

    def by_token(card: dict[str, Any], verb: Verb, key: str) -> tuple[int, dict[str, Any]]:
        return hub.ask("POST", "/actions", phone.said(card, verb, key), phone.token)

    clients = [over_api(a_client(hub, f"client {number}")) for number in range(CLIENTS)]
    return [over_api(""), by_token, *clients]


def _race(said: list[tuple[Send, dict[str, Any], Verb, str]]) -> list[Verb]:
    """Send all at once; return what was taken, and not only found done already."""
    start, lock, winners = threading.Barrier(len(said)), threading.Lock(), list[Verb]()

    def answer(send: Send, card: dict[str, Any], verb: Verb, key: str) -> None:
        start.wait()
        status, document = send(card, verb, key)
        if status == 200 and not document["repeated"]:
            with lock:
                winners.append(verb)

    threads = [threading.Thread(target=answer, args=one) for one in said]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return winners


TRIAL = Trial(
    name="racing_answers",
    promise="of many answers to a card one is taken, and it alone has an effect",
    run=run,
    short=5,
    long=300,
)
