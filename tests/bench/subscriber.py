"""An MQTT subscriber in a process of its own: takes as many events as stdin names, then prints who and when.

`python -m tests.bench.subscriber HOST PORT USERNAME PASSWORD TOPIC`
"""

import json
import sys
import time
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

WAIT_S_MAX = 20.0
POLL_S = 0.05


def main() -> None:
    host, port, username, password, topic = sys.argv[1:]
    seen: list[tuple[str, float]] = []
    client = Client(CallbackAPIVersion.VERSION2, client_id=username)
    client.username_pw_set(username, password)

    def on_message(_client: Client, _data: object, message: MQTTMessage) -> None:
        seen.append((message.payload, time.monotonic()))  # type: ignore[arg-type]  # decoded at the end

    def on_subscribe(*_arguments: Any) -> None:  # noqa: ANN401  paho's own signature
        sys.stdout.write("ready\n")
        sys.stdout.flush()

    client.on_message = on_message
    client.on_subscribe = on_subscribe
    client.connect(host, int(port))
    client.subscribe(topic, qos=1)
    client.loop_start()
    wanted = int(sys.stdin.readline())
    limit = time.monotonic() + WAIT_S_MAX
    while len(seen) < wanted and time.monotonic() < limit:
        time.sleep(POLL_S)
    client.loop_stop()
    subjects = {json.loads(payload).get("subject"): moment for payload, moment in seen}
    sys.stdout.write(json.dumps(subjects) + "\n")


if __name__ == "__main__":
    main()
