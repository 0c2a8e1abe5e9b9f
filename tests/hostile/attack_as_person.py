"""What an agent would do if it passed for the person: run as a program of its own, it prints what the hub said to it.

Arguments: the hub's socket, a card, and the file (a FIFO) that is told the outcome as JSON. It imports nothing of ours.
"""

import http.client
import json
import os
import socket
import sys
from collections.abc import Sequence

LOOSENS: tuple[tuple[str, str, object], ...] = (
    ("PATCH", "/api/v1/crosspoll/config", {"emergencyStop": False}),
    ("POST", "/api/v1/crosspoll/resume", None),
    ("PATCH", "/api/v1/crosspoll/config", {"autonomous": True}),
    ("POST", "/api/v1/tokens", {"name": "mine", "scopes": ["read", "answer", "ask", "admin"]}),
    ("POST", "/api/v1/pairing", {}),
    ("POST", "/api/v1/pairing", {"purpose": "confirm"}),
    ("POST", "/api/v1/pairing", {"purpose": "terminal"}),
    ("POST", "/api/v1/devices", {"surface": "glasses", "device": "mine", "profile": "glasses"}),
    ("POST", "/api/v1/agents/attached", {"agent": "codex", "attach": True}),
    ("POST", "/api/v1/terminals", {"agent": "codex"}),
    ("POST", "/api/v1/terminals", {"word": "AAAAA-AAAAA"}),
    ("POST", "/api/v1/terminals", {"other": "1-1"}),
    ("POST", "/api/v1/grants", {"kind": "commit-work"}),
    ("POST", "/api/v1/grants/let_1/restore", None),
    ("DELETE", "/api/v1/crosspoll/overrides", None),
    ("DELETE", "/api/v1/mutes/mute_1", None),
    ("POST", "/api/v1/mutes", {"degree": "ask", "kind": "run-tests"}),
    ("PATCH", "/api/v1/devices/phone/mine", {"privacy": "full"}),
    ("PATCH", "/api/v1/crosspoll/config", {"dndUntil": "2099-01-01T00:00:00Z"}),
    ("PATCH", "/api/v1/crosspoll/config", {"dndOff": True}),
    ("PATCH", "/api/v1/crosspoll/config", {"interruptionsPerDay": 0}),
    ("PATCH", "/api/v1/crosspoll/config", {"digestTimes": []}),
    ("PATCH", "/api/v1/crosspoll/config", {"emergencyStop": True, "digestOnReturn": False}),
)
SILENCES: tuple[tuple[str, str, object], ...] = (
    ("PATCH", "/api/v1/tasks/task_1", {"title": "Mine"}),
    ("PUT", "/api/v1/tasks/task_1", {"title": "Mine"}),
    ("DELETE", "/api/v1/tasks/task_1", None),
    ("POST", "/api/v1/digest", None),
    ("POST", "/api/v1/drives/weights", {"name": "goals", "weight": 0}),
    ("POST", "/api/v1/drives/weights/weight_1/undo", None),
    ("DELETE", "/api/v1/devices/phone/phone1/address", None),
)
"""What changes or removes what is the person's, or tells all their devices."""
OF_TOKENS: tuple[tuple[str, str, object], ...] = (
    ("POST", "/api/v1/mutes", {"degree": "never", "kind": "run-tests"}),
    ("POST", "/api/v1/messages", {}),
)
"""What a program that was given a token may well be told to do, and what has none may not."""


def attempts(card: str) -> Sequence[tuple[str, str, object]]:
    """Return every request that only the person may make."""
    base = f"/api/v1/predictions/{card}"
    return (
        ("POST", f"{base}/confirm", {}),
        ("POST", f"{base}/edit", {"prompt": "echo mine"}),
        ("POST", f"{base}/undo", {}),
        ("POST", f"{base}/retry", {}),
        ("POST", f"{base}/snooze", {"minutes": 60}),
        ("POST", f"{base}/less", {}),
        ("POST", f"{base}/never", {}),
        ("POST", f"{base}/ignore", {}),
        ("POST", f"{base}/reject", {"reason": "Use another tool, your person says."}),
        ("POST", "/api/v1/crosspoll/trigger", {"predictionId": card}),
        *LOOSENS,
        *SILENCES,
        *OF_TOKENS,
    )


def made(path: str, method: str, address: str, body: object) -> tuple[int, str]:
    """Make one request over the socket; return the status and the problem's code."""
    connection = http.client.HTTPConnection("localhost")
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(path)
    payload = None if body is None else json.dumps(body)
    connection.request(method, address, payload, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    said = json.loads(answer.read() or b"{}")
    return answer.status, str(said.get("code", ""))


def main(path: str, card: str, out: str) -> None:
    """Try everything and tell what came of it."""
    found = [(method, address, *made(path, method, address, body)) for method, address, body in attempts(card)]
    with open(out, "w", encoding="utf-8") as told:  # noqa: PTH123  a FIFO
        json.dump(found, told)


if __name__ == "__main__":
    if os.environ.get("AFTER"):  # wait until the one that started this is gone
        os.set_blocking(int(os.environ["AFTER"]), True)
        os.read(int(os.environ["AFTER"]), 1)
    main(*sys.argv[1:4])
