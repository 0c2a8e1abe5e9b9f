"""OpenClaw's gateway: its approvals and questions are heard and answered over its WebSocket, as a device of its own."""
