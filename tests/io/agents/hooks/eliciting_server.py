"""A server of tools, over standard input, whose one tool asks its client for a form and says what came of it.

A program of its own: `python eliciting_server.py [FIFO]`. It speaks revision 2025-11-25, in which the server asks.
Where a FIFO is named, it writes a line to it once the tool is called. TOOL in its environment names the tool.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

FORM = {
    "type": "object",
    "properties": {
        "plan": {"type": "string", "title": "Plan", "enum": ["free", "paid"]},
        "seats": {"type": "integer", "description": "How many people"},
        "news": {"type": "boolean", "title": "Send news"},
    },
    "required": ["plan", "seats"],
}
TOOL = {
    "name": os.environ.get("TOOL", "sign_up"),
    "description": "Signs up",
    "inputSchema": {"type": "object", "properties": {}},
}
ASKED = "asked-1"


def tell(**message: Any) -> None:  # noqa: ANN401  JSON
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(said: dict[str, Any]) -> dict[str, Any]:
    match said["method"]:
        case "initialize":
            about = {"serverInfo": {"name": "plans", "version": "1"}, "capabilities": {"tools": {}}}
            return {"result": {"protocolVersion": said["params"]["protocolVersion"], **about}}
        case "tools/list":
            return {"result": {"tools": [TOOL]}}
        case "ping":
            return {"result": {}}
    return {"error": {"code": -32_601, "message": "Method not found"}}


def main() -> None:
    calls: list[object] = []
    for line in sys.stdin:
        said = json.loads(line)
        if said.get("method") == "tools/call":
            calls.append(said["id"])
            for called in sys.argv[1:]:
                Path(called).write_text("called\n")
            asks = {"mode": "form", "message": "Which plan do you want?", "requestedSchema": FORM}
            tell(id=ASKED, method="elicitation/create", params=asks)
        elif said.get("id") == ASKED:
            tell(id=calls.pop(), result={"content": [{"type": "text", "text": json.dumps(said.get("result"))}]})
        elif "id" in said:
            tell(id=said["id"], **answer(said))


if __name__ == "__main__":
    main()
