"""The MCP server: an agent asks a person through tools. A process of its own that knows the hub by its API (ADR 79)."""
