"""Wrong one-time codes without end: the right one is taken at once."""

import http.client
import json
import threading
import time
from http import HTTPStatus

from hub.cli.api import open_api, read
from hub.contract.access import PairingAnswer, PairingRequest
from tests.hostile.trial import Outcome, Trial
from tests.hostile.trials._flooded_hub import Flooded, flooded_hub
from tests.hostile.trials.idle_strangers import in_ms, p99

GUESSERS = 4
PAIRED = 10
"""Devices that are paired meanwhile."""


class Guesser(threading.Thread):
    """Tries wrong codes as fast as they are answered."""

    def __init__(self, target: Flooded, tries: int) -> None:
        super().__init__(daemon=True)
        self._target = target
        self._tries = tries
        self.hits = 0

    def run(self) -> None:
        connection = self._target.connect()
        for number in range(self._tries):
            try:
                self.hits += paired(connection, f"WRONG{number:05}") == HTTPStatus.CREATED
            except (OSError, http.client.HTTPException):
                connection.close()
        connection.close()


def run(attempts: int) -> Outcome:
    """Try that many wrong ones, and the right ones meanwhile."""
    with flooded_hub() as target:
        guessers = [Guesser(target, attempts // GUESSERS) for _ in range(GUESSERS)]
        began = time.monotonic()
        for guesser in guessers:
            guesser.start()
        took = [right_ms(target) for _ in range(PAIRED)]
        for guesser in guessers:
            guesser.join()
        rate = attempts / (time.monotonic() - began)
    refused = sum(one is None for one in took)
    figures = {
        "right ones taken": f"{PAIRED - refused} of {PAIRED}",
        "slowest": in_ms(p99(took)),
        "tries": f"{rate:.0f}/s",
    }
    return Outcome(attempts=attempts, got_through=refused + sum(one.hits for one in guessers), figures=figures)


def right_ms(target: Flooded) -> float | None:
    """Pair a device; return the milliseconds that the code took, None if it was refused."""
    document = open_api(target.hub.home).call("POST", "/pairing", PairingRequest(profile="phone"))
    code = read(document, PairingAnswer).code
    connection = target.connect()
    began = time.perf_counter()
    status = paired(connection, code)
    took_ms = (time.perf_counter() - began) * 1_000
    connection.close()
    return took_ms if status == HTTPStatus.CREATED else None


def paired(connection: http.client.HTTPConnection, code: str) -> int:
    """Use a code; return the answer's status."""
    body = json.dumps({"code": code, "title": "a phone"})
    connection.request("POST", "/api/v1/pair", body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    answer.read()
    return answer.status


TRIAL = Trial(
    name="wrong_codes",
    promise="Wrong one-time codes hit nothing and refuse no right one",
    run=run,
    short=400,
    long=40_000,
)
